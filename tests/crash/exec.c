/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A holder executes another program, from its first thread or from its second
 * thread.  The slot comes back, unless the member was entrusted to the process.
 */
#include "facts.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A scenario says which thread of a process enters, and which thread executes
 * another program.
 */
struct scenario {
	const char *name;
	bool second_enters, second_executes, entrusted;
};

static struct atmost_member *member;
static const struct scenario *scenario_now;

static void enter(void)
{
	struct atmost *pool = pool_open("pool", 0);
	int slot = atmost_join(pool, &member);

	if (slot == 0)
		slot = atmost_enter(member, NULL);
	if (slot >= 0 && scenario_now->entrusted)
		slot = atmost_entrust(member, getpid(), "sleep");
	say(slot);
}

static void become_sleep(void)
{
	hear();
	execlp("sleep", "sleep", "1000", (char *)NULL);
	_exit(4);
}

static void *second_thread(void *unused)
{
	if (scenario_now->second_enters)
		enter();
	if (scenario_now->second_executes)
		become_sleep();
	for (;;)
		pause();
	return unused;
}

static void hold_and_execute(const void *argument)
{
	pthread_t second;

	scenario_now = argument;
	if (!scenario_now->second_enters)
		enter();
	pthread_create(&second, NULL, second_thread, NULL);
	if (!scenario_now->second_executes)
		become_sleep();
	for (;;)
		pause();
}

static bool is_sleep(pid_t pid)
{
	char path[64], name[32] = "";
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	(void)!fgets(name, sizeof name, file);
	fclose(file);
	return strcmp(name, "sleep\n") == 0;
}

static bool becomes_sleep(pid_t pid)
{
	/* If the process never executes sleep, the watchdog ends the test. */
	while (!is_sleep(pid)) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return false;
		usleep(1000);
	}
	return true;
}

static void run_scenario(const struct scenario *scenario)
{
	struct atmost *pool = pool_open("pool", 1);
	struct worker holder = worker_start(hold_and_execute, scenario);
	struct worker waiter;
	int slot;

	if (!worker_says(&holder, &slot) || slot < 0)
		fact(false, "%s: the holder is inside", scenario->name);
	waiter = waiter_behind(pool, "pool");
	worker_tell(&holder, 0);
	if (!becomes_sleep(holder.pid))
		fact(false, "%s: the holder is another program",
		     scenario->name);
	if (scenario->entrusted) {
		fact(waiter_stays_out(&waiter),
		     "%s: the slot stays with the "
		     "program",
		     scenario->name);
		fact(pool_totals(pool).holders == 1,
		     "%s: status shows one "
		     "holder",
		     scenario->name);
		kill(holder.pid, SIGKILL);
	}
	fact(waiter_gets_in(&waiter), "%s: the slot comes back%s",
	     scenario->name,
	     scenario->entrusted ? " when the program is killed" : "");
	if (!scenario->entrusted)
		fact(waitpid(holder.pid, NULL, WNOHANG) == 0,
		     "%s: the program lives on", scenario->name);
	worker_kill(&holder);
	worker_kill(&waiter);
	fact(try_to_enter(pool) == 0, "%s: a newcomer gets in at the end",
	     scenario->name);
	atmost_close(pool);
	atmost_unlink("pool");
}

int main(void)
{
	static const struct scenario scenarios[] = {
		{ "the first thread enters and executes", false, false, false },
		{ "the second thread enters and executes", true, true, false },
		{ "the first thread enters, the second executes", false, true,
		  false },
		{ "the second thread enters, the first executes", true, false,
		  false },
		{ "entrusted, the first thread executes", false, false, true },
		{ "entrusted, the second thread executes", true, true, true },
		{ "entrusted, the first enters, the second executes", false,
		  true, true },
	};

	facts_begin();
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		run_scenario(&scenarios[i]);
	return facts_end();
}
