/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps over a real etcd behind a server that loses messages, cuts streams
 * or refuses requests. */
#include "common/watchdog.h"
#include "pool.h"
#include "server.h"

#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const int64_t second = 1000000000;

/* A view of a new pool whose requests go through a server with these replies. */
static struct etcd *begin_through(struct server **server,
				  const struct reply *replies, size_t count)
{
	struct etcd *etcd = pool_open(pool_new(), NULL, POOL_LEASE);

	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	pool_end(etcd);
	*server = server_start(replies, count, pool_node());
	return pool_open(pool_last(), server_address(*server), POOL_LEASE);
}

static void a_transaction_whose_answer_is_lost_is_made_once(void **state)
{
	static const struct reply replies[] = {
		{ .kind = REPLY_FORWARD },     /* grant */
		{ .kind = REPLY_LOSE_ANSWER }, /* made */
		{ .kind = REPLY_LOSE },        /* not made */
		{ .kind = REPLY_FORWARD },
	};
	struct transaction t = mem_begin();
	struct server *server;
	struct etcd *etcd = begin_through(&server, replies, 4);

	(void)state;
	mem_lease(&etcd->process);
	mem_if_absent(&t, slot(etcd, 0));
	mem_put(&t, slot(etcd, 0), 9);
	/* This is the answer to the last attempt; the words tell that an
	 * earlier attempt was made. */
	assert_int_equal(mem_commit(&etcd->process, &t), MEM_NONE);
	assert_true(mem_seen_mine(&etcd->process, slot(etcd, 0)));
	assert_int_equal(server_requests(server), 4);
	assert_string_equal(server_request(server, 1),
			    server_request(server, 3));
	pool_end(etcd);
	server_stop(server);
}

static void a_lease_whose_grant_was_lost_has_another_id(void **state)
{
	static const struct reply replies[] = {
		{ .kind = REPLY_LOSE_ANSWER },
		{ .kind = REPLY_FORWARD },
	};
	struct server *server;
	struct etcd *etcd = begin_through(&server, replies, 2);

	(void)state;
	mem_lease(&etcd->process);
	assert_true(lease_is_valid(etcd->lease));
	assert_int_equal(pool_put(etcd, slot(etcd, 0), 1), 0);
	pool_end(etcd);
	server_stop(server);
}

static void a_revoke_whose_answer_was_lost_is_done(void **state)
{
	static const struct reply replies[] = {
		{ .kind = REPLY_FORWARD },
		{ .kind = REPLY_LOSE_ANSWER },
		{ .kind = REPLY_FORWARD }, /* 404: it has ended */
	};
	struct server *server;
	struct etcd *etcd = begin_through(&server, replies, 3);

	(void)state;
	mem_lease(&etcd->process);
	mem_revoke(&etcd->process);
	assert_int_equal(server_requests(server), 3);
	pool_end(etcd);
	server_stop(server);
}

/* The server cuts the watch in the headers of etcd's answer, in its first line
 * and in the line of an event. */
static void a_watch_that_is_cut_loses_nothing(void **state)
{
	static const size_t cuts[] = { 100, 350, 480, 800, 850, 900 };

	(void)state;
	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
		const struct reply replies[] = {
			{ .kind = REPLY_FORWARD }, /* grant */
			{ .kind = REPLY_FORWARD }, /* look */
			{ .kind = REPLY_FORWARD, .most = cuts[i] },
			{ .kind = REPLY_FORWARD }, /* look again */
			{ .kind = REPLY_FORWARD, .most = 1 << 20 },
		};
		struct server *server;
		struct etcd *etcd = begin_through(&server, replies, 5);
		struct etcd *other = pool_open(pool_last(), NULL, POOL_LEASE);

		mem_lease(&etcd->process);
		mem_lease(&other->process);
		assert_int_equal(mem_survey(&etcd->process), 0);
		for (unsigned j = 0; j < 3; j++) {
			pool_put(other, slot(other, j), j);
			while (!mem_seen(&etcd->process, slot(etcd, j))) {
				etcd_wait(etcd, INT64_MAX, NULL, 0);
				assert_int_equal(mem_survey(&etcd->process), 0);
			}
		}
		pool_end(other);
		watch_stop(&etcd->watch);
		etcd_close(etcd, wire_now());
		server_stop(server);
	}
}

static void a_step_without_contact_ends_at_its_limit(void **state)
{
	static const struct reply lose = { .kind = REPLY_LOSE };
	struct server *server = server_start(&lose, 1, NULL);
	struct etcd *etcd = pool_open(pool_new(), server_address(server),
				      POOL_LEASE);

	(void)state;
	etcd_limit(etcd, wire_now() + second / 2);
	assert_int_equal(etcd_create_pool(etcd), ETCD_STOPPED);
	assert_int_equal(etcd->trouble.kind, WIRE_PENDING);
	assert_true(strlen(wire_problem(etcd->wire)) > 0);
	etcd_close(etcd, 0);
	server_stop(server);
}

static void a_transaction_waits_for_space(void **state)
{
	static const struct reply replies[] = {
		{ .text = "HTTP/1.1 429 Too Many Requests\r\n"
			  "Connection: close\r\n\r\n"
			  "{\"message\":\"no space\",\"code\":8}" },
		{ .kind = REPLY_FORWARD },
	};
	struct server *server;
	struct etcd *etcd = begin_through(&server, replies, 2);

	(void)state;
	etcd_limit(etcd, wire_now() + second / 2);
	assert_int_equal(etcd_create_pool(etcd), ETCD_STOPPED);
	assert_int_equal(etcd->trouble.code, GRPC_RESOURCE_EXHAUSTED);
	server_stop(server);
	server = server_start(replies, 2, pool_node());
	etcd_close(etcd, 0);
	etcd = pool_open(pool_last(), server_address(server), POOL_LEASE);
	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	assert_int_equal(etcd->trouble.kind, WIRE_PENDING);
	assert_int_equal(server_requests(server), 2);
	pool_end(etcd);
	server_stop(server);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_transaction_whose_answer_is_lost_is_made_once),
		cmocka_unit_test(a_lease_whose_grant_was_lost_has_another_id),
		cmocka_unit_test(a_revoke_whose_answer_was_lost_is_done),
		cmocka_unit_test(a_watch_that_is_cut_loses_nothing),
		cmocka_unit_test(a_step_without_contact_ends_at_its_limit),
		cmocka_unit_test(a_transaction_waits_for_space),
	};

	watchdog_start("FAILED: a step hangs after a lost message\n");
	return cmocka_run_group_tests(tests, pool_start_node, pool_stop_node);
}
