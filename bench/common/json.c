/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/json.h"

#include "bench/common/bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

json_t *json_interval(const struct interval *i)
{
	return json_pack("{sf sf sf}", "median", i->median, "low", i->low,
			 "high", i->high);
}

static bool write_file(const json_t *all, const char *file)
{
	char temporary[4096];
	int length = snprintf(temporary, sizeof temporary, "%s.new", file);

	errno = ENAMETOOLONG;
	if (length < 0 || (size_t)length >= sizeof temporary)
		return false;
	errno = EIO;
	if (json_dump_file(all, temporary,
			   JSON_INDENT(1) | JSON_REAL_PRECISION(6)) < 0)
		return false;
	return rename(temporary, file) == 0;
}

bool json_write(const json_t *all, const char *file)
{
	if (!file || write_file(all, file))
		return true;
	fprintf(stderr, "%s: %s: %s\n", bench.name, file, strerror(errno));
	return false;
}
