/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the command of `atmost run` in a slot of a pool in etcd, and stops it
 * before its lease can end. */
#ifndef ATMOST_CLI_CLUSTER_HOLD_H
#define ATMOST_CLI_CLUSTER_HOLD_H

#include "cli/run_options.h"
#include "cli/supervise.h"
#include "memory/etcd/etcd.h"

enum { CLUSTER_LOST = 74 }; /* exit status: the slot was lost */

/*
 * `etcd` holds a slot; `s` has taken the signals, and `signals` is a signalfd
 * for them.  ATMOST_TOKEN and ATMOST_HELD are in the environment of this
 * process.  Returns the exit status of the command, SUPERVISE_SIGNALLED + n if
 * signal n ended it, 126 or 127 if it cannot be run, or CLUSTER_LOST after a
 * message.
 */
int cluster_hold(struct etcd *etcd, const struct run_options *run,
		 struct supervised *s, int signals);

#endif
