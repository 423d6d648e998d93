/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This is the doorway that Figures 4.1 and 4.4 have in common: lines 3 to 11.
 */
#ifndef ATMOST_DOORWAY_4_1_H
#define ATMOST_DOORWAY_4_1_H

#include "reduction.h"

static bool doorway(void *shared, struct process *self)
{
	const struct shape *shape = self->shape;
	uint64_t s;

F4_1_3:	mem_write(told(shared, self->id), self->session);
	A_doorway(shared, self); /* 4 */
	for (unsigned j = 0; j < shape->n; j++) {
		if (j == self->id)
			continue;
F4_1_7:		mem_write(barricade(shared, shape, self->id, j), true);
F4_1_8:		s = mem_read(told(shared, j));
		if (s != 0 && s != self->session)
			add_conflict(self, j);
	}
	doorway_ends(self);
	return is_conflict_free(self);
}

static unsigned doorway_steps(const struct shape *shape)
{
	return 1 + below_doorway_steps(shape) + 2 * (shape->n - 1);
}

#endif
