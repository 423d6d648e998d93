/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/run_environment.h"

#include "cli/usage.h"

#include <stdlib.h>
#include <string.h>

/* `setting` is VAR=TEMPLATE.  False: out of memory. */
static bool set_variable(const char *setting,
			 const struct template_values *values)
{
	char *text = template_expand(setting, values);
	char *equals = text ? strchr(text, '=') : NULL;
	bool done = false;

	if (equals) {
		*equals = '\0';
		done = setenv(text, equals + 1, 1) == 0;
	}
	free(text);
	return done;
}

/* False: out of memory. */
static bool set_name(const struct template_values *values)
{
	if (!values->names)
		return unsetenv("ATMOST_NAME") == 0;
	return set_variable("ATMOST_NAME={name}", values);
}

/* False: out of memory. */
static bool set_variables(const struct run_options *run,
			  const struct template_values *values)
{
	bool done = set_variable("ATMOST_SLOT={slot}", values) &&
		    set_variable("ATMOST_POOL={pool}", values) &&
		    set_name(values);

	for (size_t i = 0; done && i < run->settings.count; i++)
		done = set_variable(run->settings.text[i], values);
	return done;
}

/* Replaces the placeholders in the command's arguments, for --substitute.
 * False: out of memory. */
static bool substitute(char **command, const struct template_values *values)
{
	for (; *command; command++) {
		*command = template_expand(*command, values);
		if (!*command)
			return false;
	}
	return true;
}

/* True: a template of the user contains {name}. */
static bool uses_name(const struct run_options *run)
{
	for (size_t i = 0; i < run->settings.count; i++)
		if (template_has_name(run->settings.text[i]))
			return true;
	for (char **word = run->command; run->substitute && *word; word++)
		if (template_has_name(*word))
			return true;
	return false;
}

bool run_environment_set(const struct run_options *run,
			 const struct template_values *values)
{
	return set_variables(run, values) &&
	       (!run->substitute || substitute(run->command, values));
}

int run_environment_check(const struct run_options *run, const char *names)
{
	if (names || !uses_name(run))
		return 0;
	return usage_error("run",
			   "{name} is used, but the slots of pool %s have no "
			   "names: give them with --slots or --names",
			   run->pool);
}
