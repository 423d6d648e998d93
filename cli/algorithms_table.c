/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/algorithms_table.h"

#include "checker/check.h"
#include "cli/join.h"
#include "cli/measured.h"
#include "cli/print.h"

#include <stdio.h>
#include <string.h>

enum { INDENT = 6 };

static int widest_name(void)
{
	struct lab_algorithm a;
	int width = 0;

	for (size_t i = 0; lab_algorithm_at(i, &a); i++)
		if (width < (int)strlen(a.name))
			width = (int)strlen(a.name);
	return width;
}

static void print_columns(const struct lab_algorithm *a, int width)
{
	const struct measured *m = measured_find(a->name);

	printf("  %-*s  %-8s  %-8s  %-7s  %7s  %7s%s\n", width, a->name,
	       a->abortable ? "yes" : "-", a->recoverable ? "yes" : "-",
	       a->tolerates_crashes ? "k-1" : "-",
	       m ? measured_text(m->cc).text : "-",
	       m ? measured_text(m->dsm).text : "-",
	       a->is_twin          ? "  broken twin"
	       : a->simulated_only ? "  simulated only"
	       : a->over_store     ? "  over a store"
				   : "");
}

/* Promises, primitives and bounds are too long for columns. */
static void print_paragraphs(const struct lab_algorithm *a)
{
	char promises[JOIN_SIZE], primitives[JOIN_SIZE], line[4 * JOIN_SIZE];

	join_distinctive_promises(a->promises, promises);
	join_primitives(a->primitives, primitives);
	snprintf(line, sizeof line, "%s%sby %s%s%s", promises,
		 promises[0] ? "; " : "", primitives,
		 a->component ? "; over " : "",
		 a->component ? a->component : "");
	printf("%*s", INDENT, "");
	print_wrapped(line, INDENT);
	snprintf(line, sizeof line, "RMRs: CC %s%s%s; DSM %s",
		 a->rmr_cc ? a->rmr_cc : "-",
		 a->rmr_cc_smart ? ", with a smart cache " : "",
		 a->rmr_cc_smart ? a->rmr_cc_smart : "",
		 a->rmr_dsm ? a->rmr_dsm : "-");
	printf("%*s", INDENT, "");
	print_wrapped(line, INDENT);
}

void algorithms_table_print(void)
{
	int width = widest_name();
	struct lab_algorithm a;
	const char *kind = "";

	printf("  %-*s  %-8s  %-8s  %-7s  %7s  %7s\n", width, "", "gives up",
	       "recovers", "crashes", "CC", "DSM");
	for (size_t i = 0; lab_algorithm_at(i, &a); i++) {
		if (strcmp(kind, a.kind) != 0)
			printf("%s%s%s\n", bold_on(), a.kind, bold_off());
		kind = a.kind;
		print_columns(&a, width);
		print_paragraphs(&a);
	}
	printf("\nCC and DSM: the largest number of remote references (RMRs) "
	       "that a passage made,\nmeasured with 64 processes and k=4 "
	       "(mutex: k=1); 'no end': waiters wait on words\noutside their "
	       "own memory.  'atmost algorithms NAME' prints everything about "
	       "one\nalgorithm.\n");
}
