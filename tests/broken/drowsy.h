/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * There are k slots.  A process takes a slot that it finds free.  A process
 * that finds no free slot waits until a leaver says that it has left, and then
 * looks at all slots again.  Process 0 does not say that it has left.  So no
 * process notices that the slot of process 0 is free until another process
 * arrives, another leaver says that it has left, or a waiter looks again after
 * a nap.
 *
 * Before a file includes this header, it defines the following function.  The
 * function says whether a process looks again in this pass although no leaver
 * has said that it left:
 *
 *	static bool second_look(const struct wait_set *wait)
 */
struct drowsy {
	struct word news;   /* how many leavers have said that they left */
	struct word slot[]; /* 0: free */
};

enum { OWN_NEWS, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static size_t words(const struct shape *shape)
{
	return WORDS(struct drowsy) + shape->k;
}

static void init(void *shared, const struct shape *shape)
{
	struct drowsy *d = shared;

	mem_name(&d->news, "news");
	for (unsigned i = 0; i < shape->k; i++)
		mem_name(&d->slot[i], "slot", i);
}

static bool take_slot(struct drowsy *d, struct process *self)
{
	for (unsigned i = 0; i < self->shape->k; i++) {
Z1:		if (mem_cas(&d->slot[i], 0, 1)) {
			self->slot = (int)i;
			return true;
		}
	}
	return false;
}

static bool doorway(void *shared, struct process *self)
{
	struct drowsy *d = shared;
	uint64_t news;

Z2:	news = mem_read(&d->news);
	mem_own_write(self, OWN_NEWS, news);
	return take_slot(d, self);
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct drowsy *d = shared;
	uint64_t news;

Z3:	news = mem_read(&d->news);
	if (news != mem_own_read(self, OWN_NEWS) || second_look(wait)) {
		mem_own_write(self, OWN_NEWS, news);
		if (take_slot(d, self))
			return true;
	}
	wait_for_change(wait, &d->news, news);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct drowsy *d = shared;

Z4:	mem_write(&d->slot[self->slot], 0);
	if (self->id != 0) {
Z5:		mem_add(&d->news, 1);
		mem_wake(&d->news);
	}
}

static void give_up(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}
