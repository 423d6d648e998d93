/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory contract: every step that an algorithm may take.
 *
 * An algorithm is written once, with the steps listed here, and is compiled
 * for each memory.  With memory/native in the include path, a step is a C11
 * atomic access, and a waiter sleeps on a futex.  With memory/simulated in the
 * include path, a step is a point at which a scheduler can run another
 * simulated process, crash this one, or count a remote reference.  With
 * memory/etcd in the include path, a step is a request to an etcd cluster (see
 * "A store" below).  The include path is the only difference.
 *
 * One labelled line makes one step.  To compute with the value of a word, an
 * algorithm first reads the word into a local variable.
 *
 *   struct word                      one 64-bit shared word
 *
 *   v = mem_read(w)                  steps, sequentially consistent
 *   mem_write(w, v)
 *   old = mem_add(w, d)              fetch and add; d is taken modulo 2^64
 *   old = mem_swap(w, v)
 *   ok = mem_cas(w, expected, v)
 *   old = mem_tas(w)                 sets 1; returns true if w was not 0
 *
 *   v = mem_read_relaxed(w)          weaker orders; the simulation treats them
 *   mem_write_release(w, v)          as sequentially consistent, so each use
 *                                    needs an argument, a figure in
 *                                    tests/litmus, and a line in the table of
 *                                    DESIGN.md (Memory orders)
 *
 *   v = safe_read(w)                 safe registers: one writer; a read that
 *   safe_write(w, v)                 overlaps a write may return anything
 *
 *   mem_atomic(function, shared, self)
 *                                    one large step, for reference algorithms;
 *                                    function uses mem_peek and mem_poke and
 *                                    returns a uint64_t.  Simulated only.
 *
 *   await(v, w, condition)           read w into v until the condition holds;
 *   await_safe(v, w, condition)      a read after which it does not hold leaves
 *                                    the local state of the process unchanged
 *
 *   await_any(pass) {                a pass looks at several words in order,
 *           v = look(pass, w);       and does `break` when a condition holds.
 *           if (...) break;          After a pass without `break` the process
 *   }                                sleeps until a word that it looked at has
 *                                    changed.  A pass makes no step except
 *                                    looks.  If one pass sets a local
 *                                    variable, the next pass must not use the
 *                                    value: a value that must last is kept in
 *                                    an own word.
 *
 *   wait_for_change(wait, w, v)      in `poll`, before it returns false: the
 *                                    process may sleep on w, which held v.
 *                                    This call may read w again.  A pass that
 *                                    returns false and names no word is
 *                                    repeated at once
 *   wait_slept(wait)                 true: this pass follows a sleep, which a
 *                                    wake or the end of the nap has ended
 *
 *   mem_wake(w)                      after a sequentially consistent write of
 *                                    w: wakes the processes that sleep on w
 *   mem_wake_weak(w)                 the same after a weaker write
 *
 *   doorway_ends(self)               in `enter`: after this call the process
 *                                    may have to wait
 *
 *   mem_own_read(self, i)            own words: no step, no cost; no other
 *   mem_own_write(self, i, v)        process reads them.  The own words with an
 *                                    index below own_persistent keep their
 *                                    values after the passage; the other own
 *                                    words become zero.
 *
 *   mem_dead(v, n)                   the n own words or locals that start at v
 *                                    will be written before they are read
 *                                    again.  The simulation zeroes them, so
 *                                    that equivalent states have equal bytes
 *
 * In `init`, `quiet` and `invariant`, and inside a large step:
 *
 *   mem_poke(w, v), mem_peek(w)      no step.  `holder`, `rank` and the `peek`
 *                                    of a construction use mem_peek, too, while
 *                                    members take steps: natively mem_peek is
 *                                    an acquire load.  It may not be used in
 *                                    any other function: a member decides by
 *                                    steps
 *   mem_place(w, p)                  w is in the memory module of process p; a
 *                                    word without a place is remote to every
 *                                    process
 *   mem_safe_domain(w, values, n)    the values that an overlapped safe_read
 *                                    may return
 *   mem_name(w, "Want", i, j)        the name of w in traces: Want[i][j]
 *
 *   mem_first(i)                     the first value of counter i, a counter
 *                                    that grows for ever (`counter` in
 *                                    algorithm.h).  It is 0 in native memory.
 *                                    In simulated memory it may be a number that
 *                                    lets the checker distinguish the values of
 *                                    this counter from other values.  Any
 *                                    function may use it
 *
 *   OWN_LINE                         before a field of a struct of words: in
 *                                    native memory the field starts a new cache
 *                                    line
 *
 * A store.  The steps of some algorithms are transactions.  Such an algorithm
 * uses only the steps of this section, and runs in simulated memory and over a
 * store, for example etcd.  Native memory has no store.  A word of a store is
 * absent, or it has a value, a stamp and perhaps a lease that owns it.  A stamp
 * is the number of the transaction that wrote the word: words of one
 * transaction have equal stamps, a later transaction has larger stamps, and no
 * stamp is 0.  transaction.h lists the ranges of words that a store has.
 * A lease belongs to one passage.  When the lease ends, all words that it owns
 * become absent at once.
 *
 * A transaction is private data until it is committed:
 *
 *   struct transaction t = mem_begin();
 *   mem_if_absent(&t, w)             guards of the current alternative
 *   mem_if_stamp(&t, w, stamp)       w has this stamp
 *   mem_if_none(&t, words, n)        all n words of the range are absent
 *   mem_if_all(&t, words, n, value)  all present words of the range have this
 *                                    value, and at least one is present
 *   mem_put(&t, w, value)            writes of the current alternative; a word
 *   mem_set(&t, w, value)            that is put belongs to the process's
 *   mem_drop(&t, w)                  lease, a word that is set to no lease.  An
 *                                    alternative writes a word at most once
 *   mem_else(&t)                     begins the next alternative
 *
 * A range guard names a whole range: its first word and its number of words.
 * If the store has words of processes that this process has not seen, the guard
 * covers these words, too.
 *
 *   r = mem_commit(self, &t)         a step, and its answer as another step:
 *                                    the store makes the first alternative
 *                                    whose guards all hold.  r is the number of
 *                                    this alternative (0, 1, ...); or MEM_NONE,
 *                                    if no alternative was made; or MEM_LAPSED,
 *                                    if t puts a word and the lease of self has
 *                                    ended before the answer came: then no word
 *                                    belongs to this passage any more.  If an
 *                                    answer is lost, the memory sends the same
 *                                    transaction again, and r is the answer to
 *                                    the last one sent.  So an algorithm looks
 *                                    at the words to learn which of its
 *                                    transactions were made, and guards each
 *                                    transaction by a word that it writes
 *   mem_lease(self)                  a step: a new lease for this passage.  The
 *                                    process has no other lease
 *   mem_revoke(self)                 a step: ends the lease, if it has not
 *                                    ended yet
 *   r = mem_survey(self)             a step: looks at all words at one instant.
 *                                    r is 0; or MEM_LAPSED if self has no lease
 *                                    at this instant.  A poll that surveys and
 *                                    returns false may sleep until a word
 *                                    differs from what it saw.  Waiters that
 *                                    arrived after self may be missing; and if
 *                                    2k+17 waiters or more were before self,
 *                                    all but 2k+17 of these
 *
 *   mem_seen(self, w)                the stamp of w (0: absent) as the last
 *   mem_seen_value(self, w)          survey saw it, or right after the last
 *   mem_seen_mine(self, w)           transaction; its value; whether it
 *                                    belonged to the lease of self.  No step.
 *                                    A look does not see members (STORE_MEMBER)
 *   mem_unsee(self)                  what was seen matters no more, so that
 *                                    equivalent states have equal bytes.  A
 *                                    poll calls this before it returns false
 *
 * shape->n may change with each look over a store, because the processes there
 * come and go.  So an algorithm refers to others only by loops over 0..n-1 and
 * to itself by self->id, keeps no id, and keeps no address of a word from one
 * look to the next.  (A transaction may keep addresses until its answer.)
 *
 * In `init`, `quiet` and `invariant`:
 *
 *   mem_found(w, value)              init: w is present and belongs to no lease
 *   mem_peek_stamp(w)                no step: the stamp (0: absent), the value,
 *   mem_peek_value(w)                and the process whose lease owns w (-1:
 *   mem_peek_owner(w)                none)
 */
#ifndef ATMOST_MEMORY_MEM_H
#define ATMOST_MEMORY_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process;

#include "transaction.h"

#include "steps.h"

#endif
