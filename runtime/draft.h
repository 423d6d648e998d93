/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A draft is a file without its final name: a file gets its name only when its
 * contents are complete, so that no process ever opens a half-made pool.
 *
 * The process that makes a file, its maker, locks the draft.  If the file
 * system has no files without a name, the draft has a temporary name.  The next
 * maker removes such drafts if they are not locked: usually their makers were
 * killed.  A living maker that had not locked its draft yet starts again.
 */
#ifndef ATMOST_RUNTIME_DRAFT_H
#define ATMOST_RUNTIME_DRAFT_H

#include "runtime/segment.h"

struct draft {
	struct segment segment; /* its `look` is the file's descriptor */
	int directory;
	char temporary[64]; /* the temporary name; "": the file has no name */
};

/* Makes and maps a file of `size` zeros. */
int draft_begin(struct draft *draft, size_t size);

/*
 * Gives the complete file its name.  Sets *published to false if another file
 * has that name, or if another maker has removed the draft.  In each case the
 * call ends the draft; if the file was published, the caller owns
 * draft->segment.
 */
int draft_publish(struct draft *draft, const char *name, bool *published);

/* Like draft_publish, but replaces an older file of that name.  The caller
 * holds LOCK_REMOVE of the older file and has called segment_is_named. */
int draft_replace(struct draft *draft, const char *name, bool *published);

void draft_discard(struct draft *draft);

#endif
