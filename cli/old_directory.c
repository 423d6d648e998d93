/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Version 0.1 stored pools in $XDG_RUNTIME_DIR/atmost.  Later versions store
 * them in /dev/shm/atmost-UID as long as the machine has no /run/atmost.
 */
#include "cli/old_directory.h"

#include <atmost/atmost.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The pool file of version 0.1, format 2: a header, then one record per member.
 * A record begins with the robust mutex that the member's thread holds.
 */
enum {
	FORMAT = 2,
	AT_RECORDS = 512,
	RECORD = 320,
	AT_STATE = 128, /* offsets in a record */
	AT_PID = 144,
	RECORD_READ = 152,
	MOST_MEMBERS = 65535
};

struct header {
	char magic[8];
	uint32_t format, kind, k, k_max, members;
};

#define OWNER UINT32_C(0x3fffffff) /* thread id, in the mutex's first word */
#define JOINED UINT64_C(1)
#define ENTRUSTED (UINT64_C(1) << 63)

/*
 * EPERM: the process exists, but belongs to another user.  If a new process has
 * the number of a dead member, the warning is wrong, but a missing warning
 * would do more harm.
 */
static bool exists(uint64_t number)
{
	return number > 0 && number <= INT32_MAX &&
	       (kill((pid_t)number, 0) == 0 || errno == EPERM);
}

static bool record_lives(const char record[RECORD_READ])
{
	uint32_t lock;
	uint64_t state, pid;

	memcpy(&lock, record, sizeof lock);
	memcpy(&state, record + AT_STATE, sizeof state);
	memcpy(&pid, record + AT_PID, sizeof pid);
	return state & JOINED &&
	       (exists(lock & OWNER) || (state & ENTRUSTED && exists(pid)));
}

/* The number of members in the header may be damaged, so the end of the file
 * ends the loop, too. */
static bool has_members(int file)
{
	char record[RECORD_READ];
	struct header header;

	if (pread(file, &header, sizeof header, 0) != sizeof header ||
	    memcmp(header.magic, "atmost\r\n", sizeof header.magic) != 0 ||
	    header.format != FORMAT || header.members > MOST_MEMBERS)
		return false;
	for (off_t i = 0; i < (off_t)header.members; i++) {
		if (pread(file, record, sizeof record,
			  AT_RECORDS + RECORD * i) != sizeof record)
			return false;
		if (record_lives(record))
			return true;
	}
	return false;
}

/* For later formats, in which the process of every member locks a byte of the
 * file. */
static bool has_locks(int file)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

static bool is_in_use(const char *path)
{
	struct stat status;
	bool used;
	int file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (file < 0)
		return false;
	used = fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
	       status.st_uid == geteuid() &&
	       (has_locks(file) || has_members(file));
	close(file);
	return used;
}

struct search {
	const char *command, *pool;
	char present[PATH_MAX]; /* the present directory of pools */
};

static void warn_about(const struct search *s, const char *folder,
		       const char *when)
{
	char path[PATH_MAX];

	if (strcmp(folder, s->present) != 0 &&
	    snprintf(path, sizeof path, "%s/%s.pool", folder, s->pool) <
		    (int)sizeof path &&
	    is_in_use(path))
		fprintf(stderr,
			"atmost %s: warning: the pool %s is also in use in %s, "
			"where pools were %s; the commands there and "
			"those in %s do not wait for each other\n",
			s->command, s->pool, folder, when, s->present);
}

void old_directory_warn(const char *command, const char *pool)
{
	const char *own = getenv("ATMOST_DIR");
	const char *run = getenv("XDG_RUNTIME_DIR");
	struct search s = { .command = command, .pool = pool };
	char folder[PATH_MAX];

	/* A name with a slash is refused later; it must not become part of a
	 * path here. */
	if ((own && *own) || strchr(pool, '/') ||
	    atmost_directory(s.present, sizeof s.present) < 0)
		return;
	if (run && *run &&
	    snprintf(folder, sizeof folder, "%s/atmost", run) <
		    (int)sizeof folder)
		warn_about(&s, folder, "in version 0.1");
	snprintf(folder, sizeof folder, "/dev/shm/atmost-%u", geteuid());
	warn_about(&s, folder, "before /run/atmost existed");
}
