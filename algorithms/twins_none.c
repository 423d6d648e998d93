/* SPDX-License-Identifier: BSD-2-Clause */
/* The registry's list of broken twins in a build that has none. */
#include "algorithms/registry.h"

extern const struct algorithm *const registry_twins[];
extern const size_t registry_twin_count;

const struct algorithm *const registry_twins[] = { NULL };
const size_t registry_twin_count = 0;
