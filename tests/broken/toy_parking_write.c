/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-parking-write: a waiter writes its mark with a plain write.
 *
 * A late waiter overwrites the mark of a waiter whose larger ticket has the
 * same parking word.  The leaver that makes room for the larger ticket then
 * does not find its mark and wakes no process.
 *
 * Refused by no-lost-wake (k = 1, three processes); at-most-k holds.
 */
#include "parking.h"

static int enter(void *shared, struct process *self)
{
	struct parking *s = shared;
	uint64_t ticket, grant, mark;

P1:	ticket = mem_add(&s->next, 1);
P2:	grant = mem_read(&s->grant);
	while (ticket >= grant + self->shape->k) {
P3:		mem_write(&s->park[ticket % PLACES], ticket + 1);
P4:		grant = mem_read(&s->grant);
		if (ticket < grant + self->shape->k)
			break;
P5:		await(mark, &s->park[ticket % PLACES], mark != ticket + 1);
P6:		grant = mem_read(&s->grant);
	}
	return 0;
}

const struct algorithm toy_parking_write = {
	.name = "toy-parking-write",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK,
	.primitives = USES_READ_WRITE | USES_ADD,
	.retries = true,
	.words = parking_words, .init = parking_init,
	.enter = enter, .leave = parking_leave,
};
