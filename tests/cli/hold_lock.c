/* SPDX-License-Identifier: BSD-2-Clause */
/* hold_lock FILE BYTE: holds an open-file-description lock on the byte until it
 * is killed. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct flock lock = { .l_type = F_WRLCK, .l_len = 1 };
	int file = argc == 3 ? open(argv[1], O_RDWR) : -1;

	if (file < 0)
		return 2;
	lock.l_start = atol(argv[2]);
	if (fcntl(file, F_OFD_SETLK, &lock) < 0)
		return 1;
	puts("held");
	fflush(stdout);
	pause();
	return 0;
}
