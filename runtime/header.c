/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/header.h"

#include "runtime/error.h"
#include "runtime/life.h"

#include <string.h>

static uint64_t checksum(const struct header *h)
{
	const unsigned char *byte = (const unsigned char *)h;
	uint64_t sum = LAYOUT_SUM_START;

	for (size_t i = 0; i < offsetof(struct header, unused); i++) {
		/* Only the checksum of a shared object includes the fields of
		 * the object type. */
		if (i == offsetof(struct header, checksum)) {
			if (h->kind != ATMOST_OBJECT)
				break;
			i = offsetof(struct header, state);
		}
		sum = layout_sum(sum, byte[i]);
	}
	return sum;
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
	h->checksum = checksum(h);
	mem_poke(&h->k_now, made->shape.k);
}

int header_check(const struct header *h, const char *name)
{
	char abi[sizeof h->abi];

	if (memcmp(h->magic, SEGMENT_MAGIC, sizeof h->magic) != 0)
		return error_say(ATMOST_ECORRUPT,
				 "%s.pool is not a pool of this library", name);
	if (h->format != SEGMENT_FORMAT)
		return error_say(
			ATMOST_EFORMAT,
			"%s.pool has format %u, but this library "
			"knows only %d: remove it when no process uses "
			"it",
			name, h->format, SEGMENT_FORMAT);
	if (checksum(h) != h->checksum)
		return error_say(ATMOST_ECORRUPT,
				 "%s.pool is damaged: its header has a wrong "
				 "checksum; remove it when no process uses it",
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
			"%s.pool: the name of its algorithm has no end", name);
	return 0;
}

struct atmost_shape header_shape(const struct header *h)
{
	return (struct atmost_shape){
		.kind = (enum atmost_kind)h->kind,
		.k = h->k,
		.k_max = h->k_max,
		.members = h->members,
		.sessions = h->sessions,
		.algorithm = h->algorithm,
	};
}
