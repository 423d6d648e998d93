/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/death.h"

#include "runtime/file_lock.h"
#include "runtime/foreign.h"
#include "runtime/life.h"

#include <unistd.h>

void death_look_begin(struct death_look *look, struct atmost *pool)
{
	look->pool = pool;
	look->fd = pool->named ? segment_look(&pool->segment) : -1;
	identity_of_self(&look->self);
}

bool death_is_hinted(const struct record *r)
{
	const uint64_t state = mem_read(&r->state);

	return state & STATE_JOINED &&
	       (state & (STATE_ENTRUSTED | STATE_RECOVERING) ||
		life_owner(&r->life) == 0);
}

static bool is_here(const struct death_look *look,
		    const struct identity *identity)
{
	return look->self.space && identity->space == look->self.space;
}

static bool thread_has_ended(const struct record *r, uint64_t pid, bool quick)
{
	return identity_thread_has_ended((pid_t)pid,
					 (pid_t)mem_read(&r->thread), quick);
}

static enum identity_answer ask_foreign(const struct death_look *look,
					struct record *r,
					const struct identity *identity,
					int *pidfd)
{
	struct identity here = {
		.pid = record_seen_pid(r, look->self.space),
		.space = look->self.space,
		.inode = identity->inode,
	};
	enum identity_answer answer;

	if (here.pid && here.inode &&
	    identity_ask(&here, pidfd) == IDENTITY_ALIVE)
		return IDENTITY_ALIVE;
	answer = foreign_find(identity, here.pid != 0, &here);
	if (answer != IDENTITY_ALIVE)
		return answer;
	record_write_seen(r, look->self.space, here.pid);
	return identity_ask(&here, pidfd);
}

static enum death ask_entrusted(const struct death_look *look, struct record *r,
				int *pidfd)
{
	struct identity identity = record_read_identity(&r->entrusted);

	switch (is_here(look, &identity)
			? identity_ask(&identity, pidfd)
			: ask_foreign(look, r, &identity, pidfd)) {
	case IDENTITY_ALIVE:
		return DEATH_ALIVE;
	case IDENTITY_ENDED:
		return DEATH_DEAD;
	case IDENTITY_UNKNOWN:
		break;
	}
	return DEATH_UNKNOWN;
}

/*
 * Called if the file lock of a member is free, but its process, which is in our
 * pid namespace, may still exist.  If the life lock of the member's thread is
 * marked, or that thread is gone, the process has executed another program or
 * is about to end.  Otherwise the process is alive and has closed our
 * descriptor.
 */
static enum death explain_free(const struct record *r, uint64_t pid)
{
	if (life_owner(&r->life) != 0 && !thread_has_ended(r, pid, false))
		return DEATH_UNLOCKED;
	return identity_is_exiting((pid_t)pid) ? DEATH_DYING : DEATH_DEAD;
}

static bool is_free(const struct death_look *look, unsigned id)
{
	return file_lock_look(look->fd, LOCK_MEMBER + (long)id, 1) ==
	       FILE_LOCK_FREE;
}

/*
 * Called if the file lock is held, but the thread's life lock is marked.  There
 * are three cases.  The thread has ended in a process that lives on.  Or the
 * whole process is about to end.  Or the process has ended, and a child of
 * _Fork or clone, which shares its file description, keeps the lock.
 */
static enum death explain_held(const struct death_look *look,
			       const struct record *r, unsigned id,
			       const struct identity *identity, int *pidfd)
{
	bool ended;

	if (!is_here(look, identity))
		return DEATH_DYING;
	/* Ask about the thread first and about the process afterwards, because
	 * the process may end between the two questions.  A caller that waits
	 * for the end of the process asks again afterwards. */
	ended = thread_has_ended(r, identity->pid, pidfd != NULL);
	switch (identity_ask(identity, pidfd)) {
	case IDENTITY_ALIVE:
		return ended ? DEATH_DEAD : DEATH_DYING;
	case IDENTITY_ENDED:
		/* The process may have ended after we found its lock held. */
		return is_free(look, id) ? DEATH_DEAD : DEATH_ALIVE;
	case IDENTITY_UNKNOWN:
		break;
	}
	return DEATH_ALIVE;
}

/* Asks about the process that joined.  If the process is of another pid
 * namespace and its lock is free, the lock alone decides. */
static enum death ask_process(const struct death_look *look,
			      const struct record *r, unsigned id, int *pidfd)
{
	const struct identity identity = record_read_identity(&r->process);
	const bool marked = life_owner(&r->life) == 0;

	if (!look->pool->named || identity_is_self(&identity))
		return marked && thread_has_ended(r, look->self.pid, false)
			       ? DEATH_DEAD
			       : DEATH_ALIVE;
	switch (file_lock_look(look->fd, LOCK_MEMBER + (long)id, 1)) {
	case FILE_LOCK_REFUSED:
		return DEATH_ALIVE;
	case FILE_LOCK_HELD:
		return marked ? explain_held(look, r, id, &identity, pidfd)
			      : DEATH_ALIVE;
	case FILE_LOCK_FREE:
		break;
	}
	if (is_here(look, &identity) &&
	    identity_ask(&identity, pidfd) != IDENTITY_ENDED)
		return explain_free(r, identity.pid);
	return DEATH_DEAD;
}

static void close_pidfd(int *pidfd)
{
	if (pidfd && *pidfd >= 0) {
		close(*pidfd);
		*pidfd = -1;
	}
}

enum death death_of(const struct death_look *look, unsigned id, int *pidfd)
{
	struct record *r = pool_record(look->pool, id);
	const uint64_t state = mem_read(&r->state);
	enum death death;

	if (pidfd)
		*pidfd = -1;
	if (!(state & STATE_JOINED))
		return DEATH_ALIVE;
	if (state & STATE_RECOVERING)
		return DEATH_DEAD;
	if (state & STATE_ENTRUSTED) {
		death = ask_entrusted(look, r, pidfd);
		if (death != DEATH_DEAD || !(state & STATE_BOTH))
			return death;
	}
	death = ask_process(look, r, id, pidfd);
	if (death == DEATH_DEAD)
		close_pidfd(pidfd);
	return death;
}

bool death_is_certain_of_all(struct atmost *pool)
{
	struct death_look look;
	const unsigned used = pool_used(pool);

	death_look_begin(&look, pool);
	if (look.fd < 0 || file_lock_look(look.fd, LOCK_MEMBER,
					  pool->shape.n) != FILE_LOCK_FREE)
		return false;
	for (unsigned id = 0; id < used; id++)
		if (record_is_joined(pool_record(pool, id)) &&
		    death_of(&look, id, NULL) != DEATH_DEAD)
			return false;
	return true;
}
