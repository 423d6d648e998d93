/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * enter: what the default algorithm costs a program that calls the library,
 * beside what the program would call otherwise, and beside the goals.
 * docs/bench.md says what is measured and how to read it.
 */
#include "bench/common/clock.h"
#include "bench/common/section.h"
#include "bench/enter/door.h"
#include "bench/enter/figure.h"
#include "bench/enter/parts.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: enter [OPTION]...\n"
	"\n"
	"Enter and leave an object of " OURS
	" through the shared library, on threads\n"
	"and on processes, and compare with what others use in the same run.\n"
	"\n"
	"  --quick        within a minute\n"
	"  --parts ABC    these parts only (default abcdef)\n"
	"  --seed N       of the order in the blocks (default: a new one)\n"
	"  --json FILE    every figure with its samples\n"
	"\n"
	"parts:\n"
	"  a  alone: time, system calls and instructions of a passage\n"
	"  b  eight on one cpu, 2 us inside: CPU time of a passage\n"
	"  c  two on two cpus, 2 us inside: passages a second\n"
	"  d  sixteen, k=4, 1 ms of sleep inside: passages, CPU time, share, waits\n"
	"  e  overtakes of those who already slept\n"
	"  f  CPU use of a hundred waiters\n"
	"\n"
	"A block is one slice of each contender, in random order; a ratio is formed\n"
	"in its block.  Shown are median and, in brackets, a 95% interval of it that\n"
	"supposes nothing about the distribution.  'again' is the base once more:\n"
	"where its interval leaves 0.9 to 1.1 the figures are VOID.\n"
	"\n"
	"exit: 0, also if void or a goal is missed; 1 too many were inside, somebody\n"
	"hangs, or the system failed us; 2 usage.\n";

static const struct part {
	char letter;
	bool (*make)(struct run *r);
} parts[] = {
	{ 'a', part_alone },    { 'b', part_one_cpu }, { 'c', part_two_cpus },
	{ 'd', part_sleeping }, { 'e', part_order },   { 'f', part_waiters },
};

struct wanted {
	const char *parts, *json;
	uint64_t seed;
	bool quick;
};

static int refuse(const char *what, const char *text)
{
	fprintf(stderr, "enter: %s '%s'\ntry 'enter --help'\n", what, text);
	return 2;
}

/* What the kernel keeps for us would outlive us; our processes do not. */
static void clean_up(int signal)
{
	doors_abandon();
	raise(signal); /* SA_RESETHAND: when we return, it ends us */
}

static void watch_signals(void)
{
	const int signals[] = { SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
				SIGABRT, SIGSEGV, SIGBUS };
	struct sigaction action = {
		.sa_handler = clean_up,
		.sa_flags = (int)SA_RESETHAND,
	};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &action, NULL);
	atexit(doors_abandon);
}

static int run(const struct wanted *w)
{
	struct run r = { .quick = w->quick, .random = w->seed };
	const struct machine machine = machine_look();
	const int64_t start = clock_now();

	watch_signals();
	r.speed = section_speed();
	figures_begin(&machine, w->seed, r.speed);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strchr(w->parts, parts[i].letter) && !parts[i].make(&r))
			return 1;
	if (!figures_end(w->json, (double)(clock_now() - start) / SECOND)) {
		fprintf(stderr, "enter: %s: %s\n", w->json, strerror(errno));
		return 1;
	}
	return 0;
}

/* 0, or what to end with; -1: go on. */
static int read_option(struct wanted *w, int option, char **argv)
{
	char *end = NULL;

	switch (option) {
	case 'h':
		fputs(usage, stdout);
		return 0;
	case 'q':
		w->quick = true;
		break;
	case 'p':
		if (!*optarg || strspn(optarg, "abcdef") < strlen(optarg))
			return refuse("--parts: parts are a to f, not", optarg);
		w->parts = optarg;
		break;
	case 's':
		w->seed = strtoull(optarg, &end, 10);
		if (*optarg < '0' || *optarg > '9' || *end)
			return refuse("--seed: no number:", optarg);
		break;
	case 'j':
		w->json = optarg;
		break;
	default:
		return refuse("no such option, or it lacks its argument:",
			      argv[optind - 1]);
	}
	return -1;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", 0, NULL, 'h' },  { "quick", 0, NULL, 'q' },
		{ "parts", 1, NULL, 'p' }, { "seed", 1, NULL, 's' },
		{ "json", 1, NULL, 'j' },  { NULL, 0, NULL, 0 },
	};
	struct wanted w = { .parts = "abcdef" };
	int option, code;

	/* For callgrind: see common/calls.c. */
	if (argc == 4 && strcmp(argv[1], "--pass") == 0)
		return !alone_pass(argv[2], strtoul(argv[3], NULL, 10));
	w.seed = (uint64_t)(clock_read(CLOCK_REALTIME) / 1000 % 1000000000);
	opterr = 0;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		code = read_option(&w, option, argv);
		if (code >= 0)
			return code;
	}
	if (optind < argc)
		return refuse("not an option:", argv[optind]);
	return run(&w);
}
