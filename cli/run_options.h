/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the options and operands of `atmost run`. */
#ifndef ATMOST_CLI_RUN_OPTIONS_H
#define ATMOST_CLI_RUN_OPTIONS_H

#include "cli/options.h"

struct run_options {
	unsigned k;        /* 0: not given */
	uint64_t no_slot;  /* exit code if the command did not get a slot */
	double seconds;    /* -t */
	bool has_deadline; /* -t is given, and not 0 */
	bool try;          /* -n or -t 0 */
	bool verbose, exec, nested, wait_children, new_group;
	bool strict;       /* a k that differs from the pool's is an error */
	bool substitute;   /* replace placeholders in the command's arguments */
	bool exclusive;    /* -x: no other command runs beside this one */
	const char *group; /* the session; NULL: not a group pool */
	const char *algorithm; /* NULL: not given */
	const char *names;     /* slot names, "a,b,c"; NULL: not given */
	const char *pool;
	const char *at; /* --at; NULL: not given */
	/* Only for pools in etcd. */
	uint64_t lease;        /* seconds */
	bool lease_given;      /* --lease */
	const char *on_loss;   /* "term" or "keep"; NULL: not given */
	bool keep;             /* --on-loss=keep */
	struct texts settings; /* VAR=TEMPLATE */
	char **command;        /* ended by NULL */
};

/*
 * If this function returns false, the caller must return *code without doing
 * anything else.
 */
bool run_options_read(int argc, char **argv, struct run_options *run,
		      int *code);

#endif
