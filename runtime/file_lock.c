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

/*
 * File locks order the accesses to shared memory:
 *
 *	a process that has the lock     a process that takes it or looks at it
 *	F1  reads and writes words      T1  fcntl: the lock is free
 *	F2  fence                       T2  fence
 *	F3  fcntl: releases the lock    T3  reads and writes words
 *
 * C11 does not know file locks, so the fences make the order.  For this it is
 * enough that all processes see the changes of the lock in the same sequence,
 * as they see the changes of a relaxed atomic object.  If T1 finds the lock
 * free because of F3, the fences F2 and T2 synchronize, and F1 happens before
 * T3.  tests/litmus: file_lock.
 *
 * The kernel releases the lock of a process that has been killed, and executes
 * no F2.  The kernel releases the lock after the process's last access, and
 * holds a spinlock of the file while it does so; T1 takes the same spinlock
 * later.  The release and the acquisition of a spinlock order all accesses
 * before and after them on every machine that Linux supports.
 */
static void order_accesses(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

enum file_lock file_lock_take(int fd, long byte)
{
	struct flock lock = range(F_WRLCK, byte, 1);

	if (fcntl(fd, F_OFD_SETLK, &lock) == 0) {
		order_accesses();
		return FILE_LOCK_FREE;
	}
	return errno == EAGAIN ? FILE_LOCK_HELD : FILE_LOCK_REFUSED;
}

void file_lock_release(int fd, long byte)
{
	struct flock lock = range(F_UNLCK, byte, 1);

	order_accesses();
	fcntl(fd, F_OFD_SETLK, &lock);
}

enum file_lock file_lock_look(int fd, long from, long count)
{
	struct flock lock = range(F_WRLCK, from, count);

	if (fcntl(fd, F_OFD_GETLK, &lock) < 0)
		return FILE_LOCK_REFUSED;
	order_accesses();
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
