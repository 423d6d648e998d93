/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/run_options.h"

#include "cli/help.h"
#include "cli/k_value.h"
#include "cli/pool.h"
#include "cli/pool_open.h"
#include "cli/slot_names.h"
#include "cli/template.h"
#include "cli/usage.h"

#include <getopt.h>
#include <string.h>

/* Returns a message about an error in VAR=TEMPLATE; NULL: there is no error. */
static const char *setting_error(const char *setting)
{
	const char *equals = strchr(setting, '=');

	if (!equals || equals == setting)
		return "it must be VAR=TEMPLATE";
	if (setting[0] >= '0' && setting[0] <= '9')
		return "the name of a variable cannot begin with a digit";
	for (const char *at = setting; at < equals; at++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw"
			    "xyz0123456789_",
			    *at))
			return "the name of a variable has only letters, "
			       "digits and _";
	return template_error(equals + 1);
}

static int check_names(const struct run_options *run, const char *slots)
{
	const unsigned count = slot_names_count(run->names);
	size_t length;

	if (slots && strspn(slots, "0123456789,") != strlen(slots))
		return usage_error("run",
				   "--slots takes numbers, separated by "
				   "commas, not '%s'",
				   slots);
	if (!count)
		return usage_error("run",
				   "one of the slot names in '%s' is "
				   "empty",
				   run->names);
	if (slot_names_twice(run->names, &length))
		return usage_error("run",
				   "two slots have the name '%.*s': each slot "
				   "needs a name of its own",
				   (int)length,
				   slot_names_twice(run->names, &length));
	if (run->group)
		return usage_error("run", "the slots of a group pool have no "
					  "names: leave out --slots and "
					  "--names");
	if (run->k && run->k != count)
		return usage_error("run",
				   "-k is %u, but there are %u slot names",
				   run->k, count);
	return 0;
}

static int check_settings(const struct run_options *run)
{
	for (size_t i = 0; i < run->settings.count; i++) {
		const char *setting = run->settings.text[i];
		const char *wrong = setting_error(setting);

		if (wrong)
			return usage_error("run", "--set '%s': %s", setting,
					   wrong);
	}
	return 0;
}

/* Returns 0, or an exit code after an error message. */
static int check(const struct run_options *run, const char *slots)
{
	int code = run->names ? check_names(run, slots) : 0;

	if (code)
		return code;
	if (run->group && run->k > POOL_GROUP_MEMBERS)
		return usage_error("run",
				   "the k of a group pool can be at most %d, "
				   "not %u",
				   POOL_GROUP_MEMBERS, run->k);
	if (run->group && !*run->group)
		return usage_error("run", "-g takes a word, not ''");
	if (run->exec && run->wait_children)
		return usage_error("run", "--exec and --wait-children cannot "
					  "be combined: with --exec, no "
					  "atmost process stays to wait");
	if (run->exec && run->new_group)
		return usage_error("run", "--exec and --new-group cannot be "
					  "combined: with --exec, no atmost "
					  "process stays to forward signals "
					  "to the group");
	return check_settings(run);
}

/* Returns the index of the first "--"; argc if there is no "--". */
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

static int check_operands(int count, char **operands, const char *command)
{
	if (count == 0)
		return usage_error("run", "the name of the pool is missing "
					  "before the --");
	if (count > 1)
		return usage_error("run",
				   "'%s' is one operand too many before "
				   "the --",
				   operands[1]);
	if (!command || !*command)
		return usage_error("run", "there is no command after the --");
	return 0;
}

/* Seconds.  Less than 5 is shorter than an election of etcd's leader. */
enum { LEASE_LEAST = 5, LEASE_USUAL = 15, LEASE_MOST = 3600 };

enum {
	K,
	TIME,
	TRY,
	GROUP,
	VERBOSE,
	SHARED,
	EXCLUSIVE,
	SLOTS,
	NAMES,
	LEASE,
	PLAIN /* the first option that needs no name for its index */
};

/* Checks that at most one of the options that choose a session is given. */
static int choose_session(struct run_options *run, const struct setting *s)
{
	if (!!s[GROUP].given + !!s[SHARED].given + !!s[EXCLUSIVE].given > 1)
		return usage_error("run",
				   "-g, -s and -x cannot be combined: each "
				   "chooses a session");
	run->exclusive = s[EXCLUSIVE].given != NULL;
	if (s[SHARED].given)
		run->group = "shared";
	if (run->exclusive)
		run->group = "exclusive";
	return 0;
}

/* Computes the values that depend on several options.  Returns 0, or an exit
 * code after an error message. */
