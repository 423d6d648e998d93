/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/object.h"

#include "runtime/choose.h"
#include "runtime/error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 64 };

static size_t round_up(size_t size)
{
	return (size + LINE - 1) / LINE * LINE;
}

bool object_lay_out(struct layout *layout, const struct algorithm *algorithm,
		    const struct shape *shape)
{
	unsigned own = algorithm->own_words ? algorithm->own_words(shape) : 0;
	size_t own_size;

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
	return !__builtin_add_overflow(layout->own, own_size, &layout->size);
}

void object_prepare(char *memory, const struct layout *layout,
		    const struct algorithm *algorithm,
		    const struct shape *shape)
{
	struct word *bell = (struct word *)(void *)memory;
	void *words = memory + layout->words;

	mem_lay(words, layout->word_count, bell);
	algorithm->init(words, shape);
}

int atmost_create(struct atmost **object, const struct atmost_shape *wanted)
{
	const struct algorithm *algorithm;
	struct shape shape;
	struct layout layout;
	struct atmost *made;
	int error = choose_algorithm(&algorithm, &shape, wanted);

	if (error)
		return error;
	if (!object_lay_out(&layout, algorithm, &shape))
		return error_is(ATMOST_ENOMEM);
	made = calloc(1, sizeof *made + shape.n * sizeof *made->members);
	if (!made)
		return error_is(ATMOST_ENOMEM);
	made->algorithm = algorithm;
	made->shape = shape;
	made->layout = layout;
	made->pid = getpid();
	made->memory = aligned_alloc(LINE, layout.size);
	if (!made->memory) {
		error = error_is(ATMOST_ENOMEM);
		goto free_object;
	}
	memset(made->memory, 0, layout.size);
	object_prepare(made->memory, &layout, algorithm, &made->shape);
	pthread_mutex_init(&made->lock, NULL); /* cannot fail on Linux */
	*object = made;
	return 0;
free_object:
	free(made);
	return error;
}

void atmost_close(struct atmost *object)
{
	if (!object)
		return;
	for (unsigned id = 0; id < object->shape.n; id++)
		free(object->members[id]);
	pthread_mutex_destroy(&object->lock);
	free(object->memory);
	free(object);
}
