/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps over a real etcd: guards, leases, looks, watches, and messages that
 * are lost on the way. */
#include "common/watchdog.h"
#include "memory/etcd/base64.h"
#include "memory/etcd/passage.h"
#include "node.h"
#include "server.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONG = 60, SHORT = 2 };
static const int64_t second = 1000000000;
static const char *node;
static unsigned pools;

/* Opens a new pool with three slots, or another view of the pool with this
 * number.  Requests go to `address`, or to etcd itself. */
static struct etcd *open_pool(unsigned number, const char *address,
			      unsigned seconds)
{
	static uint64_t own[16];
	char root[32];
	const char *endpoints[1] = { address ? address : node };
	struct etcd *etcd;

	snprintf(root, sizeof root, "atmost/test-%u", number);
	etcd = etcd_open(&(struct etcd_settings){
		.address = { .endpoints = endpoints, .count = 1 },
		.root = root,
		.groups = true,
		.k = 3,
		.seconds = seconds,
		.member = "{\"host\":\"here\"}",
		.own = own });
	assert_non_null(etcd);
	return etcd;
}

static struct word *word_at(struct etcd *etcd, enum store_range range,
			    unsigned row)
{
	return etcd->words + store_at(range, etcd->shape.k_max, etcd->shape.n) +
	       row;
}

static struct word *slot(struct etcd *etcd, unsigned i)
{
	return word_at(etcd, STORE_SLOT, i);
}

static struct word *ticket(struct etcd *etcd)
{
	return word_at(etcd, STORE_WAITER, 0);
}

static struct word *pool(struct etcd *etcd)
{
	return word_at(etcd, STORE_POOL, 0);
}

/* Makes a transaction of one write. */
static int put(struct etcd *etcd, struct word *word, uint64_t value)
{
	struct transaction t = mem_begin();

	mem_put(&t, word, value);
	return mem_commit(&etcd->process, &t);
}

static int drop(struct etcd *etcd, struct word *word)
{
	struct transaction t = mem_begin();

	mem_drop(&t, word);
	return mem_commit(&etcd->process, &t);
}

/* A pool that is there, with a lease. */
static struct etcd *begin(void)
{
	struct etcd *etcd = open_pool(++pools, NULL, LONG);

	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	mem_lease(&etcd->process);
	assert_true(lease_is_valid(etcd->lease));
	return etcd;
}

static void end(struct etcd *etcd)
{
	etcd_close(etcd, INT64_MAX);
	watchdog_restart();
}

/* Adds a write of slot 2 to the guards, and commits. */
static int made_if(struct etcd *etcd, struct transaction t)
{
	mem_put(&t, slot(etcd, 2), 1);
	return mem_commit(&etcd->process, &t);
}

/* The range of a guard: its first word and its number of words. */
#define SLOTS slot(etcd, 0), etcd->shape.k_max
#define WAITERS ticket(etcd), etcd->shape.n

static void a_word_that_is_put_is_seen_with_its_owner(void **state)
{
	struct etcd *etcd = begin();
	struct etcd *other = open_pool(pools, NULL, LONG);

	(void)state;
	mem_lease(&other->process);
	assert_int_equal(put(etcd, slot(etcd, 1), 0xabc), 0);
	assert_true(mem_seen(&etcd->process, slot(etcd, 1)) > 0);
	assert_int_equal(mem_seen_value(&etcd->process, slot(etcd, 1)), 0xabc);
	assert_true(mem_seen_mine(&etcd->process, slot(etcd, 1)));
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 0)), 0);
	assert_int_equal(mem_survey(&other->process), 0);
	assert_int_equal(mem_seen(&other->process, slot(other, 1)),
			 mem_seen(&etcd->process, slot(etcd, 1)));
	assert_false(mem_seen_mine(&other->process, slot(other, 1)));
	assert_int_equal(drop(etcd, slot(etcd, 1)), 0);
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 1)), 0);
	end(other);
	end(etcd);
}

static void an_absent_guard_refuses_a_present_word(void **state)
{
	struct etcd *etcd = begin();
	struct transaction t = mem_begin();

	(void)state;
	put(etcd, slot(etcd, 0), 7);
	mem_if_absent(&t, slot(etcd, 0));
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	t = mem_begin();
	mem_if_absent(&t, slot(etcd, 1));
	assert_int_equal(made_if(etcd, t), 0);
	end(etcd);
}

