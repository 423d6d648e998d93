/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proxy LISTEN ETCD [SEED]: a way to etcd (both are IPv4 addresses, HOST:PORT)
 * that loses, delays and doubles requests, cuts watches, or is cut itself, as the
 * test says with requests of its own: GET /-/TEXT (proxy_rules.h).  It prints a
 * line when it is ready.
 *
 * Each connection has a thread.  The thread reads whole requests, because each
 * request has its own fate, and passes the bytes of answers on as they come.
 */
#include "proxy_rules.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	REQUEST_ROOM = 1 << 18,
	PIECE_ROOM = 1 << 14,
	CONNECTIONS = 1024,
	TEXT_ROOM = 512
};

struct connection {
	int client, etcd; /* -1: none */
	bool watches;
	char request[REQUEST_ROOM];
	size_t length;
};

/* The copy of a request that arrives later. */
struct copy {
	size_t length;
	char request[];
};

static struct sockaddr_in etcd_name;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection *connections[CONNECTIONS];

static struct sockaddr_in name_of(const char *address)
{
	struct sockaddr_in name = { .sin_family = AF_INET };
	const char *colon = strchr(address, ':');
	char host[32];

	snprintf(host, sizeof host, "%.*s", colon ? (int)(colon - address) : 0,
		 address);
	if (!colon || inet_pton(AF_INET, host, &name.sin_addr) != 1) {
		fprintf(stderr, "proxy: %s is not HOST:PORT\n", address);
		exit(2);
	}
	name.sin_port = htons((uint16_t)strtoul(colon + 1, NULL, 10));
	return name;
}

static int connect_to_etcd(void)
{
	const int one = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *)&etcd_name, sizeof etcd_name) < 0) {
		close(fd);
		return -1;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	return fd;
}

static bool send_all(int fd, const char *text, size_t length)
{
	while (length) {
		const ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		text += sent;
		length -= (size_t)sent;
	}
	return true;
}

static void sleep_milliseconds(unsigned milliseconds)
{
	nanosleep(&(struct timespec){ milliseconds / 1000,
				      milliseconds % 1000 * 1000000L },
		  NULL);
}

/* Closes connections: all, or those that watch.  Their threads notice. */
static void cut(bool watches_only)
{
	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < CONNECTIONS; i++) {
		struct connection *c = connections[i];

		if (!c || (watches_only && !c->watches))
			continue;
		if (watches_only)
			rules_count_cut_watch();
		shutdown(c->client, SHUT_RDWR);
		if (c->etcd >= 0)
			shutdown(c->etcd, SHUT_RDWR);
	}
	pthread_mutex_unlock(&lock);
}

/* From now on the connection is not cut. */
static void forget(const struct connection *c)
{
	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < CONNECTIONS; i++)
		if (connections[i] == c)
			connections[i] = NULL;
	pthread_mutex_unlock(&lock);
}

/* Reads a request into the connection; false: there is none. */
static bool read_request(struct connection *c)
{
	size_t whole = 0;
	const char *end, *announced;
	ssize_t more;

	c->length = 0;
	while (!whole || c->length < whole) {
		if (c->length >= REQUEST_ROOM - 1)
			return false;
		more = recv(c->client, c->request + c->length,
			    REQUEST_ROOM - 1 - c->length, 0);
		if (more <= 0)
			return false;
		c->length += (size_t)more;
		c->request[c->length] = '\0';
		end = strstr(c->request, "\r\n\r\n");
		announced = strcasestr(c->request, "\r\nContent-Length: ");
		if (!whole && end)
			whole = (size_t)(end - c->request) + 4 +
				(announced && announced < end
					 ? strtoul(announced + 18, NULL, 10)
					 : 0);
	}
	return true;
}

static void path_of(const struct connection *c, char *path, size_t room)
{
	const char *begin = strchr(c->request, ' ');

	path[0] = '\0';
	if (begin)
		snprintf(path, room, "%.*s", (int)strcspn(begin + 1, " \r"),
			 begin + 1);
}

static bool answer(struct connection *c, const char *status, const char *body)
{
	char text[TEXT_ROOM * 2];
	const int length = snprintf(text, sizeof text,
				    "HTTP/1.1 %s\r\nContent-Type: "
				    "application/json\r\nContent-Length: "
				    "%zu\r\n\r\n%s",
				    status, strlen(body), body);

	return send_all(c->client, text, (size_t)length);
}

static bool obey(struct connection *c, const char *text)
{
	char body[TEXT_ROOM];
	bool cuts = false, cuts_watches = false, known;

	known = rules_obey(text, body, sizeof body, &cuts, &cuts_watches);
	/* The connection of the test itself must stay until it is answered. */
	forget(c);
	if (cuts || cuts_watches)
		cut(!cuts);
	answer(c, known ? "200 OK" : "400 Bad Request", known ? body : "?\n");
	return false;
}

/* Sends a copy to etcd, waits for its answer and forgets it. */
static void send_copy(const char *request, size_t length)
{
	char piece[PIECE_ROOM];
	int fd = connect_to_etcd();

	if (fd < 0)
		return;
	if (send_all(fd, request, length))
		(void)!recv(fd, piece, sizeof piece, 0);
	close(fd);
}

