/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { REMOVALS = 200 }; /* attempts; a killed process takes time to end */

static const struct timespec between_removals = { .tv_nsec = 2000000 };

/* Finds where the unified hierarchy is mounted, and which part of it. */
static bool find_mount(char point[CGROUP_ROOM], char root[CGROUP_ROOM])
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (mounts && !found && getline(&line, &room, mounts) > 0)
		found = strstr(line, " - cgroup2 ") &&
			sscanf(line, "%*s %*s %*s %511s %511s", root, point) ==
				2;
	free(line);
	if (mounts)
		fclose(mounts);
	return found;
}

/* Finds the control group of this process. */
static bool find_own(char own[CGROUP_ROOM])
{
	FILE *groups = fopen("/proc/self/cgroup", "re");
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (groups && !found && getline(&line, &room, groups) > 0)
		found = sscanf(line, "0::%511[^\n]", own) == 1;
	free(line);
	if (groups)
		fclose(groups);
	return found;
}

static bool open_file(const struct cgroup *cgroup, const char *name, int *fd)
{
	char path[CGROUP_ROOM + 32];

	snprintf(path, sizeof path, "%s/%s", cgroup->path, name);
	*fd = open(path, O_WRONLY | O_CLOEXEC);
	return *fd >= 0;
}

static bool write_to(const struct cgroup *cgroup, const char *name,
		     const char *text)
{
	const ssize_t length = (ssize_t)strlen(text);
	bool done;
	int fd;

	if (!open_file(cgroup, name, &fd))
		return false;
	done = write(fd, text, (size_t)length) == length;
	close(fd);
	return done;
}

static bool make_folder(struct cgroup *cgroup)
{
	int fd;

	/* The folder may be left from an earlier process with this number,
	 * which was killed together with its guard. */
	if (mkdir(cgroup->path, 0755) < 0 &&
	    (errno != EEXIST || rmdir(cgroup->path) < 0 ||
	     mkdir(cgroup->path, 0755) < 0))
		return false;
	if (open_file(cgroup, "cgroup.kill", &fd)) {
		close(fd);
		return true;
	}
	rmdir(cgroup->path);
	return false;
}

void cgroup_make(struct cgroup *cgroup)
{
	char point[CGROUP_ROOM], root[CGROUP_ROOM], own[CGROUP_ROOM];
	const char *below = own;
	int length;

	cgroup->path[0] = '\0';
	if (!find_mount(point, root) || !find_own(own))
		return;
	if (strcmp(root, "/") != 0) {
		if (strncmp(own, root, strlen(root)) != 0)
			return;
		below += strlen(root);
	}
	if (strcmp(below, "/") == 0)
		below = "";
	length = snprintf(cgroup->path, sizeof cgroup->path, "%s%s/atmost-%jd",
			  point, below, (intmax_t)getpid());
	if (length >= (int)sizeof cgroup->path || !make_folder(cgroup))
		cgroup->path[0] = '\0';
}

/* "0" is the process that writes. */
bool cgroup_enter(const struct cgroup *cgroup)
{
	return cgroup->path[0] && write_to(cgroup, "cgroup.procs", "0");
}

void cgroup_kill(const struct cgroup *cgroup)
{
	if (cgroup->path[0])
		write_to(cgroup, "cgroup.kill", "1");
}

/* Moves the processes, whose numbers are on the lines of cgroup.procs. */
static void move_up(const struct cgroup *cgroup)
{
	struct cgroup above;
	char path[CGROUP_ROOM + 32], text[4096], *line, *rest = text;
	ssize_t length = 0;
	int fd;

	snprintf(path, sizeof path, "%s/cgroup.procs", cgroup->path);
	snprintf(above.path, sizeof above.path, "%s", cgroup->path);
	*strrchr(above.path, '/') = '\0';
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		length = read(fd, text, sizeof text - 1);
		close(fd);
	}
	text[length > 0 ? length : 0] = '\0';
	while ((line = strsep(&rest, "\n")) != NULL)
		if (*line)
			write_to(&above, "cgroup.procs", line);
}

void cgroup_remove(struct cgroup *cgroup)
{
	for (unsigned i = 0; cgroup->path[0] && i < REMOVALS; i++) {
		if (rmdir(cgroup->path) == 0 || errno != EBUSY)
			break;
		move_up(cgroup);
		nanosleep(&between_removals, NULL);
	}
	cgroup->path[0] = '\0';
}
