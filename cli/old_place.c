/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pools in old places: $XDG_RUNTIME_DIR/atmost, of version 0.1, and
 * /dev/shm/atmost-UID, of the time before the machine had /run/atmost.
 */
#include "cli/old_place.h"

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
 * Format 2, of version 0.1: a header, then a record for each member, which
 * begins with the robust mutex that the member's thread holds.
 */
enum {
	FORMAT = 2,
	AT_RECORDS = 512,
	RECORD = 320,
	AT_STATE = 128, /* of a record */
	AT_PID = 144,
	RECORD_READ = 152,
	MOST_MEMBERS = 65535
};

struct header {
	char magic[8];
	uint32_t format, kind, k, k_max, members;
};

#define OWNER UINT32_C(0x3fffffff) /* the thread, in the mutex's first word */
#define JOINED UINT64_C(1)
#define ENTRUSTED (UINT64_C(1) << 63)

/*
 * EPERM: a process of another user has the number.  A number that is used
 * again causes a warning too many, which does less harm than one too few.
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

/* The number of members may be wrong: the file's end ends the loop, too. */
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

/* Later formats: each process that has joined locks a byte of the file. */
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

struct question {
	const char *command, *pool;
	char now[PATH_MAX]; /* where pools are */
};

static void look(const struct question *q, const char *folder, const char *when)
{
	char path[PATH_MAX];

	if (strcmp(folder, q->now) != 0 &&
	    snprintf(path, sizeof path, "%s/%s.pool", folder, q->pool) <
		    (int)sizeof path &&
	    is_in_use(path))
		fprintf(stderr,
			"atmost %s: the pool %s is also in use in %s, "
			"where pools were %s; the commands there and "
			"those in %s do not wait for each other\n",
			q->command, q->pool, folder, when, q->now);
}

void old_place_warn(const char *command, const char *pool)
{
	const char *own = getenv("ATMOST_DIR");
	const char *run = getenv("XDG_RUNTIME_DIR");
	struct question q = { .command = command, .pool = pool };
	char folder[PATH_MAX];

	/* A slash: no name of a pool, and no path to follow either. */
	if ((own && *own) || strchr(pool, '/') ||
	    atmost_directory(q.now, sizeof q.now) < 0)
		return;
	if (run && *run &&
	    snprintf(folder, sizeof folder, "%s/atmost", run) <
		    (int)sizeof folder)
		look(&q, folder, "in version 0.1");
	snprintf(folder, sizeof folder, "/dev/shm/atmost-%u", geteuid());
	look(&q, folder, "before /run/atmost was made");
}
