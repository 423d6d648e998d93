/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toy-guarded-room: a group lock whose state is guarded by a mutex.
 *
 * Refused by concurrent-entering and bounded-leave: a process may have to wait
 * until another process gives the mutex back.  The weaker properties
 * concurrent-occupancy and exit-termination hold, because a process keeps the
 * mutex for a few steps only, and never while it is inside.
 */
#include "algorithm.h"

struct guarded_room {
	struct word mutex; /* 1: a process reads or changes `room` */
	/* the number of processes inside, and their session times 256; 0: no
	 * process is inside */
	struct word room;
};

enum { SESSION = 256 };

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct guarded_room);
}

static void init(void *shared, const struct shape *shape)
{
	struct guarded_room *r = shared;

	(void)shape;
	mem_name(&r->mutex, "mutex");
	mem_name(&r->room, "room");
}

static void lock(struct guarded_room *r)
{
	uint64_t taken;
	bool mine;

	do {
G1:		await(taken, &r->mutex, taken == 0);
G2:		mine = mem_cas(&r->mutex, 0, 1);
	} while (!mine);
}

static void unlock(struct guarded_room *r)
{
G3:	mem_write(&r->mutex, 0);
	mem_wake(&r->mutex);
}

static bool has_place(uint64_t room, const struct process *self)
{
	return room == 0 || room / SESSION == self->session;
}

/* Returns whether the process has entered. */
static bool try_enter(struct guarded_room *r, const struct process *self)
{
	uint64_t room;

G4:	room = mem_read(&r->room);
	if (!has_place(room, self))
		return false;
G5:	mem_write(&r->room, self->session * SESSION + room % SESSION + 1);
	return true;
}

static int enter(void *shared, struct process *self)
{
	struct guarded_room *r = shared;
	uint64_t room;
	bool entered;

	for (;;) {
		lock(r);
		entered = try_enter(r, self);
		unlock(r);
		if (entered)
			return 0;
G6:		await(room, &r->room, has_place(room, self));
	}
}

static void leave(void *shared, struct process *self)
{
	struct guarded_room *r = shared;
	uint64_t room;

	(void)self;
	lock(r);
G7:	room = mem_read(&r->room);
G8:	mem_write(&r->room, room % SESSION == 1 ? 0 : room - 1);
	mem_wake(&r->room);
	unlock(r);
}

const struct algorithm toy_guarded_room = {
	.name = "toy-guarded-room",
	.source = "toy",
	.kind = KIND_GROUP_EXCLUSION,
	.promises = SESSION_EXCLUSION | CONCURRENT_OCCUPANCY | NO_DEADLOCK |
		    NO_STARVATION | EXIT_TERMINATION | NO_LOST_WAKE,
	.primitives = USES_READ_WRITE | USES_CAS,
	.finite_state = true,
	.retries = true,
	.words = words, .init = init,
	.enter = enter, .leave = leave,
};
