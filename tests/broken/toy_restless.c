/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-restless: a ticket lock whose leaver disturbs the waiters twice before it
 * lets the next one in: by a compare-and-swap that fails and by a write of the
 * value that the word has already.
 *
 * With k=1 a process waits in an await, with k=2 in an await_any; k means
 * nothing else.
 */
#include "algorithm.h"

struct restless {
	struct word next, served;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct restless);
}

static void init(void *shared, const struct shape *shape)
{
	struct restless *r = shared;

	(void)shape;
	mem_name(&r->next, "next");
	mem_name(&r->served, "served");
}

static int enter(void *shared, struct process *self)
{
	struct restless *r = shared;
	uint64_t ticket, served;

R1:	ticket = mem_add(&r->next, 1);
	if (self->shape->k == 1) {
R2:		await(served, &r->served, served == ticket);
		return 0;
	}
	await_any(pass) {
R2b:		served = look(pass, &r->served);
		if (served == ticket)
			return 0;
	}
}

static void leave(void *shared, struct process *self)
{
	struct restless *r = shared;
	uint64_t served;

	(void)self;
R3:	served = mem_read(&r->served);
R4:	(void)mem_cas(&r->served, UINT64_MAX, 0);
R5:	mem_write(&r->served, served);
R6:	mem_write(&r->served, served + 1);
	mem_wake(&r->served);
}

const struct algorithm toy_restless = {
	.name = "toy-restless",
	.source = "toy",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.words = words, .init = init, .enter = enter, .leave = leave,
};
