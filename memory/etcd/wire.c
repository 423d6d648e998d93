/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire.h"

#include "answer.h"
#include "attempt.h"
#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	MILLISECOND = 1000000,
	USUAL_PATIENCE_MS = 2000,
	SHORTEST_PAUSE_MS = 100,
	LONGEST_PAUSE_MS = 2000
};

struct wire {
	CURLM *multi;
	struct exchange *first; /* the exchanges that have not finished */
	struct attempt_settings settings;
	char **endpoints; /* "host:port" */
	unsigned count, current;
	unsigned failures; /* attempts in a row without a definite answer */
	unsigned failures_before; /* the same before the last definite one */
	int64_t pause_until;      /* no attempt begins before this moment */
	unsigned long attempts;
	bool reached;  /* there was a definite answer */
	bool happened; /* wire_pump has something to report */
	char problem[WIRE_MESSAGE_ROOM + 300];

	/* etcd gives a token for the password.  logins counts the tokens, so
	 * that an exchange knows whether its token is an old one. */
	char *user, *password, *token;
	unsigned logins;
	bool open_to_all; /* etcd asks for no password */
	struct exchange login;
};

int64_t wire_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 * MILLISECOND + now.tv_nsec;
}

/* Copies an optional text. */
static bool copy(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return !from || *to;
}

static bool copy_address(struct wire *wire, const struct wire_address *address)
{
	wire->settings.tls = address->tls;
	wire->settings.patience_ms = address->patience_ms
					     ? (long)address->patience_ms
					     : USUAL_PATIENCE_MS;
	wire->endpoints = calloc(address->count, sizeof *wire->endpoints);
	if (!wire->endpoints)
		return false;
	for (; wire->count < address->count; wire->count++)
		if (!copy(&wire->endpoints[wire->count],
			  address->endpoints[wire->count]))
			return false;
	return copy(&wire->settings.ca, address->ca) &&
	       copy(&wire->settings.certificate, address->certificate) &&
	       copy(&wire->settings.key, address->key) &&
	       copy(&wire->user, address->user) &&
	       copy(&wire->password,
		    address->password ? address->password : "");
}

struct wire *wire_open(const struct wire_address *address)
{
	struct wire *wire;

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return NULL;
	wire = calloc(1, sizeof *wire);
	if (!wire) {
		curl_global_cleanup();
		return NULL;
	}
	wire->multi = curl_multi_init();
	if (!wire->multi || !copy_address(wire, address)) {
		wire_close(wire);
		return NULL;
	}
	return wire;
}

void wire_close(struct wire *wire)
{
	while (wire->first)
		wire_cancel(wire->first);
	wire_free(&wire->login);
	curl_multi_cleanup(wire->multi);
	for (unsigned i = 0; i < wire->count; i++)
		free(wire->endpoints[i]);
	free(wire->endpoints);
	free(wire->settings.ca);
	free(wire->settings.certificate);
	free(wire->settings.key);
	free(wire->user);
	free(wire->password);
	free(wire->token);
	free(wire);
	curl_global_cleanup();
}

const char *wire_problem(const struct wire *wire)
{
	return wire->problem;
}

const char *wire_endpoint(const struct wire *wire)
{
	return wire->endpoints[wire->current];
}

bool wire_was_reached(const struct wire *wire)
{
	return wire->reached;
}

unsigned long wire_attempts(const struct wire *wire)
{
	return wire->attempts;
}

/* Ends the attempt of an exchange, if one is under way. */
static void stop_attempt(struct exchange *exchange)
{
	if (!exchange->waits)
		curl_multi_remove_handle(exchange->wire->multi, exchange->easy);
	exchange->waits = true;
}

void wire_cancel(struct exchange *exchange)
{
	struct exchange **at;

	if (!exchange->wire)
		return;
	stop_attempt(exchange);
	for (at = &exchange->wire->first; *at != exchange; at = &(*at)->next)
		;
	*at = exchange->next;
	exchange->wire = NULL;
}

void wire_free(struct exchange *exchange)
{
	wire_cancel(exchange);
	if (exchange->easy)
		curl_easy_cleanup(exchange->easy);
	curl_slist_free_all(exchange->headers);
	text_free(&exchange->body);
	text_free(&exchange->answer);
	*exchange = (struct exchange){ 0 };
}

static void send_to(struct wire *wire, struct exchange *exchange)
{
	wire_cancel(exchange);
	exchange->wire = wire;
	exchange->next = wire->first;
	wire->first = exchange;
	exchange->result = WIRE_PENDING;
	exchange->taken = false;
	exchange->waits = true;
}

