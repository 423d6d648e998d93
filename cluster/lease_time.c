/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/lease_time.h"

#include <stdlib.h>

int lease_time(unsigned *seconds, struct complaint *why)
{
	const char *text = getenv("ATMOST_AT_LEASE");
	char *end;
	unsigned long value;

	*seconds = LEASE_SECONDS;
	if (!text || !*text)
		return 0;
	value = strtoul(text, &end, 10);
	if (*end || text[0] < '0' || text[0] > '9' || value < LEASE_LEAST ||
	    value > LEASE_MOST)
		return complain(why, ATMOST_ESHAPE,
				"ATMOST_AT_LEASE is '%.40s'; it must be a "
				"number of seconds between %d and %d",
				text, LEASE_LEAST, LEASE_MOST);
	*seconds = (unsigned)value;
	return 0;
}
