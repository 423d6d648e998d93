/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/process_name.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Finds the memory that other processes see as the command line of this one.
 * argv does not show where this memory is, because --substitute replaces
 * elements of argv. */
static bool find_command_line(uintptr_t *begin, uintptr_t *end)
{
	enum { NAME = 2, COMMAND_LINE = 48 }; /* fields, numbered from 1 */
	char text[1024];
	const char *at;
	ssize_t length;
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	length = read(fd, text, sizeof text - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	at = strrchr(text, ')');
	for (int field = NAME + 1; at && field <= COMMAND_LINE; field++)
		at = strchr(at + 1, ' ');
	return at && sscanf(at, "%" SCNuPTR " %" SCNuPTR, begin, end) == 2 &&
	       *begin < *end;
}

void process_name_set(const char *name)
{
	uintptr_t begin, end;

	if (find_command_line(&begin, &end)) {
		memset((char *)begin, 0, end - begin);
		snprintf((char *)begin, end - begin, "%s", name);
	}
	prctl(PR_SET_NAME, name);
}
