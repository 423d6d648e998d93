/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every process is admitted at once and waits for its turn in `settle`.  After
 * the wait it makes one more step before it is inside.
 *
 * Before a file includes this header, it defines the following function, which
 * waits until `turn` has the value `ticket`:
 *
 *	static void wait_for_turn(struct word *turn, uint64_t ticket)
 */
struct settler {
	struct word next, turn;
};

enum { OWN_TICKET, OWN_WORDS };

static unsigned own_words(const struct shape *shape)
{
	(void)shape;
	return OWN_WORDS;
}

static size_t words(const struct shape *shape)
{
	(void)shape;
	return WORDS(struct settler);
}

static void init(void *shared, const struct shape *shape)
{
	struct settler *s = shared;

	(void)shape;
	mem_name(&s->next, "next");
	mem_name(&s->turn, "turn");
}

static bool doorway(void *shared, struct process *self)
{
	struct settler *s = shared;
	uint64_t ticket;

S1:	ticket = mem_add(&s->next, 1);
	mem_own_write(self, OWN_TICKET, ticket);
	return true;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	(void)shared;
	(void)self;
	(void)wait;
	return true;
}

static void settle(void *shared, struct process *self)
{
	struct settler *s = shared;

	wait_for_turn(&s->turn, mem_own_read(self, OWN_TICKET));
S3:	(void)mem_read(&s->turn);
}

static void leave(void *shared, struct process *self)
{
	struct settler *s = shared;

	(void)self;
S4:	mem_add(&s->turn, 1);
	mem_wake(&s->turn);
}

#define LATE_SETTLER                                                      \
	.source = "toy", .kind = KIND_MUTUAL_EXCLUSION,                   \
	.promises = AT_MOST_K | NO_DEADLOCK | NO_STARVATION |             \
		    BOUNDED_LEAVE | NO_LOST_WAKE,                         \
	.primitives = USES_READ_WRITE | USES_ADD,                         \
	.limits = { .most_k = 1 },                                        \
	.words = words, .own_words = own_words, .init = init,             \
	.doorway = doorway, .poll = poll, .settle = settle, .leave = leave
