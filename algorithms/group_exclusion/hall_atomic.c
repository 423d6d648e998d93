/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hall-atomic: hall with a tree that is refreshed in one large step.
 *
 * Idea      The code at the gate is that of hall.  Instead of the refresh of a
 *           path, one large step makes ROOT name the oldest waiter.  So larger
 *           instances can be searched.
 * Source    ours; labels ours
 * Shape     1 <= n <= 4096, any session numbers, no limit; the slot of a member
 *           is its id
 * Promises  those of hall
 * Costs     as hall, but a refresh is one step
 * Invariant as hall
 */
#include "algorithm.h"

#include "hall.h"

static uint64_t name_oldest(void *shared, struct process *self)
{
	struct hall *m = shared;
	const struct shape *shape = self->shape;
	uint64_t entry = 0, token = 0;

	for (unsigned p = 0; p < shape->n; p++) {
		uint64_t w = mem_peek(W_at(m, shape, p));

		if (kind_of(w) == WAIT &&
		    (!entry || older(token_of(w), token))) {
			entry = entry_of(p, w);
			token = token_of(w);
		}
	}
	mem_poke(&m->ROOT, entry);
	return 0;
}

static void propagate(struct hall *m, const struct process *self, unsigned q)
{
	struct process any = { .id = self->id, .shape = self->shape };

	(void)q;
PR:	mem_atomic(name_oldest, m, &any);
}

static unsigned propagate_steps(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm hall_atomic = {
	.name = "hall-atomic",
	.source = "ours",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | UNIQUE_SLOTS | FCFS | FIFE |
		    CONCURRENT_ENTERING | STRONG_CONCURRENT_ENTERING |
		    CONCURRENT_OCCUPANCY | NO_DEADLOCK | NO_STARVATION |
		    NO_LOST_WAKE | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | BOUNDED_ABORT | QUIESCENCE | INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS | USES_LARGE_STEP,
	.simulated_only = true, .retries = true,
	.limits = { .least_n = 1, .most_n = MOST_N },
	.words = words_of, .own_words = own_words,
	.init = init, .quiet = quiet, .invariant = invariant,
	.doorway = doorway, .poll = poll, .leave = leave, .depart = depart,
	.abort = give_up, .recover = recover,
	.holder = holder, .rank = rank,
	.bounds = {
		.doorway_steps = doorway_steps, .leave_steps = leave_steps,
		.abort_steps = abort_steps, .solo_steps = solo_steps,
		.rmr_cc = { NULL, "2 on the short way" },
		.rmr_dsm = { NULL, "4 on the short way" },
	},
};
