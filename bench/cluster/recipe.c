/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/cluster/recipe.h"

#include "answer.h"
#include "request.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct key_range lock = { "bench/lock/", true };

/* Sends what is in the body, and waits for the answer. */
static bool ask(struct recipe *recipe, const char *path)
{
	struct exchange *exchange = &recipe->exchange;

	exchange->path = path;
	wire_send(recipe->wire, exchange);
	while (exchange->result == WIRE_PENDING)
		wire_pump(recipe->wire, INT64_MAX, NULL, 0);
	return exchange->result == WIRE_DONE;
}

static struct text *new_body(struct recipe *recipe)
{
	text_clear(&recipe->exchange.body);
	return &recipe->exchange.body;
}

/* Puts our key if it is absent, and gets it otherwise.  Also gets the oldest
 * key, whose owner has the lock. */
static bool put_key(struct recipe *recipe)
{
	struct text *body = new_body(recipe);
	const struct key_range key = { recipe->key, false };

	request_begin(body);
	request_if_created(body, key, 0);
	request_success(body);
	request_put(body, recipe->key, "", recipe->lease);
	text_print(body, ",");
	request_first(body, lock, 1);
	request_failure(body);
	request_range(body, key);
	text_print(body, ",");
	request_first(body, lock, 1);
	request_end(body);
	return ask(recipe, "/v3/kv/txn") &&
	       strstr(recipe->exchange.answer.bytes, "\"succeeded\":true") &&
	       strstr(recipe->exchange.answer.bytes, "\"count\":\"1\"");
}

/* The bench does not keep the lease of a long session alive, so this lease lasts
 * longer than the bench. */
static bool begin_session(struct recipe *recipe, unsigned seconds)
{
	enum { HOUR = 3600 };
	int64_t granted;

	request_grant(new_body(recipe), recipe->keeps_session ? HOUR : seconds);
	if (!ask(recipe, "/v3/lease/grant") ||
	    !answer_grant(recipe->exchange.answer.bytes,
			  recipe->exchange.answer.length, &recipe->lease,
			  &granted))
		return false;
	snprintf(recipe->key, sizeof recipe->key, "bench/lock/%" PRIx64,
		 (uint64_t)recipe->lease);
	return true;
}

bool recipe_enter(struct recipe *recipe, unsigned seconds)
{
	return (recipe->lease || begin_session(recipe, seconds)) &&
	       put_key(recipe);
}

bool recipe_leave(struct recipe *recipe)
{
	struct text *body = new_body(recipe);

	text_print(body, "{\"key\":\"");
	text_add_base64(body, recipe->key, strlen(recipe->key));
	text_print(body, "\"}");
	if (!ask(recipe, "/v3/kv/deleterange"))
		return false;
	if (recipe->keeps_session)
		return true;
	request_lease(new_body(recipe), recipe->lease);
	recipe->lease = 0;
	return ask(recipe, "/v3/lease/revoke");
}

void recipe_free(struct recipe *recipe)
{
	wire_free(&recipe->exchange);
}
