/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ATMOST_TESTS_LITMUS_EXECUTIONS_H
#define ATMOST_TESTS_LITMUS_EXECUTIONS_H

#include "figure.h"

/*
 * Tries all executions of the program.  Returns true if C11 allows an execution
 * that ends with the program's outcome.
 */
bool executions_allow_outcome(const struct program *program);

#endif
