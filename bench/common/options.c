/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/options.h"

#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/common/help.h"

#include <errno.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIST_MOST = 64, SESSIONS_MOST = 64 };

/* As written, before the cells are made of it. */
struct wanted {
	size_t on_count, n_count, k_count, session_count, section_count;
	size_t only_count;
	bool on[LIST_MOST];
	unsigned n[LIST_MOST], k[LIST_MOST], sessions[LIST_MOST];
	bool fixed, random; /* neither: fixed */
	const struct section *section[LIST_MOST];
	const char *only[LIST_MOST + 1];
	const char *cell_option; /* the last given that a form excludes */
	const char *form_option;
};

__attribute__((format(printf, 1, 2))) static bool refuse(const char *format,
							 ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", bench.name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\ntry '%s --help'\n", bench.name);
	return false;
}

static bool read_number(const char *option, const char *text, uint64_t least,
			uint64_t most, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end || errno ||
	    *number < least || *number > most)
		return refuse("%s: '%s' is no number from %ju to %ju", option,
			      text, (uintmax_t)least, (uintmax_t)most);
	return true;
}

static bool read_seconds(const char *option, const char *text, double least,
			 double most, double *seconds)
{
	char *end;

	*seconds = strtod(text, &end);
	if (end == text || *end || !(*seconds >= least && *seconds <= most))
		return refuse("%s: '%s' is not from %g to %g seconds", option,
			      text, least, most);
	return true;
}

static bool read_small(const char *option, const char *text, unsigned most,
		       unsigned *value)
{
	uint64_t number;

	if (!read_number(option, text, 1, most, &number))
		return false;
	*value = (unsigned)number;
	return true;
}

static bool read_on(const char *text, bool *processes)
{
	*processes = strcmp(text, "processes") == 0;
	if (!*processes && strcmp(text, "threads") != 0)
		return refuse("--on: '%s' is neither threads nor processes",
			      text);
	return true;
}

static bool read_section(const char *text, const struct section **section)
{
	*section = section_find(text);
	if (!*section)
		return refuse("--section: '%s' is none of 2us, 20us and "
			      "1ms-sleep",
			      text);
	return true;
}

static bool read_item(struct wanted *w, int option, const char *text)
{
	switch (option) {
	case 'o':
		return read_on(text, &w->on[w->on_count++]);
	case 'T':
		return read_small("-T", text, PARTICIPANTS_MOST,
				  &w->n[w->n_count++]);
	case 'k':
		return read_small("-k", text, PARTICIPANTS_MOST,
				  &w->k[w->k_count++]);
	case 'n':
		return read_small("--sessions", text, SESSIONS_MOST,
				  &w->sessions[w->session_count++]);
	case 's':
		return read_section(text, &w->section[w->section_count++]);
	default:
		if (!contender_exists(text))
			return refuse("--only: there is no contender '%s' that "
				      "runs natively",
				      text);
		w->only[w->only_count++] = text;
		return true;
	}
}

/* Takes the list apart where it stands. */
static bool read_list(struct wanted *w, int option, char *list)
{
	char *item;
	unsigned count = 0;

	while ((item = strsep(&list, ",")) != NULL) {
		if (++count > LIST_MOST)
			return refuse("a list has at most %d items", LIST_MOST);
		if (!read_item(w, option, item))
			return false;
	}
	return true;
}

static bool read_one(struct options *o, struct wanted *w, int option,
		     char *text)
{
	uint64_t number;

	switch (option) {
	case 'b':
		if (!read_number("--blocks", text, BLOCKS_LEAST, BLOCKS_MOST,
				 &number))
			return false;
		o->blocks = (unsigned)number;
		return true;
	case 'l':
		return read_seconds("--slice", text, 0.01, 60, &o->slice);
	case 'p':
		return read_seconds("--patience", text, 0.1, 3600,
				    &o->patience);
	case 'S':
		/* JSON has no larger numbers. */
		return read_number("--seed", text, 0, INT64_MAX, &o->seed);
	case 'j':
		o->json = text;
		return true;
	case 'f':
	case 'R':
		w->fixed |= option == 'f';
		w->random |= option == 'R';
		return true;
	case 'q':
	case 'r':
	case 'a':
		if (o->form)
			return refuse("one form is enough");
		o->form = option == 'q'   ? FORM_QUICK
			  : option == 'r' ? FORM_REPORT
					  : FORM_ALONE;
		return true;
	}
	/* A second list would add to the first: it replaces it. */
	w->on_count = option == 'o' ? 0 : w->on_count;
	w->n_count = option == 'T' ? 0 : w->n_count;
	w->k_count = option == 'k' ? 0 : w->k_count;
	w->session_count = option == 'n' ? 0 : w->session_count;
	w->section_count = option == 's' ? 0 : w->section_count;
	w->only_count = option == 'O' ? 0 : w->only_count;
	return read_list(w, option, text);
}

