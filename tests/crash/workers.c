/* SPDX-License-Identifier: BSD-2-Clause */
#include "cast.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64];
static const char name[] = "torture";

double cast_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct timespec cast_deadline(int64_t nanoseconds)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	nanoseconds += at.tv_nsec;
	at.tv_sec += nanoseconds / 1000000000;
	at.tv_nsec = nanoseconds % 1000000000;
	return at;
}

uint64_t cast_draw(uint64_t *random)
{
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void cast_open(struct cast *cast)
{
	const char *wanted = getenv("ATMOST_SEED");
	const char *memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm"
							   : "/tmp";

	memset(cast, 0, sizeof *cast);
	snprintf(folder, sizeof folder, "%s/atmost-crash-XXXXXX", memory);
	if (!mkdtemp(folder) || setenv("ATMOST_DIR", folder, 1) < 0) {
		perror(folder);
		exit(2);
	}
	cast->oracle = oracle_map();
	cast->seed = wanted ? strtoull(wanted, NULL, 0)
			    : (uint64_t)(cast_now() * 1e6) % 1000000007;
	cast->random = cast->seed;
	cast->where = "";
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("ATMOST_SEED=%ju\n", (uintmax_t)cast->seed);
}

void cast_close(struct cast *cast)
{
	(void)cast;
	rmdir(folder);
}

const struct algorithm *cast_algorithm(size_t i)
{
	const struct algorithm *a;

	for (size_t j = 0; (a = registry_at(j)) != NULL; j++)
		if (a->recover && !a->simulated_only &&
		    a->kind <= KIND_GROUP_EXCLUSION && i-- == 0)
			return a;
	return NULL;
}

unsigned cast_room(const struct cast *cast)
{
	return cast->shape.k ? cast->shape.k : cast->shape.members;
}

/* The first is what a NULL want asks for. */
uint64_t cast_session(const struct cast *cast, unsigned i)
{
	static const uint64_t sessions[] = {
		1,
		UINT64_MAX,
		UINT64_C(1) << 63,
		2,
	};

	return cast->shape.kind == ATMOST_GROUP ? sessions[i % 4] : 0;
}

void cast_object(struct cast *cast, const struct atmost_shape *shape)
{
	unsigned most;
	int error;

	cast->shape = *shape;
	cast->algorithm = registry_find(shape->algorithm);
	most = shape->k_max > cast_room(cast) ? shape->k_max : cast_room(cast);
	oracle_begin(cast->oracle, most,
		     cast->algorithm->promises & UNIQUE_SLOTS);
	error = atmost_open(&cast->object, name, shape);
	if (error)
		cast_fail(cast, "atmost_open: %s", atmost_detail());
}

void cast_finish(struct cast *cast)
{
	atmost_close(cast->object);
	if (atmost_unlink(name) < 0)
		cast_fail(cast, "atmost_unlink: %s", atmost_detail());
}

/* In the child.  Half of them open the object anew, elsewhere in memory. */
static void perform(struct cast *cast, unsigned chair, play_function *play,
		    uint64_t random, const void *argument)
{
	struct actor actor = { cast->oracle, chair, cast->serial,
			       cast_session(cast, 0) };
	struct atmost *object = cast->object;

	oracle_does(&actor, STARTING);
	if (cast_draw(&random) % 2 && atmost_open(&object, name, NULL) < 0) {
		oracle_object(cast->oracle, "chair %u opens: %s", chair,
			      atmost_detail());
		_exit(1);
	}
	play(&actor, object, random, argument);
	oracle_does(&actor, DONE);
	_exit(0);
}

void cast_start(struct cast *cast, unsigned chair, play_function *play,
		const void *argument)
{
	uint64_t random = cast_draw(&cast->random);
	pid_t parent = getpid(), pid;

	cast->serial++;
	atomic_store(&cast->oracle->chair[chair].serial, cast->serial);
	atomic_store(&cast->oracle->chair[chair].reached, 0);
	atomic_store(&cast->oracle->chair[chair].doing, STARTING);
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		cast_fail(cast, "fork: %s", strerror(errno));
	if (pid > 0) {
		cast->pid[chair] = pid;
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	perform(cast, chair, play, random, argument);
}

void cast_kill(struct cast *cast, unsigned chair)
{
	oracle_doom(cast->oracle, chair);
	kill(cast->pid[chair], SIGKILL);
	/* Unless it ended by itself just before, and well. */
	cast_wait(cast, chair);
}

/* After waitpid. */
static enum ending note(struct cast *cast, unsigned chair, int status)
{
	struct oracle *oracle = cast->oracle;
	bool doomed = atomic_load(&oracle->there) >> (chair + 32) & 1;

	cast->pid[chair] = 0;
	oracle_bury(oracle, chair);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && doomed) {
		cast->kills++;
		return KILLED;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return ENDED;
	if (WIFSIGNALED(status))
		cast_fail(cast, "chair %u died of signal %d", chair,
			  WTERMSIG(status));
	cast_fail(cast, "chair %u ended with status %d", chair,
		  WEXITSTATUS(status));
}

static enum ending wait_for(struct cast *cast, unsigned chair, int flags)
{
	int status;
	pid_t pid = waitpid(cast->pid[chair], &status, flags);

	if (pid < 0)
		cast_fail(cast, "waitpid: %s", strerror(errno));
	return pid == 0 ? RUNS : note(cast, chair, status);
}

enum ending cast_look(struct cast *cast, unsigned chair)
{
	return wait_for(cast, chair, WNOHANG);
}

enum ending cast_wait(struct cast *cast, unsigned chair)
{
	enum ending ending;
	unsigned nap = 20;

	while ((ending = cast_look(cast, chair)) == RUNS) {
		cast_watch(cast);
		usleep(nap);
		nap = nap < 500 ? nap * 2 : nap;
	}
	return ending;
}

bool cast_sleeps(struct cast *cast, unsigned chair)
{
	char path[64], text[256], *end;
	ssize_t length;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/stat", cast->pid[chair]);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	end = strrchr(text, ')');
	return end && end[1] == ' ' && end[2] == 'S';
}

/* What workers do with a member. */

void cast_join(struct actor *actor, struct atmost *object,
	       struct atmost_member **me)
{
	int error;

	oracle_does(actor, JOINING);
	/* There are no more processes than members, but one that is dead and
	 * being recovered still has its place. */
	while ((error = atmost_join(object, me)) == ATMOST_EFULL) {
		atomic_fetch_add(&actor->oracle->full, 1);
		usleep(100);
	}
	if (error)
		oracle_object(actor->oracle, "chair %u joins: %s", actor->chair,
			      atmost_detail());
}

int cast_enter(struct actor *actor, struct atmost_member *me,
	       enum manner manner, int64_t patience)
{
	struct timespec deadline = cast_deadline(patience);
	struct atmost_want want = { .session = actor->session };
	int result;

	if (manner == DEADLINE)
		want.deadline = &deadline;
	else if (manner == TRY)
		want.flags = ATMOST_TRY;
	atomic_store(&actor->oracle->chair[actor->chair].how, manner);
	oracle_does(actor, ENTERING);
	result = atmost_enter(me, manner == FOR_EVER && actor->session <= 1
					  ? NULL
					  : &want);
	if (result >= 0) {
		oracle_enter(actor, result);
		oracle_does(actor, INSIDE);
	} else if ((manner == DEADLINE && result == ATMOST_ETIMEDOUT) ||
		   (manner == TRY && result == ATMOST_EBUSY)) {
		atomic_fetch_add(&actor->oracle->given_up, 1);
	} else {
		oracle_object(actor->oracle, "chair %u enters: %s",
			      actor->chair, atmost_strerror(result));
	}
	return result;
}

void cast_leave(struct actor *actor, struct atmost_member *me, int slot)
{
	int error;

	oracle_does(actor, LEAVING);
	oracle_leave(actor, slot);
	error = atmost_leave(me);
	if (error < 0)
		oracle_object(actor->oracle, "chair %u leaves: %s",
			      actor->chair, atmost_strerror(error));
	oracle_does(actor, READY);
}
