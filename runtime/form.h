/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an object of resilient.h is: the type of its user, as this process has
 * it.  All sizes that are worked with are these, never those of the segment.
 */
#ifndef ATMOST_RUNTIME_FORM_H
#define ATMOST_RUNTIME_FORM_H

#include "atmost/resilient.h"
#include "runtime/layout.h"

struct form {
	char name[32];
	size_t size;                   /* of the state, in bytes */
	unsigned operations;           /* 1 to this */
	atmost_object_function *apply; /* NULL: not known, one can only look */
	bool guarded;
	struct object_type
		type; /* its function calls apply; set by form_bind */
};

/* Words of a state of so many bytes. */
static inline unsigned form_words(size_t size)
{
	return (unsigned)((size + sizeof(uint64_t) - 1) / sizeof(uint64_t));
}

/* Once it is where it stays. */
void form_bind(struct form *form);

/* Into the header of a segment, and from there: false if that cannot be. */
void form_write(const struct form *form, struct header *header);
bool form_read(struct form *form, const struct header *header);

/* Whether what is there is what was wanted: 0 or ATMOST_ESHAPE. */
int form_compare(const struct form *there, const struct form *wanted,
		 const char *name);

#endif
