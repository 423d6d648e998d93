/* SPDX-License-Identifier: BSD-2-Clause */
/* The wire against servers that answer badly: which answers end a request, and
 * what the wire sends after other answers. */
#include "common/watchdog.h"
#include "memory/etcd/answer.h"
#include "server_wire.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

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
	/* The wire has sent the same bytes again. */
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
		/* an answer of a program between us and etcd: it has no code of
		 * etcd */
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
	/* Each request gets two replies, because pauses grow with the failures
	 * in a row. */
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
 * thousands of attempts.  A wire with pauses never makes more than the pauses
 * allow, however slow the machine is.
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

/* The owner of each request finds that its answer is bad. */
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

/* Notes what the wire tells libcurl: these functions replace functions of
 * libcurl and of the C library, and call them. */
static int64_t watched_moment; /* 0: waits are not watched */
static unsigned waits, idle_waits;
static bool sends_at_once;

CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd *fds, unsigned count,
			  int milliseconds, int *ready)
{
	CURLMcode (*real)(CURLM *, struct curl_waitfd *, unsigned, int, int *);

	*(void **)&real = dlsym(RTLD_NEXT, "curl_multi_poll");
	waits++;
	idle_waits += milliseconds == 0 && wire_now() < watched_moment;
	return real(multi, fds, count, milliseconds, ready);
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
	int (*real)(int, int, int, const void *, socklen_t);

	*(void **)&real = dlsym(RTLD_NEXT, "setsockopt");
	if (level == IPPROTO_TCP && name == TCP_NODELAY)
		sends_at_once = *(const int *)value != 0;
	return real(fd, level, name, value, length);
}

/* libcurl waits for whole milliseconds.  A part of a millisecond must not
 * become 0: then the pump would not wait, but call libcurl again and again. */
static void a_part_of_a_millisecond_is_waited_for(void **state)
{
	static const struct reply silence = { .kind = REPLY_SILENCE };
	struct server *server = server_start(&silence, 1, NULL);
	struct wire *wire = open_wire(server, NULL, NULL);
	struct exchange exchange = { .path = "/v3/kv/txn" };

	(void)state;
	text_print(&exchange.body, "{}");
	wire_send(wire, &exchange);
	/* Until there are enough waits, or the attempt has failed. */
	waits = idle_waits = 0;
	while (waits < 20 && wire_attempts(wire) < 2) {
		watched_moment = wire_now() + 400000;
		wire_pump(wire, watched_moment, NULL, 0);
	}
	assert_int_equal(idle_waits, 0);
	watched_moment = 0;
	wire_free(&exchange);
	wire_close(wire);
	server_stop(server);
}

static void small_requests_are_sent_at_once(void **state)
{
	static const struct reply good = { .text = GOOD };
	unsigned sent;
	int code;

	(void)state;
	sends_at_once = false;
	assert_int_equal(result_of(&good, 1, &code, &sent), WIRE_DONE);
	assert_true(sends_at_once);
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
		cmocka_unit_test(a_part_of_a_millisecond_is_waited_for),
		cmocka_unit_test(small_requests_are_sent_at_once),
	};

	watchdog_start("FAILED: the wire hangs\n");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
