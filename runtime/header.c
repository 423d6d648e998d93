/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/header.h"

#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/names.h"

#include <stdlib.h>
#include <string.h>

static uint64_t add_up(uint64_t sum, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < size; i++)
		sum = layout_sum(sum, byte[i]);
	return sum;
}

static uint64_t checksum(const struct header *h, const char *names)
{
	const size_t at = offsetof(struct header, state);
	uint64_t sum = LAYOUT_SUM_START;

	sum = add_up(sum, h, offsetof(struct header, checksum));
	sum = add_up(sum, (const char *)h + at,
		     offsetof(struct header, unused) - at);
	return add_up(sum, names, h->names);
}

void header_fill(const struct atmost *made, const uint64_t boot[2])
{
	struct header *h = made->header;

	memcpy(h->magic, SEGMENT_MAGIC, sizeof h->magic);
	h->format = SEGMENT_FORMAT;
	h->kind = made->kind;
	h->k = made->shape.k;
	h->k_max = made->shape.k_max;
	h->members = made->shape.n;
	h->sessions = made->shape.sessions;
	strncpy(h->algorithm, made->algorithm->name, sizeof h->algorithm - 1);
	life_abi(h->abi, sizeof h->abi);
	memcpy(h->boot, boot, sizeof h->boot);
	h->size = made->segment.size;
	if (made->kind == ATMOST_OBJECT)
		object_type_write(&made->type, h);
	h->names = (uint32_t)names_length(made->names);
	if (made->names)
		memcpy(made->segment.base + LAYOUT_NAMES, made->names,
		       h->names);
	h->checksum = checksum(h, made->names);
	mem_poke(&h->k_now, made->shape.k);
}

static int check(const struct header *h, const char *names, const char *name)
{
	char abi[sizeof h->abi];

	if (checksum(h, names) != h->checksum)
		return error_say(
			ATMOST_ECORRUPT,
			"%s.pool is damaged: its header has a wrong "
			"checksum; remove the pool when no process uses it",
			name);
	life_abi(abi, sizeof abi);
	if (memcmp(abi, h->abi, sizeof abi) != 0)
		return error_say(
			ATMOST_EFORMAT,
			"%s.pool was made with locks \"%.*s\", but this "
			"library has \"%s\"",
			name, (int)sizeof h->abi, h->abi, abi);
	if (!memchr(h->algorithm, '\0', sizeof h->algorithm))
		return error_say(
			ATMOST_ECORRUPT,
			"%s.pool is damaged: the name of its algorithm has no "
			"end; remove the pool when no process uses it",
			name);
	if (names && strlen(names) != h->names)
		return error_say(ATMOST_ECORRUPT,
				 "%s.pool is damaged: a slot name has the "
				 "control byte 0x00; remove the pool when no "
				 "process uses it",
				 name);
	return 0;
}

/* The header is a copy, so no process can change the length after the check. */
static int copy_names(char **names, const struct header *h,
		      const struct segment *segment, const char *name)
{
	if (h->names == 0)
		return 0;
	if (h->names > NAMES_MOST || LAYOUT_NAMES + h->names > segment->size)
		return error_say(ATMOST_ECORRUPT,
				 "%s.pool is damaged: its slot names have %u "
				 "bytes, which is impossible; remove the pool "
				 "when no process uses it",
				 name, h->names);
	*names = calloc(1, h->names + 1);
	if (!*names)
		return error_is(ATMOST_ENOMEM);
	memcpy(*names, segment->base + LAYOUT_NAMES, h->names);
	return 0;
}

int header_read(struct header *h, char **names, const struct segment *segment,
		const char *name)
{
	int error;

	*names = NULL;
	memcpy(h, segment->base, sizeof *h);
	if (memcmp(h->magic, SEGMENT_MAGIC, sizeof h->magic) != 0)
		return error_say(ATMOST_ECORRUPT,
				 "%s.pool is not a pool of this library", name);
	if (h->format != SEGMENT_FORMAT)
		return error_say(ATMOST_EFORMAT,
				 "%s.pool has format %u, but this library "
				 "knows only format %d: remove the pool when "
				 "no process uses it",
				 name, h->format, SEGMENT_FORMAT);
	error = copy_names(names, h, segment, name);
	return error ? error : check(h, *names, name);
}

struct atmost_shape header_shape(const struct header *h, const char *names)
{
	return (struct atmost_shape){
		.kind = (enum atmost_kind)h->kind,
		.k = h->k,
		.k_max = h->k_max,
		.members = h->members,
		.sessions = h->sessions,
		.algorithm = h->algorithm,
		.names = names,
	};
}
