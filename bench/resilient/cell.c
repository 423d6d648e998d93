/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/resilient/cell.h"

#include <stdio.h>

static size_t add_stand(struct cell *c, const struct keeper *keeper, unsigned k,
			unsigned n)
{
	size_t at = c->crew.stand_count++;

	c->crew.stands[at] = (struct stand){ .keeper = keeper, .k = k, .n = n };
	return at;
}

static void add_row(struct cell *c, const char *name, char series, size_t stand,
		    size_t first)
{
	c->rows[c->row_count++] = (struct row){
		.name = name,
		.series = series,
		.stand = stand,
		.first = first,
	};
}

static void add_rival(struct cell *c, const struct keeper *keeper,
		      const char *name)
{
	size_t at = add_stand(c, keeper, 0, 0);

	add_row(c, name, 0, at, at);
}

/* Who is in both series is measured once and shown twice. */
static void add_objects(struct cell *c)
{
	const struct keeper *keeper = &keeper_object[c->subject];
	size_t first = c->crew.stand_count, both = first, at;

	for (unsigned k = 1; k <= FIXED_N / 2; k *= 2) {
		at = add_stand(c, keeper, k, FIXED_N);
		both = k == FIXED_K ? at : both;
		add_row(c, keeper->name, 'k', at, first);
	}
	first = c->crew.stand_count;
	for (unsigned n = FIXED_K; n < FIXED_N; n *= 2)
		if (n >= c->threads)
			add_row(c, keeper->name, 'n',
				add_stand(c, keeper, FIXED_K, n), first);
	add_row(c, keeper->name, 'n', both, first);
	c->object_again = c->row_count;
	at = add_stand(c, keeper, FIXED_K, FIXED_N);
	add_row(c, "object again", 0, at, both);
}

void cell_line_up(struct cell *c)
{
	c->crew.threads = c->threads;
	c->crew.stand_count = c->row_count = 0;
	add_rival(c, &keeper_mutex[c->subject], "mutex");
	add_rival(c, &keeper_mutex[c->subject], "mutex again");
	add_rival(c, &keeper_robust[c->subject], "robust mutex");
	if (c->subject == COUNTER)
		add_rival(c, &keeper_swap, keeper_swap.name);
	add_objects(c);
}

static bool open_stands(struct cell *c)
{
	struct crew *crew = &c->crew;

	for (size_t i = 0; i < crew->stand_count; i++) {
		struct stand *s = &crew->stands[i];

		crew->operations[i] = 0;
		if (!s->keeper->open(s, c->threads))
			return false;
	}
	return crew_hire(crew);
}

static bool block(struct cell *c, unsigned number, uint64_t *random)
{
	const size_t count = c->crew.stand_count;
	unsigned order[STANDS_MOST];

	statistics_shuffle(order, count, random);
	for (size_t i = 0; i < count; i++)
		if (!crew_slice(&c->crew, order[i], c->slice,
				&c->samples[order[i]][number]))
			return false;
	return true;
}

static bool is_right(const struct cell *c, size_t stand)
{
	const struct stand *s = &c->crew.stands[stand];
	uint64_t state[BOOK_WORDS];

	s->keeper->look(s, state);
	if (subject_is_right(c->subject, state, c->crew.operations[stand]))
		return true;
	fprintf(stderr,
		"resilient: a %s kept by %s is wrong after %ju "
		"operations\n",
		subject_name(c->subject), s->keeper->name,
		(uintmax_t)c->crew.operations[stand]);
	return false;
}

/* Of the values themselves, or of their ratios to another's in the block. */
static struct interval over_blocks(const struct cell *c, size_t stand,
				   bool rate, const size_t *to)
{
	double values[BLOCKS_MOST];

	for (unsigned b = 0; b < c->blocks; b++) {
		const struct slice *own = &c->samples[stand][b];
		const struct slice *base = to ? &c->samples[*to][b] : NULL;

		values[b] = rate ? own->rate : own->cpu;
		if (base)
			values[b] /= rate ? base->rate : base->cpu;
	}
	return statistics_interval(values, c->blocks);
}

/* What is compared with itself is 1, or nearly. */
static bool leaves(const struct interval *null)
{
	return null->low < 0.9 || null->high > 1.1;
}

static void sum_up(struct cell *c)
{
	const size_t base = c->rows[BASE].stand;

	for (size_t i = 0; i < c->row_count; i++) {
		struct row *row = &c->rows[i];

		row->cpu = over_blocks(c, row->stand, false, NULL);
		row->rate = over_blocks(c, row->stand, true, NULL);
		row->ratio = over_blocks(c, row->stand, false, &base);
		row->rate_ratio = over_blocks(c, row->stand, true, &base);
		row->growth = over_blocks(c, row->stand, false, &row->first);
	}
	c->is_void = leaves(&c->rows[AGAIN].ratio);
	c->growth_is_void = leaves(&c->rows[c->object_again].growth);
}

bool cell_measure(struct cell *c, uint64_t *random)
{
	bool right = true;

	cell_line_up(c);
	if (!open_stands(c))
		return false;
	/* The first is not counted: it warms up, and is written over. */
	if (!block(c, 0, random))
		return false;
	for (unsigned b = 0; b < c->blocks; b++)
		if (!block(c, b, random))
			return false;
	crew_dismiss(&c->crew);
	for (size_t i = 0; i < c->crew.stand_count; i++) {
		right = is_right(c, i) && right;
		c->crew.stands[i].keeper->close(&c->crew.stands[i]);
	}
	sum_up(c);
	return right;
}
