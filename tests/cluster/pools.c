/* SPDX-License-Identifier: BSD-2-Clause */
/* Pools in etcd as a whole: the tests create, change, remove, repair and list
 * pools on a real etcd, and read the errors about an etcd that cannot be
 * used. */
#include "cluster/ask.h"
#include "cluster/list.h"
#include "cluster/removal.h"
#include "cluster/seats.h"
#include "cluster/version.h"
#include "common/watchdog.h"
#include "memory/etcd/base64.h"
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

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define HTTP(status, body)                                          \
	"HTTP/1.1 " status "\r\nContent-Type: application/json\r\n" \
	"Connection: close\r\n\r\n" body

static const int64_t second = 1000000000;
static const char *node;
static struct address address;
static struct connection connection;

/* Opens a connection to an endpoint; the tests have one at a time. */
static void open_at(const char *endpoint)
{
	char text[64];
	struct complaint why;

	snprintf(text, sizeof text, "etcd://%s", endpoint);
	assert_int_equal(address_read(&address, text, false, &why), 0);
	assert_int_equal(connection_open(&connection, &address, &why), 0);
	connection.until = wire_now() + 120 * second;
}

static int open_node(void **state)
{
	(void)state;
	open_at(node);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	connection_close(&connection);
	address_free(&address);
	return 0;
}

/* Adds a text in base64. */
static void base64(char *to, const char *text)
{
	base64_encode(to, text, strlen(text));
	to[base64_length(strlen(text))] = '\0';
}

/* Puts a key by other code than that under test. */
static void put(const char *key, const char *value, int64_t lease)
{
	char body[2048], name[512], text[1024];

	base64(name, key);
	base64(text, value);
	snprintf(body, sizeof body,
		 "{\"key\":\"%s\",\"value\":\"%s\",\"lease\":\"%" PRId64 "\"}",
		 name, text, lease);
	assert_non_null(strstr(node_post("/v3/kv/put", body), "revision"));
}

static int64_t grant(void)
{
	const char *answer = node_post("/v3/lease/grant", "{\"TTL\":\"600\"}");
	const char *id = strstr(answer, "\"ID\":\"");

	assert_non_null(id);
	return strtoll(id + 6, NULL, 10);
}

/* How many keys begin with the text. */
static unsigned keys_below(const char *prefix)
{
	char body[1200], from[512], to[512], end[256];
	const char *answer, *count;

	snprintf(end, sizeof end, "%s", prefix);
	end[strlen(end) - 1]++;
	base64(from, prefix);
	base64(to, end);
	snprintf(body, sizeof body,
		 "{\"key\":\"%s\",\"range_end\":\"%s\",\"count_only\":true}",
		 from, to);
	answer = node_post("/v3/kv/range", body);
	count = strstr(answer, "\"count\":\"");
	return count ? (unsigned)atoi(count + 9) : 0;
}

/* A member of the pool with its lease, as a program would be one. */
struct member {
	struct etcd *etcd;
	uint64_t own[16];
	char root[128];
};

static void join(struct member *member, const char *pool)
{
	struct member_text self;
	struct text line = { 0 };

	member_text_self(&self, "test", "");
	member_text_write(&line, &self);
	memset(member->own, 0, sizeof member->own);
	snprintf(member->root, sizeof member->root, "atmost/%s", pool);
	member->etcd = etcd_open(
		&(struct etcd_settings){ .address = address_wire(&address),
					 .root = member->root,
					 .k = 1,
					 .seconds = 600,
					 .member = line.bytes,
					 .own = member->own });
	assert_non_null(member->etcd);
	text_free(&line);
}

static void leave(struct member *member)
{
	etcd_leave(member->etcd, &ledger);
	etcd_close(member->etcd, INT64_MAX);
}

static void create(const char *name, unsigned k, const char *names)
{
	const struct cluster_pool pool = { .k = k, .names = names };

	assert_int_equal(cluster_create(&connection, name, &pool), 0);
}

static struct cluster_look look_at(const char *name)
{
	struct cluster_look look;

	assert_int_equal(cluster_look(&connection, name, &look), 0);
	return look;
}

