/* SPDX-License-Identifier: BSD-2-Clause */
/* Some functions of this file run on simulated stacks, so the file is compiled
 * like the algorithms. */
#include "memory/simulated/pass.h"

static bool is_full(unsigned p)
{
	return sim.coroutine[p].watch_count >= sim.watch_room;
}

bool pass_sleeps_on(unsigned p, size_t word)
{
	const struct coroutine *co = &sim.coroutine[p];

	if (!sim_asleep(p))
		return false;
	for (uint32_t i = 0; i < co->watch_count; i++)
		if (co->watched[i].word == word)
			return true;
	return false;
}

void pass_note_read(unsigned p, size_t word, uint64_t value)
{
	struct coroutine *co = &sim.coroutine[p];

	/* A state must contain each entry once.  If the pass read or named two
	 * values of a word, both count: the word has changed since one of the
	 * two reads.  With many processes, states are not compared, and this
	 * loop would make the time of a pass quadratic, so it is skipped. */
	for (uint32_t i = 0; sim.n <= MAX_EXHAUSTIVE_N && i < co->watch_count;
	     i++)
		if (co->watched[i].word == word &&
		    co->watched[i].value == value)
			return;
	/* If there is no room for the word, p cannot watch the word, so its
	 * next pass need not wait for any change. */
	if (is_full(p))
		pass_note_effect(p);
	else
		co->watched[co->watch_count++] = (struct watched){
			(uint32_t)word, value
		};
}

bool pass_is_repeated(unsigned p)
{
	return !sim.wakes_are_steps && sim.process[p]->polls;
}

/*
 * Sets the first entry to the word sim.sleeping and to a value that this word
 * never has.  So p always watches a word that seems to have changed, and its
 * next pass need not wait for a change.
 */
void pass_note_effect(unsigned p)
{
	struct coroutine *co = &sim.coroutine[p];
	struct watched first = co->watched[0];

	if (!pass_is_repeated(p) ||
	    (co->watch_count && first.word == sim.sleeping))
		return;
	co->watched[0] = (struct watched){ (uint32_t)sim.sleeping, UINT64_MAX };
	if (!co->watch_count)
		co->watch_count = 1;
	else if (!is_full(p))
		co->watched[co->watch_count++] = first;
}
