/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks the shape and the object type of a shared object.
 */
#include "resilient/resilient.h"

#include "algorithms/registry.h"
#include "runtime/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char OVER[] = "resilient-object";

static int check(const char *field, size_t value, size_t least, size_t most)
{
	if (value >= least && value <= most)
		return 0;
	return error_say(ATMOST_ESHAPE,
			 "%s is %zu; it must be between %zu and %zu", field,
			 value, least, most);
}

static int check_type(const struct atmost_object_type *type)
{
	size_t length;
	int error;

	if (!type)
		return error_say(ATMOST_ESHAPE, "shape.type is NULL");
	if (!type->apply)
		return error_say(ATMOST_ESHAPE, "type.apply is NULL");
	length = strnlen(type->name, sizeof type->name);
	error = check("the length of type.name", length, 1,
		      sizeof type->name - 1);
	if (!error)
		error = check("type.size", type->size, 1, ATMOST_OBJECT_STATE);
	if (!error)
		error = check("type.operations", type->operations, 1,
			      UINT32_MAX);
	if (!error)
		error = check("type.arguments", type->arguments, 0,
			      ATMOST_OBJECT_WORDS);
	if (!error)
		error = check("type.results", type->results, 1,
			      ATMOST_OBJECT_WORDS);
	return error;
}

/* If a caller chooses "renaming/choi", the algorithm's name in the registry is
 * "resilient-object/renaming/choi". */
static int find_names(const char *wanted, struct object_wish *wish)
{
	const struct algorithm *a = registry_find(wanted);
	int length;

	if (a && a->kind != KIND_K_ASSIGNMENT)
		return error_say(ATMOST_EALGORITHM,
				 "%s is for %s, but a shared object needs a "
				 "k-assignment",
				 a->name, registry_kind_name(a->kind));
	length = snprintf(wish->algorithm, sizeof wish->algorithm, "%s/%s",
			  OVER, wanted);
	if (length < 0 || (size_t)length >= sizeof wish->algorithm)
		return error_say(ATMOST_EALGORITHM,
				 "%.64s...: the name is too long", wanted);
	/* shape_resolve refuses an unknown name, and its message contains the
	 * most similar known name. */
	wish->shape.algorithm = wish->algorithm;
	return 0;
}

/* Copies the first state; zeros fill the rest of its last word. */
static int copy_initial(const struct atmost_object_type *type,
			struct object_wish *wish)
{
	if (!type->initial)
		return 0;
	wish->initial = calloc(wish->type.in_words.state,
			       sizeof *wish->initial);
	if (!wish->initial)
		return error_is(ATMOST_ENOMEM);
	memcpy(wish->initial, type->initial, type->size);
	wish->type.in_words.initial = wish->initial;
	return 0;
}

int object_shape_read(const struct atmost_object_shape *wanted,
		      struct object_wish *wish)
{
	const struct atmost_object_type *type = wanted ? wanted->type : NULL;
	int error = wanted ? check_type(type)
			   : error_say(ATMOST_ESHAPE,
				       "a shared object needs a shape");

	if (!error)
		error = check("k", wanted->k, 1, ATMOST_OBJECT_K);
	if (!error && wanted->flags & ~(unsigned)ATMOST_OBJECT_GUARDED)
		error = error_say(ATMOST_ESHAPE,
				  "shape.flags is %#x, which has unknown flags",
				  wanted->flags);
	if (error)
		return error;
	*wish = (struct object_wish){
		.shape = {
			.kind = ATMOST_OBJECT,
			.k = wanted->k,
			.members = wanted->members,
		},
		.type = {
			.size = type->size,
			.operations = type->operations,
			.apply = type->apply,
			.guarded = wanted->flags & ATMOST_OBJECT_GUARDED ||
				   ALWAYS_GUARDED,
			.in_words.state = object_type_words(type->size),
			.in_words.arguments = type->arguments,
			.in_words.results = type->results,
		},
	};
	memcpy(wish->type.name, type->name,
	       strnlen(type->name, sizeof wish->type.name - 1));
	if (wanted->algorithm)
		error = find_names(wanted->algorithm, wish);
	return error ? error : copy_initial(type, wish);
}

void object_shape_done(struct object_wish *wish)
{
	free(wish->initial);
}
