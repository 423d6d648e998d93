/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Process group, terminal and stopping of the command of `atmost run`.  "The
 * wrapper" is the process of `atmost run`; it blocks all signals.
 *
 * With --new-group the command has a process group of its own, which gets every
 * signal that is sent here, and the terminal, if the wrapper is in the
 * foreground.  Otherwise the command starts in the wrapper's process group.
 */
#ifndef ATMOST_CLI_JOB_H
#define ATMOST_CLI_JOB_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct job {
	pid_t pid;      /* of the command */
	bool own_group; /* --new-group */
	int terminal;   /* of --new-group; -1: none */
};

void job_open(struct job *job, bool new_group);

/* Gives the terminal back to the wrapper's process group. */
void job_close(struct job *job);

/* The process that will execute the command calls this function. */
void job_begin(const struct job *job);

/* Sends the command the signal that the wrapper has taken. */
void job_send(const struct job *job, const siginfo_t *info);

void job_continue(const struct job *job);

/* A shell that brings the job to the foreground gives the terminal to the
 * wrapper's process group, but the command's process group needs it. */
void job_give_terminal(const struct job *job);

/*
 * Stops the wrapper until SIGCONT, which is then pending; if possible by the
 * signal that stopped the command, because a shell reports that signal.  False:
 * the kernel did not let the wrapper stop.
 */
bool job_stop_wrapper(const struct job *job, int signal);

/*
 * The command was stopped by this signal.  If it only needs the terminal, and
 * the wrapper can give it the terminal, the command continues; otherwise the
 * wrapper stops.
 */
void job_on_stop(const struct job *job, int signal);

/* True: this process ignores the signal. */
bool job_ignores(int signal);

/* True: the signal is pending in this process. */
bool job_has_pending(int signal);

#endif
