/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/check_output.h"

#include "cli/command.h"
#include "cli/json.h"
#include "cli/print.h"
#include "cli/trace_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool same_passages(const struct lab_answer *a)
{
	for (unsigned p = 1; p < a->passers; p++)
		if (a->passages[p] != a->passages[0])
			return false;
	return true;
}

/* The one process that --steps-of names. */
static int counted(const struct lab_answer *a)
{
	return __builtin_ctz(a->steps_of);
}

static void print_question(const struct lab_answer *a)
{
	printf("%s%s%s  n=%u", bold_on(), a->algorithm, bold_off(), a->n);
	if (a->k)
		printf(" k=%u", a->k);
	if (a->sessions)
		printf(" m=%u", a->sessions);
	printf(" passages=");
	for (unsigned p = 0; p < (same_passages(a) ? 1 : a->passers); p++) {
		if (a->passages[p])
			printf(p ? ",%u" : "%u", a->passages[p]);
		else
			printf(p ? ",unbounded" : "unbounded");
	}
	for (unsigned i = 0; i < a->resizes; i++)
		printf(i ? ",%u" : " resize=%u", a->resize[i]);
	printf(" crashes=%u deaths=%u aborts=%u", a->crashes, a->deaths,
	       a->aborts);
	if (a->faults)
		printf(" faults=%u", a->faults);
	printf("%s\n", a->no_clocks ? " no-clocks" : "");
	if (a->steps_of)
		printf("only the steps of process %d are counted\n",
		       counted(a));
	putchar('\n');
}

static enum lab_verdict verdict_on(const struct lab_answer *a, unsigned number)
{
	return a->violated >> number & 1    ? LAB_VIOLATED
	       : a->undecided >> number & 1 ? LAB_BOUNDED
					    : LAB_HOLDS;
}

static void print_properties(const struct lab_answer *a)
{
	static const char *const words[] = { [LAB_HOLDS] = "holds",
					     [LAB_VIOLATED] = "violated",
					     [LAB_BOUNDED] = "not decided" };

	for (unsigned i = 0; i < lab_property_count(); i++) {
		enum lab_verdict v = verdict_on(a, i);

		if (a->asked >> i & 1)
			printf("  %-28s%s%s%s\n", lab_property_name(i),
			       v == LAB_VIOLATED ? bold_on() : "", words[v],
			       v == LAB_VIOLATED ? bold_off() : "");
	}
	putchar('\n');
}

static void print_violated(const struct lab_answer *a)
{
	const char *separator = " ";

	printf("%sviolated%s:", bold_on(), bold_off());
	for (unsigned i = 0; i < lab_property_count(); i++) {
		if (a->violated >> i & 1) {
			printf("%s%s", separator, lab_property_name(i));
			separator = ", ";
		}
	}
	putchar('\n');
}

static void print_bound(const struct lab_answer *a,
			const struct lab_question *q)
{
	const char *bound = a->bound ? a->bound : "";

	if (!q)
		printf("no violation in this schedule\n");
	else if (strcmp(bound, "random") == 0)
		printf("bounded: no violation in these random schedules; this "
		       "proves nothing.\n"
		       "             Raise --time or --depth, or use another "
		       "--seed\n");
	else if (strcmp(bound, "time") == 0)
		printf("bounded: the search ran out of time after %s.\n"
		       "             Raise --time, check a smaller instance, or "
		       "try --random\n",
		       print_seconds(q->seconds).text);
	else if (strcmp(bound, "memory") == 0)
		printf("bounded: the search ran out of memory.\n"
		       "             Raise --memory, check a smaller instance, "
		       "or try --random\n");
	else if (strcmp(bound, "transitions") == 0)
		printf("bounded: a state has more transitions than the checker "
		       "can store.\n"
		       "             Check a smaller instance, or try "
		       "--random\n");
	else
		printf("bounded: some schedules are too long to search.\n"
		       "             Check a smaller instance, or try "
		       "--random\n");
}

static void print_verdict(const struct lab_answer *a,
			  const struct lab_question *q)
{
	printf("verdict      ");
	if (a->verdict == LAB_VIOLATED)
		print_violated(a);
	else if (a->verdict == LAB_BOUNDED)
		print_bound(a, q);
	else
		printf("%sholds%s: every schedule was searched\n", bold_on(),
		       bold_off());
}

/* The set of visited states stores only hashes: if two states have the same
 * hash, the search misses one of them. */
static void print_missed_state(double probability)
{
	double odds = probability > 0 ? 1 / probability : 0;

	if (odds <= 1)
		return;
	printf("missed       probability that hash compaction missed a state: "
	       "at most 1 in ");
	if (odds < 1e9)
		printf("%s\n", print_count((uint64_t)odds).text);
	else
		printf("%.1e\n", odds);
}

