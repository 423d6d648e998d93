/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE

#include "runtime/segment.h"

#include "runtime/directory.h"
#include "runtime/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_NAME = 80 }; /* 64, ".pool", and some */

static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			      "abcdefghijklmnopqrstuvwxyz"
			      "0123456789._-";

int segment_check_name(const char *name)
{
	size_t length = name ? strnlen(name, 65) : 0;

	if (length == 0)
		return error_say(ATMOST_ENAME, "the name is empty");
	if (length > 64)
		return error_say(ATMOST_ENAME, "the name is longer than 64");
	if (name[0] == '.')
		return error_say(ATMOST_ENAME,
				 "\"%s\": a name does not start with a dot",
				 name);
	if (strspn(name, allowed) != length)
		return error_say(ATMOST_ENAME,
				 "\"%s\": a name has only A-Z a-z 0-9 . _ -",
				 name);
	return 0;
}

static void file_name(char *file, const char *name)
{
	snprintf(file, FILE_NAME, "%s.pool", name);
}

static int map(struct segment *segment, int file, size_t size)
{
	void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file,
			  0);

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
	*segment = (struct segment){ .base = base, .size = size };
	return 0;
}

/* Nobody else's, and nobody else can write it. */
static int check_file(const struct stat *status, const char *file, size_t least)
{
	if (!S_ISREG(status->st_mode))
		return error_say(ATMOST_ECORRUPT, "%s is not a plain file",
				 file);
	if (status->st_uid != geteuid())
		return error_say(ATMOST_EPERMISSION,
				 "%s belongs to user %u, not to us (%u)", file,
				 status->st_uid, geteuid());
	if (status->st_mode & 077)
		return error_say(ATMOST_EPERMISSION,
				 "%s has mode %o, open to others: it must be "
				 "600", file, status->st_mode & 07777);
	if (status->st_size < (off_t)least)
		return error_say(ATMOST_ECORRUPT,
				 "%s has %jd bytes, too few for any object",
				 file, (intmax_t)status->st_size);
	return 0;
}

