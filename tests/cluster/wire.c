/* SPDX-License-Identifier: BSD-2-Clause */
/* The wire against servers that answer badly: which answers end a request, and
 * what is sent after the others. */
#include "memory/etcd/wire.h"

#include "common/watchdog.h"
#include "memory/etcd/answer.h"
#include "server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HTTP(status, body)                                          \
	"HTTP/1.1 " status "\r\nContent-Type: application/json\r\n" \
	"Connection: close\r\n\r\n" body
#define GOOD HTTP("200 OK", "{\"good\":true}")
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Opens a wire to one or two servers. */
static struct wire *open_wire(struct server *first, struct server *second,
			      const char *user)
{
	const char *endpoints[2] = { server_address(first),
				     second ? server_address(second) : NULL };

	return wire_open(
		&(struct wire_address){ .endpoints = endpoints,
					.count = second ? 2 : 1,
					.user = user,
					.password = user ? "s\"ecret" : NULL,
					.patience_ms = 300 });
}

/* Sends a request and waits for its end. */
static void run(struct wire *wire, struct exchange *exchange)
{
	exchange->path = "/v3/kv/txn";
	text_print(&exchange->body, "{\"body\":1}");
	wire_send(wire, exchange);
	while (exchange->result == WIRE_PENDING)
		wire_pump(wire, INT64_MAX, NULL, 0);
}

/* The result of one request that gets these replies in turn, and how many
 * requests were sent. */
static enum wire_result result_of(const struct reply *replies, size_t count,
				  int *code, unsigned *sent)
{
	struct server *server = server_start(replies, count, NULL);
	struct wire *wire = open_wire(server, NULL, NULL);
	struct exchange exchange = { 0 };
	enum wire_result result;

	run(wire, &exchange);
	result = exchange.result;
	*code = exchange.code;
	if (result == WIRE_DONE)
		assert_string_equal(exchange.answer.bytes, "{\"good\":true}");
	*sent = server_requests(server);
	/* Resent byte for byte. */
	for (unsigned i = 1; i < *sent; i++)
		assert_string_equal(server_request(server, i),
				    server_request(server, 0));
	wire_free(&exchange);
	wire_close(wire);
	server_stop(server);
	return result;
}