static void *send_late(void *context)
{
	struct copy *copy = context;

	sleep_milliseconds(rules_pause());
	if (rules_gate())
		send_copy(copy->request, copy->length);
	free(copy);
	return NULL;
}

static void keep_copy(const struct connection *c)
{
	struct copy *copy = malloc(sizeof *copy + c->length);
	pthread_t thread;

	copy->length = c->length;
	memcpy(copy->request, c->request, c->length);
	if (pthread_create(&thread, NULL, send_late, copy) == 0)
		pthread_detach(thread);
	else
		free(copy);
}

/* Passes answers on until the client sends the next request.  False: the
 * connection ends. */
static bool pass_answers(struct connection *c, bool lose)
{
	struct pollfd both[2] = { { c->client, POLLIN, 0 },
				  { c->etcd, POLLIN, 0 } };
	const int life = c->watches ? rules_watch_life() : -1;
	char piece[PIECE_ROOM];
	bool answered = c->watches;
	ssize_t length;
	int ready;

	for (;;) {
		ready = poll(both, 2, life);
		if (ready == 0)
			rules_count_cut_watch();
		if (ready <= 0)
			return false;
		if (both[1].revents) {
			length = recv(c->etcd, piece, sizeof piece, 0);
			if (length <= 0 || lose || !rules_gate() ||
			    !send_all(c->client, piece, (size_t)length))
				return false;
			answered = true;
		} else if (recv(c->client, piece, 1, MSG_PEEK) > 0) {
			return true;
		} else {
			/* etcd drops a request whose connection is closed, and
			 * a request that was held must arrive. */
			if (!answered)
				(void)!recv(c->etcd, piece, sizeof piece, 0);
			return false;
		}
	}
}

/* Gives a request to etcd, as its fate says, and passes the answer on. */
static bool forward(struct connection *c, const char *path)
{
	enum proxy_fate fate = rules_fate(path);
	int fd;

	if (fate == FATE_BEFORE)
		return false;
	if (fate == FATE_DELAY)
		sleep_milliseconds(rules_pause());
	if (fate == FATE_TWICE)
		send_copy(c->request, c->length);
	if (fate == FATE_LATE)
		keep_copy(c);
	if (!rules_gate())
		return false;
	fd = c->etcd < 0 ? connect_to_etcd() : c->etcd;
	pthread_mutex_lock(&lock);
	c->etcd = fd;
	c->watches = strcmp(path, "/v3/watch") == 0;
	pthread_mutex_unlock(&lock);
	return fd >= 0 && send_all(fd, c->request, c->length) &&
	       pass_answers(c, fate == FATE_AFTER);
}

static bool serve_request(struct connection *c)
{
	char path[TEXT_ROOM], version[64], body[TEXT_ROOM];

	path_of(c, path, sizeof path);
	if (strncmp(path, "/-/", 3) == 0)
		return obey(c, path + 3);
	if (!rules_gate())
		return false;
	if (strcmp(path, "/version") == 0 &&
	    rules_version(version, sizeof version)) {
		snprintf(body, sizeof body,
			 "{\"etcdserver\":\"%s\",\"etcdcluster\":\"%.3s.0\"}",
			 version, version);
		return answer(c, "200 OK", body);
	}
	return forward(c, path);
}

static void *serve(void *context)
{
	struct connection *c = context;

	while (read_request(c) && serve_request(c))
		;
	forget(c);
	shutdown(c->client, SHUT_RDWR);
	close(c->client);
	if (c->etcd >= 0)
		close(c->etcd);
	free(c);
	return NULL;
}

static void begin(int client)
{
	struct connection *c = calloc(1, sizeof *c);
	const int one = 1;
	pthread_t thread;
	unsigned i = 0;

	c->client = client;
	c->etcd = -1;
	setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	pthread_mutex_lock(&lock);
	while (i < CONNECTIONS && connections[i])
		i++;
	if (i < CONNECTIONS)
		connections[i] = c;
	pthread_mutex_unlock(&lock);
	if (i == CONNECTIONS) {
		fputs("proxy: too many connections\n", stderr);
		exit(2);
	}
	if (pthread_create(&thread, NULL, serve, c) != 0) {
		perror("proxy: pthread_create");
		exit(2);
	}
	pthread_detach(thread);
}

int main(int argc, char **argv)
{
	struct sockaddr_in name;
	const int one = 1;
	int listener, client;

	if (argc < 3) {
		fputs("usage: proxy LISTEN ETCD [SEED]\n", stderr);
		return 2;
	}
	name = name_of(argv[1]);
	etcd_name = name_of(argv[2]);
	rules_start(argc > 3 ? strtoull(argv[3], NULL, 0) : 1);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (listener < 0 ||
	    bind(listener, (struct sockaddr *)&name, sizeof name) < 0 ||
	    listen(listener, CONNECTIONS) < 0) {
		perror("proxy");
		return 2;
	}
	puts("ready");
	fflush(stdout);
	while ((client = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		begin(client);
	perror("proxy: accept");
	return 2;
}
