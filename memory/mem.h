/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory contract: every step that an algorithm may take.
 *
 * An algorithm is written once, with the steps listed here, and is compiled
 * twice.  With memory/native in the include path, a step is a C11 atomic
 * access, and a waiter sleeps on a futex.  With memory/simulated in the include
 * path, a step is a point at which a scheduler can run another simulated
 * process, crash this one, or count a remote reference.  The include path is
 * the only difference.
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
 *                                    looks.  A local set in one pass must not
 *                                    be used in the next pass: a value that
 *                                    must last is kept in an own word.
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
 *   mem_first(i)                     the first value of counter i, a counter that
 *                                    grows for ever (`counter` in algorithm.h).
 *                                    It is 0 in native memory.  In simulated
 *                                    memory it may be a number by which the
 *                                    checker knows the values of this counter
 *                                    from other values.  May be used anywhere
 *
 *   OWN_LINE                         before a field of a struct of words: in
 *                                    native memory the field starts a new cache
 *                                    line
 */
#ifndef ATMOST_MEMORY_MEM_H
#define ATMOST_MEMORY_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process;

#include "steps.h"

#endif
