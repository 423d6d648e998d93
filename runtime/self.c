/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/self.h"

#include <errno.h>
#include <time.h>

const char *self_name(void)
{
	return program_invocation_short_name;
}

uint64_t self_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) >>
	       20;
}
