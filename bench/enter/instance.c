/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/enter/instance.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static bool fail(const char *what)
{
	fprintf(stderr, "enter: %s: %s\n", what, atmost_detail());
	return false;
}

static bool open_pool(struct instance *i, unsigned n, unsigned k,
		      bool processes)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_EXCLUSION,
		.k = k,
		.members = n,
		.algorithm = OURS,
	};
	static unsigned number;
	int error;

	if (processes)
		snprintf(i->pool_name, sizeof i->pool_name, "bench-enter-%d-%u",
			 (int)getpid(), number++);
	error = processes ? atmost_open(&i->pool, i->pool_name, &shape)
			  : atmost_create(&i->pool, &shape);
	return error == 0 || fail("cannot make a pool");
}

bool instance_open(struct instance *i, const struct rival *rival, unsigned n,
		   unsigned k, bool processes)
{
	*i = (struct instance){ .name = rival ? rival->name : OURS,
				.rival = rival };
	if (!rival)
		return open_pool(i, n, k, processes);
	i->size = rival->size(n);
	i->shared = mmap(NULL, i->size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (i->shared != MAP_FAILED && rival->open(i->shared, n, k, processes))
		return true;
	perror(rival->name);
	return false;
}

struct instance instance_alias(const struct instance *i, const char *name)
{
	struct instance alias = *i;

	alias.name = name;
	alias.is_alias = true;
	return alias;
}

void instance_remove_name(struct instance *i)
{
	if (i->pool_name[0])
		atmost_unlink(i->pool_name);
	i->pool_name[0] = '\0';
}

void instance_close(struct instance *i)
{
	if (i->is_alias)
		return;
	atmost_close(i->pool);
	instance_remove_name(i);
	if (!i->rival)
		return;
	i->rival->close(i->shared);
	munmap(i->shared, i->size);
}

void instances_clean_up(void)
{
	rival_semop.abandon();
}

bool handle_join(struct handle *h, const struct instance *i, unsigned id)
{
	*h = (struct handle){ .instance = i, .id = id };
	if (!i->rival && atmost_join(i->pool, &h->me) < 0)
		return fail("cannot join");
	return true;
}
