/* SPDX-License-Identifier: BSD-2-Clause */
#include "attempt.h"

#include "answer.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* An answer with 200,000 keys is shorter.  An answer that never ends, or a
 * stream that never ends a line, must not fill the memory. */
enum { ANSWER_MOST = 64 << 20 };

/* Hands over the whole lines of a stream; the rest waits for more bytes.  The
 * bytes before `from` contain no end of a line: an earlier call has looked at
 * them. */
static bool split_lines(struct exchange *exchange, size_t from)
{
	struct text *text = &exchange->answer;
	size_t begin = 0;
	char *end;

	while ((end = memchr(text->bytes + from, '\n', text->length - from)) !=
	       NULL) {
		const size_t length = (size_t)(end - text->bytes) - begin;

		exchange->heard = exchange->news = true;
		if (length &&
		    !exchange->line(exchange, text->bytes + begin, length))
			return false;
		from = begin += length + 1;
	}
	if (begin) {
		text->length -= begin;
		memmove(text->bytes, text->bytes + begin, text->length + 1);
	}
	return true;
}

static size_t receive(char *bytes, size_t size, size_t count, void *context)
{
	struct exchange *exchange = context;
	const size_t length = size * count, before = exchange->answer.length;
	long status = 0;

	if (before + length > ANSWER_MOST)
		return CURL_WRITEFUNC_ERROR;
	text_add(&exchange->answer, bytes, length);
	if (exchange->answer.failed)
		return CURL_WRITEFUNC_ERROR;
	if (!exchange->line)
		return length;
	/* A refusal of a stream is an answer like any other. */
	curl_easy_getinfo(exchange->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status == 200 && !split_lines(exchange, before))
		return CURL_WRITEFUNC_ERROR;
	return length;
}

/* Appends to a list of headers. */
static bool add_header(struct curl_slist **list, const char *line)
{
	struct curl_slist *longer = curl_slist_append(*list, line);

	if (longer)
		*list = longer;
	return longer != NULL;
}

static bool set_headers(struct exchange *exchange, const char *token)
{
	char line[512];
	bool good;

	curl_slist_free_all(exchange->headers);
	exchange->headers = NULL;
	/*
	 * Without the empty Expect, libcurl would first ask etcd whether it
	 * accepts a long body, and wait for the answer.  With hasleader, a node
	 * that has lost contact to the other nodes says so at once.
	 */
	good = add_header(&exchange->headers, "Expect:") &&
	       add_header(&exchange->headers,
			  "Content-Type: application/json") &&
	       add_header(&exchange->headers, "Grpc-Metadata-hasleader: true");
	if (good && token)
		good = snprintf(line, sizeof line, "Authorization: %s", token) <
			       (int)sizeof line &&
		       add_header(&exchange->headers, line);
	return good;
}

static void set_tls(CURL *easy, const struct attempt_settings *settings)
{
	if (settings->ca) {
		curl_easy_setopt(easy, CURLOPT_CAINFO, settings->ca);
		curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
	}
	if (settings->certificate)
		curl_easy_setopt(easy, CURLOPT_SSLCERT, settings->certificate);
	if (settings->key)
		curl_easy_setopt(easy, CURLOPT_SSLKEY, settings->key);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
}

/* A program that this process executes must not keep connections to etcd. */
static curl_socket_t open_socket(void *context, curlsocktype purpose,
				 struct curl_sockaddr *address)
{
	(void)context;
	(void)purpose;
	return socket(address->family, address->socktype | SOCK_CLOEXEC,
		      address->protocol);
}

static void set_transfer(struct exchange *exchange, long patience_ms)
{
	CURL *easy = exchange->easy;

	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	/* The environment names proxies for the web, not for etcd. */
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
	curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, patience_ms);
	/* A stream may last for ever; wire.c limits the time until its first
	 * line. */
	if (!exchange->line)
		curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, patience_ms);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, exchange->message);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, exchange);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, exchange->headers);
	if (exchange->body.length) {
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
				 exchange->body.bytes);
		curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
				 (curl_off_t)exchange->body.length);
	}
}

bool attempt_prepare(struct exchange *exchange,
		     const struct attempt_settings *settings,
		     const char *endpoint, const char *token)
{
	char url[512];

	if (exchange->body.failed)
		return false;
	if (!exchange->easy)
		exchange->easy = curl_easy_init();
	if (!exchange->easy || !set_headers(exchange, token))
		return false;
	curl_easy_reset(exchange->easy);
	text_clear(&exchange->answer);
	exchange->message[0] = '\0';
	exchange->heard = false;
	snprintf(url, sizeof url, "%s://%s%s", settings->tls ? "https" : "http",
		 endpoint, exchange->path);
	set_transfer(exchange, settings->patience_ms);
	set_tls(exchange->easy, settings);
	return curl_easy_setopt(exchange->easy, CURLOPT_URL, url) == CURLE_OK;
}

/* Describes an answer whose body has no code by the first line of the body:
 * etcd's gateway did not write it.  etcd's page about a refused host name has
 * its reason further down, so this function writes a sentence instead. */
static void describe(struct exchange *exchange, long status, const char *body)
{
	if (status == 421)
		snprintf(exchange->message, sizeof exchange->message,
			 "etcd does not accept this host name: use a name of "
			 "its --host-whitelist, or TLS");
	else
		snprintf(exchange->message, sizeof exchange->message,
			 "HTTP status %ld: %.*s", status,
			 (int)strcspn(body, "\r\n"), body);
}

/* Returns whether etcd does not accept the token.  In some cases only the
 * message tells, because etcd uses the same code for other bad requests. */
static bool wants_login(int code, const char *message)
{
	return code == GRPC_UNAUTHENTICATED ||
	       (code == GRPC_INVALID_ARGUMENT &&
		(strstr(message, "user name is empty") ||
		 strstr(message, "auth store is old")));
}

enum wire_result attempt_judge(struct exchange *exchange, bool *login)
{
	const struct text *answer = &exchange->answer;
	const char *body = answer->bytes ? answer->bytes : "";
	long status = 0;

	*login = false;
	curl_easy_getinfo(exchange->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status == 200)
		return WIRE_DONE;
	exchange->code = answer_error(body, answer->length, exchange->message,
				      sizeof exchange->message);
	if (exchange->code == GRPC_NONE)
		describe(exchange, status, body);
	*login = wants_login(exchange->code, exchange->message);
	if (*login || exchange->code == GRPC_PERMISSION_DENIED ||
	    (status == 400 && strstr(body, "CommonName")))
		return WIRE_DENIED;
	/* A definite answer of etcd has a code.  An answer without a code may
	 * come from a program between us and etcd, and does not tell what etcd
	 * did. */
	if (exchange->code == GRPC_NONE)
		return status == 404 ? WIRE_NO_GATEWAY : WIRE_PENDING;
	return status == 400 || status == 401 || status == 403 ||
			       status == 404 || status == 412 || status == 429
		       ? WIRE_REFUSED
		       : WIRE_PENDING;
}
