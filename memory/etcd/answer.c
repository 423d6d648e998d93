/* SPDX-License-Identifier: BSD-2-Clause */
#include "answer.h"

#include "base64.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *parse(const char *text, size_t length)
{
	json_t *root = text ? json_loadb(text, length, JSON_REJECT_DUPLICATES,
					 NULL)
			    : NULL;

	if (json_is_object(root))
		return root;
	json_decref(root);
	return NULL;
}

/* Returns the object in a field, or NULL if there is no such object. */
static json_t *object_in(const json_t *object, const char *field)
{
	json_t *value = json_object_get(object, field);

	return json_is_object(value) ? value : NULL;
}

/* Reads a field that is absent if it is zero.  Numbers of etcd are not
 * negative. */
static bool read_number(const json_t *object, const char *field,
			int64_t *number)
{
	const json_t *value = json_object_get(object, field);
	const char *text = json_string_value(value);
	char again[24];

	*number = 0;
	if (!value)
		return true;
	if (!text)
		return false;
	errno = 0;
	*number = strtoll(text, NULL, 10);
	snprintf(again, sizeof again, "%" PRId64, *number);
	return errno == 0 && *number >= 0 && strcmp(again, text) == 0;
}

/* The same for a number that must be there and not be zero. */
static bool read_positive(const json_t *object, const char *field,
			  int64_t *number)
{
	return read_number(object, field, number) && *number > 0;
}

/* Reads a field that is absent if it is false. */
static bool read_flag(const json_t *object, const char *field, bool *flag)
{
	const json_t *value = json_object_get(object, field);

	*flag = json_is_true(value);
	return !value || json_is_boolean(value);
}

/* Reads a list that is absent if it is empty; the list is then NULL, which
 * jansson takes for an empty list. */
static bool read_list(const json_t *object, const char *field, json_t **list)
{
	*list = json_object_get(object, field);
	return !*list || json_is_array(*list);
}

static bool read_revision(const json_t *object, int64_t *revision)
{
	const json_t *header = object_in(object, "header");

	return header && read_positive(header, "revision", revision);
}

/* Reads a field in base64, absent if it has no bytes. */
static bool read_bytes(const json_t *object, const char *field, char **bytes,
		       size_t *length)
{
	const json_t *value = json_object_get(object, field);
	const size_t encoded = json_string_length(value);
	long decoded;

	*length = 0;
	*bytes = NULL;
	if (value && !json_is_string(value))
		return false;
	*bytes = malloc(encoded / 4 * 3 + 1);
	if (!*bytes)
		return false;
	decoded = value ? base64_decode(*bytes, json_string_value(value),
					encoded)
			: 0;
	if (decoded < 0)
		return false;
	*length = (size_t)decoded;
	(*bytes)[decoded] = '\0';
	return true;
}

static void free_key(struct seen_key *key)
{
	free(key->key);
	free(key->value);
}

void seen_keys_free(struct seen_keys *seen)
{
	for (size_t i = 0; i < seen->count; i++)
		free_key(&seen->keys[i]);
	free(seen->keys);
	*seen = (struct seen_keys){ 0 };
}

static bool make_room(struct seen_keys *seen)
{
	const size_t room = seen->room ? 2 * seen->room : 16;
	struct seen_key *keys;

	if (seen->count < seen->room)
		return true;
	keys = realloc(seen->keys, room * sizeof *keys);
	if (!keys)
		return false;
	seen->keys = keys;
	seen->room = room;
	return true;
}

/* Reads a KeyValue.  A removed key has no create_revision. */
static bool read_key(const json_t *object, bool removed, struct seen_keys *seen)
{
	struct seen_key key = { .removed = removed };

	if (json_is_object(object) && make_room(seen) &&
	    read_bytes(object, "key", &key.key, &key.key_length) &&
	    key.key_length > 0 &&
	    read_bytes(object, "value", &key.value, &key.value_length) &&
	    read_number(object, "create_revision", &key.created) &&
	    (removed || key.created > 0) &&
	    read_positive(object, "mod_revision", &key.modified) &&
	    read_number(object, "lease", &key.lease)) {
		seen->keys[seen->count++] = key;
		return true;
	}
	free_key(&key);
	return false;
}

bool answer_grant(const char *text, size_t length, int64_t *lease,
		  int64_t *seconds)
{
	json_t *root = parse(text, length);
	const bool good = root && read_positive(root, "ID", lease) &&
			  read_positive(root, "TTL", seconds);

	json_decref(root);
	return good;
}

