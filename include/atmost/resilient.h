/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atmost/resilient.h: any sequential object, shared.
 *
 * An object is a state of some bytes and a function that applies an operation
 * to it.  Shared, every operation takes effect at one instant and at most once,
 * whatever becomes of who asked for it; at most k are at it at the same time,
 * and k-1 that stop for ever, unnoticed, stop nobody.  While no more than k want
 * it nobody waits, and the cost depends on k, not on how many members there are.
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
 * What atmost.h says of errors, names, members, threads, fork and death holds
 * here too.  An object is removed by atmost_unlink.
 */
#ifndef ATMOST_RESILIENT_H
#define ATMOST_RESILIENT_H

#include "atmost.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct atmost_object;        /* a shared object */
struct atmost_object_member; /* one that may apply operations to it */

enum {
	ATMOST_OBJECT_WORDS = 8,       /* arguments or results, at most */
	ATMOST_OBJECT_STATE = 1 << 20, /* bytes of a state, at most */
	ATMOST_OBJECT_K = 1024         /* at once, at most */
};

/*
 * Applies an operation to a state of `size` bytes, aligned to 8, and sets the
 * results.  It is called more than once for one operation, by several at the
 * same time, each on a copy of its own: so it does nothing else.  It answers
 * every operation from 1 to the type's last, every argument, and every state,
 * also one that it would never have made itself: memory that others can write
 * is not to be trusted.  It ends.  A first result of 2^64-1 is made 2^64-2.
 */
typedef void atmost_object_function(void *state, size_t size,
				    uint64_t operation,
				    const uint64_t *argument, uint64_t *result);

struct atmost_object_type {
	char name[32];       /* who opens an object must mean the same type */
	size_t size;         /* of the state, in bytes */
	const void *initial; /* the first state; NULL: zeros */
	atmost_object_function *apply;
	unsigned operations; /* 1 to this */
	unsigned arguments;  /* words of an operation, 0 to 8 */
	unsigned results;    /* words it returns, 1 to 8 */
};

/* A field that is zero asks for its default, but the type and k. */
struct atmost_object_shape {
	const struct atmost_object_type *type;
	unsigned k;            /* at the object at the same time */
	unsigned members;      /* joined at the same time; default 64 */
	const char *algorithm; /* a k-assignment, by its name; default roster */
	unsigned flags;        /* ATMOST_OBJECT_GUARDED */
};

enum {
	/*
	 * Try each operation on a copy first, and refuse it with
	 * ATMOST_EOVERRUN if the function writes beyond the state or the
	 * results.  If it crashes there, it takes only its caller with it, who
	 * holds nothing yet; what is announced crashes the others too.  Always
	 * so in a library built for debugging.
	 */
	ATMOST_OBJECT_GUARDED = 1
};

/*
 * Make an object for the threads of this process; or open the object of this
 * name, made if there is none.  The type is copied, its `initial` is not kept.
 *
 *   ATMOST_ESHAPE      no type, no function, a size or a number that cannot be;
 *                      of an object that exists: it has another type, size,
 *                      number of words, k, members or algorithm, or is none of
 *                      these objects; atmost_detail says which
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
 * Apply an operation: `argument` and `result` have the words of the type.  NULL
 * arguments are zeros, with NULL results they are dropped.
 *
 *   ATMOST_EOPERATION  the object has no such operation
 *   ATMOST_EOVERRUN    see ATMOST_OBJECT_GUARDED; nothing was done
 *   ATMOST_ECORRUPT    the shared memory is damaged
 *   ATMOST_EEVICTED    somebody took the member for dead; whether the operation
 *                      happened is not known
 *   ATMOST_ETHREAD, ATMOST_EFORKED, ATMOST_EINSIDE  as for atmost_enter
 *   ATMOST_ENOMEM      of a guarded object; nothing was done
 */
ATMOST_API int atmost_object_apply(struct atmost_object_member *member,
				   uint64_t operation, const uint64_t *argument,
				   uint64_t *result);

/* How to apply.  All zero: as atmost_object_apply. */
struct atmost_object_want {
	const struct timespec *deadline; /* for getting to it; NULL: none */
	unsigned flags;                  /* ATMOST_TRY */
	uint64_t tag; /* the caller's name for this operation, below 2^63,
			 never used before; 0: none, and there is no outcome */
};

/*
 * The same.  ATMOST_EBUSY, ATMOST_ETIMEDOUT, ATMOST_ENOTABORTABLE: nothing was
 * done.  ATMOST_EWANT: as for atmost_enter, or a tag of 2^63 or more.
 */
