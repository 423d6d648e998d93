/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report's cells are all combinations of 8 and 16 threads, 2 and 4
 * sessions, fixed and random, and two sections: with 2 us of work it shows what
 * a change of session costs, with 1 ms of sleep how many are inside together.
 * The quick form's are the two of 8 threads and 2 fixed sessions.
 *
 * The long slices come last, so that they get the time the others left.
 */
#include "bench/groups/groups.h"

#include "bench/common/forms.h"

/* At most: more narrows the intervals but little. */
enum { QUICK_BLOCKS = 61, REPORT_BLOCKS = 31 };

static const char *const usual[] = { "2us", "1ms-sleep" };

/* A tenth of a second has some ninety sections that sleep, one by one. */
static void add(struct options *o, const char *name, unsigned n,
		unsigned sessions, bool random)
{
	const struct section *section = section_find(name);

	o->cells[o->cell_count++] = (struct cell){
		.n = n,
		.sessions = sessions,
		.random = random,
		.section = section,
		.least_slice = section->slice / (section->sleeps ? 10 : 2),
	};
}

void groups_quick(struct options *o)
{
	o->cell_count = 0;
	for (size_t i = 0; i < 2; i++)
		add(o, usual[i], 8, 2, false);
	o->blocks = QUICK_BLOCKS;
	o->budget = 60;
}

void groups_report(struct options *o)
{
	o->cell_count = 0;
	for (size_t i = 0; i < 2; i++)
		for (unsigned n = 8; n <= 16; n += 8)
			for (unsigned sessions = 2; sessions <= 4;
			     sessions += 2)
				for (unsigned random = 0; random <= 1; random++)
					add(o, usual[i], n, sessions, random);
	o->blocks = REPORT_BLOCKS;
	o->budget = 900;
}
