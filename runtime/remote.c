/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/remote.h"

#include "algorithms/registry.h"
#include "runtime/error.h"
#include "runtime/load.h"
#include "runtime/names.h"
#include "runtime/process.h"

#include <stdlib.h>
#include <string.h>

bool remote_is_address(const char *name)
{
	return name && strstr(name, "://") != NULL;
}

/*
 * Errands: calls that use the network.
 *
 * An errand has a thread of its own.  libcurl and the loader need more stack
 * than this library may take of its caller's, and libcurl may cause a SIGPIPE,
 * which the caller's thread must not get.
 */

enum { ERRAND_STACK = 512 * 1024 };

struct errand {
	int (*run)(struct errand *);
	struct atmost *pool;
	const char *address;
	const struct atmost_shape *wanted;
	struct atmost_shape is;
	bool unused_only;
	unsigned k, capacity;
	struct atmost_seat *seats;
	struct atmost_totals *totals;
	int result;
	char why[REMOTE_WHY_ROOM];
};

static void *run_errand(void *argument)
{
	struct errand *errand = argument;

	errand->result = errand->run(errand);
	return NULL;
}

/* The caller's signals stay blocked meanwhile: a handler that ended the thread
 * would take the errand's memory away. */
static int send(struct errand *errand)
{
	struct quiet before;
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	errand->why[0] = '\0';
	if (pthread_attr_init(&attributes) != 0)
		return error_is(ATMOST_ENOMEM);
	pthread_attr_setstacksize(&attributes, ERRAND_STACK);
	quiet_begin(&before);
	error = pthread_create(&thread, &attributes, run_errand, errand);
	if (!error)
		pthread_join(thread, NULL);
	quiet_end(&before);
	pthread_attr_destroy(&attributes);
	if (error)
		return error_say(ATMOST_ENOMEM, "no thread can be started");
	if (errand->result < 0 && errand->why[0])
		return error_say(errand->result, "%s", errand->why);
	return errand->result < 0 ? error_is(errand->result) : errand->result;
}

/* Opening and removing. */

static int run_open(struct errand *errand)
{
	struct atmost *pool = errand->pool;
	int error = load_calls(&pool->calls, errand->why);

	return error ? error
		     : pool->calls->open(&pool->remote, errand->address,
					 errand->wanted, &errand->is,
					 errand->why);
}

static int open_remote(struct atmost *made, const char *address,
		       const struct atmost_shape *wanted)
{
	struct errand errand = { .run = run_open,
				 .pool = made,
				 .address = address,
				 .wanted = wanted };
	int error = wanted ? names_check(wanted) : 0;

	if (error < 0)
		return error;
	error = send(&errand);
	if (error)
		return error;
	if (wanted && wanted->names)
		error = names_compare(errand.is.names, wanted, address);
	if (error) {
		made->calls->close(made->remote);
		return error;
	}
	made->names = errand.is.names;
	made->algorithm = registry_find(errand.is.algorithm);
	made->kind = errand.is.kind;
	made->shape.k = errand.is.k;
	made->shape.k_max = errand.is.k_max;
	made->shape.sessions = errand.is.sessions;
	return 0;
}

int remote_open(struct atmost **pool, const char *address,
		const struct atmost_shape *wanted)
{
	struct atmost *made = calloc(1, sizeof *made + 1);
	int error;

	if (!made)
		return error_is(ATMOST_ENOMEM);
	made->segment.look = made->segment.hold = -1;
	made->generation = process_generation();
	pthread_mutex_init(&made->lock, NULL);
	error = open_remote(made, address, wanted);
	if (error) {
		free(made);
		return error;
	}
	if (!pool_enlist(made)) {
		made->calls->close(made->remote);
		free(made);
		return error_is(ATMOST_ENOMEM);
	}
	*pool = made;
	return 0;
}

static int run_remove(struct errand *errand)
{
	const struct remote_calls *calls;
	int error = load_calls(&calls, errand->why);

	return error ? error
		     : calls->remove(errand->address, errand->unused_only,
				     errand->why);
}

int remote_remove(const char *address, bool unused_only)
{
	struct errand errand = { .run = run_remove,
				 .address = address,
				 .unused_only = unused_only };

	return send(&errand);
}

/* Calls with a pool. */

static int run_inspect(struct errand *errand)
{
	return errand->pool->calls->inspect(errand->pool->remote, &errand->is,
					    errand->why);
}

int remote_inspect(struct atmost *pool, struct atmost_shape *shape)
{
	struct errand errand = { .run = run_inspect, .pool = pool };
	int error = send(&errand);

	if (!error)
		*shape = errand.is;
	return error;
}

static int run_resize(struct errand *errand)
{
	return errand->pool->calls->resize(errand->pool->remote, errand->k,
					   errand->why);
}

int remote_resize(struct atmost *pool, unsigned k)
{
	struct errand errand = { .run = run_resize, .pool = pool, .k = k };

	return send(&errand);
}

static int run_status(struct errand *errand)
{
	return errand->pool->calls->status(errand->pool->remote, errand->seats,
					   errand->capacity, errand->totals,
					   errand->why);
}

int remote_status(struct atmost *pool, struct atmost_seat *seats,
		  unsigned capacity, struct atmost_totals *totals)
{
	struct atmost_totals counted;
	struct errand errand = { .run = run_status,
				 .pool = pool,
				 .seats = seats,
				 .capacity = seats ? capacity : 0,
				 .totals = &counted };
	int result = send(&errand);

	if (result >= 0 && totals)
		*totals = counted;
	return result;
}
