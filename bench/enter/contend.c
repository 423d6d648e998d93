/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts b, c and d: several workers contend.  A block is one slice of each
 * contender in random order, and a ratio compares two slices of the same block.
 * The control is the base, measured a second time.  If the interval of the
 * control's ratio in some quantity is not within 0.9 to 1.1, all ratios to the
 * base in that quantity are void.
 */
#include "bench/enter/parts.h"

#include "bench/common/clock.h"
#include "bench/enter/result.h"
#include "bench/enter/slices.h"

#include <stdio.h>

/* The instances of a cell; OTHER is a second rival, if there is one. */
enum { BASE, CONTROL, OUR, OTHER };

struct cell {
	const char *where;
	struct slices slices;
	double seconds;    /* length of a slice */
	double patience;   /* seconds for all blocks; 0: no limit */
	size_t enough;     /* no further block after this many valid blocks */
	double most_delay; /* the longest delay in a valid block; 0: any */
	size_t made;       /* all blocks that were made */
	size_t blocks;     /* the valid blocks among them */
	struct slice got[INSTANCES_MOST][SAMPLES_MOST];
};

static bool open_instances(struct slices *s, const struct rival *base,
			   const char *again, const struct rival *other)
{
	struct instance *i = s->instances;

	s->instance_count = other ? 4 : 3;
	if (!instance_open(&i[BASE], base, s->n, s->k, s->processes) ||
	    !instance_open(&i[OUR], NULL, s->n, s->k, s->processes))
		return false;
	i[CONTROL] = instance_alias(&i[BASE], again);
	return !other ||
	       instance_open(&i[OTHER], other, s->n, s->k, s->processes);
}

static bool is_valid_block(const struct cell *c)
{
	for (size_t i = 0; i < c->slices.instance_count; i++)
		if (c->most_delay > 0 &&
		    c->got[i][c->blocks].delay > c->most_delay)
			return false;
	return true;
}

static bool make_blocks(struct cell *c, struct run *r)
{
	const int64_t until = clock_now() + (int64_t)(c->patience * SECOND);
	unsigned order[INSTANCES_MOST];

	for (unsigned i = 0; i < c->slices.instance_count; i++)
		if (!slices_run(&c->slices, i, c->seconds / 2, &c->got[i][0]))
			return false;
	while (c->blocks < c->enough &&
	       (c->patience <= 0 || clock_now() < until)) {
		statistics_shuffle(order, c->slices.instance_count, &r->random);
		for (size_t i = 0; i < c->slices.instance_count; i++)
			if (!slices_run(&c->slices, order[i], c->seconds,
					&c->got[order[i]][c->blocks]))
				return false;
		c->made++;
		c->blocks += is_valid_block(c);
	}
	return true;
}

static bool measure(struct cell *c, struct run *r, const struct rival *base,
		    const char *again, const struct rival *other)
{
	c->made = c->blocks = 0;
	/*
	 * If a block failed, a worker may hang.  Such a worker is not joined
	 * and ends with the program.
	 */
	if (!open_instances(&c->slices, base, again, other) ||
	    !slices_start(&c->slices, r->speed) || !make_blocks(c, r))
		return false;
	slices_end(&c->slices);
	for (size_t i = 0; i < c->slices.instance_count; i++)
		instance_close(&c->slices.instances[i]);
	return true;
}

enum field { RATE, CPU, SHARE, LONGEST };

static double get(const struct slice *s, enum field field)
{
	const double of[] = {
		[RATE] = s->rate,
		[CPU] = s->cpu,
		[SHARE] = s->share,
		[LONGEST] = s->longest,
	};

	return of[field];
}

static bool is_void(const struct cell *c, enum field field)
{
	double null[SAMPLES_MOST];
	struct interval v;

	for (size_t b = 0; b < c->blocks; b++)
		null[b] = get(&c->got[CONTROL][b], field) /
			  get(&c->got[BASE][b], field);
	v = statistics_interval(null, c->blocks);
	return v.low < 0.9 || v.high > 1.1;
}

/* The quantity that a result shows, and its goal. */
struct quantity {
	const char *what, *unit;
	enum field field;
	enum goal goal;
	double target;
};

enum { ITSELF = -1 };

/*
 * Prints a result of instance `of`: its ratio to instance `to`, or the quantity
 * itself if `to` is ITSELF.  Only the results of instance OUR have goals.
 */
static void show(const struct cell *c, unsigned of, int to,
		 const struct quantity *q)
{
	const bool compares = to == BASE && q->field <= CPU;
	struct result result = {
		.where = c->where,
		.who = c->slices.instances[of].name,
		.what = q->what,
		.unit = q->unit,
		.goal = of == OUR ? q->goal : NO_GOAL,
		.target = q->target,
		.count = c->blocks,
		.is_void = compares && is_void(c, q->field),
	};

	for (size_t b = 0; b < c->blocks; b++)
		result.sample[b] = get(&c->got[of][b], q->field) /
				   (to < 0 ? 1 : get(&c->got[to][b], q->field));
	result_print(&result);
}

static const char *name_cell(char *text, size_t size, const struct slices *s)
{
	snprintf(text, size, "%s T=%u k=%u",
		 s->processes ? "processes" : "threads", s->n, s->k);
	return text;
}

