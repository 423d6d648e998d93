/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which process this is: whether it is still the one that did something, or a
 * child that has a copy of its memory.
 *
 * getpid does not tell: a child may have been made without the handlers of
 * pthread_atfork (_Fork, clone), and pids are used again.  A page that the
 * kernel wipes in every child does.
 */
#ifndef ATMOST_RUNTIME_PROCESS_H
#define ATMOST_RUNTIME_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/*
 * A number that no ancestor had; 0: out of memory.  A child of vfork, which
 * shares its parent's memory, has its parent's.
 */
uint64_t process_generation(void);

/* Zeroed memory that is zero again in every child; NULL: out of memory. */
void *process_allocate(size_t size);
void process_free(void *memory, size_t size);

#endif
