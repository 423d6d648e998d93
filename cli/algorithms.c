/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost algorithms: prints a table of all algorithms, or everything about the
 * named algorithms. */
#include "cli/algorithms.h"

#include "cli/algorithms_table.h"
#include "cli/command.h"
#include "cli/join.h"
#include "cli/json.h"
#include "cli/measured.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/usage.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static void print_entry(const char *name, const char *text)
{
	printf("  %-12s", name);
	print_wrapped(text && text[0] ? text : "-", 14);
}

/* Lists the component of this algorithm, and the other components that it
 * accepts. */
static void join_components(const struct lab_algorithm *a, char *list)
{
	const char *name;

	snprintf(list, JOIN_SIZE, "%s", a->component ? a->component : "");
	join_append(list, "", "; other components:");
	for (size_t i = 0; (name = lab_component_at(a->name, i)) != NULL; i++)
		if (!strchr(name, '~') && strcmp(name, a->component) != 0)
			join_append(list, " ", name);
}

static void print_measured(const struct lab_algorithm *a)
{
	const struct measured *m = measured_find(a->name);
	char text[JOIN_SIZE], amortised[32] = "";

	if (!m)
		return;
	if (m->amortised >= 0)
		snprintf(amortised, sizeof amortised, " (amortised %.1f)",
			 m->amortised);
	snprintf(text, sizeof text,
		 "CC %s%s, DSM %s: the largest numbers measured with n=%u, "
		 "k=%u",
		 measured_text(m->cc).text, amortised,
		 measured_text(m->dsm).text, m->n, m->k);
	print_entry("measured", text);
}

static void print_one(const struct lab_algorithm *a)
{
	char list[JOIN_SIZE];

	printf("%s%s%s\n", bold_on(), a->name, bold_off());
	print_entry("source", a->source);
	print_entry("kind", a->kind);
	join_promises(a->promises, " ", list);
	print_entry("promises", list);
	print_entry("crashes", a->tolerates_crashes
				       ? "no process starves if k-1 processes "
					 "stop for ever"
				       : "a process that stops may block the "
					 "others");
	join_primitives(a->primitives, list);
	print_entry("primitives", list);
	join_components(a, list);
	if (a->component)
		print_entry("over", list);
	print_entry("RMRs, CC", a->rmr_cc);
	if (a->rmr_cc_smart || a->bound_cc)
		print_entry("smart cache",
			    a->rmr_cc_smart ? a->rmr_cc_smart : "the same");
	if (a->rmr_cc_keeps)
		print_entry("copy kept", a->rmr_cc_keeps);
	if (a->rmr_cc_amortised)
		print_entry("amortised", a->rmr_cc_amortised);
	print_entry("RMRs, DSM", a->rmr_dsm);
	print_measured(a);
	print_entry("abortable",
		    a->abortable ? "yes: a waiting process can give up" : "no");
	print_entry("recoverable",
		    a->recoverable ? "yes: a recovery undoes what a dead "
				     "process left behind"
				   : "no");
	print_entry("states",
		    a->finite_state ? "finite: --passages 0 is possible"
		    : a->unbounded  ? "finite apart from counters: --passages "
				      "0 is possible"
				    : "unbounded: their number grows with "
				      "the passages");
	print_entry("runs", a->over_store ? "simulated and over a store (etcd)"
			    : a->native   ? "simulated and natively"
					  : "simulated only");
}

static void write_names(struct json *j, const char *key, unsigned set,
			const char *(*name_of)(unsigned))
{
	json_open_array(j, key);
	for (unsigned i = 0; i < 32; i++)
		if (set >> i & 1)
			json_text(j, NULL, name_of(i));
	json_close_array(j);
}

/* The memories in which the algorithm runs. */
static void write_memories(struct json *j, const struct lab_algorithm *a)
{
	json_open_array(j, "memories");
	json_text(j, NULL, "simulated");
	if (a->native)
		json_text(j, NULL, "native");
	if (a->over_store)
		json_text(j, NULL, "store");
	json_close_array(j);
}

static void write_components(struct json *j, const struct lab_algorithm *a)
{
	const char *name;

	json_open_array(j, "components");
	for (size_t i = 0; (name = lab_component_at(a->name, i)) != NULL; i++)
		if (!strchr(name, '~'))
			json_text(j, NULL, name);
	json_close_array(j);
}

/* A negative number means unbounded, and becomes null. */
static void write_references(struct json *j, const char *key, long references)
{
	if (references < 0)
		json_put_null(j, key);
	else
		json_put_integer(j, key, references);
}

static void write_measured(struct json *j, const struct lab_algorithm *a)
{
	const struct measured *m = measured_find(a->name);

	if (!m) {
		json_put_null(j, "worst_64");
		return;
	}
	json_open_object(j, "worst_64");
	json_put_integer(j, "n", m->n);
	json_put_integer(j, "k", m->k);
	write_references(j, "cc", m->cc);
	write_references(j, "dsm", m->dsm);
	if (m->amortised >= 0)
		json_put_real(j, "amortised_cc", m->amortised);
	else
		json_put_null(j, "amortised_cc");
	json_close_object(j);
}

static void write_algorithm(struct json *j, const struct lab_algorithm *a)
{
	json_open_object(j, NULL);
	json_text(j, "name", a->name);
	json_text(j, "source", a->source);
	json_text(j, "kind", a->kind);
	write_names(j, "promises", a->promises, lab_property_name);
	write_names(j, "primitives", a->primitives, lab_primitive_name);
	json_bool(j, "simulated_only", a->simulated_only);
	write_memories(j, a);
	json_bool(j, "abortable", a->abortable);
	json_bool(j, "recoverable", a->recoverable);
	write_components(j, a);
	json_bool(j, "tolerates_crashes", a->tolerates_crashes);
	json_bool(j, "finite_state", a->finite_state);
	json_bool(j, "unbounded_passages", a->unbounded);
	json_bool(j, "twin", a->is_twin);
	json_text(j, "rmr_cc", a->rmr_cc);
	json_text(j, "rmr_dsm", a->rmr_dsm);
	json_text(j, "rmr_cc_smart", a->rmr_cc_smart);
	json_text(j, "rmr_cc_keeps", a->rmr_cc_keeps);
	json_text(j, "rmr_cc_amortised", a->rmr_cc_amortised);
	json_text(j, "component", a->component);
	write_measured(j, a);
	json_close_object(j);
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

/* Prints the `count` algorithms in `named`; count 0: prints all algorithms. */
static int print_as_json(const struct lab_algorithm *named, size_t count)
{
	struct lab_algorithm a;
	struct json j;

	json_begin(&j, JSON_SPACED);
	json_open_array(&j, "algorithms");
	for (size_t i = 0; !count && lab_algorithm_at(i, &a); i++)
		write_algorithm(&j, &a);
	for (size_t i = 0; i < count; i++)
		write_algorithm(&j, &named[i]);
	json_close_array(&j);
	return json_print(&j) ? EXIT_FINE
			      : internal_error("algorithms", "out of memory");
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
		return usage_error("algorithms",
				   "at most %d algorithms at a time",
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
		algorithms_table_print();
	for (size_t i = 0; i < count; i++) {
		if (i)
			putchar('\n');
		print_one(&named[i]);
	}
	return EXIT_FINE;
}
