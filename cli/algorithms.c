/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost algorithms: what there is, as a table or one by one. */
#include "cli/algorithms.h"

#include "cli/chooser.h"
#include "cli/command.h"
#include "cli/lists.h"
#include "cli/measured.h"
#include "cli/options.h"
#include "cli/print.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

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
	list_append(list, "", "; others:");
	for (size_t i = 0; (name = lab_component_at(a->name, i)) != NULL; i++)
		if (!strchr(name, '~') && strcmp(name, a->component) != 0)
			list_append(list, " ", name);
}

static void print_worst(const struct lab_algorithm *a)
{
	const struct measured *m = measured_find(a->name);
	char text[LIST];

	if (!m)
		return;
	snprintf(text, sizeof text,
		 "CC %s, DSM %s: the worst seen of n=%u, k=%u",
		 measured_text(m->cc).text, measured_text(m->dsm).text, m->n,
		 m->k);
	print_entry("measured", text);
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
	if (a->rmr_cc_smart)
		print_entry("smart cache", a->rmr_cc_smart);
	print_entry("RMRs, DSM", a->rmr_dsm);
	print_worst(a);
	print_entry("abortable",
		    a->abortable ? "yes: waiting may be given up" : "no");
	print_entry("recoverable",
		    a->recoverable ? "yes: deaths are repaired" : "no");
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

static json_t *worst_json(const struct lab_algorithm *a)
{
	const struct measured *m = measured_find(a->name);

	if (!m)
		return json_null();
	return json_pack("{si si so so}", "n", (int)m->n, "k", (int)m->k, "cc",
			 m->cc < 0 ? json_null() : json_integer(m->cc), "dsm",
			 m->dsm < 0 ? json_null() : json_integer(m->dsm));
}

static json_t *one_json(const struct lab_algorithm *a)
{
	return json_pack(
		"{ss ss ss so so sb sb sb so sb sb sb ss? ss? ss? ss? so}",
		"name", a->name, "source", a->source, "kind", a->kind,
		"promises", names_json(a->promises, lab_property_name),
		"primitives", names_json(a->primitives, lab_primitive_name),
		"simulated_only", a->simulated_only, "abortable", a->abortable,
		"recoverable", a->recoverable, "components", components_json(a),
		"tolerates_crashes", a->tolerates_crashes, "finite_state",
		a->finite_state, "twin", a->is_twin, "rmr_cc", a->rmr_cc,
		"rmr_dsm", a->rmr_dsm, "rmr_cc_smart", a->rmr_cc_smart,
		"component", a->component, "worst_64", worst_json(a));
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
		chooser_print();
	for (size_t i = 0; i < count; i++) {
		if (i)
			putchar('\n');
		print_one(&named[i]);
	}
	return EXIT_FINE;
}
