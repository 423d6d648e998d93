/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-registry: the registry of tree-mutex without the mutex.  A process is
 * inside while it is registered, so all processes can be inside at the same
 * time.
 *
 * Not broken: invariant and quiescence hold.  It has far fewer states than
 * tree-mutex.
 */
#include "algorithm.h"
#include "abortable/registry_tree.h"

struct counted_registry {
	OWN_LINE struct word next;
	struct line registry[];
};

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return 1; /* the token */
}

static size_t words(const struct shape *shape)
{
	return WORDS(struct counted_registry) + registry_words(shape);
}

static void init(void *shared, const struct shape *shape)
{
	struct counted_registry *c = shared;

	mem_name(&c->next, "next");
	registry_init(c->registry, shape);
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct counted_registry *c = shared;

	return registry_quiet(c->registry, shape);
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct counted_registry *c = shared;

	return registry_invariant(c->registry, shape, all);
}

static int enter(void *shared, struct process *self)
{
	struct counted_registry *c = shared;
	uint64_t token;

G1:	token = mem_add(&c->next, 1);
	mem_own_write(self, 0, token);
	registry_add(c->registry, self, token);
	doorway_ends(self);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct counted_registry *c = shared;

	registry_remove(c->registry, self, mem_own_read(self, 0));
}

const struct algorithm toy_registry = {
	.name = "toy-registry",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.words = words, .own_words = own_words, .init = init, .quiet = quiet,
	.invariant = invariant, .enter = enter, .leave = leave,
	.bounds = { .leave_steps = registry_steps },
};
