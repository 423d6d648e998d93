/* SPDX-License-Identifier: BSD-2-Clause */
/* One word holds the limit and a bit for each process inside.  A process that
 * finds room sets its bit.  The including file defines `resize`, which changes
 * k. */
struct elastic {
	struct word state;
	struct word note; /* used only by the resizer */
};

enum { LIMIT_AT = 32 };

static uint64_t limit_of(uint64_t state)
{
	return state >> LIMIT_AT;
}

static uint64_t inside_of(uint64_t state)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < LIMIT_AT; i++)
		count += state >> i & 1;
	return count;
}

static uint64_t bit_of(const struct process *self)
{
	return UINT64_C(1) << self->id;
}

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct elastic);
}

static void init(void *shared, const struct shape *shape)
{
	struct elastic *e = shared;

	mem_name(&e->state, "state");
	mem_name(&e->note, "note");
	mem_poke(&e->state, (uint64_t)shape->k << LIMIT_AT);
}

static bool quiet(void *shared, const struct shape *shape)
{
	struct elastic *e = shared;

	return inside_of(mem_peek(&e->state)) == 0 &&
	       limit_of(mem_peek(&e->state)) == shape->k;
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	struct elastic *e = shared;
	uint64_t state;

X1:	state = mem_read(&e->state);
	if (inside_of(state) < limit_of(state)) {
		/* If X2 fails, the process tries again at once: there may still
		 * be room. */
X2:		return mem_cas(&e->state, state, state | bit_of(self));
	}
	wait_for_change(wait, &e->state, state);
	return false;
}

static void leave(void *shared, struct process *self)
{
	struct elastic *e = shared;
	uint64_t state;

X3:	state = mem_add(&e->state, -bit_of(self));
	/* If there was room before X3, no process sleeps. */
	if (inside_of(state) == limit_of(state))
		mem_wake(&e->state);
}

static void give_up(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}

static void recover(void *shared, struct process *victim)
{
	struct elastic *e = shared;
	uint64_t state;

X4:	state = mem_read(&e->state);
	if (state & bit_of(victim))
		leave(shared, victim);
	else
		/* The victim may have died after X3, before it called
		 * mem_wake. */
		mem_wake(&e->state);
}
