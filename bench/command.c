/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command ROUNDS COMMAND...: measures how long each command takes.  Each round
 * runs all commands in turn, so that other load on the machine affects all of
 * them.  A command is one argument, its words separated by blanks.  Every
 * command must succeed.
 *
 * For each command, prints the elapsed time in milliseconds (least, first
 * decile, median), the CPU time in microseconds (mean), and the ratios of the
 * median and of the CPU time to those of the first command.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 32, MOST_COMMANDS = 16 };

struct contender {
	const char *text;
	char *words[MOST_WORDS + 1];
	double *milliseconds;
	double processor; /* CPU time of all rounds, microseconds */
};

static void split(struct contender *c, const char *text)
{
	char *copy = strdup(text), *rest, *word;
	size_t count = 0;

	c->text = text;
	for (word = strtok_r(copy, " ", &rest); word && count < MOST_WORDS;
	     word = strtok_r(NULL, " ", &rest))
		c->words[count++] = word;
}

static double microseconds(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

static void measure(struct contender *c, unsigned round)
{
	struct timespec before, after;
	struct rusage used;
	int status;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &before);
	if (posix_spawnp(&pid, c->words[0], NULL, NULL, c->words, environ) ||
	    wait4(pid, &status, 0, &used) != pid || status != 0) {
		fprintf(stderr, "command: '%s' failed\n", c->text);
		exit(1);
	}
	clock_gettime(CLOCK_MONOTONIC, &after);
	c->milliseconds[round] = (double)(after.tv_sec - before.tv_sec) * 1e3 +
				 (double)(after.tv_nsec - before.tv_nsec) / 1e6;
	c->processor += microseconds(used.ru_utime) +
			microseconds(used.ru_stime);
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	struct contender all[MOST_COMMANDS] = { 0 };
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	unsigned count = argc > 2 ? (unsigned)argc - 2 : 0;

	if (!rounds || !count || count > MOST_COMMANDS) {
		fprintf(stderr, "usage: command ROUNDS COMMAND...\n");
		return 2;
	}
	for (unsigned i = 0; i < count; i++) {
		split(&all[i], argv[i + 2]);
		all[i].milliseconds = calloc(rounds, sizeof(double));
	}
	for (unsigned round = 0; round < rounds; round++)
		for (unsigned i = 0; i < count; i++)
			measure(&all[i], round);
	printf("%8s %8s %8s %8s  %6s %6s  command\n", "least ms", "decile",
	       "median", "cpu us", "median", "cpu");
	for (unsigned i = 0; i < count; i++) {
		double *ms = all[i].milliseconds;

		qsort(ms, rounds, sizeof *ms, ascending);
		printf("%8.2f %8.2f %8.2f %8.0f  %5.2fx %5.2fx  %s\n", ms[0],
		       ms[rounds / 10], ms[rounds / 2],
		       all[i].processor / rounds,
		       ms[rounds / 2] / all[0].milliseconds[rounds / 2],
		       all[i].processor / all[0].processor, all[i].text);
	}
	return 0;
}
