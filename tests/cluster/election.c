/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A cluster of three nodes elects another leader while members hold and wait.
 *
 * Before version 3.5, a node that was cut off asks for votes again and again,
 * each time in a higher term.  When the node is back, its higher term deposes
 * the healthy leader, and for a while there is no leader.
 */
#include "common/watchdog.h"
#include "memory/etcd/passage.h"
#include "node.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

extern const struct algorithm ledger;

enum { NODES = 3, TERMS = 3 };

/* Returns a number from the status of a node; 0: the node did not say. */
static uint64_t status_of(unsigned node, const char *field)
{
	const char *answer = node_post_to(node, "/v3/maintenance/status", "{}");
	char name[32];
	const char *at;

	snprintf(name, sizeof name, "\"%s\":\"", field);
	at = answer ? strstr(answer, name) : NULL;
	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static unsigned find_leader(void)
{
	for (unsigned i = 0;; i = (i + 1) % NODES) {
		const uint64_t leader = status_of(i, "leader");

		if (leader && leader == status_of(i, "member_id"))
			return i;
		usleep(10000);
	}
}

static struct etcd *join(uint64_t *own)
{
	const char *endpoints[NODES];
	struct etcd *etcd;

	for (unsigned i = 0; i < NODES; i++)
		endpoints[i] = node_address(i);
	etcd = etcd_open(&(struct etcd_settings){
		.address = { .endpoints = endpoints, .count = NODES },
		.root = "atmost/election",
		.k = 1,
		.seconds = 120,
		.member = "{}",
		.own = own });
	assert_non_null(etcd);
	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	return etcd;
}

/* Returns the highest term in which the node has asked for votes.  Only its log
 * tells: the status has the term of the last entry. */
static uint64_t candidate_term(unsigned node)
{
	static const char words[] = "became candidate at term ";
	char path[256], line[1024];
	uint64_t term = 0;
	FILE *log;

	snprintf(path, sizeof path, "%s/etcd-%u.log", node_folder(), node);
	log = fopen(path, "r");
	assert_non_null(log);
	while (fgets(line, sizeof line, log)) {
		const char *at = strstr(line, words);

		if (at)
			term = strtoull(at + strlen(words), NULL, 10);
	}
	fclose(log);
	return term;
}

/* Stops the other nodes until this node has asked for votes in several terms.
 * Returns the last of these terms. */
static uint64_t raise_term(unsigned node)
{
	const uint64_t before = status_of(node, "raftTerm");

	assert_true(before > 0);
	for (unsigned i = 0; i < NODES; i++)
		if (i != node)
			node_signal(i, SIGSTOP);
	while (candidate_term(node) < before + TERMS)
		usleep(10000);
	for (unsigned i = 0; i < NODES; i++)
		if (i != node)
			node_signal(i, SIGCONT);
	return before + TERMS;
}

static void members_survive_a_node_that_comes_back(void **state)
{
	static const char *const more[] = { "--pre-vote=false", NULL };
	static uint64_t own[2][16];
	enum etcd_outcome outcome = ETCD_WAITS;
	struct etcd *holder, *waiter;
	unsigned leader;
	uint64_t term;

	(void)state;
	node_start(&(struct node_settings){ .nodes = NODES, .more = more });
	holder = join(own[0]);
	waiter = join(own[1]);
	assert_int_equal(etcd_doorway(holder, &ledger), ETCD_INSIDE);
	assert_int_equal(etcd_doorway(waiter, &ledger), ETCD_WAITS);
	assert_int_equal(etcd_poll(waiter, &ledger), ETCD_WAITS);
	leader = find_leader();
	term = raise_term((leader + 1) % NODES);
	etcd_leave(holder, &ledger);
	while (outcome == ETCD_WAITS) {
		etcd_wait(waiter, INT64_MAX, NULL, 0);
		outcome = etcd_poll(waiter, &ledger);
	}
	assert_int_equal(outcome, ETCD_INSIDE);
	assert_true(waiter->process.token > holder->process.token);
	/* The old leader has followed the node into its term. */
	assert_true(status_of(leader, "raftTerm") >= term);
	print_message("%lu and %lu attempts\n", wire_attempts(holder->wire),
		      wire_attempts(waiter->wire));
	etcd_leave(waiter, &ledger);
	etcd_close(waiter, INT64_MAX);
	etcd_close(holder, INT64_MAX);
	node_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_survive_a_node_that_comes_back),
	};

	node_require();
	watchdog_start("FAILED: a member does not survive an election\n");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
