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

bool lab_algorithm_at(size_t i, struct lab_algorithm *to)
{
	const struct algorithm *a = registry_at(i);

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
		.rmr_cc = a->rmr_cc.text,
		.rmr_dsm = a->rmr_dsm.text,
	};
	return true;
}
