/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps the object type of a shared object in this process's own memory.  The
 * library uses the sizes in this memory, never the sizes in the segment, which
 * other processes can change.
 */
#ifndef ATMOST_RUNTIME_OBJECT_TYPE_H
#define ATMOST_RUNTIME_OBJECT_TYPE_H

#include "atmost/resilient.h"
#include "runtime/layout.h"

struct named_object_type {
	char name[32];
	size_t size;         /* size of the state in bytes */
	unsigned operations; /* operations are numbered 1 to this */
	/* Is NULL if this process does not have the function; the process can
	 * then only show the status. */
	atmost_object_function *apply;
	bool guarded;
	/* The type as the algorithm uses it, with sizes in words.  After
	 * object_type_bind, its function calls `apply`. */
	struct object_type in_words;
};

/* Returns how many words a state of `size` bytes takes. */
static inline unsigned object_type_words(size_t size)
{
	return (unsigned)((size + sizeof(uint64_t) - 1) / sizeof(uint64_t));
}

/* To be called when the struct is at its final address, because `in_words`
 * points at the struct. */
void object_type_bind(struct named_object_type *type);

/* object_type_write writes the type to the header of a segment;
 * object_type_read reads it from a header.  object_type_read returns false if
 * the sizes or the name in the header are not those of a possible object
 * type. */
void object_type_write(const struct named_object_type *type,
		       struct header *header);
bool object_type_read(struct named_object_type *type,
		      const struct header *header);

/* Returns 0, or ATMOST_ESHAPE if the types differ. */
int object_type_compare(const struct named_object_type *there,
			const struct named_object_type *wanted,
			const char *name);

#endif
