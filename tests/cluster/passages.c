/* SPDX-License-Identifier: BSD-2-Clause */
/* The algorithms over a store, on a real etcd: the files that the checker
 * searched, compiled a third time. */
#include "common/watchdog.h"
#include "pool.h"
#include "server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

extern const struct algorithm ledger, ledger_room;

enum { MEMBERS = 4, OWN = 16 };
static const int64_t second = 1000000000;
static uint64_t own[MEMBERS][OWN];

/* Member i of a pool of this kind; member 0 creates a new pool. */
static struct etcd *join(unsigned i, bool groups, unsigned k,
			 const char *address, bool ahead)
{
	const char *endpoint = address ? address : pool_node();
	struct etcd *etcd;
	char root[32];

	memset(own[i], 0, sizeof own[i]);
	if (i == 0)
		pool_new();
	snprintf(root, sizeof root, "atmost/passages-%u", pool_last());
	etcd = etcd_open(&(struct etcd_settings){
		.address = { .endpoints = &endpoint, .count = 1 },
		.root = root,
		.groups = groups,
		.k = k,
		.seconds = 60,
		.member = "{}",
		.ahead = ahead,
		.own = own[i] });
	assert_non_null(etcd);
	if (i == 0)
		assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	return etcd;
}

/* Waits until a member is inside. */
static void await_inside(struct etcd *etcd, const struct algorithm *a)
{
	enum etcd_outcome outcome = ETCD_WAITS;

	while (outcome == ETCD_WAITS) {
		etcd_wait(etcd, INT64_MAX, NULL, 0);
		outcome = etcd_poll(etcd, a);
	}
	assert_int_equal(outcome, ETCD_INSIDE);
	watchdog_restart();
}

static void part(struct etcd *etcd)
{
	etcd_close(etcd, INT64_MAX);
}

/* Nothing but the pool is left. */
static void assert_empty(struct etcd *etcd)
{
	struct seen_keys seen;

	assert_true(etcd_status(etcd, &seen));
	assert_int_equal(seen.count, 1);
	seen_keys_free(&seen);
}

static void members_enter_in_order_of_arrival(void **state)
{
	struct etcd *m[MEMBERS];

	(void)state;
	for (unsigned i = 0; i < MEMBERS; i++) {
		m[i] = join(i, false, 2, NULL, false);
		assert_int_equal(etcd_doorway(m[i], &ledger),
				 i < 2 ? ETCD_INSIDE : ETCD_WAITS);
	}
	assert_int_not_equal(m[0]->process.slot, m[1]->process.slot);
	assert_true(m[0]->process.token < m[1]->process.token);
	/* No slot is free: the second waiter would have to wait even if one
	 * were. */
	assert_int_equal(etcd_poll(m[3], &ledger), ETCD_WAITS);
	etcd_leave(m[1], &ledger);
	assert_int_equal(etcd_poll(m[3], &ledger), ETCD_WAITS);
	await_inside(m[2], &ledger);
	assert_int_equal(m[2]->process.slot, m[1]->process.slot);
	assert_true(m[2]->process.token > m[1]->process.token);
	etcd_leave(m[0], &ledger);
	await_inside(m[3], &ledger);
	etcd_leave(m[2], &ledger);
	etcd_leave(m[3], &ledger);
	assert_empty(m[0]);
	for (unsigned i = 0; i < MEMBERS; i++)
		part(m[i]);
}

static void a_waiter_that_gives_up_hinders_no_other(void **state)
{
	struct etcd *m[3];

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		m[i] = join(i, false, 1, NULL, false);
		assert_int_equal(etcd_doorway(m[i], &ledger),
				 i < 1 ? ETCD_INSIDE : ETCD_WAITS);
	}
	assert_int_equal(etcd_poll(m[2], &ledger), ETCD_WAITS);
	etcd_abort(m[1], &ledger);
	etcd_leave(m[0], &ledger);
	await_inside(m[2], &ledger);
	etcd_leave(m[2], &ledger);
	assert_empty(m[0]);
	for (unsigned i = 0; i < 3; i++)
		part(m[i]);
}

static void a_waiter_that_lost_its_lease_queues_again(void **state)
{
	struct etcd *m[2];
	int64_t lease;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		m[i] = join(i, false, 1, NULL, false);
		etcd_doorway(m[i], &ledger);
	}
	lease = m[1]->lease->id;
	m[1]->lease->valid_until = wire_now();
	assert_int_equal(etcd_poll(m[1], &ledger), ETCD_WAITS);
	assert_true(m[1]->lease->id != lease);
	etcd_leave(m[0], &ledger);
	await_inside(m[1], &ledger);
	part(m[1]);
	part(m[0]);
}

static void a_paused_pool_lets_members_in_after_its_pause(void **state)
{
	struct etcd *m[2];

	(void)state;
	m[0] = join(0, false, 1, NULL, false);
	m[1] = join(1, false, 1, NULL, false);
	assert_int_equal(etcd_set_limit(m[0], &ledger, 0), ETCD_DONE);
	assert_int_equal(etcd_doorway(m[1], &ledger), ETCD_WAITS);
	assert_int_equal(etcd_poll(m[1], &ledger), ETCD_WAITS);
	assert_int_equal(etcd_set_limit(m[0], &ledger, 5), ETCD_DONE);
	await_inside(m[1], &ledger);
	/* And a larger limit lets others in, who expected a smaller one. */
	assert_int_equal(etcd_doorway(m[0], &ledger), ETCD_INSIDE);
	part(m[1]);
	part(m[0]);
}

