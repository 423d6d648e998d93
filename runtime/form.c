/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/form.h"

#include "runtime/error.h"

#include <string.h>

/*
 * Others wrote the operation: one that there is not does nothing.  Results that
 * the function leaves alone are 0, not those of an operation before.
 */
static void call(void *context, uint64_t *state, uint64_t operation,
		 const uint64_t *argument, uint64_t *result)
{
	const struct form *form = context;

	memset(result, 0, form->type.results * sizeof *result);
	if (operation <= form->operations)
		form->apply(state, form->size, operation, argument, result);
}

void form_bind(struct form *form)
{
	form->type.f = call;
	form->type.context = form;
}

void form_write(const struct form *form, struct header *header)
{
	header->state = (uint32_t)form->size;
	header->arguments = form->type.arguments;
	header->results = form->type.results;
	header->operations = form->operations;
	memcpy(header->type, form->name, sizeof header->type);
}

bool form_read(struct form *form, const struct header *header)
{
	memset(form, 0, sizeof *form);
	if (header->state < 1 || header->state > ATMOST_OBJECT_STATE ||
	    header->arguments > ATMOST_OBJECT_WORDS || header->results < 1 ||
	    header->results > ATMOST_OBJECT_WORDS || header->operations < 1 ||
	    !memchr(header->type, '\0', sizeof header->type))
		return false;
	memcpy(form->name, header->type, sizeof form->name);
	form->size = header->state;
	form->operations = header->operations;
	form->type.state = form_words(form->size);
	form->type.arguments = header->arguments;
	form->type.results = header->results;
	return true;
}

static int compare_number(const char *name, const char *field, size_t there,
			  size_t wanted)
{
	if (there == wanted)
		return 0;
	return error_say(ATMOST_ESHAPE,
			 "%s: %s is %zu there, %zu was asked for", name, field,
			 there, wanted);
}

int form_compare(const struct form *there, const struct form *wanted,
		 const char *name)
{
	const struct object_type *a = &there->type, *b = &wanted->type;
	int error = 0;

	if (strcmp(there->name, wanted->name) != 0)
		return error_say(ATMOST_ESHAPE,
				 "%s: type is \"%s\" there, \"%s\" was asked "
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
