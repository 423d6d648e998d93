/* SPDX-License-Identifier: BSD-2-Clause */
/* A growing text: the body of a request, or the bytes of an answer. */
#ifndef ATMOST_MEMORY_ETCD_TEXT_H
#define ATMOST_MEMORY_ETCD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *bytes; /* ends with a NUL that length does not count; NULL: no
			bytes yet */
	size_t length, room;
	bool failed; /* memory ran out: the text is incomplete and must not be
			used */
};

void text_free(struct text *);

/* Makes the text empty and keeps its memory. */
void text_clear(struct text *);

void text_add(struct text *, const void *bytes, size_t length);
void text_print(struct text *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds the bytes in base64, as etcd wants keys and values. */
void text_add_base64(struct text *, const void *bytes, size_t length);

/* Adds a JSON string, quoted and escaped. */
void text_add_json(struct text *, const char *string);

#endif
