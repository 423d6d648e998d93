/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/list.h"

#include "cluster/ask.h"
#include "memory/etcd/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 1000 };

struct names {
	char **names;
	size_t count, room;
};

void cluster_list_free(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}

/* Adds a name, and keeps a NULL after the last one. */
static bool add_name(struct names *list, const char *name, size_t length)
{
	if (list->count + 1 >= list->room) {
		const size_t room = list->room ? 2 * list->room : 64;
		char **names = realloc(list->names, room * sizeof *names);

		if (!names)
			return false;
		list->names = names;
		list->room = room;
	}
	list->names[list->count] = name ? strndup(name, length) : NULL;
	if (!name)
		return true;
	if (!list->names[list->count])
		return false;
	list->names[++list->count] = NULL;
	return true;
}

/* Returns the length of the name in PREFIX/NAME/...; 0: the key does not belong
 * to a pool. */
static size_t name_length(const char *key, size_t prefix)
{
	const size_t length = strcspn(key + prefix + 1, "/");

	return key[prefix + 1 + length] == '/' ? length : 0;
}

static bool take_page(struct names *list, const struct seen_keys *seen,
		      size_t prefix)
{
	struct complaint ignored;

	for (size_t i = 0; i < seen->count; i++) {
		const char *key = seen->keys[i].key;
		const size_t length = name_length(key, prefix);
		const char *name = key + prefix + 1;

		if (!length || strcmp(name + length, "/pool") != 0)
			continue;
		if (!add_name(list, name, length))
			return false;
		if (address_check_pool(list->names[list->count - 1],
				       &ignored)) {
			free(list->names[--list->count]);
			list->names[list->count] = NULL;
		}
	}
	return true;
}

/* Returns where the page after this last key begins, as a text that the caller
 * frees; NULL: out of memory. */
static char *next_page(const struct seen_key *last, size_t prefix,
		       size_t *length)
{
	const size_t name = name_length(last->key, prefix);
	const size_t pool = prefix + 1 + name;
	char *from = malloc(last->key_length + 4);

	if (!from)
		return NULL;
	/* A pool has R/m/, R/names, R/pool, R/s/ and R/w/, in this order.  If
	 * the last page ended in R/m/, the next page can skip the rest of R/m/.
	 * If it ended at R/pool or after it, the next page can skip the rest of
	 * the pool. */
	if (name && strncmp(last->key + pool, "/m/", 3) == 0) {
		*length = pool + 3;
		memcpy(from, last->key, pool);
		memcpy(from + pool, "/m0", 3);
	} else if (name && strcmp(last->key + pool, "/pool") >= 0) {
		*length = pool + 1;
		memcpy(from, last->key, pool);
		from[pool] = '0';
	} else {
		/* The smallest key after the last one: its bytes and a NUL. */
		*length = last->key_length + 1;
		memcpy(from, last->key, *length);
	}
	return from;
}

static int ask_page(struct connection *connection, const char *from,
		    size_t length, struct seen_keys *seen, bool *more)
{
	const struct exchange *exchange = &connection->exchange;
	char end[ADDRESS_PREFIX + 2];
	int error;

	snprintf(end, sizeof end, "%s0", connection->address->prefix);
	request_first_keys(connection_body(connection), from, length, end,
			   PAGE);
	error = ask(connection, "/v3/kv/range");
	while (!error && !answer_keys(exchange->answer.bytes,
				      exchange->answer.length, seen, more))
		error = ask_again(connection, "the answer to a range is bad");
	return error;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads a page and adds its names.  *from becomes where the next page begins;
 * NULL: this was the last one. */
static int read_page(struct connection *connection, struct names *list,
		     char **from, size_t *length)
{
	const size_t prefix = strlen(connection->address->prefix);
	struct seen_keys seen;
	bool more, fits;
	int error = ask_page(connection, *from, *length, &seen, &more);

	free(*from);
	*from = NULL;
	if (error)
		return error;
	fits = take_page(list, &seen, prefix);
	if (fits && more && seen.count) {
		*from = next_page(&seen.keys[seen.count - 1], prefix, length);
		fits = *from != NULL;
	}
	seen_keys_free(&seen);
	return fits ? 0
		    : complain(&connection->why, ATMOST_ENOMEM,
			       "out of memory");
}

int cluster_list(struct connection *connection, char ***names)
{
	struct names list = { 0 };
	char *from;
	size_t length;
	int error = 0, printed;

	printed = asprintf(&from, "%s/", connection->address->prefix);
	if (printed < 0 || !add_name(&list, NULL, 0))
		error = complain(&connection->why, ATMOST_ENOMEM,
				 "out of memory");
	length = (size_t)printed;
	while (!error && from)
		error = read_page(connection, &list, &from, &length);
	if (error) {
		cluster_list_free(list.names);
		return error;
	}
	qsort(list.names, list.count, sizeof *list.names, by_name);
	*names = list.names;
	return 0;
}