static const struct quantity cpu_time = { "CPU time of a passage", "us", CPU,
					  NO_GOAL, 0 };
static const struct quantity rate = { "passages", "a second", RATE, NO_GOAL,
				      0 };
static const struct quantity share = { "share", "most/least", SHARE, NO_GOAL,
				       0 };

static bool one_cpu(struct run *r, unsigned k, bool processes)
{
	const struct quantity by_semop = { "CPU time of a passage", "x semop",
					   CPU, AT_MOST, 0.75 };
	const struct quantity by_sem_t = { "CPU time of a passage", "x sem_t",
					   CPU, NO_GOAL, 0 };
	static struct cell c;
	char where[40];

	c.slices = (struct slices){
		.n = 8,
		.k = k,
		.processes = processes,
		.cpus = ONE_CPU,
		.section = section_find("2us"),
	};
	c.where = name_cell(where, sizeof where, &c.slices);
	c.seconds = r->quick ? 0.04 : 0.1;
	c.enough = r->quick ? 15 : 41;
	if (!measure(&c, r, &rival_semop, "semop again", &rival_semaphore))
		return false;
	show(&c, BASE, ITSELF, &cpu_time);
	show(&c, CONTROL, BASE, &by_semop);
	show(&c, OTHER, BASE, &by_semop);
	show(&c, OUR, BASE, &by_semop);
	show(&c, OUR, OTHER, &by_sem_t);
	show(&c, OTHER, ITSELF, &share);
	show(&c, OUR, ITSELF, &share);
	return true;
}

bool part_one_cpu(struct run *r)
{
	return one_cpu(r, 1, false) && one_cpu(r, 2, false) &&
	       one_cpu(r, 1, true) && one_cpu(r, 2, true);
}

/*
 * A block is valid if both workers ran at the same time in every slice: the
 * kernel says that neither worker waited for its cpu for more than a twentieth
 * of the slice.
 */
static bool two_cpus(struct run *r, bool processes)
{
	const struct quantity by_sem_t = { "passages", "x sem_t", RATE,
					   AT_LEAST, 1.3 };
	const struct quantity by_ticket = { "passages", "x ticket", RATE,
					    NO_GOAL, 0 };
	static struct cell c;
	char where[40];

	c.slices = (struct slices){
		.n = 2,
		.k = 1,
		.processes = processes,
		.cpus = OWN_CPU,
		.section = section_find("2us"),
	};
	c.where = name_cell(where, sizeof where, &c.slices);
	c.seconds = 0.005;
	c.most_delay = 0.05;
	c.enough = r->quick ? 61 : 301;
	c.patience = r->quick ? 4 : 60;
	if (!measure(&c, r, &rival_semaphore, "sem_t again", &rival_ticket))
		return false;
	result_print_text(
		"%-20s %zu of %zu blocks count: in these no worker waited "
		"for its cpu for more than 5%% of a slice",
		where, c.blocks, c.made);
	if (c.blocks < 11)
		return true;
	show(&c, BASE, ITSELF, &rate);
	show(&c, CONTROL, BASE, &by_sem_t);
	show(&c, OTHER, BASE, &by_sem_t);
	show(&c, OUR, BASE, &by_sem_t);
	show(&c, OUR, OTHER, &by_ticket);
	show(&c, BASE, ITSELF, &share);
	show(&c, OUR, ITSELF, &share);
	return true;
}

bool part_two_cpus(struct run *r)
{
	return two_cpus(r, false) && two_cpus(r, true);
}

static bool sleeping(struct run *r, bool processes)
{
	const struct quantity goals[] = {
		{ "passages", "x sem_t", RATE, AT_LEAST, 0.97 },
		{ "CPU time of a passage", "x sem_t", CPU, AT_MOST, 1.2 },
		{ "share", "most/least", SHARE, AT_MOST, 1.05 },
		{ "longest wait in a slice", "ceil(T/k)", LONGEST, AT_MOST,
		  1.5 },
	};
	static struct cell c;
	char where[40];

	c.slices = (struct slices){
		.n = 16,
		.k = 4,
		.processes = processes,
		.section = section_find("1ms-sleep"),
	};
	c.where = name_cell(where, sizeof where, &c.slices);
	c.seconds = r->quick ? 0.2 : 0.5;
	c.enough = r->quick ? 11 : 25;
	if (!measure(&c, r, &rival_semaphore, "sem_t again", NULL))
		return false;
	show(&c, BASE, ITSELF, &rate);
	show(&c, CONTROL, BASE, &goals[0]);
	show(&c, OUR, BASE, &goals[0]);
	show(&c, BASE, ITSELF, &cpu_time);
	show(&c, CONTROL, BASE, &goals[1]);
	show(&c, OUR, BASE, &goals[1]);
	for (unsigned i = 2; i < 4; i++) {
		show(&c, BASE, ITSELF, &goals[i]);
		show(&c, OUR, ITSELF, &goals[i]);
	}
	return true;
}

bool part_sleeping(struct run *r)
{
	return sleeping(r, false) && sleeping(r, true);
}
