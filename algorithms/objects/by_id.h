/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a wait-free object whose names are the ids of its n processes.  The own
 * words are the number of operations that this id has begun, and then the own
 * words of the construction.
 */
#ifndef ATMOST_BY_ID_H
#define ATMOST_BY_ID_H

#include "sequential.h"

enum { OWN_COUNT, OWN_PERSISTENT };

static struct object by_id(void *shared, const struct shape *shape,
			   uint64_t *own)
{
	return object_of(shape->n, shared, own);
}

static size_t words(const struct shape *shape)
{
	struct object o = by_id(NULL, shape, NULL);

	return wait_free_words(&o);
}

static unsigned own_words(const struct shape *shape)
{
	struct object o = by_id(NULL, shape, NULL);

	return OWN_PERSISTENT + wait_free_own(&o);
}

static unsigned own_persistent(const struct shape *shape)
{
	(void)shape;
	return OWN_PERSISTENT;
}

static void init(void *shared, const struct shape *shape)
{
	struct object o = by_id(shared, shape, NULL);

	wait_free_init(&o);
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct object o = by_id(shared, shape, NULL);

	return wait_free_quiet(&o);
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct object o = by_id(shared, shape, NULL);

	(void)all;
	return is_sound(&o);
}

static uint64_t apply(void *shared, struct process *self)
{
	struct object o = by_id(shared, self->shape,
				self->own + OWN_PERSISTENT);
	uint64_t count = mem_own_read(self, OWN_COUNT) + 1;

	mem_own_write(self, OWN_COUNT, count);
	return apply_tagged(&o, self->id, self, tag_of(self->id, count));
}

static bool finish(void *shared, struct process *victim)
{
	struct object o = by_id(shared, victim->shape,
				victim->own + OWN_PERSISTENT);
	uint64_t count = mem_own_read(victim, OWN_COUNT);

	return finish_tagged(&o, victim->id, victim, tag_of(victim->id, count));
}

/* There is nothing to give back: the id keeps its name. */
static void recover(void *shared, struct process *victim)
{
	(void)shared;
	(void)victim;
}

static unsigned apply_steps(const struct shape *shape)
{
	struct object o = by_id(NULL, shape, NULL);

	return wait_free_apply_steps(&o);
}

static unsigned finish_steps(const struct shape *shape)
{
	struct object o = by_id(NULL, shape, NULL);

	return wait_free_recover_steps(&o);
}

#endif
