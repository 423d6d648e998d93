/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the queue of ticket-ring.  A process that signs up draws a ticket
 * from TAIL, writes WAIT(ticket) into W, and announces itself in the cell of
 * the ticket.  HEAD is the oldest ticket that may wait; HEAD = TAIL means that
 * no process waits.
 *
 * A ticket is finished if its cell names no process, or a process whose W no
 * longer says WAIT(ticket).  A finished ticket stays finished, so HEAD may pass
 * it.  A process that finds no announcement in the cell of the ticket HEAD
 * withdraws the ticket: it writes into the cell that the ticket has no process.
 * The process that has drawn the ticket then draws another one.
 *
 * A waiter is lost if the ring does not lead to it.  There are two causes:
 *
 *   - the ring is full, because waiters have given up behind a waiter that has
 *     not: a newcomer then moves HEAD on, over waiters;
 *   - DRAWS tickets of a newcomer were withdrawn: it waits as STRAY.
 *
 * In both cases the newcomer first adds a mark to LOST, and then draws a ticket
 * that no process announces.  While LOST has an open mark, the oldest waiter is
 * found by reading all W words, and HEAD does not reach TAIL.  A process that
 * has read all W words and found no lost waiter closes the marks.
 *
 * CLEAN is a ticket such that, as long as HEAD is older, each free slot has a
 * process that is about to hand it over.  A waiter with ticket t sets CLEAN to
 * t+1 after it has read all slots.  While HEAD <= t, HEAD is not TAIL, so each
 * process that frees a slot after that looks for a waiter.
 *
 * Invariant I6: from the end of p's doorway until p no longer waits, HEAD is
 * not TAIL; and p's ticket t is not older than HEAD and its cell names p, or
 * LOST has an open mark.
 */
#ifndef ATMOST_TICKET_RING_QUEUE_H
#define ATMOST_TICKET_RING_QUEUE_H

#include "ticket_ring_words.h"

/* How many tickets a newcomer draws before it waits as STRAY. */
enum { DRAWS = 3 };

/* The oldest waiter that a process has found, and its W word.  at_front says
 * that the walk has led to this waiter. */
struct waiter {
	unsigned id;
	bool at_front;
	uint64_t w;
};

/*
 * A walk over finished tickets.  `head` and `tail` are values of HEAD and TAIL,
 * and all tickets from head up to `at` are finished.  A walk that has not begun
 * is zero.  If it is fresh, HEAD need not be read before the next ticket.
 */
struct walk {
	uint64_t head, at, tail;
	uint64_t begun, fresh; /* whole words: no undefined padding */
};

/* Q1: all tickets before walk->at are finished.  Q1 fails if another process
 * has moved HEAD. */
static inline void move_HEAD(struct ring *m, const struct walk *walk)
{
Q1:	(void)mem_cas(&m->HEAD, walk->head, walk->at);
}

/*
 * Q2: reads all W words.  Finds the oldest waiter with a ticket older than
 * `tail`, a value that TAIL had before: for every such waiter, the function has
 * also seen all waiters that ended their doorways before the waiter began its
 * own.  Returns whether a waiter may be lost: it is STRAY, or its ticket is so
 * old that a process which had marked LOST before may move HEAD over it.
 */
static inline bool search(struct ring *m, const struct shape *shape,
			  uint64_t tail, struct waiter *oldest)
{
	bool lost = false;

	*oldest = (struct waiter){ .id = shape->n };
	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t w;

Q2:		w = mem_read(W_at(m, shape, p));
		if (!is_waiting(w) || after(ticket_of(w), tail) >= 0)
			continue;
		lost |= kind_of(w) == STRAY ||
			after(tail, ticket_of(w)) > cells_of(shape) / 2;
		if (oldest->id == shape->n ||
		    after(ticket_of(w), ticket_of(oldest->w)) < 0)
			*oldest = (struct waiter){ .id = p, .w = w };
	}
	return lost;
}

/*
 * LOST has an open mark; l is its value.  Returns true and the oldest waiter,
 * or closes the marks.  TAIL is read after LOST: a process that marked LOST had
 * drawn its ticket before, so it moves HEAD at most to the ticket that is half
 * a ring before this value of TAIL.
 */
static inline bool find_lost(struct ring *m, const struct shape *shape,
			     uint64_t l, struct waiter *oldest)
{
	uint64_t tail;

Q3:	tail = mem_read(&m->TAIL);
	if (search(m, shape, tail, oldest))
		return true;
	/* If Q4 fails, another process has added or closed a mark. */
Q4:	(void)mem_cas(&m->LOST, l, all_found(l));
	return false;
}

enum found {
	EMPTY,    /* HEAD is TAIL */
	AGAIN,    /* nothing found yet; the caller may try again */
	SEARCHED, /* the same, after reading all W words */
	FOUND     /* the oldest waiter */
};

/* The walk has come to TAIL.  HEAD must not reach TAIL while a waiter is lost,
 * so LOST is read after TAIL.  Afterwards HEAD and TAIL must be read again: a
 * waiter may have given up meanwhile, and have left its ticket to us. */
static inline enum found end_walk(struct ring *m, const struct shape *shape,
				  struct walk *walk, struct waiter *oldest)
{
	uint64_t l;

	if (walk->at == walk->head)
		return EMPTY;
Q5:	l = mem_read(&m->LOST);
	if (may_be_lost(l))
		return find_lost(m, shape, l, oldest) ? FOUND : SEARCHED;
	move_HEAD(m, walk);
	return AGAIN;
}