static void print_effort(const struct lab_answer *a,
			 const struct lab_question *q)
{
	if (q->random)
		printf("searched     random schedules, seed %" PRIu64 "\n",
		       q->seed);
	printf("states       %s", print_count(a->states).text);
	if (a->seconds > 0)
		printf(", %s per second",
		       print_count((uint64_t)((double)a->states / a->seconds))
			       .text);
	if (a->bytes_per_state >= 100) /* the set is large and nearly empty */
		printf(", %s bytes each",
		       print_count((uint64_t)a->bytes_per_state).text);
	else if (a->bytes_per_state > 0)
		printf(", %.1f bytes each", a->bytes_per_state);
	printf("\ntransitions  %s\n", print_count(a->transitions).text);
	printf("depth        %s\n", print_count(a->depth).text);
	printf("time         %s\n", print_seconds(a->seconds).text);
	print_missed_state(a->error_probability);
}

static void print_first(const struct lab_answer *a)
{
	for (unsigned i = 0; i < lab_property_count(); i++)
		if (a->first >> i & 1)
			printf("This schedule violates %s:\n\n",
			       lab_property_name(i));
}

/* Quotes the name of the program if necessary, so that a user can paste the
 * line into a shell. */
static void print_replay(const char *schedule)
{
	const char *quote = strpbrk(program, " '\"$\\&;*") ? "\"" : "";

	printf("\nTo replay it:\n  %s%s%s trace '%s'\n", quote, program, quote,
	       schedule);
}

void check_output_print(const struct lab_answer *a,
			const struct lab_question *q)
{
	print_question(a);
	if (q)
		print_properties(a);
	print_verdict(a, q);
	if (q)
		print_effort(a, q);
	if (a->steps)
		putchar('\n');
	if (q && a->steps)
		print_first(a);
	trace_table_print(a->step, a->steps, a->n, !q);
	if (!q && a->steps)
		trace_table_print_costs(a->step, a->steps, a->n);
	if (a->why[0]) {
		printf("\n%s", a->violated ? "why          " : "at the end   ");
		print_wrapped(a->why, 13);
	}
	if (q && a->schedule)
		print_replay(a->schedule);
}

/* Writes one number if all processes make equally many passages. */
static void write_passages(struct json *j, const struct lab_answer *a)
{
	if (same_passages(a)) {
		json_put_integer(j, "passages", a->passages[0]);
		return;
	}
	json_open_array(j, "passages");
	for (unsigned p = 0; p < a->passers; p++)
		json_put_integer(j, NULL, a->passages[p]);
	json_close_array(j);
}

static void write_resize(struct json *j, const struct lab_answer *a)
{
	json_open_array(j, "resize");
	for (unsigned i = 0; i < a->resizes; i++)
		json_put_integer(j, NULL, a->resize[i]);
	json_close_array(j);
}

static const char *verdict_name(enum lab_verdict v)
{
	return v == LAB_HOLDS      ? "holds"
	       : v == LAB_VIOLATED ? "violated"
				   : "bounded";
}

static void write_properties(struct json *j, const struct lab_answer *a)
{
	json_open_array(j, "properties");
	for (unsigned i = 0; i < lab_property_count(); i++) {
		if (!(a->asked >> i & 1))
			continue;
		json_open_object(j, NULL);
		json_text(j, "name", lab_property_name(i));
		json_text(j, "verdict", verdict_name(verdict_on(a, i)));
		json_close_object(j);
	}
	json_close_array(j);
}

static void write_question(struct json *j, const struct lab_answer *a)
{
	json_text(j, "algorithm", a->algorithm);
	json_put_integer(j, "n", a->n);
	json_put_integer(j, "k", a->k);
	json_put_integer(j, "sessions", a->sessions);
	write_passages(j, a);
	write_resize(j, a);
	json_put_integer(j, "crashes", a->crashes);
	json_put_integer(j, "deaths", a->deaths);
	json_put_integer(j, "aborts", a->aborts);
	json_put_integer(j, "faults", a->faults);
	json_bool(j, "no_clocks", a->no_clocks);
}

static void write_effort(struct json *j, const struct lab_answer *a)
{
	json_put_integer(j, "states", (int64_t)a->states);
	json_put_integer(j, "transitions", (int64_t)a->transitions);
	json_put_integer(j, "depth", (int64_t)a->depth);
	json_put_real(j, "seconds", a->seconds);
	json_put_real(j, "bytes_per_state", a->bytes_per_state);
	json_put_real(j, "error_probability", a->error_probability);
}

bool check_output_print_json(const struct lab_answer *a,
			     const struct lab_question *q)
{
	struct json j;

	json_begin(&j, JSON_SPACED);
	write_question(&j, a);
	json_text(&j, "verdict", verdict_name(a->verdict));
	json_text(&j, "bound", a->bound);
	write_properties(&j, a);
	write_effort(&j, a);
	json_text(&j, "why", a->why[0] ? a->why : NULL);
	json_text(&j, "schedule", a->schedule);
	if (a->schedule)
		trace_table_write_json(&j, "trace", a->step, a->steps);
	else
		json_put_null(&j, "trace");
	if (q && q->random)
		json_put_integer(&j, "seed", (int64_t)q->seed);
	else
		json_put_null(&j, "seed");
	if (a->steps_of)
		json_put_integer(&j, "steps_of", counted(a));
	return json_print(&j);
}
