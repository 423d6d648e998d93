/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kills [KILLS]: worker processes apply operations to an object of each type.
 * The parent kills them with SIGKILL at random moments, asks for the outcome of
 * each killed worker's operation by its tag, and starts other workers.
 * Afterwards the balance must be even and the history linearizable.  Before the
 * kills the parent stops k-1 workers, and all other workers must go on.
 */
#include "balance.h"
#include "common/folder.h"
#include "common/prng.h"
#include "common/watchdog.h"
#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 6, PARENT = WRITERS - 1, KILLS_PER_ROUND = 40 };

struct run {
	struct target target;
	pid_t pid[WORKERS];
	uint64_t seed, random;
	unsigned long kills;
	/* Workers that were killed: */
	unsigned long idle;      /* between two operations */
	unsigned long not_begun; /* before the object knew the operation */
	unsigned long happened;  /* in an operation that happened, perhaps
				    because others finished it */
	unsigned long never;     /* in an operation that never happened */
	/* Answers that the outcome was not yet known. */
	unsigned long busy;
	unsigned long operations, stops;
};

static const char name[] = "object";

__attribute__((noreturn)) static void fail(struct run *s, const char *what,
					   const char *why)
{
	printf("FAILED: %s: %s\n  %s, k=%u, after %lu kills; ATMOST_SEED=%ju\n",
	       what, why, models[s->target.which].name, s->target.k, s->kills,
	       (uintmax_t)s->seed);
	printf("  the object is left in %s\n", getenv("ATMOST_DIR"));
	for (unsigned i = 0; i < WORKERS; i++)
		if (s->pid[i] > 0)
			kill(s->pid[i], SIGKILL);
	exit(1);
}

