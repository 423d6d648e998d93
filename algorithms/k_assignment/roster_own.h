/* SPDX-License-Identifier: BSD-2-Clause */
/* What a member of roster keeps for itself. */
#ifndef ATMOST_ROSTER_OWN_H
#define ATMOST_ROSTER_OWN_H

#include "roster_words.h"

/*
 * Own words: the number of the last registration, of which two bits are told.
 * Of this passage: what we wrote into W, 0 on the short way; how far the scan
 * is; and the void reservation it has met.  They are zeroed when they are done
 * with: what is kept tells states apart, and who leaves need not forget.
 *
 * Private memory, which need not be doubted: `hint` is the slot last held,
 * `seat` its word, and `keep` what the short way writes there.
 */
enum {
	OWN_SEQ,
	OWN_PERSISTENT,
	OWN_WAIT = OWN_PERSISTENT, OWN_SCANNED, OWN_VOID,
	OWN_WORDS
};

static inline unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static inline unsigned own_persistent(const struct shape *shape)
{
	(void)shape;
	return OWN_PERSISTENT;
}

/* The slot i + j, j < slots, around. */
static inline unsigned around(const struct process *self, unsigned i,
			      unsigned j)
{
	i += j;
	return i < slots(self->shape) ? i : i - slots(self->shape);
}

/* How far the scan is: own words are not trusted, either. */
static inline unsigned scanned_by(const struct process *self)
{
	uint64_t scanned = mem_own_read(self, OWN_SCANNED);

	return scanned < slots(self->shape) ? (unsigned)scanned
					    : slots(self->shape);
}

static inline uint64_t fast_word(const struct process *self)
{
	return slot_word(FAST, self->id, self->badge);
}

/* Next time it is tried first, so that each keeps its own. */
static inline void hold(struct roster *m, struct process *self, unsigned i)
{
	self->slot = (int)i;
	self->hint = i;
	self->seat = slot_at(m, i);
	self->keep = fast_word(self);
}

#endif
