/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The k-Bakery of Danek 2010, Figure 2 without the shaded lines, as a Spin model.
 * bench/checker compares the checker with Spin on this model; bench/spin/run
 * runs it.
 *
 * One d_step is one shared access and the private work that follows it, so the
 * model has the checker's states: those between shared accesses.  A passage starts
 * with its first write of line 14; a process enters with the read of line 21 that
 * admits it and leaves with its first write of line 25.
 *
 * Spin checks three properties: at most K processes are inside; k-FCFS; there
 * is no deadlock (an invalid end state).
 *
 * For spin -a: -DN= -DK= -DPASSAGES=, and
 *   -DMONITOR=0  does not check k-FCFS
 *   -DLINE_14=0  is the broken twin without line 14: Spin must find that it
 *                violates k-FCFS
 *   -DREREAD=1   processes wait by re-reading; a deadlock is then a cycle,
 *                which Spin does not report
 *   -DFORGET=1   the monitor forgets an overtaker when the overtaker enters;
 *                this cannot change the verdict
 */
#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif
#ifndef PASSAGES
#define PASSAGES 3
#endif
#ifndef MONITOR
#define MONITOR 1
#endif
#ifndef LINE_14
#define LINE_14 1
#endif
#ifndef REREAD
#define REREAD 0
#endif
#ifndef FORGET
#define FORGET 0
#endif
#if N < 2 || N > 5 || K < 1 || K >= N || N * PASSAGES > 250
#error "2 <= N <= 5, 1 <= K < N, and every ticket below INF"
#endif

#define INF 255

byte Ticket[N];
byte Want[N * N] = INF;         /* Want[p][q] at p * N + q */
#define WANT(p, q) Want[(p) * N + (q)]

/* The other processes, in ascending order. */
#define FIRST (_pid == 0)
#define LAST (N - 1 - (_pid == N - 1))
#define NEXT (i + 1 + (i + 1 == _pid))

#if N == 2
#define EACH(f) f(0) f(1)
#elif N == 3
#define EACH(f) f(0) f(1) f(2)
#elif N == 4
#define EACH(f) f(0) f(1) f(2) f(3)
#else
#define EACH(f) f(0) f(1) f(2) f(3) f(4)
#endif

#define BIT(p) (1 << (p))
#define OTHERS ((BIT(N) - 1) & ~BIT(_pid))

/* Line 21: whether the value of Want[q][_pid] allows the process to drop q. */
#define BEHIND(q) (t < WANT(q, _pid) || (t == WANT(q, _pid) && _pid < (q)))
#define DROPS(q) ((pred & BIT(q)) && BEHIND(q))
#define OR_DROPS(q) || DROPS(q)
#define DROPS_SOME (false EACH(OR_DROPS))
#define PLUS_PRED(q) + ((pred >> q) & 1)
#define PREDECESSORS (0 EACH(PLUS_PRED))

/*
 * Ghost variables.  inside and waiting follow from the positions of the
 * processes, so they add no states.  after[p]: the processes that started a
 * doorway after p finished its doorway, and that have not been in the remainder
 * since.  after[p] is 0 unless p is waiting.
 */
byte inside;                    /* number of processes */
byte waiting;                   /* a bit per process: doorway done, not entered */
#if MONITOR
byte after[N];
#define PLUS_AFTER(q) + ((after[q] >> _pid) & 1)
#define OVERTAKES (0 EACH(PLUS_AFTER))
#define NOTE(p) after[p] = after[p] | (((waiting >> p) & 1) << _pid);
#define FORGET_BY(p) after[p] = after[p] & ~BIT(_pid);
#endif

inline starts()
{
#if MONITOR
	EACH(NOTE)
#endif
	skip
}

inline forget()
{
#if MONITOR
	EACH(FORGET_BY)
#endif
	skip
}

inline enters()
{
	inside++;
	assert(inside <= K);
	waiting = waiting & ~BIT(_pid);
#if MONITOR
	after[_pid] = 0;
	assert(OVERTAKES < K);  /* k-FCFS */
#endif
#if FORGET
	forget();
#endif
	skip
}

inline start_if_first()
{
	if
	:: i == FIRST -> starts()
	:: else
	fi
}

inline line_14()
{
	start_if_first();
	WANT(_pid, i) = t
}

/* Until 15b, t holds the m of the figure: the old ticket is not used any more. */
inline line_15a()
{
#if !LINE_14
	start_if_first();
#endif
	if
	:: Ticket[i] > t -> t = Ticket[i]
	:: else
	fi
}

/* Sets i to the least predecessor from i on; N if there is none. */
inline seek()
{
	do
	:: i == N || (pred & BIT(i)) -> break
	:: else -> i++
	od
}

/*
 * Line 19, after a whole pass: the process stays at i = N until a pass would
 * drop a predecessor.
 */
inline line_19()
{
	if
	:: PREDECESSORS < K ->
		pred = 0;
		i = FIRST;
		enters()
	:: else ->
#if REREAD
		i = 0;
		seek();
#endif
		skip
	fi
}

inline line_21()
{
	if
	:: i == N -> i = 0; seek()
	:: else
	fi;
	if
	:: BEHIND(i) -> pred = pred & ~BIT(i)
	:: else
	fi;
	i++;
	seek();
	if
	:: i == N -> line_19()
	:: else
	fi
}

inline line_25()
{
	if
	:: i == FIRST -> inside--
	:: else
	fi;
	WANT(_pid, i) = INF
}

#define MORE (passages < PASSAGES)

/*
 * Each loop has a d_step for its last round: a separate step to leave the loop
 * would add a state that the checker does not have.  Spin refuses a jump to a
 * bare d_step, hence the if around 15b.
 */
active [N] proctype process()
{
	byte t;                 /* own ticket; kept after the passage */
	byte i = FIRST;
	byte pred;              /* a bit per process; 0 unless at 21 */
	byte passages;          /* completed */

end:	do
	::
#if LINE_14
		do
		:: d_step { MORE && i != LAST -> line_14(); i = NEXT }
		:: d_step { MORE && i == LAST -> line_14(); i = FIRST } -> break
		od;
#endif
		do
		:: d_step { MORE && i != LAST -> line_15a(); i = NEXT }
		:: d_step {
			MORE && i == LAST ->
			line_15a();
			t++;
			i = FIRST
		   } -> break
		od;
		if
		:: d_step {             /* 15b */
			Ticket[_pid] = t;
			waiting = waiting | BIT(_pid)
		   }
		fi;
		do                      /* 16 */
		:: d_step { i != LAST -> WANT(_pid, i) = t; i = NEXT }
		:: d_step {
			i == LAST ->
			WANT(_pid, i) = t;
			pred = OTHERS;
			i = FIRST
		   } -> break
		od;
		do
		:: d_step { pred != 0 && (i != N || DROPS_SOME) -> line_21() }
		:: d_step { pred == 0 && i != LAST -> line_25(); i = NEXT }
		:: d_step {
			pred == 0 && i == LAST ->
			line_25();
			forget();
			passages++;
			i = FIRST
		   } -> break
		od
	od
}
