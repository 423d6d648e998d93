/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_RESIZE_H
#define ATMOST_RUNTIME_RESIZE_H

#include "runtime/object.h"

/* Does what somebody began who died on the way: k is what the header says. */
void resize_finish(struct atmost *object);

#endif
