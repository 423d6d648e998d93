/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-favourite: process 0 never waits.  While it is inside with session 2, a
 * word is set; the other processes wait until that word is 0.
 *
 * Refused by no-starvation: a waiter may find the word set whenever it looks.
 * In every cycle that shows this, process 0 must enter with session 2, because
 * no process waits while process 0 is inside with session 1.  no-deadlock and
 * bounded-leave hold.
 */
#include "algorithm.h"

struct favourite {
	struct word busy, quiet;
};

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct favourite);
}

static void init(void *shared, const struct shape *shape)
{
	struct favourite *f = shared;

	(void)shape;
	mem_name(&f->busy, "busy");
	mem_name(&f->quiet, "quiet");
}

static struct word *said_in(struct favourite *f, const struct process *self)
{
	return self->session == 2 ? &f->busy : &f->quiet;
}

static int enter(void *shared, struct process *self)
{
	struct favourite *f = shared;
	uint64_t v;

	if (self->id == 0) {
H1:		mem_write(said_in(f, self), 1);
		return 0;
	}
H2:	mem_add(&f->quiet, 0);
H3:	await(v, &f->busy, v == 0);
	return 0;
}

static void leave(void *shared, struct process *self)
{
	struct favourite *f = shared;

	if (self->id == 0) {
H4:		mem_write(said_in(f, self), 0);
		mem_wake(&f->busy);
	} else {
H5:		mem_add(&f->quiet, 0);
	}
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

const struct algorithm toy_favourite = {
	.name = "toy-favourite",
	.source = "toy",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = NO_DEADLOCK | BOUNDED_LEAVE,
	.primitives = USES_READ_WRITE | USES_ADD,
	.finite_state = true,
	.words = words, .init = init, .enter = enter, .leave = leave,
	.bounds = { .leave_steps = one_step },
};
