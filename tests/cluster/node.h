/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An etcd of the test's own: one node, or several that form a cluster, on free
 * ports of the loopback interface, with its data in a temporary folder.
 * However the test program ends, etcd ends with it, and the folder is removed.
 */
#ifndef ATMOST_TESTS_CLUSTER_NODE_H
#define ATMOST_TESTS_CLUSTER_NODE_H

#include <stdbool.h>
#include <stdint.h>

enum { NODES_MOST = 3 };

struct node_settings {
	unsigned nodes; /* 0: one */
	/* Files for TLS: etcd's certificate and key, and the CA of the clients
	 * that etcd accepts; NULL: plain HTTP. */
	const char *certificate, *key, *client_ca;
	const char *const *more; /* further arguments, ends with NULL */
};

/* If etcd is not installed, prints a sentence and exits with 77, which Meson
 * takes for a skipped test. */
void node_require(void);

/* Starts etcd and waits until all nodes answer; calls node_require first.
 * Returns "127.0.0.1:port" of node 0, which is valid until the next start. */
const char *node_start(const struct node_settings *);
void node_stop(void);

const char *node_address(unsigned i);

/* Sends a signal to the process of node i. */
void node_signal(unsigned i, int signal);

/* The folder of the test, which also has etcd's data: a new one in
 * ATMOST_ETCD_DIR, or in memory. */
const char *node_folder(void);

/* Posts a body to etcd by curl, not by the code under test.  Returns etcd's
 * answer, which is valid until the next call; NULL: etcd was not reached. */
const char *node_post(const char *path, const char *body);
const char *node_post_to(unsigned i, const char *path, const char *body);

#endif
