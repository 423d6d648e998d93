/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A simulated process runs this code: one passage, the recovery of a dead
 * process, or a change of k.  The loop around poll corresponds to the loop in
 * the runtime.
 */
#include "checker/passage.h"

static void set_phase(struct simulated_process *a, enum phase phase)
{
	a->phase = (uint8_t)phase;
	a->region_steps = 0;
	a->polls = 0;
}

static void end_doorway(struct simulated_process *a)
{
	if (a->phase != PHASE_WAITING)
		set_phase(a, PHASE_WAITING);
}

/* Returns true if the process is admitted; it may still have to settle.
 * Returns false if the process gave up. */
static bool get_in(struct simulated_process *a)
{
	const struct algorithm *alg = sim.algorithm;
	struct wait_set wait = { 0 };
	uint64_t answer;

	set_phase(a, PHASE_DOORWAY);
	if (alg->enter) {
		a->self.slot = alg->enter(sim.shared, &a->self);
		return true;
	}
	if (alg->doorway(sim.shared, &a->self)) {
		end_doorway(a);
		return true;
	}
	end_doorway(a);
	/* The words that the doorway looked at do not tell whether the first
	 * pass can succeed. */
	sim_forget_pass(a->self.id);
	a->polls = POLL_WAITS;
	/* The process sleeps before its first pass, so that the state before
	 * the first pass is the same as the state after a failed pass. */
	do {
		wait.slept = 0;
		answer = sim_step(STEP_SLEEP, NULL, 0, 0, "");
		if (answer == PASSAGE_GIVE_UP)
			return false;
		wait.slept = answer == PASSAGE_SLEPT;
		a->polls = POLL_WAITS | POLL_PASSES |
			   (wait.slept ? POLL_SLEPT : 0);
	} while (!alg->poll(sim.shared, &a->self, &wait));
	return true;
}

/* An operation ends when its result is known; the process leaves later. */
static void operate(struct simulated_process *a)
{
	a->self.argument = sim.algorithm->object.apply(sim.shared, &a->self);
	a->outcome = OUTCOME_RETURNED;
}

void passage_run(struct simulated_process *a)
{
	const struct algorithm *alg = sim.algorithm;

	/* An object without a lock admits every process without a wait. */
	if (!alg->leave) {
		set_phase(a, PHASE_INSIDE);
		operate(a);
		return;
	}
	if (get_in(a)) {
		a->polls = 0;
		if (alg->settle)
			alg->settle(sim.shared, &a->self);
		/* Tokens are part of the state only if a property needs
		 * them. */
		if (!sim.exact_stamps)
			a->self.token = 0;
		set_phase(a, PHASE_INSIDE);
		if (alg->object.apply)
			operate(a);
		else
			sim_step(STEP_INSIDE, NULL, 0, 0, "");
		set_phase(a, PHASE_LEAVING);
		alg->leave(sim.shared, &a->self);
	} else {
		a->outcome = OUTCOME_NEVER;
		set_phase(a, PHASE_ABORTING);
		alg->abort(sim.shared, &a->self);
	}
}

void passage_recover(struct simulated_process *a)
{
	const struct algorithm *alg = sim.algorithm;

	set_phase(a, PHASE_RECOVERING);
	if (alg->object.finish) {
		a->outcome = alg->object.finish(sim.shared, &a->self)
				     ? OUTCOME_RETURNED
				     : OUTCOME_NEVER;
		a->region_steps = NOT_COUNTED;
	}
	alg->recover(sim.shared, &a->self);
}

void passage_resize(struct simulated_process *a)
{
	set_phase(a, PHASE_RESIZING);
	if (sim.algorithm->set_limit)
		sim.algorithm->set_limit(sim.shared, &a->self,
					 (unsigned)a->self.argument);
	else
		sim.algorithm->resize(sim.shared, &sim.shape,
				      (unsigned)a->self.argument);
}
