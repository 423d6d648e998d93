/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/measured.h"

#include <stdio.h>
#include <string.h>

static const struct measured table[] = {
#define MEASURED(name, n, k, cc, dsm, amortised) \
	{ name, n, k, cc, dsm, amortised },
#include "cli/measured.def"
#undef MEASURED
	{ NULL, 0, 0, 0, 0, 0 }
};

const struct measured *measured_find(const char *name)
{
	for (const struct measured *m = table; m->name; m++)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

struct short_text measured_text(long worst)
{
	struct short_text text = { "no end" };

	if (worst >= 0)
		snprintf(text.text, sizeof text.text, "%ld", worst);
	return text;
}
