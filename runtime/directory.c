/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE

#include "runtime/directory.h"

#include "atmost/atmost.h"
#include "runtime/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static _Thread_local char path[PATH_MAX];

const char *directory_path(void)
{
	return path;
}

/* Where it is, from the environment: which a set-user-ID program ignores. */
static int find_path(void)
{
	const char *own = secure_getenv("ATMOST_DIR");
	const char *run = secure_getenv("XDG_RUNTIME_DIR");
	int length;

	if (own && *own)
		length = snprintf(path, sizeof path, "%s", own);
	else if (run && *run)
		length = snprintf(path, sizeof path, "%s/atmost", run);
	else
		length = snprintf(path, sizeof path, "/dev/shm/atmost-%u",
				  geteuid());
	if ((size_t)length >= sizeof path)
		return error_say(ATMOST_ESYSTEM,
				 "the directory's path is too long");
	/* With a slash behind it a symbolic link would be followed. */
	while (length > 1 && path[length - 1] == '/')
		path[--length] = '\0';
	return 0;
}

int atmost_directory(char *place, size_t size)
{
	int error = find_path();

	if (error)
		return error;
	if (strlen(path) >= size)
		return error_say(ATMOST_ESYSTEM,
				 "the directory's path needs %zu bytes",
				 strlen(path) + 1);
	memcpy(place, path, strlen(path) + 1);
	return 0;
}

/* Locks and futexes work within one machine. */
static bool is_remote(int fd)
{
	static const long remote[] = {
		NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, 0xff534d42 /* cifs */,
		0xfe534d42 /* smb2 */, V9FS_MAGIC, AFS_FS_MAGIC,
		AFS_SUPER_MAGIC, CODA_SUPER_MAGIC, CEPH_SUPER_MAGIC,
		OCFS2_SUPER_MAGIC, 0x01161970 /* gfs2 */,
		0x0bd00bd0 /* lustre */, 0x47504653 /* gpfs */,
	};
	struct statfs status;

	if (fstatfs(fd, &status) < 0)
		return false;
	for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
		if ((long)status.f_type == remote[i])
			return true;
	return false;
}

static int check(int fd)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return error_system(path);
	if (status.st_uid != geteuid())
		return error_say(ATMOST_EPERMISSION,
				 "%s belongs to user %u, not to us (%u): set "
				 "ATMOST_DIR to a directory of our own",
				 path, status.st_uid, geteuid());
	if (status.st_mode & 022)
		return error_say(ATMOST_EPERMISSION,
				 "%s has mode %o, others may write there: "
				 "chmod it to 700",
				 path, status.st_mode & 07777);
	if (is_remote(fd))
		return error_say(ATMOST_ESYSTEM,
				 "%s is on a network file system, where locks "
				 "do not tell who is dead: set ATMOST_DIR to a "
				 "local directory", path);
	return 0;
}

static int make_it(void)
{
	if (mkdir(path, 0700) < 0)
		return errno == EEXIST ? 0 : error_system(path);
	/* Whatever the umask.  If this does not work, opening it tells. */
	(void)fchmodat(AT_FDCWD, path, 0700, AT_SYMLINK_NOFOLLOW);
	return 0;
}

int directory_open(bool make)
{
	int fd, error = find_path();

	if (!error && make)
		error = make_it();
	if (error)
		return error;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return error_say(ATMOST_ENOTFOUND, "there is no directory %s",
				 path);
	if (fd < 0 && (errno == ELOOP || errno == ENOTDIR))
		return error_say(ATMOST_EPERMISSION,
				 "%s is not a directory (symbolic links are "
				 "not followed)", path);
	if (fd < 0)
		return error_system(path);
	error = check(fd);
	if (!error)
		return fd;
	close(fd);
	return error;
}
