/* SPDX-License-Identifier: BSD-2-Clause */
/* The readers of etcd's answers, without etcd: what they take, and what they
 * refuse. */
#include "memory/etcd/answer.h"
#include "memory/etcd/base64.h"
#include "memory/etcd/keys.h"
#include "memory/etcd/replica.h"
#include "memory/etcd/values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER "\"header\":{\"revision\":\"7\"}"
#define KEY                                                    \
	"{\"key\":\"YS9zLzAwMDA=\",\"create_revision\":\"5\"," \
	"\"mod_revision\":\"6\",\"value\":\"LQ==\",\"lease\":\"77\"}"

static const struct transaction_form form = { .alternatives = 2,
					      .ranges = 1,
					      .writes = { 2, 1 } };

#define MADE_0                                                  \
	"{\"response_txn\":{\"succeeded\":true,\"responses\":[" \
	"{\"response_put\":{}},{\"response_put\":{}}]}}"
#define MADE_1                                                  \
	"{\"response_txn\":{\"responses\":[{\"response_txn\":{" \
	"\"succeeded\":true,\"responses\":[{\"response_put\":{}}]}}]}}"
#define MADE_NONE "{\"response_txn\":{\"responses\":[{\"response_txn\":{}}]}}"
#define RANGE "{\"response_range\":{\"kvs\":[" KEY "],\"count\":\"1\"}}"
#define TRANSACTION(made, range) \
	"{" HEADER ",\"succeeded\":true,\"responses\":[" made "," range "]}"

/* Returns the alternative, or -2 for a bad answer. */
static int read_transaction(const char *text)
{
	struct seen_keys seen;
	int made;

	if (!answer_transaction(text, strlen(text), &form, &made, &seen)) {
		assert_null(seen.keys);
		return -2;
	}
	assert_int_equal(seen.revision, 7);
	seen_keys_free(&seen);
	return made;
}

static void transactions_tell_which_alternative_was_made(void **state)
{
	(void)state;
	assert_int_equal(read_transaction(TRANSACTION(MADE_0, RANGE)), 0);
	assert_int_equal(read_transaction(TRANSACTION(MADE_1, RANGE)), 1);
	assert_int_equal(read_transaction(TRANSACTION(MADE_NONE, RANGE)), -1);
}

/* Answers to a transaction whose alternatives have common guards, and whose
 * last alternative has no guards of its own. */
#define INSIDE(nested) \
	"{\"response_txn\":{\"succeeded\":true,\"responses\":[" nested "]}}"
#define MADE_BARE "{\"response_txn\":{\"responses\":[{\"response_put\":{}}]}}"
#define BARE_CUT "{\"response_txn\":{}}"

static void common_guards_are_around_the_alternatives(void **state)
{
	struct transaction_form inside = form;
	static const struct {
		const char *made;
		int alternative; /* -2: the answer is bad */
	} cases[] = {
		{ INSIDE(MADE_0), 0 }, { INSIDE(MADE_BARE), 1 },
		{ BARE_CUT, -1 },      { INSIDE(BARE_CUT), -2 },
		{ INSIDE(""), -2 },    { MADE_0, -2 },
		{ MADE_BARE, -2 },
	};

	(void)state;
	inside.common = inside.bare_last = true;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[1024];
		struct seen_keys seen;
		int made;
		bool good;

		snprintf(text, sizeof text, TRANSACTION("%s", RANGE),
			 cases[i].made);
		print_message("%s\n", text);
		good = answer_transaction(text, strlen(text), &inside, &made,
					  &seen);
		assert_int_equal(good ? made : -2, cases[i].alternative);
		seen_keys_free(&seen);
	}
}

static void keys_have_their_lease_and_revisions(void **state)
{
	const char *text = TRANSACTION(MADE_0, RANGE);
	struct seen_keys seen;
	int made;

	(void)state;
	assert_true(
		answer_transaction(text, strlen(text), &form, &made, &seen));
	assert_int_equal(seen.count, 1);
	assert_string_equal(seen.keys[0].key, "a/s/0000");
	assert_string_equal(seen.keys[0].value, "-");
	assert_int_equal(seen.keys[0].created, 5);
	assert_int_equal(seen.keys[0].modified, 6);
	assert_int_equal(seen.keys[0].lease, 77);
	seen_keys_free(&seen);
}

