/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kexclusion: measures the algorithms that let at most k members in, and their
 * rivals (bench/rivals), with real threads and processes.  docs/bench.md says
 * what is measured and how to read the results.
 */
#include "bench/common/bench.h"
#include "bench/comparison/cells.h"
#include "bench/comparison/comparison.h"
#include "bench/comparison/description.h"
#include "bench/comparison/print.h"

#include <stdio.h>

static const char usage[] =
	"usage: kexclusion [OPTION]...\n"
	"\n"
	"Run every k-exclusion algorithm and common alternatives on real threads or\n"
	"processes that enter, work and leave without a pause, and compare each with\n"
	"sem_t in the same run.  Lists are separated by commas; each combination is a\n"
	"cell.\n"
	"\n"
	"  --on LIST         threads, processes (default: threads)\n"
	"  -T LIST           workers, 1 to 1024 (default: 8)\n"
	"  -k LIST           workers inside at most, 1 to 1024 (default: 2)\n"
	"  --section LIST    what a worker does inside: 2us or 20us of busy work, or\n"
	"                    1ms-sleep (default: 2us)\n"
	"  --only LIST       these contenders; sem_t is always measured, twice\n"
	"  --blocks N        11 to 1000 (default: 11)\n"
	"  --slice SECONDS   0.01 to 60 (default: 0.1; with 1ms-sleep: 1)\n"
	"  --seed N          of the random order in the blocks (default: a new one)\n"
	"  --quick           T=8 k=2 2us on threads, within 60 s\n"
	"  --report          eleven cells, within 30 minutes\n"
	"  --json FILE       write all results and samples to FILE\n"
	"  --patience S      a slice hangs if it has not ended S seconds after the\n"
	"                    workers were told to stop (default: 20)\n"
	"\n"
	"A block is one slice of each contender, in random order; a ratio compares two\n"
	"slices of the same block.  The table shows the median of the blocks and, in\n"
	"brackets, a 95% interval of it that holds for any distribution.  'sem_t again'\n"
	"is sem_t a second time: where its interval leaves 0.9 to 1.1, the cell is VOID.\n"
	"\n"
	"  passages/s  passages that ended during the slice; median of the blocks\n"
	"  share       passages of the worker with the most over passages of the\n"
	"              worker with the fewest in a slice; median\n"
	"  wait        from calling enter to being inside, in all slices together\n"
	"  overtakes   how many passages called enter after this one and were inside\n"
	"              before it: the most for any passage, and the 99th percentile.\n"
	"              A worker draws a number before it calls enter and another when\n"
	"              enter returns; the numbers are compared.  So a worker counts as\n"
	"              overtaken, too, if it is preempted between its first number and\n"
	"              the call, or after it was let in and before enter returned.\n"
	"  CPU us      user and system time of all workers per passage, work included\n"
	"\n"
	"exit: 0, also if a cell is void; 1 more than k workers were inside; 2 usage;\n"
	"4 a worker hangs, or a system call failed.\n"
	"\n"
	"contenders (condition is a mutex and a queue of conditions; --only also takes\n"
	"compositions such as renaming/k-ticket):\n";

static const char *const options[] = {
	"on",   "T",     "k",      "section", "only",     "blocks", "slice",
	"seed", "quick", "report", "json",    "patience", NULL,
};

static const struct rival *const rivals[] = {
	&rival_semaphore,
	&rival_semop,
	&rival_condition,
	NULL,
};

/*
 * All combinations of T, k, section and kind of worker would take hours.  So
 * --report measures only the cells below, each of which answers a question.
 * (Options select other cells.)
 *
 *   T=8  k=2   2us        the cell of --quick: short sections, more workers
 *                         than cpus; on threads and on processes
 *   T=1  k=1   2us        a worker alone: the cost of a passage
 *   T=4  k=4   2us        no worker has to wait, but all write shared memory
 *   T=2  k=1   2us        two workers take turns, each on a cpu of its own if
 *                         there are two; includes the mutual exclusion
 *                         algorithms
 *   T=16 k=4   20us       longer sections; on threads and on processes
 *   T=64 k=8   2us        many workers: algorithms that do not scale show here
 *   T=64 k=1   20us       the longest queue, on processes; includes the mutual
 *                         exclusion algorithms
 *   T=16 k=4   1ms-sleep  the cpus are idle: shows order of arrival, wake-ups
 *                         and CPU time of waiters; on threads and on processes.
 *                         Slices take a second, so only a selection of the
 *                         algorithms is measured
 *
 * The cells with long slices come last and get the time that remains after the
 * other cells.
 */

/*
 * The largest number of blocks of a cell; more blocks would narrow the
 * intervals only a little.
 */
enum { QUICK_BLOCKS = 61, REPORT_BLOCKS = 31 };

struct choice {
	unsigned n, k;
	const char *section;
	bool threads, processes;
};

static void add(struct cells *c, const struct choice *choice, bool processes)
{
	const struct section *section = section_find(choice->section);

	c->cell[c->count++] = (struct cell){
		.processes = processes,
		.n = choice->n,
		.k = choice->k,
		.section = section,
		.selection = section->sleeps,
		.least_slice = section->slice / (section->sleeps ? 1 : 2),
	};
}

static void choose_quick(struct cells *c)
{
	static const struct choice quick = { 8, 2, "2us", true, false };

	add(c, &quick, false);
	c->most_blocks = QUICK_BLOCKS;
	c->budget = 60;
}

static void choose_report(struct cells *c)
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

	for (size_t i = 0; i < sizeof report / sizeof *report; i++) {
		if (report[i].threads)
			add(c, &report[i], false);
		if (report[i].processes)
			add(c, &report[i], true);
	}
	c->most_blocks = REPORT_BLOCKS;
	c->budget = 1800;
}

enum { NAME = 18 };

static void print_head(const struct outcome *o)
{
	printf("\n%s: %u blocks of %zu slices of %g s\n",
	       label_of_cell(&o->cell).text, o->blocks, o->contenders.count,
	       o->slice);
	printf("%*s wait, us %31s\n", NAME + 41, "", "overtakes");
	printf("%-*s %10s  %-18s %7s %6s %6s %6s %7s %9s %5s %7s\n", NAME, "",
	       "passages/s", "ratio [95%]", "share", "p50", "p90", "p99", "max",
	       "most", "p99", "CPU us");
}

static void print_row(const struct outcome *o, size_t i)
{
	const struct row *row = &o->rows[i];
	struct waits wait = waits_of(&row->waits);

	printf("%-*s %10.0f  %4.2f [%4.2f, %4.2f] %8s %6s %6s %6s %7s %9ju "
	       "%5.0f %7s\n",
	       NAME, o->contenders.item[i].name, row->rate, row->ratio.median,
	       row->ratio.low, row->ratio.high, label_of_value(row->share).text,
	       label_of_value(wait.p50).text, label_of_value(wait.p90).text,
	       label_of_value(wait.p99).text, label_of_value(wait.max).text,
	       (uintmax_t)row->overtakes.largest,
	       histogram_quantile(&row->overtakes, 0.99),
	       label_of_value(row->cpu).text);
}

const struct comparison comparison = {
	.rivals = rivals,
	.again = "sem_t again",
	.k = 2,
	.quick = choose_quick,
	.report = choose_report,
	.print_head = print_head,
	.print_row = print_row,
};

const struct bench bench = {
	.name = "kexclusion",
	.usage = usage,
	.print_more_help = contenders_print,
	.options = options,
	.most_blocks = BLOCKS_MOST,
	.run = comparison_run,
	.clean_up = contenders_clean_up,
};
