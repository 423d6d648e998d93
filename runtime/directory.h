/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the directory of this user's pools: $ATMOST_DIR, else /run/atmost/UID
 * where the machine has /run/atmost, else /dev/shm/atmost-UID.  The path
 * depends on the user, not on the login session, so that a cron job and a
 * terminal share pools.
 */
#ifndef ATMOST_RUNTIME_DIRECTORY_H
#define ATMOST_RUNTIME_DIRECTORY_H

#include <stdbool.h>

/*
 * Opens the directory, and checks that no other user can write to it.  Returns
 * a file descriptor, or an error that error_say has explained.  If the
 * directory does not exist: makes it if `make` is true, otherwise returns
 * ATMOST_ENOTFOUND.
 */
int directory_open(bool make);

/*
 * Returns the path of the directory for a message, cut to fit.  Does not change
 * errno.
 */
struct directory_path {
	char text[256];
};
struct directory_path directory_path(void);

#endif
