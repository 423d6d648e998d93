/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/segment.h"

#include "runtime/directory.h"
#include "runtime/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			      "abcdefghijklmnopqrstuvwxyz"
			      "0123456789._-";

int segment_check_name(const char *name)
{
	size_t length = name ? strnlen(name, 65) : 0;

	if (length == 0)
		return error_say(ATMOST_ENAME, "the name is empty");
	if (length > 64)
		return error_say(ATMOST_ENAME,
				 "the name is longer than 64 bytes");
	if (name[0] == '.')
		return error_say(ATMOST_ENAME,
				 "\"%s\": a name must not start with a dot",
				 name);
	if (strspn(name, allowed) != length)
		return error_say(
			ATMOST_ENAME,
			"\"%s\": a name may have only A-Z a-z 0-9 . _ -", name);
	return 0;
}

struct segment_file segment_file(const char *name)
{
	struct segment_file file;

	snprintf(file.text, sizeof file.text, "%s.pool", name);
	return file;
}

int segment_map(struct segment *segment, size_t size)
{
	void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			  segment->look, 0);

	if (base == MAP_FAILED)
		return error_system("mapping the file");
	segment->base = base;
	segment->size = size;
	return 0;
}

int segment_anonymous(struct segment *segment, size_t size)
{
	void *base = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (base == MAP_FAILED)
		return error_is(ATMOST_ENOMEM);
	*segment = (struct segment){
		.base = base, .size = size, .look = -1, .hold = -1
	};
	return 0;
}

/* The file must belong to this user, and other users must have no access. */
static int check_file(const struct stat *status, const char *file, size_t least)
{
	if (!S_ISREG(status->st_mode))
		return error_say(ATMOST_ECORRUPT, "%s is not a plain file",
				 file);
	if (status->st_uid != geteuid())
		return error_say(ATMOST_EPERMISSION,
				 "%s belongs to user %u, not to user %u", file,
				 status->st_uid, geteuid());
	if (status->st_mode & 077)
		return error_say(ATMOST_EPERMISSION,
				 "%s has mode %o, open to other users: it must "
				 "be 600",
				 file, status->st_mode & 07777);
	if (status->st_size < (off_t)least)
		return error_say(ATMOST_ECORRUPT,
				 "%s has %jd bytes, too few for a pool", file,
				 (intmax_t)status->st_size);
	return 0;
}

