/* SPDX-License-Identifier: BSD-2-Clause */
#include "scene.h"

#include "stops.h"

#include <unistd.h>

const struct scene scenes[] = {
	{ "enters at once", ENTERS, false, 0 },
	{ "enters after waiting, others behind it", ENTERS, true, WAITERS },
	{ "enters after waiting, alone", ENTERS, true, 0 },
	{ "tries in vain", TRIES, true, WAITERS },
	{ "gives up", GIVES_UP, true, WAITERS },
	{ "leaves, others wait", LEAVES, false, WAITERS },
	{ "leaves, nobody waits", LEAVES, false, 0 },
	{ "parts from inside, others wait", PARTS, false, WAITERS },
	{ "dies inside, others wait", HOLDS, false, WAITERS },
	{ "dies inside, nobody waits", HOLDS, false, 0 },
	{ "joins", JOINS, false, 0 },
	{ "resizes, nobody waits", RESIZES, false, 0 },
	{ "resizes, others wait", RESIZES, true, WAITERS },
};

const unsigned scene_count = sizeof scenes / sizeof *scenes;

/* Chairs: the victim, the waiters, one that comes after, the parent's own. */
enum { VICTIM, FIRST_WAITER, LATE = FIRST_WAITER + WAITERS, PARENT };

struct role {
	enum deed deed;
	uint64_t at;
	bool after_go;
	unsigned k, k_max;
	uint64_t session;
};

struct stage {
	struct cast *cast;
	const struct scene *scene;
	uint64_t heir_at;
	struct role victim;
	enum ending ending[PARENT];
	struct actor holder[CHAIRS]; /* of the parent */
	struct atmost_member *member[CHAIRS];
	int slot[CHAIRS];
	unsigned held;
};

/* A group in which others ask for other sessions. */
static bool has_rivals(const struct cast *cast)
{
	return cast->shape.kind == ATMOST_GROUP && !cast->shape.k;
}

/* So many inside keep out who comes, and those after the first must go for it
 * to come in. */
static unsigned width(const struct cast *cast)
{
	return has_rivals(cast) ? 1 : cast->shape.k;
}

/* Is inside when the scene begins. */
static bool starts_inside(enum deed deed)
{
	return deed == LEAVES || deed == PARTS || deed == HOLDS;
}

/* The roles. */

static void await_go(struct actor *actor)
{
	while (!atomic_load(&actor->oracle->go))
		usleep(50);
}

static void act_from_inside(struct actor *actor, struct atmost *object,
			    const struct role *role)
{
	struct atmost_member *me;
	int slot;

	cast_join(actor, object, &me);
	slot = cast_enter(actor, me, FOR_EVER, 0);
	await_go(actor);
	while (role->deed == HOLDS)
		pause();
	if (role->deed == PARTS) {
		oracle_does(actor, PARTING);
		oracle_leave(actor, slot);
		stops_set(actor, role->at, false);
	} else {
		stops_set(actor, role->at, false);
		cast_leave(actor, me, slot);
		stops_end();
	}
	atmost_part(me);
	stops_end();
}

static void act_from_outside(struct actor *actor, struct atmost *object,
			     const struct role *role)
{
	static const enum manner manners[] = {
		[ENTERS] = FOR_EVER, [TRIES] = TRY, [GIVES_UP] = DEADLINE
	};
	struct atmost_member *me;
	int slot;

	cast_join(actor, object, &me);
	stops_set(actor, role->at, false);
	slot = cast_enter(actor, me, manners[role->deed], 2000000);
	stops_end();
	if (slot >= 0)
		cast_leave(actor, me, slot);
	atmost_part(me);
}

static void resize(struct actor *actor, struct atmost *object, unsigned k)
{
	if (atmost_resize(object, k) < 0)
		oracle_object(actor->oracle, "resize: %s", atmost_detail());
}

static void play_victim(struct actor *actor, struct atmost *object,
			uint64_t random, const void *argument)
{
	const struct role *role = argument;
	struct atmost_member *me;

	(void)random;
	actor->session = role->session;
	if (starts_inside(role->deed)) {
		act_from_inside(actor, object, role);
	} else if (role->deed == JOINS) {
		stops_set(actor, role->at, false);
		cast_join(actor, object, &me);
		stops_end();
		atmost_part(me);
	} else if (role->deed == RESIZES) {
		oracle_does(actor, RESIZING);
		stops_set(actor, role->at, false);
		resize(actor, object, role->k_max);
		resize(actor, object, 1);
		resize(actor, object, role->k);
		stops_end();
	} else {
		act_from_outside(actor, object, role);
	}
}

/* Who waits meanwhile, or comes afterwards; one of them is the heir. */
static void play_other(struct actor *actor, struct atmost *object,
		       uint64_t random, const void *argument)
{
	const struct role *role = argument;
	struct atmost_member *me;
	int slot;

	(void)random;
	actor->session = role->session;
	stops_set(actor, role->at, role->after_go);
	cast_join(actor, object, &me);
	slot = cast_enter(actor, me, FOR_EVER, 0);
	if (slot >= 0)
		cast_leave(actor, me, slot);
	atmost_part(me);
	stops_end();
}

/* The parent. */

