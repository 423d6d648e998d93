/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints numbers and paragraphs for the commands. */
#ifndef ATMOST_CLI_PRINT_H
#define ATMOST_CLI_PRINT_H

#include <stdbool.h>
#include <stdint.h>

/* Functions return this struct by value, so print_count(n).text is valid until
 * the end of the statement. */
struct short_text {
	char text[48];
};

struct short_text print_count(uint64_t number);  /* 1,234,567 */
struct short_text print_size(uint64_t bytes);    /* 3.9G */
struct short_text print_seconds(double seconds); /* 0.0120 s */

/*
 * Returns the value of a word as text: -1 for 2^64-1, and hexadecimal if the
 * value is large.
 */
struct short_text print_value(uint64_t value);

/* Return the control sequences before and after bold text.  They are empty if
 * stdout is not a terminal. */
const char *bold_on(void);
const char *bold_off(void);

/* Prints a paragraph in lines of at most 80 columns, indented by `indent`.  The
 * cursor must be in this column already. */
void print_wrapped(const char *text, int indent);

/* Closes stdout and returns `code`; after a failed write prints an error and
 * returns EXIT_INTERNAL. */
int print_finish(int code);

#endif
