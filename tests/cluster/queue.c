/* SPDX-License-Identifier: BSD-2-Clause */
/* Long queues on a real etcd: a far waiter watches its guards only, and misses
 * nothing (memory/etcd/queue.h). */
#include "common/watchdog.h"
#include "memory/etcd/passage.h"
#include "memory/etcd/request.h"
#include "node.h"
#include "server.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

extern const struct algorithm ledger;

enum {
	K = 2,
	FIRST = 2 * K + QUEUE_DISTANCE + 1, /* the near tickets */
	/* The tickets before the far waiter: the near tickets, some tickets
	 * that it does not see, its two guards, and the tickets between the
	 * guards and itself. */
	TICKETS = 50,
	GUARD = TICKETS - QUEUE_DISTANCE - K,
	MEMBERS = 30,
	OWN = 16,
	/* No keepalive wakes a waiter before the test has ended. */
	SECONDS = 7200
};
static const char *node;
static struct wire *wire;
static unsigned pools;
static uint64_t own[MEMBERS][OWN];

/* Member i of a pool; member 0 creates a new pool. */
static struct etcd *join(unsigned i, unsigned k, const char *address)
{
	const char *endpoint = address ? address : node;
	struct etcd *etcd;
	char root[32];

	memset(own[i], 0, sizeof own[i]);
	pools += i == 0;
	snprintf(root, sizeof root, "atmost/queue-%u", pools);
	etcd = etcd_open(&(struct etcd_settings){
		.address = { .endpoints = &endpoint, .count = 1 },
		.root = root,
		.k = k,
		.seconds = SECONDS,
		.member = "{}",
		.own = own[i] });
	assert_non_null(etcd);
	if (i == 0)
		assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	return etcd;
}

/* Puts or removes a ticket that no member of this program has; no lease has so
 * small a number. */
static void change_ticket(unsigned number, bool put)
{
	const struct key key = { .range = STORE_WAITER, .lease = number + 1 };
	struct exchange exchange = { .path = "/v3/kv/txn" };
	char root[32], name[KEY_ROOM];

	snprintf(root, sizeof root, "atmost/queue-%u", pools);
	key_print(name, root, &key);
	request_begin(&exchange.body);
	request_success(&exchange.body);
	if (put)
		request_put(&exchange.body, name, "-", 0);
	else
		request_delete(&exchange.body,
			       (struct key_range){ name, false });
	request_end(&exchange.body);
	wire_send(wire, &exchange);
	while (exchange.result == WIRE_PENDING)
		wire_pump(wire, INT64_MAX, NULL, 0);
	assert_int_equal(exchange.result, WIRE_DONE);
	wire_free(&exchange);
}

static void put_ticket(unsigned number)
{
	change_ticket(number, true);
}

static void remove_ticket(unsigned number)
{
	change_ticket(number, false);
}

static bool knows_ticket(const struct etcd *etcd, unsigned number)
{
	return queue_ticket(&etcd->replica, number + 1) != 0;
}

/* A pool whose slots are held, and a queue. */
static void begin(struct etcd *holder[K])
{
	for (unsigned i = 0; i < K; i++) {
		holder[i] = join(i, K, NULL);
		assert_int_equal(etcd_doorway(holder[i], &ledger), ETCD_INSIDE);
	}
	for (unsigned i = 0; i < TICKETS; i++)
		put_ticket(i);
}

/* The far waiter behind the queue, before its watch has been sent. */
static struct etcd *arrive(const char *address)
{
	struct etcd *far = join(K, K, address);

	assert_int_equal(etcd_doorway(far, &ledger), ETCD_WAITS);
	assert_int_equal(etcd_poll(far, &ledger), ETCD_WAITS);
	assert_true(far->watch.guards);
	assert_true(far->watch.running);
	return far;
}

static void end(struct etcd *holder[K], struct etcd *far)
{
	etcd_close(far, INT64_MAX);
	for (unsigned i = 0; i < K; i++)
		etcd_close(holder[i], INT64_MAX);
	watchdog_restart();
}

/* Waits until the far waiter has looked again and has begun another watch. */
static void await_look(struct etcd *far)
{
	const int64_t revision = far->replica.revision;

	while (far->replica.revision == revision) {
		assert_true(etcd_wait(far, INT64_MAX, NULL, 0));
		assert_int_equal(etcd_poll(far, &ledger), ETCD_WAITS);
	}
}

static void await_inside(struct etcd *etcd)
{
	enum etcd_outcome outcome = ETCD_WAITS;

	while (outcome == ETCD_WAITS) {
		etcd_wait(etcd, INT64_MAX, NULL, 0);
		outcome = etcd_poll(etcd, &ledger);
	}
	assert_int_equal(outcome, ETCD_INSIDE);
}

