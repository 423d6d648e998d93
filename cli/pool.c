/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/pool.h"

#include "cli/safe_text.h"

#include <stdio.h>

int pool_exit_for(int error)
{
	switch (error) {
	case ATMOST_ENAME:
	case ATMOST_ESHAPE:
	case ATMOST_EALGORITHM:
	case ATMOST_ESESSION:
	case ATMOST_ENOTABORTABLE:
	case ATMOST_ENOTRESIZABLE:
	case ATMOST_EUNSUPPORTED:
		return POOL_USAGE;
	case ATMOST_EFORMAT:
	case ATMOST_ECORRUPT:
		return POOL_DAMAGED;
	case ATMOST_ENOTFOUND:
		return POOL_MISSING;
	case ATMOST_EFULL:
		return POOL_FULL;
	case ATMOST_EPERMISSION:
		return POOL_FORBIDDEN;
	case ATMOST_EUNREACHED:
		return POOL_NOT_REACHED;
	case ATMOST_EREFUSED:
		return POOL_REFUSED;
	case ATMOST_EBUSY:
	case ATMOST_ETIMEDOUT:
		return POOL_NOT_NOW;
	default:
		return POOL_SYSTEM;
	}
}

int pool_complain(const char *command, const char *pool, int error)
{
	const char *detail = atmost_detail();

	fprintf(stderr, "atmost %s: ", command);
	if (error == ATMOST_EFULL)
		fprintf(stderr,
			"pool %s is full: it has no room for another running or "
			"waiting command",
			pool);
	else
		safe_text_print(stderr,
				*detail ? detail : atmost_strerror(error));
	fputc('\n', stderr);
	if (error == ATMOST_EFORMAT || error == ATMOST_ECORRUPT)
		fprintf(stderr,
			"when no command uses the pool any more, remove it "
			"with 'atmost remove --force %s'\n",
			pool);
	if (error == ATMOST_EFULL)
		fprintf(stderr,
			"'atmost status %s' shows its commands; try again when "
			"some have ended\n",
			pool);
	return pool_exit_for(error);
}

int pool_no_memory(const char *command)
{
	fprintf(stderr, "atmost %s: out of memory\n", command);
	return POOL_SYSTEM;
}
