/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/segment.h"

#include "runtime/directory.h"
#include "runtime/error.h"
#include "runtime/file_lock.h"
#include "runtime/layout.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	*segment = (struct segment){
		.base = base, .size = size, .look = -1, .hold = -1
	};
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
				 "600",
				 file, status->st_mode & 07777);
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
	char file[FILE_NAME];
	int directory = directory_open(false), fd;

	if (directory < 0)
		return directory;
	file_name(file, name);
	fd = open_file(directory, file);
	close(directory);
	return fd;
}

static bool is_file(const struct segment *segment, const struct stat *status)
{
	return status->st_dev == segment->device &&
	       status->st_ino == segment->inode;
}

static void note_file(struct segment *segment, const struct stat *status)
{
	segment->device = status->st_dev;
	segment->inode = status->st_ino;
}

int segment_open(struct segment *segment, const char *name, size_t least)
{
	char file[FILE_NAME];
	struct stat status;
	int error = segment_check_name(name);

	if (error)
		return error;
	*segment = (struct segment){ .look = open_named(name), .hold = -1 };
	if (segment->look < 0)
		return segment->look;
	file_name(file, name);
	strcpy(segment->name, name);
	if (fstat(segment->look, &status) < 0) {
		error = error_system(file);
		close(segment->look);
		return error;
	}
	note_file(segment, &status);
	error = check_file(&status, file, least);
	if (!error)
		error = map(segment, segment->look, (size_t)status.st_size);
	if (error)
		segment_close(segment);
	return error;
}

/* A program may have closed it, and opened another file of the same number. */
static bool is_ours(const struct segment *segment, int fd)
{
	struct stat status;

	return fd >= 0 && fstat(fd, &status) == 0 && is_file(segment, &status);
}

/* By a descriptor that we have, as the name may be gone; or by the name. */
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

/* Drafts. */

/*
 * A file without a name, or where that cannot be linked, one of a dot's.  The
 * lock tells that its maker is alive.
 */
static int open_draft(struct draft *draft)
{
	int *file = &draft->segment.look;

	if (access("/proc/self/fd", X_OK) == 0) {
		*file = openat(draft->directory, ".",
			       O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
		if (*file >= 0)
			return 0;
	}
	for (unsigned i = 0; i < 100; i++) {
		snprintf(draft->temporary, sizeof draft->temporary,
			 ".draft-%jd-%u", (intmax_t)getpid(), i);
		*file = openat(draft->directory, draft->temporary,
			       O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (*file >= 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	draft->temporary[0] = '\0';
	return error_system(directory_path().text);
}

static bool is_leftover(int directory, const char *name)
{
	struct stat status;
	bool dead;
	int fd;

	if (strncmp(name, ".draft-", 7) != 0 && strncmp(name, ".new-", 5) != 0)
		return false;
	fd = openat(directory, name,
		    O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	dead = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       file_lock_look(fd, LOCK_DRAFT, 1) == FILE_LOCK_FREE;
	close(fd);
	return dead;
}

/* What makers left that were killed.  One that has not locked its draft yet
 * finds it gone, and begins anew. */
static void sweep(int directory)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *all = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!all) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(all)) != NULL)
		if (is_leftover(directory, entry->d_name))
			unlinkat(directory, entry->d_name, 0);
	closedir(all);
}

int segment_draft(struct draft *draft, size_t size)
{
	struct segment *segment = &draft->segment;
	struct stat status;
	int error;

	*draft = (struct draft){ .segment = { .look = -1, .hold = -1 } };
	draft->directory = directory_open(true);
	if (draft->directory < 0)
		return draft->directory;
	sweep(draft->directory);
	error = open_draft(draft);
	if (!error && fstat(segment->look, &status) < 0) {
		error = error_system("making a file for the pool");
		close(segment->look);
		segment->look = -1;
	}
	if (error)
		goto discard;
	note_file(segment, &status);
	if (file_lock_take(segment->look, LOCK_DRAFT) == FILE_LOCK_REFUSED) {
		error = file_lock_complain();
		goto discard;
	}
	fchmod(segment->look, 0600); /* whatever the umask */
	if (ftruncate(segment->look, (off_t)size) < 0) {
		error = error_system("making a file for the pool");
		goto discard;
	}
	error = map(segment, segment->look, size);
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
	snprintf(self, sizeof self, "/proc/self/fd/%d", draft->segment.look);
	return linkat(AT_FDCWD, self, draft->directory, file,
		      AT_SYMLINK_FOLLOW);
}

/* The mapping would keep the lock of the description. */
static void end_draft(struct draft *draft)
{
	if (draft->temporary[0])
		unlinkat(draft->directory, draft->temporary, 0);
	if (draft->segment.look >= 0)
		file_lock_release(draft->segment.look, LOCK_DRAFT);
	close(draft->directory);
}

static int finish(struct draft *draft, const char *name, bool published,
		  int error)
{
	if (error)
		error = error_system(name);
	if (error || !published) {
		segment_discard(draft);
		return error;
	}
	end_draft(draft);
	strcpy(draft->segment.name, name);
	return 0;
}

int segment_publish(struct draft *draft, const char *name, bool *published)
{
	char file[FILE_NAME];
	int error;

	file_name(file, name);
	error = link_draft(draft, file) < 0 ? errno : 0;
	*published = !error;
	/* EEXIST: somebody was faster.  ENOENT: our draft was swept away. */
	if (error == EEXIST || (error == ENOENT && draft->temporary[0]))
		error = 0;
	errno = error;
	return finish(draft, name, *published, error);
}

int segment_replace(struct draft *draft, const char *name, bool *published)
{
	char file[FILE_NAME], aside[FILE_NAME + 32];
	int error = 0;

	file_name(file, name);
	snprintf(aside, sizeof aside, ".new-%jd-%s", (intmax_t)getpid(), name);
	unlinkat(draft->directory, aside, 0);
	if (link_draft(draft, aside) < 0 ||
	    renameat(draft->directory, aside, draft->directory, file) < 0)
		error = errno;
	*published = !error;
	errno = error;
	return finish(draft, name, *published, error);
}

void segment_discard(struct draft *draft)
{
	end_draft(draft);
	segment_close(&draft->segment);
}

int segment_reserve(struct segment *segment, size_t from, size_t count)
{
	int fd = segment_look(segment), error = 0;

	if (count == 0)
		return 0;
	if (fd < 0)
		return fd;
	/* A file that was cut off must not look whole again. */
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)count) < 0)
		error = errno;
	/* Only before others use it: the C library writes what it has read. */
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
	char file[FILE_NAME];
	struct stat status;
	int directory = directory_open(false);
	bool is;

	if (directory < 0)
		return false;
	file_name(file, segment->name);
	is = fstatat(directory, file, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
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
	char file[FILE_NAME];
	int directory, error = segment_check_name(name);

	if (error)
		return error;
	file_name(file, name);
	directory = directory_open(false);
	if (directory < 0)
		return directory;
	if (unlinkat(directory, file, 0) < 0)
		error = errno == ENOENT ? error_say(ATMOST_ENOTFOUND,
						    "there is no %s in %s",
						    file, directory_path().text)
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
