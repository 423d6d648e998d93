/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost status, of pools in etcd. */
#include "cli/cluster_open.h"
#include "cli/elsewhere.h"
#include "cli/usage.h"

int elsewhere_status(char **argv, const char *at, const char *pool, bool json,
		     bool watch)
{
	(void)argv;
	(void)at;
	(void)pool;
	(void)json;
	(void)watch;
	return usage_error("status", "not built yet");
}
