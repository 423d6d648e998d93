/* SPDX-License-Identifier: BSD-2-Clause */
#include "checker/run.h"

#include "checker/clock.h"
#include "checker/random.h"
#include "checker/search.h"
#include "checker/shortest.h"
#include "memory/simulated/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void search_graph(struct run *r, struct search *s)
{
	s->graph = graph_open(r->memory);
	if (!s->graph) {
		control_set(&r->control->stop, STOP_MEMORY);
		return;
	}
	search_run(s, r->seen);
	r->control->heap_bytes = graph_bytes(s->graph);
	if (control_get(&r->control->stop) == STOP_NOT)
		graph_judge(s->graph, r->question, r->control);
}

_Noreturn static void work(struct run *r, unsigned worker)
{
	struct search s = { .question = r->question,
			    .control = r->control,
			    .worker = worker,
			    .memory = r->memory / r->control->workers };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != r->parent) /* it died before that */
		_exit(0);
	guard_stacks(r->control->message, sizeof r->control->message);
	switch (r->kind) {
	case RUN_SEARCH:
		search_run(&s, r->seen);
		break;
	case RUN_STRAIGHT:
		s.straight = true;
		search_run(&s, r->seen);
		break;
	case RUN_GRAPH:
		search_graph(r, &s);
		break;
	case RUN_RANDOM:
		random_run(r->question, r->control, r->seed, r->depth);
		break;
	case RUN_SHORTEN:
		shorten(r->question, r->control, r->property, r->memory,
			r->shorten_seconds);
		break;
	}
	_exit(0);
}

bool run_start(struct run *r, unsigned workers)
{
	if (r->kind != RUN_SEARCH)
		workers = 1;
	if (workers > MAX_WORKERS)
		workers = MAX_WORKERS;
	r->control->workers = workers;
	r->alive = 0;
	r->parent = getpid();
	r->started = clock_now();
	/* An eighth at least is left for paths and local states. */
	if (!seen_open(&r->seen,
		       r->kind == RUN_SEARCH || r->kind == RUN_STRAIGHT
			       ? r->memory / 8 * 7
			       : 1 << 24,
		       workers > 1)) {
		snprintf(r->control->message, sizeof r->control->message,
			 "no memory for the set of states");
		return false;
	}
	for (unsigned i = 0; i < workers; i++) {
		pid_t pid = fork();

		if (pid == 0)
			work(r, i);
		if (pid < 0) {
			snprintf(r->control->message,
				 sizeof r->control->message,
				 "cannot start a worker: %s", strerror(errno));
			run_end(r);
			return false;
		}
		r->child[r->alive++] = pid;
	}
	return true;
}

static void note_end(struct run *r, unsigned i, int status)
{
	struct control *c = r->control;

	r->child[i] = r->child[--r->alive];
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	if (!c->message[0] && WIFSIGNALED(status))
		snprintf(c->message, sizeof c->message,
			 "a search worker was ended by signal %d",
			 WTERMSIG(status));
	control_set(&c->stop, STOP_FAILED);
}

bool run_wait(struct run *r, double seconds)
{
	double until = clock_now() + seconds;

	while (r->alive) {
		for (unsigned i = r->alive; i-- > 0;) {
			int status;

			if (waitpid(r->child[i], &status, WNOHANG) > 0)
				note_end(r, i, status);
		}
		if (!r->alive)
			break;
		if (r->deadline > 0 && clock_now() > r->deadline &&
		    control_get(&r->control->stop) == STOP_NOT)
			control_set(&r->control->stop, STOP_TIME);
		if (clock_now() >= until)
			return true;
		usleep(clock_now() - r->started < 0.05 ? 200 : 5000);
	}
	return false;
}

void run_end(struct run *r)
{
	for (unsigned i = 0; i < r->alive; i++) {
		kill(r->child[i], SIGKILL);
		waitpid(r->child[i], NULL, 0);
	}
	r->alive = 0;
	if (r->seen.table)
		seen_close(&r->seen);
	r->seen.table = NULL;
}
