/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

/* Calls `each` for every open descriptor. */
static void for_all(void (*each)(int fd, void *context), void *context)
{
	DIR *folder = opendir("/proc/self/fd");
	const struct dirent *entry;

	/* Without /proc, every number is tried. */
	for (int fd = 0; !folder && fd < DESCRIPTORS_MOST; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			each(fd, context);
	while (folder && (entry = readdir(folder)) != NULL) {
		const int fd = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && fd != dirfd(folder) &&
		    fd < DESCRIPTORS_MOST)
			each(fd, context);
	}
	if (folder)
		closedir(folder);
}

static void note(int fd, void *context)
{
	struct descriptors *descriptors = context;

	descriptors->open[fd] = true;
}

void descriptors_note(struct descriptors *descriptors)
{
	*descriptors = (struct descriptors){ 0 };
	for_all(note, descriptors);
}

static void close_on_exec(int fd, void *context)
{
	const struct descriptors *descriptors = context;

	if (!descriptors->open[fd])
		fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void descriptors_close_others_on_exec(const struct descriptors *descriptors)
{
	struct descriptors noted = *descriptors;

	for_all(close_on_exec, &noted);
}
