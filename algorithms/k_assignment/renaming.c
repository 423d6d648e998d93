/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * renaming: any k-exclusion, with a different slot in 0..k-1 for each process
 * inside.
 *
 * Idea      A process that has passed the k-exclusion tries the bits of the
 *           slots 0, 1, ..., k-2 in turn.  If it finds none of these bits free,
 *           it takes slot k-1.  At most k processes are inside, so no other
 *           process has slot k-1, and this slot needs no bit.
 * Source    Anderson and Moir, "Using k-exclusion to implement resilient,
 *           scalable shared objects", 1994, Figure 7, Theorems 9 and 10.
 * Shape     the shape of the component
 * Promises  the promises of the component except its invariant; unique-slots
 * Costs     the costs of the component, and k-1 words and k RMRs (none if
 *           k = 1)
 * Invariant Every slot below k-1 that a process holds has its bit set.
 */
#include "algorithm.h"

/* The words are the bits X[0..k-2], then the words of the component. */
struct bit {
	OWN_LINE struct word X;
};

/* Returns the number of bits.  If k > n, n-1 bits are enough, because at most n
 * processes are inside. */
static unsigned bits(const struct shape *shape)
{
	return (shape->k < shape->n ? shape->k : shape->n) - 1;
}

static size_t component_at(const struct shape *shape)
{
	return bits(shape) * WORDS(struct bit);
}

static void *below(void *shared, const struct shape *shape)
{
	struct bit *bit = shared;

	return &bit[bits(shape)];
}

static size_t words(const struct shape *shape)
{
	return component_at(shape) + shape->component->words(shape);
}

static void init(void *shared, const struct shape *shape)
{
	struct bit *bit = shared;

	for (unsigned i = 0; i < bits(shape); i++) {
		mem_poke(&bit[i].X, 0);
		mem_name(&bit[i].X, "bit", i);
	}
	shape->component->init(below(shared, shape), shape);
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct bit *bit = shared;

	for (unsigned i = 0; i < bits(shape); i++)
		if (mem_peek(&bit[i].X) != 0)
			return false;
	return !shape->component->quiet ||
	       shape->component->quiet(below(shared, shape), shape);
}

static int take_name(void *shared, struct process *self)
{
	struct bit *bit = shared;
	unsigned name = 0;
	bool taken;

	while (name < bits(self->shape)) {
F7_2:		taken = mem_tas(&bit[name].X);
		if (!taken)
			break;
		name++;
	}
	self->slot = (int)name;
	return self->slot;
}

static int enter(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	shape->component->enter(below(shared, shape), self); /* 1 */
	return take_name(shared, self);
}

static bool doorway(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	if (!shape->component->doorway(below(shared, shape), self))
		return false;
	take_name(shared, self);
	return true;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	const struct shape *shape = self->shape;

	if (!shape->component->poll(below(shared, shape), self, wait))
		return false;
	take_name(shared, self);
	return true;
}

/* A process gives its slot back before it leaves the component, because the
 * next process that passes the component must find a free slot. */
static void leave(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	struct bit *bit = shared;
	unsigned name = (unsigned)self->slot;

	self->slot = 0;
	if (name < bits(shape))
F7_4:		mem_write(&bit[name].X, 0);
	shape->component->leave(below(shared, shape), self); /* 5 */
}

/* A waiter holds no slot yet, so there is no bit to clear. */
static void abort_waiting(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;

	shape->component->abort(below(shared, shape), self);
}

static unsigned leave_steps(const struct shape *shape)
{
	return shape->component->bounds.leave_steps(shape) + 1;
}

static unsigned solo_steps(const struct shape *shape)
{
	return shape->component->bounds.solo_steps(shape) + bits(shape);
}

static uint64_t remote(const struct shape *shape)
{
	return bits(shape) ? bits(shape) + 1 : 0;
}

static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	return shape->component->bounds.rmr_cc.most(shape, contention) +
	       remote(shape);
}

static uint64_t rmr_cc_smart(const struct shape *shape, unsigned contention)
{
	return shape->component->bounds.rmr_cc_smart.most(shape, contention) +
	       remote(shape);
}

static uint64_t rmr_dsm(const struct shape *shape, unsigned contention)
{
	return shape->component->bounds.rmr_dsm.most(shape, contention) +
	       remote(shape);
}

static bool fits(const struct algorithm *component)
{
	return component->kind == KIND_K_EXCLUSION;
}

static const char ADDED[] = "k for the slot";

static void compose(struct algorithm *whole)
{
	const struct algorithm *x = whole->composition.component;

	whole->promises = (x->promises & ~(unsigned)INVARIANT) | UNIQUE_SLOTS;
	whole->primitives |= x->primitives;
	whole->simulated_only = x->simulated_only;
	whole->finite_state = x->finite_state;
	whole->tolerates_crashes = x->tolerates_crashes;
	whole->retries = x->retries;
	whole->limits.least_n = x->limits.least_n;
	whole->limits.most_n = x->limits.most_n;
	whole->limits.least_k = x->limits.least_k;
	whole->limits.most_k = x->limits.most_k;
	whole->own_words = x->own_words;
	whole->own_persistent = x->own_persistent;
	whole->enter = x->enter ? enter : NULL;
	whole->doorway = x->doorway ? doorway : NULL;
	whole->poll = x->poll ? poll : NULL;
	whole->abort = x->abort ? abort_waiting : NULL;
	whole->bounds.doorway_steps = x->bounds.doorway_steps;
	whole->bounds.abort_steps = x->bounds.abort_steps;
	whole->bounds.leave_steps = x->bounds.leave_steps ? leave_steps : NULL;
	whole->bounds.solo_steps = x->bounds.solo_steps ? solo_steps : NULL;
	/* If the component has no bound, the sum has none either. */
	if (x->bounds.rmr_cc.most)
		whole->bounds.rmr_cc = (struct rmr_bound){ rmr_cc, ADDED };
	if (x->bounds.rmr_cc_smart.most)
		whole->bounds.rmr_cc_smart =
			(struct rmr_bound){ rmr_cc_smart, ADDED };
	if (x->bounds.rmr_dsm.most)
		whole->bounds.rmr_dsm = (struct rmr_bound){ rmr_dsm, ADDED };
}

const struct algorithm renaming = {
	.name = "renaming",
	.source = "Anderson and Moir 1994, Figure 7",
	.kind = KIND_K_ASSIGNMENT,
	.primitives = USES_READ_WRITE | USES_TAS,
	.words = words, .init = init, .quiet = quiet, .leave = leave,
	.composition = {
		.default_component = "am-fast-path", .fits = fits,
		.compose = compose, .at = component_at,
	},
};
