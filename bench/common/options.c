/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parser of the command atmost (cli/options.c) has the same kind of table.
 * Bench programs do not use that parser, because it belongs to a program and
 * not to a lower layer: it prints the command's help pages, and its messages
 * begin with "atmost".  A bench program would have to link the whole of cli/.
 */
#include "bench/common/options.h"

#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/rivals/rival.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The type of an option's value, which is a member of struct options. */
enum kind {
	FLAG,    /* bool */
	NUMBER,  /* uint64_t, from least to most */
	NUMBERS, /* struct numbers, each from least to most */
	SECONDS, /* double; least and most are milliseconds */
	TEXT,    /* const char * */
	TEXTS    /* struct texts */
};

#define AT(member) offsetof(struct options, member)

static const struct entry {
	const char *name; /* without dashes; a single letter: a short option */
	enum kind kind;
	size_t offset;
	uint64_t least, most;
	bool describes_cells;
} table[] = {
	{ "on", TEXTS, AT(on), 0, 0, true },
	{ "T", NUMBERS, AT(workers), 1, WORKERS_MOST, true },
	{ "k", NUMBERS, AT(k), 1, WORKERS_MOST, true },
	{ "sessions", NUMBERS, AT(sessions), 1, SESSIONS_MOST, true },
	{ "fixed", FLAG, AT(fixed), 0, 0, true },
	{ "random", FLAG, AT(random), 0, 0, true },
	{ "section", TEXTS, AT(section), 0, 0, true },
	{ "only", TEXTS, AT(only), 0, 0, false },
	/* The upper limit is most_blocks of struct bench. */
	{ "blocks", NUMBER, AT(blocks), BLOCKS_LEAST, 0, true },
	{ "slice", SECONDS, AT(slice), 10, 60000, true },
	{ "patience", SECONDS, AT(patience), 100, 3600000, false },
	/* Larger numbers do not fit into the JSON. */
	{ "seed", NUMBER, AT(seed), 0, INT64_MAX, false },
	{ "quick", FLAG, AT(quick), 0, 0, false },
	{ "report", FLAG, AT(report), 0, 0, false },
	{ "alone", FLAG, AT(alone), 0, 0, false },
	{ "parts", TEXT, AT(parts), 0, 0, false },
	{ "json", TEXT, AT(json), 0, 0, false },
	{ "samples", FLAG, AT(samples), 0, 0, false },
};

enum {
	ENTRIES = sizeof table / sizeof *table,
	FIRST = 256, /* getopt_long returns FIRST + i for table[i] */
	HELP = FIRST + ENTRIES
};

int usage_error(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", bench.name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\ntry '%s --help'\n", bench.name);
	return EXIT_USAGE;
}

static const char *dashes(const struct entry *e)
{
	return e->name[1] ? "--" : "-";
}

static bool has_option(const char *name)
{
	for (const char *const *own = bench.options; *own; own++)
		if (strcmp(*own, name) == 0)
			return true;
	return false;
}

static bool read_number(const struct entry *e, const char *text,
			uint64_t *number)
{
	const uint64_t most = e->most ? e->most : bench.most_blocks;
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && !*end && !errno &&
	    *number >= e->least && *number <= most)
		return true;
	usage_error("%s%s takes a number from %ju to %ju, not '%s'", dashes(e),
		    e->name, (uintmax_t)e->least, (uintmax_t)most, text);
	return false;
}

static bool read_seconds(const struct entry *e, const char *text,
			 double *seconds)
{
	const double least = (double)e->least / 1000;
	const double most = (double)e->most / 1000;
	char *end;

	*seconds = strtod(text, &end);
	if (end != text && !*end && *seconds >= least && *seconds <= most)
		return true;
	usage_error("%s%s takes from %g to %g seconds, not '%s'", dashes(e),
		    e->name, least, most, text);
	return false;
}

/*
 * Splits `list` at its commas.  If an option is given twice, its second list
 * replaces the first.
 */
static bool read_list(const struct entry *e, char *list, void *value)
{
	struct numbers *numbers = e->kind == NUMBERS ? value : NULL;
	struct texts *texts = e->kind == TEXTS ? value : NULL;
	size_t count = 0;
	char *item;

	while ((item = strsep(&list, ",")) != NULL) {
		if (count == VALUES_MOST) {
			usage_error("%s%s takes at most %d values", dashes(e),
				    e->name, VALUES_MOST);
			return false;
		}
		if (numbers && !read_number(e, item, &numbers->value[count]))
			return false;
		if (texts)
			texts->text[count] = item;
		count++;
	}
	if (numbers)
		numbers->count = count;
	if (texts) {
		texts->count = count;
		texts->text[count] = NULL;
	}
	return true;
}

static bool take(struct options *o, const struct entry *e, char *text)
{
	void *value = (char *)o + e->offset;

	if (e->describes_cells)
		o->cell_option = e->name;
	switch (e->kind) {
	case FLAG:
		*(bool *)value = true;
		return true;
	case NUMBER:
		return read_number(e, text, value);
	case SECONDS:
		return read_seconds(e, text, value);
	case TEXT:
		*(const char **)value = text;
		return true;
	case NUMBERS:
	case TEXTS:
		return read_list(e, text, value);
	}
	return false;
}

/* Describes the options of this program for getopt_long. */
static void describe(struct option *longs, char *shorts)
{
	*shorts++ = ':'; /* getopt_long returns ':' if a value is missing */
	*shorts++ = 'h';
	for (size_t i = 0; i < ENTRIES; i++) {
		const struct entry *e = &table[i];
		const int has_value = e->kind != FLAG;

		if (!has_option(e->name))
			continue;
		if (e->name[1]) {
			*longs++ = (struct option){ e->name, has_value, NULL,
						    FIRST + (int)i };
			continue;
		}
		*shorts++ = e->name[0];
		if (has_value)
			*shorts++ = ':';
	}
	*shorts = '\0';
	*longs++ = (struct option){ "help", 0, NULL, HELP };
	*longs = (struct option){ NULL, 0, NULL, 0 };
}

static const struct entry *find(int got)
{
	if (got >= FIRST)
		return &table[got - FIRST];
	for (size_t i = 0; i < ENTRIES; i++)
		if (table[i].name[0] == got && !table[i].name[1])
			return &table[i];
	return NULL;
}

bool options_read(struct options *o, int argc, char **argv, int *code)
{
	struct option longs[ENTRIES + 2];
	char shorts[2 * ENTRIES + 3];
	int got;

	*o = (struct options){ .quick = false };
	o->seed = (uint64_t)(clock_read(CLOCK_REALTIME) / 1000 % 1000000000);
	*code = EXIT_USAGE;
	describe(longs, shorts);
	opterr = 0;
	while ((got = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (got == 'h' || got == HELP) {
			fputs(bench.usage, stdout);
			if (bench.print_more_help)
				bench.print_more_help();
			*code = EXIT_FINE;
			return false;
		}
		if (got == ':') {
			usage_error("'%s' needs a value", argv[optind - 1]);
			return false;
		}
		if (got == '?') {
			usage_error("unknown option '%s'", argv[optind - 1]);
			return false;
		}
		if (!take(o, find(got), optarg))
			return false;
	}
	o->operand_count = argc - optind;
	o->operands = argv + optind;
	if (o->operand_count > bench.most_operands) {
		usage_error("'%s' is not an option",
			    o->operands[bench.most_operands]);
		return false;
	}
	return true;
}
