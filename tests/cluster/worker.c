/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * worker [--deaf] [--child] [--for MILLISECONDS] LOG NAME: the command that the
 * tests run inside a pool of several machines.  It writes to LOG, a line at a
 * time, what tests/cluster/check-passages reads:
 *
 *   enter SLOT TOKEN PID NAME    as its first deed
 *   clash SLOT TOKEN PID NAME    the holder before it, or a child of that
 *                                holder, still lived
 *   beat  SLOT TOKEN PID NAME    every 5 ms while it lives
 *   leave SLOT TOKEN PID NAME    as its last deed, unless it is killed
 *
 * A line is one write to a file opened with O_APPEND.  So the order of the lines
 * is an order in which the workers acted, and no clock is compared.
 *
 * A worker locks the file LOG.SLOT as long as it or its child lives: the kernel
 * unlocks the file when the last of them has died.
 *
 * The worker leaves when the file LOG.NAME.leave exists, or after --for.
 * --deaf: it ignores SIGTERM.  --child: a child beats as well.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BEAT = 5, LINE_ROOM = 256, PATH_ROOM = 512 };

static const char *log_path, *name, *slot, *token;
static int log_fd;

static const char *variable(const char *key)
{
	const char *value = getenv(key);

	if (!value) {
		fprintf(stderr, "worker: %s is not set\n", key);
		exit(3);
	}
	return value;
}

static void note(const char *what)
{
	char line[LINE_ROOM];
	const int length = snprintf(line, sizeof line, "%s %s %s %d %s\n", what,
				    slot, token, (int)getpid(), name);

	if (write(log_fd, line, (size_t)length) != length) {
		perror(log_path);
		exit(3);
	}
}

/* The descriptor stays open, also in a child, until the process dies. */
static void lock_slot(void)
{
	char path[PATH_ROOM];
	int fd;

	snprintf(path, sizeof path, "%s.%s", log_path, slot);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0) {
		perror(path);
		exit(3);
	}
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		note("clash");
}

static void beat(long milliseconds)
{
	const struct timespec pause = { 0, BEAT * 1000000L };
	char path[PATH_ROOM];

	snprintf(path, sizeof path, "%s.%s.leave", log_path, name);
	for (long past = 0; milliseconds < 0 || past < milliseconds;
	     past += BEAT) {
		nanosleep(&pause, NULL);
		note("beat");
		if (milliseconds < 0 && access(path, F_OK) == 0)
			return;
	}
}

int main(int argc, char **argv)
{
	long milliseconds = -1;
	bool child = false;
	pid_t pid = 0;
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--deaf") == 0)
			signal(SIGTERM, SIG_IGN);
		else if (strcmp(argv[i], "--child") == 0)
			child = true;
		else if (strcmp(argv[i], "--for") == 0 && i + 1 < argc)
			milliseconds = strtol(argv[++i], NULL, 10);
	}
	if (argc - i != 2) {
		fputs("usage: worker [--deaf] [--child] [--for MILLISECONDS] "
		      "LOG NAME\n",
		      stderr);
		return 3;
	}
	log_path = argv[i];
	name = argv[i + 1];
	slot = variable("ATMOST_SLOT");
	token = variable("ATMOST_TOKEN");
	log_fd = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
		      0600);
	if (log_fd < 0) {
		perror(log_path);
		return 3;
	}
	note("enter");
	lock_slot();
	pid = child ? fork() : 0;
	if (child && pid == 0)
		beat(60 * 60 * 1000L);
	beat(milliseconds);
	if (child) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	note("leave");
	return 0;
}
