/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/child.h"

#include "cli/not_run.h"
#include "cli/supervise.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct child {
	struct atmost_member *me;
	struct supervised process;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

int child_exec(struct atmost_member *me, char **command)
{
	if (atmost_entrust(me, getpid(), base_name(command[0])))
		return not_run_report(command[0], NOT_ENTRUSTED);
	execvp(command[0], command);
	return not_run_report(command[0], errno);
}

/*
 * The child entrusts the member to itself before it executes the command.  If
 * the wrapper was killed before, entrusting fails, and the command does not
 * run.
 */
static int entrust(void *context)
{
	const struct child *c = context;
	const struct supervised *process = &c->process;

	return atmost_entrust_as(c->me, getpid(),
				 base_name(process->command[0]),
				 process->all ? ATMOST_ENTRUST_BOTH : 0)
		       ? NOT_ENTRUSTED
		       : 0;
}

/* False: there is no signal yet. */
static bool take_signal(struct supervised *s, siginfo_t *info)
{
	if (!supervise_wants_sentinel(s))
		return sigwaitinfo(&s->taken, info) > 0;
	if (sigtimedwait(&s->taken, info, &supervise_before_sentinel) > 0)
		return true;
	if (errno == EAGAIN)
		supervise_start_sentinel(s);
	return false;
}

static int await_end(struct supervised *s)
{
	siginfo_t info;

	for (;;) {
		if (supervise_has_ended(s))
			return s->code;
		supervise_stop(s);
		if (!take_signal(s, &info))
			continue;
		if (supervise_has_ended(s))
			return s->code;
		if (supervise_on_signal(s, &info))
			return SUPERVISE_SIGNALLED + info.si_signo;
	}
}

int child_run(struct atmost_member *me, char **command, bool all,
	      bool new_group)
{
	struct child c = { .me = me,
			   .process = { .command = command, .all = all } };
	int error, code;

	supervise_take_signals(&c.process);
	error = supervise_start(&c.process, new_group, entrust, &c);
	code = error ? not_run_report(command[0], error)
		     : await_end(&c.process);
	supervise_end(&c.process);
	return code;
}
