/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An object: an algorithm, its shape, and the memory its members share.
 */
#ifndef ATMOST_RUNTIME_OBJECT_H
#define ATMOST_RUNTIME_OBJECT_H

#include "atmost/atmost.h"
#include "runtime/form.h"
#include "runtime/layout.h"
#include "runtime/segment.h"

/* Private to this process; what others see is in the segment. */
struct atmost {
	const struct algorithm *algorithm;
	struct shape shape;
	enum atmost_kind kind;
	struct form form; /* of ATMOST_OBJECT only; the shape points at it */
	struct layout layout;
	struct segment segment;
	struct header *header;
	struct record *records;
	char *memory;   /* the algorithm's part, from the bell on */
	bool named;     /* opened by name: a forked child may use it */
	pid_t pid;      /* the process that uses it */
	struct atmost_member *members; /* of this process: see member.c */
};

/*
 * atmost_create and atmost_open, for every kind: ATMOST_OBJECT has a form, the
 * others have none.  Its initial words are not kept.
 */
int object_create(struct atmost **object, const struct atmost_shape *shape,
		  const struct form *form);
int object_open(struct atmost **object, const char *name,
		const struct atmost_shape *shape, const struct form *form);

/* False: an object whose function is not known here.  One can look at it, but
 * not recover its dead, nor join it. */
static inline bool object_is_known(const struct atmost *object)
{
	return object->kind != ATMOST_OBJECT || object->form.apply;
}

/* Before anything is done with it in this process: 0 or ATMOST_EFORKED. */
int object_arrive(struct atmost *object);

static inline void *object_words(const struct atmost *object)
{
	return object->memory + object->layout.words;
}

/* The own words of member id. */
static inline uint64_t *object_own(const struct atmost *object, unsigned id)
{
	return (uint64_t *)(void *)(object->memory + object->layout.own +
				    id * object->layout.own_each);
}

/* Those of them that do not outlive a passage are zero again. */
void object_forget_own(const struct atmost *object, unsigned id);

/* How many slots there are, open or not.  Without a limit (groups) k_max is at
 * least as large as members. */
static inline unsigned object_slots(const struct atmost *object)
{
	const struct shape *shape = &object->shape;

	return shape->k_max > shape->k ? shape->k_max : shape->k;
}

#endif
