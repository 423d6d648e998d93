/* SPDX-License-Identifier: BSD-2-Clause */
/* The registry as the command sees it. */
#include "algorithms/registry.h"
#include "checker/lab.h"

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
