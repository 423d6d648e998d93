/* SPDX-License-Identifier: BSD-2-Clause */
#include "server.h"

#include <arpa/inet.h>
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	REQUESTS_MOST = 256,
	CLIENTS_MOST = 64,
	REQUEST_ROOM = 1 << 21,
	ANSWER_ROOM = 1 << 21
};

struct server {
	const struct reply *replies;
	size_t count;
	char etcd[32], address[32];
	int listener;
	int stop[2];
	pthread_t thread;
	pthread_mutex_t lock;
	unsigned requests, clients;
	char *texts[REQUESTS_MOST];
	pthread_t client[CLIENTS_MOST];
};

struct connection {
	struct server *server;
	int fd;
};

/* Reads from fd until it is closed or the server stops; 0: the end. */
static size_t receive(const struct server *server, int fd, char *to,
		      size_t room)
{
	struct pollfd both[2] = { { fd, POLLIN, 0 },
				  { server->stop[0], POLLIN, 0 } };
	ssize_t length;

	if (poll(both, 2, -1) < 0 || both[1].revents)
		return 0;
	length = read(fd, to, room);
	return length > 0 ? (size_t)length : 0;
}

/* Reads a request: headers, and as many bytes as they announce.  Returns its
 * length, 0 if there is none. */
static size_t read_request(const struct server *server, int fd, char *text)
{
	size_t length = 0, more, whole = 0;
	char *end, *announced;

	while (!whole || length < whole) {
		more = receive(server, fd, text + length,
			       REQUEST_ROOM - 1 - length);
		if (!more)
			return 0;
		length += more;
		text[length] = '\0';
		end = strstr(text, "\r\n\r\n");
		announced = strstr(text, "Content-Length: ");
		if (!whole && end)
			whole = (size_t)(end - text) + 4 +
				(announced ? strtoul(announced + 16, NULL, 10)
					   : 0);
	}
	return length;
}

static void send_all(int fd, const char *text, size_t length)
{
	while (length) {
		const ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);

		if (sent <= 0)
			return;
		text += sent;
		length -= (size_t)sent;
	}
}

static int connect_to(const char *address)
{
	struct sockaddr_in name = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	name.sin_port = htons(
		(uint16_t)strtoul(strchr(address, ':') + 1, NULL, 10));
	assert(fd >= 0);
	if (connect(fd, (struct sockaddr *)&name, sizeof name) < 0)
		perror("connect");
	return fd;
}

/* Returns whether the text is a whole answer.  The header says how long it is,
 * or its last chunk is empty. */
static bool is_whole(const char *text, size_t length)
{
	static const char last[] = "\r\n0\r\n\r\n";
	const char *body = strstr(text, "\r\n\r\n");
	const char *field = strstr(text, "Content-Length: ");

	if (body && field && field < body)
		return length >= (size_t)(body + 4 - text) +
					 strtoul(field + 16, NULL, 10);
	return body && length >= sizeof last - 1 &&
	       strcmp(text + length - (sizeof last - 1), last) == 0;
}

/* Sends the request to etcd and passes the answer on, or a part of it: `reply`
 * says how much. */
static void forward(const struct server *server, int fd, const char *request,
		    size_t request_length, const struct reply *reply)
{
	const int etcd = connect_to(server->etcd);
	const bool lose = reply->kind == REPLY_LOSE_ANSWER;
	const size_t most = reply->most ? reply->most : ANSWER_ROOM - 1;
	char *text = malloc(ANSWER_ROOM);
	size_t length = 0, got;

	assert(most < ANSWER_ROOM);
	send_all(etcd, request, request_length);
	/* etcd keeps the connection open. */
	while (length < most && (got = receive(server, etcd, text + length,
					       most - length)) > 0) {
		if (!lose)
			send_all(fd, text + length, got);
		length += got;
		text[length] = '\0';
		if (lose || (!reply->most && is_whole(text, length)))
			break;
	}
	free(text);
	close(etcd);
}

