/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * groups: measures the group exclusion algorithms and their rivals
 * (bench/rivals), with real threads and processes.  docs/bench.md says what is
 * measured and how to read the results.
 */
#include "bench/common/bench.h"
#include "bench/comparison/cells.h"
#include "bench/comparison/comparison.h"
#include "bench/comparison/description.h"
#include "bench/comparison/print.h"
#include "bench/groups/alone.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
	"usage: groups [OPTION]...\n"
	"\n"
	"Run every group exclusion algorithm and common alternatives on real threads or\n"
	"processes that ask for a session, enter, work and leave without a pause, and\n"
	"compare each with a plain mutex in the same run.  Lists are separated by\n"
	"commas; each combination is a cell.\n"
	"\n"
	"  --on LIST         threads, processes (default: threads)\n"
	"  -T LIST           workers, 1 to 1024 (default: 8)\n"
	"  --sessions LIST   number of sessions, 1 to 64 (default: 2)\n"
	"  --fixed           a worker always asks for the same session: its number\n"
	"                    modulo the number of sessions (default)\n"
	"  --random          a worker asks for a random session each time; with\n"
	"                    --fixed: cells of both kinds\n"
	"  --section LIST    what a worker does inside: 2us or 20us of busy work, or\n"
	"                    1ms-sleep (default: 2us)\n"
	"  --only LIST       these contenders; mutex is always measured, twice\n"
	"  --blocks N        11 to 1000 (default: 11)\n"
	"  --slice SECONDS   0.01 to 60 (default: 0.1; with 1ms-sleep: 1)\n"
	"  --seed N          of the random order in the blocks and of random sessions\n"
	"                    (default: a new one)\n"
	"  --quick           T=8, 2 fixed sessions, 2us and 1ms-sleep, within 60 s\n"
	"  --report          T=8,16, 2 and 4 sessions, fixed and random, 2us and\n"
	"                    1ms-sleep, within 15 minutes\n"
	"  --alone           only what a passage costs a worker that is alone;\n"
	"                    --quick and --report begin with it\n"
	"  --json FILE       write all results and samples to FILE\n"
	"  --patience S      a slice hangs if it has not ended S seconds after the\n"
	"                    workers were told to stop (default: 20)\n"
	"\n"
	"A block is one slice of each contender, in random order; a ratio compares two\n"
	"slices of the same block.  The table shows the median of the blocks and, in\n"
	"brackets, a 95% interval of it that holds for any distribution.  'mutex again'\n"
	"is mutex a second time: if its interval is not within 0.9 to 1.1, the cell is VOID.\n"
	"\n"
	"  passages/s  passages that ended during the slice; median of the blocks\n"
	"  inside      how many workers were inside, averaged over the slice: the time\n"
	"              of all workers between the return of enter and the call of\n"
	"              leave, over the length of the slice; median\n"
	"  ideal       inside as a part of T / sessions, the number of workers that\n"
	"              are inside if sessions take turns and all their workers enter;\n"
	"              random sessions can exceed it, because more workers than that\n"
	"              may wait for the same session\n"
	"  share       passages of the worker with the most over passages of the\n"
	"              worker with the fewest in a slice; median\n"
	"  wait        from calling enter to being inside, in all slices together\n"
	"  CPU us      user and system time of all workers per passage, work included\n"
	"\n"
	"exit: 0, also if a cell is void; 1 two sessions were inside at once; 2 usage;\n"
	"4 a worker hangs, or a system call failed.\n"
	"\n"
	"contenders (room-fcfs, -batch and -fair are a mutex and a queue of conditions;\n"
	"with rwlock session 1 reads and session 2 writes, one at a time; --only also\n"
	"takes compositions such as capture-cas/tree-mutex):\n";

static const char *const options[] = {
	"on",   "T",        "sessions", "fixed", "random", "section",
	"only", "blocks",   "slice",    "seed",  "quick",  "report",
	"json", "patience", "alone",    NULL,
};

static const struct rival *const rivals[] = {
	&rival_mutex,     &rival_room_fcfs, &rival_room_batch,
	&rival_room_fair, &rival_rwlock,    NULL,
};

/*
 * The cells of --report are all combinations of 8 or 16 threads, 2 or 4
 * sessions, fixed or random sessions, and two sections.  The section with 2 us
 * of work shows the cost of a change of session; the section with 1 ms of sleep
 * shows how many workers are inside together.  The cells of --quick are the two
 * with 8 threads and 2 fixed sessions.
 *
 * The cells with long slices come last and get the time that remains after the
 * other cells.
 */

/*
 * The largest number of blocks of a cell; more blocks would narrow the
 * intervals only a little.
 */
