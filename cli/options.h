/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Options, declared as a table of settings, and complaints about them.
 *
 * A setting given twice is fine if both say the same, TEXTS excepted, which
 * collect.
 */
#ifndef ATMOST_CLI_OPTIONS_H
#define ATMOST_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_VALUES = 64 };

struct numbers {
	size_t count;
	uint64_t value[MOST_VALUES];
};

struct texts {
	size_t count;
	const char *text[MOST_VALUES];
};

enum setting_kind {                  /* and what `value` points to */
		    SETTING_FLAG,    /* bool */
		    SETTING_NUMBER,  /* uint64_t, from least to most */
		    SETTING_NUMBERS, /* struct numbers, the same for each */
		    SETTING_SECONDS, /* double, more than 0; may have a fraction */
		    SETTING_BYTES, /* uint64_t: 4096, 64K, 512M, 4G */
		    SETTING_TEXT,  /* const char * */
		    SETTING_TEXTS  /* struct texts */
};

struct setting {
	const char *name; /* without the dashes; one letter: a short option */
	enum setting_kind kind;
	void *value;
	uint64_t least, most;
	const char *given; /* as written; NULL: it was not given */
};

/*
 * Read the options; the operands are then argv[optind] to argv[argc - 1].
 * --help prints the command's page.  False: nothing is left to do but to
 * return *code.
 */
bool options_read(int argc, char **argv, struct setting *settings, size_t count,
		  int *code);

/* Complain, point to the help, and return the command's exit code for that. */
int usage_error(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Complain and return EXIT_INTERNAL. */
int internal_error(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