static void answer(const struct server *server, int fd, const char *request,
		   size_t length, const struct reply *reply)
{
	char blanks[4096], byte;

	switch (reply->kind) {
	case REPLY_LOSE:
		break;
	case REPLY_SILENCE:
		receive(server, fd, &byte, 1);
		break;
	case REPLY_ENDLESS:
		memset(blanks, ' ', sizeof blanks);
		send_all(fd, reply->text, strlen(reply->text));
		while (send(fd, blanks, sizeof blanks, MSG_NOSIGNAL) > 0)
			;
		break;
	case REPLY_TEXT:
		send_all(fd, reply->text, strlen(reply->text));
		break;
	default:
		forward(server, fd, request, length, reply);
	}
}

static void *serve_client(void *context)
{
	struct connection connection = *(struct connection *)context;
	struct server *server = connection.server;
	char *text = malloc(REQUEST_ROOM);
	size_t length, number;

	free(context);
	length = read_request(server, connection.fd, text);
	if (length) {
		pthread_mutex_lock(&server->lock);
		number = server->requests++;
		assert(number < REQUESTS_MOST);
		server->texts[number] = strdup(text);
		pthread_mutex_unlock(&server->lock);
		if (number >= server->count)
			number = server->count - 1;
		answer(server, connection.fd, text, length,
		       &server->replies[number]);
	}
	free(text);
	shutdown(connection.fd, SHUT_RDWR);
	close(connection.fd);
	return NULL;
}

static void *serve(void *context)
{
	struct server *server = context;
	struct pollfd both[2] = { { server->listener, POLLIN, 0 },
				  { server->stop[0], POLLIN, 0 } };

	while (poll(both, 2, -1) >= 0 && !both[1].revents) {
		struct connection *connection = malloc(sizeof *connection);

		assert(server->clients < CLIENTS_MOST);
		connection->server = server;
		connection->fd = accept4(server->listener, NULL, NULL,
					 SOCK_CLOEXEC);
		pthread_create(&server->client[server->clients++], NULL,
			       serve_client, connection);
	}
	return NULL;
}

struct server *server_start(const struct reply *replies, size_t count,
			    const char *etcd)
{
	struct sockaddr_in name = { .sin_family = AF_INET };
	struct server *server = calloc(1, sizeof *server);
	socklen_t length = sizeof name;

	server->replies = replies;
	server->count = count;
	snprintf(server->etcd, sizeof server->etcd, "%s", etcd ? etcd : "");
	pthread_mutex_init(&server->lock, NULL);
	name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (server->listener < 0 ||
	    bind(server->listener, (struct sockaddr *)&name, length) < 0 ||
	    listen(server->listener, CLIENTS_MOST) < 0 ||
	    getsockname(server->listener, (struct sockaddr *)&name, &length) ||
	    pipe2(server->stop, 0) < 0) {
		perror("server");
		exit(2);
	}
	snprintf(server->address, sizeof server->address, "127.0.0.1:%u",
		 ntohs(name.sin_port));
	pthread_create(&server->thread, NULL, serve, server);
	return server;
}

void server_stop(struct server *server)
{
	close(server->stop[1]);
	pthread_join(server->thread, NULL);
	for (unsigned i = 0; i < server->clients; i++)
		pthread_join(server->client[i], NULL);
	close(server->listener);
	close(server->stop[0]);
	for (unsigned i = 0; i < server->requests; i++)
		free(server->texts[i]);
	pthread_mutex_destroy(&server->lock);
	free(server);
}

const char *server_address(const struct server *server)
{
	return server->address;
}

unsigned server_requests(struct server *server)
{
	unsigned requests;

	pthread_mutex_lock(&server->lock);
	requests = server->requests;
	pthread_mutex_unlock(&server->lock);
	return requests;
}

const char *server_request(struct server *server, unsigned number)
{
	const char *text;

	pthread_mutex_lock(&server->lock);
	assert(number < server->requests);
	text = server->texts[number];
	pthread_mutex_unlock(&server->lock);
	return text;
}
