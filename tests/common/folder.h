/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes a folder for the pools of one test program.  ATMOST_DIR is its path. */
#ifndef ATMOST_TESTS_COMMON_FOLDER_H
#define ATMOST_TESTS_COMMON_FOLDER_H

/* Makes a folder in `where`; if `where` is NULL, in /dev/shm or, if that is not
 * writable, in /tmp.  Sets ATMOST_DIR and returns the path of the folder.  A
 * failure ends the program. */
const char *folder_create(const char *where);

/* Removes the folder with everything in it. */
void folder_delete(void);

/*
 * Returns the path of a file in the folder.  The text is valid until the next
 * call.
 */
const char *folder_path(const char *name);

#endif
