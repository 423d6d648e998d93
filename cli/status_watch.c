/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/status_watch.h"

#include "cli/pool.h"
#include "cli/usage.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { INTERVAL = 300 }; /* ms */

static volatile sig_atomic_t ended_by;

static void end(int signal)
{
	ended_by = signal;
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action = { .sa_handler = end };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &action, NULL);
}

/* Makes stdin deliver keys one by one, without echo.  False: stdin is not a
 * terminal. */
static bool read_keys(struct termios *before)
{
	struct termios now;

	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, before) < 0)
		return false;
	now = *before;
	now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	return tcsetattr(STDIN_FILENO, TCSANOW, &now) == 0;
}

static size_t rows(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 3)
		return size.ws_row;
	return 24;
}

/* Starts at the top left, prints as many lines as fit, and erases the rest of
 * each line and of the screen. */
static void draw(const char *text)
{
	size_t left = rows() - 1;

	fputs("\033[H", stdout);
	while (*text && left-- > 0) {
		int length = (int)strcspn(text, "\n");

		printf("%.*s\033[K\n", length, text);
		text += length;
		text += *text == '\n';
	}
	fputs("\033[Jq quits", stdout);
	fflush(stdout);
}

static int update(status_printer *print, void *what, bool alone)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int code;

	if (!to)
		return pool_no_memory("status");
	code = print(to, what);
	fclose(to);
	if (!alone || !code)
		draw(text);
	free(text);
	return alone ? code : 0;
}

/* Waits for a key or for the next update.  True: the user quits. */
static bool wait_for_quit(bool keys)
{
	struct pollfd input = { .fd = keys ? STDIN_FILENO : -1,
				.events = POLLIN };
	char key;

	if (poll(&input, 1, INTERVAL) <= 0 || !keys)
		return false;
	return read(STDIN_FILENO, &key, 1) <= 0 || key == 'q' || key == 'Q';
}

int status_watch(status_printer *print, void *what, bool alone)
{
	struct termios before;
	bool keys;
	int code;

	if (!isatty(STDOUT_FILENO))
		return usage_error("status", "--watch needs a terminal; use "
					     "--json in a script");
	catch_signals();
	keys = read_keys(&before);
	/* Use the alternate screen, hide the cursor, do not wrap long lines. */
	fputs("\033[?1049h\033[?25l\033[?7l", stdout);
	do {
		code = update(print, what, alone);
	} while (!code && !ended_by && !wait_for_quit(keys));
	fputs("\033[?7h\033[?25h\033[?1049l", stdout);
	fflush(stdout);
	if (keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	/* Ctrl-C is a regular way to quit. */
	return ended_by && ended_by != SIGINT ? 128 + ended_by : code;
}
