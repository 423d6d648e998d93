/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Describes the machine on which the program runs.  Every output begins with
 * this description.
 */
#ifndef ATMOST_BENCH_MACHINE_H
#define ATMOST_BENCH_MACHINE_H

#include <jansson.h>
#include <stdint.h>

struct machine {
	char system[256]; /* name, release and architecture */
	char model[128];  /* the processor */
	long cpus;
	double load[3]; /* load averages before the run */
};

struct machine machine_describe(void);
void machine_print(const struct machine *machine, uint64_t seed, double speed);

/* Returns the start of every program's JSON: {"format": 1, "machine", "seed",
 * "turn_ns"}.  speed is from section_speed. */
json_t *machine_json(const struct machine *machine, uint64_t seed,
		     double speed);

#endif
