/* SPDX-License-Identifier: BSD-2-Clause */
#include "cluster/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_PORT = 2379, HOST_MOST = 253 };

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

bool address_is_one(const char *text)
{
	return strstr(text, "://") != NULL;
}

void address_free(struct address *address)
{
	for (unsigned i = 0; i < address->count; i++)
		free(address->endpoints[i]);
	free(address->prefix);
	free(address->pool);
	free(address->user);
	free(address->text);
	/* Other code of this process may get the memory after it is freed, and
	 * must not find the password there. */
	if (address->password)
		explicit_bzero(address->password, strlen(address->password));
	free(address->password);
	free(address->ca);
	free(address->certificate);
	free(address->key);
	*address = (struct address){ 0 };
}

int address_check_pool(const char *name, struct complaint *why)
{
	const size_t length = strlen(name);

	if (length == 0)
		return complain(why, ATMOST_ENAME,
				"the name of the pool is empty");
	if (length > ADDRESS_POOL)
		return complain(why, ATMOST_ENAME,
				"the name of a pool has at most %d "
				"characters, and '%.64s...' has %zu",
				ADDRESS_POOL, name, length);
	if (name[0] == '.' || strspn(name, LETTERS DIGITS "._-") != length)
		return complain(why, ATMOST_ENAME,
				"'%s' is no name of a pool: a name has "
				"letters, digits, '.', '_' and '-', and does "
				"not begin with '.'",
				name);
	return 0;
}

/* Returns the length of a host at the beginning of the text; 0: the text does
 * not begin with a host.  The length of an IPv6 host includes its brackets. */
static size_t host_length(const char *text)
{
	size_t length;

	if (text[0] == '[') {
		length = strspn(text + 1, DIGITS "abcdefABCDEF:.");
		return length && text[length + 1] == ']' ? length + 2 : 0;
	}
	length = strspn(text, LETTERS DIGITS "._-");
	return length <= HOST_MOST ? length : 0;
}

/* Reads "host" or "host:port", `length` bytes.  Returns NULL if the text is
 * neither, or memory runs out. */
static char *read_endpoint(const char *text, size_t length)
{
	const size_t host = host_length(text);
	unsigned long port = USUAL_PORT;
	char *endpoint, *end;

	if (!host || host > length)
		return NULL;
	if (host < length) {
		if (text[host] != ':' || text[host + 1] < '0' ||
		    text[host + 1] > '9')
			return NULL;
		port = strtoul(text + host + 1, &end, 10);
		if (end != text + length || port == 0 || port > 65535)
			return NULL;
	}
	if (asprintf(&endpoint, "%.*s:%lu", (int)host, text, port) < 0)
		return NULL;
	return endpoint;
}

/* Reads the hosts, `length` bytes, separated by commas. */
static int read_endpoints(struct address *address, const char *text,
			  size_t length, struct complaint *why)
{
	const char *end = text + length;

	for (;;) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		const size_t one = (size_t)((comma ? comma : end) - text);

		if (address->count == ADDRESS_ENDPOINTS)
			return complain(why, ATMOST_ENAME,
					"the address names more than %d hosts",
					ADDRESS_ENDPOINTS);
		address->endpoints[address->count] = read_endpoint(text, one);
		if (!address->endpoints[address->count])
			return complain(why, ATMOST_ENAME,
					"'%.*s' is no host of an address: "
					"write HOST, HOST:PORT, or an IPv6 "
					"address in brackets",
					(int)one, text);
		address->count++;
		if (!comma)
			return 0;
		text = comma + 1;
	}
}

/* Reads "USER@" if it is there, and moves *text and *length past it. */
static int read_user(struct address *address, const char **text, size_t *length,
		     struct complaint *why)
{
	const char *at = memchr(*text, '@', *length);
	const size_t user = at ? (size_t)(at - *text) : 0;

	if (!at)
		return 0;
	if (memchr(*text, ':', user))
		return complain(why, ATMOST_ENAME,
				"an address contains no password, because "
				"other users can see arguments: write the "
				"password into a file and name the file in "
				"ATMOST_AT_PASSWORD_FILE");
	if (!user)
		return complain(why, ATMOST_ENAME,
				"the user before '@' in the address is empty");
	address->user = strndup(*text, user);
	if (!address->user)
		return complain(why, ATMOST_ENOMEM, "out of memory");
	*text += user + 1;
	*length -= user + 1;
	return 0;
}

