/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/object_type.h"

#include "runtime/error.h"

#include <string.h>

/*
 * Another process may have written the operation number to the shared memory,
 * so this function ignores an unknown operation.  Results that the function
 * does not set are 0, not the results of an earlier operation.
 */
static void call(void *context, uint64_t *state, uint64_t operation,
		 const uint64_t *argument, uint64_t *result)
{
	const struct named_object_type *type = context;

	memset(result, 0, type->in_words.results * sizeof *result);
	if (operation <= type->operations)
		type->apply(state, type->size, operation, argument, result);
}

void object_type_bind(struct named_object_type *type)
{
	type->in_words.f = call;
	type->in_words.context = type;
}

void object_type_write(const struct named_object_type *type,
		       struct header *header)
{
	header->state = (uint32_t)type->size;
	header->arguments = type->in_words.arguments;
	header->results = type->in_words.results;
	header->operations = type->operations;
	memcpy(header->type, type->name, sizeof header->type);
}

bool object_type_read(struct named_object_type *type,
		      const struct header *header)
{
	memset(type, 0, sizeof *type);
	if (header->state < 1 || header->state > ATMOST_OBJECT_STATE ||
	    header->arguments > ATMOST_OBJECT_WORDS || header->results < 1 ||
	    header->results > ATMOST_OBJECT_WORDS || header->operations < 1 ||
	    !memchr(header->type, '\0', sizeof header->type))
		return false;
	memcpy(type->name, header->type, sizeof type->name);
	type->size = header->state;
	type->operations = header->operations;
	type->in_words.state = object_type_words(type->size);
	type->in_words.arguments = header->arguments;
	type->in_words.results = header->results;
	return true;
}

static int compare_number(const char *name, const char *field, size_t there,
			  size_t wanted)
{
	if (there == wanted)
		return 0;
	return error_say(ATMOST_ESHAPE, "%s: %s is %zu, but %zu was asked for",
			 name, field, there, wanted);
}

int object_type_compare(const struct named_object_type *there,
			const struct named_object_type *wanted,
			const char *name)
{
	const struct object_type *a = &there->in_words, *b = &wanted->in_words;
	int error = 0;

	if (strcmp(there->name, wanted->name) != 0)
		return error_say(ATMOST_ESHAPE,
				 "%s: type is \"%s\", but \"%s\" was asked "
				 "for",
				 name, there->name, wanted->name);
	error = compare_number(name, "type.size", there->size, wanted->size);
	if (!error)
		error = compare_number(name, "type.operations",
				       there->operations, wanted->operations);
	if (!error)
		error = compare_number(name, "type.arguments", a->arguments,
				       b->arguments);
	if (!error)
		error = compare_number(name, "type.results", a->results,
				       b->results);
	return error;
}
