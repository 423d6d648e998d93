/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost help: a page for each command, and for what they have in common. */
#include "cli/command.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/pages.h"
#include "cli/print.h"

#include <stdio.h>
#include <string.h>

struct page {
	const char *name, *summary, *text;
};

/* clang-format off */
static const char check_text[] =
"usage: atmost check ALGORITHM [OPTION]...\n"
"\n"
"Search all schedules of a small instance for one that violates a property.\n"
"\n"
"  -n N              processes, 1 to 12 (default 3)\n"
"  -k K              at most K inside (default 1; group exclusion: no limit)\n"
"  -m M              sessions of a group exclusion algorithm (default 2)\n"
"  --passages P,...  passages of each process, or one number for all (default\n"
"                    1); 0: unbounded, where the states are finitely many\n"
"  --resize K,...    the last process makes no passages; it changes k to each\n"
"                    K in turn, where the algorithm can do that\n"
"  --crashes F       up to F processes stop for ever, unnoticed (default k-1\n"
"                    where the algorithm promises to bear that, else 0)\n"
"  --deaths D        up to D noticed deaths, each recovered (default 0)\n"
"  --aborts A        each process may give up A times (default 0)\n"
"  --property P      ask for this one; may be repeated (default: all that the\n"
"                    algorithm promises); see 'atmost help properties'\n"
"  --steps-of P      bounded-doorway, -leave, -abort and -apply: of process P\n"
"                    alone, from 0; with fewer counts there are fewer states\n"
"  --time S          stop after S seconds\n"
"  --memory M        for the states seen: 512M, 4G, bytes (default: half of\n"
"                    this machine's)\n"
"  --workers W       worker processes, 1 to 8 (default 2)\n"
"  --random          random schedules instead of all: for larger instances\n"
"    --seed S        of the random numbers (default 1)\n"
"    --depth D       longest schedule (default 10000); --time defaults to 10\n"
"  --json            one object on stdout\n"
"\n"
"The verdict is the exit code:\n"
"  0  holds: all schedules were searched, within the odds of hash compaction\n"
"     that are printed\n"
"  1  violated: and a schedule that shows it, which 'atmost trace' replays\n"
"  3  bounded: time or memory was used up, or the search was a random one\n"
"  2  the question makes no sense       4  an internal failure\n"
"\n"
"examples:\n"
"  atmost check k-ticket -n 4 -k 2\n"
"  atmost check bakery --passages 2,2,1 --property fcfs\n"
"  atmost check k-bakery -n 5 -k 2 --random --seed 7 --time 30\n";

static const char rmr_text[] =
"usage: atmost rmr ALGORITHM... -n N,... [OPTION]...\n"
"\n"
"Measure how many remote memory references a passage costs at worst, and\n"
"compare with the bound that the algorithm states.  One row for every\n"
"combination of algorithm, N, K and model.\n"
"\n"
"  -n N,...          processes\n"
"  -k K,...          at most K inside (default 1; group exclusion: no limit)\n"
"  -m M              sessions of a group exclusion algorithm (default 2)\n"
"  --contention C    at most C are outside their remainders (default: N)\n"
"  --model cc|dsm    cache-coherent or distributed memory (default: both)\n"
"  --smart-cache     a failed compare-and-swap invalidates nothing (cc)\n"
"  --aborts          who waits gives up now and then; no bound is claimed\n"
"  --adversary NAME  only this one: random, bursts, round-robin, nosy, stall,\n"
"                    full-house, crush; of group exclusions also\n"
"                    danek-3.1 (what leaving costs), danek-5.1 (how many\n"
"                    are inside together), impatient (what one pays who waits\n"
"                    while another comes and gives up)\n"
"  --seed S          of the adversaries' random numbers (default 1)\n"
"  --time S          seconds for a row (default 10)\n"
"  --steps S         so many steps of each adversary instead, and no search:\n"
"                    the same numbers every time, on every machine\n"
"  --json            one object on stdout\n"
"\n"
"The last column tells how: after all schedules of a small instance the worst\n"
"is the worst; 'adversary' and 'random' are the worst that was seen.\n"
"The mean is that of random schedules, or of the adversary asked for.\n"
"A process that waits on a word in another's memory makes remote references\n"
"without end: 'unbounded', with the word.\n"
"An N that needs more than 256 MiB of words is left out; the largest N that\n"
"was done is printed then.\n"
"\n"
"exit: 0; 1 if something is above its bound; 2 usage; 4 an internal failure\n"
"\n"
"examples:\n"
"  atmost rmr k-ticket -n 3 -k 1,2\n"
"  atmost rmr k-bakery k-ticket -n 8,16,32 --model cc --time 2\n";

