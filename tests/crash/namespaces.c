/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * namespaces [KILLS [SECONDS]]: workers share a pool, and most of them are
 * process 1 of a pid namespace of their own, so that their thread ids are
 * equal.  They join, enter, leave and part at random; the killer ends them with
 * SIGKILL at random moments and starts others.
 */
#include "facts.h"
#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	WORKERS = 12,
	OUTER = 3, /* workers 0 to 2 live in our own namespace */
	MOST_SLOTS = 3,
	KILLS_PER_POOL = 500,
	SILENCE = 10, /* seconds without a passage */
};

struct storm {
	struct oracle *oracle;
	struct atmost *pool;
	unsigned k;
	pid_t pid[WORKERS];
	uint32_t serial; /* the last one given */
	uint64_t seed, random;
	unsigned long kills, moved;
	double moved_at;
	int home; /* our own pid namespace */
};

static uint64_t draw(uint64_t *random)
{
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* A worker. */

static void object_to(const struct actor *actor, const char *call, int error)
{
	oracle_object(actor->oracle, "worker %u: %s gives %s", actor->chair,
		      call, atmost_strerror(error));
}

static int enter(const struct actor *actor, struct atmost_member *member,
		 uint64_t how)
{
	struct timespec deadline;
	struct atmost_want want = { .flags = how % 3 == 0 ? ATMOST_TRY : 0 };
	int slot;

	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_nsec += (long)(how >> 8) % 20000000;
	if (deadline.tv_nsec >= 1000000000) {
		deadline.tv_nsec -= 1000000000;
		deadline.tv_sec++;
	}
	if (how % 3 == 1)
		want.deadline = &deadline;
	oracle_does(actor, ENTERING);
	slot = atmost_enter(member, how % 3 == 2 ? NULL : &want);
	if (slot < 0 && slot != ATMOST_EBUSY && slot != ATMOST_ETIMEDOUT)
		object_to(actor, "atmost_enter", slot);
	return slot;
}

static void pass(const struct actor *actor, struct atmost_member *member,
		 uint64_t *random)
{
	uint64_t how = draw(random);
	int slot = enter(actor, member, how), error;

	if (slot < 0)
		return;
	oracle_enter(actor, slot);
	oracle_does(actor, INSIDE);
	if (how >> 32 & 1)
		usleep((useconds_t)(how >> 40) % 200);
	oracle_leave(actor, slot);
	oracle_does(actor, LEAVING);
	if (how >> 33 & 1)
		return; /* the worker parts while it is inside */
	error = atmost_leave(member);
	if (error)
		object_to(actor, "atmost_leave", error);
}

static void work(const struct actor *actor, struct atmost *pool,
		 uint64_t random)
{
	struct atmost_member *member;
	int error;

	while (!atomic_load(&actor->oracle->stop)) {
		oracle_does(actor, JOINING);
		error = atmost_join(pool, &member);
		if (error == ATMOST_EFULL) {
			usleep(100);
			continue;
		}
		if (error) {
			object_to(actor, "atmost_join", error);
			return;
		}
		if (draw(&random) % 2)
			pass(actor, member, &random);
		oracle_does(actor, PARTING);
		atmost_part(member);
		if (draw(&random) % 32)
			continue;
		oracle_does(actor, LOOKING);
		error = atmost_status(pool, NULL, 0, NULL);
		if (error < 0)
			object_to(actor, "atmost_status", error);
	}
}

/* The killer. */

static void fail(struct storm *storm, const char *sentence)
{
	fact(false, "%s (k=%u, after %lu kills, ATMOST_SEED=%ju)", sentence,
	     storm->k, storm->kills, (uintmax_t)storm->seed);
	for (unsigned chair = 0; chair < WORKERS; chair++)
		if (storm->pid[chair] > 0 && !kill(storm->pid[chair], SIGKILL))
			waitpid(storm->pid[chair], NULL, 0);
	exit(facts_end());
}

static void start(struct storm *storm, unsigned chair)
{
	struct actor actor = { storm->oracle, chair, ++storm->serial, 0 };
	uint64_t random = draw(&storm->random);
	struct atmost *pool = storm->pool;

	atomic_store(&storm->oracle->chair[chair].serial, actor.serial);
	if (setns(storm->home, CLONE_NEWPID) < 0 ||
	    (chair >= OUTER && unshare(CLONE_NEWPID) < 0))
		fail(storm, "the killer makes a pid namespace");
	storm->pid[chair] = fork();
	if (storm->pid[chair] < 0)
		fail(storm, "the killer forks");
	if (storm->pid[chair] > 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGALRM, SIG_DFL);
	if (random & 1)
		pool = pool_open("storm", 0);
	work(&actor, pool, random);
	oracle_does(&actor, DONE);
	_exit(0);
}

/* A worker on its way through a life lock is the best victim. */
static unsigned choose_victim(struct storm *storm)
{
	unsigned chair = (unsigned)(draw(&storm->random) % WORKERS);

	for (unsigned i = 0; i < 2000; i++) {
		unsigned doing = atomic_load(
			&storm->oracle->chair[chair].doing);

		if (doing == JOINING || doing == PARTING || doing == LOOKING)
			break;
		chair = (chair + 1) % WORKERS;
	}
	return chair;
}

static void watch(struct storm *storm)
{
	unsigned long moved = storm->serial;
	double now = now_in_seconds();

	if (atomic_load(&storm->oracle->violated))
		fail(storm, storm->oracle->violation);
	for (unsigned c = 0; c < WORKERS; c++)
		moved += atomic_load(&storm->oracle->chair[c].passages);
	if (moved != storm->moved) {
		storm->moved = moved;
		storm->moved_at = now;
	} else if (now - storm->moved_at > SILENCE) {
		fail(storm, "the workers have done nothing for 10 seconds");
	}
}

static void bury(struct storm *storm, unsigned chair)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(storm->pid[chair], &status, WNOHANG)) == 0) {
		watch(storm);
		usleep(50);
	}
	if (pid < 0)
		fail(storm, "the killer waits for a worker");
	storm->pid[chair] = 0;
	oracle_bury(storm->oracle, chair);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		storm->kills++;
	else if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail(storm, "a worker ends well or is killed");
}

