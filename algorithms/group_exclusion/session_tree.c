/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session-tree: group exclusion for m sessions, as a tree of two-session
 * instances.
 *
 * Idea      Each node divides its sessions into two halves.  Two sessions of
 *           different halves conflict at this node; two sessions of the same
 *           half conflict at a node further down.
 * Source    Danek, "Local-spin group mutual exclusion algorithms", thesis,
 *           2004, Figure 6.3.
 * Shape     any n, sessions 1..m, no limit k
 * Promises  session-exclusion; concurrent-entering; concurrent-occupancy;
 *           no-starvation; bounded-leave; exit-termination; bounded-abort;
 *           no-lost-wake; prompt-wake; quiescence
 * Costs     m-1 instances of two-session, each with an A of its own; CC with a
 *           smart cache 20 ceil(log2 m) RMRs outside the mutexes, if no process
 *           gives up; otherwise ceil(log2 m) times as much as in two-session;
 *           DSM unbounded: waits on a gate
 * Invariant All processes that have passed a node ask for sessions of the same
 *           half of that node.
 */
#include "algorithm.h"
#include "two_session.h"

/* Nodes are numbered in preorder, from the root.  The path of a session leads
 * from its lowest node to the root; level 0 is the level of its lowest node. */
struct stop {
	unsigned node, session; /* `session` is the half at this node: 1 or 2 */
};

/* Sets *stop to the node on the path of this session that is `depth` nodes
 * below the root; returns false if there is no such node. */
static bool stop_from_root(const struct shape *shape, uint64_t session,
			   unsigned depth, struct stop *stop)
{
	unsigned sessions = shape->sessions;

	*stop = (struct stop){ 0, 0 };
	for (; sessions > 1; depth--) {
		unsigned half = sessions / 2;
		bool is_left = session <= half;

		if (depth == 0) {
			stop->session = is_left ? 1 : 2;
			return true;
		}
		stop->node += is_left ? 1 : half;
		sessions = is_left ? half : sessions - half;
		session -= is_left ? 0 : half;
	}
	return false;
}

static unsigned levels(const struct shape *shape, uint64_t session)
{
	struct stop stop;
	unsigned count = 0;

	while (stop_from_root(shape, session, count, &stop))
		count++;
	return count;
}

static unsigned most_levels(const struct shape *shape)
{
	return levels(shape, shape->sessions); /* the larger half is last */
}

/*
 * Own words: first the own words of each node, then the level that the process
 * has reached.  All own words of the nodes count as persistent, because some
 * own words of A may persist; forget() clears the others.
 */
static unsigned own_persistent(const struct shape *shape)
{
	return (shape->sessions - 1) * instance_own_words(shape);
}

static unsigned own_words(const struct shape *shape)
{
	return own_persistent(shape) + 1;
}

/* Checks the value that it reads, because own words are in shared memory. */
static unsigned level_reached(struct process *self)
{
	uint64_t level = mem_own_read(self, own_persistent(self->shape));

	return level < levels(self->shape, self->session) ? (unsigned)level : 0;
}

static void reach_level(struct process *self, unsigned level)
{
	mem_own_write(self, own_persistent(self->shape), level);
}

static struct instance node_instance(void *shared, const struct shape *shape,
				     struct stop stop)
{
	struct word *words = shared;

	words += stop.node * instance_words(shape);
	return (struct instance){ (struct gates *)words, stop.session,
				  stop.node * instance_own_words(shape) };
}

static struct instance at_level(void *shared, const struct process *self,
				unsigned level)
{
	const struct shape *shape = self->shape;
	struct stop stop;

	stop_from_root(shape, self->session,
		       levels(shape, self->session) - 1 - level, &stop);
	return node_instance(shared, shape, stop);
}

static size_t words(const struct shape *shape)
{
	/* The product must not wrap.  No memory has SIZE_MAX words. */
	if (instance_words(shape) > SIZE_MAX / shape->sessions)
		return SIZE_MAX;
	return (shape->sessions - 1) * instance_words(shape);
}

/* In each node A comes after the gates. */
static size_t component_at(const struct shape *shape)
{
	return shape->sessions > 1 ? WORDS(struct gates) : 0;
}

