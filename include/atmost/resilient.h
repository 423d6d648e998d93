/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atmost/resilient.h: any sequential object, shared by threads or processes.
 *
 * A shared object consists of a state, which is a block of bytes, and of a
 * function that applies operations to the state.  Every operation takes effect
 * at one instant and at most once, even if its caller dies.  At most k members
 * apply operations at the same time; further members wait.  Even if up to k-1
 * members stop for ever and no process notices this, the other members can
 * still apply operations.  While no more than k members apply operations, none
 * of them waits, and the cost of an operation depends on k and on the size of
 * the state, not on the number of members.
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
 * The rules of atmost.h about errors, names, members, threads, forks and deaths
 * apply here, too.  atmost_unlink removes a shared object.
 */
#ifndef ATMOST_RESILIENT_H
#define ATMOST_RESILIENT_H

#include "atmost.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct atmost_object;        /* a shared object */
struct atmost_object_member; /* a member of a shared object */

enum {
	ATMOST_OBJECT_WORDS = 8,       /* the most arguments or results of an
					  operation */
	ATMOST_OBJECT_STATE = 1 << 20, /* the largest state, in bytes */
	ATMOST_OBJECT_K = 1024         /* the largest k */
};

/*
 * The function of an object type.  It applies an operation to a state of `size`
 * bytes, aligned to 8, and sets the results.  Several members may run the
 * function for the same operation at the same time, each on its own copy of the
 * state.  Therefore the function must have no effect except on the state and
 * the results.  It must accept all arguments and every operation number from 1
 * to the `operations` of the type.  It must also accept every state, even one
 * that it would never produce, because other processes can write to the shared
 * memory.  It must return.  If the first result is 2^64-1, the library changes
 * it to 2^64-2.
 */
typedef void atmost_object_function(void *state, size_t size,
				    uint64_t operation,
				    const uint64_t *argument, uint64_t *result);

struct atmost_object_type {
	char name[32];       /* the same in all processes that open the shared
				object */
	size_t size;         /* size of the state in bytes */
	const void *initial; /* the first state; NULL: zeros */
	atmost_object_function *apply;
	unsigned operations; /* operations are numbered from 1 to this */
	unsigned arguments;  /* how many words an operation takes, 0 to 8 */
	unsigned results;    /* how many words an operation returns, 1 to 8 */
};

/* A field that is zero stands for its default; type and k have no default. */
struct atmost_object_shape {
	const struct atmost_object_type *type;
	unsigned k;            /* how many members may apply operations at the
				  same time */
	unsigned members;      /* how many members may have joined at the same
				  time; default 64 */
	const char *algorithm; /* a k-assignment algorithm; default roster */
	unsigned flags;        /* ATMOST_OBJECT_GUARDED */
};

enum {
	/*
	 * Try each operation on a private copy of the state first, and refuse
	 * it with ATMOST_EOVERRUN if the function writes outside the state or
	 * the results.  If the function crashes in this trial, only the calling
	 * process ends, and that process holds nothing yet.  Without the trial,
	 * the function would crash every process that helps with the announced
	 * operation.  A library that was built for debugging always makes the
	 * trial.
	 */
	ATMOST_OBJECT_GUARDED = 1
};

/*
 * atmost_object_create creates a shared object for the threads of this process.
 * atmost_object_open opens the shared object with this name, and creates it if
 * it does not exist.  The library copies the type; it uses `initial` only
 * during the call.
 *
 *   ATMOST_ESHAPE      the type or its function is NULL, or a size or a number
 *                      is not possible; or the shared object exists and has
 *                      another type, size, number of words, k, members or
 *                      algorithm; or the name belongs to another kind of pool.
 *                      atmost_detail names the field
 *   ATMOST_EALGORITHM  there is no k-assignment algorithm with this name
 *   and the errors of atmost_create and atmost_open
 */
ATMOST_API int atmost_object_create(struct atmost_object **object,
				    const struct atmost_object_shape *shape);
ATMOST_API int atmost_object_open(struct atmost_object **object,
				  const char *name,
				  const struct atmost_object_shape *shape);
ATMOST_API void atmost_object_close(struct atmost_object *object);

/* The counterparts of atmost_join and atmost_part. */
ATMOST_API int atmost_object_join(struct atmost_object *object,
				  struct atmost_object_member **member);
ATMOST_API void atmost_object_part(struct atmost_object_member *member);

/*
 * Apply an operation.  `argument` and `result` have as many words as the type
 * says.  NULL arguments stand for zeros; with a NULL result the results are
 * discarded.
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

/* How to apply an operation.  If all fields are zero, atmost_object_apply_as
 * does the same as atmost_object_apply. */
struct atmost_object_want {
	const struct timespec *deadline; /* ends the wait; NULL: no deadline */
	unsigned flags;                  /* ATMOST_TRY */
	uint64_t tag; /* identifies this operation: below 2^63, and never used
			 before; 0: the library keeps no outcome of the
			 operation */
};

/*
 * Apply an operation in the way that `want` describes.  If the call fails with
 * ATMOST_EBUSY, ATMOST_ETIMEDOUT or ATMOST_ENOTABORTABLE, the operation has no
 * effect.  ATMOST_EWANT has the same meaning as for atmost_enter, or means that
 * the tag is not below 2^63.
 */
ATMOST_API int atmost_object_apply_as(struct atmost_object_member *member,
				      const struct atmost_object_want *want,
				      uint64_t operation,
				      const uint64_t *argument,
				      uint64_t *result);

