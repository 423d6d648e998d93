/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is one instance of Figures 6.1 and 6.2: sessions 1 and 2 over an
 * abortable mutex A, whose words follow.
 *
 * active[s] has two digits in base n+1.  The low digit counts the requests for
 * s between lines 4 and 18.  The high digit counts the waiting requests for the
 * other session, between lines 11 and 16.  The last process of the other
 * session opens gate[s] for the waiters of s when it leaves.  A process that
 * comes with the other session closes gate[s] in its doorway.
 */
#ifndef ATMOST_TWO_SESSION_H
#define ATMOST_TWO_SESSION_H

#include "mutex_below.h"

struct gates {
	OWN_LINE struct word gate[2];
	OWN_LINE struct word active_1;
	OWN_LINE struct word active_2;
};

/* The values of a gate: CLOSED; OPEN; or the tag 2(p+1), which means that the
 * gate is closed, but process p may be about to open it. */
enum { CLOSED = 0, OPEN = 1 };

static inline uint64_t closed_by(unsigned p)
{
	return 2 * ((uint64_t)p + 1);
}

/* Says where the instance is in memory, and which session the process has in
 * this instance: 1 or 2. */
struct instance {
	struct gates *gates;
	unsigned my;
	unsigned own; /* index of the own words of A; the flags follow them */
};

enum { OWN_QUALIFIED, OWN_BLOCKED, OWN_FLAGS };

static inline struct word *gate_of(const struct instance *i, unsigned session)
{
	return &i->gates->gate[session - 1];
}

static inline struct word *active(const struct instance *i, unsigned session)
{
	return session == 1 ? &i->gates->active_1 : &i->gates->active_2;
}

static inline unsigned other(const struct instance *i)
{
	return 3 - i->my;
}

static inline size_t instance_words(const struct shape *shape)
{
	return WORDS(struct gates) + below_words(shape);
}

static inline unsigned instance_own_words(const struct shape *shape)
{
	return below_own_words(shape) + OWN_FLAGS;
}

static inline struct word *below(const struct instance *i)
{
	return (struct word *)(i->gates + 1);
}

static inline void instance_init(const struct instance *i,
				 const struct shape *shape, unsigned number)
{
	for (unsigned s = 1; s <= 2; s++) {
		mem_poke(gate_of(i, s), CLOSED);
		mem_poke(active(i, s), 0);
		mem_name(gate_of(i, s), "gate", number, s);
		mem_name(active(i, s), "active", number, s);
	}
	below_init(below(i), shape);
}

static inline bool instance_quiet(const struct instance *i,
				  const struct shape *shape)
{
	return mem_peek(active(i, 1)) == 0 && mem_peek(active(i, 2)) == 0 &&
	       below_quiet(below(i), shape);
}

static inline unsigned own_flag(const struct instance *i,
				const struct process *self, unsigned flag)
{
	return i->own + below_own_words(self->shape) + flag;
}

static inline void instance_doorway(const struct instance *i,
				    struct process *self)
{
	const uint64_t base = self->shape->n + 1;
	uint64_t gate, o;
	bool yes;

F6_1_3:	mem_add(active(i, i->my), 1);
F6_1_4:	gate = mem_read(gate_of(i, other(i)));
	if (gate != CLOSED)
F6_1_6:		(void)mem_cas(gate_of(i, other(i)), gate, CLOSED);
	/* A leaver may have opened the gate after line 4.  After line 8 no
	 * process opens the gate until our request is over. */
F6_1_8:	(void)mem_cas(gate_of(i, other(i)), OPEN, CLOSED);
	yes = below_doorway(below(i), self, i->own); /* 9 */
	mem_own_write(self, own_flag(i, self, OWN_QUALIFIED), yes);
F6_1_10: o = mem_add(active(i, other(i)), base);
	mem_own_write(self, own_flag(i, self, OWN_BLOCKED), o % base > 0);
}

static inline bool may_pass(const struct instance *i, struct process *self,
			    struct wait_set *wait)
{
	uint64_t gate;
	bool yes;

	if (!mem_own_read(self, own_flag(i, self, OWN_BLOCKED)))
		return true;
	yes = mem_own_read(self, own_flag(i, self, OWN_QUALIFIED)) ||
	      below_poll(below(i), self, i->own, wait);
	mem_own_write(self, own_flag(i, self, OWN_QUALIFIED), yes);
	if (yes)
		return true;
F6_2_2:	gate = mem_read(gate_of(i, i->my));
	if (gate == OPEN)
		return true;
	wait_for_change(wait, gate_of(i, i->my), gate);
	return false;
}

/* The process has qualified or gives up: it no longer waits. */
static inline void instance_wait_over(const struct instance *i,
				      struct process *self)
{
	const uint64_t base = self->shape->n + 1;

F6_1_16: mem_add(active(i, other(i)), -base);
	mem_own_write(self, own_flag(i, self, OWN_BLOCKED), false);
}

static inline bool instance_poll(const struct instance *i,
				 struct process *self, struct wait_set *wait)
{
	if (!may_pass(i, self, wait))
		return false;
	instance_wait_over(i, self);
	return true;
}

/* The last process of this session opens the gate for the other session, unless
 * a process of this session comes meanwhile. */
static inline void open_gate(const struct instance *i, struct process *self)
{
	const uint64_t base = self->shape->n + 1;
	uint64_t o;
	bool ok;

F6_1_20: mem_write(gate_of(i, other(i)), closed_by(self->id));
F6_1_21: o = mem_read(active(i, i->my));
	if (o % base != 0)
		return;
F6_1_22: ok = mem_cas(gate_of(i, other(i)), closed_by(self->id), OPEN);
	if (ok)
		mem_wake(gate_of(i, other(i)));
}

static inline void instance_leave(const struct instance *i,
				  struct process *self)
{
	const uint64_t base = self->shape->n + 1;
	uint64_t o;

F6_1_18: o = mem_add(active(i, i->my), (uint64_t)-1);
	if (o % base == 1 && o > base) /* 19 */
		open_gate(i, self);
	below_end(below(i), self, i->own, /* 25 */
		  mem_own_read(self, own_flag(i, self, OWN_QUALIFIED)));
}

/* The most steps outside A; mutex_below.h has the steps of A. */
enum { DOORWAY_STEPS = 5, LEAVE_STEPS = 4, SOLO_STEPS = 2 };

#endif
