/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * phases ATMOST: `atmost run --at` ends by -t and by a signal, whichever of its
 * requests is not answered.  A server between atmost and etcd passes the first
 * requests on and then answers nothing.
 */
#include "common/watchdog.h"
#include "memory/etcd/text.h"
#include "node.h"
#include "server.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* The requests of a run in a new pool, until it is inside: a look, the creation
 * of the pool, another look, the grant of a lease, and the arrival. */
enum { REQUESTS = 5, NOT_REACHED = 68, NO_SLOT = 75 };

static const char *atmost, *node;
static unsigned pools;

/* Passes `answered` requests on.  One server runs at a time. */
static struct server *start_server(unsigned answered)
{
	static struct reply replies[REQUESTS + 1];

	for (unsigned i = 0; i < answered; i++)
		replies[i].kind = REPLY_FORWARD;
	replies[answered].kind = REPLY_SILENCE;
	return server_start(replies, answered + 1, node);
}

/* Starts atmost in a new pool; `time` is the argument of -t, or NULL. */
static pid_t start_run(struct server *server, const char *time)
{
	char at[64], pool[32];
	pid_t pid;

	snprintf(at, sizeof at, "etcd://%s", server_address(server));
	snprintf(pool, sizeof pool, "phase-%u", ++pools);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		execl(atmost, "atmost", "run", "--at", at, "--lease", "5", "-t",
		      time ? time : "1h", pool, "--", "sh", "-c", "exit 99",
		      (char *)NULL);
		_exit(100);
	}
	return pid;
}

/* Waits until etcd has nothing of the present pool but the pool itself. */
static void await_empty(void)
{
	struct text body = { 0 };
	char from[32], to[32];
	const char *answer;

	snprintf(from, sizeof from, "atmost/phase-%u/", pools);
	snprintf(to, sizeof to, "atmost/phase-%u0", pools);
	text_print(&body, "{\"count_only\":true,\"key\":\"");
	text_add_base64(&body, from, strlen(from));
	text_print(&body, "\",\"range_end\":\"");
	text_add_base64(&body, to, strlen(to));
	text_print(&body, "\"}");
	while ((answer = node_post("/v3/kv/range", body.bytes)) &&
	       strstr(answer, "\"count\"") &&
	       !strstr(answer, "\"count\":\"1\""))
		usleep(20000);
	text_free(&body);
	watchdog_restart();
}

/* Returns the exit status of a run with this -t.  *came: it had sent the request
 * that is not answered. */
static int run_for(unsigned answered, double seconds, bool *came)
{
	struct server *server = start_server(answered);
	char time[32];
	int status;
	pid_t pid;

	snprintf(time, sizeof time, "%.1f", seconds);
	pid = start_run(server, time);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	*came = server_requests(server) > answered;
	server_stop(server);
	await_empty();
	return WEXITSTATUS(status);
}

static void a_deadline_ends_the_wait_for_any_answer(void **state)
{
	(void)state;
	for (unsigned answered = 0; answered < REQUESTS; answered++) {
		bool came = false;
		int code = 0;

		/* On a slow machine the time may be over before the run has
		 * sent this request. */
		for (double seconds = 0.5; !came; seconds *= 2)
			code = run_for(answered, seconds, &came);
		assert_int_equal(code, answered ? NO_SLOT : NOT_REACHED);
	}
}

static void a_signal_ends_the_wait_for_any_answer(void **state)
{
	(void)state;
	for (unsigned answered = 0; answered < REQUESTS; answered++) {
		struct server *server = start_server(answered);
		const pid_t pid = start_run(server, NULL);
		int status;

		while (server_requests(server) <= answered)
			usleep(1000);
		kill(pid, SIGTERM);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGTERM);
		server_stop(server);
		await_empty();
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deadline_ends_the_wait_for_any_answer),
		cmocka_unit_test(a_signal_ends_the_wait_for_any_answer),
	};
	int failed;

	if (argc != 2) {
		fputs("usage: phases ATMOST\n", stderr);
		return 2;
	}
	atmost = argv[1];
	watchdog_start("FAILED: a run without an answer hangs\n");
	node = node_start(NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	node_stop();
	return failed;
}
