/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/layout.h"

enum { LINE = 64 };

static size_t round_up(size_t size)
{
	return (size + LINE - 1) / LINE * LINE;
}

bool layout_compute(struct layout *layout, const struct algorithm *algorithm,
		    const struct shape *shape, size_t names)
{
	unsigned own = algorithm->own_words ? algorithm->own_words(shape) : 0;
	size_t words, members;

	layout->words = LAYOUT_NAMES + round_up(names);
	layout->word_count = algorithm->words(shape);
	layout->own = sizeof(struct record);
	layout->last = layout->own + round_up(own * sizeof(uint64_t));
	layout->member_each = layout->last +
			      (shape->object ? sizeof(struct last) : 0);
	if (__builtin_mul_overflow(layout->word_count, sizeof(struct word),
				   &words) ||
	    words > PTRDIFF_MAX / 2 ||
	    __builtin_mul_overflow(layout->member_each, shape->n, &members) ||
	    members > PTRDIFF_MAX / 2)
		return false;
	layout->members = layout->words + round_up(words);
	layout->outcomes = layout->members + members;
	layout->size = layout->outcomes +
		       (shape->object ? sizeof(struct outcomes) : 0);
	return layout->size <= PTRDIFF_MAX;
}

void layout_prepare(char *base, const struct layout *layout,
		    const struct algorithm *algorithm,
		    const struct shape *shape)
{
	algorithm->init(base + layout->words, shape);
}

/* Pieces 0 to 2 are the part before the words, the members, and the outcomes.
 * The pieces from 3 on are the words. */
bool layout_extent(const struct layout *layout,
		   const struct algorithm *algorithm, const struct shape *shape,
		   unsigned from, unsigned to, unsigned piece,
		   struct extent *bytes)
{
	const size_t each = layout->member_each;

	switch (piece) {
	case 0:
		*bytes = (struct extent){ 0, layout->words };
		return true;
	case 1: /* a resize uses id n, which has no record */
		if (to > shape->n)
			to = from;
		*bytes = (struct extent){ layout->members + from * each,
					  (to - from) * each };
		return true;
	case 2:
		*bytes = (struct extent){ layout->outcomes,
					  layout->size - layout->outcomes };
		return true;
	}
	if (!algorithm->extent) {
		*bytes = (struct extent){ layout->words,
					  layout->members - layout->words };
		return piece == 3;
	}
	if (!algorithm->extent(shape, from, to, piece - 3, bytes))
		return false;
	bytes->from = layout->words + bytes->from * sizeof(struct word);
	bytes->count *= sizeof(struct word);
	return true;
}
