/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost run: a command that waits for its turn. */
#include "cli/child.h"
#include "cli/command.h"
#include "cli/nested.h"
#include "cli/old_place.h"
#include "cli/options.h"
#include "cli/pool.h"
#include "cli/shown.h"
#include "cli/slots.h"
#include "cli/stop.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct run {
	uint64_t k, code;
	struct timespec deadline;
	double seconds;
	bool try, seconds_given, verbose, exec, nested, wait_children;
	const char *group, *algorithm, *names, *pool;
	struct texts settings;
	char **command;
};

/* Where the -- stands; argc: nowhere. */
static int find_dashes(int argc, char **argv)
{
	int at = 1;

	while (at < argc && strcmp(argv[at], "--") != 0)
		at++;
	return at;
}

static bool asks_for_help(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 ||
		    strcmp(argv[i], "-h") == 0)
			return true;
	return false;
}

static int check(const struct run *run, const char *slots)
{
	const char *wrong;

	if (slots && strspn(slots, "0123456789,") != strlen(slots))
		return usage_error("run",
				   "--slots takes numbers, separated by "
				   "commas, not '%s'",
				   slots);
	if (run->names && !slots_count(run->names))
		return usage_error("run", "one of the names '%s' is empty",
				   run->names);
	if (run->names && run->group)
		return usage_error("run", "the slots of a group have no "
					  "names: leave out --slots, --names");
	if (run->names && run->k && run->k != slots_count(run->names))
		return usage_error("run", "-k is %llu, but there are %u names",
				   (unsigned long long)run->k,
				   slots_count(run->names));
	if (run->group && run->k > POOL_MOST_OF_GROUP)
		return usage_error("run",
				   "with -g, -k takes a number from 1 "
				   "to %d, not '%llu'",
				   POOL_MOST_OF_GROUP,
				   (unsigned long long)run->k);
	if (run->group && !*run->group)
		return usage_error("run", "-g takes a word, not ''");
	if (run->try && run->seconds_given)
		return usage_error("run", "-n and -t exclude each other");
	if (run->exec && run->wait_children)
		return usage_error("run", "--exec and --wait-children exclude "
					  "each other: nobody is left to wait");
	for (size_t i = 0; i < run->settings.count; i++) {
		wrong = slots_check(run->settings.text[i], run->names != NULL);
		if (wrong)
			return usage_error("run", "--set '%s': %s",
					   run->settings.text[i], wrong);
	}
	return 0;
}

/* False: return *code. */
static bool read_options(int argc, char **argv, struct run *run, int *code)
{
	const char *slots = NULL, *names = NULL;
	struct setting settings[] = {
		{ "k", SETTING_NUMBER, &run->k, 1, 1024, NULL },
		{ "n", SETTING_FLAG, &run->try, 0, 0, NULL },
		{ "t", SETTING_SECONDS, &run->seconds, 0, 0, NULL },
		{ "g", SETTING_TEXT, &run->group, 0, 0, NULL },
		{ "E", SETTING_NUMBER, &run->code, 0, 255, NULL },
		{ "v", SETTING_FLAG, &run->verbose, 0, 0, NULL },
		{ "exec", SETTING_FLAG, &run->exec, 0, 0, NULL },
		{ "set", SETTING_TEXTS, &run->settings, 0, 0, NULL },
		{ "slots", SETTING_TEXT, &slots, 0, 0, NULL },
		{ "names", SETTING_TEXT, &names, 0, 0, NULL },
		{ "nested", SETTING_FLAG, &run->nested, 0, 0, NULL },
		{ "wait-children", SETTING_FLAG, &run->wait_children, 0, 0,
		  NULL },
		{ "algorithm", SETTING_TEXT, &run->algorithm, 0, 0, NULL },
	};
	int dashes = find_dashes(argc, argv), operands;

	if (dashes == argc && asks_for_help(argc, argv)) {
		*code = help_print("run");
		return false;
	}
	if (dashes == argc) {
		*code = usage_error("run", "a -- must stand before the "
					   "command: atmost run [OPTION]... "
					   "POOL -- COMMAND...");
		return false;
	}
	if (!options_read(dashes, argv, settings,
			  sizeof settings / sizeof *settings, code))
		return false;
	operands = dashes - optind;
	run->seconds_given = settings[2].given != NULL;
	run->names = slots ? slots : names;
	run->pool = argv[optind];
	run->command = argv + dashes + 1;
	*code = 0;
	if (slots && names)
		*code = usage_error("run", "--slots and --names exclude each "
					   "other");
	else if (operands == 0)
		*code = usage_error("run", "which pool?");
	else if (operands > 1)
		*code = usage_error("run", "'%s' is one too many before the --",
				    argv[optind + 1]);
	else if (dashes + 1 == argc || !*argv[dashes + 1])
		*code = usage_error("run", "there is no command after the --");
	else
		*code = check(run, slots);
	return *code == 0;
}

/* A word becomes a session; none of them is 0. */
static uint64_t session_of(const char *word)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *word; word++)
		hash = (hash ^ (unsigned char)*word) * UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}

