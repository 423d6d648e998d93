/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads libatmost-etcd.  libatmost is not linked with it: libcurl and the
 * libraries that it needs take longer to load than most programs need to start.
 */
#include "runtime/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libatmost-etcd.so.0"

/* Writes the path of a file beside this library.  Returns false if this
 * library's own path is not known or too long. */
static bool path_beside(char *path, size_t size)
{
	Dl_info info;
	const char *slash;
	int length;

	/* No pointer to data is the address of a function by ISO C. */
	if (!dladdr((void *)(uintptr_t)load_calls, &info) || !info.dli_fname)
		return false;
	slash = strrchr(info.dli_fname, '/');
	if (!slash)
		return false;
	length = snprintf(path, size, "%.*s/%s", (int)(slash - info.dli_fname),
			  info.dli_fname, LIBRARY);
	return length > 0 && (size_t)length < size;
}

/* The library beside this one is of the same version; the loader's search path
 * serves distributions that put the two into different folders. */
static void *load(void)
{
	char path[4096];
	void *library = NULL;

	if (path_beside(path, sizeof path))
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	return library ? library : dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
}

int load_calls(const struct remote_calls **calls, char *why)
{
	const struct remote_calls *found = NULL;
	void *library = load();
	const char *error = library ? NULL : dlerror();

	if (!library) {
		snprintf(why, REMOTE_WHY_ROOM,
			 "install libatmost-etcd, which pools of several "
			 "machines need: %s",
			 error ? error : LIBRARY " was not found");
		return ATMOST_EUNSUPPORTED;
	}
	/* The library stays loaded: it is linked with -z nodelete. */
	found = dlsym(library, REMOTE_CALLS_NAME);
	if (!found || found->version != REMOTE_CALLS_VERSION) {
		snprintf(why, REMOTE_WHY_ROOM,
			 "%s is of another version than libatmost %s: install "
			 "the same version of both",
			 LIBRARY, ATMOST_VERSION);
		return ATMOST_EUNSUPPORTED;
	}
	*calls = found;
	return 0;
}