static void take(struct stage *stage, unsigned count)
{
	struct cast *cast = stage->cast;

	for (unsigned i = 0; i < count; i++) {
		struct actor *me = &stage->holder[i];

		*me = (struct actor){ cast->oracle, PARENT + i, ++cast->serial,
				      cast_session(cast, 0) };
		cast_join(me, cast->object, &stage->member[i]);
		stage->slot[i] = cast_enter(me, stage->member[i], TRY, 0);
		if (stage->slot[i] < 0)
			cast_fail(cast, "only %u can enter", i);
		stage->held = i + 1;
	}
}

static void give_back(struct stage *stage, unsigned keep)
{
	while (stage->held > keep) {
		unsigned i = --stage->held;

		cast_leave(&stage->holder[i], stage->member[i], stage->slot[i]);
		atmost_part(stage->member[i]);
	}
}

/* Until it sleeps in the library, or is no more. */
static void await_sleep(struct stage *stage, unsigned chair)
{
	struct cast *cast = stage->cast;

	while ((stage->ending[chair] = cast_look(cast, chair)) == RUNS) {
		if (atomic_load(&cast->oracle->chair[chair].doing) ==
			    ENTERING &&
		    cast_sleeps(cast, chair))
			return;
		cast_watch(cast);
		usleep(20);
	}
}

static void await_inside(struct stage *stage, unsigned chair)
{
	struct cast *cast = stage->cast;

	while (atomic_load(&cast->oracle->chair[chair].doing) != INSIDE) {
		cast_watch(cast);
		usleep(20);
	}
}

static void await_end(struct stage *stage, unsigned chair)
{
	if (stage->ending[chair] == RUNS)
		stage->ending[chair] = cast_wait(stage->cast, chair);
}

static void start_other(struct stage *stage, unsigned chair, uint64_t at,
			bool after_go)
{
	struct cast *cast = stage->cast;
	struct role role = {
		.at = at,
		.after_go = after_go,
		.session = cast_session(cast, 0),
	};

	/* All of one session, or not. */
	if (has_rivals(cast))
		role.session = cast_session(
			cast, 1 + (unsigned)(cast_draw(&cast->random) % 2));
	cast_start(stage->cast, chair, play_other, &role);
	stage->ending[chair] = RUNS;
}

static void start_waiters(struct stage *stage)
{
	bool after_go = starts_inside(stage->scene->deed);

	for (unsigned i = 0; i < stage->scene->waiters; i++) {
		start_other(stage, FIRST_WAITER + i,
			    i == 0 ? stage->heir_at : NEVER, after_go);
		await_sleep(stage, FIRST_WAITER + i);
	}
}

static void start_victim(struct stage *stage)
{
	const struct scene *scene = stage->scene;
	struct cast *cast = stage->cast;

	stage->victim.session = cast_session(cast,
					     has_rivals(cast) && scene->full);
	cast_start(cast, VICTIM, play_victim, &stage->victim);
	if (starts_inside(scene->deed))
		await_inside(stage, VICTIM);
	else if (scene->full && scene->deed == ENTERS)
		await_sleep(stage, VICTIM);
	else if (scene->deed == TRIES)
		await_end(stage, VICTIM);
}

/* All but one slot are still taken: the last one must come free. */
static void go_on(struct stage *stage)
{
	struct cast *cast = stage->cast;
	atomic_store(&cast->oracle->go, true);
	if (stage->scene->deed == GIVES_UP)
		usleep((useconds_t)cast_draw(&cast->random) % 3000);
	if (stage->scene->deed == HOLDS)
		cast_kill(cast, VICTIM), stage->ending[VICTIM] = KILLED;
	/* Who resizes may shut the slot that the others would need. */
	give_back(stage, stage->scene->deed == RESIZES ? 0 : width(cast) - 1);
	await_end(stage, VICTIM);
	if (stage->scene->waiters == 0)
		start_other(stage, LATE, stage->heir_at, false);
	for (unsigned chair = FIRST_WAITER; chair <= LATE; chair++)
		await_end(stage, chair);
}

struct outcome scene_play(struct cast *cast, const struct scene *scene,
			  uint64_t victim_at, uint64_t heir_at)
{
	const unsigned heir = scene->waiters ? FIRST_WAITER : LATE;
	struct stage stage = {
		.cast = cast,
		.scene = scene,
		.heir_at = heir_at,
		.victim = { .deed = scene->deed,
			    .at = victim_at,
			    .k = cast->shape.k,
			    .k_max = cast->shape.k_max },
		.ending = { RUNS, ENDED, ENDED, ENDED },
	};

	atomic_store(&cast->oracle->go, false);
	take(&stage, width(cast) - !scene->full);
	if (starts_inside(scene->deed) || scene->deed == ENTERS) {
		start_victim(&stage);
		start_waiters(&stage);
	} else {
		start_waiters(&stage);
		start_victim(&stage);
	}
	go_on(&stage);
	give_back(&stage, 0);
	if (scene->deed == RESIZES)
		aftermath_resize(cast);
	aftermath_check(cast);
	return (struct outcome){
		stage.ending[VICTIM],
		stage.ending[heir],
		atomic_load(&cast->oracle->chair[VICTIM].reached),
		atomic_load(&cast->oracle->chair[heir].reached),
	};
}
