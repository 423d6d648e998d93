/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The laboratory's commands are in another program, atmost-lab, so that `atmost
 * run` starts without loading the checker.  atmost finds atmost-lab relative to
 * its own file.
 */
#include "cli/command.h"
#include "cli/usage.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where atmost-lab is in the build directory, and in an installation. */
static const char *const places[] = { "atmost-lab", LAB_INSTALLED };

static int exec_lab(char **argv)
{
	char self[PATH_MAX], path[PATH_MAX + sizeof LAB_INSTALLED + 16];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash;

	self[length > 0 ? length : 0] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return internal_error(argv[0],
				      "cannot find the program atmost-lab, "
				      "because /proc is not mounted");
	slash[1] = '\0';
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(path, sizeof path, "%s%s",
			 places[i][0] == '/' ? "" : self, places[i]);
		/* argv[-1] is argv[0] of this process. */
		execv(path, argv - 1);
	}
	return internal_error(argv[0], "cannot run %s: %s", path,
			      strerror(errno));
}

int command_check(int argc, char **argv)
{
	(void)argc;
	return exec_lab(argv);
}

int command_rmr(int argc, char **argv)
{
	(void)argc;
	return exec_lab(argv);
}

int command_trace(int argc, char **argv)
{
	(void)argc;
	return exec_lab(argv);
}

int command_algorithms(int argc, char **argv)
{
	(void)argc;
	return exec_lab(argv);
}

int command_bench(int argc, char **argv)
{
	(void)argc;
	return exec_lab(argv);
}
