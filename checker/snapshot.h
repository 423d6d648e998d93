/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local state of one process, kept aside: its stack and own words as
 * bytes, and what its last pass had read.
 */
#ifndef ATMOST_CHECKER_SNAPSHOT_H
#define ATMOST_CHECKER_SNAPSHOT_H

#include "checker/hash.h"
#include "memory/simulated/simulated.h"

struct snapshot {
	char *sp;
	struct step *step;
	uint32_t bytes, watch_count;
	/* then the bytes, then the watched words */
};

static inline char *snapshot_bytes(struct snapshot *s)
{
	return (char *)(s + 1);
}

/* How much room snapshot_take needs for p as it is now. */
static inline size_t snapshot_room(unsigned p)
{
	const struct errand *e = &sim.errand[p];

	return sizeof(struct snapshot) + (size_t)(sim_state_end(p) - e->sp) +
	       e->watch_count * sizeof(struct watched);
}

/* Keep p's state, and return its hash: both read the same bytes. */
static inline uint64_t snapshot_take(struct snapshot *s, unsigned p)
{
	const struct errand *e = &sim.errand[p];
	uint64_t hash;

	s->sp = e->sp;
	s->step = e->step;
	s->bytes = (uint32_t)(sim_state_end(p) - e->sp);
	s->watch_count = e->watch_count;
	hash = hash_copy(snapshot_bytes(s), e->sp, s->bytes, p);
	if (e->watch_count)
		memcpy(snapshot_bytes(s) + s->bytes, e->watched,
		       e->watch_count * sizeof(struct watched));
	/* Where nobody naps, what a sleeper compares with decides. */
	if (sim.wakes_are_steps)
		for (uint32_t i = 0; i < e->watch_count; i++)
			hash += hash_word(hash_key(e->watched[i].word),
					  e->watched[i].value + p);
	return hash;
}

static inline void snapshot_put(struct snapshot *s, unsigned p)
{
	struct errand *e = &sim.errand[p];

	if (e->sp < e->low)
		e->low = e->sp;
	e->sp = s->sp;
	e->step = s->step;
	e->watch_count = s->watch_count;
	if (e->low < e->sp)
		sim_clean(p);
	memcpy(e->sp, snapshot_bytes(s), s->bytes);
	if (s->watch_count)
		memcpy(e->watched, snapshot_bytes(s) + s->bytes,
		       s->watch_count * sizeof(struct watched));
}

#endif