static struct timespec deadline_in(double seconds)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += (time_t)seconds;
	t.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void tell(const struct run *run, const char *what)
{
	if (run->verbose)
		fprintf(stderr, "atmost: %s: %s\n", run->pool, what);
}

static int wait_once(const struct run *run, struct atmost *pool,
		     struct atmost_member *me, const struct atmost_want *want)
{
	int slot;

	if (run->verbose && !run->try)
		shown_start(pool, run->pool);
	slot = atmost_enter(me, want);
	if (run->verbose && !run->try)
		shown_stop();
	return slot;
}

/* While it waits it can be stopped, and then it waits again from the end. */
static int wait_for_slot(const struct run *run, struct atmost *pool,
			 struct atmost_member *me, struct atmost_want *want)
{
	int slot;

	want->interrupt = run->try ? NULL : stop_heed();
	while ((slot = wait_once(run, pool, me, want)) == ATMOST_EINTERRUPTED) {
		tell(run, "stopped while waiting; the place in the queue is "
			  "given up");
		stop_now();
		tell(run, "waiting again, at the end of the queue");
	}
	/* An algorithm that cannot give up keeps its place. */
	if (slot == ATMOST_ENOTABORTABLE && want->interrupt) {
		stop_end();
		want->interrupt = NULL;
		slot = wait_once(run, pool, me, want);
	}
	if (want->interrupt)
		stop_end();
	return slot;
}

/* The slot, or an error of the library. */
static int enter(const struct run *run, struct atmost *pool,
		 struct atmost_member *me)
{
	struct atmost_want want = { .flags = run->try ? ATMOST_TRY : 0 };

	if (run->group) {
		want.session = session_of(run->group);
		atmost_label(me, run->group);
	}
	if (run->seconds_given)
		want.deadline = &run->deadline;
	return wait_for_slot(run, pool, me, &want);
}

static int run_inside(const struct run *run, struct atmost_member *me, int slot)
{
	if (run->names && (unsigned)slot >= slots_count(run->names)) {
		fprintf(stderr,
			"atmost run: %s has grown: there is no name "
			"for slot %d\n",
			run->pool, slot);
		return POOL_USAGE;
	}
	if (!slots_tell(run->pool, (unsigned)slot, run->names,
			&run->settings)) {
		fprintf(stderr, "atmost run: out of memory\n");
		return POOL_SYSTEM;
	}
	return run->exec ? child_become(me, run->command)
			 : child_run(me, run->command, run->wait_children);
}

static int not_in_time(const struct run *run, int error)
{
	tell(run, atmost_strerror(error));
	return (int)run->code;
}

/*
 * When the command has ended, a waiter may have taken the slot before we can
 * give it back; with --wait-children it is ours until we do.
 */
static void leave(const struct run *run, struct atmost_member *me)
{
	int error = atmost_leave(me);

	if (error && (error != ATMOST_EEVICTED || run->wait_children))
		fprintf(stderr, "atmost run: the slot was taken from us while "
				"the command ran\n");
}

/* *removed: the pool is no more, open it again. */
static int run_with(const struct run *run, struct atmost *pool, bool *removed)
{
	struct atmost_member *me;
	pid_t ancestor = run->nested ? 0 : nested_holder(pool);
	int code, slot, error;

	*removed = false;
	if (ancestor)
		return usage_error("run",
				   "process %jd holds %s already, and "
				   "this one descends from it: it could "
				   "wait for itself; --nested does it "
				   "anyway",
				   (intmax_t)ancestor, run->pool);
	/* What status shows of one who waits is what it waits to run. */
	program_invocation_short_name = basename(run->command[0]);
	error = atmost_join(pool, &me);
	*removed = error == ATMOST_ENOTFOUND;
	if (*removed)
		return 0;
	if (error)
		return pool_complain("run", run->pool, error);
	slot = enter(run, pool, me);
	if (slot == ATMOST_EBUSY || slot == ATMOST_ETIMEDOUT)
		code = not_in_time(run, slot);
	else if (slot < 0)
		code = pool_complain("run", run->pool, slot);
	else
		code = run_inside(run, me, slot);
	if (slot >= 0)
		leave(run, me);
	atmost_part(me);
	return code;
}

int command_run(int argc, char **argv)
{
	struct run run = { .code = POOL_NOT_NOW };
	struct pool_wish wish;
	struct atmost *pool;
	int code;

	if (!read_options(argc, argv, &run, &code))
		return code;
	wish = (struct pool_wish){
		.name = run.pool,
		.k = (unsigned)run.k,
		.names = run.names ? slots_count(run.names) : 0,
		.group = run.group,
		.algorithm = run.algorithm,
	};
	old_place_warn("run", run.pool);
	if (run.seconds_given)
		run.deadline = deadline_in(run.seconds);
	do {
		bool removed;

		code = pool_open(&pool, &wish);
		if (code)
			return code;
		code = run_with(&run, pool, &removed);
		/* What is left of it ends with this process. */
		if (!removed)
			return code;
		atmost_close(pool);
	} while (true);
}