static void a_stamp_guard_refuses_another_stamp(void **state)
{
	struct etcd *etcd = begin();
	struct transaction t = mem_begin();
	uint64_t stamp;

	(void)state;
	put(etcd, slot(etcd, 0), 7);
	stamp = mem_seen(&etcd->process, slot(etcd, 0));
	/* Written again, the word has a larger stamp. */
	put(etcd, slot(etcd, 0), 7);
	assert_true(mem_seen(&etcd->process, slot(etcd, 0)) > stamp);
	mem_if_stamp(&t, slot(etcd, 0), stamp);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	t = mem_begin();
	mem_if_stamp(&t, slot(etcd, 0), 0);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	t = mem_begin();
	mem_if_stamp(&t, slot(etcd, 0),
		     mem_seen(&etcd->process, slot(etcd, 0)));
	assert_int_equal(made_if(etcd, t), 0);
	end(etcd);
}

static void a_none_guard_refuses_if_any_word_is_present(void **state)
{
	struct etcd *etcd = begin();
	struct transaction t = mem_begin();

	(void)state;
	mem_if_none(&t, SLOTS);
	assert_int_equal(made_if(etcd, t), 0);
	t = mem_begin();
	mem_if_none(&t, SLOTS);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	/* Another range does not matter. */
	t = mem_begin();
	mem_if_none(&t, WAITERS);
	assert_int_equal(made_if(etcd, t), 0);
	put(etcd, ticket(etcd), 0);
	t = mem_begin();
	mem_if_none(&t, WAITERS);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	end(etcd);
}

static void an_all_guard_is_false_of_no_words(void **state)
{
	struct etcd *etcd = begin();
	struct transaction t = mem_begin();

	(void)state;
	mem_if_all(&t, SLOTS, 5);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	put(etcd, slot(etcd, 0), 5);
	put(etcd, slot(etcd, 1), 5);
	t = mem_begin();
	mem_if_all(&t, SLOTS, 4);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	t = mem_begin();
	mem_if_all(&t, SLOTS, 5);
	assert_int_equal(made_if(etcd, t), 0); /* slot 2 is now 1 */
	t = mem_begin();
	mem_if_all(&t, SLOTS, 5);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	t = mem_begin();
	mem_if_all(&t, pool(etcd), 1, store_pool(4, false));
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	t = mem_begin();
	mem_if_all(&t, pool(etcd), 1, store_pool(3, false));
	assert_int_equal(made_if(etcd, t), 0);
	end(etcd);
}

static void the_first_alternative_that_holds_is_made(void **state)
{
	struct etcd *etcd = begin();

	(void)state;
	/* Eight slots and a ticket, as an arriving process asks for them. */
	for (unsigned made = 0; made < 9; made++) {
		struct transaction t = mem_begin();

		for (unsigned i = 0; i < 9; i++) {
			mem_if_absent(&t, word_at(etcd, STORE_MEMBER, 0));
			mem_if_all(&t, pool(etcd), 1, store_pool(3, false));
			mem_if_none(&t, WAITERS);
			mem_if_stamp(&t, ticket(etcd), i < made ? 1 : 0);
			mem_put(&t, slot(etcd, 2), i);
			mem_else(&t);
		}
		/* An alternative without guards that is never reached. */
		mem_put(&t, slot(etcd, 2), 100);
		assert_int_equal(mem_commit(&etcd->process, &t), made);
		assert_int_equal(mem_seen_value(&etcd->process, slot(etcd, 2)),
				 made);
	}
	end(etcd);
}

static void words_of_one_transaction_have_one_stamp(void **state)
{
	struct etcd *etcd = begin();
	struct transaction t = mem_begin();

	(void)state;
	mem_put(&t, slot(etcd, 0), 1);
	mem_put(&t, ticket(etcd), 1);
	mem_set(&t, pool(etcd), store_pool(2, true));
	assert_int_equal(mem_commit(&etcd->process, &t), 0);
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 0)),
			 mem_seen(&etcd->process, ticket(etcd)));
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 0)),
			 mem_seen(&etcd->process, pool(etcd)));
	assert_true(
		store_pool_paused(mem_seen_value(&etcd->process, pool(etcd))));
	assert_false(mem_seen_mine(&etcd->process, pool(etcd)));
	end(etcd);
}