enum { QUICK_BLOCKS = 61, REPORT_BLOCKS = 31 };

static const char *const form_sections[] = { "2us", "1ms-sleep" };

/* A slice with sections that sleep is at least 0.1 s long: about ninety such
 * sections fit into it, one after the other. */
static void add(struct cells *c, const char *name, unsigned n,
		unsigned sessions, bool random)
{
	const struct section *section = section_find(name);

	c->cell[c->count++] = (struct cell){
		.n = n,
		.sessions = sessions,
		.random = random,
		.section = section,
		.least_slice = section->slice / (section->sleeps ? 10 : 2),
	};
}

static void choose_quick(struct cells *c)
{
	for (size_t i = 0; i < 2; i++)
		add(c, form_sections[i], 8, 2, false);
	c->most_blocks = QUICK_BLOCKS;
	c->budget = 60;
}

static void choose_report(struct cells *c)
{
	for (size_t i = 0; i < 2; i++)
		for (unsigned n = 8; n <= 16; n += 8)
			for (unsigned sessions = 2; sessions <= 4;
			     sessions += 2)
				for (unsigned random = 0; random <= 1; random++)
					add(c, form_sections[i], n, sessions,
					    random);
	c->most_blocks = REPORT_BLOCKS;
	c->budget = 900;
}

enum { NAME = 22 };

static void print_head(const struct outcome *o)
{
	printf("\n%s: %u blocks of %zu slices of %.2g s; ideal: %g inside\n",
	       label_of_cell(&o->cell).text, o->blocks, o->contenders.count,
	       o->slice, cell_ideal(&o->cell));
	printf("%*s wait, us\n", NAME + 54, "");
	printf("%-*s %10s  %-18s %6s %6s %7s %7s %7s %7s %8s %7s\n", NAME, "",
	       "passages/s", "ratio [95%]", "inside", "ideal", "share", "p50",
	       "p90", "p99", "max", "CPU us");
}

static void print_row(const struct outcome *o, size_t i)
{
	const struct row *row = &o->rows[i];
	struct waits wait = waits_of(&row->waits);

	printf("%-*s %10.0f  %4.2f [%4.2f, %4.2f]  %6.2f %5.0f%% %7s %7s %7s "
	       "%7s %8s %7s\n",
	       NAME, o->contenders.item[i].name, row->rate, row->ratio.median,
	       row->ratio.low, row->ratio.high, row->inside,
	       100 * row->inside / cell_ideal(&o->cell),
	       label_of_value(row->share).text, label_of_value(wait.p50).text,
	       label_of_value(wait.p90).text, label_of_value(wait.p99).text,
	       label_of_value(wait.max).text, label_of_value(row->cpu).text);
}

static size_t find(const struct outcome *o, const char *name)
{
	size_t i = 0;

	while (i < o->contenders.count &&
	       strcmp(o->contenders.item[i].name, name) != 0)
		i++;
	return i;
}

static void print_ratio(const struct outcome *o, size_t at,
			const struct rival *rival, const char *goal)
{
	const size_t beside = find(o, rival->name);
	struct interval r;

	if (beside == o->contenders.count)
		return;
	r = measure_ratio(o, at, beside);
	printf("%s: %.2f [%.2f, %.2f] of the passages of %s%s\n",
	       o->contenders.item[at].name, r.median, r.low, r.high,
	       rival->name, goal);
}

/*
 * Prints the results of our algorithms with their goals.  With sections that
 * sleep, the goal is to have as many workers inside as possible.  With busy
 * sections, the goal is to make more passages than room-fair, a fair room made
 * of a mutex and conditions.
 */
static void print_foot(const struct outcome *o)
{
	static const char *const ours[] = { "room", "room-capture", "hall" };

	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
		const size_t at = find(o, ours[i]);

		if (at == o->contenders.count)
			continue;
		if (o->cell.section->sleeps) {
			printf("%s: %.2f of the ideal inside, goal 0.95\n",
			       ours[i],
			       o->rows[at].inside / cell_ideal(&o->cell));
			continue;
		}
		print_ratio(o, at, &rival_room_fair, ", goal 2.5");
		print_ratio(o, at, &rival_room_batch, "");
	}
}

const struct comparison comparison = {
	.rivals = rivals,
	.again = "mutex again",
	.sessions = 2,
	.quick = choose_quick,
	.report = choose_report,
	.print_head = print_head,
	.print_row = print_row,
	.print_foot = print_foot,
	.alone = measure_alone,
};

const struct bench bench = {
	.name = "groups",
	.usage = usage,
	.print_more_help = contenders_print,
	.options = options,
	.most_blocks = BLOCKS_MOST,
	.run = comparison_run,
	.clean_up = contenders_clean_up,
};
