/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A control group for the command of `atmost run`, if this process may make
 * one: the kernel then knows all descendants of the command, and kills them at
 * once (cgroup.kill, from Linux 5.14).
 *
 * Only cgroup_make allocates memory; a forked process may call the others.
 */
#ifndef ATMOST_CLI_CGROUP_H
#define ATMOST_CLI_CGROUP_H

#include <stdbool.h>

enum { CGROUP_ROOM = 512 };

struct cgroup {
	char path[CGROUP_ROOM]; /* "": there is none */
};

/* Makes a control group below the control group of this process.  If that is
 * not possible, the path stays empty. */
void cgroup_make(struct cgroup *);

/* Moves this process into the control group.  False: that is not possible. */
bool cgroup_enter(const struct cgroup *);

/* Kills all processes in the control group. */
void cgroup_kill(const struct cgroup *);

/* Removes the control group.  Processes that are still in it go to the control
 * group above. */
void cgroup_remove(struct cgroup *);

#endif
