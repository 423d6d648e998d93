/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/foreign.h"

#include "runtime/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The inode of the pid namespace from which all others descend: a constant of
 * the kernel. */
static const uint64_t FIRST_SPACE = 0xeffffffc;

/* Returns the pid that a process has in its own pid namespace: the last number
 * of the line NSpid in its status file.  Returns 0 if the process is in our pid
 * namespace, or if the file cannot be read. */
static uint64_t pid_inside(int process)
{
	char text[4096], *line, *end, *last;
	int fd = openat(process, "status", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return 0;
	text[length] = '\0';
	line = strstr(text, "\nNSpid:");
	if (!line || !(end = strchr(line + 1, '\n')))
		return 0;
	*end = '\0';
	last = strrchr(line, '\t');
	/* One number only: a process of our own pid namespace. */
	return last && last != strchr(line, '\t') ? strtoull(last + 1, NULL, 10)
						  : 0;
}

/* Compares a process of /proc with the process of the identity.  The answer is
 * ALIVE if they are the same process and it is alive.  It is UNKNOWN if they
 * may be the same, but we have no permission to look at the process of /proc.
 * It is ENDED if they are different processes, or if the process has ended. */
static enum identity_answer compare(int process, const char *name,
				    const struct identity *identity,
				    struct identity *here)
{
	struct stat status;

	if (fstatat(process, "ns/pid", &status, 0) < 0) {
		if (errno != EACCES && errno != EPERM)
			return IDENTITY_ENDED;
		return pid_inside(process) == identity->pid ? IDENTITY_UNKNOWN
							    : IDENTITY_ENDED;
	}
	if (status.st_ino != identity->space ||
	    pid_inside(process) != identity->pid ||
	    !identity_of((pid_t)strtol(name, NULL, 10), here))
		return IDENTITY_ENDED;
	/* The namespace may have ended, and a later namespace with the same
	 * inode may have a process with the same pid. */
	if (identity->inode && here->inode && identity->inode != here->inode)
		return IDENTITY_ENDED;
	return identity_ask(here, NULL);
}

static bool is_process(const char *name)
{
	return *name >= '1' && *name <= '9';
}

/*
 * Returns true if /proc shows our pid namespace and hides none of its
 * processes.
 */
static bool shows_all(void)
{
	return access("/proc/1/stat", R_OK) == 0 && proc_is_ours();
}

enum identity_answer foreign_find(const struct identity *identity, bool seen,
				  struct identity *here)
{
	const bool sees_all = seen || identity_own_space() == FIRST_SPACE;
	enum identity_answer answer = sees_all ? IDENTITY_ENDED
					       : IDENTITY_UNKNOWN;
	struct dirent *entry;
	DIR *proc;

	if (!identity->space || !shows_all() || !(proc = opendir("/proc")))
		return IDENTITY_UNKNOWN;
	while (answer != IDENTITY_ALIVE && (entry = readdir(proc)) != NULL) {
		enum identity_answer one = IDENTITY_ENDED;
		int process;

		if (!is_process(entry->d_name))
			continue;
		process = openat(dirfd(proc), entry->d_name,
				 O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (process >= 0) {
			one = compare(process, entry->d_name, identity, here);
			close(process);
		} else if (errno != ENOENT && errno != ESRCH) {
			one = IDENTITY_UNKNOWN;
		}
		if (one != IDENTITY_ENDED)
			answer = one;
	}
	closedir(proc);
	return answer;
}
