/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/machine.h"

#include "runtime/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t machine_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) >>
	       20;
}

int machine_boot(uint64_t boot[2])
{
	static const char path[] = "/proc/sys/kernel/random/boot_id";
	static const char digits[] = "0123456789abcdef";
	char text[37] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	boot[0] = boot[1] = 0;
	if (fd < 0)
		return errno == EMFILE || errno == ENFILE || errno == ENOMEM
			       ? error_system(path)
			       : 0;
	if (read(fd, text, sizeof text - 1) < 0)
		text[0] = '\0';
	close(fd);
	for (const char *c = text; *c; c++) {
		const char *digit = strchr(digits, *c);

		if (!digit)
			continue;
		boot[0] = boot[0] << 4 | boot[1] >> 60;
		boot[1] = boot[1] << 4 | (uint64_t)(digit - digits);
	}
	return 0;
}