/* Ends the lease of a process behind its back. */
static void revoke_behind(const struct etcd *etcd)
{
	char body[64];

	snprintf(body, sizeof body, "{\"ID\":\"%" PRId64 "\"}",
		 etcd->lease->id);
	assert_non_null(node_post("/v3/lease/revoke", body));
}

static void a_lost_lease_takes_all_words_and_refuses_the_next(void **state)
{
	struct etcd *etcd = begin();
	struct transaction t = mem_begin();

	(void)state;
	mem_put(&t, slot(etcd, 0), 1);
	mem_put(&t, ticket(etcd), 1);
	mem_set(&t, slot(etcd, 1), 1);
	assert_int_equal(mem_commit(&etcd->process, &t), 0);
	revoke_behind(etcd);
	assert_int_equal(put(etcd, slot(etcd, 2), 1), MEM_LAPSED);
	mem_lease(&etcd->process);
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 0)), 0);
	assert_int_equal(mem_seen(&etcd->process, ticket(etcd)), 0);
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 2)), 0);
	/* What was set belongs to no lease. */
	assert_true(mem_seen(&etcd->process, slot(etcd, 1)) > 0);
	drop(etcd, slot(etcd, 1));
	end(etcd);
}

/* etcd still has the lease, but by our clock it may have ended. */
static void an_answer_after_the_end_of_the_lease_is_not_believed(void **state)
{
	struct etcd *etcd = begin();

	(void)state;
	etcd->lease->valid_until = wire_now();
	assert_int_equal(put(etcd, slot(etcd, 0), 1), MEM_LAPSED);
	/* The new lease has another id, so the old lease cannot come
	 * back. */
	mem_lease(&etcd->process);
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 0)), 0);
	end(etcd);
}

static void waiting_keeps_the_lease_and_notices_its_end(void **state)
{
	struct etcd *etcd = open_pool(++pools, NULL, SHORT);
	int64_t until;

	(void)state;
	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	mem_lease(&etcd->process);
	put(etcd, ticket(etcd), 0);
	assert_int_equal(mem_survey(&etcd->process), 0);
	/* Longer than the lease lasts without keepalives. */
	until = etcd->lease->valid_until + second;
	assert_false(etcd_wait(etcd, until, NULL, 0));
	assert_true(lease_is_valid(etcd->lease));
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_true(mem_seen_mine(&etcd->process, ticket(etcd)));
	revoke_behind(etcd);
	while (etcd->lease->id)
		etcd_wait(etcd, INT64_MAX, NULL, 0);
	assert_int_equal(mem_survey(&etcd->process), MEM_LAPSED);
	end(etcd);
}

static void a_watch_shows_what_others_do(void **state)
{
	struct etcd *etcd = begin();
	struct etcd *other = open_pool(pools, NULL, LONG);

	(void)state;
	mem_lease(&other->process);
	put(other, slot(other, 0), 3);
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_int_equal(mem_seen_value(&etcd->process, slot(etcd, 0)), 3);
	mem_revoke(&other->process);
	while (mem_seen(&etcd->process, slot(etcd, 0))) {
		assert_true(etcd_wait(etcd, INT64_MAX, NULL, 0));
		assert_int_equal(mem_survey(&etcd->process), 0);
	}
	mem_lease(&other->process);
	put(other, slot(other, 1), 4);
	while (!mem_seen(&etcd->process, slot(etcd, 1))) {
		assert_true(etcd_wait(etcd, INT64_MAX, NULL, 0));
		assert_int_equal(mem_survey(&etcd->process), 0);
	}
	/* One look, one watch: the rest came as events. */
	assert_int_equal(wire_attempts(etcd->wire), 4);
	end(other);
	end(etcd);
}

/* The answer to a transaction may come after an event that is younger.  The
 * event does not come again, so the process must look. */
