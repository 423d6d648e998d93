/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/k_value.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* sched_getaffinity fails if the set is smaller than the kernel's. */
static unsigned long processors(void)
{
	enum { MOST = 1 << 16 };

	for (size_t count = 1024; count <= MOST; count *= 2) {
		const size_t size = CPU_ALLOC_SIZE(count);
		cpu_set_t *set = CPU_ALLOC(count);
		int found = 0;

		if (set && sched_getaffinity(0, size, set) == 0)
			found = CPU_COUNT_S(size, set);
		CPU_FREE(set);
		if (found > 0)
			return (unsigned long)found;
	}
	return 1;
}

bool k_value_read(const char *text, unsigned *k)
{
	enum { DIGITS = 6 };
	const bool minus = text[0] == '-';
	const char *number = text + minus;
	const size_t digits = strspn(number, "0123456789");
	const bool percent = !minus && strcmp(number + digits, "%") == 0;
	unsigned long value;

	if (digits == 0 || digits > DIGITS || (number[digits] && !percent))
		return false;
	value = strtoul(number, NULL, 10);
	if (percent) {
		value = processors() * value / 100;
	} else if (minus) {
		const unsigned long all = processors();

		value = value < all ? all - value : 0;
	}
	if ((percent || minus) && value == 0)
		value = 1;
	if (value == 0 || value > K_VALUE_MOST)
		return false;
	*k = (unsigned)value;
	return true;
}
