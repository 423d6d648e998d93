/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/process.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The kernel wipes the page in a child: there the generation is 0 until the
 * child first calls process_generation. */
struct page {
	uint64_t generation;
	uint64_t room[PROCESS_ROOM / sizeof(uint64_t)];
	_Alignas(128) unsigned char spare[2048];
};

static struct page *page;
static uint64_t generations; /* how many generations this process and its
				ancestors have used */

/* True: process_allocate has given the spare memory away.  This variable is not
 * in the page, so a child inherits its value: the child must not use the
 * address of an inherited member for a new member. */
static bool spare_is_taken;

/* With MAP_POPULATE the first accesses cause no page faults. */
static void *map_pages(size_t size)
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

static struct page *get_page(void)
{
	struct page *there = __atomic_load_n(&page, __ATOMIC_SEQ_CST);
	struct page *ours;

	if (there)
		return there;
	ours = map_pages(sizeof *ours);
	if (ours &&
	    !__atomic_compare_exchange_n(&page, &there, ours, false,
					 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
		munmap(ours, sizeof *ours);
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

/* Most processes have one member, for which the spare memory is enough: then
 * this function asks the kernel for nothing. */
void *process_allocate(size_t size)
{
	struct page *p = get_page();

	if (p && size <= sizeof p->spare &&
	    !__atomic_test_and_set(&spare_is_taken, __ATOMIC_SEQ_CST))
		return p->spare;
	return map_pages(size);
}

void process_free(void *memory, size_t size)
{
	struct page *p = get_page();

	if (!p || memory != p->spare) {
		munmap(memory, size);
		return;
	}
	memset(memory, 0, size);
	__atomic_clear(&spare_is_taken, __ATOMIC_SEQ_CST);
}
