/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory contract: every step an exclusion algorithm may take.
 *
 * An algorithm is written once against this page.  Compiled with
 * memory/native in the include path a step is a C11 atomic access and waiting
 * ends in a futex; with memory/simulated a step is a point at which a
 * scheduler may run another process, crash this one, or count a remote
 * reference.  The include path is the only difference.
 *
 * One labelled line makes one step.  Read into a local, then compute.
 *
 *   struct word                      one 64-bit shared word
 *
 *   v = mem_read(w)                  steps, sequentially consistent
 *   mem_write(w, v)
 *   old = mem_add(w, d)              fetch and add; d is taken modulo 2^64
 *   old = mem_swap(w, v)
 *   ok = mem_cas(w, expected, v)
 *   old = mem_tas(w)                 sets 1, says whether it was set before
 *
 *   mem_read_acquire, mem_read_relaxed, mem_write_release, mem_write_relaxed,
 *   mem_add_acquire, mem_add_release, mem_add_relaxed, mem_swap_acquire,
 *   mem_swap_release, mem_cas_acquire, mem_cas_release
 *                                    argued weakenings; simulated as the plain
 *                                    ones, so each needs a litmus test
 *
 *   v = safe_read(w)                 safe registers: one writer; a read that
 *   safe_write(w, v)                 overlaps a write may return anything
 *
 *   mem_atomic(function, shared, self)
 *                                    one large step, for reference algorithms;
 *                                    function uses mem_peek and mem_poke and
 *                                    returns a uint64_t.  Simulated only.
 *
 *   await(v, w, condition)           wait until condition holds of the value
 *   await_acquire(v, w, condition)   v that was read; a failed look leaves
 *   await_safe(v, w, condition)      nothing behind
 *
 *   await_any(pass) {                one ordered pass over several words;
 *           v = look(pass, w);       `break` when one of the conditions
 *           if (...) break;          holds.  A pass that falls through sleeps
 *   }                                until a word it looked at has changed.
 *                                    No local set in one pass is used in the
 *                                    next: what must last is an own word.
 *                                    In a pass nothing is done but looking.
 *
 *   wait_for_change(wait, w, v)      in `poll`: "no, and w, in which I read v,
 *                                    is a word to sleep on".  A pass that says
 *                                    no and names no word is made again at once
 *   wait_slept(wait)                 this pass follows a sleep, whether a wake
 *                                    or the end of a nap ended it
 *
 *   mem_wake(w)                      after a seq_cst write of w: wake who may
 *                                    sleep on it
 *   mem_wake_weak(w)                 the same after a write weaker than that
 *
 *   doorway_ends(self)               in `enter`: from here on we only wait
 *
 *   mem_own_read(self, i)            own words: no step, no cost; nobody else
 *   mem_own_write(self, i, v)        reads them.  Those below own_persistent
 *                                    outlive the passage, the rest is zero
 *                                    again at its end.
 *
 *   mem_dead(v, n)                   n own words or locals from v on are not read
 *                                    before they are written again: zero in the
 *                                    simulation, so that equal states are equal
 *
 * In `init`, `quiet` and `invariant`, and inside a large step:
 *
 *   mem_poke(w, v), mem_peek(w)      plain access, no step
 *   mem_place(w, p)                  w lives in the memory module of p; a word
 *                                    not placed is remote to everybody
 *   mem_safe_domain(w, values, n)    what an overlapped safe_read may return
 *   mem_name(w, "Want", i, j)        how traces call w: Want[i][j]
 *
 *   OWN_LINE                         before a member of a struct of words:
 *                                    natively starts a new cache line
 */
#ifndef ATMOST_MEMORY_MEM_H
#define ATMOST_MEMORY_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process;

#include "steps.h"

#endif
