/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * two-session: group exclusion for two sessions over an abortable mutex A; its
 * cost outside A is constant in CC with a smart cache.
 *
 * Idea      All waiters of a session wait at one gate.  When the last process
 *           of the other session leaves, it opens the gate for all of them at
 *           once.
 * Source    Danek, "Local-spin group mutual exclusion algorithms", thesis,
 *           2004, Figures 6.1 and 6.2.
 * Shape     any n, sessions 1 and 2, no limit k
 * Promises  session-exclusion; fcfs; concurrent-entering; concurrent-occupancy;
 *           no-starvation; bounded-doorway; bounded-leave; exit-termination;
 *           bounded-abort; no-lost-wake; prompt-wake; quiescence
 * Costs     4 words and the words of A; CC, outside A and if no process gives
 *           up, 20 RMRs with a smart cache, otherwise 6(n-1)+11; DSM unbounded:
 *           waits on the gate
 * Invariant active[s] has two digits in base n+1: the number of requests for s
 *           between lines 4 and 18, and the number of requests for the other
 *           session between lines 11 and 16.
 */
#include "algorithm.h"
#include "two_session.h"

static struct instance the_instance(void *shared, const struct process *self)
{
	return (struct instance){ shared, (unsigned)self->session, 0 };
}

static size_t words(const struct shape *shape)
{
	return instance_words(shape);
}

static size_t component_at(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct gates);
}

static void init(void *shared, const struct shape *shape)
{
	struct instance i = { shared, 1, 0 };

	instance_init(&i, shape, 0);
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct instance i = { shared, 1, 0 };

	return instance_quiet(&i, shape);
}

static bool doorway(void *shared, struct process *self)
{
	struct instance i = the_instance(shared, self);

	instance_doorway(&i, self);
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct instance i = the_instance(shared, self);

	return instance_poll(&i, self, wait);
}

static void leave(void *shared, struct process *self)
{
	struct instance i = the_instance(shared, self);

	instance_leave(&i, self);
}

static void give_up(void *shared, struct process *self)
{
	struct instance i = the_instance(shared, self);

	instance_wait_over(&i, self);
	instance_leave(&i, self);
}

static unsigned doorway_steps(const struct shape *shape)
{
	return DOORWAY_STEPS + below_doorway_steps(shape);
}

static unsigned leave_steps(const struct shape *shape)
{
	return LEAVE_STEPS + below_end_steps(shape);
}

static unsigned abort_steps(const struct shape *shape)
{
	return leave_steps(shape) + 1;
}

static unsigned solo_steps(const struct shape *shape)
{
	return SOLO_STEPS + below_solo_steps(shape);
}

/* A passage takes ten steps, the first read of the gate, and at most nine
 * further reads of the gate, because other processes write the gate at most
 * nine times while the process waits.  This is Theorem 6.14, which assumes that
 * a failed compare-and-swap invalidates nothing. */
static uint64_t outside_cc_smart(const struct shape *shape, unsigned contention)
{
	(void)shape;
	(void)contention;
	return 20;
}

static uint64_t rmr_cc_smart(const struct shape *shape, unsigned contention)
{
	return outside_cc_smart(shape, contention) +
	       below_rmr_cc_smart(shape);
}

/*
 * A passage takes ten steps, the first read of the gate, and one further read
 * for each write and each compare-and-swap, even a failed one, at the gate
 * while the process waits.  These are lines 6, 8, 20 and 22 of a process of the
 * other session.  Each other process can complete one passage meanwhile, and
 * then make lines 6 and 8 of its next passage, in which it waits (fcfs).
 */
static uint64_t outside_cc(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 6 * (uint64_t)(shape->n - 1) + 11;
}

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	return outside_cc(shape, contention) + below_rmr_cc(shape);
}

const struct algorithm two_session = {
	.name = "two-session",
	.source = "Danek 2004, Figures 6.1 and 6.2",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | FCFS | CONCURRENT_ENTERING |
		    CONCURRENT_OCCUPANCY | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_DOORWAY | BOUNDED_LEAVE | EXIT_TERMINATION |
		    BOUNDED_ABORT | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.finite_state = true,
	.limits = { .most_sessions = 2 },
	.words = words, .own_words = instance_own_words,
	.own_persistent = below_persistent, .init = init, .quiet = quiet,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.abort_steps = abort_steps, .solo_steps = solo_steps,
		.rmr_cc = { rmr_cc, "6(n-1)+11 outside the component" },
		.rmr_cc_smart = { rmr_cc_smart, "20 outside the component" },
		.rmr_dsm = { NULL, "unbounded: waits on gate" },
	},
	.composition = {
		.default_component = "bakery-mutex", .fits = below_fits,
		.compose = below_compose, .at = component_at,
		.outside_cc = { outside_cc, "6(n-1)+11" },
		.outside_cc_smart = { outside_cc_smart, "20" },
	},
};