#define TWO_OF(count, more)                                                 \
	"{\"response_range\":{\"kvs\":[" KEY "," KEY "],\"count\":\"" count \
	"\"" more "}}"

static int read_range(const struct range_form *range, const char *text,
		      bool *cut)
{
	struct transaction_form ranged = form;
	struct seen_keys seen;
	int made, count;

	ranged.range[0] = *range;
	if (!answer_transaction(text, strlen(text), &ranged, &made, &seen))
		return -1;
	count = (int)seen.count;
	*cut = seen.cut;
	seen_keys_free(&seen);
	return count;
}

static void a_cut_range_has_as_many_keys_as_were_asked_for(void **state)
{
	const struct range_form all = { 0 }, two = { 2, false },
				three = { 3, false }, some = { 3, true };
	const char *whole = TRANSACTION(MADE_0, TWO_OF("2", ""));
	const char *part = TRANSACTION(MADE_0, TWO_OF("9", ",\"more\":true"));
	bool cut;

	(void)state;
	assert_int_equal(read_range(&all, whole, &cut), 2);
	assert_false(cut);
	assert_int_equal(read_range(&all, part, &cut), -1);
	assert_int_equal(read_range(&two, whole, &cut), 2);
	assert_false(cut);
	assert_int_equal(read_range(&two, part, &cut), 2);
	assert_true(cut);
	/* The request asked for three keys, and the answer has them. */
	assert_int_equal(read_range(&three, part, &cut), -1);
	assert_int_equal(read_range(&two, TRANSACTION(MADE_0, TWO_OF("9", "")),
				    &cut),
			 -1);
	/* etcd counts the keys that a filter leaves out. */
	assert_int_equal(read_range(&some, part, &cut), 2);
	assert_false(cut);
	assert_int_equal(read_range(&some, TRANSACTION(MADE_0, TWO_OF("1", "")),
				    &cut),
			 -1);
}

static void bad_transactions_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"no JSON",
		"[]",
		"{}",
		"<html>502 Bad Gateway</html>",
		/* cut in the middle */
		"{" HEADER ",\"succeeded\":true,\"responses\":[",
		/* a 64-bit number as a number: it may have been rounded */
		"{\"header\":{\"revision\":7},\"succeeded\":true,"
		"\"responses\":[" MADE_0 "," RANGE "]}",
		"{\"header\":{\"revision\":\"7.0\"},\"succeeded\":true,"
		"\"responses\":[" MADE_0 "," RANGE "]}",
		"{\"header\":{\"revision\":\"-7\"},\"succeeded\":true,"
		"\"responses\":[" MADE_0 "," RANGE "]}",
		"{\"header\":{\"revision\":\"99999999999999999999\"},"
		"\"succeeded\":true,\"responses\":[" MADE_0 "," RANGE "]}",
		/* missing: the header, succeeded, a range, a write */
		"{\"succeeded\":true,\"responses\":[" MADE_0 "," RANGE "]}",
		"{" HEADER ",\"responses\":[" MADE_0 "," RANGE "]}",
		"{" HEADER ",\"succeeded\":true,\"responses\":[" MADE_0 "]}",
		TRANSACTION("{\"response_txn\":{\"succeeded\":true,"
			    "\"responses\":[{\"response_put\":{}}]}}",
			    RANGE),
		/* a refused alternative without the next one */
		TRANSACTION("{\"response_txn\":{}}", RANGE),
		TRANSACTION("{\"response_put\":{}}", RANGE),
		/* a flag of another type */
		TRANSACTION("{\"response_txn\":{\"succeeded\":\"true\","
			    "\"responses\":[{},{}]}}",
			    RANGE),
		/* keys that are not all there: a slot would look free */
		TRANSACTION(MADE_0, "{\"response_range\":{\"count\":\"1\"}}"),
		TRANSACTION(MADE_0, "{\"response_range\":{\"kvs\":[" KEY "]}}"),
		TRANSACTION(MADE_0, "{\"response_range\":{\"kvs\":[" KEY
				    "],\"more\":true,\"count\":\"1\"}}"),
		TRANSACTION(MADE_0, "{\"response_range\":{\"kvs\":{},"
				    "\"count\":\"0\"}}"),
		TRANSACTION(MADE_0,
			    "{\"response_range\":{\"kvs\":[{\"key\":\"YQ==\"}],"
			    "\"count\":\"1\"}}"),
		/* bad base64 */
		TRANSACTION(MADE_0,
			    "{\"response_range\":{\"kvs\":[{\"key\":\"YQ=\","
			    "\"create_revision\":\"5\","
			    "\"mod_revision\":\"5\"}],\"count\":\"1\"}}"),
		/* a field twice */
		"{" HEADER ",\"succeeded\":false,\"succeeded\":true,"
		"\"responses\":[" MADE_0 "," RANGE "]}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		print_message("%s\n", bad[i]);
		assert_int_equal(read_transaction(bad[i]), -2);
	}
}

