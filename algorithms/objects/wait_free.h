/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This header makes a wait-free object, which applies any function f to a state
 * and an operation as if at one instant.  A process uses the object under a
 * name: a small number that no other process holds at the same time.
 *
 * A process announces its operation in one of the two entries of its name, and
 * flips the toggle of its name.  Then it makes at most two attempts.  In each
 * attempt it copies the published record, which has the state and all results,
 * and the pending operations.  If another record was published meanwhile, the
 * attempt fails.  Otherwise the process applies the operations to its copy,
 * writes the copy into a record, and tries to publish that record.  Each name
 * has two records, and the process uses the one that is not published.  If both
 * attempts fail, the operation has been applied nevertheless: the process that
 * made the second attempt fail began its own attempt after our toggle was
 * flipped, and applied our operation too.
 *
 * The caller must ensure that at most one process at a time, a recoverer of the
 * dead holder included, acts under a name, and that everything that one holder
 * did happens before everything that the next holder does.  A call keeps
 * nothing in private memory for the next call.  So a name can pass to another
 * process between any two calls, and a recoverer needs nothing from the dead
 * process.
 *
 * The labels L1 to L14 belong to apply, R1 to R3 to recover, and V1 to V3 to
 * read.  The functions return false if the words are damaged.
 *
 * All accesses are sequentially consistent, except that the writes of an
 * announcement (L2 to L4) and of a record that is being made (L11) are release
 * writes:
 *
 *	publisher            writer                 copier
 *	P1  moves current    W1  reads that (L6)    C1  reads a word (L7, L9)
 *	                     W2  writes words       C2  current moved? (L10, V3)
 *
 * W1 comes before W2.  A process writes into a record only after it has read at
 * L6 that another record is published.  It writes into an entry only after it
 * has read at L6 a `current` whose record includes the last operation of that
 * entry.  In both cases a copier that still needs the old words has read
 * `current` before P1.  W2 releases and C1 acquires.  So a copier that reads at
 * C1 a word that W2 wrote sees P1 at C2 and drops its copy.  tests/litmus:
 * copied; also tests/litmus/wait_free.c.
 *
 * If a process reads at L8 a toggle that was flipped at L5, it reads at L9 the
 * announcement that was written before the flip.  If a process reads at L6 a
 * `current` that was published at L12, it reads at L7 the words of the
 * published record.  tests/litmus: announced, published.  Two attempts are
 * enough because L5, L6, L8 and L12 are sequentially consistent; they must stay
 * so.
 */
#ifndef ATMOST_WAIT_FREE_H
#define ATMOST_WAIT_FREE_H

#include "wait_free_words.h"

static inline bool is_pending(const struct object *o, unsigned name)
{
	return bit_of(seen_of(o), name) !=
	       bit_of(mine_of(o) + applied_from(o), name);
}

/* The copy may be torn, because processes may write these words after L6; L10
 * detects this. */
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

/*
 * Applies the pending operations to the copy in private memory, without a step.
 */
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

/* Only the process that acts under the name publishes the records of the name.
 * So the record that is not published at L6 stays unpublished until L12. */
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

/* Returns true if the operation of `name` is published; mine_of(o) then holds
 * its results. */
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

/* Ensure that the operation of `name` has taken effect, and get its results. */
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
	/* Another process may even rewrite this record while we read it: every
	 * record that was begun after our operation was published contains the
	 * results of our operation. */
	record = record_of(o, index_of(l)) + result_from(o, name);
	for (unsigned r = 0; r < o->results; r++)
L14:		result[r] = mem_read(record + r);
	return true;
}

/* tag must not be 0 and must never have been used before.  operation must not
 * be 0. */
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
 * The holder of the name is certainly dead, and the caller now holds the name.
 * Afterwards the last operation that was announced under the name, and for
 * which the toggle was flipped, has taken effect.  *tag gets the tag of that
 * operation, or 0 if there never was one, and `result` gets its results.  The
 * call may be interrupted and repeated.
 *
 * If `withdraw` is set, the operation takes effect or is made void.  The first
 * result of a void operation is WITHDRAWN.  If several holders are dead, the
 * operations of all of them must be withdrawn (R1w) before any recoverer goes
 * on to R2, because R3 applies every pending operation.  This function does not
 * ensure that: one call executes R1w, R2 and R3 for one name.
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

/* Tries once to read the words first to first+count-1 of the state as they were
 * at one instant.  The caller needs no name.  Sets *again if an operation
 * disturbed the read. */
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

/* The next functions return the largest number of own steps of perform, of
 * apply (L1 to L14) and of recover (R1 to R3). */

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
