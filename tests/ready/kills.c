/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * storm [KILLS]: processes apply operations to an object of each type, and are
 * killed with -9 at random moments; others take their places.  What a killed
 * one was at is asked for by its tag.  Then everything that was done adds up
 * exactly, and is linearizable.  And before that: while k-1 are stopped, all
 * others go on.
 */
#include "ledger.h"
#include "linear/chance.h"
#include "party.h"
#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 6, PARENT = WRITERS - 1, KILLS_A_ROUND = 40, MINUTES = 2 };

struct storm {
	struct party party;
	pid_t pid[WORKERS];
	uint64_t seed, random;
	unsigned long kills;
	unsigned long idle;    /* killed: at no operation, */
	unsigned long unheard; /* at one that the object had not heard of, */
	unsigned long
		happened;    /* that had happened, or that others finished, */
	unsigned long never; /* or that never happened */
	unsigned long busy;  /* asked for, and told to ask again */
	unsigned long operations, stops;
};

static const char name[] = "storm";
static char folder[64];

__attribute__((noreturn)) static void fail(struct storm *s, const char *what,
					   const char *why)
{
	printf("FAILED: %s: %s\n  %s, k=%u, after %lu kills; ATMOST_SEED=%ju\n",
	       what, why, models[s->party.which].name, s->party.k, s->kills,
	       (uintmax_t)s->seed);
	printf("  the object is left in %s\n", folder);
	for (unsigned i = 0; i < WORKERS; i++)
		if (s->pid[i] > 0)
			kill(s->pid[i], SIGKILL);
	exit(1);
}

