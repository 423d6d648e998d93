/* SPDX-License-Identifier: BSD-2-Clause */
#include "read_answers.h"

#include "memory/etcd/replica.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "\"header\":{\"cluster_id\":\"78\",\"revision\":\"7\"}"
#define SLOT                                                           \
	"{\"key\":\"YS9zLzAwMDA=\",\"create_revision\":\"5\","         \
	"\"mod_revision\":\"9\",\"version\":\"1\",\"value\":\"LQ==\"," \
	"\"lease\":\"77\"}"
#define POOL                                               \
	"{\"key\":\"YS9wb29s\",\"create_revision\":\"2\"," \
	"\"mod_revision\":\"8\",\"value\":\"MSBhc3NpZ25tZW50IDQ=\"}"
#define WAITER                                                           \
	"{\"key\":\"YS93LzAwMDAwMDAwMDAwMDAwNGQ=\",\"create_revision\":" \
	"\"6\",\"mod_revision\":\"9\",\"value\":\"LQ==\",\"lease\":\"77\"}"

const char *const good_answers[] = {
	"{" HEADER ",\"succeeded\":true,\"responses\":[{\"response_txn\":{"
	"\"responses\":[{\"response_txn\":{\"succeeded\":true,\"responses\":["
	"{\"response_put\":{}}]}}]}},{\"response_range\":{\"kvs\":[" SLOT
	"," POOL "," WAITER "],\"count\":\"3\"}}]}",
	"{" HEADER ",\"succeeded\":true,\"responses\":[{\"response_txn\":{"
	"\"responses\":[{\"response_txn\":{}}]}},{\"response_range\":{}}]}",
	"{" HEADER ",\"ID\":\"77\",\"TTL\":\"15\"}",
	"{\"result\":{" HEADER ",\"ID\":\"77\",\"TTL\":\"15\"}}",
	"{\"result\":{" HEADER ",\"created\":true}}",
	"{\"result\":{" HEADER ",\"events\":[{\"kv\":" SLOT
	"},{\"type\":\"DELETE\",\"kv\":{\"key\":\"YS9zLzAwMDA=\","
	"\"mod_revision\":\"10\"}}]}}",
	"{\"result\":{" HEADER ",\"canceled\":true,"
	"\"compact_revision\":\"9\"}}",
	"{" HEADER ",\"succeeded\":true,\"responses\":["
	"{\"response_txn\":{\"succeeded\":true,\"responses\":["
	"{\"response_txn\":{\"responses\":[{\"response_put\":{}}]}}]}},"
	"{\"response_range\":{}}]}",
	"{\"error\":\"no\",\"message\":\"no\",\"code\":5}",
	"{\"error\":{\"grpc_code\":14,\"http_code\":503,\"message\":\"no\"}}",
	"{\"token\":\"abc.7\"}",
	"{\"etcdserver\":\"3.4.23\",\"etcdcluster\":\"3.4.0\"}",
	NULL
};

/* The second has common guards, and a last alternative without others. */
static const struct transaction_form forms[] = {
	{ .alternatives = 2, .ranges = 1, .writes = { 2, 1 } },
	{ .common = true,
	  .bare_last = true,
	  .alternatives = 2,
	  .ranges = 1,
	  .writes = { 2, 1 } },
};

static void demand(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "FAILED: a reader took %s\n", what);
	abort();
}

static void check_keys(const struct seen_keys *seen)
{
	demand(seen->revision > 0, "a revision that is not positive");
	for (size_t i = 0; i < seen->count; i++) {
		const struct seen_key *key = &seen->keys[i];

		demand(key->key_length > 0 && key->modified > 0,
		       "a key without a name or a revision");
		demand(key->key[key->key_length] == '\0' &&
			       key->value[key->value_length] == '\0',
		       "a text without an end");
	}
}

/* Makes the words that a replica has for its keys. */
static void fill_words(const struct replica *replica)
{
	const unsigned slots = replica_slots(replica) + 1;
	const unsigned rows = replica_rows(replica, 77);
	struct word *words = malloc(store_at(STORE_RANGES, slots, rows) *
				    sizeof *words);
	int64_t *leases = malloc(rows * sizeof *leases);
	uint64_t pool;

	demand(slots <= KEY_SLOTS_MOST + 1, "a slot that has no word");
	if (words && leases)
		replica_fill(replica, 77, words, slots, rows, leases);
	replica_pool(replica, &pool);
	free(words);
	free(leases);
}

static unsigned read_looks(const char *bytes, size_t length)
{
	struct replica replica = { .root = "a" };
	struct seen_keys seen;
	enum watch_news news;
	unsigned taken = 0;
	int made;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (!answer_transaction(bytes, length, &forms[i], &made, &seen))
			continue;
		taken++;
		check_keys(&seen);
		demand(made >= -1 && made < 2, "an unknown alternative");
		replica_look(&replica, &seen);
		seen_keys_free(&seen);
	}
	if (answer_watch(bytes, length, &news, &seen)) {
		taken++;
		if (news == WATCH_EVENTS)
			check_keys(&seen);
		replica_apply(&replica, &seen);
		/* To apply the events twice must do no harm. */
		replica_apply(&replica, &seen);
		seen_keys_free(&seen);
	}
	fill_words(&replica);
	replica_free(&replica);
	return taken;
}

unsigned read_answers(const char *bytes, size_t length)
{
	unsigned taken = read_looks(bytes, length);
	struct etcd_version version;
	int64_t lease, seconds;
	char message[16], *token;

	if (answer_grant(bytes, length, &lease, &seconds)) {
		taken++;
		demand(lease > 0 && seconds > 0, "a lease that is none");
	}
	if (answer_keepalive(bytes, length, 77, &seconds)) {
		taken++;
		demand(seconds >= 0, "a time that is negative");
	}
	taken += answer_revoke(bytes, length);
	taken += answer_version(bytes, length, &version);
	taken += answer_error(bytes, length, message, sizeof message) !=
		 GRPC_NONE;
	if (answer_token(bytes, length, &token)) {
		taken++;
		demand(*token && !strpbrk(token, "\r\n"), "a bad token");
		free(token);
	}
	return taken;
}
