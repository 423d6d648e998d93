/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Waits for a slot of a pool in etcd.  The waiter takes signals one by one, and
 * says on stderr when etcd is not reached.  A signal or the deadline ends every
 * wait.
 */
#ifndef ATMOST_CLI_CLUSTER_WAIT_H
#define ATMOST_CLI_CLUSTER_WAIT_H

#include "cli/run_options.h"
#include "cli/supervise.h"
#include "memory/etcd/passage.h"

struct cluster_waiter {
	struct etcd *etcd;
	const struct run_options *run;
	const char *pool;
	struct supervised *s;
	struct curl_waitfd signals; /* a signalfd */
	int64_t deadline;           /* CLOCK_BOOTTIME; INT64_MAX: none */
	int signal;              /* the signal that ended the wait; 0: none */
	bool suspended;          /* by SIGTSTP */
	int64_t unreached_since; /* 0: etcd is reached */
	int64_t next_message;
	struct cluster_progress *progress; /* NULL: without -v */
};

enum cluster_wait_result {
	CLUSTER_WAIT_INSIDE,
	CLUSTER_WAIT_BUSY,      /* -n, and no slot is free */
	CLUSTER_WAIT_TIMEOUT,   /* the deadline */
	CLUSTER_WAIT_SIGNAL,    /* see signal */
	CLUSTER_WAIT_NO_POOL,   /* the pool was removed */
	CLUSTER_WAIT_UNREACHED, /* -n or a deadline, and etcd was not reached */
	CLUSTER_WAIT_REFUSED    /* see etcd->trouble */
};

/* Sets etcd->attention.  The caller has taken the signals. */
void cluster_wait_begin(struct cluster_waiter *w);

/* Waits until etcd has answered a first request.  Returns CLUSTER_WAIT_INSIDE
 * if it has. */
enum cluster_wait_result cluster_wait_contact(struct cluster_waiter *w);

/* Waits for a slot. */
enum cluster_wait_result cluster_wait_slot(struct cluster_waiter *w,
					   const struct algorithm *algorithm);

/* Ends the wait: from now on nothing interrupts a step. */
void cluster_wait_end(struct cluster_waiter *w);

#endif
