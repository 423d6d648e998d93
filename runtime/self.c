/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE

#include "runtime/self.h"

#include "runtime/pid.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

void self_name(char *name, size_t size)
{
	memset(name, 0, size);
	strncpy(name, program_invocation_short_name, size - 1);
}

uint64_t self_name_space(void)
{
	struct stat status;

	return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

uint64_t self_start(void)
{
	struct pid_look look;

	return pid_look("/proc/self/stat", &look) ? look.start : 0;
}

uint64_t self_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) >> 20;
}
