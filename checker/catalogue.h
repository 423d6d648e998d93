/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives the command access to the registry: algorithms, properties and
 * primitives. */
#ifndef ATMOST_CHECKER_CATALOGUE_H
#define ATMOST_CHECKER_CATALOGUE_H

#include "checker/lab_types.h"

/* Return the number of properties; the name of a property; and the number of
 * the property with this name, or -1 if there is none. */
LAB_API unsigned lab_property_count(void);
LAB_API const char *lab_property_name(unsigned number);
LAB_API int lab_property_number(const char *name);

/* Describe the i-th algorithm.  Returns false if there are fewer. */
LAB_API bool lab_algorithm_at(size_t i, struct lab_algorithm *to);

/* Describe the algorithm with this name, which may be the name of a
 * composition.  Returns false if there is no such algorithm. */
LAB_API bool lab_algorithm_named(const char *name, struct lab_algorithm *to);

/* Returns the name of the i-th algorithm that can be the component of `name`,
 * or NULL if there are fewer. */
LAB_API const char *lab_component_at(const char *name, size_t i);
LAB_API const char *lab_primitive_name(unsigned bit);

/* Write the registered names nearest to a mistyped name, as a list for a
 * message. */
LAB_API void lab_nearest_algorithm(const char *name, char *list, size_t size);
LAB_API void lab_nearest_property(const char *name, char *list, size_t size);

#endif
