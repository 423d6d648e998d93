/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Descriptors that a command must not inherit.  libcurl opens some without
 * close-on-exec, so `atmost run` notes which descriptors it has got itself, and
 * the command gets no others.
 */
#ifndef ATMOST_CLI_DESCRIPTORS_H
#define ATMOST_CLI_DESCRIPTORS_H

#include <stdbool.h>

enum { DESCRIPTORS_MOST = 1024 }; /* larger ones are not looked at */

struct descriptors {
	bool open[DESCRIPTORS_MOST];
};

void descriptors_note(struct descriptors *);

/* Sets close-on-exec for all that are open now and were not noted. */
void descriptors_close_others_on_exec(const struct descriptors *);

#endif
