/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/answer.h"

#include "cli/command.h"
#include "cli/print.h"
#include "cli/steps.h"

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

/* The process whose steps alone are counted: the command asks for one. */
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
	printf(" crashes=%u deaths=%u aborts=%u\n", a->crashes, a->deaths,
	       a->aborts);
	if (a->steps_of)
		printf("the steps of process %d are counted, of no other\n",
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
		printf("bounded: no violation in these random schedules, "
		       "which is no proof.\n"
		       "             Raise --time or --depth, or take another "
		       "--seed\n");
	else if (strcmp(bound, "time") == 0)
		printf("bounded: the time, %s, is used up.\n"
		       "             Raise --time, ask for less, or try "
		       "--random\n",
		       print_seconds(q->seconds).text);
	else if (strcmp(bound, "memory") == 0)
		printf("bounded: the memory is used up.\n"
		       "             Raise --memory, ask for less, or try "
		       "--random\n");
	else
		printf("bounded: schedules became too long to follow.\n"
		       "             Ask for less, or try --random\n");
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

/* What a set of hashes instead of states may cost. */
static void print_odds(double probability)
{
	double odds = probability > 0 ? 1 / probability : 0;

	if (odds <= 1)
		return;
	printf("missed       a state, by hash compaction: with probability at "
	       "most 1 in ");
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
		printf(", %s a second",
		       print_count((uint64_t)((double)a->states / a->seconds))
			       .text);
	if (a->bytes_per_state >= 100) /* few states in a set made for many */
		printf(", %s bytes each",
		       print_count((uint64_t)a->bytes_per_state).text);
	else if (a->bytes_per_state > 0)
		printf(", %.1f bytes each", a->bytes_per_state);
	printf("\ntransitions  %s\n", print_count(a->transitions).text);
	printf("depth        %s\n", print_count(a->depth).text);
	printf("time         %s\n", print_seconds(a->seconds).text);
	print_odds(a->error_probability);
}

static void print_first(const struct lab_answer *a)
{
	for (unsigned i = 0; i < lab_property_count(); i++)
		if (a->first >> i & 1)
			printf("This schedule violates %s:\n\n",
			       lab_property_name(i));
}

/* Enough for a shell to take it as it is. */
static void print_replay(const char *schedule)
{
	const char *quote = strpbrk(program, " '\"$\\&;*") ? "\"" : "";

	printf("\nreplay it:\n  %s%s%s trace '%s'\n", quote, program, quote,
	       schedule);
}

void answer_print(const struct lab_answer *a, const struct lab_question *q)
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
	steps_print(a->step, a->steps, a->n);
	if (a->why[0]) {
		printf("\n%s", a->violated ? "why          " : "in the end   ");
		print_wrapped(a->why, 13);
	}
	if (q && a->schedule)
		print_replay(a->schedule);
}

/* One number if it is the same for all, as it may be asked. */
static json_t *passages_json(const struct lab_answer *a)
{
	json_t *list;

	if (same_passages(a))
		return json_integer(a->passages[0]);
	list = json_array();
	for (unsigned p = 0; p < a->passers; p++)
		json_array_append_new(list, json_integer(a->passages[p]));
	return list;
}

static json_t *resize_json(const struct lab_answer *a)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < a->resizes; i++)
		json_array_append_new(list, json_integer(a->resize[i]));
	return list;
}

static const char *verdict_name(enum lab_verdict v)
{
	return v == LAB_HOLDS      ? "holds"
	       : v == LAB_VIOLATED ? "violated"
				   : "bounded";
}

static json_t *properties_json(const struct lab_answer *a)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < lab_property_count(); i++)
		if (a->asked >> i & 1)
			json_array_append_new(
				list,
				json_pack("{ss ss}", "name",
					  lab_property_name(i), "verdict",
					  verdict_name(verdict_on(a, i))));
	return list;
}

json_t *answer_json(const struct lab_answer *a, const struct lab_question *q)
{
	bool random = q && q->random;
	json_t *trace = a->schedule ? steps_json(a->step, a->steps)
				    : json_null();
	json_t *all;

	all = json_pack(
		"{si ss si si si so so si si si ss ss? so sI sI sI sf sf sf ss? "
		"ss? so so}",
		"format", 1, "algorithm", a->algorithm, "n", (int)a->n, "k",
		(int)a->k, "sessions", (int)a->sessions, "passages",
		passages_json(a), "resize", resize_json(a), "crashes",
		(int)a->crashes, "deaths", (int)a->deaths, "aborts",
		(int)a->aborts, "verdict", verdict_name(a->verdict), "bound",
		a->bound, "properties", properties_json(a), "states",
		(json_int_t)a->states, "transitions",
		(json_int_t)a->transitions, "depth", (json_int_t)a->depth,
		"seconds", a->seconds, "bytes_per_state", a->bytes_per_state,
		"error_probability", a->error_probability, "why",
		a->why[0] ? a->why : NULL, "schedule", a->schedule, "trace",
		trace, "seed",
		random ? json_integer((json_int_t)q->seed) : json_null());
	if (a->steps_of)
		json_object_set_new(all, "steps_of", json_integer(counted(a)));
	return all;
}
