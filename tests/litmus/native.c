/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs every figure on this machine many times, with each process in a thread
 * of its own.  The forbidden outcome must never occur.  The test prints how
 * many different outcomes it has seen, to show that the steps of the threads
 * overlap.
 *
 * The test can show only the reordering that this machine and its compiler do.
 * On x86-64 the processor only delays stores, so a figure such as `wake` can
 * fail here, but a figure such as `inside` cannot.  forbidden.c tests what C11
 * allows.
 */
#include "figure.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANCES = 2048, ROUNDS = 50, MOST_PROCESSES = 4, MOST_SEEN = 256 };

/* The words and registers of one execution; no two words share a cache line. */
struct instance {
	struct {
		_Alignas(64) _Atomic uint64_t value;
	} word[MOST_WORDS];
	_Alignas(64) atomic_uint ready; /* threads that have arrived */
	_Alignas(64) uint64_t result[MOST_PROCESSES][MOST_REGISTERS];
};

static struct instance instance[INSTANCES];
static struct program program;
static atomic_uint arrived;
static unsigned long forbidden;

/* The order of an atomic access must be a constant: otherwise compilers make
 * the access sequentially consistent. */

static uint64_t load(_Atomic uint64_t *word, memory_order order)
{
	switch (order) {
	case memory_order_relaxed:
		return atomic_load_explicit(word, memory_order_relaxed);
	case memory_order_acquire:
		return atomic_load_explicit(word, memory_order_acquire);
	default:
		return atomic_load(word);
	}
}

static void store(_Atomic uint64_t *word, uint64_t value, memory_order order)
{
	switch (order) {
	case memory_order_relaxed:
		atomic_store_explicit(word, value, memory_order_relaxed);
		break;
	case memory_order_release:
		atomic_store_explicit(word, value, memory_order_release);
		break;
	default:
		atomic_store(word, value);
	}
}

/* add, swap and fence handle only the orders that occur in the figures. */

static uint64_t add(_Atomic uint64_t *word, uint64_t value, memory_order order)
{
	if (order == memory_order_relaxed)
		return atomic_fetch_add_explicit(word, value,
						 memory_order_relaxed);
	return atomic_fetch_add(word, value);
}

static uint64_t swap(_Atomic uint64_t *word, uint64_t value, memory_order order)
{
	if (order == memory_order_relaxed)
		return atomic_exchange_explicit(word, value,
						memory_order_relaxed);
	return atomic_exchange(word, value);
}

static bool can_run(const struct step *s)
{
	if (s->kind == STEP_READ || s->kind == STEP_WRITE)
		return true;
	return s->order == memory_order_seq_cst ||
	       (s->order == memory_order_relaxed && s->kind != STEP_FENCE);
}

static void take(const struct step *s, struct instance *at)
{
	_Atomic uint64_t *word = &at->word[s->word].value;
	uint64_t *result = &at->result[s->process][s->result];

	switch (s->kind) {
	case STEP_READ:
		*result = load(word, s->order);
		break;
	case STEP_WRITE:
		store(word, s->value, s->order);
		break;
	case STEP_ADD:
		*result = add(word, s->value, s->order);
		break;
	case STEP_SWAP:
		*result = swap(word, s->value, s->order);
		break;
	case STEP_FENCE:
		atomic_thread_fence(memory_order_seq_cst);
		break;
	default:
		break;
	}
}

/* The outcomes that have been seen. */

static uint64_t seen[MOST_SEEN];
static unsigned seen_count;

static void remember(uint64_t outcome)
{
	for (unsigned i = 0; i < seen_count; i++)
		if (seen[i] == outcome)
			return;
	if (seen_count < MOST_SEEN)
		seen[seen_count++] = outcome;
}

/* Only one process writes a register; in the results of the other processes it
 * is 0. */
static uint64_t result_of(const struct instance *at, unsigned result)
{
	uint64_t sum = 0;

	for (unsigned p = 0; p < MOST_PROCESSES; p++)
		sum += at->result[p][result];
	return sum;
}

static bool has_outcome(const struct instance *at)
{
	for (unsigned t = 0; t < program.terms; t++)
		if (result_of(at, program.term[t].result) !=
		    program.term[t].value)
			return false;
	return true;
}

/* Counts the outcomes of a round and clears the instances for the next
 * round. */
static void end_round(void)
{
	for (unsigned i = 0; i < INSTANCES; i++) {
		struct instance *at = &instance[i];
		uint64_t outcome = 0;

		for (unsigned r = 0; r < program.registers; r++)
			outcome = outcome << 4 | result_of(at, r);
		remember(outcome);
		forbidden += has_outcome(at);
		memset(at, 0, sizeof *at);
	}
}

/* Waits until all threads have arrived for the nth time.  The threads spin, so
 * that they go on at the same moment. */
static void meet(unsigned n)
{
	atomic_fetch_add(&arrived, 1);
	for (unsigned i = 1; atomic_load(&arrived) < n * program.processes; i++)
		if (i % 1024 == 0)
			sched_yield();
}

/* Waits for a short time until all threads have reached the instance, so that
 * their steps overlap.  A thread that has no processor is not waited for.  Then
 * the thread delays its first step a little; the delay differs from instance to
 * instance. */
static void approach(struct instance *at, unsigned process)
{
	enum { LOOKS = 500, DELAYS = 64 };
	const unsigned number = (unsigned)(at - instance);
	volatile unsigned delay = process ? number % DELAYS : DELAYS / 2;

	atomic_fetch_add(&at->ready, 1);
	for (unsigned i = 0; i < LOOKS; i++)
		if (atomic_load(&at->ready) == program.processes)
			break;
	while (delay > 0)
		delay--;
}

static void execute(const struct step *first, struct instance *at)
{
	const struct step *end = program.step + program.steps;

	approach(at, first->process);
	for (const struct step *s = first;
	     s < end && s->process == first->process; s++)
		take(s, at);
}

/* Runs one process of the figure; the argument points at its first step. */
static void *run_process(void *argument)
{
	const struct step *first = argument;

	for (unsigned round = 0; round < ROUNDS; round++) {
		meet(2 * round + 1);
		for (unsigned i = 0; i < INSTANCES; i++)
			execute(first, &instance[i]);
		meet(2 * round + 2);
		if (first->process == 0)
			end_round();
	}
	return NULL;
}

static void run_figure(void)
{
	pthread_t thread[MOST_PROCESSES];
	unsigned started = 0;

	forbidden = 0;
	seen_count = 0;
	atomic_store(&arrived, 0);
	for (unsigned i = 0; i < program.steps; i++)
		if (program.step[i].process == started &&
		    pthread_create(&thread[started++], NULL, run_process,
				   &program.step[i]) != 0)
			exit(2);
	for (unsigned p = 0; p < started; p++)
		pthread_join(thread[p], NULL);
}

static bool is_runnable(const struct figure *figure)
{
	if (!program_of(figure, &program) || program.processes > MOST_PROCESSES)
		return false;
	for (unsigned i = 0; i < program.steps; i++)
		if (!can_run(&program.step[i]))
			return false;
	return true;
}

int main(void)
{
	unsigned failed = 0;

	for (const struct figure *f = figures; f->name; f++) {
		const bool runs = is_runnable(f);
		bool holds;

		if (runs)
			run_figure();
		holds = runs && forbidden == 0;
		printf("%s: %s: %d executions, %u outcomes, the forbidden one "
		       "%lu times\n",
		       holds ? "ok" : "FAILED", f->name,
		       runs ? INSTANCES * ROUNDS : 0, seen_count, forbidden);
		failed += !holds;
	}
	return failed > 0;
}