static void an_event_that_overtakes_an_answer_is_not_lost(void **state)
{
	struct etcd *etcd = begin();
	struct etcd *other = open_pool(pools, NULL, LONG);
	struct seen_key gone = { .removed = true };
	const struct seen_keys event = { .count = 1, .keys = &gone };
	unsigned long attempts;
	char key[KEY_ROOM];

	(void)state;
	mem_lease(&other->process);
	put(other, slot(other, 0), 3);
	assert_int_equal(mem_survey(&etcd->process), 0);
	snprintf(key, sizeof key, "atmost/test-%u/s/0000", pools);
	gone.key = key;
	gone.key_length = strlen(key);
	/* The end of slot 0, which this watch does not tell: the answer that
	 * comes after it still has the slot. */
	gone.modified = etcd->replica.revision + 2;
	assert_true(replica_apply(&etcd->replica, &event));
	assert_int_equal(put(etcd, ticket(etcd), 0), 0);
	assert_true(mem_seen(&etcd->process, slot(etcd, 0)) > 0);
	assert_false(etcd->watch.running);
	attempts = wire_attempts(etcd->wire);
	assert_true(etcd_wait(etcd, INT64_MAX, NULL, 0));
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_true(wire_attempts(etcd->wire) > attempts);
	end(other);
	end(etcd);
}

static void a_holder_sees_its_slot_go(void **state)
{
	struct etcd *etcd = begin();

	(void)state;
	put(etcd, slot(etcd, 1), 0);
	etcd_hold(etcd, 1, mem_seen(&etcd->process, slot(etcd, 1)));
	revoke_behind(etcd);
	while (!etcd->replica.changed)
		assert_true(etcd_wait(etcd, INT64_MAX, NULL, 0));
	assert_int_equal(replica_slots(&etcd->replica), 0);
	end(etcd);
}

static void a_compacted_watch_is_followed_by_a_look(void **state)
{
	struct etcd *etcd = begin();
	struct etcd *other = open_pool(pools, NULL, LONG);
	char body[64];

	(void)state;
	mem_lease(&other->process);
	put(etcd, ticket(etcd), 0); /* a look, from which it would watch */
	put(other, slot(other, 0), 3);
	put(other, slot(other, 1), 3);
	put(other, slot(other, 0), 4);
	snprintf(body, sizeof body, "{\"revision\":\"%" PRId64 "\"}",
		 other->replica.revision);
	assert_non_null(node_post("/v3/kv/compaction", body));
	assert_int_equal(mem_survey(&etcd->process), 0);
	while (mem_seen_value(&etcd->process, slot(etcd, 0)) != 4 ||
	       !mem_seen(&etcd->process, slot(etcd, 1))) {
		assert_true(etcd_wait(etcd, INT64_MAX, NULL, 0));
		assert_int_equal(mem_survey(&etcd->process), 0);
	}
	end(other);
	end(etcd);
}

/* Requests go through a server that treats them so, in order. */
static struct etcd *begin_through(struct server **server,
				  const struct reply *replies, size_t count)
{
	struct etcd *etcd = open_pool(++pools, NULL, LONG);

	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	end(etcd);
	*server = server_start(replies, count, node);
	return open_pool(pools, server_address(*server), LONG);
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
	/* The answer to the last one sent; the words tell that it was made. */
	assert_int_equal(mem_commit(&etcd->process, &t), MEM_NONE);
	assert_true(mem_seen_mine(&etcd->process, slot(etcd, 0)));
	assert_int_equal(server_requests(server), 4);
	assert_string_equal(server_request(server, 1),
			    server_request(server, 3));
	end(etcd);
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
	assert_int_equal(put(etcd, slot(etcd, 0), 1), 0);
	end(etcd);
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
	end(etcd);
	server_stop(server);
}

/* The watch is cut after so many bytes of etcd's answer: in its headers, in its
 * first line, in the line of an event. */
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
		struct etcd *other = open_pool(pools, NULL, LONG);

		mem_lease(&etcd->process);
		mem_lease(&other->process);
		assert_int_equal(mem_survey(&etcd->process), 0);
		for (unsigned j = 0; j < 3; j++) {
			put(other, slot(other, j), j);
			while (!mem_seen(&etcd->process, slot(etcd, j))) {
				etcd_wait(etcd, INT64_MAX, NULL, 0);
				assert_int_equal(mem_survey(&etcd->process), 0);
			}
		}
		end(other);
		watch_stop(&etcd->watch);
		etcd_close(etcd, wire_now());
		server_stop(server);
	}
}

