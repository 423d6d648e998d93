/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/cluster/metrics.h"

#include "tests/cluster/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the values of all lines that begin with the name and, if `part` is not
 * NULL, contain the part. */
static double sum(const char *page, const char *name, const char *part)
{
	double total = 0;

	for (const char *line = page; line; line = strchr(line, '\n')) {
		const char *end, *found, *value;

		line += *line == '\n';
		if (strncmp(line, name, strlen(name)) != 0)
			continue;
		end = strchr(line, '\n');
		found = part ? strstr(line, part) : line;
		if (!end || !found || found >= end)
			continue;
		for (value = end; value > line && value[-1] != ' '; value--)
			;
		total += strtod(value, NULL);
	}
	return total;
}

static double calls(const char *page, const char *method)
{
	char part[64];

	snprintf(part, sizeof part, "grpc_method=\"%s\"", method);
	return sum(page, "grpc_server_started_total{", part);
}

struct metrics metrics_read(void)
{
	const char *page = node_post("/metrics", NULL);
	struct metrics m;

	if (!page) {
		fputs("cluster: etcd does not show its metrics\n", stderr);
		node_stop();
		exit(1);
	}
	m.events = sum(page, "etcd_debugging_mvcc_events_total ", NULL);
	m.grants = calls(page, "LeaseGrant");
	m.transactions = calls(page, "Txn");
	m.keepalives = calls(page, "LeaseKeepAlive");
	m.revokes = calls(page, "LeaseRevoke");
	m.watches = calls(page, "Watch");
	m.requests = m.grants + m.transactions + m.keepalives + m.revokes +
		     m.watches;
	m.bytes = sum(page, "etcd_network_client_grpc_sent_bytes_total ", NULL);
	m.seconds = sum(page, "process_cpu_seconds_total ", NULL);
	return m;
}

struct metrics metrics_between(const struct metrics *before,
			       const struct metrics *after)
{
	return (struct metrics){
		.events = after->events - before->events,
		.requests = after->requests - before->requests,
		.grants = after->grants - before->grants,
		.transactions = after->transactions - before->transactions,
		.keepalives = after->keepalives - before->keepalives,
		.revokes = after->revokes - before->revokes,
		.watches = after->watches - before->watches,
		.bytes = after->bytes - before->bytes,
		.seconds = after->seconds - before->seconds,
	};
}
