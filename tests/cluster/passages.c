/* SPDX-License-Identifier: BSD-2-Clause */
/* The algorithms over a store, on a real etcd.  They are the files that the
 * checker searches, compiled a third time. */
#include "common/watchdog.h"
#include "memory/etcd/hold.h"
#include "node.h"
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

/* Asserts that nothing but the pool is left. */
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
	/* No slot is free.  Even if one were, the second waiter would have to
	 * wait. */
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
	/* A larger limit also lets in a member that expected a smaller
	 * limit. */
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
	/* This member is behind a waiter of another session. */
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

	/* No lease was granted ahead for the first passage, so the second one
	 * counts. */
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
	/* One of the three requests asks for the lease of the next passage. */
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

/* Shows the first half of a claim: the ticket of the claimer has gone, and the
 * slot that the claimer has taken still looks free. */
static void see_half_a_claim(struct etcd *etcd, unsigned slot)
{
	struct replica *replica = &etcd->replica;
	const int64_t revision = replica->revision + 1000;
	char key[KEY_ROOM];
	struct seen_key event = { .key = key,
				  .modified = revision,
				  .removed = true };

	event.key_length = (size_t)snprintf(key, sizeof key, "%s/s/%04u",
					    replica->root, slot);
	assert_true(
		replica_apply(replica, &(struct seen_keys){ .count = 1,
							    .keys = &event }));
	replica->waiter_event = revision + 1;
}

static void half_a_claim_lets_nobody_overtake(void **state)
{
	struct etcd *m[MEMBERS];

	(void)state;
	for (unsigned i = 0; i < MEMBERS; i++) {
		m[i] = join(i, false, 2, NULL, false);
		assert_int_equal(etcd_doorway(m[i], &ledger),
				 i < 2 ? ETCD_INSIDE : ETCD_WAITS);
	}
	assert_int_equal(etcd_poll(m[3], &ledger), ETCD_WAITS);
	etcd_leave(m[1], &ledger);
	while (m[3]->replica.slot_event == 0)
		etcd_pump(m[3], INT64_MAX, NULL, 0);
	/* If two slots were free, the last waiter could take the second. */
	see_half_a_claim(m[3], (unsigned)m[0]->process.slot);
	assert_int_equal(etcd_poll(m[3], &ledger), ETCD_WAITS);
	await_inside(m[2], &ledger);
	etcd_leave(m[2], &ledger);
	await_inside(m[3], &ledger);
	etcd_leave(m[3], &ledger);
	etcd_leave(m[0], &ledger);
	assert_empty(m[0]);
	for (unsigned i = 0; i < MEMBERS; i++)
		part(m[i]);
}

/* The pool was removed while members waited, or never existed. */
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

/* Removes the key of slot 0 of the present pool, by other code. */
static void remove_slot(void)
{
	struct text body = { 0 };
	char key[48];

	snprintf(key, sizeof key, "atmost/passages-%u/s/0000", pool_last());
	text_print(&body, "{\"key\":\"");
	text_add_base64(&body, key, strlen(key));
	text_print(&body, "\"}");
	assert_non_null(strstr(node_post("/v3/kv/deleterange", body.bytes),
			       "\"deleted\":\"1\""));
	text_free(&body);
}

static void await_loss(struct etcd *etcd)
{
	while (etcd_has_slot(etcd))
		etcd_pump(etcd, wire_now() + second, NULL, 0);
	watchdog_restart();
}

/* A member inside slot 0, which it watches. */
static struct etcd *hold(void)
{
	struct etcd *etcd = join(0, false, 1, NULL, false);

	assert_int_equal(etcd_doorway(etcd, &ledger), ETCD_INSIDE);
	etcd_hold(etcd, (unsigned)etcd->process.slot, etcd->process.token);
	assert_true(etcd_has_slot(etcd));
	return etcd;
}

