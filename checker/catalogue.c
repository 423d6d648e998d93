/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/catalogue.h"

#include "algorithms/distance.h"
#include "algorithms/registry.h"

#include <stdio.h>
#include <string.h>

unsigned lab_property_count(void)
{
	return PROPERTY_COUNT;
}

const char *lab_property_name(unsigned number)
{
	return registry_property_name(number);
}

int lab_property_number(const char *name)
{
	return registry_property_number(name);
}

const char *lab_primitive_name(unsigned bit)
{
	return registry_primitive_name(bit);
}

static bool describe(const struct algorithm *a, struct lab_algorithm *to)
{
	if (!a)
		return false;
	*to = (struct lab_algorithm){
		.name = a->name,
		.source = a->source,
		.kind = registry_kind_name(a->kind),
		.promises = a->promises,
		.primitives = a->primitives,
		.simulated_only = a->simulated_only,
		.native = algorithm_is_native(a),
		.over_store = a->over_store,
		.abortable = a->abort != NULL,
		.recoverable = a->recover != NULL,
		.tolerates_crashes = a->tolerates_crashes,
		.finite_state = a->finite_state,
		.is_twin = strchr(a->name, '~') != NULL,
		.rmr_cc = a->bounds.rmr_cc.text,
		.rmr_dsm = a->bounds.rmr_dsm.text,
		.rmr_cc_smart = a->bounds.rmr_cc_smart.text,
		.bound_cc = a->bounds.rmr_cc.most != NULL,
		.bound_dsm = a->bounds.rmr_dsm.most != NULL,
		.component = a->composition.component
				     ? a->composition.component->name
				     : NULL,
	};
	return true;
}

bool lab_algorithm_at(size_t i, struct lab_algorithm *to)
{
	return describe(registry_at(i), to);
}

bool lab_algorithm_named(const char *name, struct lab_algorithm *to)
{
	return describe(registry_find(name), to);
}

const char *lab_component_at(const char *name, size_t i)
{
	const struct algorithm *a = registry_find(name);

	a = a ? registry_composed_at(a, i) : NULL;
	return a ? a->composition.component->name : NULL;
}

/* The registered names that are the fewest edits away from a mistyped name. */
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

/* If the part before the slash names an algorithm, consider its
 * compositions. */
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