static void a_pool_is_created_once(void **state)
{
	struct cluster_look look;

	(void)state;
	assert_int_equal(cluster_look(&connection, "once", &look),
			 ATMOST_ENOTFOUND);
	assert_non_null(strstr(connection.why.text, "no pool once"));
	create("once", 4, NULL);
	create("once", 7, "a,b,c,d,e,f,g");
	look = look_at("once");
	assert_int_equal(look.pool.k, 4);
	assert_null(look.pool.names);
	assert_false(look.pool.groups);
	assert_string_equal(look.root, "atmost/once");
	cluster_look_free(&look);
}

static void impossible_pools_are_not_created(void **state)
{
	static const struct {
		struct cluster_pool pool;
		const char *why;
	} rows[] = {
		{ { .k = 0 }, "k must be 1 or more" },
		{ { .k = 10001 }, "at most 10000" },
		{ { .k = 2, .names = "a" }, "fewer slot names" },
		{ { .k = 1, .names = "a,,b" }, "fewer slot names" },
		{ { .k = 1, .names = "" }, "fewer slot names" },
		{ { .k = 1, .names = "a", .groups = true }, "group pool" },
	};
	struct cluster_look look;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(cluster_create(&connection, "no",
						&rows[i].pool),
				 ATMOST_ESHAPE);
		assert_non_null(strstr(connection.why.text, rows[i].why));
	}
	assert_int_equal(cluster_create(&connection, "no/no", &rows[0].pool),
			 ATMOST_ENAME);
	assert_int_equal(cluster_look(&connection, "no", &look),
			 ATMOST_ENOTFOUND);
}

static void foreign_pools_are_not_understood(void **state)
{
	static const char *const values[] = {
		"2 assignment 4",  "1 queue 4", "1 assignment 0",
		"1 assignment 04", "",          "1 assignment 99999"
	};
	struct cluster_look look;

	(void)state;
	for (size_t i = 0; i < COUNT(values); i++) {
		put("atmost/foreign/pool", values[i], 0);
		assert_int_equal(cluster_look(&connection, "foreign", &look),
				 ATMOST_EFORMAT);
		assert_non_null(strstr(connection.why.text, "foreign"));
	}
}

static void a_change_is_made_if_the_pool_is_still_the_same(void **state)
{
	struct cluster_look look, later;
	struct cluster_pool next;

	(void)state;
	create("change", 2, NULL);
	look = look_at("change");
	next = look.pool;
	next.k = 3;
	assert_int_equal(cluster_change(&connection, "change", &look, &next,
					false),
			 0);
	/* The look is old now. */
	next.k = 9;
	assert_int_equal(cluster_change(&connection, "change", &look, &next,
					false),
			 ATMOST_ENOTFOUND);
	later = look_at("change");
	assert_int_equal(later.pool.k, 3);
	next.k = 0;
	assert_int_equal(cluster_change(&connection, "change", &later, &next,
					false),
			 ATMOST_ESHAPE);
	cluster_look_free(&look);
	cluster_look_free(&later);
}

/* This is what a command with another -k, or with other --names, does. */
static void an_unused_pool_takes_settings_and_one_in_use_keeps_them(
	void **state)
{
	struct member member;
	struct cluster_look look;
	struct cluster_pool next;

	(void)state;
	create("used", 1, "a");
	join(&member, "used");
	assert_int_equal(etcd_doorway(member.etcd, &ledger), ETCD_INSIDE);
	look = look_at("used");
	assert_int_equal(look.holders, 1);
	next = look.pool;
	next.names = "b,c";
	/* Other names are refused even if the caller does not ask for it. */
	assert_int_equal(cluster_change(&connection, "used", &look, &next,
					false),
			 ATMOST_EBUSY);
	assert_non_null(strstr(connection.why.text, "1 running, 0 waiting"));
	next = look.pool;
	next.paused = true;
	assert_int_equal(cluster_change(&connection, "used", &look, &next,
					true),
			 ATMOST_EBUSY);
	assert_int_equal(cluster_change(&connection, "used", &look, &next,
					false),
			 0);
	cluster_look_free(&look);
	leave(&member);
	look = look_at("used");
	assert_true(look.pool.paused);
	next = (struct cluster_pool){ .k = 2, .names = "b,c" };
	assert_int_equal(cluster_change(&connection, "used", &look, &next,
					true),
			 0);
	cluster_look_free(&look);
	look = look_at("used");
	assert_int_equal(look.pool.k, 2);
	assert_string_equal(look.pool.names, "b,c");
	assert_false(look.pool.paused);
	cluster_look_free(&look);
}

