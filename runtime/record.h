/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a member's record says of it to others.
 */
#ifndef ATMOST_RUNTIME_RECORD_H
#define ATMOST_RUNTIME_RECORD_H

#include "runtime/identity.h"
#include "runtime/layout.h"

static inline unsigned record_phase(struct record *r)
{
	return mem_read(&r->turn) & TURN_PHASE;
}

static inline bool record_is_joined(struct record *r)
{
	return mem_read(&r->state) & STATE_JOINED;
}

/* What a state says of the member: a number that no earlier one had. */
static inline uint64_t record_badge(uint64_t state)
{
	return (state & ~STATE_FLAGS) >> 1;
}

/* Texts of 31 bytes and a zero, in four words. */
void record_write_text(struct word words[4], const char *text);
void record_read_text(struct word words[4], char text[32]);

void record_write_identity(struct identity_words *words,
			   const struct identity *identity);
struct identity record_read_identity(struct identity_words *words);

/* Notes that the member is seen where its turn says, unless it was noted; and
 * what was noted last, in units of 2^20 ns. */
void record_stamp(struct record *r, uint64_t turn);
void record_stamp_now(struct record *r, uint64_t turn);
uint64_t record_since(struct record *r);

#endif
