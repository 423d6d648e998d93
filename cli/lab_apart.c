/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The commands of the laboratory are a program of their own, so that those who
 * only want to run something need not wait until the checker is loaded.  It is
 * found from where we are.
 */
#include "cli/command.h"
#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Beside us as it is built, and where it is installed. */
static const char *const places[] = { "atmost-lab", LAB_INSTALLED };

static int become_lab(char **argv)
{
	char self[PATH_MAX], path[PATH_MAX + sizeof LAB_INSTALLED + 16];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash;

	self[length > 0 ? length : 0] = '\0';
	slash = strrchr(self, '/');
	if (!slash)
		return internal_error(argv[0], "/proc is not there, by which "
					       "the laboratory is found");
	slash[1] = '\0';
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(path, sizeof path, "%s%s",
			 places[i][0] == '/' ? "" : self, places[i]);
		/* argv[-1] is how the user called us. */
		execv(path, argv - 1);
	}
	return internal_error(argv[0], "cannot run %s: %s", path,
			      strerror(errno));
}

int command_check(int argc, char **argv)
{
	(void)argc;
	return become_lab(argv);
}

int command_rmr(int argc, char **argv)
{
	(void)argc;
	return become_lab(argv);
}

int command_trace(int argc, char **argv)
{
	(void)argc;
	return become_lab(argv);
}

int command_algorithms(int argc, char **argv)
{
	(void)argc;
	return become_lab(argv);
}

int command_bench(int argc, char **argv)
{
	(void)argc;
	return become_lab(argv);
}