static void every_cut_of_an_answer_is_refused(void **state)
{
	const char *text = TRANSACTION(MADE_1, RANGE);
	struct seen_keys seen;
	int made;

	(void)state;
	for (size_t length = 0; length < strlen(text); length++)
		assert_false(
			answer_transaction(text, length, &form, &made, &seen));
}

static bool read_grant(const char *text)
{
	int64_t lease, seconds;

	return answer_grant(text, strlen(text), &lease, &seconds);
}

static void a_grant_has_an_id_and_a_time(void **state)
{
	(void)state;
	assert_true(read_grant("{\"ID\":\"5\",\"TTL\":\"15\"}"));
	assert_false(read_grant("{\"ID\":\"5\"}"));
	assert_false(read_grant("{\"TTL\":\"15\"}"));
	assert_false(read_grant("{\"ID\":5,\"TTL\":\"15\"}"));
	assert_false(read_grant("{\"ID\":\"5\",\"TTL\":\"0\"}"));
	assert_false(read_grant("{\"ID\":\"0x5\",\"TTL\":\"15\"}"));
}

/* Returns the seconds, or -1 for a bad answer. */
static int64_t read_keepalive(const char *text)
{
	int64_t seconds;

	return answer_keepalive(text, strlen(text), 5, &seconds) ? seconds : -1;
}

static void a_keepalive_without_a_time_is_the_end_of_the_lease(void **state)
{
	(void)state;
	assert_int_equal(read_keepalive(
				 "{\"result\":{\"ID\":\"5\",\"TTL\":\"9\"}}"),
			 9);
	assert_int_equal(read_keepalive("{\"result\":{\"ID\":\"5\"}}"), 0);
	/* an answer about another lease, or none, says nothing about ours */
	assert_int_equal(read_keepalive("{\"result\":{\"ID\":\"6\"}}"), -1);
	assert_int_equal(read_keepalive("{\"result\":{}}"), -1);
	assert_int_equal(read_keepalive("{\"ID\":\"5\"}"), -1);
	assert_int_equal(read_keepalive(
				 "{\"result\":{\"ID\":\"5\",\"TTL\":9}}"),
			 -1);
}

/* Returns the news, or -1 for a bad line. */
static int read_watch(const char *text, struct seen_keys *events)
{
	enum watch_news news;

	return answer_watch(text, strlen(text), &news, events) ? (int)news : -1;
}

static int watch_news_of(const char *text)
{
	struct seen_keys events;
	const int news = read_watch(text, &events);

	seen_keys_free(&events);
	return news;
}

static void a_line_of_a_watch_has_events(void **state)
{
	struct seen_keys events;

	(void)state;
	assert_int_equal(
		read_watch("{\"result\":{" HEADER ",\"events\":[{\"kv\":" KEY
			   "},{\"type\":\"DELETE\",\"kv\":{\"key\":\"YQ==\","
			   "\"mod_revision\":\"7\"}}]}}",
			   &events),
		WATCH_EVENTS);
	assert_int_equal(events.count, 2);
	assert_false(events.keys[0].removed);
	assert_true(events.keys[1].removed);
	assert_int_equal(events.keys[1].modified, 7);
	seen_keys_free(&events);
}