/* If the names changed after a holder had opened the pool, its slot has another
 * name than the holder believes. */
static void a_holder_learns_that_the_names_are_others(void **state)
{
	const struct cluster_pool none = { .k = 2 };
	struct cluster_look before, now;
	struct cluster_pool next;

	(void)state;
	create("names", 2, "a,b");
	before = look_at("names");
	assert_int_equal(cluster_names_hold(&connection, "names", &before), 0);
	next = before.pool;
	next.names = "c,d";
	assert_int_equal(cluster_change(&connection, "names", &before, &next,
					true),
			 0);
	assert_int_equal(cluster_names_hold(&connection, "names", &before),
			 ATMOST_ENOTFOUND);
	now = look_at("names");
	assert_int_equal(cluster_names_hold(&connection, "names", &now), 0);
	/* k alone does not change the names. */
	next = now.pool;
	next.k = 1;
	assert_int_equal(cluster_change(&connection, "names", &now, &next,
					true),
			 0);
	assert_int_equal(cluster_names_hold(&connection, "names", &now), 0);
	cluster_look_free(&now);
	now = look_at("names");
	assert_int_equal(cluster_change(&connection, "names", &now, &none,
					true),
			 0);
	assert_int_equal(cluster_names_hold(&connection, "names", &now),
			 ATMOST_ENOTFOUND);
	cluster_look_free(&before);
	cluster_look_free(&now);
}

static void seats_are_in_the_order_of_slots_and_tickets(void **state)
{
	struct member members[4];
	struct cluster_seat *seats;
	struct cluster_look look;

	(void)state;
	create("seats", 2, NULL);
	for (unsigned i = 0; i < 4; i++) {
		join(&members[i], "seats");
		assert_int_equal(etcd_doorway(members[i].etcd, &ledger),
				 i < 2 ? ETCD_INSIDE : ETCD_WAITS);
	}
	look = look_at("seats");
	assert_int_equal(look.holders, 2);
	assert_int_equal(look.waiters, 2);
	assert_int_equal(look.members, 4);
	assert_int_equal(cluster_seats(&connection, &look, &seats), 0);
	assert_int_equal(cluster_seats_ask_leases(&connection, &look, seats),
			 0);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(seats[i].slot, i < 2 ? (int)i : -1);
		assert_int_equal(seats[i].position, i < 2 ? 0 : i - 1);
		assert_int_equal(seats[i].token > 0, i < 2);
		assert_string_equal(seats[i].member.command, "test");
		assert_int_equal(seats[i].granted, 600);
		assert_in_range(seats[i].left, 1, 600);
	}
	assert_int_equal(seats[2].lease, members[2].etcd->lease->id);
	assert_int_equal(seats[3].lease, members[3].etcd->lease->id);
	free(seats);
	cluster_look_free(&look);
	for (unsigned i = 4; i--;) {
		if (i < 2)
			leave(&members[i]);
		else
			etcd_close(members[i].etcd, INT64_MAX);
	}
}

/* The order is that of the tickets, not that of the leases: a lease may be
 * older than its ticket. */
static void waiters_are_in_the_order_of_their_tickets(void **state)
{
	const int64_t leases[] = { grant(), grant() };
	struct cluster_seat *seats;
	struct cluster_look look;
	char key[64];

	(void)state;
	create("tickets", 1, NULL);
	for (unsigned i = 2; i--;) {
		snprintf(key, sizeof key, "atmost/tickets/w/%016" PRIx64,
			 (uint64_t)leases[i]);
		put(key, "-", leases[i]);
	}
	look = look_at("tickets");
	assert_int_equal(cluster_seats(&connection, &look, &seats), 0);
	assert_int_equal(seats[0].lease, leases[1]);
	assert_int_equal(seats[0].position, 1);
	assert_int_equal(seats[1].lease, leases[0]);
	assert_int_equal(seats[1].position, 2);
	free(seats);
	cluster_look_free(&look);
}

