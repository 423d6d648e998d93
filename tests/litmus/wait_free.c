/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests the memory orders of algorithms/objects/wait_free.h, L2 to L4 and L11.
 * A writer reads a new value of `current` and then writes a word; if another
 * process reads this word and then reads `current`, it gets that value of
 * `current` or a later value.
 *
 *	P1  current++           W1  c = current          C1  w = word[i]
 *	                        W2  word[i] = c          C2  c = current
 *
 * Here a writer stores the value of `current` that it has read, and `current`
 * only grows, so c is never less than w.  If a process reads in the other order
 * (C2, then C1), c may be less than w.  The test also reads in that order and
 * prints how often c was less.  This shows that the reads do overlap the
 * writes.
 *
 * On a machine that keeps the order of stores, such as x86-64, the test can
 * only show reordering by the compiler.  On other machines it can also show
 * reordering by the processor.
 */
#include "mem.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { WORDS = 16, READS = 20000000 };

static struct {
	_Alignas(64) struct word current;
	_Alignas(64) struct word record[WORDS];
} shared;

static pthread_barrier_t begin;
static atomic_bool over;
static unsigned long old, met;

static void *publish(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&begin);
	while (!atomic_load(&over))
		mem_add(&shared.current, 1);
	return NULL;
}

static void *write_records(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&begin);
	while (!atomic_load(&over)) {
		uint64_t c = mem_read(&shared.current);

		for (unsigned i = 0; i < WORDS; i++)
			mem_write_release(&shared.record[i], c);
	}
	return NULL;
}

static void *copy(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&begin);
	for (unsigned i = 0; i < READS; i++) {
		uint64_t before = mem_read(&shared.current);
		uint64_t w = mem_read(&shared.record[i % WORDS]);
		uint64_t c = mem_read(&shared.current);

		old += c < w;
		met += before < w;
	}
	atomic_store(&over, true);
	return NULL;
}

int main(void)
{
	void *(*const parts[])(void *) = { publish, write_records, copy };
	pthread_t thread[3];

	pthread_barrier_init(&begin, NULL, 3);
	for (unsigned i = 0; i < 3; i++)
		if (pthread_create(&thread[i], NULL, parts[i], NULL) != 0)
			return 2;
	for (unsigned i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("%d reads, the critical moment met %lu times; new words beside "
	       "an old current: %lu\n",
	       READS, met, old);
	return old > 0;
}