static void a_holder_sees_that_its_slot_is_gone(void **state)
{
	struct etcd *etcd = hold();
	const int64_t lease = etcd->lease->id;

	(void)state;
	/* The watch has begun. */
	while (!etcd->watch.stream.heard)
		etcd_pump(etcd, wire_now() + second, NULL, 0);
	assert_true(etcd_has_slot(etcd));
	remove_slot();
	await_loss(etcd);
	assert_int_equal(etcd->lease->id, lease);
	part(etcd);
}

/* A short passage does not pay for a watch. */
static void the_watch_of_a_slot_begins_later_and_misses_nothing(void **state)
{
	struct etcd *etcd = hold();
	const unsigned long attempts = wire_attempts(etcd->wire);

	(void)state;
	etcd->hold_at = INT64_MAX;
	etcd_pump(etcd, 0, NULL, 0);
	assert_true(etcd_has_slot(etcd));
	etcd_pump(etcd, 0, NULL, 0);
	assert_int_equal(wire_attempts(etcd->wire), attempts);
	/* The slot goes before the watch begins. */
	remove_slot();
	assert_true(etcd_has_slot(etcd));
	etcd->hold_at = 1;
	await_loss(etcd);
	part(etcd);
}

/* etcd does not tell the holder what has happened since the watch ended. */
static void a_holder_without_a_watch_looks_again(void **state)
{
	struct etcd *etcd = hold();

	(void)state;
	etcd->hold_at = 0; /* as if the watch had begun and ended */
	while (!etcd->watch.running) {
		assert_true(etcd_has_slot(etcd));
		etcd_pump(etcd, wire_now() + second, NULL, 0);
	}
	assert_true(etcd_has_slot(etcd));
	watch_stop(&etcd->watch);
	remove_slot();
	await_loss(etcd);
	assert_false(etcd->watch.running);
	part(etcd);
}

static unsigned calls;

static bool stop_at_third_call(void *context)
{
	struct etcd *etcd = context;

	etcd->attention.at = wire_now() + second / 100;
	return ++calls == 3;
}

static void a_step_without_contact_stops_when_the_caller_wants(void **state)
{
	static const struct reply replies[] = { { .kind = REPLY_FORWARD },
						{ .kind = REPLY_SILENCE } };
	struct server *server = server_start(replies, 2, pool_node());
	struct etcd *etcd = join(0, false, 1, server_address(server), false);

	(void)state;
	calls = 0;
	etcd->attention = (struct etcd_attention){ .attend = stop_at_third_call,
						   .context = etcd };
	assert_int_equal(etcd_doorway(etcd, &ledger), ETCD_STOPPED);
	assert_int_equal(calls, 3);
	etcd_close(etcd, 0);
	server_stop(server);
}

static void a_lease_that_was_given_up_ends_before_its_time(void **state)
{
	struct etcd *m[2];

	(void)state;
	m[0] = join(0, false, 1, NULL, false);
	m[1] = join(1, false, 1, NULL, false);
	assert_int_equal(etcd_doorway(m[0], &ledger), ETCD_INSIDE);
	lease_abandon(m[0]->wire, m[0]->lease);
	etcd_close(m[0], INT64_MAX);
	assert_empty(m[1]);
	part(m[1]);
}

/* The tickets of the present pool, as etcd has them. */
static unsigned tickets(struct etcd *etcd)
{
	unsigned count = 0;
	struct seen_keys seen;
	struct key key;

	assert_true(etcd_status(etcd, &seen));
	for (size_t i = 0; i < seen.count; i++)
		count += key_parse(&key, etcd->replica.root, seen.keys[i].key,
				   seen.keys[i].key_length) &&
			 key.range == STORE_WAITER;
	seen_keys_free(&seen);
	return count;
}

