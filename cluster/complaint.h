/* SPDX-License-Identifier: BSD-2-Clause */
/* An error of cluster/, with a sentence for the user. */
#ifndef ATMOST_CLUSTER_COMPLAINT_H
#define ATMOST_CLUSTER_COMPLAINT_H

#include "atmost/errors.h"

/* The sentence names the address or the pool, and says what to do. */
struct complaint {
	char text[768];
};

/* Writes the sentence and returns the error, one of atmost/errors.h. */
int complain(struct complaint *, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
