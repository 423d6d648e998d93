/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/options.h"

#include "cli/help.h"
#include "cli/usage.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_SETTINGS = 40,
	LONG = 256, /* getopt returns LONG + i for the long option i */
	HELP = LONG + MOST_SETTINGS,
	TOO_LONG /* a short option was written with two dashes */
};

static const char *dashes(const struct setting *s)
{
	return s->name[1] ? "--" : "-";
}

static bool read_number(const char *text, size_t length, uint64_t *number)
{
	uint64_t value = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' ||
		    __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, text[i] - '0', &value))
			return false;
	}
	*number = value;
	return length > 0;
}

static bool read_in_range(const struct setting *s, const char *text,
			  size_t length, uint64_t *number)
{
	return read_number(text, length, number) && *number >= s->least &&
	       *number <= s->most;
}

static bool read_numbers(const struct setting *s, const char *text)
{
	struct numbers *list = s->value;

	list->count = 0;
	for (;;) {
		size_t length = strcspn(text, ",");

		if (list->count == MOST_VALUES ||
		    !read_in_range(s, text, length,
				   &list->value[list->count++]))
			return false;
		text += length;
		if (!*text)
			return true;
		text++;
	}
}

static bool read_seconds(const char *text, double *seconds)
{
	char *end;

	if (strspn(text, "0123456789.") != strlen(text))
		return false;
	*seconds = strtod(text, &end);
	return end != text && !*end && *seconds > 0 && *seconds < 1e9;
}

/* Reads a number of seconds, or of the unit that follows the number. */
static bool read_time(const char *text, double *seconds)
{
	static const char units[] = "smhd";
	static const double factors[] = { 1, 60, 3600, 86400 };
	const char *unit;
	char *end;

	if (text[0] == '.' ? text[1] < '0' || text[1] > '9'
			   : text[0] < '0' || text[0] > '9')
		return false;
	if (strspn(text, "0123456789.") + 1 < strlen(text))
		return false;
	*seconds = strtod(text, &end);
	unit = *end ? strchr(units, *end) : units;
	if (!unit || (*end && end[1]))
		return false;
	*seconds *= factors[unit - units];
	return *seconds < 1e9;
}

static bool read_bytes(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	size_t length = strspn(text, "0123456789");
	const char *unit = strchr(units, text[length]);

	if (!read_number(text, length, bytes) || *bytes == 0)
		return false;
	if (!text[length])
		return true;
	return unit && !text[length + 1] &&
	       !__builtin_mul_overflow(*bytes,
				       UINT64_C(1024) << (10 * (unit - units)),
				       bytes);
}

static int bad_value(const char *command, const struct setting *s,
		     const char *text)
{
	char range[64] = "";

	if (s->most != UINT64_MAX)
		snprintf(range, sizeof range, " from %llu to %llu",
			 (unsigned long long)s->least,
			 (unsigned long long)s->most);
	switch (s->kind) {
	case SETTING_NUMBER:
		return usage_error(command, "%s%s takes a number%s, not '%s'",
				   dashes(s), s->name, range, text);
	case SETTING_NUMBERS:
		return usage_error(command,
				   "%s%s takes numbers%s, separated "
				   "by commas, not '%s'",
				   dashes(s), s->name, range, text);
	case SETTING_SECONDS:
		return usage_error(command,
				   "%s%s takes seconds, more than 0, "
				   "not '%s'",
				   dashes(s), s->name, text);
	case SETTING_TIME:
		return usage_error(command,
				   "%s%s takes a time, such as 30 or 0.5 "
				   "(seconds), 5m, 2h or 1d, not '%s'",
				   dashes(s), s->name, text);
	case SETTING_TEXTS:
		return usage_error(command,
				   "%s%s can be given at most %d times",
				   dashes(s), s->name, MOST_VALUES);
	default:
		return usage_error(command,
				   "%s%s takes a number of bytes, such as 512M "
				   "or 4G, not '%s'",
				   dashes(s), s->name, text);
	}
}

static bool take(const struct setting *s, const char *text)
{
	struct texts *list = s->value;

	switch (s->kind) {
	case SETTING_FLAG:
		*(bool *)s->value = true;
		return true;
	case SETTING_NUMBER:
		return read_in_range(s, text, strlen(text), s->value);
	case SETTING_NUMBERS:
		return read_numbers(s, text);
	case SETTING_SECONDS:
		return read_seconds(text, s->value);
	case SETTING_TIME:
		return read_time(text, s->value);
	case SETTING_BYTES:
		return read_bytes(text, s->value);
	case SETTING_TEXT:
		*(const char **)s->value = text;
		return true;
	case SETTING_TEXTS:
		if (list->count == MOST_VALUES)
			return false;
		list->text[list->count++] = text;
		return true;
	case SETTING_ALIAS:
		break;
	}
	return false;
}

