/* SPDX-License-Identifier: BSD-2-Clause */
/* Offers the wait-free object as a construction for other algorithms: see
 * construction.h. */
#ifndef ATMOST_WAIT_FREE_CONSTRUCTION_H
#define ATMOST_WAIT_FREE_CONSTRUCTION_H

#include "wait_free.h"

/* Completes the operation of the dead process and never withdraws it. */
static bool recover_last(const struct object *o, unsigned name, uint64_t *tag,
			 uint64_t *result)
{
	return wait_free_recover(o, name, false, tag, result);
}

/*
 * Reads the word in the record that `current` names.  Another process may
 * rewrite this record meanwhile, but it copies the same value into the word,
 * because only the caller changes this word of the state.  So one read is
 * enough, as in L14.
 */
static uint64_t read_settled(const struct object *o, unsigned at)
{
	uint64_t l, word;

L13s:	l = mem_read(current_of(o));
	if (is_damaged(o, l))
		return 0;
L14s:	word = mem_read(record_of(o, index_of(l)) + at);
	return word;
}

/*
 * This function is for observers; the comment of mem_peek explains its memory
 * order.  If no process publishes a record between the two reads of `current`,
 * the word is from the published record.  The loop must end even while other
 * processes keep publishing records.  In that case the word may be outdated, or
 * from a record that is still being written.
 */
static bool peek_at(const struct object *o, unsigned at, uint64_t *word)
{
	uint64_t l;

	for (unsigned tries = 0; tries < 64; tries++) {
		l = mem_peek(current_of(o));
		if (is_damaged(o, l))
			return false;
		*word = mem_peek(record_of(o, index_of(l)) + at);
		if (mem_peek(current_of(o)) == l)
			break;
	}
	return true;
}

static unsigned read_steps(const struct object *o, unsigned count)
{
	(void)o;
	return count + 2;
}

static const struct construction wait_free_construction = {
	.most_names = MOST_NAMES,
	.words = wait_free_words, .extent = wait_free_extent,
	.own = wait_free_own, .init = wait_free_init,
	.first = first_state, .apply = wait_free_apply,
	.recover = recover_last, .read = wait_free_read,
	.settled = read_settled, .peek = peek_at, .quiet = wait_free_quiet,
	.apply_steps = wait_free_apply_steps, .read_steps = read_steps,
	.settled_steps = 2,
};

#endif
