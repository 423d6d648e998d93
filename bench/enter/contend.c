/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts b, c and d: several want to be inside.  A block is one slice of each
 * contender in random order, and a ratio is formed in its block.  The control
 * is the base once more, by the same measure; where it leaves 0.9 to 1.1 what
 * is measured so is void.
 */
#include "bench/enter/parts.h"

#include "bench/common/clock.h"
#include "bench/enter/crowd.h"
#include "bench/enter/figure.h"

#include <stdio.h>

/* The base, the base again, ours, another. */
enum { BASE, CONTROL, OUR, OTHER };

struct cell {
	const char *where;
	struct crowd crowd;
	double seconds;    /* a slice */
	double patience;   /* seconds for all blocks; 0: any */
	size_t enough;     /* blocks that count */
	double most_delay; /* of a slice that counts; 0: any */
	size_t made;       /* blocks made */
	size_t blocks;     /* of them counted */
	struct slice got[DOORS_MOST][SAMPLES_MOST];
};

static bool open_doors(struct crowd *c, const struct rival *base,
		       const char *again, const struct rival *other)
{
	c->door_count = other ? 4 : 3;
	if (!door_open(&c->doors[BASE], base, c->n, c->k, c->processes) ||
	    !door_open(&c->doors[OUR], NULL, c->n, c->k, c->processes))
		return false;
	c->doors[CONTROL] = door_again(&c->doors[BASE], again);
	return !other ||
	       door_open(&c->doors[OTHER], other, c->n, c->k, c->processes);
}

static bool counts(const struct cell *c)
{
	for (size_t i = 0; i < c->crowd.door_count; i++)
		if (c->most_delay > 0 &&
		    c->got[i][c->blocks].delay > c->most_delay)
			return false;
	return true;
}

static bool make_blocks(struct cell *c, struct run *r)
{
	const int64_t until = clock_now() + (int64_t)(c->patience * SECOND);
	unsigned order[DOORS_MOST];

	for (unsigned i = 0; i < c->crowd.door_count; i++)
		if (!crowd_slice(&c->crowd, i, c->seconds / 2, &c->got[i][0]))
			return false;
	while (c->blocks < c->enough &&
	       (c->patience <= 0 || clock_now() < until)) {
		statistics_shuffle(order, c->crowd.door_count, &r->random);
		for (size_t i = 0; i < c->crowd.door_count; i++)
			if (!crowd_slice(&c->crowd, order[i], c->seconds,
					 &c->got[order[i]][c->blocks]))
				return false;
		c->made++;
		c->blocks += counts(c);
	}
	return true;
}

static bool measure(struct cell *c, struct run *r, const struct rival *base,
		    const char *again, const struct rival *other)
{
	bool done;

	c->made = c->blocks = 0;
	if (!open_doors(&c->crowd, base, again, other) ||
	    !crowd_hire(&c->crowd, r->speed))
		return false;
	done = make_blocks(c, r);
	if (!done)
		return false; /* who hangs cannot be dismissed */
	crowd_dismiss(&c->crowd);
	for (size_t i = 0; i < c->crowd.door_count; i++)
		door_close(&c->crowd.doors[i]);
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

struct wish {
	const char *what, *unit;
	enum field field;
	enum goal goal;
	double target;
};

enum { ITSELF = -1 };

/* Of `who`: a ratio to `to`, or ITSELF.  Goals are ours only. */
static void show(const struct cell *c, unsigned who, int to,
		 const struct wish *w)
{
	const bool compares = to == BASE && w->field <= CPU;
	struct figure f = {
		.where = c->where,
		.who = c->crowd.doors[who].name,
		.what = w->what,
		.unit = w->unit,
		.goal = who == OUR ? w->goal : NO_GOAL,
		.target = w->target,
		.count = c->blocks,
		.is_void = compares && is_void(c, w->field),
	};

	for (size_t b = 0; b < c->blocks; b++)
		f.sample[b] = get(&c->got[who][b], w->field) /
			      (to < 0 ? 1 : get(&c->got[to][b], w->field));
	figure_show(&f);
}

static const char *name_cell(char *text, size_t size, const struct crowd *c)
{
	snprintf(text, size, "%s T=%u k=%u",
		 c->processes ? "processes" : "threads", c->n, c->k);
	return text;
}

static const struct wish cpu_time = { "CPU time of a passage", "us", CPU,
				      NO_GOAL, 0 };
static const struct wish rate = { "passages", "a second", RATE, NO_GOAL, 0 };
static const struct wish share = { "share", "most/least", SHARE, NO_GOAL, 0 };

static bool one_cpu(struct run *r, unsigned k, bool processes)
{
	const struct wish by_semop = { "CPU time of a passage", "x semop", CPU,
				       AT_MOST, 0.75 };
	const struct wish by_sem_t = { "CPU time of a passage", "x sem_t", CPU,
				       NO_GOAL, 0 };
	static struct cell c;
	char where[40];

	c.crowd = (struct crowd){
		.n = 8,
		.k = k,
		.processes = processes,
		.cpus = ONE_CPU,
		.section = section_find("2us"),
	};
	c.where = name_cell(where, sizeof where, &c.crowd);
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
	figures_part('b', "eight on one cpu, 2 us of work inside");
	return one_cpu(r, 1, false) && one_cpu(r, 2, false) &&
	       one_cpu(r, 1, true) && one_cpu(r, 2, true);
}

/*
 * Two co-ran in a slice if the kernel says of each that it was kept waiting for
 * its cpu for no more than a twentieth of it.
 */
static bool two_cpus(struct run *r, bool processes)
{
	const struct wish by_sem_t = { "passages", "x sem_t", RATE, AT_LEAST,
				       1.3 };
	const struct wish by_ticket = { "passages", "x ticket", RATE, NO_GOAL,
					0 };
	static struct cell c;
	char where[40];

	c.crowd = (struct crowd){
		.n = 2,
		.k = 1,
		.processes = processes,
		.cpus = OWN_CPU,
		.section = section_find("2us"),
	};
	c.where = name_cell(where, sizeof where, &c.crowd);
	c.seconds = 0.005;
	c.most_delay = 0.05;
	c.enough = r->quick ? 61 : 301;
	c.patience = r->quick ? 4 : 60;
	if (!measure(&c, r, &rival_semaphore, "sem_t again", &rival_ticket))
		return false;
	figures_say("%-20s %zu of %zu blocks count: in these nobody waited "
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
	figures_part('c', "two, each on its cpu, 2 us of work inside");
	return two_cpus(r, false) && two_cpus(r, true);
}

static bool sleeping(struct run *r, bool processes)
{
	const struct wish goals[] = {
		{ "passages", "x sem_t", RATE, AT_LEAST, 0.97 },
		{ "CPU time of a passage", "x sem_t", CPU, AT_MOST, 1.2 },
		{ "share", "most/least", SHARE, AT_MOST, 1.05 },
		{ "longest wait in a slice", "ceil(T/k)", LONGEST, AT_MOST,
		  1.5 },
	};
	static struct cell c;
	char where[40];

	c.crowd = (struct crowd){
		.n = 16,
		.k = 4,
		.processes = processes,
		.section = section_find("1ms-sleep"),
	};
	c.where = name_cell(where, sizeof where, &c.crowd);
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
	figures_part('d', "sixteen, 1 ms of sleep inside");
	return sleeping(r, false) && sleeping(r, true);
}
