/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/help.h"

#include "bench/common/bench.h"
#include "bench/common/contender.h"

#include <stdio.h>

void help_print(void)
{
	const char *name;

	fputs(bench.usage, stdout);
	for (size_t i = 0; (name = contender_name(i)) != NULL; i++)
		printf("  %s\n", name);
}
