/* SPDX-License-Identifier: BSD-2-Clause */
#include "passage.h"

enum etcd_outcome etcd_doorway(struct etcd *etcd, const struct algorithm *a)
{
	jmp_buf escape;
	bool inside;

	if (setjmp(escape))
		return etcd->busy ? ETCD_BUSY : ETCD_STOPPED;
	etcd->escape = &escape;
	inside = a->doorway(etcd->words, &etcd->process);
	etcd->escape = NULL;
	return inside ? ETCD_INSIDE : ETCD_WAITS;
}

enum etcd_outcome etcd_poll(struct etcd *etcd, const struct algorithm *a)
{
	struct wait_set wait = { .slept = false };
	jmp_buf escape;
	bool inside;

	if (setjmp(escape))
		return ETCD_STOPPED;
	etcd->escape = &escape;
	inside = a->poll(etcd->words, &etcd->process, &wait);
	etcd->escape = NULL;
	return inside ? ETCD_INSIDE : ETCD_WAITS;
}

enum etcd_outcome etcd_set_limit(struct etcd *etcd, const struct algorithm *a,
				 unsigned k)
{
	jmp_buf escape;

	if (setjmp(escape))
		return ETCD_STOPPED;
	etcd->escape = &escape;
	a->set_limit(etcd->words, &etcd->process, k);
	etcd->escape = NULL;
	watch_stop(&etcd->watch);
	etcd->fresh = false;
	return ETCD_DONE;
}

void etcd_leave(struct etcd *etcd, const struct algorithm *a)
{
	a->leave(etcd->words, &etcd->process);
}

void etcd_abort(struct etcd *etcd, const struct algorithm *a)
{
	a->abort(etcd->words, &etcd->process);
}

enum etcd_outcome etcd_create_pool(struct etcd *etcd)
{
	struct transaction t = mem_begin();
	jmp_buf escape;

	mem_if_absent(&t, &etcd->words[0]);
	mem_set(&t, &etcd->words[0], store_pool(etcd->settings.k, false));
	if (setjmp(escape))
		return ETCD_STOPPED;
	etcd->escape = &escape;
	mem_commit(&etcd->process, &t);
	etcd->escape = NULL;
	return ETCD_DONE;
}
