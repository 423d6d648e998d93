/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers and words as the commands print them. */
#ifndef ATMOST_CLI_PRINT_H
#define ATMOST_CLI_PRINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A short text by value: print_count(n).text lives until the statement ends. */
struct brief {
	char text[48];
};

struct brief print_count(uint64_t number);  /* 1,234,567 */
struct brief print_size(uint64_t bytes);    /* 3.9G */
struct brief print_seconds(double seconds); /* 0.012 s */

/* What a word holds: -1 for 2^64-1, in base 16 where that is more readable. */
struct brief print_value(uint64_t value);

/* Around text that should stand out, on a terminal only. */
const char *bold_on(void);
const char *bold_off(void);

/* Print words separated by blanks, lines indented and at most 80 wide; the
 * first begins in column `indent` already. */
void print_wrapped(const char *text, int indent);

/* The one object on stdout; takes it over.  Returns `code`, or what failed. */
int print_json(const char *command, json_t *object, int code);

/* All output written and taken: `code`; otherwise EXIT_INTERNAL, said why. */
int print_finish(int code);

#endif
