/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE

#include "bench/common/output.h"

#include "bench/common/bench.h"

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

struct machine output_machine(void)
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

void output_begin(const struct machine *m, uint64_t seed, double speed)
{
	printf("machine: %s, %ld cpus, %s\n", m->system, m->cpus, m->model);
	printf("load before: %.2f %.2f %.2f\n", m->load[0], m->load[1],
	       m->load[2]);
	printf("compiler: %s\n", COMPILER);
	printf("seed: %ju; a turn of busy work: %.3f ns\n", (uintmax_t)seed,
	       1 / speed);
	fflush(stdout);
}

struct label output_brief(double value)
{
	struct label l;

	snprintf(l.text, sizeof l.text, "%.*f",
		 value < 10 ? 2 : value < 100 ? 1 : 0, value);
	return l;
}

void output_table(const struct outcome *o)
{
	const struct line_up *l = &o->line_up;
	const struct interval *null = &o->rows[AGAIN].ratio;

	bench.print_head(o);
	for (size_t i = 0; i < l->count; i++)
		bench.print_row(o, i);
	if (l->refused)
		printf("%zu cannot do this; the last: %s\n", l->refused,
		       l->reason);
	if (l->left_out)
		printf("%zu left out, each like one above\n", l->left_out);
	if (o->is_void)
		printf("VOID: %s against itself is %.2f to %.2f, not within "
		       "0.9 to 1.1: the ratios of this cell mean nothing\n",
		       l->of[BASE].name, null->low, null->high);
	fflush(stdout);
}
