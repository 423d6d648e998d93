/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/layout.h"

enum { LINE = 64 };

static size_t round_up(size_t size)
{
	return (size + LINE - 1) / LINE * LINE;
}

bool layout_compute(struct layout *layout, const struct algorithm *algorithm,
		    const struct shape *shape)
{
	unsigned own = algorithm->own_words ? algorithm->own_words(shape) : 0;
	size_t own_size, after = 0;

	layout->words = LINE;
	layout->word_count = algorithm->words(shape);
	/* A word tells the way to the bell in 31 bits. */
	if (layout->word_count > INT32_MAX - LINE)
		return false;
	layout->own = layout->words +
		      round_up(layout->word_count * sizeof(struct word));
	layout->own_each = round_up(own * sizeof(uint64_t));
	if (__builtin_mul_overflow(layout->own_each, shape->n, &own_size))
		return false;
	if (__builtin_add_overflow(layout->own, own_size, &layout->lasts))
		return false;
	layout->outcomes = layout->lasts + shape->n * sizeof(struct last);
	if (shape->object)
		after = shape->n * sizeof(struct last) +
			sizeof(struct outcomes);
	return !__builtin_add_overflow(layout->lasts, after, &layout->size);
}

void layout_prepare(char *memory, const struct layout *layout,
		    const struct algorithm *algorithm,
		    const struct shape *shape)
{
	struct word *bell = (struct word *)(void *)memory;
	void *words = memory + layout->words;

	mem_lay(words, layout->word_count, bell);
	algorithm->init(words, shape);
}
