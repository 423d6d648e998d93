/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost status, of pools in etcd. */
#include "cli/cluster_view.h"
#include "cli/elsewhere.h"
#include "cli/pool.h"
#include "cli/safe_text.h"
#include "cli/status_json.h"
#include "cli/status_table.h"
#include "cli/status_watch.h"
#include "cluster/list.h"
#include "cluster/version.h"

#include <stdlib.h>
#include <string.h>

/* Returns the names of the pools to show, ended by NULL, or NULL after an
 * error.  The caller frees them with cluster_list_free. */
static char **list(struct place *place, int *error)
{
	char **names;

	*error = 0;
	if (!place->pool) {
		*error = cluster_list(&place->connection, &names);
		return *error ? NULL : names;
	}
	names = calloc(2, sizeof *names);
	if (names)
		names[0] = strdup(place->pool);
	if (!names || !names[0])
		*error = complain(&place->connection.why, ATMOST_ENOMEM,
				  "out of memory");
	if (!*error)
		return names;
	free(names);
	return NULL;
}

/* A pool of the list was removed meanwhile. */
static bool is_gone(const struct place *place, int error)
{
	return error == ATMOST_ENOTFOUND && !place->pool;
}

/* Prints a sentence about the version of etcd, if etcd is too old to keep
 * leases reliably. */
static void warn(FILE *to, const char *before, struct place *place)
{
	struct etcd_version version;
	struct complaint warning;

	if (version_ask(&place->connection, &version) &&
	    version_warning(&version, wire_endpoint(place->connection.wire),
			    &warning))
		fprintf(to, "%s%s\n", before, warning.text);
}

/* Returns 0, or an error of cluster/.  If a pool of the list cannot be read,
 * *code becomes an exit code, and the other pools are still shown. */
static int print_pool(FILE *to, struct place *place, const char *name,
		      int *code)
{
	struct cluster_look look;
	struct pool_view view;
	int error = cluster_view_read(place, name, true, &view, &look);

	if (is_gone(place, error))
		return 0;
	if (error == ATMOST_EFORMAT && !place->pool) {
		fprintf(to, "%s: ", name);
		safe_text_print(to, place->connection.why.text);
		fputc('\n', to);
		*code = pool_exit_for(error);
		return 0;
	}
	if (error)
		return error;
	status_table_print(to, name, &view);
	pool_view_free(&view);
	cluster_look_free(&look);
	return 0;
}

/* Returns like print_pool. */
static int print_table(FILE *to, struct place *place, int *code)
{
	char **names;
	int error;

	*code = 0;
	names = list(place, &error);
	if (error)
		return error;
	if (!*names)
		fprintf(to, "there are no pools at %s\n", place->address.text);
	for (char **name = names; *name && !error; name++)
		error = print_pool(to, place, *name, code);
	cluster_list_free(names);
	return error;
}

/* For --watch: while etcd is not reached, the table says so. */
static int print_watched(FILE *to, void *what)
{
	struct place *place = what;
	int code, error = print_table(to, place, &code);

	if (!error) {
		warn(to, "", place);
		return 0;
	}
	if (error != ATMOST_EUNREACHED)
		return cluster_complain("status", place, error);
	safe_text_print(to, place->connection.why.text);
	fputc('\n', to);
	return 0;
}

static int write_pool(struct json *j, struct place *place, const char *name)
{
	struct cluster_look look;
	struct pool_view view;
	int error = cluster_view_read(place, name, true, &view, &look);

	if (error)
		return is_gone(place, error) ? 0 : error;
	status_json_write(j, name, &view);
	pool_view_free(&view);
	cluster_look_free(&look);
	return 0;
}

/* Writes the version of etcd, and the same warning. */
static void write_version(struct json *j, struct place *place)
{
	struct etcd_version version;
	struct complaint warning;
	char text[48];

	if (!version_ask(&place->connection, &version)) {
		json_put_null(j, "etcd");
		json_put_null(j, "warning");
		return;
	}
	snprintf(text, sizeof text, "%u.%u.%u", version.major, version.minor,
		 version.patch);
	json_text(j, "etcd", text);
	json_text(j, "warning",
		  version_warning(&version,
				  wire_endpoint(place->connection.wire),
				  &warning)
			  ? warning.text
			  : NULL);
}

static int print_json(struct place *place)
{
	struct json j;
	char **names;
	int error, code = 0;

	names = list(place, &error);
	if (error)
		return cluster_complain("status", place, error);
	json_begin(&j, JSON_COMPACT);
	json_open_array(&j, "pools");
	for (char **name = names; *name && !error; name++) {
		error = write_pool(&j, place, *name);
		if (error == ATMOST_EFORMAT && !place->pool) {
			code = cluster_complain_of("status", place, *name,
						   error);
			error = 0;
		}
	}
	cluster_list_free(names);
	json_close_array(&j);
	if (error) {
		json_discard(&j);
		return cluster_complain("status", place, error);
	}
	write_version(&j, place);
	return json_print(&j) ? code : pool_no_memory("status");
}

static int print_once(struct place *place)
{
	int code, error = print_table(stdout, place, &code);

	if (error)
		return cluster_complain("status", place, error);
	warn(stderr, "atmost status: ", place);
	return code;
}

int elsewhere_status(char **argv, const char *at, const char *pool, bool json,
		     bool watch)
{
	struct place place;
	int code = cluster_open("status", at, pool, &place);

	(void)argv;
	if (code)
		return code;
	if (watch)
		code = status_watch(print_watched, &place, true);
	else
		code = json ? print_json(&place) : print_once(&place);
	cluster_close(&place);
	return code;
}