static void a_watch_tells_of_its_end(void **state)
{
	(void)state;
	assert_int_equal(watch_news_of("{\"result\":{" HEADER
				       ",\"created\":true}}"),
			 WATCH_CREATED);
	assert_int_equal(watch_news_of("{\"result\":{" HEADER
				       ",\"canceled\":true,"
				       "\"compact_revision\":\"9\"}}"),
			 WATCH_CANCELED);
	/* The user may not read the range: created and canceled on one
	 * line. */
	assert_int_equal(watch_news_of("{\"result\":{" HEADER
				       ",\"created\":true,\"canceled\":true}}"),
			 WATCH_CANCELED);
	assert_int_equal(watch_news_of("{\"error\":{\"grpc_code\":14}}"),
			 WATCH_ERROR);
	assert_int_equal(watch_news_of("{\"result\":{" HEADER
				       ",\"events\":[{\"type\":\"MOVE\","
				       "\"kv\":" KEY "}]}}"),
			 -1);
	assert_int_equal(watch_news_of("{\"result\":{" HEADER
				       ",\"events\":[{\"kv\":{}}]}}"),
			 -1);
	assert_int_equal(watch_news_of("{\"result\":{}}"), -1);
	assert_int_equal(watch_news_of("{}"), -1);
}

static void errors_have_a_code_in_every_form(void **state)
{
	static const struct {
		const char *text;
		int code;
	} errors[] = {
		{ "{\"error\":\"no\",\"message\":\"no\",\"code\":5}", 5 },
		{ "{\"message\":\"no\",\"code\":5,\"details\":[]}", 5 },
		{ "{\"error\":{\"grpc_code\":5,\"http_code\":404,"
		  "\"message\":\"no\"}}",
		  5 },
		{ "{\"error\":{\"code\":5,\"message\":\"no\"}}", 5 },
		{ "{\"error\":\"no\"}", GRPC_NONE },
		{ "{\"code\":\"5\"}", GRPC_NONE },
		{ "{\"code\":0}", GRPC_NONE },
		{ "{\"code\":5000}", GRPC_NONE },
		{ "404 page not found", GRPC_NONE },
		{ "", GRPC_NONE },
	};
	char message[8];

	(void)state;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		assert_int_equal(answer_error(errors[i].text,
					      strlen(errors[i].text), message,
					      sizeof message),
				 errors[i].code);
		assert_string_equal(message,
				    errors[i].code == GRPC_NONE ? "" : "no");
	}
}

static void base64_is_padded_and_has_one_spelling(void **state)
{
	static const char *const pairs[][2] = {
		{ "", "" },        { "a", "YQ==" },        { "ab", "YWI=" },
		{ "abc", "YWJj" }, { "\xff\xfe", "//4=" },
	};
	char text[16];

	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const size_t length = strlen(pairs[i][0]);

		base64_encode(text, pairs[i][0], length);
		text[base64_length(length)] = '\0';
		assert_string_equal(text, pairs[i][1]);
		assert_int_equal(base64_decode(text, pairs[i][1],
					       strlen(pairs[i][1])),
				 length);
		assert_memory_equal(text, pairs[i][0], length);
	}
	assert_int_equal(base64_decode(text, "YR==", 4), -1);
	assert_int_equal(base64_decode(text, "YQ", 2), -1);
	assert_int_equal(base64_decode(text, "Y===", 4), -1);
	assert_int_equal(base64_decode(text, "YQ==YQ==", 8), -1);
	assert_int_equal(base64_decode(text, "-_-_", 4), -1);
}

static void only_our_own_spelling_is_a_key_of_ours(void **state)
{
	static const char *const others[] = {
		"a/pool/x", "a/s/3", "a/s/00003", "a/s/-003",
		"b/s/0003", "a/m/1", "a/m/12345", "a/",
		"a",        "a/s/",  "a/x",       "aa/pool",
	};
	const struct key keys[] = { { .range = STORE_POOL },
				    { .range = STORE_SLOT, .slot = 9999 },
				    { .range = STORE_MEMBER, .lease = 1 },
				    { .range = STORE_WAITER,
				      .lease = INT64_MAX } };
	struct key key;
	char text[KEY_ROOM];

	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(
			key_parse(&key, "a", others[i], strlen(others[i])));
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		key_print(text, "a", &keys[i]);
		assert_true(key_parse(&key, "a", text, strlen(text)));
		assert_int_equal(key.range, keys[i].range);
		assert_int_equal(key.lease, keys[i].lease);
		assert_int_equal(key.slot, keys[i].slot);
	}
	key_print(text, "lab/gpu", &keys[1]);
	assert_string_equal(text, "lab/gpu/s/9999");
}