static bool make_cells(struct options *o, const struct wanted *w)
{
	const size_t asking = w->fixed && w->random ? 2 : 1;
	size_t count = w->on_count * w->n_count * w->k_count *
		       w->session_count * asking * w->section_count;

	if (count > CELLS_MOST)
		return refuse("%zu cells: at most %d", count, CELLS_MOST);
	for (size_t i = 0; i < count; i++) {
		size_t left = i;
		struct cell *cell = &o->cells[o->cell_count++];

		cell->k = w->k[left % w->k_count];
		left /= w->k_count;
		cell->random = asking == 2 ? left % 2 : w->random;
		left /= asking;
		cell->sessions = w->sessions[left % w->session_count];
		left /= w->session_count;
		cell->n = w->n[left % w->n_count];
		left /= w->n_count;
		cell->section = w->section[left % w->section_count];
		left /= w->section_count;
		cell->processes = w->on[left];
	}
	return true;
}

/* It will be replaced as a whole: no device, and no link either. */
static bool check_file(const char *file)
{
	struct stat found;
	char *copy, *folder;
	bool can;

	if (lstat(file, &found) == 0 && !S_ISREG(found.st_mode))
		return refuse("--json: %s is no ordinary file", file);
	copy = strdup(file);
	folder = copy ? dirname(copy) : ".";
	can = access(folder, W_OK) == 0;
	free(copy);
	return can || refuse("--json: %s: %s", file, strerror(errno));
}

static bool settle(struct options *o, struct wanted *w)
{
	if (o->form && w->cell_option)
		return refuse("%s: forms, as --quick, choose that themselves",
			      w->cell_option);
	if (o->json && !check_file(o->json))
		return false;
	if (w->only_count) {
		o->only = calloc(w->only_count + 1, sizeof *o->only);
		memcpy(o->only, w->only, w->only_count * sizeof *o->only);
	}
	if (o->form == FORM_QUICK)
		bench.quick(o);
	else if (o->form == FORM_REPORT)
		bench.report(o);
	else if (o->form != FORM_ALONE)
		return make_cells(o, w);
	return true;
}

static int next(int argc, char **argv)
{
	return getopt_long(argc, argv, bench.letters, bench.options, NULL);
}

bool options_read(struct options *o, int argc, char **argv, int *code)
{
	struct wanted w = {
		.on_count = 1,
		.n_count = 1,
		.k_count = 1,
		.session_count = 1,
		.section_count = 1,
		.n = { 8 },
		.k = { bench.k },
		.sessions = { bench.sessions },
		.section = { &sections[0] },
	};
	int option;

	*o = (struct options){ .blocks = BLOCKS_LEAST, .patience = 20 };
	o->seed = (uint64_t)(clock_read(CLOCK_REALTIME) / 1000 % 1000000000);
	*code = EXIT_USAGE;
	opterr = 0;
	while ((option = next(argc, argv)) != -1) {
		if (option == 'h') {
			help_print();
			*code = EXIT_FINE;
			return false;
		}
		if (option == '?')
			return refuse("'%s': there is no such option, or it "
				      "lacks its argument",
				      argv[optind - 1]);
		if (strchr("oTknfRsbl", option))
			w.cell_option = argv[optind - 1];
		if (!read_one(o, &w, option, optarg))
			return false;
	}
	if (optind < argc)
		return refuse("'%s' is not an option", argv[optind]);
	if (!settle(o, &w))
		return false;
	*code = EXIT_FINE;
	return true;
}
