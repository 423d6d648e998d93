/* SPDX-License-Identifier: BSD-2-Clause */
#include "request.h"

#include "keys.h"

#include <inttypes.h>
#include <string.h>

static void add_bytes(struct text *text, const char *field, const char *bytes,
		      size_t length)
{
	text_print(text, "\"%s\":\"", field);
	text_add_base64(text, bytes, length);
	text_print(text, "\"");
}

/* Adds the field range_end: the prefix with its last byte one larger.  No key
 * of ours ends with the byte 255. */
static void add_end(struct text *text, const char *prefix)
{
	const size_t length = strlen(prefix);
	char end[KEY_ROOM];

	memcpy(end, prefix, length);
	end[length - 1]++;
	text_print(text, ",");
	add_bytes(text, "range_end", end, length);
}

/* Adds the fields key and, for a prefix, range_end. */
static void add_range(struct text *text, struct key_range range)
{
	add_bytes(text, "key", range.key, strlen(range.key));
	if (range.prefix)
		add_end(text, range.key);
}

static void begin_guard(struct text *text, struct key_range range,
			const char *target)
{
	text_print(text, "{");
	add_range(text, range);
	text_print(text, ",\"target\":\"%s\",\"result\":\"EQUAL\",", target);
}

void request_if_created(struct text *text, struct key_range range,
			int64_t revision)
{
	begin_guard(text, range, "CREATE");
	text_print(text, "\"create_revision\":\"%" PRId64 "\"}", revision);
}

void request_if_modified(struct text *text, struct key_range range,
			 int64_t revision)
{
	begin_guard(text, range, "MOD");
	text_print(text, "\"mod_revision\":\"%" PRId64 "\"}", revision);
}

void request_if_value(struct text *text, struct key_range range,
		      const char *value)
{
	begin_guard(text, range, "VALUE");
	add_bytes(text, "value", value, strlen(value));
	text_print(text, "}");
}

void request_put(struct text *text, const char *key, const char *value,
		 int64_t lease)
{
	text_print(text, "{\"request_put\":{");
	add_bytes(text, "key", key, strlen(key));
	text_print(text, ",");
	add_bytes(text, "value", value, strlen(value));
	if (lease)
		text_print(text, ",\"lease\":\"%" PRId64 "\"", lease);
	text_print(text, "}}");
}

void request_delete(struct text *text, struct key_range range)
{
	text_print(text, "{\"request_delete_range\":{");
	add_range(text, range);
	text_print(text, "}}");
}

void request_range(struct text *text, struct key_range range)
{
	text_print(text, "{\"request_range\":{");
	add_range(text, range);
	text_print(text, "}}");
}

void request_first(struct text *text, struct key_range range, unsigned most)
{
	text_print(text, "{\"request_range\":{");
	add_range(text, range);
	text_print(text,
		   ",\"sort_target\":\"CREATE\",\"sort_order\":\"ASCEND\","
		   "\"limit\":\"%u\"}}",
		   most);
}

void request_last_before(struct text *text, struct key_range range,
			 unsigned most, int64_t revision)
{
	text_print(text, "{\"request_range\":{");
	add_range(text, range);
	text_print(text,
		   ",\"sort_target\":\"CREATE\",\"sort_order\":\"DESCEND\","
		   "\"max_create_revision\":\"%" PRId64 "\","
		   "\"limit\":\"%u\"}}",
		   revision - 1, most);
}

void request_range_from(struct text *text, const char *first, const char *last)
{
	text_print(text, "{\"request_range\":{");
	add_bytes(text, "key", first, strlen(first));
	add_end(text, last);
	text_print(text, "}}");
}

void request_begin(struct text *text)
{
	text_print(text, "{\"compare\":[");
}

void request_success(struct text *text)
{
	text_print(text, "],\"success\":[");
}

void request_failure(struct text *text)
{
	text_print(text, "],\"failure\":[");
}

void request_end(struct text *text)
{
	text_print(text, "]}");
}

void request_nested(struct text *text)
{
	text_print(text, "{\"request_txn\":");
	request_begin(text);
}

void request_nested_ends(struct text *text)
{
	request_end(text);
	text_print(text, "}");
}

void request_grant(struct text *text, unsigned seconds)
{
	text_print(text, "{\"TTL\":\"%u\"}", seconds);
}

void request_lease(struct text *text, int64_t lease)
{
	text_print(text, "{\"ID\":\"%" PRId64 "\"}", lease);
}

void request_authenticate(struct text *text, const char *user,
			  const char *password)
{
	text_print(text, "{\"name\":");
	text_add_json(text, user);
	text_print(text, ",\"password\":");
	text_add_json(text, password);
	text_print(text, "}");
}

void request_watch(struct text *text, struct key_range range, bool no_puts,
		   int64_t revision)
{
	text_print(text, "{\"create_request\":{");
	add_range(text, range);
	if (no_puts)
		text_print(text, ",\"filters\":[\"NOPUT\"]");
	text_print(text, ",\"start_revision\":\"%" PRId64 "\"}}\n", revision);
}
