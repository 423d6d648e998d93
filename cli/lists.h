/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of names in one text. */
#ifndef ATMOST_CLI_LISTS_H
#define ATMOST_CLI_LISTS_H

enum { LIST = 512 }; /* room of a list */

void list_append(char *list, const char *separator, const char *name);

void list_promises(unsigned promises, const char *separator, char *list);

/* Without what nearly all promise, and what follows from something else. */
void list_telling_promises(unsigned promises, char *list);

void list_primitives(unsigned primitives, char *list);

#endif
