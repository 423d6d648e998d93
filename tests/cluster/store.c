/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps over a real etcd: guards, leases, looks and watches. */
#include "common/watchdog.h"
#include "memory/etcd/base64.h"
#include "node.h"
#include "pool.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t second = 1000000000;

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
	struct etcd *etcd = pool_begin();
	struct etcd *other = pool_open(pool_last(), NULL, POOL_LEASE);

	(void)state;
	mem_lease(&other->process);
	assert_int_equal(pool_put(etcd, slot(etcd, 1), 0xabc), 0);
	assert_true(mem_seen(&etcd->process, slot(etcd, 1)) > 0);
	assert_int_equal(mem_seen_value(&etcd->process, slot(etcd, 1)), 0xabc);
	assert_true(mem_seen_mine(&etcd->process, slot(etcd, 1)));
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 0)), 0);
	assert_int_equal(mem_survey(&other->process), 0);
	assert_int_equal(mem_seen(&other->process, slot(other, 1)),
			 mem_seen(&etcd->process, slot(etcd, 1)));
	assert_false(mem_seen_mine(&other->process, slot(other, 1)));
	assert_int_equal(pool_drop(etcd, slot(etcd, 1)), 0);
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 1)), 0);
	pool_end(other);
	pool_end(etcd);
}

static void an_absent_guard_refuses_a_present_word(void **state)
{
	struct etcd *etcd = pool_begin();
	struct transaction t = mem_begin();

	(void)state;
	pool_put(etcd, slot(etcd, 0), 7);
	mem_if_absent(&t, slot(etcd, 0));
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	t = mem_begin();
	mem_if_absent(&t, slot(etcd, 1));
	assert_int_equal(made_if(etcd, t), 0);
	pool_end(etcd);
}

static void a_stamp_guard_refuses_another_stamp(void **state)
{
	struct etcd *etcd = pool_begin();
	struct transaction t = mem_begin();
	uint64_t stamp;

	(void)state;
	pool_put(etcd, slot(etcd, 0), 7);
	stamp = mem_seen(&etcd->process, slot(etcd, 0));
	/* Written again, the word has a larger stamp. */
	pool_put(etcd, slot(etcd, 0), 7);
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
	pool_end(etcd);
}

static void a_none_guard_refuses_if_any_word_is_present(void **state)
{
	struct etcd *etcd = pool_begin();
	struct transaction t = mem_begin();

	(void)state;
	mem_if_none(&t, SLOTS);
	assert_int_equal(made_if(etcd, t), 0);
	t = mem_begin();
	mem_if_none(&t, SLOTS);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	/* A word of another range does not change the result. */
	t = mem_begin();
	mem_if_none(&t, WAITERS);
	assert_int_equal(made_if(etcd, t), 0);
	pool_put(etcd, ticket(etcd), 0);
	t = mem_begin();
	mem_if_none(&t, WAITERS);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	pool_end(etcd);
}

static void an_all_guard_is_false_of_no_words(void **state)
{
	struct etcd *etcd = pool_begin();
	struct transaction t = mem_begin();

	(void)state;
	mem_if_all(&t, SLOTS, 5);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	pool_put(etcd, slot(etcd, 0), 5);
	pool_put(etcd, slot(etcd, 1), 5);
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
	pool_end(etcd);
}

static void the_first_alternative_that_holds_is_made(void **state)
{
	struct etcd *etcd = pool_begin();

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
	pool_end(etcd);
}

static void words_of_one_transaction_have_one_stamp(void **state)
{
	struct etcd *etcd = pool_begin();
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
	pool_end(etcd);
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
	struct etcd *etcd = pool_begin();
	struct transaction t = mem_begin();

	(void)state;
	mem_put(&t, slot(etcd, 0), 1);
	mem_put(&t, ticket(etcd), 1);
	mem_set(&t, slot(etcd, 1), 1);
	assert_int_equal(mem_commit(&etcd->process, &t), 0);
	revoke_behind(etcd);
	assert_int_equal(pool_put(etcd, slot(etcd, 2), 1), MEM_LAPSED);
	mem_lease(&etcd->process);
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 0)), 0);
	assert_int_equal(mem_seen(&etcd->process, ticket(etcd)), 0);
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 2)), 0);
	/* What was set belongs to no lease. */
	assert_true(mem_seen(&etcd->process, slot(etcd, 1)) > 0);
	pool_drop(etcd, slot(etcd, 1));
	pool_end(etcd);
}

