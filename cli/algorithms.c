/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost algorithms: what there is, as a table or one by one. */
#include "cli/algorithms.h"

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { LIST = 512 };

/* What follows from something stronger that is promised as well. */
struct implication {
	const char *strong, *weak;
};

static const struct implication implications[] = {
	{ "no-starvation", "no-deadlock" },
	{ "fife", "k-fcfs" },
	{ "fcfs", "k-fcfs" },
	{ "strong-concurrent-entering", "concurrent-entering" },
};

/* What nearly all have in common and the table need not repeat. */
static const char *const common[] = {
	"at-most-k", "session-exclusion", "no-lost-wake", "bounded-doorway",
	"bounded-leave", "bounded-abort", "quiescence", "invariant",
};

static unsigned bit_of(const char *property)
{
	int number = lab_property_number(property);

	return number < 0 ? 0 : 1u << number;
}

static void append(char *list, const char *separator, const char *name)
{
	size_t used = strlen(list);

	snprintf(list + used, LIST - used, "%s%s", used ? separator : "", name);
}

static void list_promises(unsigned promises, const char *separator, char *list)
{
	list[0] = '\0';
	for (unsigned i = 0; i < lab_property_count(); i++)
		if (promises >> i & 1)
			append(list, separator, lab_property_name(i));
}

static void list_telling_promises(unsigned promises, char *list)
{
	unsigned telling = promises;

	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		telling &= ~bit_of(common[i]);
	for (size_t i = 0; i < sizeof implications / sizeof *implications; i++)
		if (promises & bit_of(implications[i].strong))
			telling &= ~bit_of(implications[i].weak);
	list_promises(telling, ", ", list);
}

static void list_primitives(unsigned primitives, char *list)
{
	const char *name;

	list[0] = '\0';
	for (unsigned i = 0; (name = lab_primitive_name(i)) != NULL; i++)
		if (primitives >> i & 1)
			append(list, ", ", name);
}

static void append_marks(const struct lab_algorithm *a, char *list)
{
	if (a->is_twin)
		append(list, ", ", "broken twin");
	if (a->simulated_only)
		append(list, ", ", "simulated only");
	if (a->abortable)
		append(list, ", ", "abortable");
	if (a->recoverable)
		append(list, ", ", "recoverable");
	if (a->tolerates_crashes)
		append(list, ", ", "k-1 crashes");
}

static int widest_name(void)
{
	struct lab_algorithm a;
	int width = 0;

	for (size_t i = 0; lab_algorithm_at(i, &a); i++)
		if (width < (int)strlen(a.name))
			width = (int)strlen(a.name);
	return width;
}

/* Two lines: what it is good for, and what it takes. */
static void print_brief(const struct lab_algorithm *a, int width)
{
	char good[LIST], uses[LIST], line[3 * LIST];

	list_telling_promises(a->promises, good);
	append_marks(a, good);
	list_primitives(a->primitives, uses);
	snprintf(line, sizeof line, "%s; RMRs: CC %s; DSM %s", uses,
		 a->rmr_cc ? a->rmr_cc : "-", a->rmr_dsm ? a->rmr_dsm : "-");
	printf("  %-*s  ", width, a->name);
	print_wrapped(good, width + 4);
	printf("%*s", width + 4, "");
	print_wrapped(line, width + 4);
}

static void print_all(void)
{
	int width = widest_name();
	struct lab_algorithm a;
	const char *kind = "";

	for (size_t i = 0; lab_algorithm_at(i, &a); i++) {
		if (strcmp(kind, a.kind) != 0)
			printf("%s%s%s\n", bold_on(), a.kind, bold_off());
		kind = a.kind;
		print_brief(&a, width);
	}
	printf("\nEverything about one: atmost algorithms NAME\n");
}

static void print_entry(const char *name, const char *text)
{
	printf("  %-12s", name);
	print_wrapped(text && text[0] ? text : "-", 14);
}

/* The one it is made over, and the others it could be. */
static void list_components(const struct lab_algorithm *a, char *list)
{
	const char *name;

	snprintf(list, LIST, "%s", a->component ? a->component : "");
	append(list, "", "; others:");
	for (size_t i = 0; (name = lab_component_at(a->name, i)) != NULL; i++)
		if (!strchr(name, '~') && strcmp(name, a->component) != 0)
			append(list, " ", name);
}

