/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams of the wire: their lines, and how they end. */
#include "common/watchdog.h"
#include "server_wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
	/* The wire does not send a stream again: only its owner knows at which
	 * revision it must go on. */
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
		cmocka_unit_test(a_stream_hands_over_whole_lines_only),
		cmocka_unit_test(a_stream_without_lines_ends),
		cmocka_unit_test(a_silent_endpoint_ends_its_streams),
	};

	watchdog_start("FAILED: a stream hangs\n");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
