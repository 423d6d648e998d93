/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Drafts: a file gets its name only when its contents are complete, so that no
 * process ever opens a half-made pool.
 *
 * A maker locks its draft.  If the file system has no files without a name, the
 * draft has a temporary name, and the next maker removes drafts that are not
 * locked.
 */
#ifndef ATMOST_RUNTIME_DRAFT_H
#define ATMOST_RUNTIME_DRAFT_H

#include "runtime/segment.h"

struct draft {
	struct segment segment; /* its `look` is the file */
	int directory;
	char temporary[64]; /* the name of the file so far; "": none */
};

/* Makes and maps a file of `size` zeros. */
int draft_begin(struct draft *draft, size_t size);

/*
 * The complete file becomes visible under the name.  *published is false if
 * another file has the name.  In each case the draft ends; if the file was
 * published, the caller owns draft->segment.
 */
int draft_publish(struct draft *draft, const char *name, bool *published);

/* The same in place of an older file.  The caller holds LOCK_REMOVE of the
 * older file and has called segment_is_named. */
int draft_replace(struct draft *draft, const char *name, bool *published);

void draft_discard(struct draft *draft);

#endif
