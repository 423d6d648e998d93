/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_ERROR_H
#define ATMOST_RUNTIME_ERROR_H

#include "atmost/errors.h"

/* All remember what atmost_detail says next, and return the error. */
int error_is(int error);
__attribute__((format(printf, 2, 3))) int error_say(int error,
						    const char *format, ...);

/* What errno means to us, said of `what`. */
int error_system(const char *what);

#endif
