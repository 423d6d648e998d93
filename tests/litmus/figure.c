/* SPDX-License-Identifier: BSD-2-Clause */
#include "figure.h"

#include <string.h>

/* Each macro has only some of the braces of a figure, which clang-format would
 * not understand. */
/* clang-format off */
#define FIGURE(name, claim) { #name, claim, {
#define PROCESS { .kind = STEP_PROCESS },
#define READ(result, word, order) \
	{ STEP_READ, #word, #result, 0, memory_order_##order },
#define WRITE(word, value, order) \
	{ STEP_WRITE, #word, NULL, value, memory_order_##order },
#define ADD(result, word, value, order) \
	{ STEP_ADD, #word, #result, value, memory_order_##order },
#define SWAP(result, word, value, order) \
	{ STEP_SWAP, #word, #result, value, memory_order_##order },
#define FENCE(how) { STEP_FENCE, NULL, NULL, 0, memory_order_##how },
#define FORBIDDEN { .kind = STEP_NONE } }, {
#define IS(result, value) { #result, value },
#define END { NULL, 0 } } },
/* clang-format on */

const struct figure figures[] = {
#include "figures.def"
	{ .name = NULL }
};

const struct figure known_figures[] = {
#include "known.def"
	{ .name = NULL }
};

/* The names of a figure's words, or of its registers. */
struct names {
	const char *at[MOST_REGISTERS];
	unsigned count, most;
};

/* Returns the number of the name; adds the name if it is new.  Returns `most`
 * if there is no room. */
static unsigned number_of(struct names *names, const char *name)
{
	unsigned i = 0;

	while (i < names->count && strcmp(names->at[i], name) != 0)
		i++;
	if (i == names->count && i < names->most)
		names->at[names->count++] = name;
	return i;
}

static bool add_step(struct program *p, const struct figure_line *line,
		     struct names *words, struct names *registers)
{
	struct step *s = &p->step[p->steps];
	const unsigned known = registers->count;

	if (p->processes == 0 || p->steps == MOST_STEPS)
		return false;
	p->steps++;
	*s = (struct step){ .kind = line->kind,
			    .process = p->processes - 1,
			    .value = line->value,
			    .order = line->order };
	if (line->word)
		s->word = number_of(words, line->word);
	if (line->result)
		s->result = number_of(registers, line->result);
	return s->word < words->most &&
	       (!line->result ||
		(s->result == known && known < MOST_REGISTERS));
}

bool program_of(const struct figure *figure, struct program *p)
{
	struct names words = { .most = MOST_WORDS };
	struct names registers = { .most = MOST_REGISTERS };

	memset(p, 0, sizeof *p);
	for (const struct figure_line *line = figure->line; line->kind; line++)
		if (line->kind == STEP_PROCESS)
			p->processes++;
		else if (!add_step(p, line, &words, &registers))
			return false;
	p->words = words.count;
	p->registers = registers.count;
	for (; figure->term[p->terms].result; p->terms++) {
		const struct figure_term *term = &figure->term[p->terms];

		p->term[p->terms].result = number_of(&registers, term->result);
		p->term[p->terms].value = term->value;
	}
	return p->terms > 0 && registers.count == p->registers;
}
