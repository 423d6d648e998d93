/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void find_model(char *model, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[256];

	snprintf(model, size, "unknown");
	while (file && fgets(line, sizeof line, file)) {
		char *colon = strstr(line, ": ");

		if (strncmp(line, "model name", 10) != 0 || !colon)
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		snprintf(model, size, "%s", colon + 2);
		break;
	}
	if (file)
		fclose(file);
}

struct machine machine_describe(void)
{
	struct machine m = { .cpus = sysconf(_SC_NPROCESSORS_ONLN) };
	struct utsname name;

	if (uname(&name) == 0)
		snprintf(m.system, sizeof m.system, "%.64s %.64s %.64s",
			 name.sysname, name.release, name.machine);
	find_model(m.model, sizeof m.model);
	if (getloadavg(m.load, 3) < 3)
		memset(m.load, 0, sizeof m.load);
	return m;
}

void machine_print(const struct machine *m, uint64_t seed, double speed)
{
	printf("machine: %s, %ld cpus, %s\n", m->system, m->cpus, m->model);
	printf("load before: %.2f %.2f %.2f\n", m->load[0], m->load[1],
	       m->load[2]);
	printf("compiler: %s\n", COMPILER);
	printf("seed: %ju; a turn of busy work: %.3f ns\n", (uintmax_t)seed,
	       1 / speed);
	fflush(stdout);
}

json_t *machine_json(const struct machine *m, uint64_t seed, double speed)
{
	return json_pack("{si s{ss ss si s[fff] ss} sI sf}", "format", 1,
			 "machine", "system", m->system, "model", m->model,
			 "cpus", (int)m->cpus, "load", m->load[0], m->load[1],
			 m->load[2], "compiler", COMPILER, "seed",
			 (json_int_t)seed, "turn_ns", 1 / speed);
}
