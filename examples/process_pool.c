/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Five processes work, two at a time; one more is killed at it with kill -9.
 *
 * The object has a name, so that processes which know nothing of each other
 * could share it by calling atmost_open as well.  Children of the process that
 * opened it need not: the object passes to them, and each joins for itself.
 *
 * The one that is killed cannot leave.  The kernel tells the others that it is
 * dead, and what it held comes back to them.
 */
#define _DEFAULT_SOURCE

#include <atmost/atmost.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 5, AT_ONCE = 2, JOBS_EACH = 3 };

static struct atmost *pool;
static char name[32];
static atomic_int *inside; /* workers, counted in memory that all share */

static void check(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "process_pool: %s\n", atmost_detail());
	exit(1);
}

static void must(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "process_pool: not so: %s\n", what);
	atmost_unlink(name);
	exit(1);
}

static void work(int worker)
{
	const struct timespec a_while = { .tv_nsec = 5000000 };
	struct atmost_member *me;

	check(atmost_join(pool, &me));
	for (int job = 1; job <= JOBS_EACH; job++) {
		int with_me;

		check(atmost_enter(me, NULL));
		with_me = atomic_fetch_add(inside, 1) + 1;
		printf("worker %d: job %d, %d inside\n", worker, job, with_me);
		if (with_me > AT_ONCE)
			exit(1);
		nanosleep(&a_while, NULL); /* the work */
		atomic_fetch_sub(inside, 1);
		check(atmost_leave(me));
	}
	atmost_part(me);
}

/* Enters, says so, and stays. */
static void never_leave(int say)
{
	struct atmost_member *me;

	check(atmost_join(pool, &me));
	check(atmost_enter(me, NULL));
	if (write(say, "", 1) != 1)
		exit(1);
	sleep(60); /* that is, until it is killed */
}

static pid_t start(int worker, int say)
{
	pid_t pid = fork();

	must(pid >= 0, "there is room for another process");
	if (pid > 0)
		return pid;
	if (worker == 0)
		never_leave(say);
	else
		work(worker);
	exit(0);
}

int main(void)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = AT_ONCE,
		.members = WORKERS + 1,
	};
	struct atmost_totals totals;
	pid_t unlucky, workers[WORKERS];
	int told[2], status;
	char byte;

	setvbuf(stdout, NULL, _IOLBF, 0); /* or children print it again */
	snprintf(name, sizeof name, "process-pool-%ld", (long)getpid());
	inside = mmap(NULL, sizeof *inside, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (inside == MAP_FAILED)
		return 1;
	check(atmost_open(&pool, name, &shape));

	must(pipe(told) == 0, "a pipe");
	unlucky = start(0, told[1]);
	close(told[1]);
	must(read(told[0], &byte, 1) == 1, "the unlucky one is inside");
	for (int i = 0; i < WORKERS; i++)
		workers[i] = start(i + 1, -1);

	/* A signal that cannot be caught: nothing is cleaned up. */
	kill(unlucky, SIGKILL);
	waitpid(unlucky, &status, 0);
	must(WIFSIGNALED(status), "it was killed");
	printf("one was killed inside\n");

	for (int i = 0; i < WORKERS; i++) {
		waitpid(workers[i], &status, 0);
		must(WIFEXITED(status) && WEXITSTATUS(status) == 0,
		     "each worker did its jobs");
	}
	check(atmost_status(pool, NULL, 0, &totals));
	printf("%d jobs done; recovered %llu, inside %u\n", WORKERS * JOBS_EACH,
	       (unsigned long long)totals.recovered, totals.holders);
	must(totals.recovered == 1 && totals.lost == 0,
	     "the death was noticed and undone");
	must(totals.holders == 0 && totals.waiters == 0, "nobody is left");

	/* The name would outlive us. */
	atmost_close(pool);
	check(atmost_unlink(name));
	return 0;
}
