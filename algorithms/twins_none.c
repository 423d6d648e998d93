/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Defines an empty list of broken twins for the registry, in a build without
 * twins.
 */
#include "algorithms/registry.h"

extern const struct algorithm *const registry_twins[];
extern const size_t registry_twin_count;

const struct algorithm *const registry_twins[] = { NULL };
const size_t registry_twin_count = 0;
