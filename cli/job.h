/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Process group, terminal and stopping of the command of `atmost run`.  "The
 * wrapper" is the process of `atmost run`; it blocks all signals.
 *
 * With --new-group the command has a process group of its own.  This group gets
 * every signal that is sent to the wrapper and, if the wrapper is in the
 * foreground, the terminal.  Without --new-group the command starts in the
 * wrapper's process group.
 */
#ifndef ATMOST_CLI_JOB_H
#define ATMOST_CLI_JOB_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct job {
	pid_t pid;      /* of the command */
	bool own_group; /* --new-group */
	int terminal;   /* descriptor, with --new-group; -1: none */
};

void job_open(struct job *job, bool new_group);

/* Gives the terminal back to the wrapper's process group. */
void job_close(struct job *job);

/* The process that will execute the command calls this function. */
void job_begin(const struct job *job);

/* Forwards to the command a signal that the wrapper has received. */
void job_send(const struct job *job, const siginfo_t *info);

void job_continue(const struct job *job);

/* Passes the terminal on to the command's process group.  A shell that brings
 * the job to the foreground gives the terminal to the wrapper's process
 * group. */
void job_give_terminal(const struct job *job);

/*
 * Stops the wrapper until SIGCONT arrives; on return SIGCONT is pending.  If
 * possible, the wrapper stops by the signal that stopped the command, because a
 * shell reports that signal.  False: the kernel did not let the wrapper stop.
 */
bool job_stop_wrapper(const struct job *job, int signal);

/*
 * Called when this signal has stopped the command.  If the command only needs
 * the terminal, and the wrapper can give it the terminal, the command
 * continues.  Otherwise the wrapper stops.
 */
void job_on_stop(const struct job *job, int signal);

/* True: this process ignores the signal. */
bool job_ignores(int signal);

/* True: the signal is pending in this process. */
bool job_has_pending(int signal);

#endif