void wire_send(struct wire *wire, struct exchange *exchange)
{
	exchange->logged_in_again = false;
	exchange->attempts = 0;
	send_to(wire, exchange);
}

static void finish(struct exchange *exchange, enum wire_result result)
{
	struct wire *wire = exchange->wire;

	wire_cancel(exchange);
	exchange->result = result;
	if (exchange != &wire->login)
		wire->happened = true;
}

/* Streams of an endpoint that does not answer may have ended silently. */
static void end_streams(struct wire *wire, unsigned endpoint)
{
	struct exchange *exchange, *next;

	for (exchange = wire->first; exchange; exchange = next) {
		next = exchange->next;
		if (exchange->line && !exchange->waits &&
		    exchange->endpoint == endpoint)
			finish(exchange, WIRE_PENDING);
	}
}

/* An attempt at the endpoint has failed.  Uses the next endpoint from now on,
 * after a pause if all endpoints have failed. */
static void leave_endpoint(struct wire *wire, unsigned endpoint,
			   const char *why)
{
	unsigned rounds, pause = LONGEST_PAUSE_MS;

	snprintf(wire->problem, sizeof wire->problem, "%s: %s",
		 wire->endpoints[endpoint], why);
	if (endpoint != wire->current)
		return;
	wire->current = (wire->current + 1) % wire->count;
	wire->failures++;
	rounds = wire->failures / wire->count;
	if (rounds && wire->failures % wire->count == 0) {
		if (rounds < 6)
			pause = SHORTEST_PAUSE_MS << (rounds - 1);
		if (pause > LONGEST_PAUSE_MS)
			pause = LONGEST_PAUSE_MS;
		wire->pause_until = wire_now() + (int64_t)pause * MILLISECOND;
	}
	end_streams(wire, endpoint);
}

/* The attempt has brought no definite answer.  If the exchange is a stream, it
 * ends, because only its owner knows at which revision it must go on. */
static void fail(struct exchange *exchange, const char *why)
{
	struct wire *wire = exchange->wire;

	stop_attempt(exchange);
	if (exchange->line)
		finish(exchange, WIRE_PENDING);
	leave_endpoint(wire, exchange->endpoint, why);
}

void wire_again(struct wire *wire, struct exchange *exchange, const char *why)
{
	/* A bad answer must not make the next pause short again. */
	wire->failures = wire->failures_before;
	send_to(wire, exchange);
	leave_endpoint(wire, exchange->endpoint, why);
}

static void log_in(struct wire *wire)
{
	struct exchange *login = &wire->login;

	free(wire->token);
	wire->token = NULL;
	if (login->wire)
		return;
	login->path = "/v3/auth/authenticate";
	text_clear(&login->body);
	request_authenticate(&login->body, wire->user, wire->password);
	wire_send(wire, login);
}

/* etcd has refused the login.  Ends every request that needs it in the same
 * way. */
static void deny_all(struct wire *wire)
{
	struct exchange *exchange, *next;

	for (exchange = wire->first; exchange; exchange = next) {
		next = exchange->next;
		if (exchange == &wire->login || !exchange->waits)
			continue;
		memcpy(exchange->message, wire->login.message,
		       sizeof exchange->message);
		finish(exchange, wire->login.result == WIRE_NO_GATEWAY
					 ? WIRE_NO_GATEWAY
					 : WIRE_DENIED);
	}
}

static void end_login(struct wire *wire)
{
	struct exchange *login = &wire->login;

	if (login->result == WIRE_DONE) {
		if (answer_token(login->answer.bytes, login->answer.length,
				 &wire->token))
			wire->logins++;
		else
			wire_again(wire, login, "the token is missing");
	} else if (login->code == GRPC_FAILED_PRECONDITION) {
		wire->open_to_all = true;
	} else {
		deny_all(wire);
	}
}

static bool needs_login(const struct wire *wire,
			const struct exchange *exchange)
{
	return wire->user && !wire->token && !wire->open_to_all &&
	       exchange != &wire->login;
}

static void begin(struct wire *wire, struct exchange *exchange)
{
	const bool login = exchange == &wire->login;

	exchange->endpoint = wire->current;
	exchange->login = wire->logins;
	wire->attempts++;
	exchange->attempts++;
	if (!attempt_prepare(exchange, &wire->settings, wire_endpoint(wire),
			     login ? NULL : wire->token)) {
		fail(exchange, "out of memory");
		return;
	}
	exchange->sent_at = wire_now();
	if (curl_multi_add_handle(wire->multi, exchange->easy) == CURLM_OK)
		exchange->waits = false;
	else
		fail(exchange, "libcurl refuses the request");
}

