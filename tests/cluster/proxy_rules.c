/* SPDX-License-Identifier: BSD-2-Clause */
#include "proxy_rules.h"

#include "common/prng.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 64 };

static const char *const fate_names[FATES] = { "pass",  "before", "after",
					       "twice", "late",   "delay" };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static enum proxy_mode mode;
static unsigned percent[FATES], pause_most, watch_most;
static enum proxy_fate once_fate;
static char once_path[PATH_ROOM], told_version[PATH_ROOM];
static unsigned long counts[FATES], watches_cut;
static uint64_t numbers;

void rules_start(uint64_t seed)
{
	numbers = seed;
}

bool rules_gate(void)
{
	bool passes;

	pthread_mutex_lock(&lock);
	while (mode == PROXY_HOLD)
		pthread_cond_wait(&changed, &lock);
	passes = mode == PROXY_PASS;
	pthread_mutex_unlock(&lock);
	return passes;
}

static enum proxy_fate choose(const char *path)
{
	unsigned draw = prng_below(&numbers, 100);

	if (once_path[0] && strcmp(path, once_path) == 0) {
		once_path[0] = '\0';
		return once_fate;
	}
	for (enum proxy_fate fate = FATE_BEFORE; fate < FATES; fate++) {
		if (draw < percent[fate])
			return fate;
		draw -= percent[fate];
	}
	return FATE_PASS;
}

enum proxy_fate rules_fate(const char *path)
{
	enum proxy_fate fate;

	pthread_mutex_lock(&lock);
	fate = choose(path);
	counts[fate]++;
	pthread_mutex_unlock(&lock);
	return fate;
}

unsigned rules_pause(void)
{
	unsigned milliseconds;

	pthread_mutex_lock(&lock);
	milliseconds = prng_below(&numbers, pause_most + 1);
	pthread_mutex_unlock(&lock);
	return milliseconds;
}

int rules_watch_life(void)
{
	int milliseconds;

	pthread_mutex_lock(&lock);
	milliseconds = watch_most ? 1 + (int)prng_below(&numbers, watch_most)
				  : -1;
	pthread_mutex_unlock(&lock);
	return milliseconds;
}

void rules_count_cut_watch(void)
{
	pthread_mutex_lock(&lock);
	watches_cut++;
	pthread_mutex_unlock(&lock);
}

bool rules_version(char *version, size_t room)
{
	pthread_mutex_lock(&lock);
	snprintf(version, room, "%s", told_version);
	pthread_mutex_unlock(&lock);
	return version[0] != '\0';
}

/* Returns the number after "name=" in the text, or 0. */
static unsigned number_of(const char *text, const char *name)
{
	const char *at = text;
	const size_t length = strlen(name);

	while ((at = strpbrk(at, "?&"))) {
		at++;
		if (strncmp(at, name, length) == 0 && at[length] == '=')
			return (unsigned)strtoul(at + length + 1, NULL, 10);
	}
	return 0;
}

static bool set_once(const char *text)
{
	for (enum proxy_fate fate = FATE_BEFORE; fate < FATES; fate++) {
		const size_t length = strlen(fate_names[fate]);

		if (strncmp(text, fate_names[fate], length) == 0 &&
		    text[length] == '=') {
			once_fate = fate;
			snprintf(once_path, sizeof once_path, "%s",
				 text + length + 1);
			return true;
		}
	}
	return false;
}

static void set_losses(const char *text)
{
	for (enum proxy_fate fate = FATE_BEFORE; fate < FATES; fate++)
		percent[fate] = number_of(text, fate_names[fate]);
	pause_most = number_of(text, "pause");
	watch_most = number_of(text, "watch");
}

static void tell_counts(char *answer, size_t room)
{
	size_t length = 0;

	for (enum proxy_fate fate = FATE_PASS; fate < FATES; fate++)
		length += (size_t)snprintf(answer + length, room - length,
					   "%s %lu ", fate_names[fate],
					   counts[fate]);
	snprintf(answer + length, room - length, "watches %lu\n", watches_cut);
}

static bool obey(const char *text, char *answer, size_t room, bool *cut_watches)
{
	static const char *const modes[] = { "pass", "hold", "cut" };

	for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (strcmp(text, modes[i]) == 0) {
			mode = (enum proxy_mode)i;
			/* `pass` is the end of losses, too. */
			set_losses("");
			return true;
		}
	if (strncmp(text, "lossy?", 6) == 0)
		set_losses(text);
	else if (strncmp(text, "once?", 5) == 0)
		return set_once(text + 5);
	else if (strncmp(text, "version?", 8) == 0)
		snprintf(told_version, sizeof told_version, "%s", text + 8);
	else if (strcmp(text, "counts") == 0)
		tell_counts(answer, room);
	else if (strcmp(text, "cut-watches") == 0)
		*cut_watches = true;
	else
		return false;
	return true;
}

bool rules_obey(const char *text, char *answer, size_t room, bool *cut,
		bool *cut_watches)
{
	bool known;

	snprintf(answer, room, "done\n");
	pthread_mutex_lock(&lock);
	known = obey(text, answer, room, cut_watches);
	*cut = mode == PROXY_CUT;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return known;
}
