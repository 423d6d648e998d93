/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decker: k-exclusion in order of arrival, with O(k) remote references: a
 * reconstruction.
 *
 * Idea      A process draws a token and waits until this token is enabled.  A
 *           leaver enables the token that its leaving makes free.  Because
 *           earlier leavers may have stopped halfway, it first enables the k-1
 *           tokens before that token, too, in ascending order.
 * Source    Decker and Jayanti, "A solution to k-assignment in O(k) RMR
 *           complexity", Dartmouth College, 2010, which we have not seen.  We
 *           reconstructed the algorithm from the paragraph about it in Choi,
 *           Dartmouth TR2011-682, 2011, section 2.1; labels ours
 * Shape     any n, any k >= 1
 * Promises  at-most-k; fife; k-fcfs; no-starvation with k-1 crashes;
 *           no-wait-below-k; bounded-doorway; bounded-leave; exit-termination;
 *           no-lost-wake; prompt-wake; quiescence; invariant
 * Costs     2 + max(n, k) words; CC 2k + 4 RMRs with a smart cache, otherwise
 *           n + 2k + 3; DSM unbounded: a process waits on a word that belongs
 *           to no process
 * Invariant The enabled tokens are 0..m, where Exit <= m+1 <= Exit + k.
 *           Entry - Exit processes wait or are inside.  So after a leaver has
 *           drawn x from Exit, the tokens 0..x are enabled, and of the tokens
 *           after x only x+1..x+k can be enabled.
 */
#include "algorithm.h"

struct decker {
	OWN_LINE struct word Entry; /* the token that the next arrival draws */
	OWN_LINE struct word Exit;  /* how many processes have left */
	struct place {
		OWN_LINE struct word round; /* never decreases */
	} A[];
};

/*
 * Token t stands for the word A[t mod places] and the round t / places + 1.
 * The token is enabled as soon as its word has reached its round.  There are at
 * least n places, so that no two waiters have the same word.  There are at
 * least k places, so that the k tokens that a leaver enables have k words.
 */
static uint64_t places(const struct shape *shape)
{
	return shape->n > shape->k ? shape->n : shape->k;
}

static struct word *word_of(struct decker *d, const struct shape *shape,
			    uint64_t t)
{
	return &d->A[t % places(shape)].round;
}

static uint64_t round_of(const struct shape *shape, uint64_t t)
{
	return t / places(shape) + 1;
}

enum { TOKEN }; /* the number of the only counter */

static size_t words(const struct shape *shape)
{
	return WORDS(struct decker) +
	       (size_t)places(shape) * WORDS(struct place);
}

static void init(void *shared, const struct shape *shape)
{
	struct decker *d = shared;

	mem_poke(&d->Entry, mem_first(TOKEN));
	mem_poke(&d->Exit, mem_first(TOKEN));
	mem_name(&d->Entry, "Entry");
	mem_name(&d->Exit, "Exit");
	for (unsigned i = 0; i < places(shape); i++) {
		mem_poke(&d->A[i].round,
			 round_of(shape, mem_first(TOKEN)) - (i >= shape->k));
		mem_name(&d->A[i].round, "A", i);
	}
}

static bool is_enabled(struct decker *d, const struct shape *shape, uint64_t t)
{
	return mem_peek(word_of(d, shape, t)) >= round_of(shape, t);
}

/* No process waits or is inside, and exactly the next k tokens are enabled. */
static bool quiet(void *shared, const struct shape *shape)
{
	struct decker *d = shared;
	uint64_t exit = mem_peek(&d->Exit);

	return mem_peek(&d->Entry) == exit &&
	       is_enabled(d, shape, exit + shape->k - 1) &&
	       !is_enabled(d, shape, exit + shape->k);
}

/* Whether the enabled tokens are 0..m, where Exit <= m+1 <= Exit + k.  It is
 * enough to look at one round of tokens before Exit and one after Exit + k: if
 * a token is enabled, all earlier tokens with the same word are enabled. */
