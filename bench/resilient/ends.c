/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts e and f: what becomes of the others when some are killed, or stop for
 * ever, in the middle of an operation.
 *
 * A round: so many processes come one by one, and each stops in the middle of
 * its operation; in part e all of them are then killed -9.  Another one comes
 * and wants a hundred operations.  If it makes none for a while (--patience) it
 * is stopped: that is a result.  In part f one of the stopped is continued then.
 */
#include "bench/resilient/parts.h"

#include "bench/common/clock.h"
#include "bench/common/section.h"
#include "bench/resilient/pair.h"
#include "bench/resilient/results.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPERATIONS = 100, HELD_MOST = 3, LOOK = 1000000 /* ns */ };

struct round {
	const struct pair_keeper *keeper;
	struct end *end;
	bool kills;
	int64_t patience; /* ns */
	struct scene scene;
	pid_t held[HELD_MOST], other;
};

static bool complain(const struct round *r, const char *what)
{
	fprintf(stderr, "resilient: %s: %s\n", r->keeper->name, what);
	return false;
}

/* One of the held: its tag is its number, from 1. */
static void stop_inside(struct round *r, unsigned number)
{
	if (!r->keeper->join(&r->scene))
		_exit(4);
	halfway_stops();
	_exit(r->keeper->add(&r->scene, number) ? 0 : 4);
}

static void go_on(struct round *r)
{
	if (!r->keeper->join(&r->scene))
		_exit(4);
	for (unsigned i = 0; i < OPERATIONS; i++) {
		if (!r->keeper->add(&r->scene, 0))
			_exit(4);
		atomic_fetch_add(&r->scene.news->done, 1);
	}
	_exit(0);
}

/* number 0: the one that comes afterwards. */
static pid_t start(struct round *r, unsigned number)
{
	const pid_t parent = getpid();
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	if (getppid() != parent)
		_exit(1);
	if (number)
		stop_inside(r, number);
	go_on(r);
	return 0;
}

/* False: it ended, or did not get there in a time that nobody needs. */
static bool wait_until_stopped(pid_t pid)
{
	const int64_t end = clock_now() + 20 * (int64_t)SECOND;
	int status;

	while (clock_now() < end) {
		if (waitpid(pid, &status, WUNTRACED | WNOHANG) == pid)
			return WIFSTOPPED(status);
		section_sleep(LOOK);
	}
	return false;
}

static bool stage(struct round *r)
{
	const unsigned count = r->end->held;

	for (unsigned i = 0; i < count; i++) {
		r->held[i] = start(r, i + 1);
		if (r->held[i] < 0 || !wait_until_stopped(r->held[i]))
			return complain(r, "nobody got to its middle");
	}
	for (unsigned i = 0; r->kills && i < count; i++) {
		kill(r->held[i], SIGKILL);
		waitpid(r->held[i], NULL, 0);
		r->held[i] = 0;
	}
	return true;
}

/* Until all is done, or nothing was for a while. */
static bool watch(const struct round *r)
{
	int64_t last = clock_now();
	unsigned seen = atomic_load(&r->scene.news->done), done;

	while ((done = atomic_load(&r->scene.news->done)) < OPERATIONS) {
		if (done != seen)
			last = clock_now();
		seen = done;
		if (clock_now() - last > r->patience)
			return false;
		section_sleep(LOOK);
	}
	return true;
}

static bool look(const struct round *r)
{
	struct end *end = r->end;
	const unsigned done = atomic_load(&r->scene.news->done);
	struct pair pair;

	if (!r->keeper->look(&r->scene, &pair))
		return false;
	end->whole += pair.left == pair.right;
	end->done += pair.left == done + end->held;
	if (atomic_load(&r->scene.news->owner_dead))
		end->told = "EOWNERDEAD";
	return true;
}

/* Each of the dead: told, and what was told is what is there. */
static bool ask(const struct round *r)
{
	const unsigned done = atomic_load(&r->scene.news->done);
	unsigned happened = 0;
	struct pair pair;
	bool one;

	for (unsigned i = 0; i < r->end->held; i++) {
		if (!r->keeper->outcome(&r->scene, i + 1, &one))
			return false;
		happened += one;
	}
	if (!r->keeper->look(&r->scene, &pair))
		return false;
	if (pair.left != pair.right || pair.left != done + happened)
		return complain(r, "what was told is not what is there");
	r->end->told = happened == r->end->held ? "what happened: all"
		       : happened == 0          ? "what happened: nothing"
						: "what happened: some";
	return true;
}

