/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ending COMMAND...: runs the command and prints how it ended: "exited N",
 * "killed N", or "dumped N" if signal N killed it and the kernel wrote a core
 * file.  (A shell shows only 128+N.)  If the command left a child behind, even
 * a child that had already ended, the line ends with ", left a child".
 */
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	siginfo_t info;
	pid_t pid;

	if (argc < 2)
		return 2;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (pid < 0 || waitid(P_PID, (id_t)pid, &info, WEXITED) < 0) {
		perror("ending");
		return 2;
	}
	printf("%s %d%s\n",
	       info.si_code == CLD_EXITED   ? "exited"
	       : info.si_code == CLD_KILLED ? "killed"
					    : "dumped",
	       info.si_status,
	       waitpid(-1, NULL, WNOHANG | __WALL) < 0 ? "" : ", left a child");
	return 0;
}