static const char trace_text[] =
"usage: atmost trace FILE|SCHEDULE [--json]\n"
"\n"
"Replay a schedule step by step.  The operand is a file if one has this name,\n"
"- for standard input, and else the schedule itself; 'atmost help schedules'\n"
"says how it reads.  In a file, lines that begin with # are comments, and the\n"
"other ones are joined.\n"
"\n"
"A row is a step: the label of the line in the column of its process, what it\n"
"does to which word, the word's value, and * where that changed.\n"
"\n"
"exit: 1 if the schedule violates a property, 0 if not, 2 if it does not fit\n"
"the algorithm, 4 an internal failure\n"
"\n"
"examples:\n"
"  atmost trace 'k-ticket n=2 k=1 : 0*2 1 0 1*2'\n"
"  atmost check k-bakery -n 4 -k 2 --property fife --json |\n"
"    jq -r .schedule | atmost trace -\n";

static const char algorithms_text[] =
"usage: atmost algorithms [NAME]... [--json]\n"
"\n"
"List the algorithms, by the problem they solve, or tell all about some.\n"
"\n"
"The list leaves out what nearly all promise (at-most-k, bounded-leave, ...)\n"
"and what follows from something stronger; with NAMEs nothing is left out.\n"
"\n"
"  gives up         a process that waits may give up\n"
"  recovers         what a dead process left is undone\n"
"  crashes          k-1: nobody starves if k-1 processes stop for ever\n"
"  CC, DSM          most remote references that a passage was seen to cost\n"
"                   with 64 processes, k=4 or, of a mutex, k=1; 'no end': it\n"
"                   waits in another's memory\n"
"  RMRs             the bounds that are stated, as formulas\n"
"  simulated only   a reference for the checker: no machine has its steps\n"
"\n"
"examples:\n"
"  atmost algorithms\n"
"  atmost algorithms k-bakery\n"
"  atmost algorithms --json | jq -r '.algorithms[].name'\n";

static const char bench_text[] =
"usage: atmost bench ALGORITHM... [OPTION]...\n"
"\n"
"Run algorithms on real threads, through the public interface: each thread\n"
"enters and leaves as often as it can.\n"
"\n"
"  -n THREADS   (default: one a processor, two at least)\n"
"  -k K         at most K inside (default 1; group exclusion: no limit)\n"
"  --seconds S  for each algorithm (default 1)\n"
"  --json       one object on stdout\n"
"\n"
"Printed are passages a second; the most threads that were ever inside at\n"
"once, by a counter that knows nothing of the algorithm; the smallest and the\n"
"largest share of the passages that a thread got; and CPU time a passage.\n"
"In group exclusion the threads ask for two sessions, in turn.\n"
"\n"
"exit: 0; 1 if more than K were inside; 2 usage; 4 an internal failure\n"
"\n"
"example:\n"
"  atmost bench k-ticket k-bakery -n 4 -k 2\n";

static const char help_text[] =
"usage: atmost help [COMMAND|TOPIC]\n"
"\n"
"The same as 'atmost COMMAND --help'.  The manual page, atmost(1), has all of\n"
"it, and the fields of --json.\n";

static const char properties_text[] =
"What can be promised, and asked with --property:\n"
"\n"
"  at-most-k              never are more than k inside\n"
"  session-exclusion      all who are inside asked for the same session\n"
"  unique-slots           no two inside hold the same slot, all are below k\n"
"  no-deadlock            never do all wait for each other, or all step for\n"
"                         ever without anybody getting in\n"
"  no-starvation          whoever waits gets in, though --crashes may stop\n"
"  no-lost-wake           nobody sleeps for ever because a wake was forgotten\n"
"  bounded-doorway        the doorway ends within its bound of own steps\n"
"  bounded-leave          so does leaving\n"
"  bounded-abort          so does giving up\n"
"  bounded-apply          so does an operation of an object, or finishing that\n"
"                         of a dead process\n"
"  fcfs                   who ended its doorway before another began enters\n"
"                         first (in group exclusion: of different sessions)\n"
"  k-fcfs                 nobody enters before all of k who ended the doorway\n"
"                         before it began\n"
"  fife                   who is overtaken can from then on enter on its own,\n"
"                         whatever the others do\n"
"  bounded-bypass         who waits is overtaken by conflicting ones no more\n"
"                         often than the algorithm's bound says\n"
"  concurrent-entering    nobody waits if all others want the same session\n"
"  strong-concurrent-entering\n"
"                         nobody waits if all of other sessions came later\n"
"  linearizable           an object's operations seem to happen one by one\n"
"  quiescence             when nobody is there, the words are as they should\n"
"  invariant              the algorithm's own invariant is true\n";

