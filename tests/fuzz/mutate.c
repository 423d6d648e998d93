/* SPDX-License-Identifier: BSD-2-Clause */
#include "mutate.h"

#include "common/prng.h"
#include "runtime/names.h"
#include "runtime/shape.h"

#include <string.h>

void mutate_sign(unsigned char *bytes, size_t size)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	uint32_t names;

	if (size < sizeof(struct header))
		return;
	memcpy(&names, bytes + offsetof(struct header, names), sizeof names);
	for (size_t i = 0; i < size && i < (size_t)LAYOUT_NAMES + names; i++)
		if (i < offsetof(struct header, checksum) ||
		    (i >= offsetof(struct header, state) &&
		     i < offsetof(struct header, unused)) ||
		    i >= LAYOUT_NAMES)
			sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
	memcpy(bytes + offsetof(struct header, checksum), &sum, sizeof sum);
}

/* The bytes from `from` to end - 1. */
struct range {
	size_t from, end;
};

/* Chooses one part of the segment, or all of it. */
static struct range choose_part(const struct image *image, uint64_t *state)
{
	const size_t words = image->words;
	const size_t names = names_length(image->shape.names);

	if (names && prng_below(state, 4) == 0)
		return (struct range){ LAYOUT_NAMES, LAYOUT_NAMES + names };
	switch (prng_below(state, 10)) {
	case 0:
		return (struct range){ 0, offsetof(struct header, unused) };
	case 1:
		return (struct range){ offsetof(struct header, k_now),
				       sizeof(struct header) };
	case 2:
		return (struct range){ sizeof(struct header), words };
	case 3:
	case 4:
	case 5:
	case 6:
		return (struct range){ words, image->own };
	case 7:
	case 8:
		return (struct range){ image->own, image->size };
	default:
		return (struct range){ 0, image->size };
	}
}

/* Returns a number near some limit, possibly shifted, or a random number. */
static uint64_t interesting(uint64_t *state)
{
	static const uint64_t numbers[] = {
		0,
		1,
		2,
		3,
		4,
		IMAGE_MEMBERS,
		IMAGE_MEMBERS + 1,
		7,
		8,
		63,
		64,
		127,
		255,
		256,
		1023,
		1024,
		4095,
		4096,
		46341,
		65534,
		65535,
		65536,
		INT32_MAX,
		UINT64_C(1) << 31,
		UINT32_MAX,
		UINT64_C(1) << 32,
		INT64_MAX,
		UINT64_C(1) << 63,
		UINT64_MAX - 1,
		UINT64_MAX,
	};
	uint64_t number =
		numbers[prng_below(state, sizeof numbers / sizeof *numbers)];

	switch (prng_below(state, 4)) {
	case 0:
		return number;
	case 1:
		return number << prng_below(state, 64);
	case 2:
		return number << prng_below(state, 17) | prng_below(state, 16);
	default:
		return prng_next(state);
	}
}

/* Returns a place in the range at which `size` bytes fit.  If the range is too
 * small, the place is between the start of the mutant and the end of the range.
 * Returns NULL if there is no such place. */
static unsigned char *place(struct mutant *m, struct range range, size_t size,
			    uint64_t *state)
{
	size_t end = range.end < m->size ? range.end : m->size, at;

	if (range.from + size > end)
		range.from = 0;
	if (range.from + size > end)
		return NULL;
	at = range.from + prng_below(state, end - range.from - size + 1);
	return m->bytes + at / size * size;
}

static void flip_bits(struct mutant *m, struct range range, uint64_t *state)
{
	for (unsigned i = 1 + prng_below(state, 8); i > 0; i--) {
		unsigned char *byte = place(m, range, 1, state);

		if (byte)
			*byte ^= (unsigned char)(1 << prng_below(state, 8));
	}
}

static void overwrite(struct mutant *m, struct range range, uint64_t *state)
{
	size_t size = (size_t)1 << prng_below(state, 4);
	unsigned char *at = place(m, range, size, state);
	uint64_t v = interesting(state);

	if (at)
		memcpy(at, &v, size);
}

static void add_a_little(struct mutant *m, struct range range, uint64_t *state)
{
	unsigned char *at = place(m, range, 8, state);
	uint64_t v;

	if (!at)
		return;
	memcpy(&v, at, sizeof v);
	v += ((uint64_t)prng_below(state, 9) - 4)
	     << (prng_below(state, 2) ? 0 : prng_below(state, 64));
	memcpy(at, &v, sizeof v);
}

/* Copies bytes from one place to another, or swaps them. */
static void copy_or_swap(struct mutant *m, struct range range, uint64_t *state)
{
	static const size_t sizes[] = { 8, 16, 64, 256 };
	size_t size = sizes[prng_below(state, 4)];
	unsigned char *to = place(m, range, size, state);
	unsigned char *from = place(m, (struct range){ 0, m->size }, size,
				    state);
	unsigned char kept[256];

	if (!to || !from)
		return;
	memcpy(kept, to, size);
	memmove(to, from, size);
	if (prng_below(state, 2))
		memcpy(from, kept, size);
}