static void a_pool_in_use_is_not_removed(void **state)
{
	struct cluster_look look;
	struct member member;

	(void)state;
	create("busy", 1, "a");
	join(&member, "busy");
	assert_int_equal(etcd_doorway(member.etcd, &ledger), ETCD_INSIDE);
	assert_int_equal(cluster_remove_unused(&connection, "busy", &look),
			 ATMOST_EBUSY);
	assert_int_equal(look.holders, 1);
	cluster_look_free(&look);
	leave(&member);
	/* The pool of another prefix that begins with the same text stays. */
	put("atmost/busy/below/pool", "1 assignment 1", 0);
	assert_int_equal(cluster_remove_unused(&connection, "busy", &look), 0);
	assert_int_equal(keys_below("atmost/busy/"), 1);
	assert_int_equal(cluster_remove_unused(&connection, "busy", &look),
			 ATMOST_ENOTFOUND);
}

static void force_ends_the_leases_of_all_members(void **state)
{
	struct member members[2];
	unsigned count;

	(void)state;
	create("force", 1, "a");
	for (unsigned i = 0; i < 2; i++) {
		join(&members[i], "force");
		etcd_doorway(members[i].etcd, &ledger);
	}
	put("atmost/force/s/0009", "-", 0);
	assert_int_equal(cluster_remove(&connection, "force", &count), 0);
	assert_int_equal(count, 2);
	assert_int_equal(keys_below("atmost/force/"), 0);
	/* The lease is gone, and not only its keys. */
	lease_keep(members[0].etcd->wire, members[0].etcd->lease);
	while (members[0].etcd->lease->id)
		assert_true(etcd_pump(members[0].etcd, INT64_MAX, NULL, 0));
	for (unsigned i = 0; i < 2; i++)
		etcd_close(members[i].etcd, INT64_MAX);
	assert_int_equal(cluster_remove(&connection, "force", &count),
			 ATMOST_ENOTFOUND);
	/* A pool that this version does not understand. */
	put("atmost/force/pool", "9 strange", 0);
	assert_int_equal(cluster_remove(&connection, "force", &count), 0);
	assert_int_equal(keys_below("atmost/force/"), 0);
}

static void repair_removes_what_no_member_owns(void **state)
{
	const int64_t stray = grant();
	struct cluster_repair repair;
	struct member member;
	char key[64];

	(void)state;
	create("repair", 3, NULL);
	join(&member, "repair");
	assert_int_equal(etcd_doorway(member.etcd, &ledger), ETCD_INSIDE);
	assert_int_equal(cluster_repair(&connection, "repair", &repair), 0);
	assert_int_equal(repair.deleted + repair.revoked, 0);
	/* A slot and a ticket without a lease, a slot and a ticket whose lease
	 * has no member, and a key that is not ours. */
	put("atmost/repair/s/0001", "-", 0);
	put("atmost/repair/w/0000000000000001", "-", 0);
	put("atmost/repair/s/0002", "-", stray);
	snprintf(key, sizeof key, "atmost/repair/w/%016" PRIx64,
		 (uint64_t)stray);
	put(key, "-", stray);
	put("atmost/repair/s/other", "x", 0);
	assert_int_equal(cluster_repair(&connection, "repair", &repair), 0);
	assert_int_equal(repair.deleted, 2);
	assert_int_equal(repair.revoked, 1);
	/* R/pool, the member with its slot, and the other key. */
	assert_int_equal(keys_below("atmost/repair/"), 4);
	leave(&member);
	assert_int_equal(keys_below("atmost/repair/"), 2);
	assert_int_equal(cluster_repair(&connection, "none", &repair),
			 ATMOST_ENOTFOUND);
}