bool answer_keepalive(const char *text, size_t length, int64_t lease,
		      int64_t *seconds)
{
	json_t *root = parse(text, length);
	const json_t *result = object_in(root, "result");
	int64_t id;
	/* An answer about another lease must not make ours look gone. */
	const bool good = result && read_number(result, "ID", &id) &&
			  id == lease && read_number(result, "TTL", seconds);

	json_decref(root);
	return good;
}

bool answer_revoke(const char *text, size_t length)
{
	json_t *root = parse(text, length);
	int64_t revision;
	const bool good = root && read_revision(root, &revision);

	json_decref(root);
	return good;
}

/* Reads a nested transaction. */
static bool read_nested(const json_t *response, bool *succeeded,
			json_t **responses)
{
	const json_t *nested = object_in(response, "response_txn");

	return nested && read_flag(nested, "succeeded", succeeded) &&
	       read_list(nested, "responses", responses);
}

/*
 * Follows the nested transactions.  The failure branch of an alternative
 * contains the next alternative.  The answer of the alternative that etcd made
 * has one response per write; an answer that was cut has fewer.
 */
static bool read_alternatives(const json_t *first,
			      const struct transaction_form *form, int *made)
{
	const unsigned nested = form->alternatives - form->bare_last;
	const json_t *response = first;
	json_t *responses = NULL;
	bool succeeded;

	for (unsigned i = 0; i < nested; i++) {
		if (!read_nested(response, &succeeded, &responses))
			return false;
		if (succeeded) {
			*made = (int)i;
			return json_array_size(responses) == form->writes[i];
		}
		if (i + 1 < nested && json_array_size(responses) != 1)
			return false;
		response = json_array_get(responses, 0);
	}
	if (form->bare_last)
		*made = (int)nested;
	return json_array_size(responses) ==
	       (form->bare_last ? form->writes[nested] : 0);
}

/* Reads which alternative of a transaction etcd has made; *made is -1 if
 * none. */
static bool read_made(const json_t *response,
		      const struct transaction_form *form, int *made)
{
	json_t *responses;
	bool succeeded;

	*made = -1;
	if (!form->alternatives)
		return true;
	if (!form->common)
		return read_alternatives(response, form, made);
	if (!read_nested(response, &succeeded, &responses))
		return false;
	if (!succeeded)
		return json_array_size(responses) == 0;
	return json_array_size(responses) == 1 &&
	       read_alternatives(json_array_get(responses, 0), form, made);
}

/* Returns whether a range has the keys that it was asked for.  A list that lost
 * a part of its keys would show a free slot, or a shorter queue. */
static bool has_its_keys(const struct range_form *form, size_t keys,
			 uint64_t count, bool more)
{
	if (form->filtered)
		return keys <= form->most && keys <= count;
	if (form->most && count > form->most)
		return more && keys == form->most;
	return !more && keys == count;
}

static bool read_range(const json_t *response, const struct range_form *form,
		       struct seen_keys *seen)
{
	const json_t *range = object_in(response, "response_range");
	json_t *keys;
	int64_t count;
	bool more;

	if (!range || !read_list(range, "kvs", &keys) ||
	    !read_number(range, "count", &count) ||
	    !read_flag(range, "more", &more))
		return false;
	if (!has_its_keys(form, json_array_size(keys), (uint64_t)count, more))
		return false;
	seen->cut |= more && !form->filtered;
	for (size_t i = 0; i < json_array_size(keys); i++)
		if (!read_key(json_array_get(keys, i), false, seen))
			return false;
	return true;
}

static bool read_transaction(const json_t *root,
			     const struct transaction_form *form, int *made,
			     struct seen_keys *seen)
{
	const unsigned nested = form->alternatives ? 1 : 0;
	json_t *responses;
	bool succeeded;

	if (!root || !read_revision(root, &seen->revision) ||
	    !read_flag(root, "succeeded", &succeeded) || !succeeded ||
	    !read_list(root, "responses", &responses) ||
	    json_array_size(responses) != nested + form->ranges ||
	    !read_made(json_array_get(responses, 0), form, made))
		return false;
	for (unsigned i = 0; i < form->ranges; i++)
		if (!read_range(json_array_get(responses, nested + i),
				&form->range[i], seen))
			return false;
	return true;
}

bool answer_transaction(const char *text, size_t length,
			const struct transaction_form *form, int *made,
			struct seen_keys *seen)
{
	json_t *root = parse(text, length);
	bool good;

	*seen = (struct seen_keys){ 0 };
	good = read_transaction(root, form, made, seen);
	json_decref(root);
	if (!good)
		seen_keys_free(seen);
	return good;
}