static int open_file(int directory, const char *file)
{
	/* O_NONBLOCK: a pipe of this name must not keep us waiting. */
	int fd = openat(directory, file,
			O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		return error_say(ATMOST_ENOTFOUND, "there is no %s in %s",
				 file, directory_path());
	if (errno == ELOOP)
		return error_say(ATMOST_EPERMISSION,
				 "%s is a symbolic link, which is not followed",
				 file);
	if (errno == EISDIR || errno == ENXIO) /* a directory, a socket */
		return error_say(ATMOST_ECORRUPT, "%s is not a plain file",
				 file);
	return error_system(file);
}

int segment_open(struct segment *segment, const char *name, size_t least)
{
	char file[FILE_NAME];
	struct stat status;
	int directory, fd, error = segment_check_name(name);

	if (error)
		return error;
	file_name(file, name);
	directory = directory_open(false);
	if (directory < 0)
		return directory;
	fd = open_file(directory, file);
	error = fd < 0 ? fd : 0;
	close(directory);
	if (error)
		return error;
	error = fstat(fd, &status) < 0 ? error_system(file)
				       : check_file(&status, file, least);
	if (!error) {
		segment->device = status.st_dev;
		segment->inode = status.st_ino;
		error = map(segment, fd, (size_t)status.st_size);
	}
	close(fd); /* the mapping outlives it */
	return error;
}

/* A file without a name, or if the file system has none, with a dot's. */
static int open_draft(struct draft *draft)
{
	static const char chance[] = "/proc/self/fd";

	draft->temporary[0] = '\0';
	if (access(chance, X_OK) == 0) {
		draft->file = openat(draft->directory, ".",
				     O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
		if (draft->file >= 0)
			return 0;
	}
	for (unsigned i = 0; i < 100; i++) {
		snprintf(draft->temporary, sizeof draft->temporary,
			 ".draft-%jd-%u", (intmax_t)getpid(), i);
		draft->file = openat(draft->directory, draft->temporary,
				     O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
				     0600);
		if (draft->file >= 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	draft->temporary[0] = '\0';
	return error_system(directory_path());
}

int segment_draft(struct draft *draft, size_t size)
{
	int error;

	draft->segment.base = NULL;
	draft->directory = directory_open(true);
	if (draft->directory < 0)
		return draft->directory;
	draft->file = -1;
	error = open_draft(draft);
	if (error)
		goto discard;
	/* All of it now: a full disk found out later would be a SIGBUS. */
	errno = posix_fallocate(draft->file, 0, (off_t)size);
	if (errno) {
		error = error_system("making room for the object");
		goto discard;
	}
	fchmod(draft->file, 0600); /* whatever the umask */
	error = map(&draft->segment, draft->file, size);
	if (!error)
		return 0;
discard:
	segment_discard(draft);
	return error;
}

static int link_draft(const struct draft *draft, const char *file)
{
	char self[64];

	if (draft->temporary[0])
		return linkat(draft->directory, draft->temporary,
			      draft->directory, file, 0);
	snprintf(self, sizeof self, "/proc/self/fd/%d", draft->file);
	return linkat(AT_FDCWD, self, draft->directory, file,
		      AT_SYMLINK_FOLLOW);
}

static int finish(struct draft *draft, const char *file, bool published,
		  int error)
{
	struct stat status;

	if (!error && published && fstat(draft->file, &status) == 0) {
		draft->segment.device = status.st_dev;
		draft->segment.inode = status.st_ino;
	}
	if (error)
		error = error_system(file);
	if (error || !published) {
		segment_discard(draft);
		return error;
	}
	if (draft->temporary[0])
		unlinkat(draft->directory, draft->temporary, 0);
	close(draft->file);
	close(draft->directory);
	return 0;
}

int segment_publish(struct draft *draft, const char *name, bool *published)
{
	char file[FILE_NAME];
	int error;

	file_name(file, name);
	error = link_draft(draft, file) < 0 ? errno : 0;
	*published = !error;
	return finish(draft, file, *published, error == EEXIST ? 0 : error);
}

/* Whether `file` is still `old`; *locked: and nobody else replaces it now. */
static bool lock_old(const struct draft *draft, const char *file,
		     const struct segment *old, int *locked)
{
	struct stat status;

	*locked = openat(draft->directory, file,
			 O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return *locked >= 0 && flock(*locked, LOCK_EX) == 0 &&
	       fstatat(draft->directory, file, &status,
		       AT_SYMLINK_NOFOLLOW) == 0 &&
	       status.st_dev == old->device && status.st_ino == old->inode;
}

int segment_replace(struct draft *draft, const char *name,
		    const struct segment *old, bool *published)
{
	char file[FILE_NAME], aside[FILE_NAME + 32];
	int locked, error = 0;

	file_name(file, name);
	snprintf(aside, sizeof aside, ".new-%jd-%s", (intmax_t)getpid(), name);
	*published = lock_old(draft, file, old, &locked);
	if (*published) {
		unlinkat(draft->directory, aside, 0);
		if (link_draft(draft, aside) < 0 ||
		    renameat(draft->directory, aside, draft->directory,
			     file) < 0)
			error = errno;
	}
	error = finish(draft, file, *published, error);
	if (locked >= 0)
		close(locked);
	return error;
}

void segment_discard(struct draft *draft)
{
	segment_close(&draft->segment);
	if (draft->temporary[0])
		unlinkat(draft->directory, draft->temporary, 0);
	if (draft->file >= 0)
		close(draft->file);
	close(draft->directory);
}

void segment_close(struct segment *segment)
{
	if (segment->base)
		munmap(segment->base, segment->size);
	segment->base = NULL;
}

int segment_unlink(const char *name)
{
	char file[FILE_NAME];
	int directory, error = segment_check_name(name);

	if (error)
		return error;
	file_name(file, name);
	directory = directory_open(false);
	if (directory < 0)
		return directory;
	if (unlinkat(directory, file, 0) < 0)
		error = errno == ENOENT
				? error_say(ATMOST_ENOTFOUND,
					    "there is no %s in %s", file,
					    directory_path())
				: error_system(file);
	close(directory);
	return error;
}

int segment_boot(uint64_t boot[2])
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
