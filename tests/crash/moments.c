/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * moments [KILLS [ALGORITHM]]: members come, enter in all manners, leave and part at
 * random, and are killed with -9 at random moments; others take their places.
 */
#include "cast.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KILLS_A_ROUND = 50, SESSIONS = 4 };

/* Of a round. */
struct habits {
	unsigned k_least, k_max;    /* k_max 0: nobody resizes */
	useconds_t pause;           /* at most so long between two kills */
	uint64_t session[SESSIONS]; /* one of the first so many is asked for */
	unsigned sessions;
};

static void hold(uint64_t *random)
{
	uint64_t draw = cast_draw(random);

	switch (draw % 8) {
	case 0:
		usleep((useconds_t)(draw >> 8) % 300);
		break;
	case 1:
	case 2:
		sched_yield();
		break;
	case 3:
		for (volatile unsigned i = 0; i < (draw >> 8) % 5000; i++)
			continue;
		break;
	default:
		break;
	}
}

/* One passage; true: it has parted, which leaves first. */
static bool pass(struct actor *actor, struct atmost_member *me,
		 const struct habits *habits, uint64_t *random)
{
	enum manner manner = cast_draw(random) % MANNERS;
	int64_t patience = (int64_t)(cast_draw(random) % 3000000);
	int slot;

	actor->session = habits->session[cast_draw(random) % habits->sessions];
	slot = cast_enter(actor, me, manner, patience);
	if (slot < 0) {
		/* Whoever tries all the time starves those it tries for. */
		usleep((useconds_t)(cast_draw(random) % 100));
		return false;
	}
	hold(random);
	if (cast_draw(random) % 32 == 0) {
		oracle_does(actor, PARTING);
		oracle_leave(actor, slot);
		atmost_part(me);
		return true;
	}
	cast_leave(actor, me, slot);
	return false;
}

static unsigned choose_k(const struct habits *habits, uint64_t draw)
{
	return habits->k_least +
	       (unsigned)(draw % (habits->k_max - habits->k_least + 1));
}

/* What else one does with an object. */
static void look_around(struct actor *actor, struct atmost *object,
			const struct habits *habits, uint64_t *random)
{
	uint64_t draw = cast_draw(random);

	if (draw % 64 == 0) {
		oracle_does(actor, LOOKING);
		if (atmost_status(object, NULL, 0, NULL) < 0)
			oracle_object(actor->oracle, "%s", atmost_detail());
	} else if (draw % 64 == 1 && habits->k_max) {
		oracle_does(actor, RESIZING);
		if (atmost_resize(object, choose_k(habits, draw >> 8)) < 0)
			oracle_object(actor->oracle, "%s", atmost_detail());
	}
}

static void work(struct actor *actor, struct atmost *object, uint64_t random,
		 const void *argument)
{
	while (!atomic_load(&actor->oracle->stop)) {
		unsigned passages = (unsigned)(cast_draw(&random) % 20);
		struct atmost_member *me;
		bool parted = false;

		cast_join(actor, object, &me);
		for (unsigned i = 0; i < passages && !parted; i++) {
			if (atomic_load(&actor->oracle->stop))
				break;
			look_around(actor, object, argument, &random);
			parted = pass(actor, me, argument, &random);
		}
		oracle_does(actor, PARTING);
		if (!parted)
			atmost_part(me);
	}
}

/* The killer. */

static void pause_killer(struct cast *cast, const struct habits *habits)
{
	uint64_t draw = cast_draw(&cast->random);

	if (draw % 3 > 0)
		usleep((useconds_t)(draw >> 8) % habits->pause);
	cast_watch(cast);
}

/* One that is stopped is not dead. */
static void stop_for_a_while(struct cast *cast, const struct habits *habits)
{
	unsigned chair = (unsigned)cast_draw(&cast->random) %
			 cast->shape.members;

	kill(cast->pid[chair], SIGSTOP);
	pause_killer(cast, habits);
	kill(cast->pid[chair], SIGCONT);
}

/* Some at once, and then others in their places. */
static void kill_some(struct cast *cast, const struct habits *habits)
{
	unsigned n = cast->shape.members;
	unsigned count = 1;
	bool gone[CHAIRS] = { false };

	if (cast_draw(&cast->random) % 8 == 0)
		count += (unsigned)cast_draw(&cast->random) % n;
	while (count-- > 0) {
		unsigned chair = (unsigned)cast_draw(&cast->random) % n;

		if (gone[chair])
			continue;
		gone[chair] = true;
		oracle_doom(cast->oracle, chair);
		kill(cast->pid[chair], SIGKILL);
	}
	for (unsigned chair = 0; chair < n; chair++) {
		if (!gone[chair])
			continue;
		cast_wait(cast, chair);
		cast_start(cast, chair, work, habits);
	}
}

