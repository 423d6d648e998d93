/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An instance of a contender, and a worker's handle to it.  A contender is a
 * rival (bench/rivals) or a pool of the library.  The program uses the pool
 * through the shared library, as any other program does.
 */
#ifndef ATMOST_BENCH_ENTER_INSTANCE_H
#define ATMOST_BENCH_ENTER_INSTANCE_H

#include "atmost/atmost.h"
#include "bench/rivals/rival.h"

/* The algorithm that is measured. */
#define OURS "roster"

struct instance {
	const char *name;
	const struct rival *rival; /* NULL: a pool */
	void *shared;
	size_t size;
	struct atmost *pool;
	char pool_name[64]; /* "": the pool was created, not opened */
	bool is_alias;      /* an alias, such as "sem_t again" */
};

/*
 * Opens an instance.  Must be called before the workers are forked.  If rival
 * is NULL, the instance is a pool.  A pool for processes is opened by a name,
 * which instance_close removes.  Returns false, with an error message on
 * stderr, on failure.
 */
bool instance_open(struct instance *i, const struct rival *rival, unsigned n,
		   unsigned k, bool processes);

/* Returns the same instance under another name. */
struct instance instance_alias(const struct instance *i, const char *name);

/*
 * Removes the pool's name.  Members can still enter and leave, but no worker
 * can join the pool any more.
 */
void instance_remove_name(struct instance *i);

void instance_close(struct instance *i);

/*
 * Removes everything that would outlive the program; signal handlers can call
 * this function.
 */
void instances_clean_up(void);

struct handle {
	const struct instance *instance;
	struct atmost_member *me;
	unsigned id;
};

/*
 * Joins the instance.  Must be called in the thread that will enter.  Returns
 * false, with an error message on stderr, on failure.
 */
bool handle_join(struct handle *h, const struct instance *i, unsigned id);

static inline void handle_part(struct handle *h)
{
	atmost_part(h->me);
}

static inline void handle_enter(const struct handle *h)
{
	if (h->me)
		atmost_enter(h->me, NULL);
	else
		h->instance->rival->enter(h->instance->shared, h->id, 1);
}

static inline void handle_leave(const struct handle *h)
{
	if (h->me)
		atmost_leave(h->me);
	else
		h->instance->rival->leave(h->instance->shared, h->id, 1);
}

#endif