/* etcd still has the lease, but by our clock the lease may have ended. */
static void an_answer_after_the_end_of_the_lease_is_not_believed(void **state)
{
	struct etcd *etcd = pool_begin();

	(void)state;
	etcd->lease->valid_until = wire_now();
	assert_int_equal(pool_put(etcd, slot(etcd, 0), 1), MEM_LAPSED);
	/* The new lease has another id, so the old lease cannot come
	 * back. */
	mem_lease(&etcd->process);
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_int_equal(mem_seen(&etcd->process, slot(etcd, 0)), 0);
	pool_end(etcd);
}

static void waiting_keeps_the_lease_and_notices_its_end(void **state)
{
	struct etcd *etcd = pool_open(pool_new(), NULL, 2);
	int64_t until;

	(void)state;
	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	mem_lease(&etcd->process);
	pool_put(etcd, ticket(etcd), 0);
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
	pool_end(etcd);
}

static void a_watch_shows_what_others_do(void **state)
{
	struct etcd *etcd = pool_begin();
	struct etcd *other = pool_open(pool_last(), NULL, POOL_LEASE);

	(void)state;
	mem_lease(&other->process);
	pool_put(other, slot(other, 0), 3);
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_int_equal(mem_seen_value(&etcd->process, slot(etcd, 0)), 3);
	mem_revoke(&other->process);
	while (mem_seen(&etcd->process, slot(etcd, 0))) {
		assert_true(etcd_wait(etcd, INT64_MAX, NULL, 0));
		assert_int_equal(mem_survey(&etcd->process), 0);
	}
	mem_lease(&other->process);
	pool_put(other, slot(other, 1), 4);
	while (!mem_seen(&etcd->process, slot(etcd, 1))) {
		assert_true(etcd_wait(etcd, INT64_MAX, NULL, 0));
		assert_int_equal(mem_survey(&etcd->process), 0);
	}
	/* There was one look and one watch; all later changes came as
	 * events. */
	assert_int_equal(wire_attempts(etcd->wire), 4);
	pool_end(other);
	pool_end(etcd);
}

/* The answer to a transaction may come after an event that is younger.  The
 * event does not come again, so the process must look. */
static void an_event_that_overtakes_an_answer_is_not_lost(void **state)
{
	struct etcd *etcd = pool_begin();
	struct etcd *other = pool_open(pool_last(), NULL, POOL_LEASE);
	struct seen_key gone = { .removed = true };
	const struct seen_keys event = { .count = 1, .keys = &gone };
	unsigned long attempts;
	char key[KEY_ROOM];

	(void)state;
	mem_lease(&other->process);
	pool_put(other, slot(other, 0), 3);
	assert_int_equal(mem_survey(&etcd->process), 0);
	snprintf(key, sizeof key, "atmost/test-%u/s/0000", pool_last());
	gone.key = key;
	gone.key_length = strlen(key);
	/* This is the event of the end of slot 0, which this watch does not
	 * report.  The answer that comes after the event still has the slot. */
	gone.modified = etcd->replica.revision + 2;
	assert_true(replica_apply(&etcd->replica, &event));
	assert_int_equal(pool_put(etcd, ticket(etcd), 0), 0);
	assert_true(mem_seen(&etcd->process, slot(etcd, 0)) > 0);
	assert_false(etcd->watch.running);
	attempts = wire_attempts(etcd->wire);
	assert_true(etcd_wait(etcd, INT64_MAX, NULL, 0));
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_true(wire_attempts(etcd->wire) > attempts);
	pool_end(other);
	pool_end(etcd);
}

static void a_holder_sees_its_slot_go(void **state)
{
	struct etcd *etcd = pool_begin();

	(void)state;
	pool_put(etcd, slot(etcd, 1), 0);
	etcd_hold(etcd, 1, mem_seen(&etcd->process, slot(etcd, 1)));
	revoke_behind(etcd);
	while (!etcd->replica.changed)
		assert_true(etcd_wait(etcd, INT64_MAX, NULL, 0));
	assert_int_equal(replica_slots(&etcd->replica), 0);
	pool_end(etcd);
}

static void a_compacted_watch_is_followed_by_a_look(void **state)
{
	struct etcd *etcd = pool_begin();
	struct etcd *other = pool_open(pool_last(), NULL, POOL_LEASE);
	char body[64];

	(void)state;
	mem_lease(&other->process);
	pool_put(etcd, ticket(etcd), 0); /* a look, from which it would watch */
	pool_put(other, slot(other, 0), 3);
	pool_put(other, slot(other, 1), 3);
	pool_put(other, slot(other, 0), 4);
	snprintf(body, sizeof body, "{\"revision\":\"%" PRId64 "\"}",
		 other->replica.revision);
	assert_non_null(node_post("/v3/kv/compaction", body));
	assert_int_equal(mem_survey(&etcd->process), 0);
	while (mem_seen_value(&etcd->process, slot(etcd, 0)) != 4 ||
	       !mem_seen(&etcd->process, slot(etcd, 1))) {
		assert_true(etcd_wait(etcd, INT64_MAX, NULL, 0));
		assert_int_equal(mem_survey(&etcd->process), 0);
	}
	pool_end(other);
	pool_end(etcd);
}

