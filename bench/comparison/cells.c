/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns the options into cells. */
#include "bench/comparison/cells.h"

#include "bench/common/bench.h"
#include "bench/common/options.h"
#include "bench/comparison/description.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lists of values.  The cells are all combinations of these values. */
struct lists {
	size_t on_count, section_count;
	bool processes[VALUES_MOST];
	const struct section *section[VALUES_MOST];
	struct numbers workers, k, sessions;
	size_t asking_count;
	bool random[2];
};

static int read_on(struct lists *l, const struct texts *on)
{
	l->on_count = on->count;
	for (size_t i = 0; i < on->count; i++) {
		l->processes[i] = strcmp(on->text[i], "processes") == 0;
		if (!l->processes[i] && strcmp(on->text[i], "threads") != 0)
			return usage_error("--on takes 'threads' or "
					   "'processes', not '%s'",
					   on->text[i]);
	}
	if (!on->count)
		l->processes[l->on_count++] = false;
	return EXIT_FINE;
}

static int read_sections(struct lists *l, const struct texts *sections_given)
{
	l->section_count = sections_given->count;
	for (size_t i = 0; i < sections_given->count; i++) {
		l->section[i] = section_find(sections_given->text[i]);
		if (!l->section[i])
			return usage_error("--section takes 2us, 20us or "
					   "1ms-sleep, not '%s'",
					   sections_given->text[i]);
	}
	if (!sections_given->count)
		l->section[l->section_count++] = &sections[0];
	return EXIT_FINE;
}

static struct numbers or_default(struct numbers given, uint64_t value)
{
	if (!given.count)
		given.value[given.count++] = value;
	return given;
}

static int combine(struct cells *c, const struct lists *l)
{
	size_t count = l->on_count * l->workers.count * l->k.count *
		       l->sessions.count * l->asking_count * l->section_count;

	if (count > CELLS_MOST)
		return usage_error("the lists make %zu cells; at most %d are "
				   "possible",
				   count, CELLS_MOST);
	for (size_t i = 0; i < count; i++) {
		size_t left = i;
		struct cell *cell = &c->cell[c->count++];

		cell->k = (unsigned)l->k.value[left % l->k.count];
		left /= l->k.count;
		cell->random = l->random[left % l->asking_count];
		left /= l->asking_count;
		cell->sessions =
			(unsigned)l->sessions.value[left % l->sessions.count];
		left /= l->sessions.count;
		cell->n = (unsigned)l->workers.value[left % l->workers.count];
		left /= l->workers.count;
		cell->section = l->section[left % l->section_count];
		left /= l->section_count;
		cell->processes = l->processes[left];
	}
	return EXIT_FINE;
}

static int choose_by_lists(struct cells *c, const struct options *o)
{
	static struct lists l;
	int code = read_on(&l, &o->on);

	if (!code)
		code = read_sections(&l, &o->section);
	if (code)
		return code;
	l.workers = or_default(o->workers, 8);
	l.k = or_default(o->k, comparison.k);
	l.sessions = or_default(o->sessions, comparison.sessions);
	l.asking_count = 0;
	if (o->fixed || !o->random)
		l.random[l.asking_count++] = false;
	if (o->random)
		l.random[l.asking_count++] = true;
	c->most_blocks = o->blocks ? (unsigned)o->blocks : BLOCKS_LEAST;
	return combine(c, &l);
}

/* json_write replaces the file, so the file must not be a device or a link. */
static int check_file(const char *file)
{
	struct stat found;
	char *copy;
	bool can;

	if (lstat(file, &found) == 0 && !S_ISREG(found.st_mode))
		return usage_error("--json: %s is not a regular file", file);
	copy = strdup(file);
	can = copy && access(dirname(copy), W_OK) == 0;
	free(copy);
	if (can)
		return EXIT_FINE;
	return usage_error("--json: %s: %s", file, strerror(errno));
}

static int check_only(const struct texts *only)
{
	for (size_t i = 0; i < only->count; i++)
		if (!contender_exists(only->text[i]))
			return usage_error("--only: there is no contender '%s' "
					   "that runs natively",
					   only->text[i]);
	return EXIT_FINE;
}

int cells_choose(struct cells *c, const struct options *o)
{
	const char *form = o->quick    ? "--quick"
			   : o->report ? "--report"
			   : o->alone  ? "--alone"
				       : NULL;
	int code = check_only(&o->only);

	if (!code && o->json)
		code = check_file(o->json);
	if (code)
		return code;
	*c = (struct cells){ .count = 0 };
	if (!form)
		return choose_by_lists(c, o);
	if (o->quick + o->report + o->alone > 1)
		return usage_error("--quick, --report and --alone exclude each "
				   "other");
	if (o->cell_option)
		return usage_error("%s chooses the cells: it cannot be "
				   "combined with %s%s",
				   form, o->cell_option[1] ? "--" : "-",
				   o->cell_option);
	if (o->quick)
		comparison.quick(c);
	else if (o->report)
		comparison.report(c);
	return EXIT_FINE;
}
