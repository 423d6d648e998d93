/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How roster hands over a slot: two compare-and-swaps, first the slot from FREE
 * or void to RES(q,t), then W[q] from WAIT(t) to GRANT.  In between everybody
 * can see what is meant and finish it.
 *
 * A slot with the closing mark becomes CLOSED instead of being handed over; who
 * gives or takes away marks settles all slots afterwards.
 */
#ifndef ATMOST_ROSTER_SETTLE_H
#define ATMOST_ROSTER_SETTLE_H

#include "roster_tree.h"

/* Who settles: one that waits, one that leaves, one that does it for the dead
 * and for those that resize. */
enum mode { SCAN, LEAVE, RECOVER };

/* Instead of what is known of a slot's word: there is nothing left to do. */
static const uint64_t SETTLED = UINT64_MAX;

/* T8: q has been granted a slot.  Without the refresh ROOT would stay stale. */
static inline uint64_t tell(struct roster *m, const struct process *self,
			    unsigned q)
{
	if (q != self->id)
		mem_wake(W_at(m, self->shape, q));
	propagate(m, self->shape, q);
	return SETTLED;
}

/* T3 of x, RES in slot i: what is left is void, and without a mark. */
static inline uint64_t examine(struct roster *m, const struct process *self,
			       enum mode mode, unsigned i, uint64_t x)
{
	struct word *W = W_at(m, self->shape, id_of(x));
	uint64_t w;
	bool ok;

	while (id_of(x) < self->shape->n) {
T3:		w = mem_read(W);
		if (is_taken(x, i, w)) {
			/* Who granted it may have died before its T8. */
			if (mode == RECOVER)
				mem_wake(W);
			return SETTLED;
		}
		if (!is_pending(x, w))
			break;
T7:		ok = mem_cas(W, w, granted(w, i));
		if (ok)
			return tell(m, self, id_of(x));
	}
	if (!(x & MARK))
		return x;
	/* If it fails the mark is gone: see who took it. */
T3C:	(void)mem_cas(slot_at(m, i), x, CLOSED);
	return SETTLED;
}

/* T4C: x is void, and nobody waits or we do not care who. */
static inline void release(struct roster *m, unsigned i, uint64_t x)
{
	bool ok;

T4C:	ok = mem_cas(slot_at(m, i), x, FREE);
	if (ok)
		return;
	/* Marked meanwhile, or no longer ours to release. */
T4D:	(void)mem_cas(slot_at(m, i), x | MARK, CLOSED);
}

/* ROOT is stale; it is on everybody's path. */
static inline uint64_t purge(struct roster *m, const struct shape *shape,
			     unsigned q, uint64_t x)
{
	propagate(m, shape, q < shape->n ? q : 0);
	return x;
}

/* Slot i is x no more.  If x was void, it may just have been marked. */
static inline uint64_t lost(struct roster *m, unsigned i, uint64_t x)
{
	bool ok = false;

	if (x != FREE)
T6D:		ok = mem_cas(slot_at(m, i), x | MARK, CLOSED);
	return ok ? SETTLED : FREE;
}

/*
 * From T5 on: slot i, FREE or void as x says, to whom ROOT named in r.  Returns
 * SETTLED, or what is known of the slot: FREE, that is nothing, or a void x.
 */
static inline uint64_t offer(struct roster *m, const struct process *self,
			     enum mode mode, unsigned i, uint64_t x,
			     uint64_t r)
{
	const struct shape *shape = self->shape;
	unsigned q = named(r);
	uint64_t w = IDLE, again, reserved;
	bool ok;

	if (q < shape->n)
T5:		w = mem_read(W_at(m, shape, q));
	if (!is_fresh(r, q, w))
		return purge(m, shape, q, x);
	/* Otherwise w may be of a later registration than r. */
T5B:	again = mem_read(&m->ROOT);
	if ((again ^ r) & ENTRY)
		return x;
	reserved = slot_word(RES, q, token_of(w));
T6:	ok = mem_cas(slot_at(m, i), x, reserved);
	if (!ok)
		return lost(m, i, x);
T7:	ok = mem_cas(W_at(m, shape, q), w, granted(w, i));
	return ok ? tell(m, self, q) : examine(m, self, mode, i, reserved);
}

/* One round: slot i to the oldest that waits, if it can be had.  x as above. */
static inline uint64_t settle_once(struct roster *m, const struct process *self,
				   enum mode mode, unsigned i, uint64_t x)
{
	uint64_t r;

	if (x == FREE) {
T1:		x = mem_read(slot_at(m, i));
		if (kind_of(x) == FAST || kind_of(x) == CLOSED)
			return SETTLED;
		if (kind_of(x) == RES) {
			x = examine(m, self, mode, i, x);
			/* Who waits looks at its own word before it goes on. */
			if (x == SETTLED || mode == SCAN)
				return x;
		}
	}
T4:	r = mem_read(&m->ROOT);
	if (!is_empty(r))
		return offer(m, self, mode, i, x, r);
	if (x != FREE)
		release(m, i, x);
	return SETTLED;
}

static inline void settle_all(struct roster *m, const struct process *self)
{
	for (unsigned i = 0; i < slots(self->shape); i++) {
		uint64_t x = FREE;

		while (x != SETTLED)
			x = settle_once(m, self, RECOVER, i, x);
	}
}

#endif
