/* SPDX-License-Identifier: BSD-2-Clause */
/* address TEXT: opens the pool at the address, and prints the error and its
 * detail. */
#include <atmost/atmost.h>

#include <stdio.h>

int main(int count, char **arguments)
{
	struct atmost *pool;
	int error;

	if (count != 2)
		return 2;
	error = atmost_open(&pool, arguments[1], NULL);
	printf("%d %s\n", error, atmost_detail());
	return 0;
}
