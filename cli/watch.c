/* SPDX-License-Identifier: BSD-2-Clause */
/* atmost status --watch: the table, drawn again as it changes. */
#include "cli/status.h"

#include "cli/options.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { OFTEN = 300 }; /* ms */

static volatile sig_atomic_t ended_by;

static void end(int signal)
{
	ended_by = signal;
}

static void heed_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action = { .sa_handler = end };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &action, NULL);
}

/* Keys one by one and unseen; false: standard input has no keys. */
static bool take_keys(struct termios *before)
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

/* From the top left, each line and what follows the last one wiped; as many
 * lines as fit. */
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

static int look_and_draw(const char *pool)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int code;

	if (!to)
		return POOL_SYSTEM;
	code = status_table(to, pool);
	fclose(to);
	if (!pool || !code)
		draw(text);
	free(text);
	return pool ? code : 0;
}

/* True: the user has had enough. */
static bool rest(bool keys)
{
	struct pollfd input = { .fd = keys ? STDIN_FILENO : -1,
				.events = POLLIN };
	char key;

	if (poll(&input, 1, OFTEN) <= 0 || !keys)
		return false;
	return read(STDIN_FILENO, &key, 1) <= 0 || key == 'q' || key == 'Q';
}

int status_watch(const char *pool)
{
	struct termios before;
	bool keys;
	int code;

	if (!isatty(STDOUT_FILENO))
		return usage_error("status", "--watch needs a terminal to draw "
					     "on");
	heed_signals();
	keys = take_keys(&before);
	/* Another screen, no cursor, and a long line is cut: not two. */
	fputs("\033[?1049h\033[?25l\033[?7l", stdout);
	do {
		code = look_and_draw(pool);
	} while (!code && !ended_by && !rest(keys));
	fputs("\033[?7h\033[?25h\033[?1049l", stdout);
	fflush(stdout);
	if (keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &before);
	/* Ctrl-C is a way to quit. */
	return ended_by && ended_by != SIGINT ? 128 + ended_by : code;
}
