/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE

#include "runtime/pid.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fields of a stat file are counted from 1.  The second is a name in
 * parentheses, which may have anything in it, but ends with the last one. */
static const char *field(const char *text, unsigned number)
{
	const char *at = strrchr(text, ')');

	for (unsigned i = 2; at && i < number; i++)
		at = strchr(at + 1, ' ');
	return at ? at + 1 : "";
}

bool pid_look(const char *path, struct pid_look *look)
{
	char text[1024];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;
	char state;

	if (fd < 0)
		return false;
	length = read(fd, text, sizeof text - 1);
	close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	state = *field(text, 3);
	/* A process whose first thread has ended goes on with the others. */
	look->ended = state == 'X' ||
		      (state == 'Z' && strtol(field(text, 20), NULL, 10) <= 1);
	look->start = strtoull(field(text, 22), NULL, 10);
	return true;
}

/* /proc may be that of another pid namespace, where our numbers are others'. */
static bool proc_is_ours(void)
{
	char text[32];
	ssize_t length = readlink("/proc/self", text, sizeof text - 1);

	if (length <= 0)
		return false;
	text[length] = '\0';
	return strtol(text, NULL, 10) == getpid();
}

static bool look_at(pid_t pid, struct pid_look *look)
{
	char path[48];

	snprintf(path, sizeof path, "/proc/%jd/stat", (intmax_t)pid);
	return proc_is_ours() && pid_look(path, look);
}

uint64_t pid_start(pid_t pid)
{
	struct pid_look look;

	return look_at(pid, &look) ? look.start : 0;
}

bool pid_is_gone(pid_t pid, uint64_t start)
{
	struct pid_look look;

	/* EPERM: there, but another user's by now. */
	if (pid <= 0 || (kill(pid, 0) < 0 && errno == ESRCH))
		return true;
	return look_at(pid, &look) &&
	       (look.ended || (start && look.start != start));
}
