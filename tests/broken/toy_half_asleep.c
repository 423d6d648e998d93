/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-half-asleep: process 0 enters if it reads that process 1 is not inside,
 * and makes one more read before it enters.  Process 1 enters after a nap.
 *
 * Refused by at-most-k: the nap may end between the two reads of process 0.
 */
#include "algorithm.h"

static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_name((struct word *)shared, "inside");
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct word *inside = shared;
	uint64_t v;

	if (self->id == 1 && wait_slept(wait)) {
H1:		mem_write(inside, 1);
		return true;
	}
H2:	v = mem_read(inside);
	if (self->id == 0 && v == 0) {
H3:		(void)mem_read(inside);
		return true;
	}
	wait_for_change(wait, inside, v);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct word *inside = shared;

	if (self->id == 1) {
H4:		mem_write(inside, 0);
		mem_wake(inside);
	}
}

const struct algorithm toy_half_asleep = {
	.name = "toy-half-asleep",
	.source = "toy",
	.kind = KIND_MUTUAL_EXCLUSION,
	.promises = NO_DEADLOCK | NO_STARVATION,
	.primitives = USES_READ_WRITE,
	.limits = { .most_n = 2, .most_k = 1 },
	.retries = true,
	.naps = true,
	.words = words, .init = init,
	.doorway = doorway, .poll = poll, .leave = leave,
};