ATMOST_API int atmost_object_apply_as(struct atmost_object_member *member,
				      const struct atmost_object_want *want,
				      uint64_t operation,
				      const uint64_t *argument,
				      uint64_t *result);

/*
 * What became of the operation that a member was at when it died, or had done
 * last, by its tag: *happened, and if so its results; either may be NULL.  If it
 * did not happen it never will, and may be asked for again under another tag.
 * The last 64 outcomes are kept, each until it is asked for.
 *
 * A member that had returned from an operation is told of like one that was at
 * it, until its next operation: nobody can know whether its caller has noted
 * the end.  There is none of a member that parted, or whose thread ended.
 *
 *   ATMOST_EASKED     somebody has asked for this one
 *   ATMOST_EBUSY      who has this tag lives, or is dead but not yet recovered:
 *                     ask again
 *   ATMOST_ENOTFOUND  no member died at an operation of this tag, so that it
 *                     was not begun; or it is too long ago
 *   ATMOST_ECORRUPT, ATMOST_EFORKED
 */
ATMOST_API int atmost_object_outcome(struct atmost_object *object, uint64_t tag,
				     bool *happened, uint64_t *result);

/*
 * The state as it was at one instant of the call.  Needs no member and stops
 * nobody; others who publish all the time can make it try again.
 *
 *   ATMOST_EBUSY     it was disturbed a million times
 *   ATMOST_ECORRUPT, ATMOST_EFORKED, ATMOST_ENOMEM
 */
ATMOST_API int atmost_object_read(struct atmost_object *object, void *state);

/* As atmost_status: who is at the object, and who waits. */
ATMOST_API int atmost_object_status(struct atmost_object *object,
				    struct atmost_seat *seats,
				    unsigned capacity,
				    struct atmost_totals *totals);

/*
 * Ready-made types, at first 0 or empty.  Where results are two words, the first
 * is 1 if it was done and 0 if it could not be, and the second the value; 0 if
 * there is none.  Arguments that an operation does not need are not looked at.
 *
 * A capacity of 0, or one whose state would be larger than ATMOST_OBJECT_STATE,
 * gives a type whose size is 0, or larger than that: making an object of it
 * fails with ATMOST_ESHAPE.  A value takes 8 bytes, and a pair of a map 16.
 */

/*
 * A number modulo 2^64.  One argument, one result: the number before, but of
 * 2^64-1 one less, see atmost_object_function.
 */
enum { ATMOST_COUNTER_ADD = 1, ATMOST_COUNTER_READ };
ATMOST_API struct atmost_object_type atmost_counter_type(void);

/* A word.  COMPARE_SWAP: expected, new.  Two arguments, two results. */
enum {
	ATMOST_REGISTER_READ = 1,
	ATMOST_REGISTER_WRITE,       /* result: what was there before */
	ATMOST_REGISTER_ADD,         /* likewise */
	ATMOST_REGISTER_COMPARE_SWAP /* likewise; 0: it was not as expected */
};
ATMOST_API struct atmost_object_type atmost_register_type(void);

/* First in, first out, at most `capacity`.  One argument, two results. */
enum {
	ATMOST_QUEUE_PUT = 1, /* 0: it is full */
	ATMOST_QUEUE_TAKE,    /* 0: it is empty */
	ATMOST_QUEUE_PEEK,    /* likewise */
	ATMOST_QUEUE_LENGTH
};
ATMOST_API struct atmost_object_type atmost_queue_type(unsigned capacity);

/* Last in, first out, at most `capacity`.  One argument, two results. */
enum {
	ATMOST_STACK_PUSH = 1, /* 0: it is full */
	ATMOST_STACK_POP,      /* 0: it is empty */
	ATMOST_STACK_PEEK,     /* likewise */
	ATMOST_STACK_DEPTH
};
ATMOST_API struct atmost_object_type atmost_stack_type(unsigned capacity);

/* Values by key, at most `capacity`.  Key and value; two results. */
enum {
	ATMOST_MAP_GET = 1, /* 0: there is none */
	ATMOST_MAP_PUT,     /* value: the one before, or 0; 0: it is full */
	ATMOST_MAP_ADD,    /* only if there is none; 0: there is, and its value,
			       or it is full, and 0 */
	ATMOST_MAP_REMOVE, /* 0: there was none; else its value */
	ATMOST_MAP_COUNT
};
ATMOST_API struct atmost_object_type atmost_map_type(unsigned capacity);

#ifdef __cplusplus
}
#endif

#endif
