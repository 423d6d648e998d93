/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-versions: as toy-barging, with a version in the lock's word that grows
 * for ever.
 *
 * Refused by no-starvation, but only with unbounded passages: with a bound, the
 * process that takes the lock again and again runs out of passages.
 */
#include "algorithm.h"

enum { VERSION }; /* the number of the only counter */

struct versions {
	struct word lock; /* a version, and whether the lock is taken */
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct versions);
}

static void init(void *shared, const struct shape *shape)
{
	struct versions *v = shared;

	(void)shape;
	mem_poke(&v->lock, mem_first(VERSION) << 1);
	mem_name(&v->lock, "lock");
}

static int enter(void *shared, struct process *self)
{
	struct versions *v = shared;
	uint64_t lock;
	bool ok;

	(void)self;
	do {
V1:		await(lock, &v->lock, !(lock & 1));
V2:		ok = mem_cas(&v->lock, lock, lock + 1);
	} while (!ok);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct versions *v = shared;

	(void)self;
V3:	(void)mem_add(&v->lock, 1);
	mem_wake(&v->lock);
}

/* A process only compares versions for equality. */
static bool counter(const struct shape *shape, unsigned number,
		    struct counter *version)
{
	(void)shape;
	*version = (struct counter){ .gap = 1, .shift = { 1 } };
	return number == VERSION;
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm toy_versions = {
	.name = "toy-versions",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | BOUNDED_LEAVE | NO_LOST_WAKE,
	.primitives = USES_ADD | USES_CAS,
	.counter = counter, .retries = true,
	.limits = { .most_k = 1 },
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .leave_steps = one_step },
};