static void foreign_keys_hinder_no_process(void **state)
{
	struct etcd *etcd = pool_begin();
	struct transaction t = mem_begin();
	char key[64], body[256], base64[128];

	(void)state;
	pool_put(etcd, slot(etcd, 0), 5);
	snprintf(key, sizeof key, "atmost/test-%u/s/x", pool_last());
	base64_encode(base64, key, strlen(key));
	base64[base64_length(strlen(key))] = '\0';
	snprintf(body, sizeof body, "{\"key\":\"%s\",\"value\":\"eA==\"}",
		 base64);
	assert_non_null(node_post("/v3/kv/put", body));
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_int_equal(mem_seen_value(&etcd->process, slot(etcd, 0)), 5);
	mem_if_absent(&t, slot(etcd, 1));
	assert_int_equal(made_if(etcd, t), 0);
	pool_end(etcd);
}

static void status_sees_members_too(void **state)
{
	struct etcd *etcd = pool_begin();
	struct seen_keys seen;
	bool found = false;

	(void)state;
	pool_put(etcd, word_at(etcd, STORE_MEMBER, 0), 0);
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
	pool_end(etcd);
}

/* Returns how many entries etcd's log has got; 0: etcd did not say. */
static unsigned long raft_index(void)
{
	const char *answer = node_post("/v3/maintenance/status", "{}");
	const char *index = answer ? strstr(answer, "\"raftIndex\":\"") : NULL;

	return index ? strtoul(index + 13, NULL, 10) : 0;
}

/*
 * A transaction with a put in any alternative is an entry of etcd's log, even
 * if it is refused: all nodes write it to their disks.  So looks and status
 * must not have a put, and a waiter must not try a claim if it can see that
 * etcd will refuse it.
 */
static void only_transactions_that_may_write_are_logged(void **state)
{
	struct etcd *etcd = pool_begin();
	struct transaction t = mem_begin();
	unsigned long before = raft_index();
	struct seen_keys seen;

	(void)state;
	assert_true(before > 0);
	etcd->fresh = false;
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_true(etcd_status(etcd, &seen));
	seen_keys_free(&seen);
	assert_int_equal(raft_index(), before);
	mem_if_stamp(&t, slot(etcd, 0), 1);
	assert_int_equal(made_if(etcd, t), MEM_NONE);
	assert_int_equal(raft_index(), before + 1);
	pool_end(etcd);
}

/*
 * etcd counts the keys of a range before it leaves out those of other
 * revisions.  So a process cannot ask for the place of a waiter as a number.
 * It asks for keys, and an answer whose count is not the number of its keys is
 * bad (cluster-answers).
 */
static void etcd_counts_keys_that_its_filter_leaves_out(void **state)
{
	struct etcd *etcd = pool_begin();
	const struct transaction_form form = { .ranges = 1 };
	struct seen_keys seen;
	char key[64], key64[96], end64[96], body[512];
	const char *answer;
	int made;

	(void)state;
	pool_put(etcd, slot(etcd, 0), 1);
	pool_put(etcd, slot(etcd, 1), 1);
	snprintf(key, sizeof key, "atmost/test-%u/s/", pool_last());
	key64[base64_length(strlen(key))] = '\0';
	base64_encode(key64, key, strlen(key));
	key[strlen(key) - 1]++;
	end64[base64_length(strlen(key))] = '\0';
	base64_encode(end64, key, strlen(key));
	snprintf(body, sizeof body,
		 "{\"success\":[{\"request_range\":{\"key\":\"%s\","
		 "\"range_end\":\"%s\",\"max_create_revision\":\"%" PRIu64
		 "\"}}]}",
		 key64, end64, mem_seen(&etcd->process, slot(etcd, 0)));
	answer = node_post("/v3/kv/txn", body);
	assert_non_null(answer);
	assert_null(strstr(strstr(answer, "\"kvs\"") + 1, "\"kvs\""));
	assert_non_null(strstr(answer, "\"count\":\"2\""));
	assert_false(answer_transaction(answer, strlen(answer), &form, &made,
					&seen));
	pool_end(etcd);
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
		cmocka_unit_test(foreign_keys_hinder_no_process),
		cmocka_unit_test(status_sees_members_too),
		cmocka_unit_test(only_transactions_that_may_write_are_logged),
		cmocka_unit_test(etcd_counts_keys_that_its_filter_leaves_out),
	};

	watchdog_start("FAILED: a step over etcd hangs\n");
	return cmocka_run_group_tests(tests, pool_start_node, pool_stop_node);
}
