/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_RUNTIME_ERROR_H
#define ATMOST_RUNTIME_ERROR_H

#include "atmost/errors.h"

/* Each function sets the text of atmost_detail and returns the error.  error_is
 * takes the text from errors.h. */
int error_is(int error);
__attribute__((format(printf, 2, 3))) int error_say(int error,
						    const char *format, ...);

/* Returns the error that corresponds to errno.  The text is `what` and errno's
 * message. */
int error_system(const char *what);

#endif
