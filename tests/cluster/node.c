/* SPDX-License-Identifier: BSD-2-Clause */
#include "node.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SKIPPED = 77, ARGUMENTS = 40 };

static char folder[128], address[32], scheme[8], curl_options[1024];
static int leash = -1; /* the keeper ends when this is closed */
static pid_t keeper;

static void fail(const char *what)
{
	perror(what);
	exit(2);
}

const char *node_folder(void)
{
	const char *where = getenv("ATMOST_ETCD_DIR");

	if (folder[0])
		return folder;
	if (!where)
		where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(folder, sizeof folder, "%s/atmost-etcd-XXXXXX", where);
	if (!mkdtemp(folder))
		fail(folder);
	return folder;
}

static int remove_one(const char *path, const struct stat *status, int type,
		      struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

static unsigned free_port(void)
{
	struct sockaddr_in name = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof name;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&name, length) < 0 ||
	    getsockname(fd, (struct sockaddr *)&name, &length) < 0)
		fail("socket");
	close(fd);
	return ntohs(name.sin_port);
}

void node_require(void)
{
	if (system("command -v etcd >/dev/null 2>&1 && "
		   "command -v curl >/dev/null 2>&1") == 0)
		return;
	puts("skipped: etcd or curl is not installed (tools/setup test)");
	exit(SKIPPED);
}

/* Becomes etcd.  It dies with the keeper, its parent. */
static void become_etcd(const struct node_settings *settings, unsigned peers)
{
	static char data[192], clients[48], peer[48], cluster[64], log[192];
	const char *arguments[ARGUMENTS] = { "etcd" };
	unsigned count = 1;
	int fd;

	snprintf(data, sizeof data, "--data-dir=%s/data", folder);
	snprintf(clients, sizeof clients, "%s://%s", scheme, address);
	snprintf(peer, sizeof peer, "http://127.0.0.1:%u", peers);
	snprintf(cluster, sizeof cluster, "default=%s", peer);
	snprintf(log, sizeof log, "%s/etcd.log", folder);
	arguments[count++] = data;
	arguments[count++] = "--listen-client-urls";
	arguments[count++] = clients;
	arguments[count++] = "--advertise-client-urls";
	arguments[count++] = clients;
	arguments[count++] = "--listen-peer-urls";
	arguments[count++] = peer;
	arguments[count++] = "--initial-advertise-peer-urls";
	arguments[count++] = peer;
	arguments[count++] = "--initial-cluster";
	arguments[count++] = cluster;
	/* A single node need not wait a second for the votes of others. */
	arguments[count++] = "--heartbeat-interval=20";
	arguments[count++] = "--election-timeout=200";
	if (settings->certificate) {
		arguments[count++] = "--cert-file";
		arguments[count++] = settings->certificate;
		arguments[count++] = "--key-file";
		arguments[count++] = settings->key;
	}
	if (settings->client_ca) {
		arguments[count++] = "--client-cert-auth";
		arguments[count++] = "--trusted-ca-file";
		arguments[count++] = settings->client_ca;
	}
	for (unsigned i = 0; settings->more && settings->more[i]; i++)
		arguments[count++] = settings->more[i];
	fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	execvp("etcd", (char *const *)arguments);
	_exit(127);
}

/*
 * The keeper stays when the test is killed: it sees that the other end of the
 * pipe is closed, ends etcd and removes the folder.
 */
static void keep(const struct node_settings *settings, int watched,
		 unsigned peers)
{
	const pid_t self = getpid();
	struct pollfd ends[2] = { { watched, POLLIN, 0 }, { -1, POLLIN, 0 } };
	pid_t etcd;

	setsid();
	signal(SIGTERM, SIG_IGN);
	etcd = fork();
	if (etcd == 0) {
		signal(SIGTERM, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == self)
			become_etcd(settings, peers);
		_exit(1);
	}
	ends[1].fd = (int)syscall(SYS_pidfd_open, etcd, 0);
	while (poll(ends, 2, -1) < 0)
		;
	if (etcd > 0) {
		kill(etcd, SIGKILL);
		waitpid(etcd, NULL, 0);
	}
	/* If etcd ended by itself, a port was taken; the test tries others. */
	if (ends[0].revents)
		nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	_exit(0);
}

static void set_curl_options(const struct node_settings *settings)
{
	curl_options[0] = '\0';
	if (settings->certificate)
		snprintf(curl_options, sizeof curl_options,
			 "--cacert %s/ca.pem --cert %s/client.pem "
			 "--key %s/client-key.pem",
			 folder, folder, folder);
}

const char *node_post(const char *path, const char *body)
{
	static char answer[1 << 20];
	char command[4096];
	FILE *curl;
	size_t length;

	snprintf(command, sizeof command,
		 "curl -s --noproxy '*' %s '%s://%s%s' %s%s%s", curl_options,
		 scheme, address, path, body ? "-d '" : "", body ? body : "",
		 body ? "'" : "");
	curl = popen(command, "r");
	if (!curl)
		fail(command);
	length = fread(answer, 1, sizeof answer - 1, curl);
	answer[length] = '\0';
	if (pclose(curl) != 0 || length == 0)
		return NULL;
	return answer;
}

/* Whether etcd can write; it answers /version earlier. */
static bool is_ready(void)
{
	const char *answer = node_post("/health", NULL);

	return answer && strstr(answer, "true");
}

static void start_keeper(const struct node_settings *settings)
{
	unsigned peers;
	int ends[2];

	snprintf(address, sizeof address, "127.0.0.1:%u", free_port());
	peers = free_port();
	if (pipe2(ends, O_CLOEXEC) < 0)
		fail("pipe");
	fflush(stdout);
	keeper = fork();
	if (keeper < 0)
		fail("fork");
	if (keeper == 0) {
		close(ends[1]);
		keep(settings, ends[0], peers);
	}
	close(ends[0]);
	leash = ends[1];
}

const char *node_start(const struct node_settings *settings)
{
	static const struct node_settings plain;

	node_require();
	node_stop(); /* that of a test that has failed */
	if (!settings)
		settings = &plain;
	node_folder();
	snprintf(scheme, sizeof scheme, "%s",
		 settings->certificate ? "https" : "http");
	set_curl_options(settings);
	start_keeper(settings);
	/* The test's timeout ends this loop if etcd never answers. */
	while (!is_ready()) {
		usleep(20000);
		if (waitpid(keeper, NULL, WNOHANG) == keeper) {
			close(leash);
			start_keeper(settings);
		}
	}
	return address;
}

void node_stop(void)
{
	if (leash < 0)
		return;
	close(leash);
	leash = -1;
	waitpid(keeper, NULL, 0);
	folder[0] = '\0';
}
