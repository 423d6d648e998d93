/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * There is one word.  A process enters if it finds the value 0.  If it finds
 * another value, it tries again at once and never names a word to sleep on.
 * Before a file includes this header, it defines DOOR, the initial value of the
 * word.
 */
static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_name((struct word *)shared, "door");
	mem_poke((struct word *)shared, DOOR);
}

static bool doorway(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
	return false;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	(void)self;
	(void)wait;
F1:	return mem_cas((struct word *)shared, 0, 1);
}

static void leave(void *shared, struct process *self)
{
	(void)self;
F2:	mem_write((struct word *)shared, 0);
}

static void give_up(void *shared, struct process *self)
{
	(void)shared;
	(void)self;
}
