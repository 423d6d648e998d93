/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/session.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

uint64_t session_of_word(const char *word)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *word; word++)
		hash = (hash ^ (unsigned char)*word) * UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}

/* The result is odd, so it is not 0. */
uint64_t session_alone(void)
{
	struct timespec now;
	uint64_t number;

	if (getrandom(&number, sizeof number, 0) == sizeof number)
		return number | 1;
	clock_gettime(CLOCK_REALTIME, &now);
	number = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	return (number << 22 ^ (uint64_t)getpid()) | 1;
}