/* The first slots are taken, and there are more of them than an arrival tries. */
static void an_impatient_member_takes_the_only_free_slot(void **state)
{
	enum { SLOTS = 12 };
	struct etcd *m[SLOTS];
	static uint64_t owns[SLOTS][OWN];

	(void)state;
	for (unsigned i = 0; i < SLOTS; i++) {
		m[i] = join(i ? 1 : 0, false, SLOTS, NULL, false);
		m[i]->process.own = owns[i];
		m[i]->settings.impatient = true;
		m[i]->process.hint = 0;
		assert_int_equal(etcd_doorway(m[i], &ledger), ETCD_INSIDE);
	}
	etcd_leave(m[3], &ledger);
	m[3]->process.hint = 4;
	assert_int_equal(etcd_doorway(m[3], &ledger), ETCD_INSIDE);
	assert_int_equal(m[3]->process.slot, 3);
	for (unsigned i = 0; i < SLOTS; i++)
		part(m[i]);
}

static void an_impatient_member_is_in_nobodys_way(void **state)
{
	struct etcd *m[3];

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		m[i] = join(i, false, 1, NULL, false);
	m[1]->settings.impatient = true;
	assert_int_equal(etcd_doorway(m[0], &ledger), ETCD_INSIDE);
	assert_int_equal(etcd_doorway(m[1], &ledger), ETCD_BUSY);
	assert_int_equal(etcd_doorway(m[2], &ledger), ETCD_WAITS);
	assert_int_equal(tickets(m[2]), 1);
	/* The impatient member does not enter before the member that waits. */
	etcd_leave(m[0], &ledger);
	assert_int_equal(etcd_doorway(m[1], &ledger), ETCD_BUSY);
	await_inside(m[2], &ledger);
	etcd_leave(m[2], &ledger);
	assert_int_equal(etcd_doorway(m[1], &ledger), ETCD_INSIDE);
	/* And a paused pool has no slot. */
	etcd_leave(m[1], &ledger);
	assert_int_equal(etcd_set_limit(m[0], &ledger, 0), ETCD_DONE);
	assert_int_equal(etcd_doorway(m[1], &ledger), ETCD_BUSY);
	assert_empty(m[0]);
	for (unsigned i = 0; i < 3; i++)
		part(m[i]);
}

static void an_impatient_member_of_a_session_enters_beside_it(void **state)
{
	struct etcd *m[3];

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		m[i] = join(i, true, 0, NULL, false);
		m[i]->process.session = i < 2 ? 0xabc : 0xdef;
		m[i]->settings.impatient = true;
	}
	assert_int_equal(etcd_doorway(m[0], &ledger_room), ETCD_INSIDE);
	assert_int_equal(etcd_doorway(m[1], &ledger_room), ETCD_INSIDE);
	assert_int_equal(etcd_doorway(m[2], &ledger_room), ETCD_BUSY);
	for (unsigned i = 0; i < 3; i++)
		part(m[i]);
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
		cmocka_unit_test(half_a_claim_lets_nobody_overtake),
		cmocka_unit_test(a_pool_that_is_not_there_stops_a_member),
		cmocka_unit_test(a_member_without_contact_stops_at_its_limit),
		cmocka_unit_test(an_impatient_member_takes_the_only_free_slot),
		cmocka_unit_test(an_impatient_member_is_in_nobodys_way),
		cmocka_unit_test(
			an_impatient_member_of_a_session_enters_beside_it),
		cmocka_unit_test(a_holder_sees_that_its_slot_is_gone),
		cmocka_unit_test(
			the_watch_of_a_slot_begins_later_and_misses_nothing),
		cmocka_unit_test(a_holder_without_a_watch_looks_again),
		cmocka_unit_test(
			a_step_without_contact_stops_when_the_caller_wants),
		cmocka_unit_test(
			a_lease_that_was_given_up_ends_before_its_time),
	};

	watchdog_start("FAILED: a passage over etcd hangs\n");
	return cmocka_run_group_tests(tests, pool_start_node, pool_stop_node);
}
