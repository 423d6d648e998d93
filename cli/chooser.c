/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One line in columns for what is short, and below it what is not: promises,
 * primitives and the formulas of the bounds.
 */
#include "cli/chooser.h"

#include "checker/check.h"
#include "cli/lists.h"
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

static const char *yes(bool it_is)
{
	return it_is ? "yes" : "-";
}

static void print_columns(const struct lab_algorithm *a, int width)
{
	const struct measured *m = measured_find(a->name);

	printf("  %-*s  %-8s  %-8s  %-7s  %7s  %7s%s\n", width, a->name,
	       yes(a->abortable), yes(a->recoverable),
	       a->tolerates_crashes ? "k-1" : "-",
	       m ? measured_text(m->cc).text : "-",
	       m ? measured_text(m->dsm).text : "-",
	       a->is_twin          ? "  broken twin"
	       : a->simulated_only ? "  simulated only"
				   : "");
}

static void print_formulas(const struct lab_algorithm *a)
{
	char good[LIST], uses[LIST], line[4 * LIST];

	list_telling_promises(a->promises, good);
	list_primitives(a->primitives, uses);
	snprintf(line, sizeof line, "%s%sby %s%s%s", good, good[0] ? "; " : "",
		 uses, a->component ? "; over " : "",
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

void chooser_print(void)
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
		print_formulas(&a);
	}
	printf("\nCC and DSM: most remote references (RMRs) that a passage was "
	       "seen to cost with\n64 processes, k=4 or, of a mutex, k=1; "
	       "'no end': waits in another's memory.\n"
	       "Everything about one: atmost algorithms NAME\n");
}