static void kill_some(struct storm *storm)
{
	unsigned victims = draw(&storm->random) % 8 ? 1 : 4;
	bool killed[WORKERS] = { false };

	for (unsigned i = 0; i < victims; i++) {
		unsigned chair = choose_victim(storm);

		if (killed[chair])
			continue;
		killed[chair] = true;
		oracle_doom(storm->oracle, chair);
		kill(storm->pid[chair], SIGKILL);
	}
	for (unsigned chair = 0; chair < WORKERS; chair++) {
		if (!killed[chair])
			continue;
		bury(storm, chair);
		start(storm, chair);
	}
}

/* Every slot is free, and nothing of the workers is left. */
static void look_back(struct storm *storm)
{
	const struct atmost_want now = { .flags = ATMOST_TRY };
	struct atmost_totals totals = pool_totals(storm->pool);
	struct atmost_member *member[MOST_SLOTS + 1];

	if (totals.members || totals.holders || totals.waiters || totals.lost)
		fail(storm, "afterwards the pool has no member left");
	for (unsigned i = 0; i <= storm->k; i++) {
		int slot = atmost_join(storm->pool, &member[i]);

		if (slot == 0)
			slot = atmost_enter(member[i], &now);
		if (i < storm->k && slot < 0)
			fail(storm, "afterwards k members can enter");
		if (i == storm->k && slot != ATMOST_EBUSY)
			fail(storm, "afterwards one more member has to wait");
	}
}

static void play_pool(struct storm *storm, unsigned long kills, double until)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_ASSIGNMENT,
		.k = storm->k,
		.members = WORKERS + MOST_SLOTS + 1,
	};

	oracle_begin(storm->oracle, storm->k, true);
	if (atmost_open(&storm->pool, "storm", &shape) < 0)
		fail(storm, atmost_detail());
	for (unsigned chair = 0; chair < WORKERS; chair++)
		start(storm, chair);
	kills += storm->kills;
	while (storm->kills < kills && now_in_seconds() < until) {
		usleep((useconds_t)(draw(&storm->random) % 1000));
		watch(storm);
		kill_some(storm);
	}
	atomic_store(&storm->oracle->stop, true);
	for (unsigned chair = 0; chair < WORKERS; chair++)
		bury(storm, chair);
	look_back(storm);
	atmost_close(storm->pool);
	if (atmost_unlink("storm") < 0)
		fail(storm, atmost_detail());
}

int main(int argc, char **argv)
{
	unsigned long kills = argc > 1 ? strtoul(argv[1], NULL, 10) : 3000;
	unsigned seconds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 10;
	const char *wanted = getenv("ATMOST_SEED");
	double start_time = now_in_seconds();
	struct storm storm = { .oracle = oracle_map() };

	facts_begin(seconds + 30);
	storm.seed = wanted ? strtoull(wanted, NULL, 0)
			    : (uint64_t)(start_time * 1e6) % 1000000007;
	storm.random = storm.seed;
	printf("ATMOST_SEED=%ju\n", (uintmax_t)storm.seed);
	storm.home = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
	if (storm.home < 0 || unshare(CLONE_NEWPID) < 0) {
		skipped("this user may not make pid namespaces (%s)",
			strerror(errno));
		return facts_end();
	}
	while (storm.kills < kills && now_in_seconds() < start_time + seconds) {
		unsigned long left = kills - storm.kills;

		storm.k = 1 + (unsigned)draw(&storm.random) % MOST_SLOTS;
		play_pool(&storm, left < KILLS_PER_POOL ? left : KILLS_PER_POOL,
			  start_time + seconds);
	}
	fact(true,
	     "%lu kills in %.1f s of workers with equal thread ids: never "
	     "more than k holders, never two in one slot, every slot came back "
	     "(%lu entered, %lu inherited)",
	     storm.kills, now_in_seconds() - start_time, storm.oracle->entered,
	     storm.oracle->inherited);
	return facts_end();
}
