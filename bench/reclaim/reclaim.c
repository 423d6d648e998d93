/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reclaim [TRIALS]: how long it takes from kill -9 of a holder until one that
 * waits is inside; 101 trials of each unless told otherwise, taken in turns, so
 * that all see the same machine.  Prints every sample with --samples.
 */
#include "bench/reclaim/reclaim.h"
#include "bench/common/clock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEEPERS_MOST = 16, TRIALS_MOST = 100000 };

/* What holder and waiter tell the parent. */
struct news {
	atomic_bool held, waits;
	_Atomic int64_t inside; /* when */
};

static struct news *news;
static char folder[64];

static void end(const char *why)
{
	perror(why);
	rmdir(folder);
	exit(1);
}

static void hold(const struct keeper *keeper)
{
	if (!keeper->join(1) || !keeper->take())
		_exit(1);
	atomic_store(&news->held, true);
	for (;;)
		pause();
}

static void wait_for_it(const struct keeper *keeper)
{
	if (!keeper->join(2))
		_exit(1);
	atomic_store(&news->waits, true);
	if (!keeper->take())
		_exit(1);
	atomic_store(&news->inside, clock_now());
	_exit(keeper->leave() ? 0 : 1);
}

static pid_t start(const struct keeper *keeper,
		   void (*part)(const struct keeper *))
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		end("fork");
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent)
		part(keeper);
	_exit(1);
}

static bool sleeps(pid_t pid)
{
	char path[64], text[512], *state;
	ssize_t length;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'S';
}

/* A child that fails tells nothing. */
static void await(const atomic_bool *flag)
{
	enum { PATIENCE = 100000 };

	for (unsigned i = 0; !atomic_load(flag); i++) {
		if (i == PATIENCE)
			end("a child does not get on");
		usleep(100);
	}
}

/* Nanoseconds from before the kill to when the waiter was inside. */
static int64_t try_once(const struct keeper *keeper)
{
	pid_t holder, waiter;
	int64_t killed;
	int status;

	atomic_store(&news->held, false);
	atomic_store(&news->waits, false);
	atomic_store(&news->inside, 0);
	holder = start(keeper, hold);
	await(&news->held);
	waiter = start(keeper, wait_for_it);
	await(&news->waits);
	while (!sleeps(waiter))
		usleep(100);
	usleep(5000); /* asleep for good, and the machine calm again */
	killed = clock_now();
	kill(holder, SIGKILL);
	if (waitpid(waiter, &status, 0) < 0 || status != 0)
		end("the waiter");
	waitpid(holder, &status, 0);
	return atomic_load(&news->inside) - killed;
}

static int by_size(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* By nearest rank. */
static double quantile(const int64_t *sorted, unsigned count, unsigned percent)
{
	unsigned rank = (count * percent + 99) / 100;

	return (double)sorted[rank > 0 ? rank - 1 : 0] / 1000;
}

static void print(const struct keeper *keeper, const int64_t *sample,
		  unsigned count)
{
	printf("%s, ns:", keeper->name);
	for (unsigned i = 0; i < count; i++)
		printf(" %jd", (intmax_t)sample[i]);
	printf("\n");
}

static void report(const struct keeper *keeper, int64_t *sample, unsigned count)
{
	qsort(sample, count, sizeof *sample, by_size);
	printf("%-16s %6u %10.1f %10.1f %10.1f %10.1f\n", keeper->name, count,
	       quantile(sample, count, 1), quantile(sample, count, 50),
	       quantile(sample, count, 90), quantile(sample, count, 100));
}

static void prepare(void)
{
	const char *memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm"
							   : "/tmp";

	snprintf(folder, sizeof folder, "%s/atmost-reclaim-XXXXXX", memory);
	if (!mkdtemp(folder) || setenv("ATMOST_DIR", folder, 1) < 0)
		end(folder);
	news = mmap(NULL, sizeof *news, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (news == MAP_FAILED)
		end("mmap");
}

/* One of each, and again; each made anew, so that none has a past. */
static void measure(int64_t *sample[], unsigned trials)
{
	for (unsigned t = 0; t < trials; t++)
		for (unsigned i = 0; i < reclaim_keeper_count; i++) {
			const struct keeper *keeper = &reclaim_keepers[i];

			if (!keeper->make(keeper))
				end(keeper->name);
			sample[i][t] = try_once(keeper);
			keeper->remove();
		}
}

int main(int argc, char **argv)
{
	const bool samples = argc > 1 &&
			     strcmp(argv[argc - 1], "--samples") == 0;
	const long wanted = argc > 1 + samples ? atol(argv[1]) : 101;
	const unsigned trials = wanted < 1 || wanted > TRIALS_MOST
					? 101
					: (unsigned)wanted;
	int64_t *sample[KEEPERS_MOST];

	prepare();
	for (unsigned i = 0; i < reclaim_keeper_count; i++) {
		sample[i] = calloc(trials, sizeof *sample[i]);
		if (!sample[i])
			end("calloc");
	}
	measure(sample, trials);
	rmdir(folder);
	for (unsigned i = 0; samples && i < reclaim_keeper_count; i++)
		print(&reclaim_keepers[i], sample[i], trials);
	printf("From kill -9 of the holder until the waiter is inside, us\n\n"
	       "%-16s %6s %10s %10s %10s %10s\n",
	       "", "trials", "least", "median", "p90", "most");
	for (unsigned i = 0; i < reclaim_keeper_count; i++) {
		report(&reclaim_keepers[i], sample[i], trials);
		free(sample[i]);
	}
	return 0;
}
