/* SPDX-License-Identifier: BSD-2-Clause */
/* What is done inside. */
#ifndef ATMOST_BENCH_SECTION_H
#define ATMOST_BENCH_SECTION_H

#include <stdbool.h>
#include <stdint.h>

struct section {
	const char *name;
	int64_t time; /* ns */
	bool sleeps;
	double slice; /* seconds, usual */
};

enum { SECTION_COUNT = 3 };
extern const struct section sections[SECTION_COUNT];

/* NULL: there is none of that name. */
const struct section *section_find(const char *name);

/*
 * How often section_work turns in a nanosecond when nothing disturbs it.
 */
double section_speed(void);

/* Busy for so many turns. */
void section_work(uint64_t turns);

/* Sleeps so many nanoseconds. */
void section_sleep(int64_t time);

#endif
