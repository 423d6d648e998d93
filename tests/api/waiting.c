/* SPDX-License-Identifier: BSD-2-Clause */
#include "waiting.h"

#include "common/watchdog.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct wait_policy usual;

int waiting_set_up(void **state)
{
	usual = wait_policy;
	watchdog_start("a waiter hangs\n");
	return folder_make(state);
}

int waiting_tear_down(void **state)
{
	wait_policy = usual;
	watchdog_stop();
	return folder_remove(state);
}

void nap_for(int64_t first, int64_t most)
{
	wait_policy.nap = first;
	wait_policy.nap_most = most;
}

bool waiters_watch(void)
{
	if (syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) == 0 ||
	    errno != ENOSYS)
		return true;
	print_message("skipped: this kernel has no futex_waitv\n");
	return false;
}

struct queue make_queue(const char *algorithm, unsigned k, unsigned held)
{
	const struct atmost_shape shape = {
		.kind = kind_for(algorithm),
		.k = is_hall(algorithm) ? 0 : k,
		.k_max = 64,
		.members = 64,
		.algorithm = algorithm,
	};
	struct queue q = { .held = held };

	assert_int_equal(0, atmost_open(&q.pool, "pool", &shape));
	for (unsigned i = 0; i < held; i++) {
		q.holder[i] = worker_start("pool");
		assert_true(worker_do(&q.holder[i],
				      is_hall(algorithm) ? ENTER_3 : ENTER) >=
			    0);
	}
	return q;
}

void add_waiter(struct queue *q, enum request request)
{
	struct worker *waiter = &q->waiter[q->waits++];

	*waiter = worker_start("pool");
	worker_ask(waiter, request);
	await_waiters(q->pool, q->waits);
}

void end_queue(struct queue *q)
{
	for (unsigned i = 0; i < q->waits; i++)
		if (q->waiter[i].pid)
			worker_kill(&q->waiter[i]);
	for (unsigned i = 0; i < q->held; i++)
		if (q->holder[i].pid)
			worker_kill(&q->holder[i]);
	atmost_close(q->pool);
	atmost_unlink("pool");
}

void kill_one(struct worker *worker)
{
	worker_kill(worker);
	worker->pid = 0;
}

struct record *record_of(const struct queue *q, const struct worker *worker)
{
	for (unsigned id = 0; id < pool_used(q->pool); id++) {
		struct record *r = pool_record(q->pool, id);

		if (mem_read(&r->process.pid) == (uint64_t)worker->pid)
			return r;
	}
	fail_msg("process %d has no record", (int)worker->pid);
	return NULL;
}

void await_follower(const struct queue *q, const struct worker *waiter,
		    const struct worker *follower)
{
	const struct record *r = record_of(q, waiter);

	while (!(r->turn.gate & GATE_SLEEPER) || !process_sleeps(follower->pid))
		usleep(1000);
}

void await_queue(const struct queue *q)
{
	for (unsigned i = 0; i + 1 < q->waits; i++)
		await_follower(q, &q->waiter[i], &q->waiter[i + 1]);
}

void add_unannounced(struct queue *q, bool known)
{
	struct worker *waiter = &q->waiter[q->waits++];

	*waiter = worker_start("pool");
	if (known)
		assert_int_equal(0, worker_do(waiter, PART));
	assert_int_equal(0, worker_do(waiter, UNANNOUNCED));
	if (known)
		assert_int_equal(0, worker_do(waiter, JOIN));
	worker_ask(waiter, ENTER);
	await_waiters(q->pool, q->waits);
}

long count_switches(const struct worker *worker)
{
	static const char name[] = "voluntary_ctxt_switches:";
	char path[64], line[256];
	long count = -1;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/status", (int)worker->pid);
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (strncmp(line, name, sizeof name - 1) == 0)
			count = atol(line + sizeof name - 1);
	fclose(file);
	assert_true(count >= 0);
	return count;
}

void await_switches(const struct worker *worker, long count)
{
	while (count_switches(worker) < count)
		usleep(1000);
}
