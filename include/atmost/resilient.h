/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atmost/resilient.h: any sequential object, shared.
 *
 * A shared object is a state of some bytes and a function that applies an
 * operation to it.  Every operation takes effect at one instant and at most
 * once, even if its caller dies.  At most k members apply operations at the
 * same time.  If k-1 of them stop for ever, unnoticed, the others still go on.
 * While no more than k members apply operations, none of them waits, and the
 * cost depends on k, not on the number of members.
 *
 *	struct atmost_object_type type = atmost_counter_type();
 *	struct atmost_object_shape shape = { .type = &type, .k = 4 };
 *	struct atmost_object *hits;
 *	struct atmost_object_member *me;
 *	uint64_t one = 1, before;
 *
 *	atmost_object_open(&hits, "hits", &shape);
 *	atmost_object_join(hits, &me);
 *	atmost_object_apply(me, ATMOST_COUNTER_ADD, &one, &before);
 *	atmost_object_part(me);
 *	atmost_object_close(hits);
 *
 * The rules of atmost.h about errors, names, members, threads, fork and death
 * hold here, too.  atmost_unlink removes a shared object.
 */
#ifndef ATMOST_RESILIENT_H
#define ATMOST_RESILIENT_H

#include "atmost.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct atmost_object;        /* a shared object */
struct atmost_object_member; /* a member that may apply operations to it */

enum {
	ATMOST_OBJECT_WORDS = 8,       /* the most arguments, or results */
	ATMOST_OBJECT_STATE = 1 << 20, /* the most bytes of a state */
	ATMOST_OBJECT_K = 1024         /* the largest k */
};

/*
 * Applies an operation to a state of `size` bytes, aligned to 8, and sets the
 * results.  Several members may call the function for the same operation, at
 * the same time, each on a copy of the state: so it must have no other effect.
 * It must accept every operation from 1 to the type's last, all arguments, and
 * every state, even one that it would never produce, because other processes
 * can write the memory.  It must return.  The library changes a first result of
 * 2^64-1 to 2^64-2.
 */
typedef void atmost_object_function(void *state, size_t size,
				    uint64_t operation,
				    const uint64_t *argument, uint64_t *result);

struct atmost_object_type {
	char name[32];       /* the same in all processes that open it */
	size_t size;         /* of the state, in bytes */
	const void *initial; /* the first state; NULL: zeros */
	atmost_object_function *apply;
	unsigned operations; /* 1 to this */
	unsigned arguments;  /* how many words an operation takes, 0 to 8 */
	unsigned results;    /* how many words it returns, 1 to 8 */
};

/* A field that is zero asks for its default; type and k have none. */
struct atmost_object_shape {
	const struct atmost_object_type *type;
	unsigned k;            /* how many members may apply at the same time */
	unsigned members;      /* how many may have joined at the same
				  time; default 64 */
	const char *algorithm; /* name of a k-assignment; default roster */
	unsigned flags;        /* ATMOST_OBJECT_GUARDED */
};

enum {
	/*
	 * Run each operation on a private copy first, and refuse it with
	 * ATMOST_EOVERRUN if the function writes outside the state or the
	 * results.  A function that crashes in this trial ends only its caller,
	 * which holds nothing yet.  Without the trial it would crash every
	 * member that helps with the announced operation.  A library built for
	 * debugging always makes the trial.
	 */
	ATMOST_OBJECT_GUARDED = 1
};

/*
 * Create a shared object for the threads of this process; or open the shared
 * object of this name, and make it if there is none.  The type is copied;
 * `initial` is not used after the call.
 *
 *   ATMOST_ESHAPE      there is no type or no function, or a size or a number
 *                      is not possible; or the shared object exists and has
 *                      another type, size, number of words, k, members or
 *                      algorithm; or the name belongs to another kind of pool.
 *                      atmost_detail names the field
 *   ATMOST_EALGORITHM  there is no such k-assignment
 *   and as for atmost_create and atmost_open
 */
ATMOST_API int atmost_object_create(struct atmost_object **object,
				    const struct atmost_object_shape *shape);
ATMOST_API int atmost_object_open(struct atmost_object **object,
				  const char *name,
				  const struct atmost_object_shape *shape);
ATMOST_API void atmost_object_close(struct atmost_object *object);

/* As atmost_join and atmost_part. */
ATMOST_API int atmost_object_join(struct atmost_object *object,
				  struct atmost_object_member **member);
ATMOST_API void atmost_object_part(struct atmost_object_member *member);

/*
 * Apply an operation.  `argument` and `result` have as many words as the type
 * says.  NULL arguments are zeros; with a NULL result the results are dropped.
 *
 *   ATMOST_EOPERATION  the shared object has no such operation
 *   ATMOST_EOVERRUN    see ATMOST_OBJECT_GUARDED; the operation has no effect
 *   ATMOST_ECORRUPT    the shared memory is damaged
 *   ATMOST_EEVICTED    the member was declared dead; whether the operation took
 *                      effect is not known
 *   ATMOST_ETHREAD, ATMOST_EFORKED, ATMOST_EINSIDE  as for atmost_enter
 *   ATMOST_ENOMEM      only with ATMOST_OBJECT_GUARDED; the operation has no
 *                      effect
 */
ATMOST_API int atmost_object_apply(struct atmost_object_member *member,
				   uint64_t operation, const uint64_t *argument,
				   uint64_t *result);