static void values_are_text_that_a_person_can_read(void **state)
{
	char text[VALUE_ROOM];
	uint64_t value;

	(void)state;
	value_print(text, STORE_POOL, false, store_pool(4, false));
	assert_string_equal(text, "1 assignment 4");
	value_print(text, STORE_POOL, true, store_pool(0, true));
	assert_string_equal(text, "1 group 0 paused");
	assert_true(value_parse(&value, STORE_POOL, true, text, strlen(text)));
	assert_true(value == store_pool(0, true));
	/* a pool of another kind or of a later format is none of ours */
	assert_false(
		value_parse(&value, STORE_POOL, false, text, strlen(text)));
	assert_false(
		value_parse(&value, STORE_POOL, false, "2 assignment 4", 14));
	assert_false(value_parse(&value, STORE_POOL, false, "", 0));
	/* no blank, and none after the kind: found by fuzz-answers */
	assert_false(value_parse(&value, STORE_POOL, false, "1", 1));
	assert_false(value_parse(&value, STORE_POOL, false, "1 ", 2));
	value_print(text, STORE_SLOT, true, 0xabc);
	assert_string_equal(text, "0000000000000abc");
	assert_true(value_parse(&value, STORE_SLOT, true, text, strlen(text)));
	assert_int_equal(value, 0xabc);
	value_print(text, STORE_WAITER, false, 0);
	assert_string_equal(text, "-");
}

/* Applies one event of slot 0 and returns the slot's stamp; 0: it is absent. */
static uint64_t after_event(struct replica *replica, int64_t revision,
			    bool removed)
{
	struct seen_key event = { .key = (char[]){ "a/s/0000" },
				  .key_length = 8,
				  .value = (char[]){ "-" },
				  .value_length = 1,
				  .created = revision,
				  .modified = revision,
				  .removed = removed };
	struct seen_keys events = { .count = 1, .keys = &event };
	struct word words[4];
	int64_t leases[1];

	assert_true(replica_apply(replica, &events));
	replica_fill(replica, 0, words, 1, 1, leases);
	return words[store_at(STORE_SLOT, 1, 1)].stamp;
}

static void events_that_a_look_has_seen_change_nothing(void **state)
{
	struct replica replica = { .root = "a" };

	(void)state;
	assert_int_equal(after_event(&replica, 6, false), 6);
	/* A look at revision 9, at which the slot is absent. */
	assert_true(
		replica_look(&replica, &(struct seen_keys){ .revision = 9 }));
	replica.changed = false;
	assert_int_equal(after_event(&replica, 8, false), 0);
	assert_int_equal(after_event(&replica, 9, false), 0);
	assert_false(replica.changed);
	assert_int_equal(after_event(&replica, 10, false), 10);
	assert_true(replica.changed);
	/* The same event twice, and a removal twice. */
	assert_int_equal(after_event(&replica, 10, false), 10);
	assert_int_equal(after_event(&replica, 11, true), 0);
	assert_int_equal(after_event(&replica, 11, true), 0);
	assert_int_equal(replica.count, 0);
	replica_free(&replica);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transactions_tell_which_alternative_was_made),
		cmocka_unit_test(common_guards_are_around_the_alternatives),
		cmocka_unit_test(keys_have_their_lease_and_revisions),
		cmocka_unit_test(
			a_cut_range_has_as_many_keys_as_were_asked_for),
		cmocka_unit_test(bad_transactions_are_refused),
		cmocka_unit_test(every_cut_of_an_answer_is_refused),
		cmocka_unit_test(a_grant_has_an_id_and_a_time),
		cmocka_unit_test(
			a_keepalive_without_a_time_is_the_end_of_the_lease),
		cmocka_unit_test(a_line_of_a_watch_has_events),
		cmocka_unit_test(a_watch_tells_of_its_end),
		cmocka_unit_test(errors_have_a_code_in_every_form),
		cmocka_unit_test(base64_is_padded_and_has_one_spelling),
		cmocka_unit_test(only_our_own_spelling_is_a_key_of_ours),
		cmocka_unit_test(events_that_a_look_has_seen_change_nothing),
		cmocka_unit_test(values_are_text_that_a_person_can_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
