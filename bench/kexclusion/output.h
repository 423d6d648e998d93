/* SPDX-License-Identifier: BSD-2-Clause */
/* What is told to people, and what to programs. */
#ifndef ATMOST_BENCH_OUTPUT_H
#define ATMOST_BENCH_OUTPUT_H

#include "bench/kexclusion/measure.h"

struct label {
	char text[80];
};

/* "threads T=8 k=2 2us" */
struct label output_cell(const struct cell *cell);

/* A line on stderr that the next one replaces, if it is a terminal; NULL: it
 * vanishes. */
void output_progress(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

struct machine {
	char system[256]; /* name, release and machine */
	char model[128];  /* of the processor */
	long cpus;
	double load[3];   /* before the run */
};

struct machine output_machine(void);
void output_begin(const struct machine *machine, uint64_t seed, double speed);
void output_table(const struct outcome *o);

/* The same in one object; see json.c. */
struct json_t;
struct json_t *json_begin(const struct machine *machine, uint64_t seed,
			  double speed);
void json_cell(struct json_t *all, const struct outcome *o);

/* At the end: how long it took, and whether that was within the budget. */
void json_end(struct json_t *all, double seconds, double budget);

/* False: errno says why not. */
bool json_write(const struct json_t *all, const char *file);
void json_free(struct json_t *all);

#endif
