/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * resilient: what an operation on a resilient object costs, beside the same
 * object under a mutex or in one word; and what is left of each when somebody
 * ends in the middle.  docs/bench.md says what is measured and how to read it.
 */
#include "bench/common/clock.h"
#include "bench/common/section.h"
#include "bench/resilient/parts.h"
#include "bench/resilient/results.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: resilient [OPTION]...\n"
	"\n"
	"Apply operations to a counter and to a book of 64 words, kept by the library's\n"
	"resilient object, by a mutex, by a robust process-shared mutex and, the\n"
	"counter, by compare-and-swap.  The object is there with k from 1 to 32 and 64\n"
	"members, and with k=4 and 4 to 64 members.\n"
	"\n"
	"  --quick         within a minute\n"
	"  --parts ABC     these parts only (default abcdef)\n"
	"  --blocks N      11 to 64 (default 61; quick 21)\n"
	"  --patience S    who makes no operation in so many seconds is stopped, 0.1 to\n"
	"                  3600 (default 2)\n"
	"  --seed N        of the order in the blocks (default: a new one)\n"
	"  --json FILE     everything, every sample too\n"
	"\n"
	"parts:\n"
	"  a  alone: time of an operation\n"
	"  b  two threads\n"
	"  c  eight threads\n"
	"  d  instructions and system calls of an operation, counted\n"
	"  e  some are killed -9 in the middle of an operation: what others can do\n"
	"  f  some stop there, and nobody notices\n"
	"\n"
	"A block is one slice of each, in random order; a ratio is formed in its\n"
	"block.  Shown are median and, in brackets, a 95% interval of it that supposes\n"
	"nothing about the distribution.  'mutex again' is the mutex once more, and\n"
	"'object again' the object with k=4 and 64 members: where its interval leaves 0.9\n"
	"to 1.1 the ratios, or the growth, are VOID.\n"
	"\n"
	"  CPU ns    of all threads for an operation\n"
	"  x mutex   that, as a ratio to the mutex's\n"
	"  growth    that, as a ratio to the first of the series over k, or over n\n"
	"  others    of e and f: whether a process that comes afterwards goes on\n"
	"  state     whether an operation is half done; and whether those of the killed\n"
	"            or stopped have happened\n"
	"\n"
	"exit: 0, also if void; 1 an object is not what its operations make of it,\n"
	"somebody hangs, or the system failed us; 2 usage.\n";

static const struct part {
	char letter;
	bool (*make)(struct run *r);
} parts[] = {
	{ 'a', part_alone },  { 'b', part_two },    { 'c', part_crowd },
	{ 'd', part_counts }, { 'e', part_killed }, { 'f', part_stopped },
};

struct wanted {
	const char *parts, *json;
	double patience;
	uint64_t seed;
	unsigned blocks; /* 0: as usual */
	bool quick;
};

static int refuse(const char *what, const char *text)
{
	fprintf(stderr, "resilient: %s '%s'\ntry 'resilient --help'\n", what,
		text);
	return 2;
}

/* Before the first part too: a wrong name shows at once. */
static bool write_so_far(const struct wanted *w)
{
	if (results_write(w->json))
		return true;
	fprintf(stderr, "resilient: %s: %s\n", w->json, strerror(errno));
	return false;
}

static int run(const struct wanted *w)
{
	struct run r = {
		.quick = w->quick,
		.blocks = w->blocks  ? w->blocks
			  : w->quick ? 21
				     : 61,
		.patience = w->patience,
		.random = w->seed,
	};
	const struct machine machine = machine_look();
	const int64_t start = clock_now();

	results_begin(&machine, w->seed, section_speed());
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!strchr(w->parts, parts[i].letter))
			continue;
		if (!write_so_far(w) || !parts[i].make(&r))
			return 1;
	}
	results_end((double)(clock_now() - start) / SECOND);
	return !write_so_far(w);
}

static bool read_number(const char *text, uint64_t least, uint64_t most,
			uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno &&
	       *number >= least && *number <= most;
}

/* 0, or what to end with; -1: go on. */
static int read_option(struct wanted *w, int option, char **argv)
{
	uint64_t number;
	char *end;

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
	case 'P':
		w->patience = strtod(optarg, &end);
		if (end == optarg || *end ||
		    !(w->patience >= 0.1 && w->patience <= 3600))
			return refuse("--patience: not from 0.1 to 3600 "
				      "seconds:",
				      optarg);
		break;
	case 's':
		/* JSON has no larger numbers. */
		if (!read_number(optarg, 0, INT64_MAX, &w->seed))
			return refuse("--seed: no number:", optarg);
		break;
	case 'b':
		if (!read_number(optarg, BLOCKS_LEAST, BLOCKS_MOST, &number))
			return refuse("--blocks: no number from 11 to 64:",
				      optarg);
		w->blocks = (unsigned)number;
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

/* For callgrind: see common/calls.c.  FUNCTION K N COUNT */
static int pass(char **argument)
{
	return !counts_pass(argument[0],
			    (unsigned)strtoul(argument[1], NULL, 10),
			    (unsigned)strtoul(argument[2], NULL, 10),
			    strtoul(argument[3], NULL, 10));
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", 0, NULL, 'h' },     { "quick", 0, NULL, 'q' },
		{ "parts", 1, NULL, 'p' },    { "seed", 1, NULL, 's' },
		{ "patience", 1, NULL, 'P' }, { "json", 1, NULL, 'j' },
		{ "blocks", 1, NULL, 'b' },   { NULL, 0, NULL, 0 },
	};
	struct wanted w = { .parts = "abcdef", .patience = 2 };
	int option, code;

	if (argc == 6 && strcmp(argv[1], "--pass") == 0)
		return pass(argv + 2);
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
