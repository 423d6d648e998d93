/* SPDX-License-Identifier: BSD-2-Clause */
/* A section is what a worker does while it is inside: busy work, or sleep. */
#ifndef ATMOST_BENCH_SECTION_H
#define ATMOST_BENCH_SECTION_H

#include <stdbool.h>
#include <stdint.h>

struct section {
	const char *name;
	int64_t time; /* ns */
	bool sleeps;
	double slice; /* seconds, the usual length of a slice */
};

enum { SECTION_COUNT = 3 };
extern const struct section sections[SECTION_COUNT];

/* Returns NULL if there is no section of that name. */
const struct section *section_find(const char *name);

/*
 * Returns how many turns section_work makes in a nanosecond if nothing disturbs
 * it.
 */
double section_speed(void);

/* Does busy work: `turns` turns of a loop. */
void section_work(uint64_t turns);

/* Sleeps for `time` ns. */
void section_sleep(int64_t time);

#endif