static void init(void *shared, const struct shape *shape)
{
	for (unsigned i = 0; i + 1 < shape->sessions; i++) {
		struct instance node = node_instance(
			shared, shape, (struct stop){ i, 1 });

		instance_init(&node, shape, i);
	}
}

static bool quiet(void *shared, const struct shape *shape)
{
	for (unsigned i = 0; i + 1 < shape->sessions; i++) {
		struct instance node = node_instance(
			shared, shape, (struct stop){ i, 1 });

		if (!instance_quiet(&node, shape))
			return false;
	}
	return true;
}

static bool doorway(void *shared, struct process *self)
{
	struct instance node;

	if (self->shape->sessions == 1)
		return true;
	node = at_level(shared, self, 0);
	instance_doorway(&node, self);
	return false;
}

/* The process passes one level after the other.  When it has passed a level, it
 * goes through the doorway of the next level. */
static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	unsigned level = level_reached(self);
	struct instance node = at_level(shared, self, level);

	while (instance_poll(&node, self, wait)) {
		level++;
		if (level == levels(self->shape, self->session))
			return true;
		reach_level(self, level);
		node = at_level(shared, self, level);
		instance_doorway(&node, self);
	}
	return false;
}

/* Clear the own words of the node that do not persist. */
static void forget(const struct instance *node, struct process *self)
{
	for (unsigned i = below_persistent(self->shape);
	     i < instance_own_words(self->shape); i++)
		mem_own_write(self, node->own + i, 0);
}

/* Leave the nodes from the root down. */
static void leave_from(void *shared, struct process *self, unsigned level)
{
	for (level++; level-- > 0;) {
		struct instance node = at_level(shared, self, level);

		instance_leave(&node, self);
		forget(&node, self);
	}
}

static void leave(void *shared, struct process *self)
{
	if (self->shape->sessions > 1)
		leave_from(shared, self, level_reached(self));
}

static void give_up(void *shared, struct process *self)
{
	struct instance node = at_level(shared, self, level_reached(self));

	instance_wait_over(&node, self);
	leave_from(shared, self, level_reached(self));
}

static unsigned leave_steps(const struct shape *shape)
{
	return most_levels(shape) * (LEAVE_STEPS + below_end_steps(shape));
}

static unsigned abort_steps(const struct shape *shape)
{
	return leave_steps(shape) + 1;
}

static unsigned solo_steps(const struct shape *shape)
{
	return most_levels(shape) *
	       (DOORWAY_STEPS + below_doorway_steps(shape) + SOLO_STEPS +
		below_solo_steps(shape));
}

/* At each node a process makes one request of two-session, which costs at most
 * 20 outside A with a smart cache (two_session.c). */
static uint64_t outside_cc_smart(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 20 * (uint64_t)most_levels(shape);
}

static uint64_t rmr_cc_smart(const struct shape *shape, unsigned contention)
{
	return outside_cc_smart(shape, contention) +
	       most_levels(shape) * below_rmr_cc_smart(shape);
}

const struct algorithm session_tree = {
	.name = "session-tree",
	.source = "Danek 2004, Figure 6.3",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | CONCURRENT_ENTERING |
		    CONCURRENT_OCCUPANCY | NO_DEADLOCK | NO_STARVATION |
		    BOUNDED_LEAVE | EXIT_TERMINATION | BOUNDED_ABORT |
		    NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.finite_state = true,
	.retries = true,
	.limits = { .least_sessions = 1 },
	.words = words, .own_words = own_words,
	.own_persistent = own_persistent, .init = init, .quiet = quiet,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.bounds = {
		.leave_steps = leave_steps, .abort_steps = abort_steps,
		.solo_steps = solo_steps,
		.rmr_cc = { NULL, "O(log m) times two-session" },
		.rmr_cc_smart = { rmr_cc_smart, "20 ceil(log2 m) outside the "
						"components" },
		.rmr_dsm = { NULL, "unbounded: waits on gate" },
	},
	.composition = {
		.default_component = "bakery-mutex", .fits = below_fits,
		.compose = below_compose, .at = component_at,
		.every = instance_words,
		.outside_cc_smart = { outside_cc_smart, "20 ceil(log2 m)" },
	},
};
