/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost run, in a pool in etcd. */
#include "cli/cluster_open.h"
#include "cli/elsewhere.h"
#include "cli/usage.h"

int elsewhere_run(char **argv, const char *at, const struct run_options *run)
{
	(void)argv;
	(void)at;
	return usage_error("run",
			   "pool %s is in etcd, and this version of "
			   "atmost cannot run commands there",
			   run->pool);
}
