/* SPDX-License-Identifier: BSD-2-Clause */
/* Joins names into one text: "a, b, c". */
#ifndef ATMOST_CLI_JOIN_H
#define ATMOST_CLI_JOIN_H

enum { JOIN_SIZE = 512 }; /* size of a list's buffer, in bytes */

/* Appends a name, after the separator if the list is not empty. */
void join_append(char *list, const char *separator, const char *name);

void join_promises(unsigned promises, const char *separator, char *list);

/* Like join_promises, but leaves out the promises of nearly every algorithm,
 * and promises that follow from a stronger one. */
void join_distinctive_promises(unsigned promises, char *list);

void join_primitives(unsigned primitives, char *list);

#endif
