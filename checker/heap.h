/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for large tables: the whole size is reserved at once, and the
 * operating system provides a page when the page is first touched.  A heap
 * hands out this memory like a stack: the user of the heap gives back the
 * newest pieces by setting `used` to an earlier value.
 */
#ifndef ATMOST_CHECKER_HEAP_H
#define ATMOST_CHECKER_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

struct heap {
	char *base;
	size_t used, size;
};

/* Returns zeroed memory, private to this process, or NULL if there is not
 * enough memory. */
static inline void *heap_reserve(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

static inline void heap_release(void *at, size_t size)
{
	if (at)
		munmap(at, size);
}

static inline bool heap_open(struct heap *heap, size_t size)
{
	heap->base = heap_reserve(size);
	heap->used = 0;
	heap->size = size;
	return heap->base != NULL;
}

static inline void heap_close(struct heap *heap)
{
	heap_release(heap->base, heap->size);
}

/* The caller makes sure that `size` bytes are left. */
static inline void *heap_take(struct heap *heap, size_t size)
{
	void *at = heap->base + heap->used;

	heap->used += (size + 15) & ~(size_t)15;
	return at;
}

#endif
