/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is Figure 2 of Danek, "The k-Bakery", PODC 2010, with its labels; abort
 * and the reset of a dead process's row are ours.
 *
 * The including file defines the constant SHADED, which says whether the
 * algorithm has the shaded lines 17, 22 and 23.  With these lines a process
 * that enters writes its ticket once more for every other process to read: this
 * is a capture.  A waiter that reads a capture with a larger ticket than its
 * own has been overtaken and follows at once.
 */
#ifndef ATMOST_K_BAKERY_FIGURE_H
#define ATMOST_K_BAKERY_FIGURE_H

#include "k_bakery_predecessors.h"

static const uint64_t INFINITE = UINT64_MAX; /* does not compete */

/*
 * The words, in this order:
 *
 *	Ticket[p]      the ticket of p, which never decreases
 *	Want[p][q]     the ticket of p, for q to read; INFINITE if p does not
 *	               compete
 *	Capture[p][q]  only with the shaded lines: the ticket with which p last
 *	               entered, for q to read
 */
enum { TICKET }; /* the number of the only counter */

struct note {
	OWN_LINE struct word ticket;
};

/* Own words: the ticket, which persists, then the predecessors. */
enum { OWN_TICKET, OWN_PREDECESSORS };

static inline unsigned bakery_own_persistent(const struct shape *shape)
{
	(void)shape;
	return OWN_PREDECESSORS;
}

static inline unsigned bakery_own_words(const struct shape *shape)
{
	return OWN_PREDECESSORS + predecessor_words(shape);
}

static inline size_t bakery_words(const struct shape *shape)
{
	size_t rows = 1 + (SHADED ? 2 : 1) * (size_t)shape->n;

	return shape->n * rows * WORDS(struct note);
}

static inline struct word *ticket_of(void *shared, unsigned p)
{
	struct note *note = shared;

	return &note[p].ticket;
}

static inline struct word *want(void *shared, const struct shape *shape,
				unsigned p, unsigned q)
{
	struct note *note = shared;

	return &note[shape->n + p * shape->n + q].ticket;
}

static inline struct word *capture(void *shared, const struct shape *shape,
				   unsigned p, unsigned q)
{
	return want(shared, shape, shape->n + p, q);
}

static inline void bakery_init(void *shared, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++) {
		mem_poke(ticket_of(shared, p), mem_first(TICKET));
		mem_place(ticket_of(shared, p), p);
		mem_name(ticket_of(shared, p), "Ticket", p);
		for (unsigned q = 0; q < shape->n; q++) {
			mem_poke(want(shared, shape, p, q), INFINITE);
			mem_place(want(shared, shape, p, q), q);
			mem_name(want(shared, shape, p, q), "Want", p, q);
			if (!SHADED)
				continue;
			mem_poke(capture(shared, shape, p, q), 0);
			mem_place(capture(shared, shape, p, q), q);
			mem_name(capture(shared, shape, p, q), "Capture", p, q);
		}
	}
}

static inline bool bakery_quiet(void *shared, const struct shape *shape)
{
	for (unsigned p = 0; p < shape->n; p++)
		for (unsigned q = 0; q < shape->n; q++)
			if (mem_peek(want(shared, shape, p, q)) != INFINITE)
				return false;
	return true;
}

/*
 * Returns one more than the largest of all tickets and of our own last ticket.
 */
static inline uint64_t choose(void *shared, struct process *self)
{
	uint64_t most = mem_own_read(self, OWN_TICKET);

	for (unsigned i = 0; i < self->shape->n; i++) {
		uint64_t v;

		if (i == self->id)
			continue;
L15a:		v = mem_read(ticket_of(shared, i));
		most = v > most ? v : most;
	}
	return most + 1;
}

/*
 * Only with the shaded lines: returns whether a process has entered with a
 * larger ticket than ours.
 */
static inline bool is_captured(void *shared, struct process *self,
			       struct wait_set *wait)
{
	const struct shape *shape = self->shape;
	bool captured = false; /* 17 */

	for (unsigned i = 0; i < shape->n; i++) {
		uint64_t c;

		if (i == self->id)
			continue;
L22:		c = mem_read(capture(shared, shape, i, self->id));
		if (mem_own_read(self, OWN_TICKET) < c)
			captured = true;
		else
			wait_for_change(wait,
					capture(shared, shape, i, self->id), c);
	}
	return captured;
}

