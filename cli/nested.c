/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/nested.h"

#include "cli/pool_view.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the parent of a process, the fourth field of /proc/PID/stat; 0:
 * unknown. */
static pid_t parent_of(pid_t pid)
{
	char path[48], text[512];
	const char *at;
	ssize_t length;
	int fd;

	snprintf(path, sizeof path, "/proc/%jd/stat", (intmax_t)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	length = read(fd, text, sizeof text - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	at = strrchr(text, ')');
	return at && strlen(at) > 4 ? (pid_t)strtol(at + 4, NULL, 10) : 0;
}

static bool is_inside(const struct pool_view *view, pid_t pid)
{
	for (unsigned i = 0; i < view->count; i++)
		if (view->seats[i].slot >= 0 && view->seats[i].pid == pid)
			return true;
	return false;
}

pid_t nested_holder(struct atmost *pool)
{
	struct pool_view view;
	pid_t found = 0, pid = getpid();

	if (pool_view_read(pool, &view) < 0)
		return 0;
	/* This process itself may hold a slot: a command that holds a slot may
	 * execute atmost. */
	while (view.totals.holders && pid > 0 && !found) {
		if (is_inside(&view, pid))
			found = pid;
		pid = pid == getpid() ? getppid() : parent_of(pid);
	}
	pool_view_free(&view);
	return found;
}
