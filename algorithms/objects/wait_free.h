/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A wait-free object for the holders of names: any function f of a state and an
 * operation, applied as if at one instant.
 *
 * A process announces its operation and turns the toggle of its name.  Then it
 * makes two attempts: it copies the published record and the pending
 * operations; if no other record was published meanwhile, it applies them all
 * to the copy, writes the copy into the one of its two records that is not
 * published, and publishes that record.  A process that fails twice is done:
 * the process that published the second time began after our toggle and has
 * applied our operation too.
 *
 * Required of the caller: at most one process acts under a name, a recoverer of
 * the dead holder included, and everything that the last holder did happens
 * before everything that the next one does.  Nothing private survives a call;
 * so a name may change hands between any two calls, and a recoverer needs
 * nothing from the dead process.
 *
 * Labels L1 to L14: apply; R1 to R3: recover; V1 to V3: read.  The functions
 * return false if the words are damaged.
 *
 * All accesses are sequentially consistent except the writes of the words of a
 * record that is being made and of an announcement (L2 to L4, L11).  These are
 * release:
 *
 *	publisher            writer                   copier
 *	P1  current moves    W1  reads that (L6)      C1  reads a word (L7, L9)
 *	                     W2  writes words         C2  current moved? (L10, V3)
 *
 * W1 is before W2: no process writes into a record, or into an entry, that it
 * has not seen to be old.  W2 releases and C1 acquires; so a copier that read
 * such a word at C1 sees P1 at C2 and drops its copy.  tests/litmus/wait_free.c
 * is this figure.  Two attempts are enough because L5, L6, L8 and L12 are
 * sequentially consistent: these must stay so.
 */
#ifndef ATMOST_WAIT_FREE_H
#define ATMOST_WAIT_FREE_H

#include "wait_free_words.h"

static inline bool is_pending(const struct object *o, unsigned name)
{
	return bit_of(seen_of(o), name) !=
	       bit_of(mine_of(o) + applied_from(o), name);
}

/* Everything since L6 may be torn: L10 decides. */
static inline void copy_published(const struct object *o, uint64_t l)
{
	struct word *record = record_of(o, index_of(l));
	uint64_t *mine = mine_of(o), *seen = seen_of(o);
	unsigned W = width(o), T = toggle_words(o);

	for (unsigned w = 0; w < W; w++)
L7:		mine[w] = mem_read(record + w);
	for (unsigned j = 0; j < T; j++)
L8:		seen[j] = mem_read(toggles_of(o, 64 * j));
}

static inline void copy_pending(const struct object *o)
{
	unsigned A = o->arguments;

	for (unsigned q = 0; q < o->names; q++) {
		struct word *entry = announce_of(o, q, bit_of(seen_of(o), q));
		uint64_t *task = task_of(o, q);

		if (!is_pending(o, q))
			continue;
		for (unsigned a = 0; a < 1 + A; a++)
L9:			task[a] = mem_read(entry + 1 + a);
	}
}

static inline void do_one(const struct object *o, const uint64_t *task,
			  uint64_t *result)
{
	if (task[0] == 0) {
		for (unsigned r = 0; r < o->results; r++)
			result[r] = WITHDRAWN;
		return;
	}
	o->f(o->context, mine_of(o), task[0], task + 1, result);
	if (result[0] == WITHDRAWN)
		result[0] = WITHDRAWN - 1;
}

/* Private memory: no step. */
static inline void do_pending(const struct object *o)
{
	uint64_t *mine = mine_of(o), *seen = seen_of(o);

	for (unsigned q = 0; q < o->names; q++)
		if (is_pending(o, q))
			do_one(o, task_of(o, q), mine + result_from(o, q));
	for (unsigned j = 0; j < toggle_words(o); j++)
		mine[applied_from(o) + j] = seen[j];
	mem_dead(task_of(o, 0), o->names * (1 + o->arguments));
	mem_dead(seen, toggle_words(o));
}

/* Only the process that acts under the name publishes the name's records; so
 * the record that is not published at L6 stays unpublished until L12. */
static inline bool publish(const struct object *o, unsigned name, uint64_t l)
{
	unsigned to = index_of(l) == 2 * name ? 2 * name + 1 : 2 * name;
	struct word *record = record_of(o, to);
	const uint64_t *mine = mine_of(o);
	unsigned W = width(o);
	bool ok;

	for (unsigned w = 0; w < W; w++)
L11:		mem_write_release(record + w, mine[w]);
L12:	ok = mem_cas(current_of(o), l, next_current(l, to));
	return ok;
}

