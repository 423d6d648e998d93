/* SPDX-License-Identifier: BSD-2-Clause */
/* Where it was measured: at the head of every result. */
#ifndef ATMOST_BENCH_MACHINE_H
#define ATMOST_BENCH_MACHINE_H

#include <jansson.h>
#include <stdint.h>

struct machine {
	char system[256]; /* name, release and machine */
	char model[128];  /* of the processor */
	long cpus;
	double load[3]; /* before the run */
};

struct machine machine_look(void);
void machine_tell(const struct machine *machine, uint64_t seed, double speed);

/* {"format": 1, "machine", "seed", "turn_ns"}: what every bench's JSON begins
 * with. */
json_t *machine_json(const struct machine *machine, uint64_t seed,
		     double speed);

#endif
