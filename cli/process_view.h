/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes the process of a holder or waiter, as /proc shows it. */
#ifndef ATMOST_CLI_PROCESS_VIEW_H
#define ATMOST_CLI_PROCESS_VIEW_H

#include <atmost/atmost.h>
#include <stdbool.h>
#include <stddef.h>

/* A field is NULL if this user cannot read it, or if the process has ended. */
struct process_view {
	char *memory;     /* the bytes of the arguments */
	char **arguments; /* ended by NULL */
	char *directory;
	char *user; /* the user's name, or else the user's number */
};

/*
 * Looks at the process of a seat.  For a waiting `atmost run`, the arguments
 * are those of the command that it will run.  If the process is on another
 * machine, `here` is false, and all fields are NULL.  The caller must call
 * process_view_free.
 */
void process_view_read(struct process_view *view,
		       const struct atmost_seat *seat, bool here);
void process_view_free(struct process_view *view);

#endif