static void the_pools_of_a_prefix_are_listed(void **state)
{
	char **names, body[256], from[64], to[64];
	static const char *const expected[] = { "a", "a-b", "a.b", "a0", "b" };

	(void)state;
	base64(from, "atmost/");
	base64(to, "atmost0");
	snprintf(body, sizeof body, "{\"key\":\"%s\",\"range_end\":\"%s\"}",
		 from, to);
	assert_non_null(node_post("/v3/kv/deleterange", body));
	assert_int_equal(cluster_list(&connection, &names), 0);
	assert_null(names[0]);
	cluster_list_free(names);
	for (size_t i = 0; i < COUNT(expected); i++)
		create(expected[i], 1, i % 2 ? "x" : NULL);
	/* None of these is a pool of this prefix. */
	put("atmost/.hidden/pool", "1 assignment 1", 0);
	put("atmost/sub/deep/pool", "1 assignment 1", 0);
	put("atmost/pool", "1 assignment 1", 0);
	put("atmost/nopool/names", "x", 0);
	put("atmos/c/pool", "1 assignment 1", 0);
	put("atmost0/d/pool", "1 assignment 1", 0);
	assert_int_equal(cluster_list(&connection, &names), 0);
	for (size_t i = 0; i < COUNT(expected); i++) {
		assert_non_null(names[i]);
		assert_string_equal(names[i], expected[i]);
	}
	assert_null(names[COUNT(expected)]);
	cluster_list_free(names);
}

/* Puts `count` keys of a range of the pool, in few requests. */
static void put_many(const char *pool, const char *range, unsigned count)
{
	for (unsigned at = 0; at < count;) {
		struct text *body = connection_body(&connection);

		request_begin(body);
		request_success(body);
		for (unsigned i = 0; i < 100 && at < count; i++, at++) {
			char key[64];

			snprintf(key, sizeof key, "atmost/%s/%s%016x", pool,
				 range, at);
			if (i)
				text_add(body, ",", 1);
			request_put(body, key, "-", 0);
		}
		request_end(body);
		assert_int_equal(ask(&connection, "/v3/kv/txn"), 0);
	}
}

/* cluster_list reads pages of 1000 keys.  After a page that ends among the
 * members of a pool, it skips the other members. */
static void long_lists_are_read_in_pages(void **state)
{
	static const struct {
		const char *pool, *range;
	} many[] = { { "p0", "m/" }, { "p1", "s/" }, { "p2", "a/" } };
	struct seen_keys seen;
	unsigned long before;
	char **names;
	bool more;

	(void)state;
	for (size_t i = 0; i < COUNT(many); i++) {
		create(many[i].pool, 1, NULL);
		put_many(many[i].pool, many[i].range, 2100);
	}
	create("p3", 1, NULL);
	request_first_keys(connection_body(&connection), "atmost/p0/", 10,
			   "atmost/p1", 2);
	assert_int_equal(ask(&connection, "/v3/kv/range"), 0);
	assert_true(answer_keys(connection.exchange.answer.bytes,
				connection.exchange.answer.length, &seen,
				&more));
	assert_true(more);
	assert_int_equal(seen.count, 2);
	assert_string_equal(seen.keys[1].key, "atmost/p0/m/0000000000000001");
	assert_int_equal(seen.keys[1].value_length, 0);
	seen_keys_free(&seen);
	before = wire_attempts(connection.wire);
	assert_int_equal(cluster_list(&connection, &names), 0);
	/* Three of the five pages are for p2, because cluster_list cannot skip
	 * keys of the range a/. */
	assert_int_equal(wire_attempts(connection.wire) - before, 5);
	for (unsigned i = 0, found = 0; names[i]; i++) {
		if (names[i][0] != 'p')
			continue;
		assert_int_equal(names[i][1], '0' + (int)found);
		found++;
		assert_true(names[i + 1] || found == 4);
	}
	cluster_list_free(names);
}

/* Asks a server that answers as given, and returns the error. */
static int ask_server(const struct reply *replies, size_t count)
{
	struct server *server = server_start(replies, count, NULL);
	struct cluster_look look;
	int error;

	open_at(server_address(server));
	error = cluster_look(&connection, "gpu", &look);
	server_stop(server);
	return error;
}

#define NO_PAGE                                                        \
	"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n404 page " \
	"not found\n"

