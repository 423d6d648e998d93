/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory contract over etcd: the section "A store" of memory/mem.h, and
 * nothing else.  A word is what was seen of a key; replica.h says how words and
 * keys belong together.
 */
#ifndef ATMOST_MEMORY_ETCD_STEPS_H
#define ATMOST_MEMORY_ETCD_STEPS_H

struct word {
	uint64_t stamp; /* 0: absent */
	uint64_t value;
	int64_t lease; /* the lease that owns it; 0: none */
};

/* A poll surveys, and its caller then waits for a change (etcd_wait).  So a
 * poll names no words to sleep on. */
struct wait_set {
	bool slept;
};

#define OWN_LINE

int mem_commit(struct process *self, const struct transaction *);
int mem_survey(struct process *self);
void mem_lease(struct process *self);
void mem_revoke(struct process *self);
bool mem_seen_mine(const struct process *self, const struct word *);

/* The words hold what was seen. */
#define mem_seen(self, w) ((void)(self), (w)->stamp)
#define mem_seen_value(self, w) ((void)(self), (w)->value)
#define mem_unsee(self) ((void)(self))

static inline bool wait_slept(const struct wait_set *set)
{
	return set->slept;
}

#define mem_own_read(self, i) ((self)->own[i])
#define mem_own_write(self, i, v) ((void)((self)->own[i] = (v)))

/* Only the checker uses these; here they do nothing.  etcd has the words that
 * `init` finds. */

static inline void mem_dead(uint64_t *values, unsigned count)
{
	(void)values;
	(void)count;
}

static inline void doorway_ends(struct process *self)
{
	(void)self;
}

static inline void mem_place(struct word *w, unsigned p)
{
	(void)w;
	(void)p;
}

static inline void mem_name(struct word *w, const char *name, ...)
{
	(void)w;
	(void)name;
}

static inline void mem_found(struct word *w, uint64_t value)
{
	(void)w;
	(void)value;
}

static inline uint64_t mem_peek_stamp(const struct word *w)
{
	return w->stamp;
}

static inline uint64_t mem_peek_value(const struct word *w)
{
	return w->value;
}

/* The owner of a word is a lease, and need not be among the processes seen. */
static inline int mem_peek_owner(const struct word *w)
{
	(void)w;
	return -1;
}

#endif
