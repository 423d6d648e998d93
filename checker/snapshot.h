/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local state of one process, kept aside: its stack and own words as
 * bytes, and what its last pass had read.
 */
#ifndef ATMOST_CHECKER_SNAPSHOT_H
#define ATMOST_CHECKER_SNAPSHOT_H

#include "memory/simulated/simulated.h"

#include <string.h>

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

/* How much room snapshot_take may need for p. */
static inline size_t snapshot_room(unsigned p)
{
	const struct errand *e = &sim.errand[p];

	return sizeof(struct snapshot) + (size_t)(sim_state_end(p) - e->sp) +
	       e->watch_count * sizeof(struct watched);
}

static inline size_t snapshot_take(struct snapshot *s, unsigned p)
{
	const struct errand *e = &sim.errand[p];
	size_t watched = e->watch_count * sizeof(struct watched);

	s->sp = e->sp;
	s->step = e->step;
	s->bytes = (uint32_t)(sim_state_end(p) - e->sp);
	s->watch_count = e->watch_count;
	memcpy(snapshot_bytes(s), e->sp, s->bytes);
	if (watched)
		memcpy(snapshot_bytes(s) + s->bytes, e->watched, watched);
	return sizeof *s + s->bytes + watched;
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
