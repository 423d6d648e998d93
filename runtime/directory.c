/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/directory.h"

#include "atmost/atmost.h"
#include "runtime/error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static const char parent[] = "/run/atmost";

/* Returns 1 if the directories of pools are below /run/atmost, 0 if there is no
 * /run/atmost, or an error. */
static int check_parent(void)
{
	struct stat status;

	if (lstat(parent, &status) < 0)
		return errno == ENOENT ? 0 : error_system(parent);
	if (!S_ISDIR(status.st_mode))
		return error_say(ATMOST_EPERMISSION,
				 "%s is not a directory (symbolic links are "
				 "not followed): make it one as root, or set "
				 "ATMOST_DIR",
				 parent);
	if (status.st_uid != 0)
		return error_say(ATMOST_EPERMISSION,
				 "%s belongs to user %u, not to root: chown it "
				 "to root, or set ATMOST_DIR",
				 parent, status.st_uid);
	/* Without the sticky bit other users could replace our directory. */
	if (status.st_mode & 022 && !(status.st_mode & S_ISVTX))
		return error_say(ATMOST_EPERMISSION,
				 "%s has mode %o, without the sticky bit: "
				 "chmod it to 1777 as root, or set ATMOST_DIR",
				 parent, status.st_mode & 07777);
	return 1;
}

/* Copies $ATMOST_DIR, which a set-user-ID program ignores. */
static int copy_own(const char *own, char **path)
{
	size_t length = strlen(own);

	if (own[0] != '/')
		return error_say(ATMOST_ESYSTEM,
				 "ATMOST_DIR is \"%.256s\", not an absolute "
				 "path: set it to one that begins with /",
				 own);
	/* With a slash at the end the kernel would follow a symbolic link. */
	while (length > 1 && own[length - 1] == '/')
		length--;
	*path = strndup(own, length);
	return *path ? 0 : error_is(ATMOST_ENOMEM);
}

/* Finds the path of the directory.  On success the caller frees *path. */
static int find_path(char **path)
{
	const char *own = secure_getenv("ATMOST_DIR");
	int below;

	if (own && *own)
		return copy_own(own, path);
	below = check_parent();
	if (below < 0)
		return below;
	if (asprintf(path, "%s%c%u", below ? parent : "/dev/shm/atmost",
		     below ? '/' : '-', geteuid()) < 0)
		return error_is(ATMOST_ENOMEM);
	return 0;
}

struct directory_path directory_path(void)
{
	struct directory_path shown = { "the directory of pools" };
	const int before = errno;
	char *path;

	if (find_path(&path) == 0) {
		snprintf(shown.text, sizeof shown.text, "%s", path);
		free(path);
	}
	errno = before;
	return shown;
}

int atmost_directory(char *place, size_t size)
{
	char *path;
	size_t length;
	int error = find_path(&path);

	if (error)
		return error;
	length = strlen(path);
	if (length < size)
		memcpy(place, path, length + 1);
	else
		error = error_say(ATMOST_ESYSTEM,
				  "the directory's path needs %zu bytes",
				  length + 1);
	free(path);
	return error;
}

/*
 * Locks and futexes work only within one machine.  The files of a FUSE file
 * system can be on another machine (sshfs), and a FUSE server need not support
 * locks.
 */
static bool is_remote(int fd)
{
	static const long remote[] = {
		NFS_SUPER_MAGIC,
		SMB_SUPER_MAGIC,
		0xff534d42 /* cifs */,
		0xfe534d42 /* smb2 */,
		V9FS_MAGIC,
		AFS_FS_MAGIC,
		AFS_SUPER_MAGIC,
		CODA_SUPER_MAGIC,
		CEPH_SUPER_MAGIC,
		OCFS2_SUPER_MAGIC,
		0x01161970 /* gfs2 */,
		0x0bd00bd0 /* lustre */,
		0x47504653 /* gpfs */,
		FUSE_SUPER_MAGIC,
	};
	struct statfs status;

	if (fstatfs(fd, &status) < 0)
		return false;
	for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
		if ((long)status.f_type == remote[i])
			return true;
	return false;
}

/*
 * Writes the user's name from /etc/passwd, in parentheses.  getpwuid would need
 * plugins of the C library, which a static program does not have.
 */
static void name_user(uid_t uid, char *name, size_t size)
{
	FILE *users = fopen("/etc/passwd", "re");
	struct passwd user, *found;
	char line[512];

	name[0] = '\0';
	while (users && !name[0] &&
	       fgetpwent_r(users, &user, line, sizeof line, &found) == 0)
		if (user.pw_uid == uid)
			snprintf(name, size, " (%s)", user.pw_name);
	if (users)
		fclose(users);
}

static int refuse_owner(const char *path, uid_t owner)
{
	char name[48];

	name_user(owner, name, sizeof name);
	return error_say(ATMOST_EPERMISSION,
			 "%s belongs to user %u%s, not to user %u: set "
			 "ATMOST_DIR to a directory of your own",
			 path, owner, name, geteuid());
}

static int check(int fd, const char *path)
{
	struct stat status;

	if (fstat(fd, &status) < 0)
		return error_system(path);
	if (status.st_uid != geteuid())
		return refuse_owner(path, status.st_uid);
	if (status.st_mode & 022)
		return error_say(ATMOST_EPERMISSION,
				 "%s has mode %o, so other users may write "
				 "there: chmod it to 700",
				 path, status.st_mode & 07777);
	if (is_remote(fd))
		return error_say(ATMOST_ESYSTEM,
				 "%s is on a network file system or on FUSE, "
				 "where locks do not tell which members are "
				 "dead: set ATMOST_DIR to a local directory",
				 path);
	return 0;
}

static int make_directory(const char *path)
{
	const bool below = strncmp(path, parent, strlen(parent)) == 0;
	const bool failed = mkdir(path, 0700) < 0;

	if (failed && errno == EEXIST)
		return 0;
	if (failed && errno == EACCES && below)
		return error_say(ATMOST_EPERMISSION,
				 "%s cannot be made: chmod %s to 1777 as root, "
				 "or set ATMOST_DIR",
				 path, parent);
	if (failed)
		return error_system(path);
	/* The umask may have removed permissions that opening needs: if this
	 * call fails, opening reports the error. */
	(void)fchmodat(AT_FDCWD, path, 0700, AT_SYMLINK_NOFOLLOW);
	return 0;
}

static int open_directory(const char *path)
{
	struct stat status;
	int error, fd = open(path,
			     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return error_say(ATMOST_ENOTFOUND, "there is no directory %s",
				 path);
	if (fd < 0 && (errno == ELOOP || errno == ENOTDIR))
		return error_say(ATMOST_EPERMISSION,
				 "%s is not a directory (symbolic links are "
				 "not followed)",
				 path);
	/* If the directory belongs to another user and has mode 0700, the
	 * message names that user. */
	if (fd < 0 && errno == EACCES && lstat(path, &status) == 0 &&
	    status.st_uid != geteuid())
		return refuse_owner(path, status.st_uid);
	if (fd < 0)
		return error_system(path);
	error = check(fd, path);
	if (!error)
		return fd;
	close(fd);
	return error;
}

int directory_open(bool make)
{
	char *path;
	int fd, error = find_path(&path);

	if (error)
		return error;
	error = make ? make_directory(path) : 0;
	fd = error ? error : open_directory(path);
	free(path);
	return fd;
}
