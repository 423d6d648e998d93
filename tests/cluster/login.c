/* SPDX-License-Identifier: BSD-2-Clause */
/* The wire logs in with a password: which requests carry which token. */
#include "common/watchdog.h"
#include "server_wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TOKEN(token) HTTP("200 OK", "{\"token\":\"" token "\"}")
#define EXPIRED                                                         \
	HTTP("401 Unauthorized", "{\"message\":\"invalid auth token\"," \
				 "\"code\":16}")
#define NAMELESS                                                        \
	HTTP("400 Bad Request", "{\"message\":\"etcdserver: user name " \
				"is empty\",\"code\":3}")

/* Returns the result of a request of a user, and checks what was sent: 'l' for
 * a login, and for other requests the last letter of the token, or '-'. */
static enum wire_result result_for_user(const struct reply *replies,
					size_t count, const char *expected)
{
	struct server *server = server_start(replies, count, NULL);
	struct wire *wire = open_wire(server, NULL, "joe");
	struct exchange exchange = { 0 };
	enum wire_result result;
	char sent[16] = { 0 };

	run(wire, &exchange);
	result = exchange.result;
	for (unsigned i = 0; i < server_requests(server); i++) {
		const char *text = server_request(server, i);
		const char *token = strstr(text, "Authorization: token-");

		if (strstr(text, "/v3/auth/authenticate")) {
			assert_non_null(strstr(text,
					       "{\"name\":\"joe\","
					       "\"password\":\"s\\\"ecret\"}"));
			assert_null(token);
			strcat(sent, "l");
		} else {
			sent[strlen(sent)] = token ? token[21] : '-';
		}
	}
	assert_string_equal(sent, expected);
	wire_free(&exchange);
	wire_close(wire);
	server_stop(server);
	return result;
}

static void a_user_gets_a_token_first(void **state)
{
	static const struct reply replies[] = { { .text = TOKEN("token-a") },
						{ .text = GOOD } };

	(void)state;
	assert_int_equal(result_for_user(replies, 2, "la"), WIRE_DONE);
}

static void an_expired_token_is_renewed_once(void **state)
{
	static const struct reply good[] = { { .text = TOKEN("token-a") },
					     { .text = EXPIRED },
					     { .text = TOKEN("token-b") },
					     { .text = GOOD } };
	static const struct reply nameless[] = { { .text = TOKEN("token-a") },
						 { .text = NAMELESS },
						 { .text = TOKEN("token-b") },
						 { .text = GOOD } };
	static const struct reply bad[] = { { .text = TOKEN("token-a") },
					    { .text = EXPIRED },
					    { .text = TOKEN("token-b") },
					    { .text = EXPIRED } };

	(void)state;
	assert_int_equal(result_for_user(good, 4, "lalb"), WIRE_DONE);
	assert_int_equal(result_for_user(nameless, 4, "lalb"), WIRE_DONE);
	assert_int_equal(result_for_user(bad, 4, "lalb"), WIRE_DENIED);
}

static void a_wrong_password_is_no_reason_to_try_again(void **state)
{
	static const struct reply reply = {
		.text = HTTP("400 Bad Request",
			     "{\"message\":\"etcdserver: authentication "
			     "failed\",\"code\":3}")
	};

	(void)state;
	assert_int_equal(result_for_user(&reply, 1, "l"), WIRE_DENIED);
}

static void a_login_may_be_lost_or_bad(void **state)
{
	static const struct reply replies[] = {
		{ .kind = REPLY_LOSE },
		{ .text = HTTP("200 OK", "{}") },
		/* a token that would be a header of its own */
		{ .text = HTTP("200 OK", "{\"token\":\"a\\r\\nX: y\"}") },
		{ .text = TOKEN("token-a") },
		{ .text = GOOD }
	};

	(void)state;
	assert_int_equal(result_for_user(replies, 5, "lllla"), WIRE_DONE);
}

static void etcd_without_passwords_is_used_without_a_token(void **state)
{
	static const struct reply replies[] = {
		{ .text = HTTP("400 Bad Request",
			       "{\"message\":\"etcdserver: authentication is "
			       "not enabled\",\"code\":9}") },
		{ .text = GOOD }
	};

	(void)state;
	assert_int_equal(result_for_user(replies, 2, "l-"), WIRE_DONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_user_gets_a_token_first),
		cmocka_unit_test(an_expired_token_is_renewed_once),
		cmocka_unit_test(a_wrong_password_is_no_reason_to_try_again),
		cmocka_unit_test(a_login_may_be_lost_or_bad),
		cmocka_unit_test(
			etcd_without_passwords_is_used_without_a_token),
	};

	watchdog_start("FAILED: a login hangs\n");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
