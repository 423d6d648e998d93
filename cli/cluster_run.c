/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost run --at: waits for a slot of a pool in etcd and runs a command in
 * it. */
#include "cli/cluster_held.h"
#include "cli/cluster_hold.h"
#include "cli/cluster_open.h"
#include "cli/cluster_progress.h"
#include "cli/cluster_wait.h"
#include "cli/descriptors.h"
#include "cli/elsewhere.h"
#include "cli/pool.h"
#include "cli/run_environment.h"
#include "cli/safe_text.h"
#include "cli/session.h"
#include "cli/usage.h"
#include "cluster/ask.h"
#include "cluster/member_text.h"
#include "cluster/version.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

extern const struct algorithm ledger, ledger_room;

static const int64_t second = 1000000000;

enum {
	OWN_WORDS = 16,
	FIRST_MS = 300,      /* for an answer, before the messages begin */
	LATER_SECONDS = 10,  /* for an answer of an etcd that was reached */
	FAREWELL_SECONDS = 2 /* to end what is left of this process in an etcd
				that does not answer; it ends by itself */
};

struct cluster_run {
	struct run_options options; /* pool: the name alone */
	struct place place;
	struct etcd *etcd;
	uint64_t own[OWN_WORDS];
	struct supervised s;
	struct descriptors inherited;
	struct cluster_waiter waiter;
	struct cluster_look look; /* of the pool */
	bool inside;              /* this process has a slot */
};

static int refuse(const struct run_options *run)
{
	if (run->exec)
		return usage_error("run",
				   "--exec cannot be used with a pool in etcd: "
				   "an atmost process must stay to keep the "
				   "lease of the slot alive");
	return 0;
}

/*
 * Opens /dev/null in place of closed standard streams, which a connection could
 * get otherwise.  The command finds them closed, as they were.
 */
