/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All combinations of T, k, section and kind of participant would take the
 * report hours.  These cells each answer a question; `-T 1,2,4,8,16,64 -k
 * 1,2,4,8` and so on make any others.
 *
 *   T=8  k=2   2us        the quick form's: short sections, more contention
 *                         than cpus; on threads and on processes
 *   T=1  k=1   2us        nobody else is there: what a passage costs
 *   T=4  k=4   2us        nobody ever has to wait, but all write
 *   T=2  k=1   2us        two take turns, each on its cpu if there are two;
 *                         with the mutual exclusion algorithms
 *   T=16 k=4   20us       longer sections; on threads and on processes
 *   T=64 k=8   2us        a crowd: what does not scale shows here
 *   T=64 k=1   20us       the longest queue, on processes; with the mutual
 *                         exclusion algorithms
 *   T=16 k=4   1ms-sleep  the cpus are idle: order of arrival, wake-ups and
 *                         CPU time of waiters; on threads and on processes.
 *                         Slices of a second: a selection of the algorithms
 *
 * The long slices come last, so that they get the time the others left.
 */
#include "bench/kexclusion/kexclusion.h"

#include "bench/common/forms.h"

/* At most: more narrows the intervals but little. */
enum { QUICK_BLOCKS = 61, REPORT_BLOCKS = 31 };

struct choice {
	unsigned n, k;
	const char *section;
	bool threads, processes;
};

static void add(struct options *o, const struct choice *c, bool processes)
{
	const struct section *section = section_find(c->section);

	o->cells[o->cell_count++] = (struct cell){
		.processes = processes,
		.n = c->n,
		.k = c->k,
		.section = section,
		.selection = section->sleeps,
		.least_slice = section->slice / (section->sleeps ? 1 : 2),
	};
}

void kexclusion_quick(struct options *o)
{
	static const struct choice quick = { 8, 2, "2us", true, false };

	o->cell_count = 0;
	add(o, &quick, false);
	o->blocks = QUICK_BLOCKS;
	o->budget = 60;
}

void kexclusion_report(struct options *o)
{
	static const struct choice report[] = {
		{ 8, 2, "2us", true, true },
		{ 1, 1, "2us", true, false },
		{ 4, 4, "2us", true, false },
		{ 2, 1, "2us", true, false },
		{ 16, 4, "20us", true, true },
		{ 64, 8, "2us", true, false },
		{ 64, 1, "20us", false, true },
		{ 16, 4, "1ms-sleep", true, true },
	};

	o->cell_count = 0;
	for (size_t i = 0; i < sizeof report / sizeof *report; i++) {
		if (report[i].threads)
			add(o, &report[i], false);
		if (report[i].processes)
			add(o, &report[i], true);
	}
	o->blocks = REPORT_BLOCKS;
	o->budget = 1800;
}
