/* SPDX-License-Identifier: BSD-2-Clause */
/* Declares the texts of `atmost help`. */
#ifndef ATMOST_CLI_HELP_PAGES_H
#define ATMOST_CLI_HELP_PAGES_H

struct help_page {
	const char *name, *summary, *text;
};

/* The pages of the commands, in the order of `commands`; then the topics.  The
 * last element has no name. */
extern const struct help_page help_pages[];

#endif