static void fill_block(struct mutant *m, struct range range, uint64_t *state)
{
	static const size_t sizes[] = { 16, 64, 256, 4096 };
	size_t size = sizes[prng_below(state, 4)];
	unsigned char *at = place(m, range, size, state);
	unsigned kind = prng_below(state, 3);

	for (size_t i = 0; at && i < size; i++)
		at[i] = kind == 0   ? 0
			: kind == 1 ? 0xff
				    : (unsigned char)prng_next(state);
}

static void cut(struct mutant *m, uint64_t *state)
{
	size_t size = prng_below(state, 3)
			      ? prng_below(state, 2 * m->size)
			      : m->size + prng_below(state, 17) - 8;

	if (size > sizeof m->bytes)
		size = sizeof m->bytes;
	if (size > m->size)
		memset(m->bytes + m->size, 0, size - m->size);
	m->size = size;
}

/* Copies the other image's shape, algorithm and slot names. */
static void copy_shape(struct mutant *m, const struct image *other)
{
	const size_t length = names_length(other->shape.names);
	struct header *h = (struct header *)(void *)m->bytes;

	memcpy(h, other->bytes, offsetof(struct header, abi));
	h->names = (uint32_t)length;
	if (LAYOUT_NAMES + length <= m->size && length)
		memcpy(m->bytes + LAYOUT_NAMES, other->shape.names, length);
}

/* The slot names of the mutant; NULL: there are none, or they do not lie in the
 * file. */
static const char *names_of(const struct mutant *m)
{
	static char text[MUTANT_MOST + 1];
	const struct header *h = (const struct header *)(const void *)m->bytes;

	if (!h->names || h->names > MUTANT_MOST ||
	    LAYOUT_NAMES + h->names > m->size)
		return NULL;
	memcpy(text, m->bytes + LAYOUT_NAMES, h->names);
	text[h->names] = '\0';
	return text;
}

/*
 * Writes another shape or another algorithm into the header, as an attacker
 * would, and makes the file as large as the new shape needs.  The other bytes
 * do not change.
 */
static void reshape(struct mutant *m, uint64_t *state)
{
	const struct image *other = image_at(prng_below(state, IMAGE_MOST));
	struct header *h = (struct header *)(void *)m->bytes;
	uint32_t *const fields[] = { &h->kind,    &h->k,        &h->k_max,
				     &h->members, &h->sessions, &h->names };
	const struct algorithm *algorithm;
	struct atmost_shape wanted;
	struct shape shape;
	struct layout layout;
	size_t size;

	if (m->size < sizeof *h)
		return;
	if (prng_below(state, 2)) {
		copy_shape(m, other);
	} else {
		uint32_t v = (uint32_t)interesting(state);

		*fields[prng_below(state, 6)] = prng_below(state, 2) ? v
								     : v % 9;
	}
	h->algorithm[sizeof h->algorithm - 1] = '\0';
	wanted = (struct atmost_shape){ (enum atmost_kind)h->kind,
					h->k,
					h->k_max,
					h->members,
					h->sessions,
					h->algorithm,
					names_of(m) };
	if (shape_resolve(&algorithm, &shape, &wanted) != 0)
		return;
	shape.object = wanted.kind == ATMOST_OBJECT ? &image_object : NULL;
	if (!layout_compute(&layout, algorithm, &shape,
			    names_length(wanted.names)))
		return;
	size = layout.size;
	h->size = size;
	if (size > sizeof m->bytes)
		return;
	if (size > m->size)
		memset(m->bytes + m->size, 0, size - m->size);
	m->size = size;
}

static void mutate_once(struct mutant *m, const struct image *image,
			uint64_t *state)
{
	struct range range = choose_part(image, state);

	switch (prng_below(state, 12)) {
	case 0:
	case 1:
		flip_bits(m, range, state);
		break;
	case 2:
	case 3:
	case 4:
	case 5:
		overwrite(m, range, state);
		break;
	case 6:
	case 7:
		add_a_little(m, range, state);
		break;
	case 8:
	case 9:
		copy_or_swap(m, range, state);
		break;
	case 10:
		fill_block(m, range, state);
		break;
	default:
		if (prng_below(state, 4))
			reshape(m, state);
		else
			cut(m, state);
	}
}

void mutate(struct mutant *mutant, const struct image *image, uint64_t *state)
{
	static const unsigned often[] = { 1, 1, 2, 3, 5, 8, 20 };
	unsigned times = often[prng_below(state, 7)];

	memcpy(mutant->bytes, image->bytes, image->size);
	mutant->size = image->size;
	while (times-- > 0)
		mutate_once(mutant, image, state);
	/*
	 * With a wrong checksum no call would read anything behind the header,
	 * so most mutants get the right checksum.
	 */
	if (prng_below(state, 16))
		mutate_sign(mutant->bytes, mutant->size);
}