static void print_one(const struct lab_algorithm *a)
{
	char list[LIST];

	printf("%s%s%s\n", bold_on(), a->name, bold_off());
	print_entry("source", a->source);
	print_entry("kind", a->kind);
	list_promises(a->promises, " ", list);
	print_entry("promises", list);
	print_entry("crashes", a->tolerates_crashes
				       ? "nobody starves if k-1 stop for ever"
				       : "one that stops may block the others");
	list_primitives(a->primitives, list);
	print_entry("primitives", list);
	list_components(a, list);
	if (a->component)
		print_entry("over", list);
	print_entry("RMRs, CC", a->rmr_cc);
	print_entry("RMRs, DSM", a->rmr_dsm);
	print_entry("abortable", a->abortable ? "yes: waiting may be given up"
					      : "no");
	print_entry("recoverable", a->recoverable ? "yes: deaths are repaired"
						  : "no");
	print_entry("states", a->finite_state
				      ? "finite: --passages 0 can be asked"
				      : "grow with the passages");
	print_entry("runs", a->simulated_only ? "simulated only"
					      : "simulated, and natively");
}

static json_t *names_json(unsigned set, const char *(*name_of)(unsigned))
{
	json_t *list = json_array();

	for (unsigned i = 0; i < 32; i++)
		if (set >> i & 1)
			json_array_append_new(list, json_string(name_of(i)));
	return list;
}

static json_t *components_json(const struct lab_algorithm *a)
{
	json_t *list = json_array();
	const char *name;

	for (size_t i = 0; (name = lab_component_at(a->name, i)) != NULL; i++)
		if (!strchr(name, '~'))
			json_array_append_new(list, json_string(name));
	return list;
}

static json_t *one_json(const struct lab_algorithm *a)
{
	return json_pack(
		"{ss ss ss so so sb sb sb so sb sb sb ss? ss? ss?}",
		"name", a->name, "source", a->source, "kind", a->kind,
		"promises", names_json(a->promises, lab_property_name),
		"primitives", names_json(a->primitives, lab_primitive_name),
		"simulated_only", a->simulated_only, "abortable", a->abortable,
		"recoverable", a->recoverable, "components",
		components_json(a), "tolerates_crashes", a->tolerates_crashes,
		"finite_state", a->finite_state, "twin", a->is_twin,
		"rmr_cc", a->rmr_cc, "rmr_dsm", a->rmr_dsm,
		"component", a->component);
}

int algorithm_find(const char *command, const char *name,
		   struct lab_algorithm *a)
{
	char near[LAB_ERROR];

	if (lab_algorithm_named(name, a))
		return EXIT_FINE;
	lab_nearest_algorithm(name, near, sizeof near);
	return usage_error(command, "unknown algorithm '%s'; %s", name, near);
}

/* All, or `count` of them. */
static int print_as_json(const struct lab_algorithm *named, size_t count)
{
	json_t *list = json_array();
	struct lab_algorithm a;

	for (size_t i = 0; !count && lab_algorithm_at(i, &a); i++)
		json_array_append_new(list, one_json(&a));
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, one_json(&named[i]));
	return print_json("algorithms",
			  json_pack("{si so}", "format", 1, "algorithms", list),
			  EXIT_FINE);
}

int command_algorithms(int argc, char **argv)
{
	bool json = false;
	struct setting settings[] = {
		{ "json", SETTING_FLAG, &json, 0, 0, NULL },
	};
	struct lab_algorithm named[MOST_VALUES];
	size_t count;
	int code;

	if (!options_read(argc, argv, settings, 1, &code))
		return code;
	count = (size_t)(argc - optind);
	if (count > MOST_VALUES)
		return usage_error("algorithms", "at most %d at a time",
				   MOST_VALUES);
	for (size_t i = 0; i < count; i++) {
		code = algorithm_find("algorithms", argv[(size_t)optind + i],
				      &named[i]);
		if (code)
			return code;
	}
	if (json)
		return print_as_json(named, count);
	if (!count)
		print_all();
	for (size_t i = 0; i < count; i++) {
		if (i)
			putchar('\n');
		print_one(&named[i]);
	}
	return EXIT_FINE;
}
