/* SPDX-License-Identifier: BSD-2-Clause */
/* Which pools there are, and who is in one. */
#include "cli/plain.h"
#include "cli/pool.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More may come between asking how many and asking whom: some room for them. */
enum { SOME = 16 };

int pool_look(struct atmost *pool, struct pool_view *view)
{
	int count = atmost_inspect(pool, &view->shape);
	unsigned capacity;

	view->seats = NULL;
	if (count < 0)
		return count;
	count = atmost_status(pool, NULL, 0, &view->totals);
	if (count < 0)
		return count;
	capacity = (unsigned)count + SOME;
	view->seats = calloc(capacity, sizeof *view->seats);
	if (!view->seats)
		return ATMOST_ENOMEM;
	view->shape.k = view->totals.k;
	if (count > 0) {
		unsigned found = view->totals.found;

		count = atmost_status(pool, view->seats, capacity,
				      &view->totals);
		view->totals.found += found;
	}
	if (count < 0) {
		pool_view_free(view);
		return count;
	}
	view->count = (unsigned)count < capacity ? (unsigned)count : capacity;
	return 0;
}

void pool_view_free(struct pool_view *view)
{
	free(view->seats);
	view->seats = NULL;
}

double pool_seconds(struct timespec since)
{
	struct timespec now;
	double seconds;

	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = (double)(now.tv_sec - since.tv_sec) +
		  (double)(now.tv_nsec - since.tv_nsec) / 1e9;
	return seconds > 0 ? seconds : 0;
}

struct doubt pool_doubt(const struct atmost_seat *seat, const char *pool)
{
	struct doubt doubt;

	if (seat->life == ATMOST_LIFE_UNLOCKED)
		snprintf(doubt.text, sizeof doubt.text,
			 "alive, and has closed atmost's descriptor; its slot "
			 "is kept until it ends");
	else
		snprintf(doubt.text, sizeof doubt.text,
			 "runs in a pid namespace that cannot be seen from "
			 "here; if it has ended, 'atmost repair %s --free %d' "
			 "frees its slot",
			 pool, seat->slot);
	return doubt;
}

struct age pool_age(struct timespec since)
{
	unsigned long s = (unsigned long)pool_seconds(since);
	struct age age;

	if (s < 60)
		snprintf(age.text, sizeof age.text, "%lus", s);
	else if (s < 3600)
		snprintf(age.text, sizeof age.text, "%lum%02lus", s / 60,
			 s % 60);
	else if (s < 86400)
		snprintf(age.text, sizeof age.text, "%luh%02lum", s / 3600,
			 s / 60 % 60);
	else
		snprintf(age.text, sizeof age.text, "%lud%02luh", s / 86400,
			 s / 3600 % 24);
	return age;
}

/* NAME.pool, and atmost_open takes NAME: a pool of another name could not be
 * asked for, and its name may be made to confuse. */
static int is_pool(const struct dirent *entry)
{
	const char *name = entry->d_name;
	const size_t size = strlen(name);
	const size_t length = size > 5 ? size - 5 : 0;

	return length >= 1 && length <= 64 && name[0] != '.' &&
	       strcmp(name + length, ".pool") == 0 &&
	       strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "abcdefghijklmnopqrstuvwxyz"
			    "0123456789._-") >= length;
}

int pool_list(const char *command, char ***names)
{
	char path[PATH_MAX];
	struct dirent **found;
	int count, error = atmost_directory(path, sizeof path);

	if (error)
		return -pool_complain(command, "", error);
	count = scandir(path, &found, is_pool, alphasort);
	if (count < 0 && errno != ENOENT) {
		const char *why = strerror(errno);

		fprintf(stderr, "atmost %s: ", command);
		plain_print(stderr, path);
		fprintf(stderr, ": %s\n", why);
		return -POOL_SYSTEM;
	}
	*names = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof **names);
	if (!*names)
		return -pool_complain(command, "", ATMOST_ENOMEM);
	for (int i = 0; i < count; i++) {
		(*names)[i] = strndup(found[i]->d_name,
				      strlen(found[i]->d_name) - 5);
		free(found[i]);
	}
	if (count < 0)
		return 0;
	free(found);
	return count;
}

void pool_list_free(char **names)
{
	for (size_t i = 0; names[i]; i++)
		free(names[i]);
	free(names);
}
