/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/resilient/cell.h"

#include <stdio.h>

static size_t add_instance(struct cell *c, const struct implementation *of,
			   unsigned k, unsigned n)
{
	size_t at = c->slices.instance_count++;

	c->slices.instances[at] = (struct instance){ .implementation = of,
						     .k = k,
						     .n = n };
	return at;
}

static void add_row(struct cell *c, const char *name, char series,
		    size_t instance, size_t first)
{
	c->rows[c->row_count++] = (struct row){
		.name = name,
		.series = series,
		.instance = instance,
		.first = first,
	};
}

static void add_rival(struct cell *c, const struct implementation *of,
		      const char *name)
{
	size_t at = add_instance(c, of, 0, 0);

	add_row(c, name, 0, at, at);
}

/* The instance that is in both series is measured once and has two rows. */
static void add_objects(struct cell *c)
{
	const struct implementation *of = &object_implementation[c->subject];
	size_t first = c->slices.instance_count, both = first, at;

	for (unsigned k = 1; k <= FIXED_N / 2; k *= 2) {
		at = add_instance(c, of, k, FIXED_N);
		both = k == FIXED_K ? at : both;
		add_row(c, of->name, 'k', at, first);
	}
	first = c->slices.instance_count;
	for (unsigned n = FIXED_K; n < FIXED_N; n *= 2)
		if (n >= c->threads)
			add_row(c, of->name, 'n',
				add_instance(c, of, FIXED_K, n), first);
	add_row(c, of->name, 'n', both, first);
	c->object_again = c->row_count;
	at = add_instance(c, of, FIXED_K, FIXED_N);
	add_row(c, "object again", 0, at, both);
}

void cell_fill(struct cell *c)
{
	c->slices.threads = c->threads;
	c->slices.instance_count = c->row_count = 0;
	add_rival(c, &mutex_implementation[c->subject], "mutex");
	add_rival(c, &mutex_implementation[c->subject], "mutex again");
	add_rival(c, &robust_implementation[c->subject], "robust mutex");
	if (c->subject == COUNTER)
		add_rival(c, &swap_implementation, swap_implementation.name);
	add_objects(c);
}

static bool start(struct cell *c)
{
	for (size_t i = 0; i < c->slices.instance_count; i++) {
		struct instance *instance = &c->slices.instances[i];

		c->slices.operations[i] = 0;
		if (!instance->implementation->open(instance, c->threads))
			return false;
	}
	return slices_start(&c->slices);
}

static bool block(struct cell *c, unsigned number, uint64_t *random)
{
	const size_t count = c->slices.instance_count;
	unsigned order[INSTANCES_MOST];

	statistics_shuffle(order, count, random);
	for (size_t i = 0; i < count; i++)
		if (!slices_run(&c->slices, order[i], c->slice,
				&c->samples[order[i]][number]))
			return false;
	return true;
}

static bool is_right(const struct cell *c, size_t number)
{
	const struct instance *i = &c->slices.instances[number];
	uint64_t state[BOOK_WORDS];

	i->implementation->read(i, state);
	if (subject_is_right(c->subject, state, c->slices.operations[number]))
		return true;
	fprintf(stderr,
		"resilient: the %s of %s is wrong after %ju "
		"operations\n",
		subject_name(c->subject), i->implementation->name,
		(uintmax_t)c->slices.operations[number]);
	return false;
}

/* Returns the interval of an instance's values over the blocks; if `to` is set,
 * the interval of their ratios to the values of instance *to in the same
 * blocks. */
static struct interval over_blocks(const struct cell *c, size_t instance,
				   bool rate, const size_t *to)
{
	double values[BLOCKS_MOST];

	for (unsigned b = 0; b < c->blocks; b++) {
		const struct slice *own = &c->samples[instance][b];
		const struct slice *base = to ? &c->samples[*to][b] : NULL;

		values[b] = rate ? own->rate : own->cpu;
		if (base)
			values[b] /= rate ? base->rate : base->cpu;
	}
	return statistics_interval(values, c->blocks);
}

static bool leaves_tolerance(const struct interval *null)
{
	return null->low < 0.9 || null->high > 1.1;
}

static void sum_up(struct cell *c)
{
	const size_t base = c->rows[BASE].instance;

	for (size_t i = 0; i < c->row_count; i++) {
		struct row *row = &c->rows[i];

		row->cpu = over_blocks(c, row->instance, false, NULL);
		row->rate = over_blocks(c, row->instance, true, NULL);
		row->ratio = over_blocks(c, row->instance, false, &base);
		row->rate_ratio = over_blocks(c, row->instance, true, &base);
		row->growth = over_blocks(c, row->instance, false, &row->first);
	}
	c->is_void = leaves_tolerance(&c->rows[AGAIN].ratio);
	c->growth_is_void = leaves_tolerance(&c->rows[c->object_again].growth);
}

bool cell_measure(struct cell *c, uint64_t *random)
{
	bool right = true;

	cell_fill(c);
	if (!start(c))
		return false;
	/*
	 * This block warms up; the first measured block overwrites its samples.
	 */
	if (!block(c, 0, random))
		return false;
	for (unsigned b = 0; b < c->blocks; b++)
		if (!block(c, b, random))
			return false;
	slices_end(&c->slices);
	for (size_t i = 0; i < c->slices.instance_count; i++) {
		struct instance *instance = &c->slices.instances[i];

		right = is_right(c, i) && right;
		instance->implementation->close(instance);
	}
	sum_up(c);
	return right;
}
