/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/file_lock.h"

#include "runtime/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static struct flock range(short type, long from, long count)
{
	return (struct flock){
		.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = from,
		.l_len = count,
	};
}

enum file_lock file_lock_take(int fd, long byte)
{
	struct flock lock = range(F_WRLCK, byte, 1);

	if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
		return FILE_LOCK_FREE;
	return errno == EAGAIN ? FILE_LOCK_HELD : FILE_LOCK_REFUSED;
}

void file_lock_release(int fd, long byte)
{
	struct flock lock = range(F_UNLCK, byte, 1);

	fcntl(fd, F_OFD_SETLK, &lock);
}

enum file_lock file_lock_look(int fd, long from, long count)
{
	struct flock lock = range(F_WRLCK, from, count);

	if (fcntl(fd, F_OFD_GETLK, &lock) < 0)
		return FILE_LOCK_REFUSED;
	return lock.l_type == F_UNLCK ? FILE_LOCK_FREE : FILE_LOCK_HELD;
}

int file_lock_complain(void)
{
	return error_say(ATMOST_ESYSTEM,
			 "fcntl F_OFD_SETLK: %s: the library needs locks on "
			 "the pool's file to notice killed processes; allow "
			 "them in the sandbox, or set ATMOST_DIR to a local "
			 "file system that has them",
			 strerror(errno));
}
