/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/parts.h"

#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/common/json.h"
#include "bench/common/machine.h"
#include "bench/common/section.h"

#include <stdio.h>
#include <string.h>

static json_t *all;
static char letter[2];

void parts_record(const char *array, json_t *entry)
{
	json_array_append_new(json_object_get(all, array), entry);
}

const char *parts_letter(void)
{
	return letter;
}

static bool exists(const struct parts *parts, char wanted)
{
	for (size_t i = 0; i < parts->count; i++)
		if (parts->part[i].letter == wanted)
			return true;
	return false;
}

static bool check_letters(const struct parts *parts, const char *letters)
{
	bool known = *letters;

	for (const char *l = letters; *l; l++)
		known = known && exists(parts, *l);
	if (!known)
		usage_error("--parts takes letters from %c to %c, not '%s'",
			    parts->part[0].letter,
			    parts->part[parts->count - 1].letter, letters);
	return known;
}

static bool run_all(const struct parts *parts, const struct options *o,
		    struct run *r)
{
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->part[i];

		if (o->parts && !strchr(o->parts, part->letter))
			continue;
		if (!json_write(all, o->json))
			return false;
		letter[0] = part->letter;
		printf("\n%c. %s\n", part->letter, part->title);
		fflush(stdout);
		if (!part->run(r))
			return false;
	}
	return true;
}

int parts_run(const struct parts *parts, const struct options *o)
{
	const struct machine machine = machine_describe();
	const int64_t start = clock_now();
	struct run r = {
		.quick = o->quick,
		.blocks = (unsigned)o->blocks,
		.patience = o->patience,
		.random = o->seed,
	};
	double seconds;

	if (o->parts && !check_letters(parts, o->parts))
		return EXIT_USAGE;
	r.speed = section_speed();
	machine_print(&machine, o->seed, r.speed);
	all = machine_json(&machine, o->seed, r.speed);
	for (const char *const *array = parts->arrays; *array; array++)
		json_object_set_new(all, *array, json_array());
	if (!run_all(parts, o, &r))
		return 1;
	seconds = (double)(clock_now() - start) / SECOND;
	printf("\ntook %.0f s\n", seconds);
	json_object_set_new(all, "seconds", json_real(seconds));
	if (!json_write(all, o->json))
		return 1;
	json_decref(all);
	return EXIT_FINE;
}