static bool occupy_streams(void)
{
	/* open uses the lowest free number, which is fd. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", O_RDWR | O_CLOEXEC) < 0)
			return false;
	return true;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* False: out of memory, or libcurl cannot be used. */
static bool open_etcd(struct cluster_run *r)
{
	const struct run_options *run = &r->options;
	struct text line = { 0 };
	struct member_text member;
	char *root = address_root(&r->place.address, r->place.pool);

	member_text_self(&member, base_name(run->command[0]),
			 run->group ? run->group : "");
	member_text_write(&line, &member);
	if (root && !line.failed)
		r->etcd = etcd_open(&(struct etcd_settings){
			.address = address_wire(&r->place.address),
			.root = root,
			.groups = run->group != NULL,
			.k = run->k,
			.seconds = (unsigned)run->lease,
			.member = line.bytes,
			.impatient = run->try,
			.own = r->own });
	free(root);
	text_free(&line);
	if (!r->etcd)
		return false;
	connection_borrow(&r->place.connection, &r->place.address,
			  r->etcd->wire);
	if (run->group)
		r->etcd->process.session = run->exclusive ? session_alone()
							  : session_of_word(
								    run->group);
	return true;
}

static bool open_waiter(struct cluster_run *r)
{
	const struct run_options *run = &r->options;
	int signals = signalfd(-1, &r->s.taken, SFD_CLOEXEC | SFD_NONBLOCK);

	if (signals < 0)
		return false;
	r->waiter = (struct cluster_waiter){
		.etcd = r->etcd,
		.run = run,
		.pool = r->place.pool,
		.s = &r->s,
		.signals = { .fd = signals, .events = CURL_WAIT_POLLIN },
		.deadline = INT64_MAX,
	};
	if (run->has_deadline)
		r->waiter.deadline = wire_now() + (int64_t)(run->seconds * 1e9);
	if (run->verbose && !run->try)
		r->waiter.progress = cluster_progress_new(r->place.pool);
	return true;
}

static void say_if_verbose(const struct cluster_run *r, const char *text)
{
	if (!r->options.verbose)
		return;
	fprintf(stderr, "atmost: %s: ", r->place.pool);
	safe_text_print(stderr, text);
	fputc('\n', stderr);
}

/* The exit status of a wait that did not lead to a slot. */
static int complain_wait(struct cluster_run *r, enum cluster_wait_result result)
{
	const struct etcd_trouble *trouble = &r->etcd->trouble;
	int error;

	switch (result) {
	case CLUSTER_WAIT_BUSY:
		say_if_verbose(r, "all slots are taken, the command was not "
				  "run");
		return (int)r->options.no_slot;
	case CLUSTER_WAIT_TIMEOUT:
		say_if_verbose(r, "no slot became free in time, the command "
				  "was not run");
		return (int)r->options.no_slot;
	case CLUSTER_WAIT_SIGNAL:
		return SUPERVISE_SIGNALLED + r->waiter.signal;
	case CLUSTER_WAIT_UNREACHED:
		error = ask_explain(&r->place.connection, WIRE_PENDING, 0, "");
		break;
	default:
		error = ask_explain(&r->place.connection, trouble->kind,
				    trouble->code, trouble->message);
	}
	return cluster_complain("run", &r->place, error);
}

static void warn_of_version(struct cluster_run *r)
{
	struct etcd_version version;
	struct complaint warning;

	if (r->options.verbose && version_ask(&r->place.connection, &version) &&
	    version_warning(&version, wire_endpoint(r->etcd->wire), &warning))
		say_if_verbose(r, warning.text);
}

/* Returns 0, or an exit status after a message.  *again: etcd was not
 * reached. */
static int open_pool(struct cluster_run *r, int64_t until, bool *again)
{
	const struct run_options *run = &r->options;
	const struct pool_request request = { .name = run->pool,
					      .k = run->k,
					      .names = run->names,
					      .group = run->group != NULL,
					      .algorithm = run->algorithm,
					      .strict = run->strict };
	int code, error;

	r->place.connection.until = r->waiter.deadline < until
					    ? r->waiter.deadline
					    : until;
	r->waiter.signals.revents = 0;
	r->place.connection.interrupt = &r->waiter.signals;
	code = cluster_open_pool(&r->place, &request, &r->look, &error);
	r->place.connection.interrupt = NULL;
	*again = code && error == ATMOST_EUNREACHED;
	if (code)
		return code;
	code = run_environment_check(run, r->look.pool.names);
	if (code)
		cluster_look_free(&r->look);
	else
		etcd_expect(r->etcd, r->look.pool.k);
	return code;
}

/* Gives the slot back; otherwise the next command would wait for the end of the
 * lease.  The time is long enough for a node that does not answer, and for an
 * election. */
static void leave(struct cluster_run *r)
{
	cluster_allow_time(&r->place);
	etcd_limit(r->etcd, r->place.connection.until);
	etcd_leave(r->etcd, r->options.group ? &ledger_room : &ledger);
}

/* Checks the names of the slots, which may have changed between our look and
 * our arrival.  Returns 0, or an exit status after a message. */
static int check_names(struct cluster_run *r, bool *again)
{
	int error;

	if (!r->look.pool.names && !r->look.names_modified)
		return 0;
	cluster_allow_time(&r->place);
	error = cluster_names_hold(&r->place.connection, r->place.pool,
				   &r->look);
	*again = error == ATMOST_ENOTFOUND || error == ATMOST_EUNREACHED;
	if (error)
		leave(r);
	return error && !*again ? cluster_complain("run", &r->place, error) : 0;
}

/* Returns an exit status after a message, unless this process has a slot.
 * *again: the pool was removed or has changed, or etcd was not reached. */
static int enter_once(struct cluster_run *r, bool *again)
{
	enum cluster_wait_result result;
	int code;

	/* etcd grants the lease while it answers the look.  With -n the lease
	 * may not be needed. */
	if (!r->options.try)
		etcd_ask_ahead(r->etcd);
	code = open_pool(r, wire_now() + FIRST_MS * second / 1000, again);
	if (*again) {
		*again = false;
		result = cluster_wait_contact(&r->waiter);
		if (result != CLUSTER_WAIT_INSIDE)
			return complain_wait(r, result);
		code = open_pool(r, wire_now() + LATER_SECONDS * second, again);
	}
	if (code)
		return code;
	warn_of_version(r);
	result = cluster_wait_slot(&r->waiter,
				   r->options.group ? &ledger_room : &ledger);
	*again = result == CLUSTER_WAIT_NO_POOL;
	if (result == CLUSTER_WAIT_INSIDE)
		code = check_names(r, again);
	else if (!*again)
		code = complain_wait(r, result);
	r->inside = result == CLUSTER_WAIT_INSIDE && !code && !*again;
	if (!r->inside)
		cluster_look_free(&r->look);
	return code;
}

static int enter(struct cluster_run *r)
{
	bool again;
	int code;

	cluster_wait_begin(&r->waiter);
	do {
		code = enter_once(r, &again);
	} while (again);
	cluster_wait_end(&r->waiter);
	return code;
}

/* False: out of memory. */
static bool set_environment(struct cluster_run *r)
{
	const struct template_values values = {
		.pool = r->place.pool,
		.slot = (unsigned)r->etcd->process.slot,
		.names = r->look.pool.names,
	};
	char token[24];

	snprintf(token, sizeof token, "%" PRIu64, r->etcd->process.token);
	return setenv("ATMOST_TOKEN", token, 1) == 0 &&
	       cluster_held_add(&r->place.address, r->place.pool) &&
	       run_environment_set(&r->options, &values);
}

static int run_inside(struct cluster_run *r)
{
	const struct etcd *etcd = r->etcd;
	char text[256];
	int code;

	if (!set_environment(r)) {
		code = pool_no_memory("run");
	} else {
		snprintf(text, sizeof text,
			 "inside, slot %d, token %" PRIu64
			 "; etcd %s, lease %jd s",
			 etcd->process.slot, etcd->process.token,
			 wire_endpoint(etcd->wire),
			 (intmax_t)etcd->lease->seconds);
		say_if_verbose(r, text);
		descriptors_close_others_on_exec(&r->inherited);
		code = cluster_hold(r->etcd, &r->options, &r->s,
				    r->waiter.signals.fd);
	}
	leave(r);
	cluster_look_free(&r->look);
	return code;
}

static int run_with(struct cluster_run *r)
{
	int code;

	r->s.command = r->options.command;
	r->s.all = r->options.wait_children;
	supervise_take_signals(&r->s);
	descriptors_note(&r->inherited);
	if (!occupy_streams() || !open_etcd(r) || !open_waiter(r))
		code = pool_no_memory("run");
	else
		code = enter(r);
	if (r->inside)
		code = run_inside(r);
	cluster_progress_free(r->waiter.progress);
	connection_close(&r->place.connection);
	if (r->etcd)
		etcd_close(r->etcd, wire_now() + FAREWELL_SECONDS * second);
	return code;
}

int elsewhere_run(char **argv, const char *at, const struct run_options *run)
{
	struct cluster_run r = { .options = *run };
	int code = refuse(run);

	(void)argv;
	if (!code)
		code = cluster_find("run", at, run->pool, &r.place);
	if (code)
		return code;
	r.options.pool = r.place.pool;
	if (!run->nested && cluster_held_has(&r.place.address, r.place.pool))
		code = usage_error("run",
				   "an ancestor of this process holds a slot "
				   "of %s (ATMOST_HELD): waiting for another "
				   "slot could deadlock; with --nested, atmost "
				   "waits anyway",
				   r.place.name);
	else
		code = run_with(&r);
	cluster_close(&r.place);
	return supervise_finish(code);
}