static void a_far_waiter_sees_the_head_its_guards_and_itself(void **state)
{
	struct etcd *holder[K], *far;

	(void)state;
	begin(holder);
	far = arrive(NULL);
	assert_true(knows_ticket(far, 0));
	assert_true(knows_ticket(far, FIRST - 1));
	assert_false(knows_ticket(far, FIRST));
	assert_false(knows_ticket(far, GUARD - 1));
	assert_true(knows_ticket(far, GUARD));
	assert_true(knows_ticket(far, TICKETS - 1));
	assert_true(queue_ticket(&far->replica, far->lease->id) > 0);
	/* Lease, arrival, look; the watch waits to be sent. */
	assert_int_equal(wire_attempts(far->wire), 3);
	end(holder, far);
}

static void a_far_waiter_is_woken_by_its_guards_only(void **state)
{
	struct etcd *holder[K], *far;

	(void)state;
	begin(holder);
	far = arrive(NULL);
	remove_ticket(0);
	remove_ticket(GUARD - 1);
	remove_ticket(GUARD + K);
	remove_ticket(GUARD);
	assert_true(etcd_wait(far, INT64_MAX, NULL, 0));
	/* The far waiter has heard nothing of the other tickets. */
	assert_true(knows_ticket(far, 0));
	assert_true(knows_ticket(far, GUARD + K));
	assert_false(knows_ticket(far, GUARD));
	assert_int_equal(etcd_poll(far, &ledger), ETCD_WAITS);
	assert_false(knows_ticket(far, 0));
	end(holder, far);
}

/* Nothing is sent between a poll and the next wait, so the guard goes after the
 * look and before the watch. */
static void every_guard_wakes_also_before_the_watch(void **state)
{
	(void)state;
	for (unsigned guard = 0; guard < K; guard++) {
		struct etcd *holder[K], *far;

		begin(holder);
		far = arrive(NULL);
		remove_ticket(GUARD + guard);
		await_look(far);
		/* Other tickets are its guards now. */
		assert_true(far->watch.guards);
		remove_ticket(GUARD - 1);
		await_look(far);
		end(holder, far);
	}
}

static void a_dead_guard_blocks_one_slot_only(void **state)
{
	struct etcd *holder[K], *far;

	(void)state;
	begin(holder);
	far = arrive(NULL);
	for (unsigned i = 0; i < K; i++)
		etcd_leave(holder[i], &ledger);
	for (unsigned i = 0; i < TICKETS; i++)
		if (i != GUARD)
			remove_ticket(i);
	await_inside(far);
	/* The first free slot is for the ticket before its own. */
	assert_int_equal(far->process.slot, 1);
	remove_ticket(GUARD);
	end(holder, far);
}

static void a_larger_pool_lets_a_far_waiter_in(void **state)
{
	/* With the first number of slots a waiter still has guards, with the
	 * second it does not. */
	static const unsigned sizes[] = { QUEUE_GUARDS_MOST, 100 };

	(void)state;
	for (unsigned before = 0; before < 2; before++)
		for (unsigned i = 0; i < 2; i++) {
			struct etcd *holder[K], *far;

			begin(holder);
			far = before ? join(K, K, NULL) : arrive(NULL);
			/* In this case k grows between its arrival and its
			 * first look. */
			if (before)
				assert_int_equal(etcd_doorway(far, &ledger),
						 ETCD_WAITS);
			etcd_leave(holder[0], &ledger);
			assert_int_equal(etcd_set_limit(holder[0], &ledger,
							sizes[i]),
					 ETCD_DONE);
			await_inside(far);
			/* The waiter has counted all tickets before its own. */
			assert_true(far->process.slot >= TICKETS);
			end(holder, far);
		}
}

static void a_far_waiter_that_lost_its_lease_queues_again(void **state)
{
	struct etcd *holder[K], *far;
	int64_t lease;

	(void)state;
	begin(holder);
	far = arrive(NULL);
	lease = far->lease->id;
	/* Other waiters have come meanwhile. */
	for (unsigned i = 0; i < K; i++)
		put_ticket(TICKETS + i);
	/* By our clock the lease may have ended, and no keepalive is sent. */
	far->lease->keep_after = INT64_MAX;
	far->lease->valid_until = wire_now();
	assert_int_equal(etcd_poll(far, &ledger), ETCD_WAITS);
	assert_true(far->lease->id != lease);
	/* The watch of the old guards has ended: its events are older than the
	 * waiter's view. */
	assert_false(far->watch.guards);
	/* Now the waiter watches the guards of its new ticket. */
	assert_int_equal(etcd_poll(far, &ledger), ETCD_WAITS);
	assert_true(far->watch.guards);
	remove_ticket(GUARD + K);
	await_look(far);
	end(holder, far);
}

/* The stream of the guards is cut in its headers, in its first line, and in a
 * later one. */
