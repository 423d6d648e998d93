/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Signals a process and its descendants, which /proc shows.
 *
 * If the parent of a descendant has ended, the chain of parents no longer leads
 * from the descendant to the root.  So a process also counts as a descendant if
 * its environment at its start had the marks, which are variables that only
 * this command has.
 *
 * Nothing here allocates memory, so a forked process may call it.
 */
#ifndef ATMOST_CLI_PROCESS_TREE_H
#define ATMOST_CLI_PROCESS_TREE_H

#include <stdbool.h>
#include <sys/types.h>

enum { TREE_MARKS = 2 };

struct process_tree {
	pid_t root;                   /* 0: none */
	pid_t spared[2];              /* never signalled, but their children
					 may be; 0: none */
	const char *mark[TREE_MARKS]; /* "VAR=VALUE"; NULL: no marks */
};

/* Sends the signal to all processes that are there now.  Returns their number;
 * processes that have ended do not count. */
unsigned process_tree_signal(const struct process_tree *tree, int signal);

/*
 * Kills the processes of the tree, again and again until none is left: a
 * process may start another one between our look and its end.  Gives up after
 * some hundred looks.
 */
void process_tree_kill(const struct process_tree *tree);

#endif