/* True: mine holds the results of name, and its operation is published. */
static inline bool attempt(const struct object *o, unsigned name, uint64_t l)
{
	uint64_t again;

	copy_published(o, l);
	copy_pending(o);
L10:	again = mem_read(current_of(o));
	if (again != l)
		return false;
	if (!is_pending(o, name))
		return true;
	do_pending(o);
	return publish(o, name, l);
}

static inline void hand_out(const struct object *o, unsigned name,
			    uint64_t *result)
{
	for (unsigned r = 0; r < o->results; r++)
		result[r] = mine_of(o)[result_from(o, name) + r];
}

/* Make the operation of name take effect unless it has; return its results. */
static inline bool perform(const struct object *o, unsigned name,
			   uint64_t *result)
{
	struct word *record;
	uint64_t l;
	bool ok;

	for (unsigned tries = 0; tries < 2; tries++) {
L6:		l = mem_read(current_of(o));
		if (is_damaged(o, l))
			return false;
		ok = attempt(o, name, l);
		if (ok)
			hand_out(o, name, result);
		mem_dead(o->own, wait_free_own(o));
		if (ok)
			return true;
	}
L13:	l = mem_read(current_of(o));
	if (is_damaged(o, l))
		return false;
	/* Any record will do, also one that is being made again: every record
	 * begun after our operation was published has its results. */
	record = record_of(o, index_of(l)) + result_from(o, name);
	for (unsigned r = 0; r < o->results; r++)
L14:		result[r] = mem_read(record + r);
	return true;
}

/* tag: not 0 and never used before.  operation: not 0. */
static inline void announce(const struct object *o, unsigned name,
			    uint64_t tag, uint64_t operation,
			    const uint64_t *argument)
{
	uint64_t bit = UINT64_C(1) << name % 64, t;
	struct word *entry;

L1:	t = mem_read(toggles_of(o, name));
	entry = announce_of(o, name, (t & bit) == 0);
L2:	mem_write_release(entry, tag);
L3:	mem_write_release(entry + 1, operation);
	for (unsigned a = 0; a < o->arguments; a++)
L4:		mem_write_release(entry + 2 + a, argument[a]);
L5:	mem_add(toggles_of(o, name), t & bit ? 0 - bit : bit);
}

static inline bool wait_free_apply(const struct object *o, unsigned name,
				   uint64_t tag, uint64_t operation,
				   const uint64_t *argument, uint64_t *result)
{
	announce(o, name, tag, operation, argument);
	return perform(o, name, result);
}

/*
 * The holder of name is certainly dead, and the caller now holds the name.
 * Afterwards the last operation announced under the name has taken effect;
 * returns its tag, or 0 if there never was one, and its results.  May be
 * interrupted and repeated.  withdraw: the operation takes effect or is made
 * void, and then its first result is WITHDRAWN; if several holders are dead,
 * withdraw for all of them before the first R2.
 */
static inline bool wait_free_recover(const struct object *o, unsigned name,
				     bool withdraw, uint64_t *tag,
				     uint64_t *result)
{
	struct word *entry;
	uint64_t t;

R1:	t = mem_read(toggles_of(o, name));
	entry = announce_of(o, name, t >> name % 64 & 1);
	if (withdraw)
R1w:		mem_write(entry + 1, 0);
R2:	*tag = mem_read(entry);
	return perform(o, name, result); /* R3 */
}

/* One try to read words first to first+count-1 of the state as they were at one
 * instant.  Needs no name.  *again: an operation disturbed the read. */
static inline bool wait_free_read(const struct object *o, unsigned first,
				  unsigned count, uint64_t *state, bool *again)
{
	uint64_t l, now;

V1:	l = mem_read(current_of(o));
	if (is_damaged(o, l))
		return false;
	for (unsigned w = 0; w < count; w++)
V2:		state[w] = mem_read(record_of(o, index_of(l)) + first + w);
V3:	now = mem_read(current_of(o));
	*again = now != l;
	return true;
}

/* Most own steps: L1 to L14; R1 to R3. */

static inline unsigned perform_steps(const struct object *o)
{
	return 2 * (3 + 2 * width(o) + toggle_words(o) +
		    o->names * (1 + o->arguments)) +
	       1 + o->results;
}

static inline unsigned wait_free_apply_steps(const struct object *o)
{
	return 4 + o->arguments + perform_steps(o);
}

static inline unsigned wait_free_recover_steps(const struct object *o)
{
	return 2 + perform_steps(o);
}

#endif
