/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes an object whose type is in the shape; without a type, the small object
 * of sequential.h is used instead.  The arguments and results of an operation
 * are words of the caller.  Everything private to a call is in the caller's
 * memory, so no other process can change it while f uses it.
 */
#ifndef ATMOST_REQUESTED_H
#define ATMOST_REQUESTED_H

#include "wait_free.h"

static inline struct object object_of_type(const struct object_type *type,
					   unsigned names, struct word *words,
					   uint64_t *own)
{
	return (struct object){
		.names = names,
		.state = type->state,
		.arguments = type->arguments,
		.results = type->results,
		.f = type->f,
		.context = type->context,
		.words = words,
		.own = own,
	};
}

static inline void begin_as_type(const struct object *o,
				 const struct object_type *type)
{
	for (unsigned w = 0; type->initial && w < type->state; w++)
		mem_poke(first_state(o) + w, type->initial[w]);
}

/* Applies the request of self.  Returns 0, or WITHDRAWN if the name is out of
 * range or the words are damaged. */
static inline uint64_t apply_requested(const struct object *o, unsigned name,
				       const struct process *self, uint64_t tag)
{
	const struct object_request *r = self->request;

	if (name >= o->names || !wait_free_apply(o, name, tag, self->operation,
						 r->argument, r->result))
		return WITHDRAWN;
	return 0;
}

/*
 * Does the same as finish_tagged in sequential.h, but writes the results to the
 * request of the victim.
 */
static inline bool finish_requested(const struct object *o, unsigned name,
				    const struct process *victim, uint64_t tag)
{
	struct object_request *r = victim->request;
	uint64_t last = 0;

	r->damaged = false;
	if (name >= o->names)
		return false;
	r->damaged = !wait_free_recover(o, name, false, &last, r->result);
	return !r->damaged && last == tag;
}

#endif