static int open_file(int directory, const char *file)
{
	/* O_NONBLOCK: opening a pipe of this name must not block. */
	int fd = openat(directory, file,
			O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		return error_say(ATMOST_ENOTFOUND, "there is no %s in %s", file,
				 directory_path().text);
	if (errno == ELOOP)
		return error_say(ATMOST_EPERMISSION,
				 "%s is a symbolic link, which is not followed",
				 file);
	if (errno == EISDIR || errno == ENXIO) /* a directory, a socket */
		return error_say(ATMOST_ECORRUPT, "%s is not a plain file",
				 file);
	return error_system(file);
}

static int open_named(const char *name)
{
	int directory = directory_open(false), fd;

	if (directory < 0)
		return directory;
	fd = open_file(directory, segment_file(name).text);
	close(directory);
	return fd;
}

static bool is_file(const struct segment *segment, const struct stat *status)
{
	return status->st_dev == segment->device &&
	       status->st_ino == segment->inode;
}

void segment_note(struct segment *segment, const struct stat *status)
{
	segment->device = status->st_dev;
	segment->inode = status->st_ino;
}

/* Returns false if the program has closed the descriptor; it may then have
 * opened another file under the number of the descriptor. */
static bool is_ours(const struct segment *segment, int fd)
{
	struct stat status;

	return fd >= 0 && fstat(fd, &status) == 0 && is_file(segment, &status);
}

/* Opens the file of the segment a second time.  If this fails, or if the name
 * now leads to another file, segment_hold tries again. */
static void open_hold(struct segment *segment, int directory)
{
	int fd = openat(directory, segment_file(segment->name).text,
			O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (is_ours(segment, fd))
		segment->hold = fd;
	else if (fd >= 0)
		close(fd);
}

static int open_and_map(struct segment *segment, int directory, size_t least)
{
	const struct segment_file file = segment_file(segment->name);
	struct stat status;
	int error;

	segment->look = open_file(directory, file.text);
	if (segment->look < 0)
		return segment->look;
	if (fstat(segment->look, &status) < 0) {
		error = error_system(file.text);
		close(segment->look);
		return error;
	}
	segment_note(segment, &status);
	error = check_file(&status, file.text, least);
	if (!error)
		error = segment_map(segment, (size_t)status.st_size);
	if (error)
		segment_close(segment);
	else
		open_hold(segment, directory);
	return error;
}

int segment_open(struct segment *segment, const char *name, size_t least)
{
	int directory, error = segment_check_name(name);

	if (error)
		return error;
	directory = directory_open(false);
	if (directory < 0)
		return directory;
	*segment = (struct segment){ .look = -1, .hold = -1 };
	strcpy(segment->name, name);
	error = open_and_map(segment, directory, least);
	close(directory);
	return error;
}

/*
 * Opens the file through its other descriptor, because the name may be gone.
 * If that fails, opens the file by its name.
 */
static int open_again(const struct segment *segment, int other)
{
	char self[64];
	int fd = -1;

	if (is_ours(segment, other)) {
		snprintf(self, sizeof self, "/proc/self/fd/%d", other);
		fd = open(self, O_RDWR | O_CLOEXEC);
	}
	if (fd < 0)
		fd = open_named(segment->name);
	if (fd < 0 || is_ours(segment, fd))
		return fd;
	close(fd);
	return error_say(ATMOST_ENOTFOUND, "the pool %s has been removed",
			 segment->name);
}

int segment_look(struct segment *segment)
{
	if (!is_ours(segment, segment->look))
		segment->look = open_again(segment, segment->hold);
	return segment->look;
}

int segment_hold(struct segment *segment, bool *lost)
{
	*lost = false;
	if (is_ours(segment, segment->hold))
		return segment->hold;
	*lost = segment->hold >= 0;
	segment->hold = open_again(segment, segment->look);
	return segment->hold;
}

void segment_forget_hold(struct segment *segment)
{
	if (is_ours(segment, segment->hold))
		close(segment->hold);
	segment->hold = -1;
}

int segment_reserve(struct segment *segment, size_t from, size_t count)
{
	int fd = segment_look(segment), error = 0;

	if (count == 0)
		return 0;
	if (fd < 0)
		return fd;
	/* FALLOC_FL_KEEP_SIZE: if another process has truncated the file, this
	 * call must not enlarge it again. */
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)count) < 0)
		error = errno;
	/* posix_fallocate of the C library reads bytes and writes them back.
	 * So it is called only for a file without a name, which no other
	 * process uses. */
	if (error == EOPNOTSUPP)
		error = segment->name[0]
				? 0
				: posix_fallocate(fd, 0, (off_t)segment->size);
	errno = error;
	return error ? error_system("finding memory for a member of the pool")
		     : 0;
}

bool segment_is_named(const struct segment *segment)
{
	struct stat status;
	int directory = directory_open(false);
	bool is;

	if (directory < 0)
		return false;
	is = fstatat(directory, segment_file(segment->name).text, &status,
		     AT_SYMLINK_NOFOLLOW) == 0 &&
	     is_file(segment, &status);
	close(directory);
	return is;
}

void segment_close(struct segment *segment)
{
	if (segment->base)
		munmap(segment->base, segment->size);
	if (is_ours(segment, segment->look))
		close(segment->look);
	segment_forget_hold(segment);
	segment->base = NULL;
	segment->look = -1;
}

int segment_unlink(const char *name)
{
	struct segment_file file;
	int directory, error = segment_check_name(name);

	if (error)
		return error;
	file = segment_file(name);
	directory = directory_open(false);
	if (directory < 0)
		return directory;
	if (unlinkat(directory, file.text, 0) < 0)
		error = errno == ENOENT
				? error_say(ATMOST_ENOTFOUND,
					    "there is no %s in %s", file.text,
					    directory_path().text)
				: error_system(file.text);
	close(directory);
	return error;
}