static bool read_some_keys(const json_t *root, struct seen_keys *seen,
			   bool *more)
{
	json_t *keys;

	if (!root || !read_revision(root, &seen->revision) ||
	    !read_list(root, "kvs", &keys) || !read_flag(root, "more", more))
		return false;
	for (size_t i = 0; i < json_array_size(keys); i++)
		if (!read_key(json_array_get(keys, i), false, seen))
			return false;
	return true;
}

bool answer_keys(const char *text, size_t length, struct seen_keys *seen,
		 bool *more)
{
	json_t *root = parse(text, length);
	bool good;

	*seen = (struct seen_keys){ 0 };
	good = read_some_keys(root, seen, more);
	json_decref(root);
	if (!good)
		seen_keys_free(seen);
	return good;
}

bool answer_time_to_live(const char *text, size_t length, int64_t lease,
			 int64_t *left, int64_t *granted)
{
	json_t *root = parse(text, length);
	const char *gone = json_string_value(json_object_get(root, "TTL"));
	int64_t id;
	bool good;

	/* The only negative number of etcd: the lease does not exist. */
	*left = *granted = 0;
	good = root && read_number(root, "ID", &id) && id == lease;
	if (good && !(gone && strcmp(gone, "-1") == 0))
		good = read_number(root, "TTL", left) &&
		       read_number(root, "grantedTTL", granted);
	json_decref(root);
	return good;
}

bool answer_token(const char *text, size_t length, char **token)
{
	json_t *root = parse(text, length);
	const char *value = json_string_value(json_object_get(root, "token"));
	bool good;

	/* The token becomes a header, so it must not contain the end of a
	 * line. */
	good = value && *value && !strpbrk(value, "\r\n");
	*token = good ? strdup(value) : NULL;
	json_decref(root);
	return *token != NULL;
}

bool answer_version(const char *text, size_t length,
		    struct etcd_version *version)
{
	json_t *root = parse(text, length);
	const char *value = json_string_value(
		json_object_get(root, "etcdserver"));
	const bool good = value &&
			  sscanf(value, "%u.%u.%u", &version->major,
				 &version->minor, &version->patch) == 3;

	json_decref(root);
	return good;
}

static bool read_event(const json_t *event, struct seen_keys *events)
{
	const json_t *type = json_object_get(event, "type");
	const char *name = json_string_value(type);

	/* etcd leaves out the type PUT. */
	if (type && (!name || (strcmp(name, "PUT") && strcmp(name, "DELETE"))))
		return false;
	return read_key(json_object_get(event, "kv"),
			name && strcmp(name, "DELETE") == 0, events);
}

static bool read_watch(const json_t *root, enum watch_news *news,
		       struct seen_keys *events)
{
	const json_t *result = object_in(root, "result");
	json_t *list;
	bool created, canceled;
	int64_t compacted;

	if (!result) {
		*news = WATCH_ERROR;
		return object_in(root, "error") != NULL;
	}
	if (!read_flag(result, "created", &created) ||
	    !read_flag(result, "canceled", &canceled) ||
	    !read_number(result, "compact_revision", &compacted) ||
	    !read_list(result, "events", &list) ||
	    !read_revision(result, &events->revision))
		return false;
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!read_event(json_array_get(list, i), events))
			return false;
	*news = canceled || compacted ? WATCH_CANCELED
		: created             ? WATCH_CREATED
				      : WATCH_EVENTS;
	return true;
}

bool answer_watch(const char *text, size_t length, enum watch_news *news,
		  struct seen_keys *events)
{
	json_t *root = parse(text, length);
	bool good;

	*events = (struct seen_keys){ 0 };
	good = root && read_watch(root, news, events);
	json_decref(root);
	if (!good)
		seen_keys_free(events);
	return good;
}

int answer_error(const char *text, size_t length, char *message, size_t room)
{
	json_t *root = parse(text, length);
	const json_t *stream = object_in(root, "error");
	const json_t *from = stream ? stream : root;
	const json_t *code = json_object_get(from, "code");
	const char *words = json_string_value(json_object_get(from, "message"));
	int value = GRPC_NONE;

	/* Older gateways call the code of a stream grpc_code. */
	if (stream && !code)
		code = json_object_get(from, "grpc_code");
	if (json_is_integer(code) && json_integer_value(code) > 0 &&
	    json_integer_value(code) <= GRPC_UNAUTHENTICATED)
		value = (int)json_integer_value(code);
	snprintf(message, room, "%s", value != GRPC_NONE && words ? words : "");
	json_decref(root);
	return value;
}
