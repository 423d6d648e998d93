/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/credentials.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PASSWORD_MOST = 1024 };

/* Returns a variable of the environment; NULL: it is empty or absent, or this
 * program runs with another user's rights. */
static const char *variable(const char *name)
{
	const char *value = secure_getenv(name);

	return value && *value ? value : NULL;
}

/* Stores the name of a file for TLS, if the variable names one. */
static int read_file_name(char **to, const char *name, struct complaint *why)
{
	const char *file = variable(name);

	if (!file)
		return 0;
	if (access(file, R_OK) != 0)
		return complain(why, ATMOST_ENAME,
				"%s names the file %s, which cannot be read: "
				"%s",
				name, file, strerror(errno));
	*to = strdup(file);
	return *to ? 0 : complain(why, ATMOST_ENOMEM, "out of memory");
}

/* Returns the number of bytes read, or -1. */
static ssize_t read_bytes(const char *file, char *bytes, size_t room)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t got = 1;

	if (fd < 0)
		return -1;
	while (got > 0 && length < room) {
		got = read(fd, bytes + length, room - length);
		length += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	return got < 0 ? -1 : (ssize_t)length;
}

static int read_password(struct address *address, const char *file,
			 struct complaint *why)
{
	char bytes[PASSWORD_MOST + 2];
	ssize_t length = read_bytes(file, bytes, PASSWORD_MOST + 1);

	if (length < 0)
		return complain(why, ATMOST_ENAME,
				"ATMOST_AT_PASSWORD_FILE names the file %s, "
				"which cannot be read: %s",
				file, strerror(errno));
	if (length > PASSWORD_MOST || memchr(bytes, '\0', (size_t)length))
		return complain(why, ATMOST_ENAME,
				"the file %s has no password in its first "
				"line",
				file);
	bytes[length] = '\0';
	address->password = strndup(bytes, strcspn(bytes, "\r\n"));
	explicit_bzero(bytes, sizeof bytes);
	return address->password
		       ? 0
		       : complain(why, ATMOST_ENOMEM, "out of memory");
}

static int read_user(struct address *address, struct complaint *why)
{
	const char *file = variable("ATMOST_AT_PASSWORD_FILE");

	if (!file)
		return complain(why, ATMOST_ENAME,
				"the address %s has the user %s, and no "
				"password: name a file with the password in "
				"ATMOST_AT_PASSWORD_FILE",
				address->text, address->user);
	if (!address->tls && !address_is_loopback(address))
		return complain(why, ATMOST_ENAME,
				"the password of %s would be sent "
				"unencrypted to another machine: use etcds:// "
				"instead of etcd://",
				address->user);
	return read_password(address, file, why);
}

int credentials_read(struct address *address, struct complaint *why)
{
	int error = address->user ? read_user(address, why) : 0;

	if (!error && address->tls)
		error = read_file_name(&address->ca, "ATMOST_AT_CA", why);
	if (!error && address->tls)
		error = read_file_name(&address->certificate, "ATMOST_AT_CERT",
				       why);
	if (!error && address->tls)
		error = read_file_name(&address->key, "ATMOST_AT_KEY", why);
	return error;
}