static bool is_flag(const struct setting *s)
{
	if (s->kind == SETTING_ALIAS)
		s = s->value;
	return s->kind == SETTING_FLAG;
}

/* Reports an option for which getopt returned an error, `got`: '?' or ':'. */
static int bad_option(const char *command, int got, char **argv,
		      const struct setting *settings, size_t count)
{
	const char *names[MOST_SETTINGS + 1], *similar;
	const char *word = argv[optind - 1];
	char name[64];
	size_t i;

	if (optopt == HELP)
		return usage_error(command, "--help takes no value");
	if (optopt >= LONG && got == '?')
		return usage_error(command, "--%s takes no value",
				   settings[optopt - LONG].name);
	if (optopt >= LONG)
		return usage_error(command, "--%s needs a value",
				   settings[optopt - LONG].name);
	if (optopt && got == ':')
		return usage_error(command, "-%c needs a value", optopt);
	if (optopt)
		return usage_error(command, "unknown option '-%c'", optopt);
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="),
		 word + 2);
	for (i = 0; i < count; i++)
		names[i] = settings[i].name;
	names[i] = NULL;
	similar = usage_similar_name(name, names);
	if (!similar)
		return usage_error(command, "unknown option '--%s'", name);
	return usage_error(command, "unknown option '--%s'; did you mean %s%s?",
			   name, similar[1] ? "--" : "-", similar);
}

static void describe(const struct setting *settings, size_t count,
		     struct option *longs, char *shorts)
{
	size_t used = 0;

	*shorts++ = ':'; /* makes getopt return ':' for a missing value */
	*shorts++ = 'h';
	for (size_t i = 0; i < count; i++) {
		const struct setting *s = &settings[i];
		const bool flag = is_flag(s);

		if (s->name[1]) {
			longs[used++] = (struct option){
				s->name, flag ? no_argument : required_argument,
				NULL, LONG + (int)i
			};
			continue;
		}
		/* Without this entry, --n would be short for a long option that
		 * begins with n. */
		longs[used++] = (struct option){ s->name, optional_argument,
						 NULL, TOO_LONG };
		*shorts++ = s->name[0];
		if (!flag)
			*shorts++ = ':';
	}
	*shorts = '\0';
	longs[used++] = (struct option){ "help", no_argument, NULL, HELP };
	longs[used] = (struct option){ NULL, 0, NULL, 0 };
}

static struct setting *find(struct setting *settings, size_t count, int got)
{
	struct setting *found = got >= LONG ? &settings[got - LONG] : NULL;

	for (size_t i = 0; !found && i < count; i++)
		if (settings[i].name[0] == got && !settings[i].name[1])
			found = &settings[i];
	return found && found->kind == SETTING_ALIAS ? found->value : found;
}

bool options_read(int argc, char **argv, struct setting *settings, size_t count,
		  int *code)
{
	struct option longs[MOST_SETTINGS + 2];
	char shorts[2 * MOST_SETTINGS + 3];
	int got;

	describe(settings, count, longs, shorts);
	opterr = 0;
	while ((got = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		struct setting *s;
		const char *text = optarg ? optarg : "";

		if (got == 'h' || got == HELP) {
			*code = help_print(argv[0]);
			return false;
		}
		if (got == TOO_LONG) {
			got = '?';
			optopt = 0;
		}
		s = got == '?' || got == ':' ? NULL
					     : find(settings, count, got);
		if (!s) {
			*code = bad_option(argv[0], got, argv, settings, count);
			return false;
		}
		if (s->given && s->kind != SETTING_TEXTS &&
		    strcmp(s->given, text) != 0) {
			*code = usage_error(argv[0],
					    "%s%s is given twice: "
					    "'%s' and '%s'",
					    dashes(s), s->name, s->given, text);
			return false;
		}
		if (!take(s, text)) {
			*code = bad_value(argv[0], s, text);
			return false;
		}
		s->given = text;
	}
	return true;
}

bool options_read_operands(int argc, char **argv, struct setting *settings,
			   size_t count, const char *const *operands, int *code)
{
	if (!options_read(argc, argv, settings, count, code))
		return false;
	for (int i = optind; i < argc; i++, operands++) {
		if (!*operands) {
			*code = usage_error(argv[0],
					    "'%s' is one operand too "
					    "many",
					    argv[i]);
			return false;
		}
	}
	if (*operands)
		*code = usage_error(argv[0], "%s is missing", *operands);
	return !*operands;
}
