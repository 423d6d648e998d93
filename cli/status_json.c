/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/status_json.h"

#include "cli/pool.h"
#include "cli/pool_list.h"
#include "cli/process_view.h"
#include "cli/slot_names.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

/* Converts a monotonic time to seconds since 1970. */
static double calendar_time(struct timespec since)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9 -
	       pool_view_seconds(since);
}

static void write_session(struct json *j, const struct atmost_seat *seat)
{
	char number[24];

	snprintf(number, sizeof number, "%" PRIu64, seat->session);
	json_text(j, "session",
		  seat->label[0]  ? seat->label
		  : seat->session ? number
				  : NULL);
}

/* Writes the name of the holder's slot, or null if there is none. */
static void write_name(struct json *j, const struct pool_view *view,
		       const struct atmost_seat *seat)
{
	char *name = NULL;
	size_t length;

	if (view->shape.names && seat->slot >= 0 &&
	    (unsigned)seat->slot < slot_names_count(view->shape.names)) {
		const char *at = slot_names_at(view->shape.names,
					       (unsigned)seat->slot, &length);

		name = strndup(at, length);
	}
	json_text(j, "name", name);
	free(name);
}

static void write_host(struct json *j, const struct pool_view *view,
		       const struct atmost_seat *seat)
{
	struct utsname machine;

	if (view->far)
		json_text(j, "host", *seat->host ? seat->host : NULL);
	else
		json_text(j, "host",
			  uname(&machine) == 0 ? machine.nodename : NULL);
}

static void write_process(struct json *j, const struct pool_view *view,
			  const struct atmost_seat *seat)
{
	struct process_view process;

	process_view_read(&process, seat, pool_view_is_here(view, seat));
	if (process.arguments) {
		json_open_array(j, "arguments");
		for (char **word = process.arguments; *word; word++)
			json_text(j, NULL, *word);
		json_close_array(j);
	} else {
		json_put_null(j, "arguments");
	}
	json_text(j, "directory", process.directory);
	json_text(j, "user", process.user);
	write_host(j, view, seat);
	process_view_free(&process);
}

/* Numbers that a holder of a pool in etcd has, and null instead of 0. */
static void write_or_null(struct json *j, const char *key, int64_t number)
{
	if (number)
		json_put_integer(j, key, number);
	else
		json_put_null(j, key);
}

static void write_lease(struct json *j, const struct seat_far *far)
{
	char lease[24];

	snprintf(lease, sizeof lease, "%016" PRIx64, (uint64_t)far->lease);
	write_or_null(j, "token", (int64_t)far->token);
	json_text(j, "lease", far->lease ? lease : NULL);
	write_or_null(j, "lease_seconds", far->granted);
	write_or_null(j, "lease_left", far->left);
}

static void write_seat(struct json *j, const struct pool_view *view,
		       const struct atmost_seat *seat)
{
	static const char *const lives[] = {
		[ATMOST_LIFE_CERTAIN] = "certain",
		[ATMOST_LIFE_UNKNOWN] = "unknown",
		[ATMOST_LIFE_UNLOCKED] = "unlocked",
	};

	json_open_object(j, NULL);
	if (seat->slot < 0)
		json_put_integer(j, "position", seat->position);
	else
		json_put_integer(j, "slot", seat->slot);
	if (seat->pid)
		json_put_integer(j, "pid", seat->pid);
	else
		json_put_null(j, "pid");
	json_text(j, "command", seat->command);
	json_put_real(j, "since", calendar_time(seat->since));
	write_session(j, seat);
	json_text(j, "life", lives[seat->life]);
	write_name(j, view, seat);
	write_process(j, view, seat);
	if (pool_view_far(view, seat))
		write_lease(j, pool_view_far(view, seat));
	json_close_object(j);
}

static void write_seats(struct json *j, const char *key,
			const struct pool_view *view, bool holders)
{
	json_open_array(j, key);
	for (unsigned i = 0; i < view->count; i++)
		if ((view->seats[i].slot >= 0) == holders)
			write_seat(j, view, &view->seats[i]);
	json_close_array(j);
}

static void write_names(struct json *j, const char *names)
{
	const unsigned count = names ? slot_names_count(names) : 0;

	if (!names) {
		json_put_null(j, "names");
		return;
	}
	json_open_array(j, "names");
	for (unsigned slot = 0; slot < count; slot++) {
		size_t length;
		const char *at = slot_names_at(names, slot, &length);
		char *name = strndup(at, length);

		json_text(j, NULL, name);
		free(name);
	}
	json_close_array(j);
}

static void write_place(struct json *j, const struct pool_view *view)
{
	char path[PATH_MAX];

	if (view->at) {
		json_put_null(j, "place");
		json_text(j, "at", view->at);
		return;
	}
	json_text(j, "place",
		  atmost_directory(path, sizeof path) == 0 ? path : NULL);
}

void status_json_write(struct json *j, const char *name,
		       const struct pool_view *view)
{
	json_open_object(j, NULL);
	json_text(j, "name", name);
	json_put_integer(j, "k", view->totals.k);
	json_put_integer(j, "members", view->totals.members);
	json_text(j, "kind", atmost_kind_name(view->shape.kind));
	json_text(j, "algorithm", view->shape.algorithm);
	write_seats(j, "holders", view, true);
	write_seats(j, "waiters", view, false);
	json_put_integer(j, "recovered", (int64_t)view->totals.recovered);
	json_put_integer(j, "lost", view->totals.lost);
	write_names(j, view->shape.names);
	json_bool(j, "paused", view->paused);
	write_place(j, view);
	json_close_object(j);
}

/* Returns 0, or an error of the library.  After an error nothing is written. */
static int write_pool(struct json *j, const char *name)
{
	struct pool_view view;
	struct atmost *pool;
	int error = atmost_open(&pool, name, NULL);

	if (error)
		return error;
	error = pool_view_read(pool, &view);
	if (!error) {
		status_json_write(j, name, &view);
		pool_view_free(&view);
	}
	atmost_close(pool);
	return error;
}

/* Writes the pools that can be read, and prints an error message for each of
 * the others. */
static int write_all(struct json *j, char **names)
{
	int code = 0;

	for (; *names; names++) {
		int error = write_pool(j, *names);

		/* ENOTFOUND: the pool was removed in the meantime. */
		if (error && error != ATMOST_ENOTFOUND)
			code = pool_complain("status", *names, error);
	}
	return code;
}

static int print_all(void)
{
	struct json j;
	char **names;
	int count = pool_list("status", &names), code;

	if (count < 0)
		return -count;
	json_begin(&j, JSON_COMPACT);
	json_open_array(&j, "pools");
	code = write_all(&j, names);
	json_close_array(&j);
	pool_list_free(names);
	return json_print(&j) ? code : pool_no_memory("status");
}

int status_json(const char *pool)
{
	struct json j;
	int error;

	if (!pool)
		return print_all();
	json_begin(&j, JSON_COMPACT);
	json_open_array(&j, "pools");
	error = write_pool(&j, pool);
	json_close_array(&j);
	if (error) {
		json_discard(&j);
		return pool_complain("status", pool, error);
	}
	return json_print(&j) ? 0 : pool_no_memory("status");
}
