/* SPDX-License-Identifier: BSD-2-Clause */
/* What was probably meant: the names least edits away. */
#include "algorithms/distance.h"
#include "algorithms/registry.h"
#include "checker/lab.h"

#include <stdio.h>
#include <string.h>

struct nearest {
	const char *name[3];
	unsigned distance[3];
	unsigned count;
};

static void consider(struct nearest *n, const char *wanted, const char *name)
{
	unsigned d = distance_of_names(wanted, name), i;

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

/* Over another component, if the owner was typed right. */
static void consider_composed(struct nearest *n, const char *wanted)
{
	size_t length = strcspn(wanted, "/");
	const struct algorithm *base, *a;

	if (!wanted[length])
		return;
	for (size_t i = 0; (base = registry_at(i)) != NULL; i++)
		if (strlen(base->name) == length &&
		    strncmp(base->name, wanted, length) == 0)
			break;
	for (size_t i = 0; base && (a = registry_composed_at(base, i)) != NULL;
	     i++)
		consider(n, wanted, a->name);
}

void lab_nearest_algorithm(const char *name, char *list, size_t size)
{
	struct nearest n = { { 0 }, { 0 }, 0 };
	const struct algorithm *a;

	consider_composed(&n, name);
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
