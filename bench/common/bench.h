/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a bench says of itself.  Everything else in this folder is the method,
 * and the same for all of them.
 */
#ifndef ATMOST_BENCH_BENCH_H
#define ATMOST_BENCH_BENCH_H

#include "bench/rivals/rival.h"

#include <getopt.h>

struct json_t;
struct options;
struct outcome;

struct bench {
	const char *name;  /* of the program: it begins what is complained */
	const char *usage; /* for --help, up to the contenders' names */

	/* Of the options that options.c knows, those that this bench has. */
	const struct option *options;
	const char *letters;

	const struct rival *const *rivals; /* the base first; then up to NULL */
	const char *again; /* what the base is called the second time */

	/*
	 * A cell's unless others are asked for.  A bench of groups is one that
	 * has sessions; the others have a k.
	 */
	unsigned k, sessions;

	/* What --quick and --report stand for; see forms.h. */
	void (*quick)(struct options *o);
	void (*report)(struct options *o);

	/* A cell's table. */
	void (*print_head)(const struct outcome *o);
	void (*print_row)(const struct outcome *o, size_t i);
	void (*print_foot)(const struct outcome *o); /* or NULL */

	/*
	 * What is measured besides the cells, before them, of a form; or NULL.
	 * False: errno says why not.
	 */
	bool (*alone)(struct json_t *all, uint64_t *random);
};

/* Each program has one. */
extern const struct bench bench;

#endif