static void what_is_no_usable_etcd_is_told(void **state)
{
	static const struct {
		struct reply replies[2];
		int error;
		const char *why;
	} rows[] = {
		{ { { .text = NO_PAGE }, { .text = NO_PAGE } },
		  ATMOST_EREFUSED,
		  "is not etcd" },
		{ { { .text = NO_PAGE },
		    { .text = HTTP("200 OK", "<html>welcome</html>") } },
		  ATMOST_EREFUSED,
		  "is not etcd" },
		{ { { .text = NO_PAGE },
		    { .text = HTTP("200 OK", "{\"etcdserver\":\"3.3.27\"}") } },
		  ATMOST_EREFUSED,
		  "is version 3.3.27; atmost needs version 3.4" },
		{ { { .text = NO_PAGE },
		    { .text = HTTP("200 OK", "{\"etcdserver\":\"3.5.16\"}") } },
		  ATMOST_EREFUSED,
		  "--enable-grpc-gateway" },
		{ { { .text = HTTP("429 Too Many Requests",
				   "{\"message\":\"no space\",\"code\":8}") } },
		  ATMOST_EREFUSED,
		  "out of space" },
		{ { { .text = HTTP("400 Bad Request",
				   "{\"message\":\"CommonName of client sent a "
				   "request\",\"code\":2}") } },
		  ATMOST_EPERMISSION,
		  "certificate without a common name" },
		{ { { .text = HTTP("403 Forbidden",
				   "{\"message\":\"denied\",\"code\":7}") } },
		  ATMOST_EPERMISSION,
		  "asks for a user" },
		{ { { .text = HTTP("400 Bad Request",
				   "{\"message\":\"strange\",\"code\":3}") } },
		  ATMOST_EREFUSED,
		  "refuses a request: strange" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(ask_server(rows[i].replies,
					    rows[i].replies[1].text ? 2 : 1),
				 rows[i].error);
		if (!strstr(connection.why.text, rows[i].why))
			fail_msg("%s", connection.why.text);
		close_all(NULL);
	}
}

static void an_etcd_that_does_not_answer_was_not_reached(void **state)
{
	static const struct reply lose = { .kind = REPLY_LOSE };
	struct server *server = server_start(&lose, 1, NULL);
	struct cluster_look look;

	(void)state;
	open_at(server_address(server));
	connection.until = wire_now() + second / 4;
	assert_int_equal(cluster_look(&connection, "gpu", &look),
			 ATMOST_EUNREACHED);
	assert_non_null(strstr(connection.why.text, server_address(server)));
	server_stop(server);
	close_all(NULL);
}

/* So a list of many pages, or a removal of many members, may take longer than
 * one request may. */
static void each_request_gets_its_own_time(void **state)
{
	struct cluster_look look;

	(void)state;
	connection.until = 0;
	assert_int_equal(cluster_look(&connection, "gpu", &look),
			 ATMOST_EUNREACHED);
	connection.patience = 120 * second;
	assert_int_equal(cluster_look(&connection, "gpu", &look),
			 ATMOST_ENOTFOUND);
	connection.until = 0;
	assert_int_equal(cluster_look(&connection, "gpu", &look),
			 ATMOST_ENOTFOUND);
}

static void bad_answers_are_asked_for_again(void **state)
{
	static const struct reply replies[] = {
		{ .text = HTTP("200 OK", "{\"header\":{},\"kvs\":7}") },
		{ .kind = REPLY_FORWARD },
	};
	struct server *server = server_start(replies, 2, node);
	struct cluster_look look;
	char **names;

	(void)state;
	open_at(server_address(server));
	assert_int_equal(cluster_list(&connection, &names), 0);
	cluster_list_free(names);
	assert_int_equal(server_requests(server), 2);
	assert_string_equal(server_request(server, 0),
			    server_request(server, 1));
	assert_int_equal(cluster_look(&connection, "gpu", &look),
			 ATMOST_ENOTFOUND);
	server_stop(server);
	close_all(NULL);
}

/* The first request removes the pool, and its answer is lost. */
static void a_removal_whose_answer_is_lost_is_a_removal(void **state)
{
	static const struct reply replies[] = {
		{ .kind = REPLY_FORWARD }, /* look */
		{ .kind = REPLY_LOSE_ANSWER },
		{ .kind = REPLY_FORWARD },
	};
	struct server *server;
	struct cluster_look look;

	(void)state;
	open_node(NULL);
	create("lost", 1, NULL);
	close_all(NULL);
	server = server_start(replies, 3, node);
	open_at(server_address(server));
	assert_int_equal(cluster_remove_unused(&connection, "lost", &look), 0);
	assert_int_equal(server_requests(server), 4);
	server_stop(server);
	close_all(NULL);
}

static void put_holder(void)
{
	put("atmost/late/s/0000", "-", 0);
}

/* A member arrives after the look and before the removal. */
static void a_member_that_arrives_prevents_the_removal(void **state)
{
	static const struct reply replies[] = {
		{ .kind = REPLY_FORWARD },
		{ .kind = REPLY_FORWARD, .before = put_holder },
		{ .kind = REPLY_FORWARD },
	};
	struct server *server;
	struct cluster_look look;

	(void)state;
	open_node(NULL);
	create("late", 1, NULL);
	close_all(NULL);
	server = server_start(replies, 3, node);
	open_at(server_address(server));
	assert_int_equal(cluster_remove_unused(&connection, "late", &look),
			 ATMOST_EBUSY);
	assert_int_equal(look.holders, 1);
	cluster_look_free(&look);
	assert_int_equal(keys_below("atmost/late/"), 2);
	server_stop(server);
	close_all(NULL);
}

static void old_versions_are_warned_of(void **state)
{
	static const struct {
		struct etcd_version version;
		bool warned;
	} rows[] = {
		{ { 3, 4, 23 }, true },  { { 3, 4, 30 }, true },
		{ { 3, 4, 31 }, false }, { { 3, 4, 40 }, false },
		{ { 3, 5, 0 }, true },   { { 3, 5, 12 }, true },
		{ { 3, 5, 13 }, false }, { { 3, 6, 0 }, false },
		{ { 4, 0, 0 }, false },
	};
	struct complaint warning;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(version_warning(&rows[i].version, "n1:2379",
						 &warning),
				 rows[i].warned);
}

static void the_version_is_that_of_the_endpoint(void **state)
{
	static const struct reply reply = {
		.text = HTTP("200 OK", "{\"etcdserver\":\"3.5.16\","
				       "\"etcdcluster\":\"3.5.0\"}")
	};
	struct server *server = server_start(&reply, 1, NULL);
	struct etcd_version version;

	(void)state;
	open_at(server_address(server));
	assert_true(version_ask(&connection, &version));
	assert_int_equal(version.minor, 5);
	assert_int_equal(version.patch, 16);
	assert_non_null(strstr(server_request(server, 0), "GET /version "));
	server_stop(server);
	close_all(NULL);
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

#define ON_NODE(test) \
	cmocka_unit_test_setup_teardown(test, open_node, close_all)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_NODE(a_pool_is_created_once),
		ON_NODE(impossible_pools_are_not_created),
		ON_NODE(foreign_pools_are_not_understood),
		ON_NODE(a_change_is_made_if_the_pool_is_still_the_same),
		ON_NODE(an_unused_pool_takes_settings_and_one_in_use_keeps_them),
		ON_NODE(a_holder_learns_that_the_names_are_others),
		ON_NODE(seats_are_in_the_order_of_slots_and_tickets),
		ON_NODE(waiters_are_in_the_order_of_their_tickets),
		ON_NODE(a_pool_in_use_is_not_removed),
		ON_NODE(force_ends_the_leases_of_all_members),
		ON_NODE(repair_removes_what_no_member_owns),
		ON_NODE(the_pools_of_a_prefix_are_listed),
		cmocka_unit_test(what_is_no_usable_etcd_is_told),
		cmocka_unit_test(an_etcd_that_does_not_answer_was_not_reached),
		ON_NODE(each_request_gets_its_own_time),
		cmocka_unit_test(bad_answers_are_asked_for_again),
		cmocka_unit_test(a_removal_whose_answer_is_lost_is_a_removal),
		cmocka_unit_test(a_member_that_arrives_prevents_the_removal),
		cmocka_unit_test(old_versions_are_warned_of),
		cmocka_unit_test(the_version_is_that_of_the_endpoint),
		/* This test is the last, because later lists would be long,
		 * too. */
		ON_NODE(long_lists_are_read_in_pages),
	};

	watchdog_start("FAILED: a request about a pool hangs\n");
	return cmocka_run_group_tests(tests, start, stop);
}
