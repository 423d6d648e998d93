/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * count_signals FILE [setsid] [group NAME...]: for every signal that the
 * program gets, it appends one line to FILE: the signal's name and, if sigqueue
 * sent the signal, its value.  The first line is "ready".
 *
 * setsid: leaves its session and its process group first.
 * group NAME...: after "ready" sends these signals to its own process group,
 * 110 ms apart, and then appends "sent".
 *
 * Signals that stop a process are not blocked; SIGKILL ends the program.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static struct {
	const char *name;
	int number;
} signals[] = {
	{ "TERM", SIGTERM }, { "INT", SIGINT },     { "HUP", SIGHUP },
	{ "QUIT", SIGQUIT }, { "USR1", SIGUSR1 },   { "USR2", SIGUSR2 },
	{ "ALRM", SIGALRM }, { "WINCH", SIGWINCH }, { "CONT", SIGCONT },
	{ "PIPE", SIGPIPE }, { "RTMIN", 0 },        { "RTMAX", 0 },
};

enum { COUNT = sizeof signals / sizeof *signals };

static FILE *file;

/*
 * A line is one write, so that lines do not mix and no reader sees half a line.
 */
static void note(const char *line)
{
	fprintf(file, "%s\n", line);
	fflush(file);
}

static const char *name_of(int number, char *buffer, size_t size)
{
	for (size_t i = 0; i < COUNT; i++)
		if (signals[i].number == number)
			return signals[i].name;
	snprintf(buffer, size, "%d", number);
	return buffer;
}

static int number_of(const char *name)
{
	for (size_t i = 0; i < COUNT; i++)
		if (strcmp(signals[i].name, name) == 0)
			return signals[i].number;
	fprintf(stderr, "count_signals: no signal %s\n", name);
	exit(2);
}

/*
 * Returns when no signal has arrived for the time `silence`; if `silence` is
 * NULL, never returns.
 */
static void count(const sigset_t *set, const struct timespec *silence)
{
	char number[16], line[48];
	siginfo_t info;

	for (;;) {
		if ((silence ? sigtimedwait(set, &info, silence)
			     : sigwaitinfo(set, &info)) < 0) {
			if (silence)
				return;
			continue;
		}
		if (info.si_signo == SIGCHLD)
			continue;
		snprintf(line, sizeof line, "%s",
			 name_of(info.si_signo, number, sizeof number));
		if (info.si_code == SI_QUEUE)
			snprintf(line + strlen(line),
				 sizeof line - strlen(line), " %d",
				 info.si_value.sival_int);
		note(line);
	}
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = 110000000 };
	sigset_t set;
	int next = 2;

	signals[COUNT - 2].number = SIGRTMIN;
	signals[COUNT - 1].number = SIGRTMAX;
	file = argc > 1 ? fopen(argv[1], "a") : NULL;
	if (!file)
		return 2;
	sigfillset(&set);
	sigdelset(&set, SIGTSTP);
	sigdelset(&set, SIGTTIN);
	sigdelset(&set, SIGTTOU);
	sigprocmask(SIG_SETMASK, &set, NULL);
	if (next < argc && strcmp(argv[next], "setsid") == 0) {
		if (setsid() < 0)
			return 2;
		next++;
	}
	note("ready");
	if (next < argc && strcmp(argv[next], "group") == 0) {
		while (++next < argc) {
			kill(0, number_of(argv[next]));
			count(&set, &pause);
		}
		note("sent");
	}
	count(&set, NULL);
}
