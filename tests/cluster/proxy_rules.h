/* SPDX-License-Identifier: BSD-2-Clause */
/* What the proxy of the tests does with connections and requests, and the
 * requests with which a test changes this. */
#ifndef ATMOST_TESTS_CLUSTER_PROXY_RULES_H
#define ATMOST_TESTS_CLUSTER_PROXY_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum proxy_mode {
	PROXY_PASS,
	PROXY_HOLD, /* connections stay open, and no byte passes */
	PROXY_CUT   /* every connection is closed */
};

/* What becomes of a request. */
enum proxy_fate {
	FATE_PASS,
	FATE_BEFORE, /* the connection is closed before the request arrives */
	FATE_AFTER,  /* the request arrives, and its answer is lost */
	FATE_TWICE,  /* the request arrives twice, one after the other */
	FATE_LATE,   /* a copy of the request arrives later as well */
	FATE_DELAY,  /* the request arrives after a pause */
	FATES
};

/* All functions below may be called by several threads. */

void rules_start(uint64_t seed);

/* Waits while connections are held.  False: connections are cut. */
bool rules_gate(void);

/* Returns what becomes of a request with this path, and counts it. */
enum proxy_fate rules_fate(const char *path);

/* Returns the milliseconds of a pause, and of the life of a watch; -1: the watch
 * is not cut. */
unsigned rules_pause(void);
int rules_watch_life(void);
void rules_count_cut_watch(void);

/* Writes the version that GET /version is to tell; false: that of etcd. */
bool rules_version(char *version, size_t room);

/*
 * Obeys a request of the test.  The text is what follows /-/ in its path:
 *   pass | hold | cut | cut-watches | counts
 *   lossy?before=P&after=P&twice=P&late=P&delay=P&pause=MS&watch=MS
 *       P of 100 requests have this fate; pauses and watches last up to MS
 *   once?FATE=PATH     the next request with this path has this fate
 *   version?V          GET /version tells V; without V: what etcd tells
 * Writes the answer.  *cut and *cut_watches say which connections the caller
 * must close.  False: the text is none of these.
 */
bool rules_obey(const char *text, char *answer, size_t room, bool *cut,
		bool *cut_watches);

#endif