/* Begins the attempts that may begin.  Returns whether other requests wait for
 * the end of the pause. */
static bool begin_all(struct wire *wire)
{
	bool paused = false, login = false;
	struct exchange *exchange, *next;

	for (exchange = wire->first; exchange; exchange = next) {
		next = exchange->next;
		/* A failed attempt may have ended this stream, which was the
		 * next in the list. */
		if (!exchange->wire || !exchange->waits)
			continue;
		if (wire_now() < wire->pause_until)
			paused = true;
		else if (needs_login(wire, exchange))
			login = true;
		else
			begin(wire, exchange);
	}
	if (login && !wire->login.wire) {
		log_in(wire);
		begin(wire, &wire->login);
	}
	return paused;
}

/* etcd wants a login for this request.  Returns false if there was one already,
 * or if there is no user. */
static bool log_in_for(struct exchange *exchange)
{
	struct wire *wire = exchange->wire;

	if (!wire->user || exchange->logged_in_again)
		return false;
	stop_attempt(exchange);
	/* Another exchange may have got a new token meanwhile. */
	if (exchange->login == wire->logins) {
		exchange->logged_in_again = true;
		wire->open_to_all = false;
		log_in(wire);
	}
	return true;
}

static void judge(struct exchange *exchange)
{
	struct wire *wire = exchange->wire;
	enum wire_result result;
	char why[WIRE_MESSAGE_ROOM];
	bool login;

	result = attempt_judge(exchange, &login);
	if (result == WIRE_PENDING || (exchange->line && result == WIRE_DONE)) {
		memcpy(why, exchange->message, sizeof why);
		if (result == WIRE_DONE)
			finish(exchange, WIRE_PENDING);
		else
			fail(exchange, why);
		return;
	}
	wire->failures_before = wire->failures;
	wire->failures = 0;
	wire->reached = true;
	wire->pause_until = 0;
	wire->problem[0] = '\0';
	if (login && exchange != &wire->login && log_in_for(exchange))
		return;
	finish(exchange, result);
	if (exchange == &wire->login)
		end_login(wire);
}

static void take_finished(struct wire *wire)
{
	CURLMsg *message;
	int left;

	while ((message = curl_multi_info_read(wire->multi, &left)) != NULL) {
		const CURLcode code = message->data.result;
		struct exchange *exchange;
		char why[WIRE_MESSAGE_ROOM];

		if (message->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE,
				  (char **)&exchange);
		if (code == CURLE_OK) {
			judge(exchange);
			continue;
		}
		snprintf(why, sizeof why, "%s",
			 exchange->message[0] ? exchange->message
					      : curl_easy_strerror(code));
		fail(exchange, why);
	}
}

/* Looks for news of streams, and ends each stream whose first line has not come
 * in time.  Returns the time at which it would end the next stream. */
static int64_t check_streams(struct wire *wire)
{
	const int64_t now = wire_now();
	int64_t first = INT64_MAX;
	struct exchange *exchange, *next;

	for (exchange = wire->first; exchange; exchange = next) {
		const int64_t until = exchange->sent_at +
				      wire->settings.patience_ms * MILLISECOND;

		next = exchange->next;
		wire->happened |= exchange->news;
		exchange->news = false;
		if (!exchange->line || exchange->waits || exchange->heard)
			continue;
		if (now >= until) {
			fail(exchange, "the watch does not begin");
			next = wire->first; /* fail may end other streams */
		} else if (until < first) {
			first = until;
		}
	}
	return first;
}

/* libcurl takes whole milliseconds.  Rounds up: 0.4 ms would become 0, and
 * libcurl would not wait. */
static int milliseconds_until(int64_t moment)
{
	const int64_t left = moment - wire_now();

	if (left <= 0)
		return 0;
	if (left > (int64_t)60000 * MILLISECOND)
		return 60000;
	return (int)((left + MILLISECOND - 1) / MILLISECOND);
}

bool wire_pump(struct wire *wire, int64_t until, struct curl_waitfd *fds,
	       unsigned count)
{
	int running;

	wire->happened = false;
	for (;;) {
		bool paused = begin_all(wire);
		int64_t next;

		curl_multi_perform(wire->multi, &running);
		take_finished(wire);
		next = check_streams(wire);
		if (wire->happened)
			return true;
		if (wire_now() >= until)
			return false;
		paused = begin_all(wire);
		if (paused && wire->pause_until < next)
			next = wire->pause_until;
		if (until < next)
			next = until;
		curl_multi_poll(wire->multi, fds, count,
				milliseconds_until(next), NULL);
		for (unsigned i = 0; i < count; i++)
			if (fds[i].revents)
				wire->happened = true;
	}
}
