/* SPDX-License-Identifier: BSD-2-Clause */
#include "folder.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

const char *folder_create(const char *where)
{
	if (!where)
		where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(folder, sizeof folder, "%s/atmost-test-XXXXXX", where);
	if (!mkdtemp(folder) || setenv("ATMOST_DIR", folder, 1) < 0) {
		perror(folder);
		exit(2);
	}
	return folder;
}

static int remove_one(const char *path, const struct stat *status, int type,
		      struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

void folder_delete(void)
{
	chmod(folder, 0700);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *folder_path(const char *name)
{
	static char path[128];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}