/* Only with the shaded lines: tells our ticket to all processes, so that
 * processes with smaller tickets can follow us. */
static inline void capture_all(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	for (unsigned i = 0; i < shape->n; i++) {
		if (i == self->id)
			continue;
L23:		mem_write(capture(shared, shape, self->id, i),
			  mem_own_read(self, OWN_TICKET));
		mem_wake(capture(shared, shape, self->id, i));
	}
}

static inline bool bakery_doorway(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	/* Line 14 announces the ticket of our last passage, because it is a
	 * lower bound for our next ticket. */
	for (unsigned i = 0; i < shape->n; i++)
		if (i != self->id)
L14:			mem_write(want(shared, shape, self->id, i),
				  mem_own_read(self, OWN_TICKET));
	mem_own_write(self, OWN_TICKET, choose(shared, self));
L15b:	mem_write(ticket_of(shared, self->id), mem_own_read(self, OWN_TICKET));
	doorway_ends(self);

	for (unsigned i = 0; i < shape->n; i++) {
		if (i == self->id)
			continue;
L16:		mem_write(want(shared, shape, self->id, i),
			  mem_own_read(self, OWN_TICKET));
		/* Want rises from the lower bound to the ticket, which may
		 * release a waiter with a smaller ticket. */
		mem_wake(want(shared, shape, self->id, i));
	}
	everybody_precedes(self, OWN_PREDECESSORS); /* 18 */
	/* If k >= n, no process ever waits, and line 23 has nothing to tell. */
	return predecessors(self, OWN_PREDECESSORS) < shape->k;
}

/* Makes one round of the loop at line 19; the round that returns true goes on
 * to line 23. */
static inline bool bakery_poll(void *shared, struct process *self,
			       struct wait_set *wait)
{
	const struct shape *shape = self->shape;
	bool captured;

	for (unsigned i = 0; i < shape->n; i++) {
		uint64_t w;

		if (!is_predecessor(self, OWN_PREDECESSORS, i))
			continue;
L21:		w = mem_read(want(shared, shape, i, self->id));
		if (before(mem_own_read(self, OWN_TICKET), self->id, w, i))
			drop_predecessor(self, OWN_PREDECESSORS, i);
		else
			wait_for_change(wait, want(shared, shape, i, self->id),
					w);
	}
	captured = SHADED && is_captured(shared, self, wait);
	if (predecessors(self, OWN_PREDECESSORS) >= shape->k && !captured)
		return false;
	if (SHADED)
		capture_all(shared, self);
	return true;
}

/* Serves both for leaving and for giving up: the process no longer competes.  A
 * recoverer calls this function for a dead process. */
static inline void bakery_leave(void *shared, struct process *self)
{
	for (unsigned i = 0; i < self->shape->n; i++) {
		if (i == self->id)
			continue;
L25:		mem_write(want(shared, self->shape, self->id, i), INFINITE);
		mem_wake(want(shared, self->shape, self->id, i));
	}
}

/*
 * The ticket of a dead process is an own word and stays.  The next member with
 * this id starts from this ticket, so its tickets are no smaller than the
 * tickets that other processes have seen.  The captures of the dead process
 * stay too, because that process was allowed to enter when it wrote them.
 */
static inline void bakery_recover(void *shared, struct process *victim)
{
	bakery_leave(shared, victim);
}

static inline unsigned bakery_doorway_steps(const struct shape *shape)
{
	return 2 * (shape->n - 1) + 1;
}

static inline unsigned bakery_leave_steps(const struct shape *shape)
{
	return shape->n - 1;
}

/* Counts the steps of line 16, of the rest of a pass that began before the
 * process ran alone, of a whole pass, and of line 23. */
static inline unsigned bakery_solo_steps(const struct shape *shape)
{
	return (SHADED ? 6 : 3) * shape->n;
}

/*
 * The order of two tickets matters, and whether one is the successor of the
 * other.  The ticket of a process in its remainder may be arbitrarily far
 * behind.
 */
static inline bool bakery_counter(const struct shape *shape, unsigned number,
				  struct counter *ticket)
{
	(void)shape;
	*ticket = (struct counter){ .gap = 2 };
	return number == TICKET;
}

#endif