static void a_step_without_contact_ends_at_its_limit(void **state)
{
	static const struct reply lose = { .kind = REPLY_LOSE };
	struct server *server = server_start(&lose, 1, NULL);
	struct etcd *etcd = open_pool(++pools, server_address(server), LONG);

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
	server = server_start(replies, 2, node);
	etcd_close(etcd, 0);
	etcd = open_pool(pools, server_address(server), LONG);
	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	assert_int_equal(etcd->trouble.kind, WIRE_PENDING);
	assert_int_equal(server_requests(server), 2);
	end(etcd);
	server_stop(server);
}

static void foreign_keys_are_in_nobodys_way(void **state)
{
	struct etcd *etcd = begin();
	struct transaction t = mem_begin();
	char key[64], body[256], base64[128];

	(void)state;
	put(etcd, slot(etcd, 0), 5);
	snprintf(key, sizeof key, "atmost/test-%u/s/x", pools);
	base64_encode(base64, key, strlen(key));
	base64[base64_length(strlen(key))] = '\0';
	snprintf(body, sizeof body, "{\"key\":\"%s\",\"value\":\"eA==\"}",
		 base64);
	assert_non_null(node_post("/v3/kv/put", body));
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_int_equal(mem_seen_value(&etcd->process, slot(etcd, 0)), 5);
	mem_if_absent(&t, slot(etcd, 1));
	assert_int_equal(made_if(etcd, t), 0);
	end(etcd);
}

static void status_sees_members_too(void **state)
{
	struct etcd *etcd = begin();
	struct seen_keys seen;
	bool found = false;

	(void)state;
	put(etcd, word_at(etcd, STORE_MEMBER, 0), 0);
	assert_true(etcd_status(etcd, &seen));
	for (size_t i = 0; i < seen.count; i++)
		if (strstr(seen.keys[i].key, "/m/")) {
			assert_string_equal(seen.keys[i].value,
					    "{\"host\":\"here\"}");
			assert_int_equal(seen.keys[i].lease, etcd->lease->id);
			found = true;
		}
	assert_true(found);
	seen_keys_free(&seen);
	end(etcd);
}

static int start(void **state)
{
	(void)state;
	node = node_start(NULL);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	node_stop();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_that_is_put_is_seen_with_its_owner),
		cmocka_unit_test(an_absent_guard_refuses_a_present_word),
		cmocka_unit_test(a_stamp_guard_refuses_another_stamp),
		cmocka_unit_test(a_none_guard_refuses_if_any_word_is_present),
		cmocka_unit_test(an_all_guard_is_false_of_no_words),
		cmocka_unit_test(the_first_alternative_that_holds_is_made),
		cmocka_unit_test(words_of_one_transaction_have_one_stamp),
		cmocka_unit_test(
			a_lost_lease_takes_all_words_and_refuses_the_next),
		cmocka_unit_test(
			an_answer_after_the_end_of_the_lease_is_not_believed),
		cmocka_unit_test(waiting_keeps_the_lease_and_notices_its_end),
		cmocka_unit_test(a_watch_shows_what_others_do),
		cmocka_unit_test(an_event_that_overtakes_an_answer_is_not_lost),
		cmocka_unit_test(a_holder_sees_its_slot_go),
		cmocka_unit_test(a_compacted_watch_is_followed_by_a_look),
		cmocka_unit_test(
			a_transaction_whose_answer_is_lost_is_made_once),
		cmocka_unit_test(a_lease_whose_grant_was_lost_has_another_id),
		cmocka_unit_test(a_revoke_whose_answer_was_lost_is_done),
		cmocka_unit_test(a_watch_that_is_cut_loses_nothing),
		cmocka_unit_test(a_step_without_contact_ends_at_its_limit),
		cmocka_unit_test(a_transaction_waits_for_space),
		cmocka_unit_test(foreign_keys_are_in_nobodys_way),
		cmocka_unit_test(status_sees_members_too),
	};

	watchdog_start("FAILED: a step over etcd hangs\n");
	return cmocka_run_group_tests(tests, start, stop);
}
