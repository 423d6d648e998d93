/* SPDX-License-Identifier: BSD-2-Clause */
/* Pools as the commands see them: objects of the library, by name. */
#ifndef ATMOST_CLI_POOL_H
#define ATMOST_CLI_POOL_H

#include <atmost/atmost.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of the commands about pools, after sysexits(3). */
enum pool_exit {
	POOL_USAGE = 64,
	POOL_DAMAGED = 65, /* or of another version */
	POOL_MISSING = 66,
	POOL_FULL = 69,
	POOL_SYSTEM = 71,
	POOL_NOT_MADE = 73,
	POOL_NOT_NOW = 75, /* not in time; in use */
	POOL_FORBIDDEN = 77
};

enum { POOL_MOST_OF_GROUP = 256 }; /* members, and so k */

/* Says what the library's last call refused, and what to do; the exit code. */
int pool_complain(const char *command, const char *pool, int error);

/* What atmost run wants of a pool. */
struct pool_wish {
	const char *name;
	unsigned k;            /* 0: not said */
	unsigned names;        /* how many names its slots shall have; or 0 */
	const char *group;     /* the session's word; NULL: no group */
	const char *algorithm; /* NULL: not said */
};

/* Opens it, or makes it.  0, or an exit code after complaining. */
int pool_open(struct atmost **pool, const struct pool_wish *wish);

/* Who is there. */
struct pool_view {
	struct atmost_shape shape;
	struct atmost_totals totals;
	struct atmost_seat *seats; /* as many as were found */
	unsigned count;
};

/* 0 or an error of the library; pool_view_free in the end. */
int pool_look(struct atmost *pool, struct pool_view *view);
void pool_view_free(struct pool_view *view);

const char *pool_kind(enum atmost_kind kind);

/* Why the slot of a holder is kept though it may be dead, and what to do. */
struct doubt {
	char text[256];
};
struct doubt pool_doubt(const struct atmost_seat *seat, const char *pool);

/* "12s", "3m05s", "2h07m", "4d03h". */
struct age {
	char text[24];
};
struct age pool_age(struct timespec since);

/* Seconds from `since` to now. */
double pool_seconds(struct timespec since);

/*
 * The pools there are, by name, and how many; pool_list_free in the end.
 * Files that no command could name are left out.  Negative: an exit code,
 * after `command` has complained.
 */
int pool_list(const char *command, char ***names);
void pool_list_free(char **names);

#endif
