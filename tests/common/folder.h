/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A folder for the pools of one test program; ATMOST_DIR names it.
 */
#ifndef ATMOST_TESTS_COMMON_FOLDER_H
#define ATMOST_TESTS_COMMON_FOLDER_H

/* Makes a folder in `where` and sets ATMOST_DIR; NULL: in /dev/shm if possible.
 * A failure ends the program.  Returns its path. */
const char *folder_create(const char *where);

/* Removes the folder with everything in it. */
void folder_delete(void);

/* The path of a file in the folder; valid until the next call. */
const char *folder_path(const char *name);

#endif
