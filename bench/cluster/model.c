/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/cluster/model.h"

#include "bench/cluster/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NONE = UINT32_MAX, NEAR_MORE = 17, TICK = 10 };

/* What a piece of work is for. */
enum purpose { GRANT, ARRIVE, CLAIM, REVOKE, NOTIFY, LOAD };

struct job {
	double work;
	enum purpose purpose;
	unsigned who; /* a passage; NOTIFY: a pool */
};

enum kind {
	COMES,    /* a passage arrives at its machine */
	FINISHED, /* a processor has done a job */
	ANSWERED,
	LEAVES,
	KEEPALIVES /* of a cluster, for the next TICK ms */
};

struct event {
	double at;
	unsigned long number; /* events at one time happen in this order */
	enum kind kind;
	unsigned cluster;
	struct job job;
};

struct passage {
	unsigned pool, machine, next;
	double came; /* at the pool in etcd */
	double began;
	bool waited;
};

/* A queue of passages, linked by next. */
struct queue {
	unsigned first, last, count;
};

struct pool {
	struct queue waiters;
	unsigned held, claims; /* claims under way */
	double left;           /* the last leave began */
};

struct machine {
	struct queue waiters;
	unsigned held;
};

struct cluster {
	struct job *jobs; /* a ring */
	size_t first, count, room;
	unsigned working, members;
	double busy;
};

struct model {
	const struct model_settings *settings;
	double now;
	uint64_t random;
	unsigned long numbers;
	struct event *heap;
	size_t heap_count, heap_room;
	struct passage *passages;
	size_t passage_count, passage_room;
	unsigned under_way;
	struct pool *pools;
	struct machine *machines;
	struct cluster *clusters;
	unsigned waiters, held;
	double waiter_time, held_time, looked_at;
	struct samples enter, handoff, wait;
	struct model_result result;
};

