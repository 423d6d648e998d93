/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The object type of a shared object, as this process has it.  The library uses
 * these sizes, never the sizes in the segment.
 */
#ifndef ATMOST_RUNTIME_OBJECT_TYPE_H
#define ATMOST_RUNTIME_OBJECT_TYPE_H

#include "atmost/resilient.h"
#include "runtime/layout.h"

struct named_object_type {
	char name[32];
	size_t size;         /* of the state, in bytes */
	unsigned operations; /* 1 to this */
	/* NULL: not known, the process can only show the status. */
	atmost_object_function *apply;
	bool guarded;
	/* The type as the algorithm uses it, with sizes in words; its function
	 * calls `apply` once object_type_bind was called. */
	struct object_type in_words;
};

/* How many words a state of `size` bytes takes. */
static inline unsigned object_type_words(size_t size)
{
	return (unsigned)((size + sizeof(uint64_t) - 1) / sizeof(uint64_t));
}

/* Called when the struct is at its final address. */
void object_type_bind(struct named_object_type *type);

/* Writes the type to the header of a segment, or reads it from there.  False:
 * no type has such sizes. */
void object_type_write(const struct named_object_type *type,
		       struct header *header);
bool object_type_read(struct named_object_type *type,
		      const struct header *header);

/* 0, or ATMOST_ESHAPE: the types differ. */
int object_type_compare(const struct named_object_type *there,
			const struct named_object_type *wanted,
			const char *name);

#endif