static const char schedules_text[] =
"A schedule is a question and who steps when, in one line:\n"
"\n"
"  ALGORITHM n=N [k=K] [m=M] [passages=P,...] [crashes=F] [deaths=D]\n"
"            [aborts=A] [resize=K,...] [wakes] : STEP...\n"
"\n"
"  P      process P makes its next step, or begins its passage or recovery\n"
"  P*C    the same, C times\n"
"  P=V    its read overlaps a write of a safe register and returns V\n"
"  P@S    it begins a passage with session S, or operation S of an object\n"
"  Pa     it gives up waiting\n"
"  Pd     it dies, and that will be noticed\n"
"  Pn     its nap is over: nothing else moves, and it looks again\n"
"  |      from here on the schedule repeats for ever\n"
"\n"
"'wakes': nobody naps, and a wake is a step where somebody sleeps on the word\n"
"(this is how no-lost-wake is searched).\n"
"\n"
"example:\n"
"  atmost trace 'bakery n=2 k=1 passages=1,1 : 0*3 1*3'\n";
/* clang-format on */

static const struct page pages[] = {
	{ "run", "run a command, at most k at once", page_run },
	{ "status", "who runs, and who waits", page_status },
	{ "pools", "list the pools", page_pools },
	{ "resize", "change how many may run", page_resize },
	{ "repair", "free what the dead have held", page_repair },
	{ "remove", "remove a pool", page_remove },
	{ "check", "search all schedules for a violation", check_text },
	{ "rmr", "count remote memory references", rmr_text },
	{ "trace", "replay a schedule step by step", trace_text },
	{ "algorithms", "list the algorithms", algorithms_text },
	{ "bench", "run algorithms on real threads", bench_text },
	{ "help", "this, or the page of a command or topic", help_text },
	{ "properties", "what can be asked", properties_text },
	{ "schedules", "how a schedule reads", schedules_text },
};

enum { PAGES = sizeof pages / sizeof *pages };

static void print_overview(void)
{
	printf("usage: atmost COMMAND ...\n\n"
	       "At most k commands at once, in order of arrival, whatever "
	       "dies; and a laboratory\nfor the algorithms that see to it.\n"
	       "\ncommands:\n");
	for (size_t i = 0; i < PAGES; i++) {
		if (i == command_count)
			printf("\ntopics of help:\n");
		if (strcmp(pages[i].name, "check") == 0)
			printf("\nthe laboratory:\n");
		if (strcmp(pages[i].name, "help") == 0)
			printf("\n");
		printf("  %-12s%s\n", pages[i].name, pages[i].summary);
	}
	printf("\n'atmost help COMMAND' tells the options; "
	       "'atmost --version' the version.\n"
	       "\nexamples:\n"
	       "  atmost run -k 2 backup -- rsync -a /home /mnt/backup\n"
	       "  atmost status backup\n"
	       "  atmost check k-ticket -n 3 -k 2\n"
	       "  atmost rmr k-ticket -n 3,4 --model cc\n");
}

int help_print(const char *name)
{
	const char *names[PAGES + 1] = { NULL }, *near;

	for (size_t i = 0; i < PAGES; i++) {
		if (strcmp(pages[i].name, name) == 0) {
			fputs(pages[i].text, stdout);
			return EXIT_FINE;
		}
		names[i] = pages[i].name;
	}
	near = nearest_name(name, names);
	fprintf(stderr, "atmost help: there is no page '%s'", name);
	if (near)
		fprintf(stderr, "; is '%s' meant?", near);
	fprintf(stderr, "\ntry 'atmost help'\n");
	return EXIT_USAGE;
}

int command_help(int argc, char **argv)
{
	if (argc > 2)
		return usage_error("help", "one page at a time");
	if (argc < 2)
		print_overview();
	return argc < 2 ? EXIT_FINE : help_print(argv[1]);
}
