/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/enter/door.h"

#include "bench/common/section.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool complain(const char *what)
{
	fprintf(stderr, "enter: %s: %s\n", what, atmost_detail());
	return false;
}

static bool open_ours(struct door *d, unsigned n, unsigned k, bool processes)
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
		snprintf(d->pool, sizeof d->pool, "bench-enter-%d-%u",
			 (int)getpid(), number++);
	error = processes ? atmost_open(&d->object, d->pool, &shape)
			  : atmost_create(&d->object, &shape);
	return error == 0 || complain("a pool");
}

bool door_open(struct door *d, const struct rival *rival, unsigned n,
	       unsigned k, bool processes)
{
	*d = (struct door){ .name = rival ? rival->name : OURS,
			    .rival = rival };
	if (!rival)
		return open_ours(d, n, k, processes);
	d->size = rival->size(n);
	d->shared = mmap(NULL, d->size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (d->shared != MAP_FAILED && rival->open(d->shared, n, k, processes))
		return true;
	perror(rival->name);
	return false;
}

struct door door_again(const struct door *d, const char *name)
{
	struct door again = *d;

	again.name = name;
	again.lent = true;
	return again;
}

void door_remove_name(struct door *d)
{
	if (d->pool[0])
		atmost_unlink(d->pool);
	d->pool[0] = '\0';
}

void door_close(struct door *d)
{
	if (d->lent)
		return;
	atmost_close(d->object);
	door_remove_name(d);
	if (!d->rival)
		return;
	d->rival->close(d->shared);
	munmap(d->shared, d->size);
}

void doors_abandon(void)
{
	rival_semop.abandon();
}

bool guest_join(struct guest *g, const struct door *d, unsigned id)
{
	*g = (struct guest){ .door = d, .id = id };
	if (!d->rival && atmost_join(d->object, &g->me) < 0)
		return complain("a member");
	return true;
}

void guest_part(struct guest *g)
{
	atmost_part(g->me);
}

bool sleeps(pid_t pid, pid_t tid)
{
	char path[64], state = '?';
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid,
		 (int)tid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	fclose(file);
	return state == 'S';
}

void wait_until_asleep(pid_t pid, pid_t tid)
{
	enum { LOOK = 200000 }; /* ns */

	while (!sleeps(pid, tid))
		section_sleep(LOOK);
}