/* One is continued, and then the others: all that was wanted is done. */
static bool resume(const struct round *r, bool went_on)
{
	struct pair pair;
	int status;

	kill(r->held[0], SIGCONT);
	r->end->continued += !went_on && watch(r);
	for (unsigned i = 0; i < r->end->held; i++) {
		kill(r->held[i], SIGCONT);
		if (waitpid(r->held[i], &status, 0) < 0 || status != 0)
			return complain(r, "who was continued did not finish");
	}
	if (waitpid(r->other, &status, 0) < 0 || status != 0)
		return complain(r, "who came afterwards did not finish");
	return r->keeper->look(&r->scene, &pair) &&
	       ((pair.left == pair.right &&
		 pair.left == OPERATIONS + r->end->held) ||
		complain(r, "is not what its operations make of it"));
}

static bool play(struct round *r)
{
	bool went_on;

	if (!stage(r))
		return false;
	r->other = start(r, 0);
	if (r->other < 0)
		return complain(r, strerror(errno));
	went_on = watch(r);
	r->end->went_on += went_on;
	if (!look(r))
		return false;
	if (!r->kills)
		return resume(r, went_on);
	kill(r->other, SIGKILL);
	waitpid(r->other, NULL, 0);
	return !r->keeper->outcome || ask(r);
}

/* Whoever is left after a failure. */
static void clear(struct round *r, bool well)
{
	for (unsigned i = 0; !well && i < r->end->held; i++)
		if (r->held[i] > 0)
			kill(r->held[i], SIGKILL);
	if (!well && r->other > 0)
		kill(r->other, SIGKILL);
	while (!well && waitpid(-1, NULL, 0) > 0)
		continue;
	r->keeper->close(&r->scene);
	munmap(r->scene.news, sizeof *r->scene.news);
}

static bool play_once(const struct pair_keeper *keeper, struct end *end,
		      bool kills, const struct run *run)
{
	struct round r = {
		.keeper = keeper,
		.end = end,
		.kills = kills,
		.patience = (int64_t)(run->patience * SECOND),
		.scene = { .k = end->k, .members = end->held + 1 },
	};
	bool well;

	r.scene.news = mmap(NULL, sizeof *r.scene.news, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r.scene.news == MAP_FAILED)
		return complain(&r, strerror(errno));
	if (!keeper->open(&r.scene)) {
		munmap(r.scene.news, sizeof *r.scene.news);
		return complain(&r, "cannot be made");
	}
	well = play(&r);
	clear(&r, well);
	return well;
}

static bool show(const struct pair_keeper *keeper, unsigned k, unsigned held,
		 bool kills, const struct run *run)
{
	struct end end = {
		.name = keeper->name,
		.k = k,
		.held = held,
		.told = "nothing",
		.rounds = run->quick ? 1 : 5,
	};

	for (unsigned i = 0; i < end.rounds; i++)
		if (!play_once(keeper, &end, kills, run))
			return false;
	results_end_of(&end);
	return true;
}

static void print_head(const char *held)
{
	printf("%-18s %6s %7s   %-10s %-17s %s\n", "", held, "rounds", "others",
	       "state", "told");
}

bool part_killed(struct run *r)
{
	results_part('e', "killed -9 in the middle of an operation");
	print_head("killed");
	return show(&pair_mutex, 0, 1, true, r) &&
	       show(&pair_robust, 0, 1, true, r) &&
	       show(&pair_swap, 0, 3, true, r) &&
	       show(&pair_object, 1, 1, true, r) &&
	       show(&pair_object, 3, 2, true, r) &&
	       show(&pair_object, 3, 3, true, r);
}

bool part_stopped(struct run *r)
{
	results_part('f', "stopped in the middle of an operation, unnoticed");
	print_head("stopped");
	return show(&pair_mutex, 0, 1, false, r) &&
	       show(&pair_robust, 0, 1, false, r) &&
	       show(&pair_swap, 0, 3, false, r) &&
	       show(&pair_object, 1, 1, false, r) &&
	       show(&pair_object, 3, 1, false, r) &&
	       show(&pair_object, 3, 2, false, r) &&
	       show(&pair_object, 3, 3, false, r);
}
