/* SPDX-License-Identifier: BSD-2-Clause */
/* What was probably meant. */
#ifndef ATMOST_CLI_NEAREST_H
#define ATMOST_CLI_NEAREST_H

/* The one of `names` (ended by NULL) nearest to what was typed, or NULL. */
const char *nearest_name(const char *typed, const char *const *names);

#endif
