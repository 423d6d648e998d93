/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A generation distinguishes a process from its children, which have a copy of
 * its memory.
 *
 * Neither getpid nor pthread_atfork can do that: pids are reused, and _Fork and
 * clone do not call the handlers of pthread_atfork.  Generations use a page
 * that the kernel wipes in every child.
 */
#ifndef ATMOST_RUNTIME_PROCESS_H
#define ATMOST_RUNTIME_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the generation of this process, a number that no ancestor had, or 0
 * if there is no memory.  A child of vfork shares its parent's memory, and has
 * its parent's generation.
 */
uint64_t process_generation(void);

/* Returns the PROCESS_ROOM bytes beside the generation, where identity.c keeps
 * the identity of this process, or NULL if there is no memory.  They are 0 at
 * first, and again in every child. */
enum { PROCESS_ROOM = 64 };
void *process_room(void);

/* Returns zeroed memory, which the kernel zeroes again in every child.  Returns
 * NULL if there is no memory. */
void *process_allocate(size_t size);
void process_free(void *memory, size_t size);

#endif
