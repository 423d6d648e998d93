/* SPDX-License-Identifier: BSD-2-Clause */
/* A process raises its flag; if another flag is up, it lowers its own and tries
 * again. */
static size_t words(const struct shape *shape)
{
	return shape->n;
}

static void init(void *shared, const struct shape *shape)
{
	struct word *flag = shared;

	for (unsigned i = 0; i < shape->n; i++)
		mem_name(&flag[i], "flag", i);
}

static bool alone(struct word *flag, struct process *self)
{
	for (unsigned j = 0; j < self->shape->n; j++) {
		uint64_t v;

		if (j == self->id)
			continue;
Y2:		v = mem_read(&flag[j]);
		if (v)
			return false;
	}
	return true;
}

static int enter(void *shared, struct process *self)
{
	struct word *flag = shared;

	for (;;) {
Y1:		mem_write(&flag[self->id], 1);
		if (alone(flag, self))
			return 0;
Y3:		mem_write(&flag[self->id], 0);
	}
}

static void leave(void *shared, struct process *self)
{
	struct word *flag = shared;

Y4:	mem_write(&flag[self->id], 0);
}
