/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Five processes work, at most two at a time.  A sixth process is killed
 * (SIGKILL) while it is inside, and the other five go on.
 *
 * The pool has a name, so unrelated processes can share it: each calls
 * atmost_open.  Children of a process that opened the pool inherit it, and each
 * child joins it (work()).  The killed process cannot leave; the waiters notice
 * its death and free its slot.  At the end main() checks that the pool counts
 * one recovered member.
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
static atomic_int *inside; /* workers inside; all processes share it */

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
	fprintf(stderr, "process_pool: this failed: %s\n", what);
	atmost_unlink(name);
	exit(1);
}

static void work(int worker)
{
	const struct timespec five_ms = { .tv_nsec = 5000000 };
	struct atmost_member *me;

	check(atmost_join(pool, &me));
	for (int job = 1; job <= JOBS_EACH; job++) {
		int with_me;

		check(atmost_enter(me, NULL));
		with_me = atomic_fetch_add(inside, 1) + 1;
		printf("worker %d: job %d, %d inside\n", worker, job, with_me);
		if (with_me > AT_ONCE)
			exit(1);
		nanosleep(&five_ms, NULL); /* the work */
		atomic_fetch_sub(inside, 1);
		check(atmost_leave(me));
	}
	atmost_part(me);
}

/* Enters, writes a byte to `ready`, and stays inside. */
static void never_leave(int ready)
{
	struct atmost_member *me;

	check(atmost_join(pool, &me));
	check(atmost_enter(me, NULL));
	if (write(ready, "", 1) != 1)
		exit(1);
	sleep(60); /* until it is killed */
}

static pid_t start(int worker, int ready)
{
	pid_t pid = fork();

	must(pid >= 0, "starting a process");
	if (pid > 0)
		return pid;
	if (worker == 0)
		never_leave(ready);
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
	pid_t victim, workers[WORKERS];
	int ready[2], status;
	char byte;

	/* With full buffering, a child of fork would print the contents of the
	 * parent's buffer a second time. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	snprintf(name, sizeof name, "process-pool-%ld", (long)getpid());
	inside = mmap(NULL, sizeof *inside, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (inside == MAP_FAILED)
		return 1;
	check(atmost_open(&pool, name, &shape));

	must(pipe(ready) == 0, "making a pipe");
	victim = start(0, ready[1]);
	close(ready[1]);
	must(read(ready[0], &byte, 1) == 1, "the victim enters");
	for (int i = 0; i < WORKERS; i++)
		workers[i] = start(i + 1, -1);

	/* SIGKILL cannot be caught: the victim cleans nothing up. */
	kill(victim, SIGKILL);
	waitpid(victim, &status, 0);
	must(WIFSIGNALED(status), "the victim is killed");
	printf("a process was killed inside\n");

	for (int i = 0; i < WORKERS; i++) {
		waitpid(workers[i], &status, 0);
		must(WIFEXITED(status) && WEXITSTATUS(status) == 0,
		     "each worker does its jobs");
	}
	check(atmost_status(pool, NULL, 0, &totals));
	printf("%d jobs done; recovered %llu, inside %u\n", WORKERS * JOBS_EACH,
	       (unsigned long long)totals.recovered, totals.holders);
	must(totals.recovered == 1 && totals.lost == 0,
	     "the dead member is recovered");
	must(totals.holders == 0 && totals.waiters == 0, "the pool is empty");

	/* Without atmost_unlink the pool would outlive its processes. */
	atmost_close(pool);
	check(atmost_unlink(name));
	return 0;
}
