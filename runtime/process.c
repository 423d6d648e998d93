/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/process.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

/* The kernel wipes the stamp in a child: there the generation is 0 until the
 * child first calls process_generation. */
struct stamp {
	uint64_t generation;
};

static struct stamp *stamp;
static uint64_t generations; /* how many this process and its ancestors used */

void *process_allocate(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	/* Kernels before Linux 4.14 do not know MADV_WIPEONFORK: they copy the
	 * memory to a child. */
	(void)madvise(memory, size, MADV_WIPEONFORK);
	return memory;
}

void process_free(void *memory, size_t size)
{
	munmap(memory, size);
}

static struct stamp *get_stamp(void)
{
	struct stamp *there = __atomic_load_n(&stamp, __ATOMIC_SEQ_CST);
	struct stamp *ours;

	if (there)
		return there;
	ours = process_allocate(sizeof *ours);
	if (ours &&
	    !__atomic_compare_exchange_n(&stamp, &there, ours, false,
					 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
		process_free(ours, sizeof *ours);
		return there;
	}
	return ours;
}

uint64_t process_generation(void)
{
	struct stamp *s = get_stamp();
	uint64_t there = 0, next;

	if (!s)
		return 0;
	there = __atomic_load_n(&s->generation, __ATOMIC_SEQ_CST);
	if (there)
		return there;
	next = __atomic_add_fetch(&generations, 1, __ATOMIC_SEQ_CST);
	return __atomic_compare_exchange_n(&s->generation, &there, next, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
		       ? next
		       : there;
}
