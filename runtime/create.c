/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/create.h"

#include "runtime/error.h"
#include "runtime/header.h"
#include "runtime/names.h"
#include "runtime/process.h"
#include "runtime/shape.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Over time, the members of a pool may use all its memory.  If the pool is
 * larger than the machine's memory, the kernel does not refuse to make the
 * pool, but kills a process later. */
static int check_size(struct atmost *made)
{
	const size_t most = (size_t)sysconf(_SC_PHYS_PAGES) *
			    (size_t)sysconf(_SC_PAGESIZE);
	bool fits = layout_compute(&made->layout, made->algorithm, &made->shape,
				   names_length(made->names));

	made->segment.size = made->layout.size;
	if (!fits)
		return error_say(ATMOST_ENOMEM,
				 "%s: a pool of this shape is too large",
				 made->algorithm->name);
	if (made->segment.size > most)
		return error_say(ATMOST_ENOMEM,
				 "%s: a pool of this shape takes %zu bytes, "
				 "but the machine has only %zu",
				 made->algorithm->name, made->segment.size,
				 most);
	return 0;
}

/* Fills in the algorithm, the shape and the object type. */
static int choose(struct atmost *made, const struct atmost_shape *wanted,
		  const struct named_object_type *type)
{
	if (wanted && wanted->kind == ATMOST_OBJECT && !type)
		return error_say(ATMOST_ESHAPE,
				 "kind is object: make shared objects with "
				 "atmost_object_create or atmost_object_open");
	if (type) {
		made->type = *type;
		object_type_bind(&made->type);
	}
	return shape_resolve(&made->algorithm, &made->shape, wanted);
}

int create_private(struct atmost **pool, const struct atmost_shape *wanted,
		   const struct named_object_type *type)
{
	const char *names = wanted ? wanted->names : NULL;
	const size_t length = names_length(names);
	struct atmost *made = calloc(1, sizeof *made + length + 1);
	int error;

	if (!made)
		return error_is(ATMOST_ENOMEM);
	if (names)
		made->names = memcpy(made->names_text, names, length);
	error = choose(made, wanted, type);
	made->shape.object = type ? &made->type.in_words : NULL;
	if (!error)
		error = check_size(made);
	if (!error &&
	    strlen(made->algorithm->name) >= sizeof made->header->algorithm)
		error = error_say(ATMOST_EALGORITHM, "%s: the name is too long",
				  made->algorithm->name);
	if (error) {
		free(made);
		return error;
	}
	made->kind = wanted->kind;
	made->generation = process_generation();
	made->segment.look = made->segment.hold = -1;
	pthread_mutex_init(&made->lock, NULL);
	*pool = made;
	return 0;
}

/* Turns zeroed memory into a pool without members. */
static void prepare(struct atmost *made, const uint64_t boot[2])
{
	made->header = (struct header *)(void *)made->segment.base;
	header_fill(made, boot);
	layout_prepare(made->segment.base, &made->layout, made->algorithm,
		       &made->shape);
}

/* Reserves the memory that is used before a member joins. */
static int reserve(struct atmost *made)
{
	struct extent bytes;
	int error = 0;

	for (unsigned piece = 0; !error; piece++) {
		if (!layout_extent(&made->layout, made->algorithm, &made->shape,
				   0, 0, piece, &bytes))
			break;
		error = segment_reserve(&made->segment, bytes.from,
					bytes.count);
	}
	return error;
}

int create_draft(struct draft *draft, struct atmost *made,
		 const uint64_t boot[2])
{
	int error = draft_begin(draft, made->segment.size);

	if (error)
		return error;
	made->segment = draft->segment;
	error = reserve(made);
	if (error)
		draft_discard(draft);
	else
		prepare(made, boot);
	return error;
}

int create_register(struct atmost **pool, struct atmost *made)
{
	made->type.in_words.initial = NULL; /* the caller frees it */
	if (!mem_know(made->segment.base, made->segment.size,
		      layout_bell(made->segment.base)) ||
	    !pool_enlist(made)) {
		mem_forget(made->segment.base);
		segment_close(&made->segment);
		free(made);
		return error_is(ATMOST_ENOMEM);
	}
	*pool = made;
	return 0;
}

int create_pool(struct atmost **pool, const struct atmost_shape *wanted,
		const struct named_object_type *type)
{
	static const uint64_t no_boot[2];
	struct atmost *made;
	int error = create_private(&made, wanted, type);

	if (error)
		return error;
	error = segment_anonymous(&made->segment, made->segment.size);
	if (error) {
		error = error_say(error,
				  "%s: cannot allocate %zu bytes for a pool of "
				  "this shape",
				  made->algorithm->name, made->segment.size);
		free(made);
		return error;
	}
	prepare(made, no_boot);
	return create_register(pool, made);
}

int atmost_create(struct atmost **pool, const struct atmost_shape *wanted)
{
	return create_pool(pool, wanted, NULL);
}