static int choose(struct run_options *run, const struct setting *s,
		  const char *slots, const char *names)
{
	if (s[K].given && !k_value_read(s[K].given, &run->k))
		return usage_error("run",
				   "-k takes a number from 1 to %d, a part of "
				   "the processors such as 50%%, or the "
				   "processors less a number, such as -1; not "
				   "'%s'",
				   K_VALUE_MOST, s[K].given);
	if (run->try && s[TIME].given && run->seconds > 0)
		return usage_error("run", "-n and -t cannot be combined");
	run->has_deadline = s[TIME].given && run->seconds > 0;
	run->try = run->try || (s[TIME].given && !run->has_deadline);
	if (slots && names)
		return usage_error("run", "--slots and --names cannot be "
					  "combined");
	run->names = slots ? slots : names;
	run->lease_given = s[LEASE].given != NULL;
	if (run->on_loss && strcmp(run->on_loss, "term") != 0 &&
	    strcmp(run->on_loss, "keep") != 0)
		return usage_error("run",
				   "--on-loss takes 'term' or 'keep', not '%s'",
				   run->on_loss);
	run->keep = run->on_loss && strcmp(run->on_loss, "keep") == 0;
	return choose_session(run, s);
}

bool run_options_read(int argc, char **argv, struct run_options *run, int *code)
{
	const char *slots = NULL, *names = NULL, *k = NULL;
	bool shared = false;
	struct setting settings[] = {
		[K] = { "k", SETTING_TEXT, &k, 0, 0, NULL },
		[TIME] = { "t", SETTING_TIME, &run->seconds, 0, 0, NULL },
		[TRY] = { "n", SETTING_FLAG, &run->try, 0, 0, NULL },
		[GROUP] = { "g", SETTING_TEXT, &run->group, 0, 0, NULL },
		[VERBOSE] = { "v", SETTING_FLAG, &run->verbose, 0, 0, NULL },
		[SHARED] = { "s", SETTING_FLAG, &shared, 0, 0, NULL },
		[EXCLUSIVE] = { "x", SETTING_FLAG, &run->exclusive, 0, 0,
				NULL },
		[SLOTS] = { "slots", SETTING_TEXT, &slots, 0, 0, NULL },
		[NAMES] = { "names", SETTING_TEXT, &names, 0, 0, NULL },
		[LEASE] = { "lease", SETTING_NUMBER, &run->lease, LEASE_LEAST,
			    LEASE_MOST, NULL },
		[PLAIN] = { "E", SETTING_NUMBER, &run->no_slot, 0, 255, NULL },
		{ "exec", SETTING_FLAG, &run->exec, 0, 0, NULL },
		{ "set", SETTING_TEXTS, &run->settings, 0, 0, NULL },
		{ "substitute", SETTING_FLAG, &run->substitute, 0, 0, NULL },
		{ "strict", SETTING_FLAG, &run->strict, 0, 0, NULL },
		{ "nested", SETTING_FLAG, &run->nested, 0, 0, NULL },
		{ "new-group", SETTING_FLAG, &run->new_group, 0, 0, NULL },
		{ "wait-children", SETTING_FLAG, &run->wait_children, 0, 0,
		  NULL },
		{ "algorithm", SETTING_TEXT, &run->algorithm, 0, 0, NULL },
		{ "at", SETTING_TEXT, &run->at, 0, 0, NULL },
		{ "on-loss", SETTING_TEXT, &run->on_loss, 0, 0, NULL },
		{ "j", SETTING_ALIAS, &settings[K], 0, 0, NULL },
		{ "w", SETTING_ALIAS, &settings[TIME], 0, 0, NULL },
		{ "timeout", SETTING_ALIAS, &settings[TIME], 0, 0, NULL },
		{ "nonblock", SETTING_ALIAS, &settings[TRY], 0, 0, NULL },
		{ "verbose", SETTING_ALIAS, &settings[VERBOSE], 0, 0, NULL },
		{ "shared", SETTING_ALIAS, &settings[SHARED], 0, 0, NULL },
		{ "exclusive", SETTING_ALIAS, &settings[EXCLUSIVE], 0, 0,
		  NULL },
	};
	int dashes = find_dashes(argc, argv);

	run->no_slot = POOL_NOT_NOW;
	run->lease = LEASE_USUAL;
	if (dashes == argc) {
		*code = asks_for_help(argc, argv)
				? help_print("run")
				: usage_error("run",
					      "put -- before the command: "
					      "atmost run [OPTION]... POOL -- "
					      "COMMAND...");
		return false;
	}
	if (!options_read(dashes, argv, settings,
			  sizeof settings / sizeof *settings, code))
		return false;
	run->pool = argv[optind];
	run->command = argv + dashes + 1;
	*code = check_operands(dashes - optind, argv + optind, run->command[0]);
	if (!*code)
		*code = choose(run, settings, slots, names);
	if (!*code)
		*code = check(run, slots);
	return !*code;
}