static void start(struct storm *s, unsigned worker)
{
	uint64_t random = chance(&s->random);
	pid_t parent = getpid(), pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		fail(s, "fork", strerror(errno));
	if (pid > 0) {
		s->pid[worker] = pid;
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(0);
	if (getppid() != parent)
		_exit(1);
	worker_live(&s->party, name, worker, random);
}

static void reap(struct storm *s, unsigned worker, bool killed)
{
	int status;

	if (waitpid(s->pid[worker], &status, 0) != s->pid[worker])
		fail(s, "waitpid", strerror(errno));
	s->pid[worker] = 0;
	if (killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
		   : WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	fail(s, "a worker", "ended in another way than it should");
}

/* What became of what a killed one was at: exactly known, and told once. */
static void settle(struct storm *s, unsigned worker)
{
	struct entry *e = book_unfinished(s->party.book, worker);
	uint64_t result[ATMOST_OBJECT_WORDS] = { 0 };
	bool happened;
	int error;

	if (!e) {
		s->idle++;
		return;
	}
	/* Who recovers it may not get a cpu for a while. */
	while ((error = atmost_object_outcome(s->party.object, e->tag,
					      &happened, result)) ==
	       ATMOST_EBUSY)
		s->busy++;
	if (error && error != ATMOST_ENOTFOUND)
		fail(s, "the outcome", atmost_detail());
	if (error) {
		s->unheard++;
		e->never = true;
		return;
	}
	if (happened)
		book_answer(s->party.book, e, result);
	else
		e->never = true;
	*(happened ? &s->happened : &s->never) += 1;
	if (atmost_object_outcome(s->party.object, e->tag, &happened, result) !=
	    ATMOST_EASKED)
		fail(s, "the outcome", "is told twice");
}

/* Some at once, so that who recovers may be among them; then others come. */
static void kill_some(struct storm *s)
{
	unsigned doomed = 1U << chance_below(&s->random, WORKERS);

	if (chance_below(&s->random, 4) == 0)
		doomed |= (unsigned)chance(&s->random) % (1U << WORKERS);
	for (unsigned i = 0; i < WORKERS; i++)
		if (doomed >> i & 1)
			kill(s->pid[i], SIGKILL);
	for (unsigned i = 0; i < WORKERS; i++)
		if (doomed >> i & 1) {
			reap(s, i, true);
			s->kills++;
		}
	/* The others may find the dead before we ask. */
	if (chance_below(&s->random, 2))
		usleep(chance_below(&s->random, 1000));
	for (unsigned i = 0; i < WORKERS; i++)
		if (doomed >> i & 1) {
			settle(s, i);
			start(s, i);
		}
}

/* Until everybody but these has done something more, or has no room to. */
static void await_progress(struct storm *s, unsigned but)
{
	const struct book *book = s->party.book;
	size_t before[WORKERS];

	for (unsigned i = 0; i < WORKERS; i++)
		before[i] = book->page[i].count;
	for (unsigned i = 0; i < WORKERS; i++)
		while (!(but >> i & 1) && before[i] < ENTRIES &&
		       book->page[i].count < before[i] + 2)
			usleep(100);
}

/* Stopped for ever, as far as the others can tell: nobody calls them dead. */
static void stop_some(struct storm *s)
{
	unsigned stopped = 0, count = 0;

	while (count < s->party.k - 1) {
		unsigned i = chance_below(&s->random, WORKERS);

		if (stopped >> i & 1)
			continue;
		stopped |= 1U << i;
		count++;
		usleep(chance_below(&s->random, 300));
		kill(s->pid[i], SIGSTOP);
	}
	await_progress(s, stopped);
	s->stops += count;
	for (unsigned i = 0; i < WORKERS; i++)
		if (stopped >> i & 1)
			kill(s->pid[i], SIGCONT);
}

static void ask(struct storm *s, struct guest *me, uint64_t operation,
		uint64_t key, uint64_t *result)
{
	const uint64_t wish[1 + MODEL_WORDS] = { operation, key };

	if (guest_does(me, PLAINLY, wish, result) != 1)
		fail(s, "the parent applies", atmost_detail());
}

/* What is left, for the accounts. */
static void empty(struct storm *s)
{
	struct guest me = { .party = &s->party, .writer = PARENT };
	uint64_t result[ATMOST_OBJECT_WORDS] = { 0 };

	if (atmost_object_join(s->party.object, &me.member) < 0)
		fail(s, "the parent joins", atmost_detail());
	switch (s->party.which) {
	case COUNTER:
		ask(s, &me, ATMOST_COUNTER_READ, 0, result);
		break;
	case REGISTER:
		ask(s, &me, ATMOST_REGISTER_READ, 0, result);
		break;
	case MAP:
		for (uint64_t key = 0; key < CAPACITY + 2; key++)
			ask(s, &me, ATMOST_MAP_REMOVE, key, result);
		ask(s, &me, ATMOST_MAP_COUNT, 0, result);
		if (result[1] != 0)
			fail(s, "the map", "has keys that nobody put there");
		break;
	default:
		do
			ask(s, &me, ATMOST_QUEUE_TAKE, 0, result);
		while (result[0]);
	}
	atmost_object_part(me.member);
}

static void judge(struct storm *s)
{
	const struct party *party = &s->party;
	const char *wrong = ledger_check(party->book, party->which);
	struct atmost_totals totals;

	if (wrong)
		fail(s, "the accounts", wrong);
	if (book_check(party->book, &models[party->which], CAPACITY) !=
	    LINEARIZABLE)
		fail(s, "the history", "is not linearizable");
	if (atmost_object_status(party->object, NULL, 0, &totals) < 0)
		fail(s, "status", atmost_detail());
	if (totals.holders || totals.waiters || totals.lost)
		fail(s, "status", "somebody is still there");
}

static void rage(struct storm *s, unsigned long kills)
{
	const unsigned long until = s->kills + kills;
	const useconds_t pause = 50U << chance_below(&s->random, 7);

	for (unsigned i = 0; i < WORKERS; i++)
		start(s, i);
	await_progress(s, 0);
	for (unsigned i = 0; i < 5 && s->party.k > 1; i++)
		stop_some(s);
	while (s->kills < until) {
		usleep(chance_below(&s->random, pause));
		kill_some(s);
	}
	atomic_store(&s->party.book->stop, true);
	for (unsigned i = 0; i < WORKERS; i++)
		reap(s, i, false);
}

static void play_round(struct storm *s, unsigned long kills)
{
	const unsigned long before = s->kills;
	size_t count;

	alarm(60 * MINUTES);
	book_clear(s->party.book);
	s->party.members = WORKERS + 1;
	if (!party_open(&s->party, name))
		fail(s, "atmost_object_open", atmost_detail());
	rage(s, kills);
	empty(s);
	judge(s);
	count = book_count(s->party.book);
	s->operations += count;
	printf("%6lu kills  %-8s k=%u  %4lu now  %6zu operations\n", s->kills,
	       models[s->party.which].name, s->party.k, s->kills - before,
	       count);
	atmost_object_close(s->party.object);
	if (atmost_unlink(name) < 0)
		fail(s, "atmost_unlink", atmost_detail());
}

static void begin(struct storm *s)
{
	const char *memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm"
							   : "/tmp";

	snprintf(folder, sizeof folder, "%s/atmost-storm-XXXXXX", memory);
	if (!mkdtemp(folder) || setenv("ATMOST_DIR", folder, 1) < 0) {
		perror(folder);
		exit(2);
	}
	s->party.book = book_open();
	setvbuf(stdout, NULL, _IOLBF, 0);
	s->seed = s->random = chance_seed();
}

int main(int argc, char **argv)
{
	unsigned long kills = argc > 1 ? strtoul(argv[1], NULL, 10) : 600;
	struct storm s = { .kills = 0 };

	if (kills == 0) {
		fprintf(stderr, "usage: %s [KILLS], at least one\n", argv[0]);
		return 2;
	}
	begin(&s);
	for (unsigned round = 0; s.kills < kills; round++) {
		s.party.which = round % MODELS;
		s.party.k = 1U << round / MODELS % 3;
		play_round(&s, KILLS_A_ROUND);
	}
	printf("%lu operations; of the killed %lu were at none, %lu at one that "
	       "had not begun,\n%lu at one that happened, %lu at one that "
	       "never will; %lu were stopped, %lu times nobody knew yet\n",
	       s.operations, s.idle, s.unheard, s.happened, s.never, s.stops,
	       s.busy);
	printf("ok: %lu kills: each operation has happened once or not at all, "
	       "as was told, and all is linearizable\n",
	       s.kills);
	rmdir(folder);
	return 0;
}
