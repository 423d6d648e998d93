/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of processes to draw from: joining, parting and drawing take one step
 * each, however many there are. */
#ifndef ATMOST_CHECKER_CREW_H
#define ATMOST_CHECKER_CREW_H

#include <stdbool.h>
#include <stdlib.h>

struct crew {
	unsigned count;
	unsigned *member;
	unsigned *place; /* 1 + where in member each process is; 0: nowhere */
};

static inline bool crew_open(struct crew *c, unsigned n)
{
	c->count = 0;
	c->member = calloc(n, sizeof *c->member);
	c->place = calloc(n, sizeof *c->place);
	return c->member && c->place;
}

static inline void crew_close(struct crew *c)
{
	free(c->member);
	free(c->place);
}

static inline void crew_join(struct crew *c, unsigned p)
{
	if (c->place[p])
		return;
	c->member[c->count] = p;
	c->place[p] = ++c->count;
}

static inline void crew_part(struct crew *c, unsigned p)
{
	unsigned last;

	if (!c->place[p])
		return;
	last = c->member[--c->count];
	c->member[c->place[p] - 1] = last;
	c->place[last] = c->place[p];
	c->place[p] = 0;
}

#endif