/*
 * Find the outcome of the last operation of a dead member by the operation's
 * tag.  The call sets *happened and, if the operation took effect, the results;
 * either pointer may be NULL.  An operation that has not taken effect by the
 * time of this call never will; the caller may apply it again, with another
 * tag.  The library keeps the last 64 outcomes, each until a process asks for
 * it.
 *
 * There is also an outcome if the member died after its operation had returned
 * and before its next operation, because no process can know whether the
 * member's program saw the results.  There is no outcome if the member parted
 * or its thread ended.
 *
 *   ATMOST_EASKED     a process has already asked for this outcome
 *   ATMOST_EBUSY      the member that used this tag is alive, or it is dead but
 *                     not yet recovered; ask again later
 *   ATMOST_ENOTFOUND  no dead member had an operation with this tag, so the
 *                     operation was not begun; or the library no longer keeps
 *                     its outcome
 *   ATMOST_ECORRUPT, ATMOST_EFORKED
 */
ATMOST_API int atmost_object_outcome(struct atmost_object *object, uint64_t tag,
				     bool *happened, uint64_t *result);

/*
 * Copy the state that the shared object has at one instant of the call.  The
 * caller need not be a member, and it delays no member.  If a member completes
 * an operation during an attempt to copy the state, the call tries again.
 *
 *   ATMOST_EBUSY     a million attempts failed
 *   ATMOST_ECORRUPT, ATMOST_EFORKED, ATMOST_ENOMEM
 */
ATMOST_API int atmost_object_read(struct atmost_object *object, void *state);

/* The counterpart of atmost_status.  A holder is a member that applies an
 * operation. */
ATMOST_API int atmost_object_status(struct atmost_object *object,
				    struct atmost_seat *seats,
				    unsigned capacity,
				    struct atmost_totals *totals);

/*
 * Ready-made types.  A new shared object of these types is 0 or empty.  If an
 * operation has two results, the first is 1 if the operation succeeded and 0 if
 * it failed, and the second is the value, or 0 if there is no value.  The
 * comments below say which value that is.  Arguments that an operation does not
 * need are ignored.
 *
 * If the capacity is 0, or the state would be larger than ATMOST_OBJECT_STATE,
 * the returned type has a size that is not possible, and creating a shared
 * object of this type fails with ATMOST_ESHAPE.  A value takes 8 bytes, and a
 * pair of key and value in a map takes 16.
 */

/*
 * A number modulo 2^64.  The operations take one argument and have one result,
 * the number before the operation.  (If that number is 2^64-1, the result is
 * 2^64-2: see atmost_object_function.)
 */
enum { ATMOST_COUNTER_ADD = 1, ATMOST_COUNTER_READ };
ATMOST_API struct atmost_object_type atmost_counter_type(void);

/* A word.  The operations take two arguments and have two results.  The
 * arguments of COMPARE_SWAP are the expected value and the new value. */
enum {
	ATMOST_REGISTER_READ = 1,    /* value: the word */
	ATMOST_REGISTER_WRITE,       /* value: the word before the operation */
	ATMOST_REGISTER_ADD,         /* value: the word before the operation */
	ATMOST_REGISTER_COMPARE_SWAP /* value: the word before the operation;
					 fails if the word was not the expected
					 value */
};
ATMOST_API struct atmost_object_type atmost_register_type(void);

/* A queue, first in, first out, of at most `capacity` values.  The operations
 * take one argument and have two results. */
enum {
	ATMOST_QUEUE_PUT = 1, /* value: the argument; fails if the queue is
				  full */
	ATMOST_QUEUE_TAKE,    /* value: the oldest value, which is removed;
				  fails if the queue is empty */
	ATMOST_QUEUE_PEEK,    /* value: the oldest value, which stays; fails if
				  the queue is empty */
	ATMOST_QUEUE_LENGTH   /* value: the number of values */
};
ATMOST_API struct atmost_object_type atmost_queue_type(unsigned capacity);

/* A stack, last in, first out, of at most `capacity` values.  The operations
 * take one argument and have two results. */
enum {
	ATMOST_STACK_PUSH = 1, /* value: the argument; fails if the stack is
				   full */
	ATMOST_STACK_POP,      /* value: the youngest value, which is removed;
				   fails if the stack is empty */
	ATMOST_STACK_PEEK,     /* value: the youngest value, which stays; fails
				   if the stack is empty */
	ATMOST_STACK_DEPTH     /* value: the number of values */
};
ATMOST_API struct atmost_object_type atmost_stack_type(unsigned capacity);

/* A map from keys to values, of at most `capacity` pairs.  The operations take
 * two arguments, the key and the value, and have two results. */
enum {
	ATMOST_MAP_GET = 1, /* value: the value of the key; fails if the map
			       does not have the key */
	ATMOST_MAP_PUT,     /* sets the value of the key; value: the old value,
			       or 0 if the key is new; fails if the key is new
			       and the map is full */
	ATMOST_MAP_ADD,     /* adds a new key; value: the value of the key;
			       fails if the map has the key already, or is
			       full */
	ATMOST_MAP_REMOVE,  /* value: the removed value; fails if the map does
			       not have the key */
	ATMOST_MAP_COUNT    /* value: the number of pairs */
};
ATMOST_API struct atmost_object_type atmost_map_type(unsigned capacity);

#ifdef __cplusplus
}
#endif

#endif
