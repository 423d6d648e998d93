/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/not_run.h"

#include "cli/safe_text.h"

#include <atmost/atmost.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True: a directory of $PATH has a file of this name, executable or not. */
static bool is_in_path(const char *command)
{
	const char *path = getenv("PATH"), *next;
	char file[PATH_MAX];

	for (; path; path = next ? next + 1 : NULL) {
		next = strchr(path, ':');
		snprintf(file, sizeof file, "%.*s/%s",
			 (int)(next ? next - path : (ptrdiff_t)strlen(path)),
			 path, command);
		if (access(file, F_OK) == 0)
			return true;
	}
	return false;
}

int not_run_report(const char *command, int error)
{
	if (error == NOT_ENTRUSTED) {
		fputs("atmost run: ", stderr);
		safe_text_print(stderr, atmost_detail());
		fputc('\n', stderr);
		return NOT_RUN;
	}
	/* execvp also fails with EACCES if no directory of $PATH has the
	 * command and this user is not allowed to search one of the
	 * directories. */
	if (error == EACCES && !strchr(command, '/') && !is_in_path(command))
		error = ENOENT;
	fputs("atmost run: ", stderr);
	safe_text_print(stderr, command);
	fprintf(stderr, ": %s\n",
		error == ENOENT ? "command not found" : strerror(error));
	return error == ENOENT ? NOT_FOUND : NOT_RUN;
}
