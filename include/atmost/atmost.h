/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atmost: at most k inside at once.
 *
 * An object lets at most k of its members be inside at the same time.  Which
 * algorithm sees to that can be chosen by name.  Threads join an object, and
 * then enter and leave it through the member they were given:
 *
 *	struct atmost_shape shape = { .kind = ATMOST_EXCLUSION, .k = 3 };
 *	struct atmost *pool;
 *	struct atmost_member *me;
 *
 *	atmost_create(&pool, &shape);
 *	atmost_join(pool, &me);          (each thread its own)
 *	atmost_enter(me, NULL);
 *	...                              (at most three are here)
 *	atmost_leave(me);
 *	atmost_part(me);
 *	atmost_close(pool);
 *
 * Functions that return int return zero or more on success, and a negative
 * ATMOST_E... of errors.h on failure.  Outputs are written on success only.
 * errno means nothing after a call.
 */
#ifndef ATMOST_ATMOST_H
#define ATMOST_ATMOST_H

#include "errors.h"

#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ATMOST_API __attribute__((visibility("default")))

struct atmost;        /* an object */
struct atmost_member; /* one participant of it */

enum atmost_kind {
	ATMOST_MUTEX,      /* one inside */
	ATMOST_EXCLUSION,  /* at most k inside */
	ATMOST_ASSIGNMENT, /* at most k inside, each with a slot of its own */
	ATMOST_GROUP       /* many inside, but of one session only */
};

/* What an object is.  A field that is zero asks for its default. */
struct atmost_shape {
	enum atmost_kind kind;
	unsigned k;       /* a mutex: 1; a group: 0 is no limit; else needed */
	unsigned k_max;   /* the largest k there is room for; default k */
	unsigned members; /* joined at the same time, at most; default 64 */
	unsigned sessions;     /* a group's are 1..sessions; default any */
	const char *algorithm; /* by its name; default the kind's */
};

/* Flags of struct atmost_want. */
enum {
	ATMOST_TRY = 1 /* do not wait: now or not at all */
};

/* How to enter.  All zero: wait for ever, which a group refuses. */
struct atmost_want {
	const struct timespec *deadline; /* CLOCK_MONOTONIC; NULL: none */
	uint64_t session;                /* groups only: which one, not 0 */
	unsigned flags;                  /* ATMOST_TRY */
};

/*
 * Make an object for the threads of this process.
 *
 *   ATMOST_ESHAPE      no object, or not this algorithm, can have the shape
 *   ATMOST_EALGORITHM  there is no such algorithm, it is for another kind, it
 *                      runs in the checker only, or the kind has no default
 *   ATMOST_ENOMEM
 *
 * atmost_detail says which field it was, or which name is nearest.
 */
ATMOST_API int atmost_create(struct atmost **object,
			     const struct atmost_shape *shape);

/*
 * Give the object back, and with it all its members.  Nobody may be inside,
 * waiting, or in any other call that uses them.  NULL is fine.
 */
ATMOST_API void atmost_close(struct atmost *object);

/*
 * Become a member.  It belongs to the calling thread: no other may enter or
 * leave with it.  A thread may have several members.
 *
 *   ATMOST_EFULL    as many have joined as shape.members allows
 *   ATMOST_EFORKED  the object belongs to the process that forked this one
 *   ATMOST_ENOMEM
 */
ATMOST_API int atmost_join(struct atmost *object,
			   struct atmost_member **member);

/*
 * Be a member no longer; leaves first if it is inside.  Another thread than
 * the member's may do so once that one uses it no more.  In a forked child it
 * only frees the child's copy.  NULL is fine.
 */
ATMOST_API void atmost_part(struct atmost_member *member);

/*
 * Enter, waiting as long as want->deadline allows, or not at all with
 * ATMOST_TRY.  A NULL want waits for ever, in a group for session 1.
 *
 * Returns the slot taken: in [0, k), held by no other member inside, and 0
 * where the object hands out no slots.  On failure nothing is held:
 *   ATMOST_EBUSY          ATMOST_TRY, and it would have had to wait
 *   ATMOST_ETIMEDOUT      the deadline passed first
 *   ATMOST_EINSIDE        the member is inside already
 *   ATMOST_ENOTABORTABLE  a deadline or ATMOST_TRY was given to an algorithm
 *                         that cannot retreat
 *   ATMOST_ESESSION       a group has no session want->session
 *   ATMOST_ESHAPE         want has unknown flags, or a deadline that is no time
 *   ATMOST_ETHREAD        the member belongs to another thread
 *   ATMOST_EFORKED        ... to the process that forked this one
 *
 * May sleep; restarts after signals.  Not for signal handlers.
 */
ATMOST_API int atmost_enter(struct atmost_member *member,
			    const struct atmost_want *want);

/*
 * Leave, and let in whoever that makes room for.  Returns 0, or
 *   ATMOST_EOUTSIDE  the member is not inside
 *   ATMOST_ETHREAD, ATMOST_EFORKED  as for atmost_enter
 */
ATMOST_API int atmost_leave(struct atmost_member *member);

/* What a code means, in a few words.  Never NULL; the string is static. */
ATMOST_API const char *atmost_strerror(int error);

/*
 * The last failure of this thread, in words: more than its code can say.  The
 * string is this thread's until its next call that fails; "" if none has.
 */
ATMOST_API const char *atmost_detail(void);

/* The version of the library that is running, as "1.2.3". */
ATMOST_API const char *atmost_version(void);

#ifdef __cplusplus
}
#endif

#endif
