/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * anderson-array: a queue of n places in an array, which processes draw by
 * fetch-and-add.
 *
 * Idea      A process draws the next place and waits until this place has the
 *           lock.  It takes the lock from the place; when it leaves, it gives
 *           the lock to the next place.  The array is a ring.
 * Source    T. Anderson, "The performance of spin lock alternatives for
 *           shared-memory multiprocessors", IEEE TPDS 1(1), 1990, as given by
 *           Mellor-Crummey and Scott, 1991; line A2 is their correction of the
 *           counter; labels ours
 * Shape     k = 1, n >= 1
 * Promises  at-most-k; fcfs; no-starvation; no-wait-below-k; bounded-doorway;
 *           bounded-leave; exit-termination; no-lost-wake; prompt-wake;
 *           quiescence; invariant
 * Costs     n + 1 words; CC 6 RMRs for any n and in every cache; DSM unbounded:
 *           a process waits at a place that belongs to no process
 * Invariant At most one place has the lock; while a process is inside, no place
 *           has it.  At most n processes have drawn a number and not left yet,
 *           so no two of them have the same place.  1 <= `next` <= 2n.
 */
#include "algorithm.h"

struct anderson_array {
	OWN_LINE struct word next; /* the number that the next arrival draws */
	struct place {
		OWN_LINE struct word lock; /* 1: this place has the lock */
	} place[];
};

/* The only own word is the place of this passage. */
enum { OWN_PLACE, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static size_t words(const struct shape *shape)
{
	return WORDS(struct anderson_array) + shape->n * WORDS(struct place);
}

/* `next` starts at n.  If it started at 0, the first process would subtract n
 * from 1 at A2.  Then `next` would wrap around, and `number % n` would be
 * wrong. */
static void init(void *shared, const struct shape *shape)
{
	struct anderson_array *a = shared;

	mem_poke(&a->next, shape->n);
	mem_name(&a->next, "next");
	for (unsigned i = 0; i < shape->n; i++) {
		mem_poke(&a->place[i].lock, i == 0);
		mem_name(&a->place[i].lock, "lock", i);
	}
}

static unsigned places_with_lock(struct anderson_array *a,
				 const struct shape *shape)
{
	unsigned count = 0;

	for (unsigned i = 0; i < shape->n; i++)
		count += mem_peek(&a->place[i].lock) != 0;
	return count;
}

/* Only the place that the next arrival will draw has the lock. */
static bool quiet(void *shared, const struct shape *shape)
{
	struct anderson_array *a = shared;

	return places_with_lock(a, shape) == 1 &&
	       mem_peek(&a->place[mem_peek(&a->next) % shape->n].lock) != 0;
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct anderson_array *a = shared;
	uint64_t next = mem_peek(&a->next);
	unsigned inside = 0;

	for (unsigned i = 0; i < shape->n; i++)
		inside += all[i].phase == PHASE_INSIDE;
	return places_with_lock(a, shape) + inside <= 1 && next >= 1 &&
	       next <= 2 * (uint64_t)shape->n;
}

static int enter(void *shared, struct process *self)
{
	struct anderson_array *a = shared;
	uint64_t n = self->shape->n, number, lock;

A1:	number = mem_add(&a->next, 1);
	doorway_ends(self);
	mem_own_write(self, OWN_PLACE, number % n);
	if (number % n == 0)
A2:		mem_add(&a->next, -n);
	number %= n;
A3:	await(lock, &a->place[number].lock, lock != 0);
	/* We take the lock from our place before we leave: the process that
	 * draws this place next must not find our lock there. */
A4:	mem_write(&a->place[number].lock, 0);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct anderson_array *a = shared;
	uint64_t place = mem_own_read(self, OWN_PLACE);
	struct word *after = &a->place[(place + 1) % self->shape->n].lock;

A5:	mem_write(after, 1);
	mem_wake(after);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

/* The remote steps are A1, A2, two reads at A3, A4 and A5. */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	(void)shape;
	(void)contention;
	return 6;
}

const struct algorithm anderson_array = {
	.name = "anderson-array",
	.source = "T. Anderson 1990 (Mellor-Crummey and Scott 1991)",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE |
		    INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD,
	.finite_state = true,
	.limits = { .least_n = 1, .least_k = 1, .most_k = 1 },
	.words = words, .own_words = own_words, .init = init, .quiet = quiet,
	.invariant = invariant,
	.enter = enter, .leave = leave,
	.bounds = {
		.doorway_steps = one_step, .leave_steps = one_step,
		.rmr_cc = { rmr_cc, "6" },
		.rmr_dsm = { NULL, "unbounded: waits at a place that belongs "
				   "to no process" },
	},
};
