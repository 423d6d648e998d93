/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/common/bench.h"
#include "bench/common/options.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void clean_up_and_end(int signal)
{
	bench.clean_up();
	raise(signal); /* SA_RESETHAND: the default action ends the program */
}

static void clean_up_at_end(void)
{
	const int signals[] = { SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
				SIGABRT, SIGSEGV, SIGBUS };
	struct sigaction action = {
		.sa_handler = clean_up_and_end,
		.sa_flags = (int)SA_RESETHAND,
	};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &action, NULL);
	atexit(bench.clean_up);
}

int main(int argc, char **argv)
{
	static struct options options;
	int code;

	if (bench.pass && argc > 1 && strcmp(argv[1], "--pass") == 0)
		return bench.pass(argc - 2, argv + 2);
	if (!options_read(&options, argc, argv, &code))
		return code;
	if (bench.clean_up)
		clean_up_at_end();
	return bench.run(&options);
}