static void torture(struct cast *cast, const struct habits *habits,
		    unsigned long kills)
{
	const unsigned n = cast->shape.members;
	const unsigned long until = cast->kills + kills;

	for (unsigned chair = 0; chair < n; chair++)
		cast_start(cast, chair, work, habits);
	while (cast->kills < until) {
		pause_killer(cast, habits);
		kill_some(cast, habits);
		if (cast_draw(&cast->random) % 16 == 0)
			stop_for_a_while(cast, habits);
	}
	atomic_store(&cast->oracle->stop, true);
	for (unsigned chair = 0; chair < n; chair++)
		cast_wait(cast, chair);
	if (habits->k_max)
		aftermath_resize(cast);
}

static const struct algorithm *choose_algorithm(struct cast *cast)
{
	size_t count = 0;

	/* The one that most objects have gets most of it. */
	if (cast_draw(&cast->random) % 4 > 0)
		return registry_find("roster");
	while (cast_algorithm(count))
		count++;
	return cast_algorithm(cast_draw(&cast->random) % count);
}

/* Of a group every other is without a limit, which makes room for all. */
static struct atmost_shape choose_shape(struct cast *cast,
					const struct algorithm *a)
{
	const bool group = a->kind == KIND_GROUP_EXCLUSION;
	unsigned k = 1U << cast_draw(&cast->random) % 4;
	struct atmost_shape shape = {
		.kind = group ? ATMOST_GROUP : ATMOST_EXCLUSION,
		.algorithm = a->name,
	};

	if (a->limits.most_k && k > a->limits.most_k)
		k = a->limits.most_k;
	shape.members = k +
			(unsigned)cast_draw(&cast->random) % (CHAIRS - k + 1);
	shape.k = group && cast_draw(&cast->random) % 2 ? 0 : k;
	if (a->resize && cast_draw(&cast->random) % 4 == 0)
		shape.k_max = shape.k ? k + 2 : shape.members;
	return shape;
}

static struct habits choose_habits(struct cast *cast)
{
	struct habits habits = {
		.k_max = cast->shape.k_max,
		.k_least = cast->shape.k ? 1 : 0,
		.pause = 100U << cast_draw(&cast->random) % 7,
		.sessions = 1,
	};

	if (cast->shape.kind == ATMOST_GROUP)
		habits.sessions += (unsigned)cast_draw(&cast->random) %
				   SESSIONS;
	for (unsigned i = 0; i < SESSIONS; i++)
		habits.session[i] = cast_session(cast, i);
	return habits;
}

static void play_round(struct cast *cast, const struct algorithm *a,
		       unsigned long kills)
{
	struct atmost_shape shape = choose_shape(cast, a);
	unsigned long entered = atomic_load(&cast->oracle->entered);
	double before, after, start = cast_now();
	struct atmost_totals totals;
	struct habits habits;

	cast_object(cast, &shape);
	habits = choose_habits(cast);
	before = price_measure(cast);
	torture(cast, &habits, kills);
	if (atmost_status(cast->object, NULL, 0, &totals) < 0)
		cast_fail(cast, "%s", atmost_detail());
	price_check(cast);
	aftermath_check(cast);
	after = price_measure(cast);
	printf("%6lu kills  %-14s k=%u%s n=%-2u m=%u  %4ju recovered  %6lu "
	       "entered  %.1f s  alone %.0f ns, before %.0f\n",
	       cast->kills, shape.algorithm, shape.k, shape.k_max ? "+2" : "  ",
	       shape.members, habits.sessions, (uintmax_t)totals.recovered,
	       atomic_load(&cast->oracle->entered) - entered,
	       cast_now() - start, after, before);
	cast_finish(cast);
}

int main(int argc, char **argv)
{
	unsigned long kills = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	const struct algorithm *only = argc > 2 ? registry_find(argv[2]) : NULL;
	struct cast cast;

	if (kills == 0 || (argc > 2 && (!only || !only->recover))) {
		fprintf(stderr,
			"usage: %s [KILLS [ALGORITHM]]: at least one, "
			"and an algorithm that recovers\n",
			argv[0]);
		return 2;
	}
	cast_open(&cast);
	cast.where = "random moments";
	while (cast.kills < kills)
		play_round(&cast, only ? only : choose_algorithm(&cast),
			   kills - cast.kills < KILLS_A_ROUND
				   ? kills - cast.kills
				   : KILLS_A_ROUND);
	printf("%lu entered, %lu given up, %lu slots inherited from the dead, "
	       "%lu times no place to join yet\n",
	       cast.oracle->entered, cast.oracle->given_up,
	       cast.oracle->inherited, cast.oracle->full);
	printf("ok: %lu kills at random moments: never more than k living "
	       "inside, never two sessions, never two in a slot, all came back\n",
	       cast.kills);
	cast_close(&cast);
	return 0;
}
