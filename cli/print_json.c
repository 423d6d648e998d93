/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/options.h"
#include "cli/print.h"

#include <stdio.h>

int print_json(const char *command, json_t *object, int code)
{
	if (!object)
		return internal_error(command, "out of memory");
	/* A failure to write is print_finish's to report. */
	json_dumpf(object, stdout,
		   JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(object);
	return code;
}
