/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program that is linked with libatmost.a cannot load a library: it may have
 * no dynamic loader.  libatmost.so has load_library.c in place of this function,
 * which is weak for that reason.
 */
#include "runtime/load.h"

#include <stdio.h>

__attribute__((weak)) int load_calls(const struct remote_calls **calls,
				     char *why)
{
	(void)calls;
	snprintf(why, REMOTE_WHY_ROOM,
		 "pools of several machines need libatmost.so: this program is "
		 "linked with libatmost.a, which cannot load libatmost-etcd");
	return ATMOST_EUNSUPPORTED;
}
