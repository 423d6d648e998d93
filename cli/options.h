/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the options that a table of settings describes.
 *
 * The user can give a setting twice with the same value.  A second, different
 * value is an error, except for SETTING_TEXTS, which collects all values.
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

/* Each comment names the type that `value` points to. */
enum setting_kind {
	SETTING_FLAG,    /* bool */
	SETTING_NUMBER,  /* uint64_t, from least to most */
	SETTING_NUMBERS, /* struct numbers, each from least to most */
	SETTING_SECONDS, /* double, more than 0; may have a fraction */
	SETTING_TIME,    /* double: seconds, 0 or more; 90, 0.5, 5m, 2h, 1d */
	SETTING_BYTES,   /* uint64_t: 4096, 64K, 512M, 4G */
	SETTING_TEXT,    /* const char * */
	SETTING_TEXTS,   /* struct texts */
	SETTING_ALIAS    /* struct setting: the option that it stands for */
};

struct setting {
	const char *name; /* without the dashes; one letter: a short option */
	enum setting_kind kind;
	void *value;
	uint64_t least, most;
	const char *given; /* the text that the user typed, or NULL */
};

/*
 * Reads the options; afterwards the operands are argv[optind] to
 * argv[argc - 1].  For --help, prints the help page of the command.  If this
 * function returns false, the caller must return *code without doing anything
 * else.
 */
bool options_read(int argc, char **argv, struct setting *settings, size_t count,
		  int *code);

/*
 * Like options_read, for a command with a fixed list of operands.  `operands`
 * has the names of the operands, for messages, and ends with NULL.
 */
bool options_read_operands(int argc, char **argv, struct setting *settings,
			   size_t count, const char *const *operands,
			   int *code);

#endif
