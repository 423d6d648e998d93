/* SPDX-License-Identifier: BSD-2-Clause */
/* Executes atmost-etcd for the commands about pools in etcd.  It is beside this
 * program in the build directory, and relative to it in an installation. */
#include "cli/elsewhere.h"
#include "cli/pool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const places[] = { "atmost-etcd", ETCD_INSTALLED };

static int exec_etcd(char **argv)
{
	char self[PATH_MAX], path[PATH_MAX + sizeof ETCD_INSTALLED + 16];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash;

	self[length > 0 ? length : 0] = '\0';
	slash = strrchr(self, '/');
	if (!slash) {
		fprintf(stderr,
			"atmost %s: cannot find the program atmost-etcd, "
			"because /proc is not mounted\n",
			argv[0]);
		return POOL_SYSTEM;
	}
	slash[1] = '\0';
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(path, sizeof path, "%s%s",
			 places[i][0] == '/' ? "" : self, places[i]);
		/* argv[-1] is argv[0] of this process. */
		execv(path, argv - 1);
	}
	fprintf(stderr,
		"atmost %s: pools in etcd need the program %s, which cannot be "
		"run: %s; install libatmost-etcd, or build atmost with "
		"-Detcd=enabled\n",
		argv[0], path, strerror(errno));
	return POOL_SYSTEM;
}

int elsewhere_run(char **argv, const char *at, const struct run_options *run)
{
	(void)at;
	(void)run;
	return exec_etcd(argv);
}

int elsewhere_status(char **argv, const char *at, const char *pool, bool json,
		     bool watch)
{
	(void)at;
	(void)pool;
	(void)json;
	(void)watch;
	return exec_etcd(argv);
}

int elsewhere_pools(char **argv, const char *at)
{
	(void)at;
	return exec_etcd(argv);
}

int elsewhere_resize(char **argv, const char *at,
		     const struct pool_request *request)
{
	(void)at;
	(void)request;
	return exec_etcd(argv);
}

int elsewhere_repair(char **argv, const char *at, const char *pool)
{
	(void)at;
	(void)pool;
	return exec_etcd(argv);
}

int elsewhere_remove(char **argv, const char *at, const char *pool, bool force)
{
	(void)at;
	(void)pool;
	(void)force;
	return exec_etcd(argv);
}

int elsewhere_remove_unused(char **argv, const char *at)
{
	(void)at;
	return exec_etcd(argv);
}
