/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * resilient: measures what an operation on a shared object costs, compared with
 * the same operation on data under a mutex or in one word.  Then shows in what
 * state each of these implementations is left if a process is killed or stopped
 * in the middle of an operation.  docs/bench.md says what is measured and how
 * to read the results.
 */
#include "bench/common/bench.h"
#include "bench/resilient/cell.h"
#include "bench/resilient/parts.h"

#include <stdlib.h>

static const char usage[] =
	"usage: resilient [OPTION]...\n"
	"\n"
	"Apply operations to a counter and to a book of 64 words, each as a shared\n"
	"object of the library, under a mutex and under a robust process-shared mutex;\n"
	"the counter also by compare-and-swap.  There are objects with k from 1 to 32\n"
	"and 64 members, and with k=4 and 4 to 64 members.\n"
	"\n"
	"  --quick         all parts, within a minute\n"
	"  --parts ABC     only these parts (default: abcdef)\n"
	"  --blocks N      11 to 64 (default: 61; with --quick: 21)\n"
	"  --patience S    in parts e and f: a process that completes no operation in\n"
	"                  S seconds is stopped, 0.1 to 3600 (default: 2)\n"
	"  --seed N        of the random order in the blocks (default: a new one)\n"
	"  --json FILE     write all results and samples to FILE\n"
	"\n"
	"parts:\n"
	"  a  one thread: time of an operation\n"
	"  b  two threads\n"
	"  c  eight threads\n"
	"  d  instructions and system calls of an operation, counted\n"
	"  e  processes are killed -9 in the middle of an operation: can others go on?\n"
	"  f  processes stop there, unnoticed: can others go on?\n"
	"\n"
	"A block is one slice of each implementation, in random order; a ratio compares\n"
	"two slices of the same block.  The tables show the median of the blocks and, in\n"
	"brackets, a 95% interval of it that holds for any distribution.  'mutex again'\n"
	"is the mutex a second time, and 'object again' the object with k=4 and 64\n"
	"members: where its interval leaves 0.9 to 1.1, the ratios, or the growth, are\n"
	"VOID.\n"
	"\n"
	"  CPU ns    CPU time of all threads per operation\n"
	"  x mutex   its ratio to that of the mutex\n"
	"  growth    its ratio to that of the first row of the series over k, or over n\n"
	"  others    parts e and f: whether a process that comes afterwards goes on\n"
	"  state     whether an operation is half done; if not, whether the operations\n"
	"            of the killed or stopped processes have happened\n"
	"\n"
	"exit: 0, also if ratios are void; 1 an object is not in the state that its\n"
	"operations lead to, a worker hangs, or a system call failed; 2 usage.\n";

static const char *const options[] = {
	"quick", "parts", "blocks", "patience", "seed", "json", NULL,
};

static int run(const struct options *o)
{
	static const struct part part[] = {
		{ 'a', "one thread", part_alone },
		{ 'b', "two threads", part_two },
		{ 'c', "eight threads", part_eight },
		{ 'd', "counted: one operation of one thread", part_counts },
		{ 'e', "killed -9 in the middle of an operation", part_killed },
		{ 'f', "stopped in the middle of an operation, unnoticed",
		  part_stopped },
	};
	static const char *const arrays[] = { "cells", "counts", "ends", NULL };
	const struct parts parts = {
		.count = sizeof part / sizeof *part,
		.part = part,
		.arrays = arrays,
	};

	return parts_run(&parts, o);
}

/* The arguments are FUNCTION K N COUNT. */
static int pass(int count, char **arguments)
{
	return count != 4 ||
	       !counts_pass(arguments[0],
			    (unsigned)strtoul(arguments[1], NULL, 10),
			    (unsigned)strtoul(arguments[2], NULL, 10),
			    strtoul(arguments[3], NULL, 10));
}

const struct bench bench = {
	.name = "resilient",
	.usage = usage,
	.options = options,
	.most_blocks = BLOCKS_MOST,
	.run = run,
	.pass = pass,
};
