/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processes that use one object by its name, and one, the parent, that starts
 * and kills them.
 */
#ifndef ATMOST_TESTS_CRASH_CAST_H
#define ATMOST_TESTS_CRASH_CAST_H

#include "algorithms/registry.h"
#include "atmost/atmost.h"
#include "oracle.h"

struct cast {
	struct oracle *oracle;
	struct atmost *object;
	struct atmost_shape shape;
	const struct algorithm *algorithm;
	pid_t pid[CHAIRS]; /* 0: nobody */
	uint32_t serial;   /* the last one given */
	uint64_t seed, random;
	unsigned long kills;
	const char *where;   /* what is being done, for messages */
	unsigned long moved; /* as the watchdog saw it last, and when */
	double moved_at;
};

/* A folder for the objects, and the seed: ATMOST_SEED or a new one. */
void cast_open(struct cast *cast);
void cast_close(struct cast *cast);

/* Another object; members of the shape are chairs.  And its end. */
void cast_object(struct cast *cast, const struct atmost_shape *shape);
void cast_finish(struct cast *cast);

/* The i-th algorithm that recovers the dead, objects excepted; NULL past the
 * last. */
const struct algorithm *cast_algorithm(size_t i);

/* How many may be inside: k, or all members where that is no limit. */
unsigned cast_room(const struct cast *cast);

/* The i-th session of a group, from 0; 0 where the object is none. */
uint64_t cast_session(const struct cast *cast, unsigned i);

/* A process on this chair, which calls `play` and then ends well. */
typedef void play_function(struct actor *actor, struct atmost *object,
			   uint64_t random, const void *argument);
void cast_start(struct cast *cast, unsigned chair, play_function *play,
		const void *argument);

/* Kills who sits there, and waits for its end. */
void cast_kill(struct cast *cast, unsigned chair);

enum ending { RUNS, ENDED, KILLED };
/* How it is with the chair, whose end is noted; any other end is a failure. */
enum ending cast_look(struct cast *cast, unsigned chair);
enum ending cast_wait(struct cast *cast, unsigned chair);

/* Asleep in the kernel. */
bool cast_sleeps(struct cast *cast, unsigned chair);

/* Often: fails if something was violated, or nothing moves any more. */
void cast_watch(struct cast *cast);

/* Prints why, who does what, and the seed; kills everybody, and ends. */
__attribute__((noreturn, format(printf, 2, 3))) void cast_fail(
	struct cast *cast, const char *format, ...);

double cast_now(void);
uint64_t cast_draw(uint64_t *random);
struct timespec cast_deadline(int64_t nanoseconds);

/* By a living process, with or without a wait. */
int cast_enter(struct actor *actor, struct atmost_member *me,
	       enum manner manner, int64_t patience);
void cast_leave(struct actor *actor, struct atmost_member *me, int slot);
void cast_join(struct actor *actor, struct atmost *object,
	       struct atmost_member **me);

/*
 * After everybody has gone, and with nobody inside: as if it were new.  All
 * records are vacant, the algorithm is quiet, all can join, and k enter.
 */
void aftermath_check(struct cast *cast);

/* First, where some were killed while they resized: as many can enter as status
 * says, whether they came to an end or not.  Then it has its first k again. */
void aftermath_resize(struct cast *cast);

/* A thousand passages without a system call; nanoseconds for each. */
void price_check(struct cast *cast);
double price_measure(struct cast *cast);

#endif
