/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * enter: measures what the default algorithm costs a program that calls the
 * library, compared with the alternatives and with the goals.  docs/bench.md
 * says what is measured and how to read the results.
 */
#include "bench/common/bench.h"
#include "bench/enter/instance.h"
#include "bench/enter/parts.h"

#include <stdlib.h>

static const char usage[] =
	"usage: enter [OPTION]...\n"
	"\n"
	"Enter and leave a pool of " OURS
	" through the shared library, on threads and on\n"
	"processes, and compare with common alternatives in the same run.\n"
	"\n"
	"  --quick        all parts, within a minute\n"
	"  --parts ABC    only these parts (default: abcdef)\n"
	"  --seed N       of the random order in the blocks (default: a new one)\n"
	"  --json FILE    write all results and samples to FILE\n"
	"\n"
	"parts:\n"
	"  a  a member alone: time, system calls and instructions of a passage\n"
	"  b  eight workers on one cpu, 2 us inside: CPU time of a passage\n"
	"  c  two workers on two cpus, 2 us inside: passages a second\n"
	"  d  sixteen workers, k=4, 1 ms of sleep inside: passages, CPU time, share,\n"
	"     waits\n"
	"  e  overtakes of waiters that already slept\n"
	"  f  CPU use of a hundred waiters\n"
	"\n"
	"A block is one slice of each contender, in random order; a ratio compares two\n"
	"slices of the same block.  The output shows the median of the blocks and, in\n"
	"brackets, a 95% interval of it that holds for any distribution.  'again' is the\n"
	"base a second time: where its interval leaves 0.9 to 1.1, the ratios are VOID.\n"
	"\n"
	"exit: 0, also if ratios are void or a goal is missed; 1 more than k workers were\n"
	"inside, a worker hangs, or a system call failed; 2 usage.\n";

static const char *const options[] = { "quick", "parts", "seed", "json", NULL };

static int run(const struct options *o)
{
	static const struct part part[] = {
		{ 'a', "alone: enter and leave, no other worker", part_alone },
		{ 'b', "eight workers on one cpu, 2 us of work inside",
		  part_one_cpu },
		{ 'c', "two workers, each on its own cpu, 2 us of work inside",
		  part_two_cpus },
		{ 'd', "sixteen workers, 1 ms of sleep inside", part_sleeping },
		{ 'e',
		  "overtakes of waiters that already slept when another "
		  "worker called enter",
		  part_order },
		{ 'f', "a hundred waiters", part_waiters },
	};
	static const char *const arrays[] = { "figures", NULL };
	const struct parts parts = {
		.count = sizeof part / sizeof *part,
		.part = part,
		.arrays = arrays,
	};

	return parts_run(&parts, o);
}

/* The arguments are NAME COUNT. */
static int pass(int count, char **arguments)
{
	return count != 2 ||
	       !alone_pass(arguments[0], strtoul(arguments[1], NULL, 10));
}

const struct bench bench = {
	.name = "enter",
	.usage = usage,
	.options = options,
	.run = run,
	.pass = pass,
	.clean_up = instances_clean_up,
};
