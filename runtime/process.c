/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/process.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

/* The kernel wipes the page in a child: there the generation is 0 until the
 * child first calls process_generation. */
struct page {
	uint64_t generation;
	uint64_t room[PROCESS_ROOM / sizeof(uint64_t)];
};

static struct page *page;
static uint64_t generations; /* how many generations this process and its
				ancestors have used */

/* With MAP_POPULATE the first accesses cause no page faults. */
void *process_allocate(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

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

static struct page *get_page(void)
{
	struct page *there = __atomic_load_n(&page, __ATOMIC_SEQ_CST);
	struct page *ours;

	if (there)
		return there;
	ours = process_allocate(sizeof *ours);
	if (ours &&
	    !__atomic_compare_exchange_n(&page, &there, ours, false,
					 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
		process_free(ours, sizeof *ours);
		return there;
	}
	return ours;
}

void *process_room(void)
{
	struct page *p = get_page();

	return p ? p->room : NULL;
}

uint64_t process_generation(void)
{
	struct page *p = get_page();
	uint64_t there = 0, next;

	if (!p)
		return 0;
	there = __atomic_load_n(&p->generation, __ATOMIC_SEQ_CST);
	if (there)
		return there;
	next = __atomic_add_fetch(&generations, 1, __ATOMIC_SEQ_CST);
	return __atomic_compare_exchange_n(&p->generation, &there, next, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
		       ? next
		       : there;
}
