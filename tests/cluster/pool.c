/* SPDX-License-Identifier: BSD-2-Clause */
#include "pool.h"

#include "common/watchdog.h"
#include "node.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *node;
static unsigned pools;

int pool_start_node(void **state)
{
	(void)state;
	node = node_start(NULL);
	return 0;
}

int pool_stop_node(void **state)
{
	(void)state;
	node_stop();
	return 0;
}

const char *pool_node(void)
{
	return node;
}

unsigned pool_last(void)
{
	return pools;
}

unsigned pool_new(void)
{
	return ++pools;
}

struct etcd *pool_open(unsigned number, const char *address, unsigned seconds)
{
	static uint64_t own[16];
	char root[32];
	const char *endpoint = address ? address : node;
	struct etcd *etcd;

	snprintf(root, sizeof root, "atmost/test-%u", number);
	etcd = etcd_open(&(struct etcd_settings){
		.address = { .endpoints = &endpoint, .count = 1 },
		.root = root,
		.groups = true,
		.k = 3,
		.seconds = seconds,
		.member = "{\"host\":\"here\"}",
		.own = own });
	assert_non_null(etcd);
	return etcd;
}

struct etcd *pool_begin(void)
{
	struct etcd *etcd = pool_open(pool_new(), NULL, POOL_LEASE);

	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	mem_lease(&etcd->process);
	assert_true(lease_is_valid(etcd->lease));
	return etcd;
}

void pool_end(struct etcd *etcd)
{
	etcd_close(etcd, INT64_MAX);
	watchdog_restart();
}

int pool_put(struct etcd *etcd, struct word *word, uint64_t value)
{
	struct transaction t = mem_begin();

	mem_put(&t, word, value);
	return mem_commit(&etcd->process, &t);
}

int pool_drop(struct etcd *etcd, struct word *word)
{
	struct transaction t = mem_begin();

	mem_drop(&t, word);
	return mem_commit(&etcd->process, &t);
}
