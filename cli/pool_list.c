/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/pool_list.h"

#include "cli/pool.h"
#include "cli/safe_text.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Leaves out names that atmost_open refuses: no command can use them, and an
 * attacker may have chosen such a name to deceive the user. */
static int is_pool(const struct dirent *entry)
{
	const char *name = entry->d_name;
	const size_t size = strlen(name);
	const size_t length = size > 5 ? size - 5 : 0;

	return length >= 1 && length <= 64 && name[0] != '.' &&
	       strcmp(name + length, ".pool") == 0 &&
	       strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "abcdefghijklmnopqrstuvwxyz"
			    "0123456789._-") >= length;
}

int pool_list(const char *command, char ***names)
{
	char path[PATH_MAX];
	struct dirent **found;
	int count, error = atmost_directory(path, sizeof path);

	if (error)
		return -pool_complain(command, "", error);
	count = scandir(path, &found, is_pool, alphasort);
	if (count < 0 && errno != ENOENT) {
		const int code = errno == EACCES || errno == EPERM
					 ? POOL_FORBIDDEN
					 : POOL_SYSTEM;
		const char *why = strerror(errno);

		fprintf(stderr, "atmost %s: ", command);
		safe_text_print(stderr, path);
		fprintf(stderr, ": %s\n", why);
		return -code;
	}
	*names = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof **names);
	if (!*names)
		return -pool_no_memory(command);
	for (int i = 0; i < count; i++) {
		(*names)[i] = strndup(found[i]->d_name,
				      strlen(found[i]->d_name) - 5);
		free(found[i]);
	}
	if (count < 0)
		return 0;
	free(found);
	return count;
}

void pool_list_free(char **names)
{
	for (size_t i = 0; names[i]; i++)
		free(names[i]);
	free(names);
}
