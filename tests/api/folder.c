/* SPDX-License-Identifier: BSD-2-Clause */
#include "folder.h"

#include "common/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char *folder;

/* The folder is not in /dev/shm, because some tests mount another file system
 * there. */
int folder_make(void **state)
{
	(void)state;
	folder = folder_create("/tmp");
	return 0;
}

int folder_remove(void **state)
{
	(void)state;
	folder_delete();
	return 0;
}

const char *folder_file(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s.pool", folder, name);
	return path;
}

unsigned folder_count(void)
{
	DIR *all = opendir(folder);
	unsigned count = 0;

	assert_non_null(all);
	while (readdir(all))
		count++;
	closedir(all);
	return count - 2;
}

struct atmost *open_pool(const char *name, const char *algorithm, unsigned k,
			 unsigned members)
{
	const struct atmost_shape shape = {
		.kind = kind_for(algorithm),
		.k = is_hall(algorithm) ? 0 : k,
		.members = members,
		.algorithm = algorithm,
	};
	struct atmost *pool = NULL;

	if (atmost_open(&pool, name, algorithm ? &shape : NULL) < 0)
		fail_msg("%s: %s", name, atmost_detail());
	return pool;
}

struct atmost *open_with_names(const char *name, const char *names)
{
	const struct atmost_shape shape = {
		.kind = ATMOST_ASSIGNMENT,
		.members = 4,
		.names = names,
	};
	struct atmost *pool = NULL;

	if (atmost_open(&pool, name, &shape) < 0)
		fail_msg("%s: %s", name, atmost_detail());
	return pool;
}

static int open_file(const char *name, int flags)
{
	int fd = open(folder_file(name), flags | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

/* Every record begins at a multiple of 64 bytes, after the words. */
long file_record(const char *name, pid_t thread)
{
	struct stat status;
	uint64_t state, there;

	assert_int_equal(0, stat(folder_file(name), &status));
	for (long at = AT_WORDS; at + RECORD <= status.st_size; at += 64) {
		file_read(name, at + AT_STATE, &state, sizeof state);
		file_read(name, at + AT_THREAD, &there, sizeof there);
		if (state & 1 && there == (uint64_t)thread)
			return at;
	}
	fail_msg("no member of thread %jd", (intmax_t)thread);
	return 0;
}

void file_patch(const char *name, long at, const void *bytes, size_t size)
{
	int fd = open_file(name, O_RDWR);

	assert_int_equal(size, pwrite(fd, bytes, size, at));
	close(fd);
}

void file_leave_resizing(const char *name, unsigned k)
{
	const uint64_t now = k, begun = 1;

	file_patch(name, AT_RESIZING, &begun, sizeof begun);
	file_patch(name, AT_K_NOW, &now, sizeof now);
}

void file_read(const char *name, long at, void *bytes, size_t size)
{
	int fd = open_file(name, O_RDONLY);

	assert_int_equal(size, pread(fd, bytes, size, at));
	close(fd);
}

static uint64_t add_up(uint64_t sum, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
	return sum;
}

void file_sign(const char *name)
{
	unsigned char head[AT_FIXED_END], *names;
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	uint32_t length;
	int fd = open_file(name, O_RDONLY);

	file_read(name, 0, head, sizeof head);
	memcpy(&length, head + AT_NAMES_LENGTH, sizeof length);
	sum = add_up(sum, head, AT_CHECKSUM);
	sum = add_up(sum, head + AT_OBJECT, AT_FIXED_END - AT_OBJECT);
	names = malloc(length + 1UL);
	assert_non_null(names);
	sum = add_up(sum, names, (size_t)pread(fd, names, length, AT_NAMES));
	free(names);
	close(fd);
	file_patch(name, AT_CHECKSUM, &sum, sizeof sum);
}

char *file_map(const char *name)
{
	int fd = open_file(name, O_RDWR);
	struct stat status;
	char *base;

	assert_int_equal(0, fstat(fd, &status));
	base = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	assert_ptr_not_equal(MAP_FAILED, base);
	close(fd);
	return base;
}

void child_begins(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL,
				       SIGSYS };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

int in_child(int (*function)(const void *), const void *argument)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		child_begins();
		_exit(function(argument));
	}
	assert_int_equal(pid, waitpid(pid, &status, 0));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
