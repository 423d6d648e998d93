/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/draft.h"

#include "runtime/directory.h"
#include "runtime/error.h"
#include "runtime/file_lock.h"
#include "runtime/layout.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a file without a name.  If the file system has no such files, or they
 * could not be linked later because there is no /proc, opens a file whose name
 * begins with a dot. */
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

/* Removes the drafts of makers that were killed.  May also remove the draft of
 * a living maker that has not locked it yet: that maker starts again. */
static void remove_leftovers(int directory)
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

int draft_begin(struct draft *draft, size_t size)
{
	struct segment *segment = &draft->segment;
	struct stat status;
	int error;

	*draft = (struct draft){ .segment = { .look = -1, .hold = -1 } };
	draft->directory = directory_open(true);
	if (draft->directory < 0)
		return draft->directory;
	remove_leftovers(draft->directory);
	error = open_draft(draft);
	if (!error && fstat(segment->look, &status) < 0) {
		error = error_system("making a file for the pool");
		close(segment->look);
		segment->look = -1;
	}
	if (error)
		goto discard;
	segment_note(segment, &status);
	if (file_lock_take(segment->look, LOCK_DRAFT) == FILE_LOCK_REFUSED) {
		error = file_lock_complain();
		goto discard;
	}
	fchmod(segment->look, 0600); /* whatever the umask */
	if (ftruncate(segment->look, (off_t)size) < 0) {
		error = error_system("making a file for the pool");
		goto discard;
	}
	error = segment_map(segment, size);
	if (!error)
		return 0;
discard:
	draft_discard(draft);
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

/* Closing the descriptor would not release the lock, because the mapping keeps
 * the file description open. */
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
		draft_discard(draft);
		return error;
	}
	end_draft(draft);
	strcpy(draft->segment.name, name);
	return 0;
}

int draft_publish(struct draft *draft, const char *name, bool *published)
{
	const struct segment_file file = segment_file(name);
	int error = link_draft(draft, file.text) < 0 ? errno : 0;

	*published = !error;
	/* EEXIST: another process was faster.  ENOENT: another maker has
	 * removed our draft. */
	if (error == EEXIST || (error == ENOENT && draft->temporary[0]))
		error = 0;
	errno = error;
	return finish(draft, name, *published, error);
}

int draft_replace(struct draft *draft, const char *name, bool *published)
{
	const struct segment_file file = segment_file(name);
	char aside[sizeof file.text + 32];
	int error = 0;

	snprintf(aside, sizeof aside, ".new-%jd-%s", (intmax_t)getpid(), name);
	unlinkat(draft->directory, aside, 0);
	if (link_draft(draft, aside) < 0 ||
	    renameat(draft->directory, aside, draft->directory, file.text) < 0)
		error = errno;
	*published = !error;
	errno = error;
	return finish(draft, name, *published, error);
}

void draft_discard(struct draft *draft)
{
	end_draft(draft);
	segment_close(&draft->segment);
}
