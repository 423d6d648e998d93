/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints a program, so that a reader can follow it by hand. */
#include "program.h"

#include "algorithms/registry.h"

#include <inttypes.h>
#include <stdio.h>

static void print_operand(struct operand o)
{
	static const char *const names[] = {
		"%u", "l%u", "id+1", "session", "operation", "argument"
	};

	if (o.kind <= A_LOCAL)
		printf(o.kind == A_LOCAL ? "l%u" : "%u", o.value);
	else
		printf("%s", names[o.kind]);
}

static void print_address(struct address a)
{
	static const char *const names[] = { "", "flag[id]", "flag[id+1]",
					     "flag[id+2]" };

	if (a.place == PLACE_FIXED)
		printf("w%u", a.word);
	else
		printf("%s", names[a.place]);
}

static const char *op_name(unsigned op)
{
	static const char *const names[OP_COUNT] = {
		"read",         "write",     "add",        "swap",      "cas",
		"tas",          "safe_read", "safe_write", "large",     "await",
		"await_safe",   "await_any", "wake",       "name",      "slept",
		"doorway_ends", "set",       "own_read",   "own_write", "slot",
		"jump if",      "return"
	};

	return names[op];
}

static void print_line(unsigned number, const struct instruction *i)
{
	static const char *const tests[] = { "==", "!=", "<", ">=" };
	static const char *const large[] = { "take", "release", "claim",
					     "swap" };

	printf("    %2u  l%u, %s ", number, i->local, op_name(i->op));
	if (i->op == OP_LARGE)
		printf("%s", large[i->at.word]);
	else
		print_address(i->at);
	printf(" %s ", tests[i->test]);
	print_operand(i->a);
	printf(", ");
	print_operand(i->b);
	if (i->op == OP_AWAIT_ANY) {
		printf(", second ");
		print_address(i->second);
	}
	if (i->op == OP_JUMP)
		printf(", to %u", i->target);
	printf("\n");
}

static void print_properties(unsigned set)
{
	for (unsigned i = 0; i < PROPERTY_COUNT; i++)
		if (set >> i & 1)
			printf(" %s", registry_property_name(i));
}

void program_print(const struct program *p)
{
	static const char *const names[BODY_COUNT] = {
		"enter", "doorway", "poll",   "settle", "leave",
		"abort", "recover", "resize", "apply",  "finish"
	};

	printf("seed %" PRIu64 ": %s, n=%u k=%u sessions=%u crashes=%u "
	       "deaths=%u aborts=%u%s%s%s persistent=%u steps_of=%#x\n"
	       "  passages",
	       p->seed, registry_kind_name((enum kind)p->kind), p->n, p->k,
	       p->sessions, p->crashes, p->deaths, p->aborts,
	       p->retries ? " retries" : "", p->naps ? " naps" : "",
	       p->safe ? " safe" : "", p->persistent, p->steps_of);
	for (unsigned i = 0; i < p->n; i++)
		printf(" %u", p->passages[i]);
	printf("; resizes");
	for (unsigned i = 0; i < p->resizes; i++)
		printf(" %u", p->resize[i]);
	printf("; words");
	for (unsigned i = 0; i < program_words(p); i++)
		printf(" %" PRIu64, p->first[i]);
	printf("\n  quiet: w%u == %u; invariant: not (w%u == %u and process 0 "
	       "in phase %u)\n",
	       p->quiet_word, p->quiet_value, p->invariant_word,
	       p->invariant_value, p->invariant_phase);
	printf("  bounds%s: doorway %u, leave %u, abort %u, apply %u, finish "
	       "%u, solo %u; bypasses %u\n  asked:",
	       p->bounds ? "" : " (not stated)", p->doorway_steps,
	       p->leave_steps, p->abort_steps, p->apply_steps, p->finish_steps,
	       p->solo_steps, p->most_bypasses);
	print_properties(p->asked);
	printf("\n");
	for (unsigned b = 0; b < BODY_COUNT; b++) {
		if (!p->code[b].exists)
			continue;
		printf("  %s:\n", names[b]);
		for (unsigned i = 0; i < p->code[b].length; i++)
			print_line(i, &p->code[b].line[i]);
	}
}
