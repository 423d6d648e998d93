/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/task.h"

#include "checker/canonical_search.h"
#include "checker/clock.h"
#include "checker/fair_cycles.h"
#include "checker/random_search.h"
#include "checker/search.h"
#include "checker/shorten.h"
#include "memory/simulated/stack_overflow.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void search_graph(struct task *t, struct search *s)
{
	s->graph = graph_open(t->memory);
	if (!s->graph) {
		workers_set(&t->workers->stop, STOP_MEMORY);
		return;
	}
	if (t->kind == TASK_CANONICAL)
		canonical_search_run(s);
	else
		search_run(s, t->seen);
	t->workers->heap_bytes = graph_bytes(s->graph);
	if (workers_get(&t->workers->stop) == STOP_NOT)
		fair_cycles_find(s->graph, t->question, MAX_DEPTH, t->workers);
}

_Noreturn static void work(struct task *t, unsigned worker)
{
	struct search s = { .question = t->question,
			    .workers = t->workers,
			    .worker = worker,
			    .memory = t->memory / t->workers->count };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != t->parent) /* the parent died before the prctl */
		_exit(0);
	stack_overflow_catch(t->workers->message, sizeof t->workers->message);
	switch (t->kind) {
	case TASK_SEARCH:
		search_run(&s, t->seen);
		break;
	case TASK_ACYCLIC:
		s.acyclic = true;
		search_run(&s, t->seen);
		break;
	case TASK_GRAPH:
	case TASK_CANONICAL:
		search_graph(t, &s);
		break;
	case TASK_RANDOM:
		random_search_run(t->question, t->workers, t->seed, t->depth);
		break;
	case TASK_SHORTEN:
		shorten(t->question, t->workers, t->property, t->memory,
			t->shorten_seconds);
		break;
	}
	_exit(0);
}

bool task_start(struct task *t, unsigned count)
{
	if (t->kind != TASK_SEARCH || t->question->find_collisions)
		count = 1;
	if (count > MAX_WORKERS)
		count = MAX_WORKERS;
	t->workers->count = count;
	t->alive = 0;
	t->parent = getpid();
	t->started = clock_now();
	/* At least an eighth of the memory is left for paths and local
	 * states. */
	if (!seen_open(&t->seen,
		       t->kind == TASK_RANDOM || t->kind == TASK_SHORTEN
			       ? 1 << 24
			       : t->memory / 8 * 7,
		       count > 1)) {
		snprintf(t->workers->message, sizeof t->workers->message,
			 "not enough memory for the set of states");
		return false;
	}
	for (unsigned i = 0; i < count; i++) {
		pid_t pid = fork();

		if (pid == 0)
			work(t, i);
		if (pid < 0) {
			snprintf(t->workers->message,
				 sizeof t->workers->message,
				 "cannot start a worker: %s", strerror(errno));
			task_end(t);
			return false;
		}
		t->child[t->alive++] = pid;
	}
	return true;
}

static void note_end(struct task *t, unsigned i, int status)
{
	struct workers *w = t->workers;

	t->child[i] = t->child[--t->alive];
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	if (!w->message[0] && WIFSIGNALED(status))
		snprintf(w->message, sizeof w->message,
			 "a worker of the search was ended by signal %d",
			 WTERMSIG(status));
	workers_set(&w->stop, STOP_FAILED);
}

bool task_wait(struct task *t, double seconds)
{
	double until = clock_now() + seconds;

	while (t->alive) {
		for (unsigned i = t->alive; i-- > 0;) {
			int status;

			if (waitpid(t->child[i], &status, WNOHANG) > 0)
				note_end(t, i, status);
		}
		if (!t->alive)
			break;
		if (t->deadline > 0 && clock_now() > t->deadline &&
		    workers_get(&t->workers->stop) == STOP_NOT)
			workers_set(&t->workers->stop, STOP_TIME);
		if (clock_now() >= until)
			return true;
		usleep(clock_now() - t->started < 0.05 ? 200 : 5000);
	}
	return false;
}

void task_end(struct task *t)
{
	for (unsigned i = 0; i < t->alive; i++) {
		kill(t->child[i], SIGKILL);
		waitpid(t->child[i], NULL, 0);
	}
	t->alive = 0;
	if (t->seen.table)
		seen_close(&t->seen);
	t->seen.table = NULL;
}
