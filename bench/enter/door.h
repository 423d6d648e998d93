/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A contender's instance, and who stands before it.  Rivals are bench/rivals;
 * the library is used as any program uses it, through its shared object.
 */
#ifndef ATMOST_BENCH_ENTER_DOOR_H
#define ATMOST_BENCH_ENTER_DOOR_H

#include "atmost/atmost.h"
#include "bench/rivals/rival.h"

/* The algorithm that is measured. */
#define OURS "roster"

struct door {
	const char *name;
	const struct rival *rival; /* NULL: the library's */
	void *shared;
	size_t size;
	struct atmost *object;
	char pool[64]; /* the name it was opened by; "": it was created */
	bool lent;     /* is another's: "sem_t again" */
};

/*
 * Before anybody forks.  rival NULL: a pool of the library, for processes opened
 * by a name that door_close removes.  False: it says why on stderr.
 */
bool door_open(struct door *d, const struct rival *rival, unsigned n,
	       unsigned k, bool processes);

/* The same once more, under another name. */
struct door door_again(const struct door *d, const char *name);

/* Members go on; nobody can join any more. */
void door_remove_name(struct door *d);

void door_close(struct door *d);

/* For signal handlers and exit. */
void doors_abandon(void);

struct guest {
	const struct door *door;
	struct atmost_member *me;
	unsigned id;
};

/* By the thread that will enter.  False: it says why on stderr. */
bool guest_join(struct guest *g, const struct door *d, unsigned id);
void guest_part(struct guest *g);

static inline void guest_enter(const struct guest *g)
{
	if (g->me)
		atmost_enter(g->me, NULL);
	else
		g->door->rival->enter(g->door->shared, g->id, 1);
}

static inline void guest_leave(const struct guest *g)
{
	if (g->me)
		atmost_leave(g->me);
	else
		g->door->rival->leave(g->door->shared, g->id, 1);
}

/* Whether thread `tid` of process `pid` sleeps, as the kernel tells. */
bool sleeps(pid_t pid, pid_t tid);

/* Until it does. */
void wait_until_asleep(pid_t pid, pid_t tid);

#endif
