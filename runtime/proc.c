/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/proc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool proc_is_ours(void)
{
	char text[32];
	ssize_t length = readlink("/proc/self", text, sizeof text - 1);

	if (length <= 0)
		return false;
	text[length] = '\0';
	return strtol(text, NULL, 10) == getpid();
}

/* The fields of a stat file are numbered from 1.  The second field is a name in
 * parentheses, which may contain any character, even parentheses. */
static const char *field(const char *text, unsigned number)
{
	const char *at = strrchr(text, ')');

	for (unsigned i = 2; at && i < number; i++)
		at = strchr(at + 1, ' ');
	return at ? at + 1 : "";
}

static bool read_stat(const char *path, struct proc_stat *stat)
{
	enum { EXITING = 4 }; /* PF_EXITING of the kernel */
	char text[512];
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
	/* If only the first thread of a process has ended, the process is shown
	 * as a zombie, but its other threads run on. */
	stat->zombie = state == 'X' || state == 'Z';
	stat->ended = stat->zombie && strtol(field(text, 20), NULL, 10) <= 1;
	stat->exiting = strtoul(field(text, 9), NULL, 10) & EXITING;
	stat->start = strtoull(field(text, 22), NULL, 10);
	return stat->start != 0;
}

bool proc_stat_of(pid_t pid, struct proc_stat *stat)
{
	char path[48];

	snprintf(path, sizeof path, "/proc/%jd/stat", (intmax_t)pid);
	return proc_is_ours() && read_stat(path, stat);
}

bool proc_stat_of_thread(pid_t pid, pid_t thread, struct proc_stat *stat)
{
	char path[80];

	snprintf(path, sizeof path, "/proc/%jd/task/%jd/stat", (intmax_t)pid,
		 (intmax_t)thread);
	return proc_is_ours() && read_stat(path, stat);
}
