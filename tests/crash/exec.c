/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A holder becomes another program: exec by its first thread and by another.
 * The slot comes back, unless the member was entrusted to the process.
 */
#include "facts.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Which thread of a process enters, and which one executes a program. */
struct scene {
	const char *name;
	bool second_enters, second_executes, entrusted;
};

static struct atmost_member *member;
static const struct scene *played;

static void enter(void)
{
	struct atmost *pool = pool_open("pool", 0);
	int slot = atmost_join(pool, &member);

	if (slot == 0)
		slot = atmost_enter(member, NULL);
	if (slot >= 0 && played->entrusted)
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
	if (played->second_enters)
		enter();
	if (played->second_executes)
		become_sleep();
	for (;;)
		pause();
	return unused;
}

static void hold_and_execute(const void *argument)
{
	pthread_t second;

	played = argument;
	if (!played->second_enters)
		enter();
	pthread_create(&second, NULL, second_thread, NULL);
	if (!played->second_executes)
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
	for (unsigned i = 0; i < 20000; i++) {
		if (is_sleep(pid))
			return true;
		usleep(1000);
	}
	return false;
}

static void play(const struct scene *scene)
{
	struct atmost *pool = pool_open("pool", 1);
	struct worker holder = worker_start(hold_and_execute, scene);
	struct worker waiter;
	int slot;

	if (!worker_says(&holder, 20, &slot) || slot < 0)
		fact(false, "%s: the holder is inside", scene->name);
	waiter = waiter_behind(pool, "pool");
	worker_tell(&holder, 0);
	if (!becomes_sleep(holder.pid))
		fact(false, "%s: the holder is another program", scene->name);
	if (scene->entrusted) {
		fact(waiter_stays_out(&waiter),
		     "%s: the slot stays with the "
		     "program",
		     scene->name);
		fact(pool_totals(pool).holders == 1,
		     "%s: status shows one "
		     "holder",
		     scene->name);
		kill(holder.pid, SIGKILL);
	}
	fact(waiter_gets_in(&waiter), "%s: the slot comes back%s", scene->name,
	     scene->entrusted ? " when the program is killed" : "");
	if (!scene->entrusted)
		fact(waitpid(holder.pid, NULL, WNOHANG) == 0,
		     "%s: the program lives on", scene->name);
	worker_kill(&holder);
	worker_kill(&waiter);
	fact(try_to_enter(pool) == 0, "%s: a newcomer gets in at the end",
	     scene->name);
	atmost_close(pool);
	atmost_unlink("pool");
}

int main(void)
{
	static const struct scene scenes[] = {
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

	facts_begin(120);
	for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
		play(&scenes[i]);
	return facts_end();
}