static void definite_answers_end_a_request(void **state)
{
	static const struct {
		struct reply reply;
		enum wire_result result;
		int code;
	} cases[] = {
		{ { .text = GOOD }, WIRE_DONE, 0 },
		{ { .text = HTTP("400 Bad Request", "{\"code\":3}") },
		  WIRE_REFUSED,
		  3 },
		{ { .text = HTTP("404 Not Found", "{\"code\":5}") },
		  WIRE_REFUSED,
		  5 },
		{ { .text = HTTP("412 Precondition Failed", "{\"code\":9}") },
		  WIRE_REFUSED,
		  9 },
		{ { .text = HTTP("429 Too Many Requests", "{\"code\":8}") },
		  WIRE_REFUSED,
		  8 },
		{ { .text = HTTP("403 Forbidden", "{\"code\":7}") },
		  WIRE_DENIED,
		  7 },
		{ { .text = HTTP("401 Unauthorized", "{\"code\":16}") },
		  WIRE_DENIED,
		  16 },
		{ { .text = HTTP("400 Bad Request",
				 "{\"error\":\"CommonName of client sending a "
				 "request will be ignored\"}") },
		  WIRE_DENIED,
		  -1 },
		{ { .text = HTTP("404 Not Found", "404 page not found") },
		  WIRE_NO_GATEWAY,
		  -1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		unsigned sent;
		int code;

		assert_int_equal(result_of(&cases[i].reply, 1, &code, &sent),
				 cases[i].result);
		assert_int_equal(code, cases[i].code);
		assert_int_equal(sent, 1);
	}
}

static void other_answers_are_followed_by_the_same_request(void **state)
{
	static const struct reply replies[] = {
		{ .kind = REPLY_LOSE },
		{ .kind = REPLY_SILENCE },
		{ .text = HTTP("503 Service Unavailable", "{\"code\":14}") },
		{ .text = HTTP("500 Internal Server Error", "{\"code\":13}") },
		{ .text = HTTP("502 Bad Gateway", "<html>proxy</html>") },
		/* of a program on the way: no code of etcd */
		{ .text = HTTP("400 Bad Request", "<html>proxy</html>") },
		{ .text = HTTP("429 Too Many Requests", "slow down") },
		/* the answer is shorter than it says */
		{ .text = "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{" },
		{ .text = "nonsense\r\n\r\n" },
		{ .kind = REPLY_ENDLESS,
		  .text = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{" },
		{ .text = GOOD },
	};

	(void)state;
	/* Two at a time: pauses grow with the failures in a row. */
	for (size_t i = 0; i + 1 < COUNT(replies); i++) {
		const struct reply two[] = { replies[i], { .text = GOOD } };
		unsigned sent;
		int code;

		assert_int_equal(result_of(two, 2, &code, &sent), WIRE_DONE);
		assert_int_equal(sent, 2);
		watchdog_restart();
	}
}

static void errors_are_chunked_with_trailers(void **state)
{
	static const struct reply reply = {
		.text = "HTTP/1.1 404 Not Found\r\n"
			"Content-Type: application/json\r\n"
			"Trailer: Grpc-Trailer-Content-Type\r\n"
			"Transfer-Encoding: chunked\r\n\r\n"
			"8\r\n{\"code\":\r\n2\r\n5}\r\n0\r\n"
			"Grpc-Trailer-Content-Type: application/grpc\r\n\r\n"
	};
	unsigned sent;
	int code;

	(void)state;
	assert_int_equal(result_of(&reply, 1, &code, &sent), WIRE_REFUSED);
	assert_int_equal(code, GRPC_NOT_FOUND);
	assert_int_equal(sent, 1);
}

static void requests_are_as_etcd_wants_them(void **state)
{
	static const struct reply reply = { .text = GOOD };
	struct server *server = server_start(&reply, 1, NULL);
	struct wire *wire = open_wire(server, NULL, NULL);
	struct exchange exchange = { 0 };
	const char *request;

	(void)state;
	/* A body for which libcurl would ask first: more than a megabyte. */
	for (unsigned i = 0; i < 1100; i++)
		text_print(&exchange.body, "%1024s", "");
	run(wire, &exchange);
	request = server_request(server, 0);
	assert_non_null(strstr(request, "POST /v3/kv/txn HTTP/1.1\r\n"));
	assert_non_null(strstr(request, "Grpc-Metadata-hasleader: true\r\n"));
	assert_null(strstr(request, "Expect:"));
	assert_null(strstr(request, "Authorization:"));
	wire_free(&exchange);
	wire_close(wire);
	server_stop(server);
}

static void the_next_endpoint_is_tried_at_once(void **state)
{
	static const struct reply no_leader = {
		.text = HTTP("503 Service Unavailable", "{\"code\":14}")
	};
	static const struct reply good = { .text = GOOD };
	struct server *first = server_start(&no_leader, 1, NULL);
	struct server *second = server_start(&good, 1, NULL);
	struct wire *wire = open_wire(first, second, NULL);
	struct exchange exchange = { 0 };

	(void)state;
	run(wire, &exchange);
	assert_int_equal(exchange.result, WIRE_DONE);
	assert_int_equal(server_requests(first), 1);
	assert_int_equal(server_requests(second), 1);
	/* The wire stays with the endpoint that answers. */
	assert_string_equal(wire_endpoint(wire), server_address(second));
	text_clear(&exchange.body);
	run(wire, &exchange);
	assert_int_equal(server_requests(first), 1);
	assert_int_equal(server_requests(second), 2);
	wire_free(&exchange);
	wire_close(wire);
	server_stop(first);
	server_stop(second);
}

/*
 * Counts attempts, not time: within the given time a wire without pauses makes
 * thousands, and one with pauses never more than the pauses allow, however slow
 * the machine is.
 */
static void failures_are_followed_by_growing_pauses(void **state)
{
	static const struct reply lose = { .kind = REPLY_LOSE };
	struct server *server = server_start(&lose, 1, NULL);
	struct wire *wire = open_wire(server, NULL, NULL);
	struct exchange exchange = { .path = "/v3/kv/txn" };
	const int64_t second = 1000000000;

	(void)state;
	text_print(&exchange.body, "{}");
	wire_send(wire, &exchange);
	assert_false(wire_pump(wire, wire_now() + second, NULL, 0));
	/* after 0, 0.1, 0.3, 0.7 s */
	assert_in_range(wire_attempts(wire), 1, 4);
	assert_non_null(strstr(wire_problem(wire), server_address(server)));
	/* A canceled request is not sent any more. */
	wire_cancel(&exchange);
	assert_false(wire_pump(wire, wire_now() + second / 10, NULL, 0));
	wire_free(&exchange);
	wire_close(wire);
	server_stop(server);
}

/* The owner of a request found that its answer is bad. */
static void bad_answers_are_followed_by_growing_pauses(void **state)
{
	static const struct reply good = { .text = GOOD };
	struct server *server = server_start(&good, 1, NULL);
	struct wire *wire = open_wire(server, NULL, NULL);
	struct exchange exchange = { .path = "/v3/kv/txn" };
	const int64_t until = wire_now() + 1000000000;

	(void)state;
	text_print(&exchange.body, "{}");
	wire_send(wire, &exchange);
	while (wire_pump(wire, until, NULL, 0))
		if (exchange.result == WIRE_DONE)
			wire_again(wire, &exchange, "bad");
	assert_in_range(wire_attempts(wire), 1, 4);
	wire_free(&exchange);
	wire_close(wire);
	server_stop(server);
}

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

/* Counts the lines of a stream. */
struct counted {
	struct exchange exchange;
	unsigned lines;
};

static bool count_line(struct exchange *exchange, const char *text,
		       size_t length)
{
	struct counted *counted = (struct counted *)exchange;

	assert_int_equal(length, 4);
	counted->lines++;
	return memcmp(text, "good", 4) == 0;
}

/* Returns how many lines a stream got before it ended. */
static unsigned lines_of(const struct reply *reply)
{
	struct server *server = server_start(reply, 1, NULL);
	struct wire *wire = open_wire(server, NULL, NULL);
	struct counted counted = { .exchange.path = "/v3/watch",
				   .exchange.line = count_line };

	text_print(&counted.exchange.body, "{}");
	wire_send(wire, &counted.exchange);
	while (counted.exchange.wire)
		wire_pump(wire, INT64_MAX, NULL, 0);
	/* A stream is not sent again: its owner knows from where on. */
	assert_int_equal(server_requests(server), 1);
	wire_free(&counted.exchange);
	wire_close(wire);
	server_stop(server);
	return counted.lines;
}

static void a_stream_hands_over_whole_lines_only(void **state)
{
	static const struct reply whole = {
		.text = HTTP("200 OK", "good\n\ngood\ngood\n")
	};
	static const struct reply cut = { .text = HTTP("200 OK",
						       "good\ngood\ngo") };
	static const struct reply bad = { .text = HTTP("200 OK",
						       "good\nevil\ngood\n") };

	(void)state;
	assert_int_equal(lines_of(&whole), 3);
	assert_int_equal(lines_of(&cut), 2);
	assert_int_equal(lines_of(&bad), 2);
}

static void a_stream_without_lines_ends(void **state)
{
	static const struct reply silence = { .kind = REPLY_SILENCE };
	static const struct reply endless = {
		.kind = REPLY_ENDLESS,
		.text = HTTP("200 OK", "good\ngood\n{\"result\":")
	};
	static const struct reply refused = {
		.text = HTTP("503 Service Unavailable", "good\ngood\n")
	};

	(void)state;
	assert_int_equal(lines_of(&silence), 0);
	assert_int_equal(lines_of(&endless), 2);
	assert_int_equal(lines_of(&refused), 0);
}

/* Streams of an endpoint that does not answer any more end with it. */
static void a_silent_endpoint_ends_its_streams(void **state)
{
	static const struct reply replies[] = {
		/* no "Connection: close": the stream goes on */
		{ .kind = REPLY_SILENCE },
		{ .kind = REPLY_SILENCE }
	};
	static const struct reply good = { .text = GOOD };
	struct server *first = server_start(replies, 2, NULL);
	struct server *second = server_start(&good, 1, NULL);
	struct wire *wire = open_wire(first, second, NULL);
	struct counted counted = { .exchange.path = "/v3/watch",
				   .exchange.line = count_line };
	struct exchange exchange = { 0 };

	(void)state;
	text_print(&counted.exchange.body, "{}");
	wire_send(wire, &counted.exchange);
	run(wire, &exchange);
	assert_int_equal(exchange.result, WIRE_DONE);
	assert_null(counted.exchange.wire);
	wire_free(&counted.exchange);
	wire_free(&exchange);
	wire_close(wire);
	server_stop(first);
	server_stop(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(definite_answers_end_a_request),
		cmocka_unit_test(
			other_answers_are_followed_by_the_same_request),
		cmocka_unit_test(errors_are_chunked_with_trailers),
		cmocka_unit_test(requests_are_as_etcd_wants_them),
		cmocka_unit_test(the_next_endpoint_is_tried_at_once),
		cmocka_unit_test(failures_are_followed_by_growing_pauses),
		cmocka_unit_test(bad_answers_are_followed_by_growing_pauses),
		cmocka_unit_test(a_user_gets_a_token_first),
		cmocka_unit_test(an_expired_token_is_renewed_once),
		cmocka_unit_test(a_wrong_password_is_no_reason_to_try_again),
		cmocka_unit_test(a_login_may_be_lost_or_bad),
		cmocka_unit_test(
			etcd_without_passwords_is_used_without_a_token),
		cmocka_unit_test(a_stream_hands_over_whole_lines_only),
		cmocka_unit_test(a_stream_without_lines_ends),
		cmocka_unit_test(a_silent_endpoint_ends_its_streams),
	};

	watchdog_start("FAILED: the wire hangs\n");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
