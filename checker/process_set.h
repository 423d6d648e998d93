/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Implements a set of simulated processes.  Adding a process, removing a
 * process and reading the i-th entry take constant time.
 */
#ifndef ATMOST_CHECKER_PROCESS_SET_H
#define ATMOST_CHECKER_PROCESS_SET_H

#include <stdbool.h>
#include <stdlib.h>

struct process_set {
	unsigned count;
	unsigned *member;   /* the first `count` entries are the set */
	unsigned *position; /* position[p]: 1 + index of p in member, or 0 */
};

/*
 * Returns false if there is no memory; even then the caller must call
 * process_set_close.
 */
static inline bool process_set_open(struct process_set *s, unsigned n)
{
	s->count = 0;
	s->member = calloc(n, sizeof *s->member);
	s->position = calloc(n, sizeof *s->position);
	return s->member && s->position;
}

static inline void process_set_close(struct process_set *s)
{
	free(s->member);
	free(s->position);
}

static inline bool process_set_has(const struct process_set *s, unsigned p)
{
	return s->position[p] != 0;
}

static inline void process_set_add(struct process_set *s, unsigned p)
{
	if (process_set_has(s, p))
		return;
	s->member[s->count] = p;
	s->position[p] = ++s->count;
}

static inline void process_set_remove(struct process_set *s, unsigned p)
{
	unsigned last;

	if (!process_set_has(s, p))
		return;
	last = s->member[--s->count];
	s->member[s->position[p] - 1] = last;
	s->position[last] = s->position[p];
	s->position[p] = 0;
}

#endif