static bool enabled_in_order(struct decker *d, const struct shape *shape)
{
	uint64_t exit = mem_peek(&d->Exit), round = places(shape);
	bool enabled = true;

	for (uint64_t t = exit < round ? 0 : exit - round;
	     t < exit + shape->k + round; t++) {
		bool is = is_enabled(d, shape, t);

		if (is ? !enabled || t >= exit + shape->k : t < exit)
			return false;
		enabled = is;
	}
	return true;
}

static bool invariant(void *shared, const struct shape *shape,
		      const struct whereabouts *all)
{
	struct decker *d = shared;
	uint64_t out = 0;

	for (unsigned i = 0; i < shape->n; i++)
		out += all[i].phase == PHASE_WAITING ||
		       all[i].phase == PHASE_INSIDE;
	return mem_peek(&d->Entry) - mem_peek(&d->Exit) == out &&
	       enabled_in_order(d, shape);
}

static int enter(void *shared, struct process *self)
{
	struct decker *d = shared;
	uint64_t t, a;

D1:	t = mem_add(&d->Entry, 1);
	doorway_ends(self);
D2:	await(a, word_of(d, self->shape, t), a >= round_of(self->shape, t));
	return 0;
}

/*
 * One attempt is enough.  The previous token with this word is already enabled,
 * so the word either is one less than the round of t or has reached this round.
 * If D5 fails, another leaver has enabled t.
 */
static void enable(struct decker *d, const struct shape *shape, uint64_t t)
{
	struct word *word = word_of(d, shape, t);
	uint64_t round = round_of(shape, t), a;
	bool raised;

D4:	a = mem_read(word);
	if (a >= round)
		return;
D5:	raised = mem_cas(word, a, round);
	if (raised)
		mem_wake(word);
}

static void leave(void *shared, struct process *self)
{
	struct decker *d = shared;
	uint64_t x;

D3:	x = mem_add(&d->Exit, 1);
	/* In ascending order, so that no token is enabled before an older
	 * one. */
	for (uint64_t t = x + 1; t <= x + self->shape->k; t++)
		enable(d, self->shape, t);
}

static unsigned one_step(const struct shape *shape)
{
	(void)shape;
	return 1;
}

static unsigned leave_steps(const struct shape *shape)
{
	return 1 + 2 * shape->k;
}

/* The remote steps are D1, two reads at D2, D3, and two steps for each of k
 * tokens. */
static uint64_t rmr_cc_smart(const struct shape *shape, unsigned contention)
{
	(void)contention;
	return 2 * (uint64_t)shape->k + 4;
}

/* While we wait, each other process may make one late D5, for an earlier round
 * of our word.  This D5 fails, but after it we read the word once more. */
static uint64_t rmr_cc(const struct shape *shape, unsigned contention)
{
	return rmr_cc_smart(shape, contention) + shape->n - 1;
}

/* As in choi: the remainder tells the word, and a leaver may be arbitrarily
 * late. */
static bool counter(const struct shape *shape, unsigned number,
		    struct counter *token)
{
	*token = (struct counter){ .gap = shape->k, .period = places(shape) };
	return number == TOKEN;
}

const struct algorithm decker = {
	.name = "decker",
	.source = "Decker and Jayanti 2010, reconstructed from Choi 2011, "
		  "section 2.1",
	.kind = KIND_K_EXCLUSION,
	.promises = AT_MOST_K | FIFE | K_FCFS | NO_DEADLOCK | NO_STARVATION |
		    NO_WAIT_BELOW_K | BOUNDED_DOORWAY | BOUNDED_LEAVE |
		    EXIT_TERMINATION | NO_LOST_WAKE | PROMPT_WAKE | QUIESCENCE |
		    INVARIANT,
	.primitives = USES_READ_WRITE | USES_ADD | USES_CAS,
	.counter = counter,
	.tolerates_crashes = true,
	.limits = { .least_n = 1, .least_k = 1 },
	.words = words, .init = init, .quiet = quiet, .invariant = invariant,
	.enter = enter, .leave = leave,
	.bounds = {
		.doorway_steps = one_step, .leave_steps = leave_steps,
		.solo_steps = one_step,
		.rmr_cc = { rmr_cc, "n+2k+3" },
		.rmr_cc_smart = { rmr_cc_smart, "2k+4" },
		.rmr_dsm = { NULL, "unbounded: waits on a word that belongs "
				   "to no process" },
	},
};