static void start(struct run *s, unsigned worker)
{
	uint64_t random = prng_next(&s->random);
	pid_t parent = getpid(), pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		fail(s, "fork", strerror(errno));
	if (pid > 0) {
		s->pid[worker] = pid;
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(0);
	if (getppid() != parent)
		_exit(1);
	worker_run(&s->target, name, worker, random);
}

static void reap(struct run *s, unsigned worker, bool killed)
{
	int status;

	if (waitpid(s->pid[worker], &status, 0) != s->pid[worker])
		fail(s, "waitpid", strerror(errno));
	s->pid[worker] = 0;
	if (killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
		   : WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	fail(s, "a worker", "did not end as expected");
}

/* Checks that the library knows the outcome of a killed worker's operation and
 * reports it once. */
static void settle(struct run *s, unsigned worker)
{
	struct entry *e = journal_unfinished(s->target.journal, worker);
	uint64_t result[ATMOST_OBJECT_WORDS] = { 0 };
	bool happened;
	int error;

	if (!e) {
		s->idle++;
		return;
	}
	/* It may take a while until the recoverer gets a cpu. */
	while ((error = atmost_object_outcome(s->target.object, e->tag,
					      &happened, result)) ==
	       ATMOST_EBUSY)
		s->busy++;
	if (error && error != ATMOST_ENOTFOUND)
		fail(s, "the outcome", atmost_detail());
	if (error) {
		s->not_begun++;
		e->never = true;
		return;
	}
	if (happened)
		journal_respond(s->target.journal, e, result);
	else
		e->never = true;
	*(happened ? &s->happened : &s->never) += 1;
	if (atmost_object_outcome(s->target.object, e->tag, &happened,
				  result) != ATMOST_EASKED)
		fail(s, "the outcome", "was reported twice");
}

/* Kills a worker, sometimes several at the same time, so that a recoverer may
 * be among them, and starts others. */
static void kill_some(struct run *s)
{
	unsigned victims = 1U << prng_below(&s->random, WORKERS);

	if (prng_below(&s->random, 4) == 0)
		victims |= (unsigned)prng_next(&s->random) % (1U << WORKERS);
	for (unsigned i = 0; i < WORKERS; i++)
		if (victims >> i & 1)
			kill(s->pid[i], SIGKILL);
	for (unsigned i = 0; i < WORKERS; i++)
		if (victims >> i & 1) {
			reap(s, i, true);
			s->kills++;
		}
	/* In half of the cases, the other workers have time to recover the dead
	 * before the parent asks. */
	if (prng_below(&s->random, 2))
		usleep(prng_below(&s->random, 1000));
	for (unsigned i = 0; i < WORKERS; i++)
		if (victims >> i & 1) {
			settle(s, i);
			start(s, i);
		}
}

/* Waits until every worker has invoked two more operations or has a full log.
 * Ignores the workers whose bits are set in `except`. */
static void await_progress(struct run *s, unsigned except)
{
	const struct journal *journal = s->target.journal;
	size_t before[WORKERS];

	for (unsigned i = 0; i < WORKERS; i++)
		before[i] = journal->log[i].count;
	for (unsigned i = 0; i < WORKERS; i++)
		while (!(except >> i & 1) && before[i] < ENTRIES &&
		       journal->log[i].count < before[i] + 2)
			usleep(100);
}

/* Stops some workers.  The other workers go on, and do not take stopped workers
 * for dead. */
static void stop_some(struct run *s)
{
	unsigned stopped = 0, count = 0;

	while (count < s->target.k - 1) {
		unsigned i = prng_below(&s->random, WORKERS);

		if (stopped >> i & 1)
			continue;
		stopped |= 1U << i;
		count++;
		usleep(prng_below(&s->random, 300));
		kill(s->pid[i], SIGSTOP);
	}
	await_progress(s, stopped);
	s->stops += count;
	for (unsigned i = 0; i < WORKERS; i++)
		if (stopped >> i & 1)
			kill(s->pid[i], SIGCONT);
}

static void ask(struct run *s, struct worker *me, uint64_t operation,
		uint64_t key, uint64_t *result)
{
	const uint64_t request[1 + MODEL_WORDS] = { operation, key };

	if (worker_apply(me, UNTAGGED, request, result) != 1)
		fail(s, "the parent applies", atmost_detail());
}

/* Takes the remaining values out of the object, for the balance. */
static void empty(struct run *s)
{
	struct worker me = { .target = &s->target, .writer = PARENT };
	uint64_t result[ATMOST_OBJECT_WORDS] = { 0 };

	if (atmost_object_join(s->target.object, &me.member) < 0)
		fail(s, "the parent joins", atmost_detail());
	switch (s->target.which) {
	case COUNTER:
		ask(s, &me, ATMOST_COUNTER_READ, 0, result);
		break;
	case REGISTER:
		ask(s, &me, ATMOST_REGISTER_READ, 0, result);
		break;
	case MAP:
		for (uint64_t key = 0; key < CAPACITY + 2; key++)
			ask(s, &me, ATMOST_MAP_REMOVE, key, result);
		ask(s, &me, ATMOST_MAP_COUNT, 0, result);
		if (result[1] != 0)
			fail(s, "the map", "has keys that no worker put there");
		break;
	default:
		do
			ask(s, &me, ATMOST_QUEUE_TAKE, 0, result);
		while (result[0]);
	}
	atmost_object_part(me.member);
}

static void check(struct run *s)
{
	const struct target *target = &s->target;
	const char *wrong = balance_check(target->journal, target->which);
	struct atmost_totals totals;

	if (wrong)
		fail(s, "the balance", wrong);
	if (journal_check(target->journal, &models[target->which], CAPACITY) !=
	    LINEARIZABLE)
		fail(s, "the history", "is not linearizable");
	if (atmost_object_status(target->object, NULL, 0, &totals) < 0)
		fail(s, "status", atmost_detail());
	if (totals.holders || totals.waiters || totals.lost)
		fail(s, "status", "a member is left");
}

static void kill_workers(struct run *s, unsigned long kills)
{
	const unsigned long until = s->kills + kills;
	const useconds_t pause = 50U << prng_below(&s->random, 7);

	for (unsigned i = 0; i < WORKERS; i++)
		start(s, i);
	await_progress(s, 0);
	for (unsigned i = 0; i < 5 && s->target.k > 1; i++)
		stop_some(s);
	while (s->kills < until) {
		usleep(prng_below(&s->random, pause));
		kill_some(s);
	}
	atomic_store(&s->target.journal->stop, true);
	for (unsigned i = 0; i < WORKERS; i++)
		reap(s, i, false);
}

static void run_round(struct run *s, unsigned long kills)
{
	const unsigned long before = s->kills;
	size_t count;

	watchdog_start("FAILED: a worker is stuck\n");
	journal_clear(s->target.journal);
	s->target.members = WORKERS + 1;
	if (!target_open(&s->target, name))
		fail(s, "atmost_object_open", atmost_detail());
	kill_workers(s, kills);
	empty(s);
	check(s);
	count = journal_count(s->target.journal);
	s->operations += count;
	printf("%6lu kills  %-8s k=%u  %4lu now  %6zu operations\n", s->kills,
	       models[s->target.which].name, s->target.k, s->kills - before,
	       count);
	atmost_object_close(s->target.object);
	if (atmost_unlink(name) < 0)
		fail(s, "atmost_unlink", atmost_detail());
}

static void begin(struct run *s)
{
	folder_create(NULL);
	s->target.journal = journal_open();
	setvbuf(stdout, NULL, _IOLBF, 0);
	s->seed = s->random = prng_seed();
}

int main(int argc, char **argv)
{
	unsigned long kills = argc > 1 ? strtoul(argv[1], NULL, 10) : 600;
	struct run s = { .kills = 0 };

	if (kills == 0) {
		fprintf(stderr, "usage: %s [KILLS], at least one\n", argv[0]);
		return 2;
	}
	begin(&s);
	for (unsigned round = 0; s.kills < kills; round++) {
		s.target.which = round % MODELS;
		s.target.k = 1U << round / MODELS % 3;
		run_round(&s, KILLS_PER_ROUND);
	}
	printf("%lu operations; killed between two operations %lu, before an "
	       "operation began %lu,\nin one that happened %lu, in one that "
	       "never happened %lu; %lu stopped, %lu outcomes asked too "
	       "early\n",
	       s.operations, s.idle, s.not_begun, s.happened, s.never, s.stops,
	       s.busy);
	printf("ok: %lu kills: each operation happened once or never, as its "
	       "outcome said, and all are linearizable\n",
	       s.kills);
	folder_delete();
	return 0;
}
