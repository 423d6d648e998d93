/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/live.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int shown; /* how long the line is that stands there */

/* A longer line would wrap and could not be rewritten. */
static int room(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
		return size.ws_col - 1;
	return 79;
}

void live_rewrite(const char *line)
{
	int length = (int)strlen(line), most = room();

	if (length > most)
		length = most;
	fprintf(stderr, "\r%.*s", length, line);
	if (shown > length)
		fprintf(stderr, "%*s\r%.*s", shown - length, "", length, line);
	fflush(stderr);
	shown = length;
}

void live_erase(void)
{
	if (shown) {
		fprintf(stderr, "\r%*s\r", shown, "");
		fflush(stderr);
	}
	shown = 0;
}
