/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-elastic-patient: toy-elastic whose resizer waits until no process is
 * inside.
 *
 * Refused by no-starvation with a crash: the resizer waits for ever, although
 * no other process does.  Refused by no-lost-wake: no process wakes the resizer
 * when all processes have left.
 */
#include "algorithm.h"
#include "elastic.h"

static void resize(void *shared, const struct shape *shape, unsigned k)
{
	struct elastic *e = shared;
	uint64_t state;

	(void)shape;
X5:	await(state, &e->state, inside_of(state) == 0);
X6:	mem_add(&e->state, (k - limit_of(state)) << LIMIT_AT);
	mem_wake(&e->state);
}

const struct algorithm toy_elastic_patient = {
	.name = "toy-elastic-patient",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION | BOUNDED_LEAVE |
		    QUIESCENCE,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.finite_state = true, .tolerates_crashes = true, .retries = true,
	.limits = { .most_n = 8, .most_k = 8 },
	.words = words, .init = init, .quiet = quiet,
	.doorway = doorway, .poll = poll, .leave = leave, .abort = give_up,
	.recover = recover, .resize = resize,
};
