/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A bench program describes itself in a `struct bench`.  The common main
 * (main.c) reads the options and calls run().
 *
 * command.c and passage.c have their own main, because they take only operands
 * and no options.  The scripts bench/command and bench/passage call them.
 */
#ifndef ATMOST_BENCH_BENCH_H
#define ATMOST_BENCH_BENCH_H

struct options;

/* Exit codes of the bench programs. */
enum { EXIT_FINE, EXIT_VIOLATED, EXIT_USAGE, EXIT_INTERNAL = 4 };

struct bench {
	const char *name;              /* messages begin with this name */
	const char *usage;             /* printed by --help */
	void (*print_more_help)(void); /* called after usage; may be NULL */

	const char *const *options; /* names from the table in options.c */
	unsigned most_blocks;       /* the upper limit of --blocks */
	int most_operands;

	/* Returns an exit code. */
	int (*run)(const struct options *o);

	/*
	 * count_instructions() runs the program again, under callgrind, as
	 * `NAME --pass ARGUMENT...`.  pass() gets the ARGUMENTs and returns an
	 * exit code.  Is NULL if the program counts no instructions.
	 */
	int (*pass)(int count, char **arguments);

	/*
	 * Removes everything that would outlive the program.  Is NULL if
	 * nothing would outlive it.  Called at exit and from signal handlers.
	 */
	void (*clean_up)(void);
};

/* Every bench program defines this variable. */
extern const struct bench bench;

#endif
