/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adds a stop before every step of native memory.  This file wraps
 * memory/native/steps.h and stands before it in the include path.  The macros
 * call stops_reach before every step, every wake, every addition of a word to a
 * wait set, and every write of an own word (own words lie in shared memory
 * too).
 *
 * The linker adds the stops between the steps of a life lock and around each
 * system call for sleeping and waking: see stops.c.
 */
#ifndef ATMOST_TESTS_CRASH_STEPS_H
#define ATMOST_TESTS_CRASH_STEPS_H

#include "memory/native/steps.h"

void stops_reach(void);

#define mem_read(w) (stops_reach(), mem_read(w))
#define mem_read_relaxed(w) (stops_reach(), mem_read_relaxed(w))
#define mem_write(w, v) (stops_reach(), mem_write(w, v))
#define mem_write_release(w, v) (stops_reach(), mem_write_release(w, v))
#define mem_add(w, d) (stops_reach(), mem_add(w, d))
#define mem_swap(w, v) (stops_reach(), mem_swap(w, v))
#define mem_cas(w, e, v) (stops_reach(), mem_cas(w, e, v))
#define mem_tas(w) (stops_reach(), mem_tas(w))
#define safe_read(w) (stops_reach(), safe_read(w))
#define safe_write(w, v) (stops_reach(), safe_write(w, v))
#define look(pass, w) (stops_reach(), look(pass, w))
#define wait_for_change(set, w, v) (stops_reach(), wait_for_change(set, w, v))
#define mem_wake(w) (stops_reach(), mem_wake(w))
#define mem_wake_weak(w) (stops_reach(), mem_wake_weak(w))

#undef mem_own_write
#define mem_own_write(self, i, v) (stops_reach(), (void)((self)->own[i] = (v)))

#endif
