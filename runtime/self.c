/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE

#include "runtime/self.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

/* The 22nd field; the second may have blanks, but ends with the last ')'. */
uint64_t self_start(void)
{
	char text[1024], *field;
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return 0;
	length = read(fd, text, sizeof text - 1);
	close(fd);
	if (length <= 0)
		return 0;
	text[length] = '\0';
	field = strrchr(text, ')');
	for (unsigned i = 2; field && i < 22; i++)
		field = strchr(field + 1, ' ');
	return field ? strtoull(field, NULL, 10) : 0;
}

uint64_t self_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) >> 20;
}
