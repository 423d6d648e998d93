/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-elastic-once: toy-elastic whose resizer changes k in a single step, which
 * assumes that k still has its initial value.
 *
 * If k is changed only once, all its promises hold.  If k grows and then
 * shrinks, at-most-k and quiescence refuse this toy.
 */
#include "algorithm.h"
#include "elastic.h"

static void resize(void *shared, const struct shape *shape, unsigned k)
{
	struct elastic *e = shared;

X5:	mem_add(&e->state, ((uint64_t)k - shape->k) << LIMIT_AT);
	mem_wake(&e->state);
}

const struct algorithm toy_elastic_once = {
	.name = "toy-elastic-once",
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
