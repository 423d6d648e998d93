/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sends requests to etcd and gets its answers.
 *
 * The wire sends a request, byte for byte the same, until it gets a definite
 * answer: etcd says that it has done what the request asks, or why it refuses.
 * After a time-out, a closed connection or any other answer, etcd may have done
 * it or not.  Then the wire tries the next endpoint.  Before it begins another
 * round of the endpoints, it waits, 0.1 s at first and 2 s at most.  A caller
 * sends only requests that change nothing when etcd does them a second time.
 *
 * One thread uses a wire.  Nothing is sent or received outside wire_pump.
 */
#ifndef ATMOST_MEMORY_ETCD_WIRE_H
#define ATMOST_MEMORY_ETCD_WIRE_H

#include "text.h"

#include <curl/curl.h>
#include <stdint.h>

/* Where etcd is, and how to talk to it.  wire_open copies the texts. */
struct wire_address {
	const char *const *endpoints; /* "host:port" */
	unsigned count;
	bool tls;
	/* Files for TLS, and this process's user and password in etcd; NULL:
	 * none. */
	const char *ca, *certificate, *key;
	const char *user, *password;
	unsigned patience_ms; /* an attempt may take this long; 0: 2000 */
};

enum wire_result {
	WIRE_PENDING,
	WIRE_DONE,      /* etcd did it; the answer is in `answer` */
	WIRE_REFUSED,   /* etcd did not do it: see `code` and `message` */
	WIRE_DENIED,    /* etcd does not know the user, or the user may not do
			   it: see `message` */
	WIRE_NO_GATEWAY /* the endpoint serves no JSON gateway */
};

enum { WIRE_MESSAGE_ROOM = 256 };

/* A request under way.  The caller sets path and body, and calls wire_send. */
struct exchange {
	const char *path;
	struct text body;
	/* The attempt that was answered began at this time; CLOCK_BOOTTIME, in
	 * nanoseconds. */
	int64_t sent_at;
	enum wire_result result;
	struct text answer;
	int code;                        /* WIRE_REFUSED: gRPC's code */
	char message[WIRE_MESSAGE_ROOM]; /* what etcd said */

	/* The wire calls this for each line of a stream; NULL: the request is
	 * no stream.  Returns false if the line is bad: then the stream
	 * ends. */
	bool (*line)(struct exchange *, const char *text, size_t length);
	bool taken; /* for the owner: it has seen the result */
	/* How often the request was sent.  After the first attempt etcd may
	 * have done it already. */
	unsigned attempts;

	/* Private to wire.c and attempt.c. */
	struct wire *wire;
	struct exchange *next;
	CURL *easy;
	struct curl_slist *headers;
	unsigned endpoint;
	unsigned login; /* the number of the token that was sent */
	bool logged_in_again;
	bool waits; /* no attempt is under way */
	bool heard; /* the stream has got a line */
	bool news;  /* and wire_pump has not reported it */
};

struct wire;

/* Returns NULL if memory runs out or libcurl cannot be used. */
struct wire *wire_open(const struct wire_address *);
void wire_close(struct wire *);

void wire_send(struct wire *, struct exchange *);

/* The answer of a finished exchange was bad: the request is sent again, as
 * after a time-out.  `why` becomes the wire's problem. */
void wire_again(struct wire *, struct exchange *, const char *why);

/* Forgets a request or a stream, whatever etcd does with it.  The exchange can
 * be sent again.  An exchange that was never sent may be all zero. */
void wire_cancel(struct exchange *);

/* Frees what the exchange holds; it need not be canceled before. */
void wire_free(struct exchange *);

/*
 * Sends and receives, until an exchange has finished, a stream has got a line
 * or has ended, one of the descriptors is ready, or the moment has come
 * (CLOCK_BOOTTIME; INT64_MAX: never).  Returns false if only the moment has
 * come.
 */
bool wire_pump(struct wire *, int64_t until, struct curl_waitfd *,
	       unsigned count);

/* Returns what went wrong last, with the endpoint; "" if the last attempt had a
 * definite answer.  Valid until the next call of wire_pump. */
const char *wire_problem(const struct wire *);

/* The endpoint that the wire uses now: "host:port". */
const char *wire_endpoint(const struct wire *);

/* Whether an attempt ever had a definite answer. */
bool wire_was_reached(const struct wire *);

/* How many attempts were made; tests and -v show it. */
unsigned long wire_attempts(const struct wire *);

/* CLOCK_BOOTTIME in nanoseconds. */
int64_t wire_now(void);

#endif
