/* SPDX-License-Identifier: BSD-2-Clause */
#include "watchdog.h"

#include "clock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *message;

/* The handler kills no workers: those that set PR_SET_PDEATHSIG die with this
 * process. */
static void report_hang(int signal)
{
	(void)signal;
	(void)!write(STDOUT_FILENO, message, strlen(message));
	_exit(1);
}

void watchdog_start(const char *text)
{
	message = text;
	signal(SIGALRM, report_hang);
	watchdog_restart();
}

void watchdog_restart(void)
{
	if (message)
		alarm(WATCHDOG_SECONDS +
		      (unsigned)(100 * clock_stress_seconds(0)));
}

void watchdog_stop(void)
{
	message = NULL;
	alarm(0);
}

static bool is_asleep(const char *path)
{
	char text[256], *end;
	ssize_t length;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	/* The name of the command is in parentheses, and may contain
	 * parentheses. */
	end = strrchr(text, ')');
	return end && end[1] == ' ' && end[2] == 'S';
}

bool process_sleeps(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	return is_asleep(path);
}

bool thread_sleeps(pid_t thread)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
	return is_asleep(path);
}
