/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory to share: anonymous, or a file of a name.  What is in it is for
 * others to read and to doubt.  All return 0 or an error that has been said.
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
};

/* A file that has no name yet. */
struct draft {
	struct segment segment;
	int directory, file;
	char temporary[64]; /* the name it has instead; "": none */
};

int segment_check_name(const char *name);

/* Zeroed memory of this process. */
int segment_anonymous(struct segment *segment, size_t size);

/* ATMOST_ENOTFOUND: there is no such file. */
int segment_open(struct segment *segment, const char *name, size_t least);

/*
 * Zeroed memory of a file that becomes visible, all at once, when it is
 * published: true in `published`, or false if the name exists by now.  Either
 * way the draft is no more; its memory is the caller's if it was published.
 */
int segment_draft(struct draft *draft, size_t size);
int segment_publish(struct draft *draft, const char *name, bool *published);

/* The same in place of `old`, if that is still the one of this name. */
int segment_replace(struct draft *draft, const char *name,
		    const struct segment *old, bool *published);
void segment_discard(struct draft *draft);

void segment_close(struct segment *segment);
int segment_unlink(const char *name);

/* Of the running machine; zeros if it does not tell anybody. */
int segment_boot(uint64_t boot[2]);

#endif
