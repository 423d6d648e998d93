/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-parking-cas: a waiter reads its parking word and, whatever mark it finds,
 * replaces it by its own mark with compare-and-swap.
 *
 * A leaver may be delayed between V1 and V2.  Meanwhile a waiter whose later
 * ticket has the same parking word replaces the mark of a sleeping waiter.  The
 * leaver then does not find that mark and does not wake the sleeping waiter.
 *
 * Refused by no-lost-wake (k = 1, four processes); at-most-k holds.
 */
#include "parking.h"

static int enter(void *shared, struct process *self)
{
	struct parking *s = shared;
	uint64_t ticket, grant, mark;

P1:	ticket = mem_add(&s->next, 1);
P2:	grant = mem_read(&s->grant);
	while (ticket >= grant + self->shape->k) {
P3a:		mark = mem_read(&s->park[ticket % PLACES]);
P3b:		(void)mem_cas(&s->park[ticket % PLACES], mark, ticket + 1);
P4:		grant = mem_read(&s->grant);
		if (ticket < grant + self->shape->k)
			break;
P5:		await(mark, &s->park[ticket % PLACES], mark != ticket + 1);
P6:		grant = mem_read(&s->grant);
	}
	return 0;
}

const struct algorithm toy_parking_cas = {
	.name = "toy-parking-cas",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.retries = true,
	.words = parking_words, .init = parking_init,
	.enter = enter, .leave = parking_leave,
};
