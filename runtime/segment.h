/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory to share: anonymous, or a file of a name.  What is in it is for
 * others to read and to doubt.  Functions return 0 or an error that has been
 * said, unless they say otherwise.
 */
#ifndef ATMOST_RUNTIME_SEGMENT_H
#define ATMOST_RUNTIME_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct segment {
	char *base;
	size_t size;
	dev_t device; /* which file it is; anonymous memory is none */
	ino_t inode;
	char name[65];
	/*
	 * Two descriptions of the file, -1: not open.  `look` is the one that is
	 * mapped.  `hold` holds file locks and is used for nothing else: a
	 * mapping, too, would keep its locks alive.
	 */
	int look, hold;
};

/* A file that has no name yet. */
struct draft {
	struct segment segment; /* its `look` is the file */
	int directory;
	char temporary[64]; /* the name it has instead; "": none */
};

int segment_check_name(const char *name);

/* Zeroed memory of this process. */
int segment_anonymous(struct segment *segment, size_t size);

/* ATMOST_ENOTFOUND: there is no such file. */
int segment_open(struct segment *segment, const char *name, size_t least);

/*
 * A descriptor of the file: to look at locks, or to take them.  It is opened
 * anew if the program has closed it (closefrom, close_range): then *lost is
 * true, and the locks that it held are gone.  Negative: an error.
 */
int segment_look(struct segment *segment);
int segment_hold(struct segment *segment, bool *lost);

/* In a child: the description is the parent's. */
void segment_forget_hold(struct segment *segment);

/*
 * Zeroed memory of a file that becomes visible, all at once, when it is
 * published: true in `published`, or false if the name exists by now.  Either
 * way the draft is no more; its memory is the caller's if it was published.
 */
int segment_draft(struct draft *draft, size_t size);
int segment_publish(struct draft *draft, const char *name, bool *published);

/* The same in place of `old`.  The caller has LOCK_REMOVE of that, and has
 * asked segment_is_named. */
int segment_replace(struct draft *draft, const char *name, bool *published);
void segment_discard(struct draft *draft);

/*
 * Makes sure that there is memory for so many bytes of the file: a full disk is
 * an error now, and would be a SIGBUS later.
 */
int segment_reserve(struct segment *segment, size_t from, size_t count);

/* Whether its name still leads to this file. */
bool segment_is_named(const struct segment *segment);

void segment_close(struct segment *segment);
int segment_unlink(const char *name);

/* Of the running machine; zeros if it does not tell anybody. */
int segment_boot(uint64_t boot[2]);

#endif