static void a_cut_stream_of_guards_loses_nothing(void **state)
{
	static const size_t cuts[] = { 100, 350, 800 };

	(void)state;
	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
		const struct reply replies[] = {
			{ .kind = REPLY_FORWARD }, /* grant */
			{ .kind = REPLY_FORWARD }, /* arrive */
			{ .kind = REPLY_FORWARD }, /* look */
			{ .kind = REPLY_FORWARD, .most = cuts[i] },
			{ .kind = REPLY_FORWARD }, /* look again */
			{ .kind = REPLY_FORWARD, .most = 1 << 20 },
		};
		struct server *server = server_start(replies, 6, node);
		struct etcd *holder[K], *far;

		begin(holder);
		far = arrive(server_address(server));
		remove_ticket(GUARD);
		await_look(far);
		assert_false(knows_ticket(far, GUARD));
		watch_stop(&far->watch);
		etcd_close(far, wire_now());
		for (unsigned j = 0; j < K; j++)
			etcd_close(holder[j], INT64_MAX);
		server_stop(server);
		watchdog_restart();
	}
}

static void a_compacted_watch_of_guards_is_followed_by_a_look(void **state)
{
	struct etcd *holder[K], *far;
	char body[64];

	(void)state;
	begin(holder);
	far = arrive(NULL);
	remove_ticket(GUARD);
	put_ticket(TICKETS);
	remove_ticket(TICKETS);
	snprintf(body, sizeof body, "{\"revision\":\"%" PRId64 "\"}",
		 far->replica.revision + 3);
	assert_non_null(node_post("/v3/kv/compaction", body));
	await_look(far);
	assert_false(knows_ticket(far, GUARD));
	end(holder, far);
}

/* In a long queue, the test polls each member in turn, the last member
 * first. */
static void members_of_a_long_queue_enter_in_order(void **state)
{
	struct etcd *m[MEMBERS];
	unsigned entered = 1, far = 0;

	(void)state;
	for (unsigned i = 0; i < MEMBERS; i++) {
		m[i] = join(i, 1, NULL);
		assert_int_equal(etcd_doorway(m[i], &ledger),
				 i ? ETCD_WAITS : ETCD_INSIDE);
		assert_int_equal(i ? etcd_poll(m[i], &ledger) : ETCD_WAITS,
				 ETCD_WAITS);
		far += m[i]->watch.guards;
	}
	assert_int_equal(far, MEMBERS - 1 - (2 + QUEUE_DISTANCE + 1));
	etcd_leave(m[0], &ledger);
	while (entered < MEMBERS)
		for (unsigned i = MEMBERS; i-- > entered;) {
			if (!etcd_wait(m[i], wire_now(), NULL, 0) ||
			    etcd_poll(m[i], &ledger) == ETCD_WAITS)
				continue;
			assert_int_equal(i, entered);
			entered++;
			etcd_leave(m[i], &ledger);
			watchdog_restart();
		}
	for (unsigned i = 0; i < MEMBERS; i++)
		etcd_close(m[i], INT64_MAX);
}

static void large_pools_and_pools_without_limit_have_no_far_waiters(void **s)
{
	(void)s;
	assert_int_equal(queue_head(0), 0);
	assert_int_equal(queue_head(1), 19);
	assert_int_equal(queue_head(K), FIRST);
	assert_int_equal(queue_head(QUEUE_GUARDS_MOST), 145);
	assert_int_equal(queue_head(QUEUE_GUARDS_MOST + 1), 0);
}

static int start(void **state)
{
	(void)state;
	node = node_start(NULL);
	wire = wire_open(
		&(struct wire_address){ .endpoints = &node, .count = 1 });
	return !wire;
}

static int stop(void **state)
{
	(void)state;
	wire_close(wire);
	node_stop();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_far_waiter_sees_the_head_its_guards_and_itself),
		cmocka_unit_test(a_far_waiter_is_woken_by_its_guards_only),
		cmocka_unit_test(every_guard_wakes_also_before_the_watch),
		cmocka_unit_test(a_dead_guard_blocks_one_slot_only),
		cmocka_unit_test(a_larger_pool_lets_a_far_waiter_in),
		cmocka_unit_test(a_far_waiter_that_lost_its_lease_queues_again),
		cmocka_unit_test(a_cut_stream_of_guards_loses_nothing),
		cmocka_unit_test(
			a_compacted_watch_of_guards_is_followed_by_a_look),
		cmocka_unit_test(members_of_a_long_queue_enter_in_order),
		cmocka_unit_test(
			large_pools_and_pools_without_limit_have_no_far_waiters),
	};

	watchdog_start("FAILED: a waiter of a long queue sleeps for ever\n");
	return cmocka_run_group_tests(tests, start, stop);
}
