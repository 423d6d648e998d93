/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kexclusion: the algorithms that let at most k in, and their rivals, on real
 * threads and processes.  docs/bench.md says what is measured and how to read
 * it.
 */
#include "bench/kexclusion/kexclusion.h"

#include "bench/common/bench.h"
#include "bench/common/output.h"

#include <stdio.h>

static const char usage[] =
	"usage: kexclusion [OPTION]...\n"
	"\n"
	"Run every k-exclusion algorithm, and what others use, on real threads or\n"
	"processes that enter, work and leave without a pause; and compare with sem_t\n"
	"in the same run.  Lists are separated by commas; each combination is a cell.\n"
	"\n"
	"  --on LIST         threads, processes (default threads)\n"
	"  -T LIST           participants, 1 to 1024 (default 8)\n"
	"  -k LIST           at most so many inside, 1 to 1024 (default 2)\n"
	"  --section LIST    what they do inside: 2us and 20us of busy work, or\n"
	"                    1ms-sleep (default 2us)\n"
	"  --only LIST       these contenders; sem_t is always there, twice\n"
	"  --blocks N        11 to 1000 (default 11)\n"
	"  --slice SECONDS   0.01 to 60 (default 0.1; sections that sleep 1)\n"
	"  --seed N          of the order in the blocks (default: a new one)\n"
	"  --quick           T=8 k=2 2us on threads, within 60 s\n"
	"  --report          cells that tell something, within 30 minutes\n"
	"  --json FILE       everything, every sample too\n"
	"  --patience S      a slice that does not end in so many seconds after it\n"
	"                    was told to hangs (default 20)\n"
	"\n"
	"A block is one slice of each contender, in random order; a ratio is formed\n"
	"in its block.  Shown are median and, in brackets, a 95% interval of it that\n"
	"supposes nothing about the distribution.  'sem_t again' is sem_t once more:\n"
	"where its interval leaves 0.9 to 1.1 the cell is VOID.\n"
	"\n"
	"  passages/s  ended while the slice lasted; median of the blocks\n"
	"  share       passages of who had most over those of who had least in a\n"
	"              slice; median\n"
	"  wait        from calling enter to being inside, of all slices together\n"
	"  overtakes   how many who called enter after one did were inside before it:\n"
	"              the largest number of one passage, and the 99th percentile.\n"
	"              Calls and returns of enter draw numbers from two counters, and\n"
	"              these are compared: a participant that is preempted between\n"
	"              its number and its call, or when it may enter and has not\n"
	"              returned yet, is overtaken too.\n"
	"  CPU us      user and system time of all for each passage, work included\n"
	"\n"
	"exit: 0, also if void; 1 more than k were inside; 2 usage; 4 somebody hangs,\n"
	"or the system failed us.\n"
	"\n"
	"contenders (condition is a mutex and a queue of conditions; with --only also\n"
	"compositions such as renaming/k-ticket):\n";

static const struct option options[] = {
	{ "on", 1, NULL, 'o' },    { "section", 1, NULL, 's' },
	{ "only", 1, NULL, 'O' },  { "blocks", 1, NULL, 'b' },
	{ "slice", 1, NULL, 'l' }, { "seed", 1, NULL, 'S' },
	{ "quick", 0, NULL, 'q' }, { "report", 0, NULL, 'r' },
	{ "json", 1, NULL, 'j' },  { "patience", 1, NULL, 'p' },
	{ "help", 0, NULL, 'h' },  { NULL, 0, NULL, 0 },
};

static const struct rival *const rivals[] = {
	&rival_semaphore,
	&rival_semop,
	&rival_condition,
	NULL,
};

enum { NAME = 18 };

static void print_head(const struct outcome *o)
{
	printf("\n%s: %u blocks of %zu slices of %g s\n",
	       progress_label(&o->cell).text, o->blocks, o->line_up.count,
	       o->slice);
	printf("%*s wait, us %31s\n", NAME + 41, "", "overtakes");
	printf("%-*s %10s  %-18s %7s %6s %6s %6s %7s %9s %5s %7s\n", NAME, "",
	       "passages/s", "ratio [95%]", "share", "p50", "p90", "p99", "max",
	       "most", "p99", "CPU us");
}

static void print_row(const struct outcome *o, size_t i)
{
	const struct row *row = &o->rows[i];
	struct waits wait = harvest_waits(&row->waits);

	printf("%-*s %10.0f  %4.2f [%4.2f, %4.2f] %8s %6s %6s %6s %7s %9ju "
	       "%5.0f %7s\n",
	       NAME, o->line_up.of[i].name, row->rate, row->ratio.median,
	       row->ratio.low, row->ratio.high, output_brief(row->share).text,
	       output_brief(wait.p50).text, output_brief(wait.p90).text,
	       output_brief(wait.p99).text, output_brief(wait.max).text,
	       (uintmax_t)row->overtakes.largest,
	       histogram_quantile(&row->overtakes, 0.99),
	       output_brief(row->cpu).text);
}

const struct bench bench = {
	.name = "kexclusion",
	.usage = usage,
	.options = options,
	.letters = "T:k:h",
	.rivals = rivals,
	.again = "sem_t again",
	.k = 2,
	.quick = kexclusion_quick,
	.report = kexclusion_report,
	.print_head = print_head,
	.print_row = print_row,
};