static void *resize(void *memory, size_t count, size_t size)
{
	memory = realloc(memory, count * size);
	if (!memory) {
		fputs("cluster: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

static void *array(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory) {
		fputs("cluster: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

/* splitmix64 */
static uint64_t next_random(uint64_t *random)
{
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

double model_uniform(uint64_t *random)
{
	return (double)(next_random(random) >> 11) / 9007199254740992.0;
}

unsigned model_below(uint64_t *random, unsigned limit)
{
	return (unsigned)(model_uniform(random) * limit);
}

static double exponential(struct model *m, double mean)
{
	return -mean * log(1 - model_uniform(&m->random));
}

static bool earlier(const struct event *a, const struct event *b)
{
	return a->at < b->at || (a->at <= b->at && a->number < b->number);
}

static void plan(struct model *m, double at, enum kind kind, unsigned cluster,
		 struct job job)
{
	struct event event = { at, m->numbers++, kind, cluster, job };
	size_t i;

	if (m->heap_count == m->heap_room) {
		m->heap_room = m->heap_room ? 2 * m->heap_room : 1024;
		m->heap = resize(m->heap, m->heap_room, sizeof *m->heap);
	}
	for (i = m->heap_count++; i && earlier(&event, &m->heap[(i - 1) / 2]);
	     i = (i - 1) / 2)
		m->heap[i] = m->heap[(i - 1) / 2];
	m->heap[i] = event;
}

static struct event take(struct model *m)
{
	const struct event first = m->heap[0];
	const struct event last = m->heap[--m->heap_count];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < m->heap_count) {
		if (child + 1 < m->heap_count &&
		    earlier(&m->heap[child + 1], &m->heap[child]))
			child++;
		if (earlier(&last, &m->heap[child]))
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	m->heap[i] = last;
	return first;
}

static void append(struct model *m, struct queue *queue, unsigned who)
{
	m->passages[who].next = NONE;
	if (queue->count++)
		m->passages[queue->last].next = who;
	else
		queue->first = who;
	queue->last = who;
}

static unsigned remove_first(struct model *m, struct queue *queue)
{
	const unsigned first = queue->first;

	queue->first = m->passages[first].next;
	queue->count--;
	return first;
}

/* Adds the numbers of waiters and holders to their sums over time. */
static void account(struct model *m)
{
	m->waiter_time += m->waiters * (m->now - m->looked_at);
	m->held_time += m->held * (m->now - m->looked_at);
	m->looked_at = m->now;
}

static unsigned cluster_of(const struct model *m, unsigned pool)
{
	return m->settings->cluster_of
		       ? m->settings->cluster_of(pool, m->settings->clusters)
		       : 0;
}

/* A cluster begins a job, if a processor is free. */
static void begin_job(struct model *m, unsigned cluster)
{
	struct cluster *c = &m->clusters[cluster];
	struct job job;

	if (!c->count || c->working == m->settings->costs.processors)
		return;
	job = c->jobs[c->first];
	c->first = (c->first + 1) % c->room;
	c->count--;
	c->working++;
	c->busy += job.work;
	plan(m, m->now + job.work, FINISHED, cluster, job);
}

static void add_job(struct model *m, unsigned cluster, double work,
		    enum purpose purpose, unsigned who)
{
	struct cluster *c = &m->clusters[cluster];

	if (c->count == c->room) {
		const size_t room = c->room ? 2 * c->room : 64;
		struct job *jobs = array(room, sizeof *jobs);

		for (size_t i = 0; i < c->count; i++)
			jobs[i] = c->jobs[(c->first + i) % c->room];
		free(c->jobs);
		c->jobs = jobs;
		c->room = room;
		c->first = 0;
	}
	c->jobs[(c->first + c->count++) % c->room] = (struct job){ work,
								   purpose,
								   who };
	begin_job(m, cluster);
}

/* etcd looks at every ticket of the pool when it is asked for some of them. */
static double scan(const struct model *m, unsigned pool)
{
	return m->settings->costs.ticket * m->pools[pool].waiters.count;
}

static void request(struct model *m, enum purpose purpose, unsigned passage)
{
	const unsigned pool = m->passages[passage].pool;
	const bool scans = purpose == ARRIVE || purpose == CLAIM;

	m->result.requests++;
	add_job(m, cluster_of(m, pool),
		m->settings->costs.write + (scans ? scan(m, pool) : 0), purpose,
		passage);
}

/* etcd tells the waiters of changes; the first waiter that may enter claims
 * after that. */
static void tell(struct model *m, unsigned pool, unsigned changes)
{
	const struct model_settings *s = m->settings;
	unsigned watchers = m->pools[pool].waiters.count;

	if (!s->watch_all && watchers > 2 * s->k + NEAR_MORE)
		watchers = 2 * s->k + NEAR_MORE;
	if (!watchers)
		return;
	m->result.events += (unsigned long)changes * watchers;
	add_job(m, cluster_of(m, pool), s->costs.event * changes * watchers,
		NOTIFY, pool);
}

static void enter(struct model *m, unsigned who)
{
	struct passage *p = &m->passages[who];
	struct pool *pool = &m->pools[p->pool];

	m->held++;
	samples_add(&m->wait, m->now - p->began);
	if (p->waited)
		samples_add(&m->handoff, m->now - pool->left);
	else
		samples_add(&m->enter, m->now - p->came);
	plan(m,
	     m->now + (m->settings->hold > 0 ? exponential(m, m->settings->hold)
					     : 0),
	     LEAVES, 0, (struct job){ .who = who });
}

/* etcd has made the arrival: the passage gets a slot or a ticket. */
static void arrived(struct model *m, unsigned who)
{
	const struct model_settings *s = m->settings;
	struct passage *p = &m->passages[who];
	struct pool *pool = &m->pools[p->pool];
	const unsigned cluster = cluster_of(m, p->pool);
	bool far;

	if (pool->held + pool->claims < s->k && !pool->waiters.count) {
		pool->held++;
		enter(m, who);
		return;
	}
	far = !s->watch_all && pool->waiters.count >= 2 * s->k + NEAR_MORE;
	p->waited = true;
	append(m, &pool->waiters, who);
	if (++m->waiters > m->result.waiters_most)
		m->result.waiters_most = m->waiters;
	/* A watch; a far waiter looks first, and once more later. */
	m->result.requests += far ? 4 : 1;
	add_job(m, cluster,
		far ? 4 * (s->costs.read + scan(m, p->pool)) : s->costs.read,
		LOAD, 0);
}

/* Waiters have heard of a free slot. */
static void claim(struct model *m, unsigned number)
{
	struct pool *pool = &m->pools[number];

	while (pool->waiters.count &&
	       pool->held + pool->claims < m->settings->k) {
		const unsigned who = remove_first(m, &pool->waiters);

		m->waiters--;
		pool->claims++;
		request(m, CLAIM, who);
	}
}

static void to_etcd(struct model *m, unsigned who)
{
	struct passage *p = &m->passages[who];

	p->came = m->now;
	m->clusters[cluster_of(m, p->pool)].members++;
	request(m, GRANT, who);
}

/* A passage leaves the pool of its machine, and the next passage enters that
 * pool. */
static void leave_machine(struct model *m, unsigned machine)
{
	struct machine *local = &m->machines[machine];

	if (local->waiters.count)
		to_etcd(m, remove_first(m, &local->waiters));
	else
		local->held--;
}

static void answered(struct model *m, const struct job *job)
{
	struct passage *p = &m->passages[job->who];

	switch (job->purpose) {
	case GRANT:
		request(m, ARRIVE, job->who);
		break;
	case ARRIVE:
		arrived(m, job->who);
		break;
	case CLAIM:
		m->pools[p->pool].claims--;
		m->pools[p->pool].held++;
		tell(m, p->pool, 2);
		enter(m, job->who);
		break;
	case REVOKE:
		m->pools[p->pool].held--;
		m->result.passages++;
		m->under_way--;
		m->clusters[cluster_of(m, p->pool)].members--;
		tell(m, p->pool, 1);
		if (m->settings->local_k)
			leave_machine(m, p->machine);
		break;
	case NOTIFY:
		claim(m, job->who);
		break;
	case LOAD:
		break;
	}
}

static void finished(struct model *m, const struct event *event)
{
	const struct model_costs *costs = &m->settings->costs;
	const bool writes = event->job.purpose <= REVOKE;

	m->clusters[event->cluster].working--;
	begin_job(m, event->cluster);
	plan(m, m->now + (writes ? costs->commit : 0), ANSWERED, event->cluster,
	     event->job);
}

static unsigned new_passage(struct model *m)
{
	const struct model_settings *s = m->settings;
	struct passage p = { .began = m->now };

	p.pool = s->pick_pool ? s->pick_pool(&m->random, s->pools) : 0;
	p.machine = s->pick_machine ? s->pick_machine(&m->random, s->machines)
				    : 0;
	if (m->passage_count == m->passage_room) {
		m->passage_room = m->passage_room ? 2 * m->passage_room : 1024;
		m->passages = resize(m->passages, m->passage_room,
				     sizeof *m->passages);
	}
	m->passages[m->passage_count] = p;
	m->under_way++;
	return (unsigned)m->passage_count++;
}

static void comes(struct model *m)
{
	const struct model_settings *s = m->settings;
	const unsigned who = new_passage(m);
	struct machine *local = &m->machines[m->passages[who].machine];

	if (s->per_second > 0) {
		const double next = m->now +
				    exponential(m, 1000 / s->per_second);

		if (next < s->end)
			plan(m, next, COMES, 0, (struct job){ 0 });
	}
	if (s->local_k && local->held == s->local_k) {
		append(m, &local->waiters, who);
		return;
	}
	local->held++;
	to_etcd(m, who);
}

/* Members send three keepalives per lease. */
static void keepalives(struct model *m, unsigned cluster)
{
	const struct model_costs *costs = &m->settings->costs;
	const double count = m->clusters[cluster].members * 3.0 * TICK /
			     costs->lease;

	add_job(m, cluster, count * costs->keep, LOAD, 0);
	if (m->under_way || m->settings->per_second > 0)
		plan(m, m->now + TICK, KEEPALIVES, cluster, (struct job){ 0 });
}

static void happen(struct model *m, const struct event *event)
{
	account(m);
	m->now = event->at;
	account(m);
	switch (event->kind) {
	case COMES:
		comes(m);
		break;
	case FINISHED:
		finished(m, event);
		break;
	case ANSWERED:
		answered(m, &event->job);
		break;
	case LEAVES:
		m->held--;
		m->pools[m->passages[event->job.who].pool].left = m->now;
		request(m, REVOKE, event->job.who);
		break;
	case KEEPALIVES:
		keepalives(m, event->cluster);
		break;
	}
}

static void begin(struct model *m)
{
	const struct model_settings *s = m->settings;

	m->pools = array(s->pools, sizeof *m->pools);
	m->machines = array(s->machines ? s->machines : 1, sizeof *m->machines);
	m->clusters = array(s->clusters, sizeof *m->clusters);
	for (unsigned i = 0; i < s->clusters; i++)
		plan(m, 0, KEEPALIVES, i, (struct job){ 0 });
	for (unsigned i = 0; i < s->at_once; i++)
		plan(m, 0, COMES, 0, (struct job){ 0 });
	if (s->per_second > 0)
		plan(m, 0, COMES, 0, (struct job){ 0 });
}

static void summarise(struct model *m)
{
	struct model_result *r = &m->result;
	const double time = m->now * m->settings->costs.processors;

	r->seconds = m->now / 1000;
	for (unsigned i = 0; i < m->settings->clusters; i++) {
		const double busy = m->clusters[i].busy / time;

		r->busy += busy / m->settings->clusters;
		if (busy > r->busiest)
			r->busiest = busy;
	}
	r->enter = samples_percentile(&m->enter, 0.5);
	r->enter_95 = samples_percentile(&m->enter, 0.95);
	r->handoff = samples_percentile(&m->handoff, 0.5);
	r->handoff_95 = samples_percentile(&m->handoff, 0.95);
	r->wait = samples_percentile(&m->wait, 0.5);
	r->wait_95 = samples_percentile(&m->wait, 0.95);
	r->waiters = m->waiter_time / m->now;
	r->held = m->held_time / m->now;
}

struct model_result model_run(const struct model_settings *settings)
{
	struct model m = { .settings = settings, .random = settings->seed };

	begin(&m);
	while (m.heap_count &&
	       (settings->per_second <= 0 || m.now < settings->end)) {
		const struct event event = take(&m);

		happen(&m, &event);
	}
	summarise(&m);
	for (unsigned i = 0; i < settings->clusters; i++)
		free(m.clusters[i].jobs);
	free(m.heap);
	free(m.passages);
	free(m.pools);
	free(m.machines);
	free(m.clusters);
	samples_free(&m.enter);
	samples_free(&m.handoff);
	samples_free(&m.wait);
	return m.result;
}
