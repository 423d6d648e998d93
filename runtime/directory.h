/* SPDX-License-Identifier: BSD-2-Clause */
/* The directory in which this user's objects are. */
#ifndef ATMOST_RUNTIME_DIRECTORY_H
#define ATMOST_RUNTIME_DIRECTORY_H

#include <stdbool.h>

/*
 * A file descriptor of it, after making sure that it is ours alone; or an
 * error that has been said.  make: if it is not there, make it; otherwise that
 * is ATMOST_ENOTFOUND.
 */
int directory_open(bool make);

/* What the last directory_open of this thread tried, for messages. */
const char *directory_path(void);

#endif
