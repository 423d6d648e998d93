/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tests that include this header use pools with names, in a directory that
 * $ATMOST_DIR names.  The directory is made before each test and removed after
 * the test.
 */
#ifndef ATMOST_TESTS_API_FOLDER_H
#define ATMOST_TESTS_API_FOLDER_H

#include "api.h"

#include <stdbool.h>
#include <sys/types.h>

extern const char *folder; /* the path of the directory */

int folder_make(void **state);
int folder_remove(void **state);

#define TEST_IN_FOLDER(name) \
	cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

/* The path FOLDER/NAME.pool; valid until the next call. */
const char *folder_file(const char *name);

/* The number of files in the folder, hidden files included. */
unsigned folder_count(void);

/* Opens a pool with k slots; if algorithm is NULL, the pool must exist. */
struct atmost *open_pool(const char *name, const char *algorithm, unsigned k,
			 unsigned members);

/* Opens an assignment pool with four members and these slot names. */
struct atmost *open_with_names(const char *name, const char *names);

/* Offsets in the file: see runtime/layout.h. */
enum {
	AT_MAGIC = 0,
	AT_FORMAT = 8,
	AT_KIND = 12,
	AT_K = 16,
	AT_K_MAX = 20,
	AT_MEMBERS = 24,
	AT_ALGORITHM = 32,
	AT_ABI = 128,
	AT_BOOT = 160,
	AT_SIZE = 176,
	AT_K_NOW = 256,
	AT_RECOVERED = 272,
	AT_REMOVED = 320,
	AT_RESIZING = 336,
	AT_CHECKSUM = 184,
	AT_OBJECT = 192,
	AT_NAMES_LENGTH = 240,
	AT_FIXED_END = 244,
	AT_NAMES = 576,
	AT_WORDS = 576, /* in a pool without slot names */
	/*
	 * Offsets in a record; PROCESS_...: offsets in each of its two
	 * processes.
	 */
	RECORD = 512,
	LIFE_KIND = 16,
	AT_STATE = 128,
	AT_THREAD = 144,
	AT_PROCESS = 192,
	AT_ENTRUSTED = 272,
	PROCESS_PID = 0,
	PROCESS_SPACE = 16,
	PROCESS_START = 32,
	PROCESS_INODE = 64
};

/* Returns the offset of the record of the member that belongs to the thread. */
long file_record(const char *name, pid_t thread);

/* Changes the file as if a member had been killed after it began to resize to
 * k. */
void file_leave_resizing(const char *name, unsigned k);

void file_patch(const char *name, long at, const void *bytes, size_t size);
void file_read(const char *name, long at, void *bytes, size_t size);

/* Corrects the checksum.  The file may end before the end of its slot names. */
void file_sign(const char *name);

/* Maps the whole file; the mapping stays until the test ends. */
char *file_map(const char *name);

/* Called in a child: restores default signal handling, so that a signal kills
 * the child instead of failing the test. */
void child_begins(void);

/* Calls the function in a child, and waits for the end of the child.  Returns
 * the result of the function, or minus the signal that killed the child. */
int in_child(int (*function)(const void *), const void *argument);

#endif