/* Reads HEAD, because another process may have come further, and TAIL if the
 * walk has come to its end.  Returns whether there is a ticket to look at. */
static inline bool go_on_walking(struct ring *m, struct walk *walk)
{
	if (!walk->fresh) {
F1:		walk->head = mem_read(&m->HEAD);
		if (!walk->begun || after(walk->head, walk->at) > 0)
			walk->at = walk->tail = walk->head;
	}
	walk->begun = true;
	walk->fresh = false;
	if (after(walk->tail, walk->at) <= 0)
F2:		walk->tail = mem_read(&m->TAIL);
	return after(walk->tail, walk->at) > 0;
}

/*
 * One step of the walk to the oldest waiter.
 *
 * F6 comes after F5: when F6 finds no open mark, every older waiter that has
 * ended its doorway would have a ticket that HEAD had passed at F1 or that the
 * walk has seen finished, so it would be lost.
 */
static inline enum found find(struct ring *m, const struct shape *shape,
			      struct walk *walk, struct waiter *oldest)
{
	uint64_t u, w = IDLE, l;
	bool ok;

	if (!go_on_walking(m, walk))
		return end_walk(m, shape, walk, oldest);
	/* A cell serves one ticket at a time, so do not walk around the ring
	 * before HEAD has moved. */
	if (after(walk->at, walk->head) >= cells_of(shape)) {
		move_HEAD(m, walk);
		return AGAIN;
	}
F3:	u = mem_read(cell_at(m, shape, walk->at));
	if (after(walk->at, ticket_of(u)) > 0) {
F4:		ok = mem_cas(cell_at(m, shape, walk->at), u,
			     nobodys_cell(walk->at));
		walk->at += ok;
		return AGAIN;
	}
	/* If the cell has a later ticket, HEAD has passed this one. */
	if (ticket_of(u) == (walk->at & TICKET) && named(u) < shape->n)
F5:		w = mem_read(W_at(m, shape, named(u)));
	if (w != wait_word(WAIT, walk->at)) {
		walk->at++;
		return AGAIN;
	}
F6:	l = mem_read(&m->LOST);
	if (may_be_lost(l))
		return find_lost(m, shape, l, oldest) ? FOUND : SEARCHED;
	*oldest = (struct waiter){ named(u), true, w };
	return FOUND;
}

/* The doorway of a process that signs up. */

enum { IN_RING, GRANTED, WITHDRAWN };

/* Marks LOST, and draws a ticket that no process announces.  A process that
 * moves HEAD to TAIL reads TAIL and then LOST.  So if its value of TAIL is
 * after this ticket, it sees the mark. */
static inline void mark_lost(struct ring *m)
{
J1:	(void)mem_add(&m->LOST, ONE_MARK);
J2:	(void)mem_add(&m->TAIL, 1);
}

/* The ring is full: ticket t is a whole ring after h, a value of HEAD.  Move
 * HEAD on, over waiters. */
static inline bool make_room(struct ring *m, const struct shape *shape,
			     uint64_t t)
{
	uint64_t h;
	bool ok;

J0:	h = mem_read(&m->HEAD);
	if (after(t, h) < cells_of(shape))
		return true;
	mark_lost(m);
J3:	ok = mem_cas(&m->HEAD, h, t - cells_of(shape) / 2);
	return ok;
}

/* Draws a ticket and announces it.  h is a value of HEAD.  *w is the W word of
 * the process, which the function changes. */
static inline int sign_up_once(struct ring *m, const struct process *self,
			       uint64_t h, uint64_t *w)
{
	const struct shape *shape = self->shape;
	uint64_t t, u, new, tail;
	bool ok;

D1:	t = mem_add(&m->TAIL, 1);
	new = wait_word(WAIT, t);
	/* A process that searches all W words may have granted a slot to the
	 * ticket that we drew before. */
D2:	ok = mem_cas(W_at(m, shape, self->id), *w, new);
	if (!ok)
		return GRANTED;
	*w = new;
	if (after(t, h) >= cells_of(shape) && !make_room(m, shape, t))
		return WITHDRAWN;
D3:	u = mem_read(cell_at(m, shape, t));
	if (after(t, ticket_of(u)) <= 0)
		return WITHDRAWN;
D4:	ok = mem_cas(cell_at(m, shape, t), u, cell_word(t, self->id));
	if (!ok)
		return WITHDRAWN;
	/* A process may have closed the marks before D2, and a newcomer that
	 * had marked LOST before may still be about to move HEAD.  That
	 * newcomer moves HEAD over tickets half a ring older than its own. */
D6:	tail = mem_read(&m->TAIL);
	return after(tail, t) <= cells_of(shape) / 2 ? IN_RING : WITHDRAWN;
}

/* Returns the W word that the process wrote. */
static inline uint64_t enter_queue(struct ring *m, const struct process *self,
				   uint64_t h)
{
	uint64_t w = IDLE, new;
	int result = WITHDRAWN;
	bool ok;

	for (unsigned i = 0; i < DRAWS && result == WITHDRAWN; i++)
		result = sign_up_once(m, self, h, &w);
	if (result != WITHDRAWN)
		return w;
	new = wait_word(STRAY, ticket_of(w));
D5:	ok = mem_cas(W_at(m, self->shape, self->id), w, new);
	if (!ok)
		return w;
	mark_lost(m);
	return new;
}

#endif
