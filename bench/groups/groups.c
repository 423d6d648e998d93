/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * groups: the algorithms of group exclusion, and their rivals, on real threads
 * and processes.  docs/bench.md says what is measured and how to read it.
 */
#include "bench/groups/groups.h"

#include "bench/common/bench.h"
#include "bench/common/output.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
	"usage: groups [OPTION]...\n"
	"\n"
	"Run every group exclusion algorithm, and what others use, on real threads or\n"
	"processes that ask for a session, enter, work and leave without a pause; and\n"
	"compare with a plain mutex in the same run.  Lists are separated by commas;\n"
	"each combination is a cell.\n"
	"\n"
	"  --on LIST         threads, processes (default threads)\n"
	"  -T LIST           participants, 1 to 1024 (default 8)\n"
	"  --sessions LIST   how many there are, 1 to 64 (default 2)\n"
	"  --fixed           a participant always asks for the same session: its\n"
	"                    number modulo the sessions (default)\n"
	"  --random          it asks for any, each time; with --fixed: both, cell by\n"
	"                    cell\n"
	"  --section LIST    what they do inside: 2us and 20us of busy work, or\n"
	"                    1ms-sleep (default 2us)\n"
	"  --only LIST       these contenders; mutex is always there, twice\n"
	"  --blocks N        11 to 1000 (default 11)\n"
	"  --slice SECONDS   0.01 to 60 (default 0.1; sections that sleep 1)\n"
	"  --seed N          of the order in the blocks and of random sessions\n"
	"                    (default: a new one)\n"
	"  --quick           T=8, 2 fixed sessions, 2us and 1ms-sleep, within 60 s\n"
	"  --report          T=8,16, 2 and 4 sessions, fixed and random, 2us and\n"
	"                    1ms-sleep, within 15 minutes\n"
	"  --alone           what a passage costs who is alone, and no cell; the other\n"
	"                    forms begin with it\n"
	"  --json FILE       everything, every sample too\n"
	"  --patience S      a slice that does not end in so many seconds after it\n"
	"                    was told to hangs (default 20)\n"
	"\n"
	"A block is one slice of each contender, in random order; a ratio is formed\n"
	"in its block.  Shown are median and, in brackets, a 95% interval of it that\n"
	"supposes nothing about the distribution.  'mutex again' is mutex once more:\n"
	"where its interval leaves 0.9 to 1.1 the cell is VOID.\n"
	"\n"
	"  passages/s  ended while the slice lasted; median of the blocks\n"
	"  inside      how many were inside, on average over the time of a slice:\n"
	"              what all of them spent between enter's return and the call of\n"
	"              leave, over the length of the slice; median\n"
	"  ideal       that as a part of T / sessions: as many as are inside if\n"
	"              sessions take turns with everybody in them; random ones may\n"
	"              have more, as any number can come to wait for the same\n"
	"  share       passages of who had most over those of who had least in a\n"
	"              slice; median\n"
	"  wait        from calling enter to being inside, of all slices together\n"
	"  CPU us      user and system time of all for each passage, work included\n"
	"\n"
	"exit: 0, also if void; 1 two sessions were inside; 2 usage; 4 somebody\n"
	"hangs, or the system failed us.\n"
	"\n"
	"contenders (room-fcfs, -batch and -fair are a mutex and a queue of conditions;\n"
	"with rwlock session 1 reads and session 2 writes, one at a time; with --only\n"
	"also compositions such as capture-cas/tree-mutex):\n";

static const struct option options[] = {
	{ "on", 1, NULL, 'o' },       { "section", 1, NULL, 's' },
	{ "sessions", 1, NULL, 'n' }, { "fixed", 0, NULL, 'f' },
	{ "random", 0, NULL, 'R' },   { "only", 1, NULL, 'O' },
	{ "blocks", 1, NULL, 'b' },   { "slice", 1, NULL, 'l' },
	{ "seed", 1, NULL, 'S' },     { "quick", 0, NULL, 'q' },
	{ "report", 0, NULL, 'r' },   { "json", 1, NULL, 'j' },
	{ "patience", 1, NULL, 'p' }, { "alone", 0, NULL, 'a' },
	{ "help", 0, NULL, 'h' },     { NULL, 0, NULL, 0 },
};

static const struct rival *const rivals[] = {
	&rival_mutex,     &rival_room_fcfs, &rival_room_batch,
	&rival_room_fair, &rival_rwlock,    NULL,
};

enum { NAME = 22 };

static void print_head(const struct outcome *o)
{
	printf("\n%s: %u blocks of %zu slices of %.2g s; ideal: %g inside\n",
	       progress_label(&o->cell).text, o->blocks, o->line_up.count,
	       o->slice, cell_ideal(&o->cell));
	printf("%*s wait, us\n", NAME + 54, "");
	printf("%-*s %10s  %-18s %6s %6s %7s %7s %7s %7s %8s %7s\n", NAME, "",
	       "passages/s", "ratio [95%]", "inside", "ideal", "share", "p50",
	       "p90", "p99", "max", "CPU us");
}

static void print_row(const struct outcome *o, size_t i)
{
	const struct row *row = &o->rows[i];
	struct waits wait = harvest_waits(&row->waits);

	printf("%-*s %10.0f  %4.2f [%4.2f, %4.2f]  %6.2f %5.0f%% %7s %7s %7s "
	       "%7s %8s %7s\n",
	       NAME, o->line_up.of[i].name, row->rate, row->ratio.median,
	       row->ratio.low, row->ratio.high, row->inside,
	       100 * row->inside / cell_ideal(&o->cell),
	       output_brief(row->share).text, output_brief(wait.p50).text,
	       output_brief(wait.p90).text, output_brief(wait.p99).text,
	       output_brief(wait.max).text, output_brief(row->cpu).text);
}

static size_t find(const struct outcome *o, const char *name)
{
	size_t i = 0;

	while (i < o->line_up.count && strcmp(o->line_up.of[i].name, name) != 0)
		i++;
	return i;
}

/*
 * The default algorithm beside its goals: with sections that sleep as many
 * inside as can be; with busy ones faster than a room of others that is as fair.
 */
static void print_ratio(const struct outcome *o, size_t at,
			const struct rival *rival, const char *goal)
{
	const size_t beside = find(o, rival->name);
	struct interval r;

	if (beside == o->line_up.count)
		return;
	r = measure_ratio(o, at, beside);
	printf("%s: %.2f [%.2f, %.2f] of the passages of %s%s\n",
	       o->line_up.of[at].name, r.median, r.low, r.high, rival->name,
	       goal);
}

static void print_foot(const struct outcome *o)
{
	static const char *const ours[] = { "room", "room-capture" };

	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
		const size_t at = find(o, ours[i]);

		if (at == o->line_up.count)
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

const struct bench bench = {
	.name = "groups",
	.usage = usage,
	.options = options,
	.letters = "T:h",
	.rivals = rivals,
	.again = "mutex again",
	.sessions = 2,
	.quick = groups_quick,
	.report = groups_report,
	.print_head = print_head,
	.print_row = print_row,
	.print_foot = print_foot,
	.alone = groups_alone,
};
