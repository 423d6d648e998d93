/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-elastic-stingy: toy-elastic that grows by one slot too few.
 *
 * Refused by quiescence: when all processes are in their remainders, the limit
 * is not the k of the last resize.  Its other promises hold.
 */
#include "algorithm.h"
#include "elastic.h"

static void resize(void *shared, const struct shape *shape, unsigned k)
{
	struct elastic *e = shared;
	uint64_t state;

	(void)shape;
X5:	state = mem_read(&e->state);
	if (k > limit_of(state))
		k--;
X6:	mem_add(&e->state, (k - limit_of(state)) << LIMIT_AT);
	mem_wake(&e->state);
}

const struct algorithm toy_elastic_stingy = {
	.name = "toy-elastic-stingy",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE |
		    NO_LOST_WAKE | QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.finite_state = true, .tolerates_crashes = true, .retries = true,
	.limits = { .most_n = 8, .most_k = 8 },
	.words = words, .init = init, .quiet = quiet,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.recover = recover, .resize = resize,
};
