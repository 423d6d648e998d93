/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A lock that admits every process: a passage is one read before entering and
 * one read while leaving.  The including file adds one part to the passage, in
 * which a process reads the word for ever, because the word is always 0.
 */
static size_t words(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static void init(void *shared, const struct shape *shape)
{
	(void)shape;
	mem_name((struct word *)shared, "zero");
}

static void spin(void *shared)
{
	uint64_t v;

	do
N1:		v = mem_read((struct word *)shared);
	while (v == 0);
}

static bool doorway(void *shared, struct process *self)
{
	(void)self;
N2:	(void)mem_read((struct word *)shared);
	return true;
}

static bool poll(void *shared, struct process *self, struct wait_set *wait)
{
	(void)shared;
	(void)self;
	(void)wait;
	return true;
}

static void leave(void *shared, struct process *self)
{
	(void)self;
N3:	(void)mem_read((struct word *)shared);
}