static void a_session_enters_together(void **state)
{
	struct etcd *m[MEMBERS];

	(void)state;
	for (unsigned i = 0; i < MEMBERS; i++) {
		m[i] = join(i, true, 0, NULL, false);
		m[i]->process.session = i < 3 ? 0xabc : 0xdef;
	}
	assert_int_equal(etcd_doorway(m[0], &ledger_room), ETCD_INSIDE);
	assert_int_equal(etcd_doorway(m[1], &ledger_room), ETCD_INSIDE);
	assert_int_equal(etcd_doorway(m[3], &ledger_room), ETCD_WAITS);
	/* Behind a waiter of another session. */
	assert_int_equal(etcd_doorway(m[2], &ledger_room), ETCD_WAITS);
	assert_int_not_equal(m[0]->process.slot, m[1]->process.slot);
	etcd_leave(m[0], &ledger_room);
	assert_int_equal(etcd_poll(m[3], &ledger_room), ETCD_WAITS);
	etcd_leave(m[1], &ledger_room);
	await_inside(m[3], &ledger_room);
	assert_int_equal(etcd_poll(m[2], &ledger_room), ETCD_WAITS);
	etcd_leave(m[3], &ledger_room);
	await_inside(m[2], &ledger_room);
	etcd_leave(m[2], &ledger_room);
	assert_empty(m[0]);
	for (unsigned i = 0; i < MEMBERS; i++)
		part(m[i]);
}

static unsigned long requests_of_passage(bool ahead)
{
	struct etcd *etcd = join(0, false, 4, NULL, ahead);
	unsigned long before;

	/* The first passage has no lease of its own ahead. */
	for (unsigned i = 0; i < 2; i++) {
		before = wire_attempts(etcd->wire);
		assert_int_equal(etcd_doorway(etcd, &ledger), ETCD_INSIDE);
		etcd_leave(etcd, &ledger);
	}
	before = wire_attempts(etcd->wire) - before;
	part(etcd);
	return before;
}

static void a_passage_undisturbed_is_three_requests(void **state)
{
	(void)state;
	assert_int_equal(requests_of_passage(false), 3);
	/* One of the three is that of the next passage. */
	assert_int_equal(requests_of_passage(true), 3);
}

static void lost_messages_cost_no_slot(void **state)
{
	static const struct reply replies[] = {
		{ .kind = REPLY_FORWARD },     /* create */
		{ .kind = REPLY_LOSE_ANSWER }, /* grant */
		{ .kind = REPLY_FORWARD },
		{ .kind = REPLY_LOSE_ANSWER }, /* arrive */
		{ .kind = REPLY_LOSE },
		{ .kind = REPLY_FORWARD },
		{ .kind = REPLY_LOSE_ANSWER }, /* revoke */
		{ .kind = REPLY_FORWARD },
	};
	struct server *server = server_start(replies, 8, pool_node());
	struct etcd *etcd = join(0, false, 1, server_address(server), false);
	struct etcd *other;

	(void)state;
	assert_int_equal(etcd_doorway(etcd, &ledger), ETCD_INSIDE);
	other = join(1, false, 1, NULL, false);
	assert_int_equal(etcd_doorway(other, &ledger), ETCD_WAITS);
	etcd_leave(etcd, &ledger);
	await_inside(other, &ledger);
	etcd_leave(other, &ledger);
	assert_empty(other);
	part(other);
	part(etcd);
	server_stop(server);
}

/* A pool that was removed under its waiters, or was never there. */
static void a_pool_that_is_not_there_stops_a_member(void **state)
{
	struct etcd *etcd;

	(void)state;
	pool_new();
	etcd = join(1, false, 1, NULL, false);
	assert_int_equal(etcd_doorway(etcd, &ledger), ETCD_STOPPED);
	assert_int_equal(etcd->trouble.kind, WIRE_PENDING);
	assert_int_equal(etcd->lease->id, 0);
	part(etcd);
}

static void a_member_without_contact_stops_at_its_limit(void **state)
{
	static const struct reply replies[] = { { .kind = REPLY_FORWARD },
						{ .kind = REPLY_FORWARD },
						{ .kind = REPLY_LOSE } };
	struct server *server = server_start(replies, 3, pool_node());
	struct etcd *etcd = join(0, false, 1, server_address(server), false);

	(void)state;
	etcd_limit(etcd, wire_now() + second / 2);
	assert_int_equal(etcd_doorway(etcd, &ledger), ETCD_STOPPED);
	etcd_close(etcd, 0);
	server_stop(server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_enter_in_order_of_arrival),
		cmocka_unit_test(a_waiter_that_gives_up_hinders_no_other),
		cmocka_unit_test(a_waiter_that_lost_its_lease_queues_again),
		cmocka_unit_test(a_paused_pool_lets_members_in_after_its_pause),
		cmocka_unit_test(a_session_enters_together),
		cmocka_unit_test(a_passage_undisturbed_is_three_requests),
		cmocka_unit_test(lost_messages_cost_no_slot),
		cmocka_unit_test(a_pool_that_is_not_there_stops_a_member),
		cmocka_unit_test(a_member_without_contact_stops_at_its_limit),
	};

	watchdog_start("FAILED: a passage over etcd hangs\n");
	return cmocka_run_group_tests(tests, pool_start_node, pool_stop_node);
}
