/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_ERROR_H
#define ATMOST_RUNTIME_ERROR_H

#include "atmost/errors.h"

/* Both remember what atmost_detail says next, and return `error`. */
int error_is(int error);
__attribute__((format(printf, 2, 3)))
int error_say(int error, const char *format, ...);

#endif
