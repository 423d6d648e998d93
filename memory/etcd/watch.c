/* SPDX-License-Identifier: BSD-2-Clause */
#include "watch.h"

#include "queue.h"
#include "request.h"

/* The stream is the first field of its watch. */
static bool take_line(struct exchange *stream, const char *text, size_t length)
{
	struct watch *watch = (struct watch *)stream;
	struct seen_keys events;
	enum watch_news news;
	bool good;

	if (!answer_watch(text, length, &news, &events))
		return false;
	good = news == WATCH_CREATED || news == WATCH_EVENTS;
	if (good)
		good = replica_apply(watch->replica, &events);
	seen_keys_free(&events);
	return good;
}

static void begin(struct wire *wire, struct watch *watch,
		  struct replica *replica)
{
	watch->guards = false;
	watch->replica = replica;
	watch->running = true;
	watch->stream.path = "/v3/watch";
	watch->stream.line = take_line;
	wire_send(wire, &watch->stream);
}

/* Adds a line to the body: watches a range. */
static void add_range(struct watch *watch, const struct replica *replica,
		      enum store_range range, int64_t revision)
{
	char name[KEY_ROOM];

	key_print_range(name, replica->root, range);
	/* Does not watch for new waiters, because they come after the present
	 * waiters. */
	request_watch(&watch->stream.body,
		      (struct key_range){ name, range != STORE_POOL },
		      range == STORE_WAITER, revision);
}

void watch_pool(struct wire *wire, struct watch *watch, struct replica *replica,
		int64_t revision)
{
	text_clear(&watch->stream.body);
	add_range(watch, replica, STORE_WAITER, revision);
	add_range(watch, replica, STORE_SLOT, revision);
	add_range(watch, replica, STORE_POOL, revision);
	begin(wire, watch, replica);
}

/* Adds a line to the body: watches a key until it is removed. */
static void add_key(struct watch *watch, const struct replica *replica,
		    const struct key *key, int64_t revision)
{
	char name[KEY_ROOM];

	key_print(name, replica->root, key);
	request_watch(&watch->stream.body, (struct key_range){ name, false },
		      true, revision);
}

void watch_guards(struct wire *wire, struct watch *watch,
		  struct replica *replica, int64_t own_lease, unsigned k,
		  int64_t revision)
{
	struct key guards[QUEUE_GUARDS_MOST];
	const unsigned count = queue_guards(replica, own_lease, k, guards);

	text_clear(&watch->stream.body);
	for (unsigned i = 0; i < count; i++)
		add_key(watch, replica, &guards[i], revision);
	/* A larger k may let a far waiter in. */
	add_range(watch, replica, STORE_POOL, revision);
	begin(wire, watch, replica);
	watch->guards = true;
}

void watch_slot(struct wire *wire, struct watch *watch, struct replica *replica,
		unsigned slot, int64_t revision)
{
	text_clear(&watch->stream.body);
	add_key(watch, replica,
		&(struct key){ .range = STORE_SLOT, .slot = slot }, revision);
	begin(wire, watch, replica);
}

bool watch_ended(struct watch *watch)
{
	if (!watch->running || watch->stream.wire)
		return false;
	watch->running = false;
	return true;
}

void watch_stop(struct watch *watch)
{
	wire_cancel(&watch->stream);
	watch->running = watch->guards = false;
}

void watch_free(struct watch *watch)
{
	watch->running = false;
	wire_free(&watch->stream);
}