/* How to apply an operation.  If all fields are zero: as with
 * atmost_object_apply. */
struct atmost_object_want {
	const struct timespec *deadline; /* of the wait; NULL: none */
	unsigned flags;                  /* ATMOST_TRY */
	uint64_t tag; /* identifies this operation: below 2^63, and never used
			 before; 0: the operation will have no outcome */
};

/*
 * The same, in the way that `want` asks for.  If the call fails with
 * ATMOST_EBUSY, ATMOST_ETIMEDOUT or ATMOST_ENOTABORTABLE, the operation has no
 * effect.  ATMOST_EWANT: as for atmost_enter, or the tag is not below 2^63.
 */
ATMOST_API int atmost_object_apply_as(struct atmost_object_member *member,
				      const struct atmost_object_want *want,
				      uint64_t operation,
				      const uint64_t *argument,
				      uint64_t *result);

/*
 * The outcome of the last operation of a dead member, found by its tag.  Sets
 * *happened and, if the operation has happened, the results; either pointer may
 * be NULL.  An operation that has not happened never will: the caller may apply
 * it again, under another tag.  The library keeps the last 64 outcomes, each
 * until a process asks for it.
 *
 * A member that died after its operation had returned, and before its next one,
 * has an outcome, too: no process can know whether the caller saw the results.
 * A member that parted, or whose thread ended, has no outcome.
 *
 *   ATMOST_EASKED     a process has already asked for this outcome
 *   ATMOST_EBUSY      the member with this tag is alive, or is dead and not yet
 *                     recovered: ask again
 *   ATMOST_ENOTFOUND  no dead member had an operation with this tag, so the
 *                     operation was not begun; or its outcome is no longer kept
 *   ATMOST_ECORRUPT, ATMOST_EFORKED
 */
ATMOST_API int atmost_object_outcome(struct atmost_object *object, uint64_t tag,
				     bool *happened, uint64_t *result);

/*
 * The state at one instant of the call.  The caller need not be a member, and
 * delays no member.  Members that complete operations during the call make it
 * try again.
 *
 *   ATMOST_EBUSY     a million attempts failed
 *   ATMOST_ECORRUPT, ATMOST_EFORKED, ATMOST_ENOMEM
 */
ATMOST_API int atmost_object_read(struct atmost_object *object, void *state);

/* As atmost_status: a holder is a member that applies an operation. */
ATMOST_API int atmost_object_status(struct atmost_object *object,
				    struct atmost_seat *seats,
				    unsigned capacity,
				    struct atmost_totals *totals);

/*
 * Ready-made types.  A new shared object is 0 or empty.  Where an operation has
 * two results, the first is 1 if the operation succeeded and 0 if not, and the
 * second is the value, or 0 if there is none.  Arguments that an operation does
 * not need are ignored.
 *
 * If the capacity is 0, the type's size is 0.  If the state would be larger
 * than ATMOST_OBJECT_STATE, so is the type's size.  In both cases creating a
 * shared object of the type fails with ATMOST_ESHAPE.  A value takes 8 bytes, a
 * pair of a map 16.
 */

/*
 * A number modulo 2^64.  One argument; one result, the number before the
 * operation (2^64-2 for 2^64-1: see atmost_object_function).
 */
enum { ATMOST_COUNTER_ADD = 1, ATMOST_COUNTER_READ };
ATMOST_API struct atmost_object_type atmost_counter_type(void);

/* A word.  Two arguments: COMPARE_SWAP takes the expected and the new value.
 * Two results. */
enum {
	ATMOST_REGISTER_READ = 1,
	ATMOST_REGISTER_WRITE,       /* value: the word before */
	ATMOST_REGISTER_ADD,         /* likewise */
	ATMOST_REGISTER_COMPARE_SWAP /* likewise; fails if the word before
					 was not the expected value */
};
ATMOST_API struct atmost_object_type atmost_register_type(void);

/* First in, first out, with at most `capacity` values.  One argument, two
 * results. */
enum {
	ATMOST_QUEUE_PUT = 1, /* fails if the queue is full */
	ATMOST_QUEUE_TAKE,    /* fails if it is empty */
	ATMOST_QUEUE_PEEK,    /* likewise */
	ATMOST_QUEUE_LENGTH
};
ATMOST_API struct atmost_object_type atmost_queue_type(unsigned capacity);

/* Last in, first out, with at most `capacity` values.  One argument, two
 * results. */
enum {
	ATMOST_STACK_PUSH = 1, /* fails if the stack is full */
	ATMOST_STACK_POP,      /* fails if it is empty */
	ATMOST_STACK_PEEK,     /* likewise */
	ATMOST_STACK_DEPTH
};
ATMOST_API struct atmost_object_type atmost_stack_type(unsigned capacity);

/* Values by key, with at most `capacity` pairs.  Two arguments, key and value;
 * two results. */
enum {
	ATMOST_MAP_GET = 1, /* fails if the map does not have the key */
	ATMOST_MAP_PUT,     /* value: the value before, or 0; fails if the key
			       is new and the map is full */
	ATMOST_MAP_ADD,     /* adds a new key; fails if the map is full, or has
			       the key: then value is the value of the key */
	ATMOST_MAP_REMOVE,  /* value: the removed value; fails if the map does
			       not have the key */
	ATMOST_MAP_COUNT
};
ATMOST_API struct atmost_object_type atmost_map_type(unsigned capacity);

#ifdef __cplusplus
}
#endif

#endif
