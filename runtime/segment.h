/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A segment is the shared memory of a pool: anonymous memory, or a file.
 * Readers must not trust its contents.  Functions return 0, or an error that
 * error_say has explained, unless their comment says otherwise.
 */
#ifndef ATMOST_RUNTIME_SEGMENT_H
#define ATMOST_RUNTIME_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct stat;

struct segment {
	char *base;
	size_t size;
	dev_t device; /* device of the file; 0 for anonymous memory */
	ino_t inode;
	char name[65];
	/*
	 * Two descriptors, each with its own file description; -1: not open.
	 * The description of `look` is mapped.  The description of `hold` holds
	 * file locks; it is not mapped, because a mapping would keep the locks
	 * after the descriptor is closed.
	 */
	int look, hold;
};

int segment_check_name(const char *name);

/* Returns the name of the pool's file in its directory. */
struct segment_file {
	char text[80];
};
struct segment_file segment_file(const char *name);

/* Allocates zeroed memory, which only this process can use. */
int segment_anonymous(struct segment *segment, size_t size);

/* Opens and maps the file of the pool `name`.  `least` is the minimum size of
 * the file, in bytes.  Returns ATMOST_ENOTFOUND if there is no such file. */
int segment_open(struct segment *segment, const char *name, size_t least);

/* segment_note stores which file `look` refers to; segment_map maps it. */
void segment_note(struct segment *segment, const struct stat *status);
int segment_map(struct segment *segment, size_t size);

/*
 * Return the descriptor `look`, for looking at locks, or `hold`, for taking
 * locks.  If the program has closed the descriptor (closefrom, close_range),
 * the function opens the file again; then segment_hold sets *lost to true,
 * because the locks of `hold` are gone.  A negative result is an error.
 */
int segment_look(struct segment *segment);
int segment_hold(struct segment *segment, bool *lost);

/* Closes `hold`.  A child calls this, because it shares the description of
 * `hold` with its parent. */
void segment_forget_hold(struct segment *segment);

/*
 * Reserves `count` bytes of the file, so that a full disk causes an error now
 * and not a SIGBUS later.
 */
int segment_reserve(struct segment *segment, size_t from, size_t count);

/* Returns true if the name still leads to this file. */
bool segment_is_named(const struct segment *segment);

void segment_close(struct segment *segment);
int segment_unlink(const char *name);

#endif