static int check_prefix(const char *prefix, struct complaint *why)
{
	const size_t length = strlen(prefix);

	if (length > ADDRESS_PREFIX)
		return complain(why, ATMOST_ENAME,
				"the prefix in the address has %zu "
				"characters; it can have at most %d",
				length, ADDRESS_PREFIX);
	if (strspn(prefix, LETTERS DIGITS "._-/") != length ||
	    prefix[0] == '/' || strstr(prefix, "//"))
		return complain(why, ATMOST_ENAME,
				"'%s' is no prefix of keys: a prefix has "
				"letters, digits, '.', '_' and '-', and "
				"single '/' between them",
				prefix);
	return 0;
}

/* Reads what follows the hosts, from the slash on: PREFIX, or PREFIX/POOL. */
static int read_path(struct address *address, const char *path, bool pool,
		     struct complaint *why)
{
	size_t length;
	const char *name = NULL;

	path += *path == '/';
	length = strlen(path);
	if (pool) {
		const char *slash = strrchr(path, '/');

		name = slash ? slash + 1 : path;
		length = slash ? (size_t)(slash - path) : 0;
		if (!*name)
			return complain(why, ATMOST_ENAME,
					"the address does not end with the "
					"name of a pool: write "
					"etcd://HOST/POOL");
		address->pool = strdup(name);
	} else if (length && path[length - 1] == '/') {
		length--;
	}
	address->prefix = length ? strndup(path, length) : strdup("atmost");
	if (!address->prefix || (pool && !address->pool))
		return complain(why, ATMOST_ENOMEM, "out of memory");
	if (pool) {
		int error = address_check_pool(address->pool, why);

		if (error)
			return error;
	}
	return check_prefix(address->prefix, why);
}

static int write_text(struct address *address, struct complaint *why)
{
	size_t size;
	FILE *to = open_memstream(&address->text, &size);

	if (!to)
		return complain(why, ATMOST_ENOMEM, "out of memory");
	fprintf(to, "etcd%s://", address->tls ? "s" : "");
	for (unsigned i = 0; i < address->count; i++)
		fprintf(to, "%s%s", i ? "," : "", address->endpoints[i]);
	fprintf(to, "/%s", address->prefix);
	if (fclose(to) != 0)
		return complain(why, ATMOST_ENOMEM, "out of memory");
	return 0;
}

static int read_all(struct address *address, const char *text, bool pool,
		    struct complaint *why)
{
	const char *hosts;
	size_t length;
	int error;

	if (strncmp(text, "etcd://", 7) == 0) {
		hosts = text + 7;
	} else if (strncmp(text, "etcds://", 8) == 0) {
		hosts = text + 8;
		address->tls = true;
	} else {
		return complain(why, ATMOST_ENAME,
				"'%s' is no address of pools: an address "
				"begins with etcd:// or etcds://",
				text);
	}
	length = strcspn(hosts, "/");
	error = read_user(address, &hosts, &length, why);
	if (!error)
		error = read_endpoints(address, hosts, length, why);
	if (!error)
		error = read_path(address, hosts + length, pool, why);
	return error ? error : write_text(address, why);
}

int address_read(struct address *address, const char *text, bool pool,
		 struct complaint *why)
{
	int error;

	*address = (struct address){ 0 };
	error = read_all(address, text, pool, why);
	if (error)
		address_free(address);
	return error;
}

bool address_is_loopback(const struct address *address)
{
	for (unsigned i = 0; i < address->count; i++) {
		const char *endpoint = address->endpoints[i];
		const size_t host = host_length(endpoint);

		if (strncmp(endpoint, "[::1]:", host + 1) == 0 ||
		    strncmp(endpoint, "localhost:", host + 1) == 0)
			continue;
		/* A name such as 127.example.org is not loopback. */
		if (strncmp(endpoint, "127.", 4) != 0 ||
		    strspn(endpoint, DIGITS ".") != host)
			return false;
	}
	return true;
}

struct wire_address address_wire(const struct address *address)
{
	return (struct wire_address){
		.endpoints = (const char *const *)address->endpoints,
		.count = address->count,
		.tls = address->tls,
		.ca = address->ca,
		.certificate = address->certificate,
		.key = address->key,
		.user = address->user,
		.password = address->password,
	};
}

char *address_root(const struct address *address, const char *pool)
{
	char *root;

	if (asprintf(&root, "%s/%s", address->prefix, pool) < 0)
		return NULL;
	return root;
}
