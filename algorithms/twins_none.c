/* SPDX-License-Identifier: BSD-2-Clause */
/* The registry's list of broken twins, for a build without twins. */
#include "algorithms/registry.h"

extern const struct algorithm *const registry_twins[];
extern const size_t registry_twin_count;

const struct algorithm *const registry_twins[] = { NULL };
const size_t registry_twin_count = 0;
