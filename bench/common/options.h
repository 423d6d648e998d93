/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The options of all bench programs.  Each program lists the names of its
 * options (bench.h); the table in options.c says which values each option
 * takes.
 */
#ifndef ATMOST_BENCH_OPTIONS_H
#define ATMOST_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCKS_LEAST = 11, SESSIONS_MOST = 64 };

enum { VALUES_MOST = 64 };

struct numbers {
	size_t count;
	uint64_t value[VALUES_MOST];
};

struct texts {
	size_t count;
	const char *text[VALUES_MOST + 1]; /* NULL after the last */
};

/* A member is 0, NULL or false if its option was not given. */
struct options {
	bool quick, report, alone, samples;
	const char *parts; /* letters */
	const char *json;  /* a file */
	uint64_t seed;     /* if not given, taken from the clock */
	uint64_t blocks;
	double slice, patience; /* seconds */

	/*
	 * The members from `workers` to `random` are the options that describe
	 * cells: see bench/comparison.
	 */
	struct numbers workers, k, sessions;
	struct texts on, section, only;
	bool fixed, random;
	const char *cell_option; /* the last of them that was given */

	int operand_count;
	char **operands;
};

/* If this function returns false, the program must end with exit code *code. */
bool options_read(struct options *o, int argc, char **argv, int *code);

/*
 * Prints on stderr what is wrong with an option or operand, and points to
 * --help.  Returns EXIT_USAGE.
 */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
