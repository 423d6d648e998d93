/* SPDX-License-Identifier: BSD-2-Clause */
/* What was probably meant: the names least edits away. */
#include "algorithms/registry.h"
#include "checker/lab.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

/* Levenshtein's distance. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[LONGEST + 1];
	size_t m = strlen(a), n = strlen(b);

	if (m > LONGEST || n > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= n; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++) {
		unsigned corner = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= n; j++) {
			unsigned above = row[j];
			unsigned best = corner + (a[i - 1] != b[j - 1]);

			best = above + 1 < best ? above + 1 : best;
			best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
			row[j] = best;
			corner = above;
		}
	}
	return row[n];
}

struct nearest {
	const char *name[3];
	unsigned distance[3];
	unsigned count;
};

static void consider(struct nearest *n, const char *wanted, const char *name)
{
	unsigned d = distance(wanted, name), i;

	/* What is contained in the other counts as close. */
	if (strstr(name, wanted) || strstr(wanted, name))
		d = d < 2 ? d : 2;
	for (i = n->count < 3 ? n->count : 3; i > 0; i--) {
		if (n->distance[i - 1] <= d)
			break;
		if (i < 3) {
			n->distance[i] = n->distance[i - 1];
			n->name[i] = n->name[i - 1];
		}
	}
	if (i < 3) {
		n->name[i] = name;
		n->distance[i] = d;
		n->count += n->count < 3;
	}
}

static void write_list(const struct nearest *n, char *list, size_t size)
{
	size_t used = (size_t)snprintf(list, size, "nearest:");

	for (unsigned i = 0; i < n->count && used < size; i++)
		used += (size_t)snprintf(list + used, size - used, "%s %s",
					 i ? "," : "", n->name[i]);
}

void lab_nearest_algorithm(const char *name, char *list, size_t size)
{
	struct nearest n = { { 0 }, { 0 }, 0 };
	const struct algorithm *a;

	for (size_t i = 0; (a = registry_at(i)) != NULL; i++)
		consider(&n, name, a->name);
	write_list(&n, list, size);
}

void lab_nearest_property(const char *name, char *list, size_t size)
{
	struct nearest n = { { 0 }, { 0 }, 0 };

	for (unsigned i = 0; i < PROPERTY_COUNT; i++)
		consider(&n, name, registry_property_name(i));
	write_list(&n, list, size);
}
