/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loader LIBRARY: loads libatmost at run time, as a plug-in or a language
 * binding does, uses it in a thread, unloads it, and lets the thread end.  The
 * program does this several times; no round must be affected by the round
 * before.
 */
#define _GNU_SOURCE
#include <atmost/atmost.h>

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;
static sem_t joined, unloaded;

static void fail(const char *what)
{
	fprintf(stderr, "loader: %s\n", what);
	exit(1);
}

/* POSIX allows dlsym to return functions; ISO C has no cast for that. */
static void find(const char *name, void *function)
{
	void *found = dlsym(library, name);

	if (!found)
		fail(dlerror());
	memcpy(function, &found, sizeof found);
}

static void *use(void *unused)
{
	const struct atmost_shape shape = { .kind = ATMOST_MUTEX };
	const struct atmost_shape wrong = { .kind = ATMOST_EXCLUSION };
	int (*create)(struct atmost **, const struct atmost_shape *);
	int (*join)(struct atmost *, struct atmost_member **);
	int (*enter)(struct atmost_member *, const struct atmost_want *);
	const char *(*detail)(void);
	struct atmost_member *me;
	struct atmost *pool;

	find("atmost_create", &create);
	find("atmost_join", &join);
	find("atmost_enter", &enter);
	find("atmost_detail", &detail);
	/* The thread gets an error message and a member, which both end with
	 * the thread. */
	if (create(&pool, &wrong) != ATMOST_ESHAPE || !*detail())
		fail("a shape without k was accepted");
	if (create(&pool, &shape) < 0 || join(pool, &me) < 0 ||
	    enter(me, NULL) < 0)
		fail(detail());
	sem_post(&joined);
	sem_wait(&unloaded);
	return unused;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		fail("usage: loader LIBRARY");
	sem_init(&joined, 0, 0);
	sem_init(&unloaded, 0, 0);
	for (int i = 0; i < 3; i++) {
		pthread_t thread;

		library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
		if (!library)
			fail(dlerror());
		if (pthread_create(&thread, NULL, use, NULL) != 0)
			fail("no thread");
		sem_wait(&joined);
		dlclose(library);
		sem_post(&unloaded);
		pthread_join(thread, NULL);
	}
	puts("loaded three times");
	return 0;
}
