/* SPDX-License-Identifier: BSD-2-Clause */
#include "library.h"

#include <unistd.h>

static char node[64];

const char *address_of(const char *pool)
{
	static char text[4][128];
	static unsigned next;
	char *address = text[next++ % 4];

	snprintf(address, sizeof text[0], "etcd://%s/test/%s", node, pool);
	return address;
}

void use_lease(unsigned seconds)
{
	char text[16];

	snprintf(text, sizeof text, "%u", seconds);
	setenv("ATMOST_AT_LEASE", text, 1);
}

static struct atmost *open_as(const char *pool,
			      const struct atmost_shape *shape)
{
	struct atmost *opened;
	int error = atmost_open(&opened, address_of(pool), shape);

	if (error)
		fail_msg("%s: %s", pool, atmost_detail());
	return opened;
}

struct atmost *open_k(const char *pool, unsigned k)
{
	return open_as(pool, &(struct atmost_shape){ .kind = ATMOST_ASSIGNMENT,
						     .k = k });
}

struct atmost *open_groups(const char *pool)
{
	return open_as(pool, &(struct atmost_shape){ .kind = ATMOST_GROUP });
}

struct atmost_member *join(struct atmost *pool)
{
	struct atmost_member *me;

	assert_int_equal(atmost_join(pool, &me), 0);
	return me;
}

void await_seats(struct atmost *pool, unsigned holders, unsigned waiters)
{
	struct atmost_totals totals;

	for (;;) {
		if (atmost_status(pool, NULL, 0, &totals) < 0)
			fail_msg("%s", atmost_detail());
		if (totals.holders == holders && totals.waiters == waiters)
			return;
		usleep(10000);
	}
}

/* Writes the text in base64 without a terminating NUL. */
static const char *base64(const char *text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	static char code[4][256];
	static unsigned next;
	char *to = code[next++ % 4];
	const size_t length = strlen(text);
	size_t at = 0;

	for (size_t i = 0; i < length; i += 3) {
		unsigned bits = 0;

		for (size_t j = 0; j < 3; j++)
			bits = bits << 8 |
			       (i + j < length ? (unsigned char)text[i + j]
					       : 0);
		for (size_t j = 0; j < 4; j++)
			to[at++] = i + j <= length
					   ? digits[bits >> (18 - 6 * j) & 63]
					   : '=';
	}
	to[at] = '\0';
	return to;
}

/* Returns etcd's answer about the keys that begin with test/POOL/REST. */
static const char *range(const char *pool, const char *rest)
{
	char from[128], to[128], body[600];
	const char *answer;

	snprintf(from, sizeof from, "test/%s/%s", pool, rest);
	snprintf(to, sizeof to, "%s", from);
	to[strlen(to) - 1]++;
	snprintf(body, sizeof body, "{\"key\":\"%s\",\"range_end\":\"%s\"}",
		 base64(from), base64(to));
	answer = node_post("/v3/kv/range", body);
	assert_non_null(answer);
	return answer;
}

unsigned keys_of(const char *pool)
{
	const char *at = range(pool, "");
	unsigned count = 0;

	while ((at = strstr(at, "\"mod_revision\"")) != NULL) {
		at++;
		count++;
	}
	return count;
}

void end_lease(const char *pool, const char *rest)
{
	const char *lease = strstr(range(pool, rest), "\"lease\":\"");
	char body[128];

	assert_non_null(lease);
	lease += strlen("\"lease\":\"");
	snprintf(body, sizeof body, "{\"ID\":\"%.*s\"}",
		 (int)strcspn(lease, "\""), lease);
	assert_non_null(node_post("/v3/lease/revoke", body));
}

int start_node(void **state)
{
	(void)state;
	use_lease(60);
	snprintf(node, sizeof node, "%s", node_start(NULL));
	return 0;
}

int stop_node(void **state)
{
	(void)state;
	node_stop();
	return 0;
}
