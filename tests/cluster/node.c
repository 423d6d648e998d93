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
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SKIPPED = 77, ARGUMENTS = 40, TEXT = 256 };

static char folder[128], address[NODES_MOST][32], scheme[8], curl_options[1024];
static unsigned nodes, peer_port[NODES_MOST];
static unsigned starts; /* each start has other ports, and data of its own */
static int leash = -1;  /* the keeper ends when this is closed */
static pid_t keeper;
static pid_t *etcds; /* shared with the keeper */

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

/* Becomes the i-th etcd.  It dies with the keeper, its parent. */
static void become_etcd(const struct node_settings *settings, unsigned i)
{
	static char name[TEXT], data[TEXT], clients[TEXT], peer[TEXT],
		cluster[TEXT], log[TEXT];
	const char *arguments[ARGUMENTS] = { "etcd" };
	unsigned count = 1;
	int fd;

	snprintf(name, sizeof name, "--name=n%u", i);
	snprintf(data, sizeof data, "--data-dir=%s/data-%u-%u", folder, starts,
		 i);
	snprintf(clients, sizeof clients, "%s://%s", scheme, address[i]);
	snprintf(peer, sizeof peer, "http://127.0.0.1:%u", peer_port[i]);
	for (unsigned j = 0; j < nodes; j++)
		snprintf(cluster + strlen(cluster),
			 sizeof cluster - strlen(cluster),
			 "%sn%u=http://127.0.0.1:%u", j ? "," : "", j,
			 peer_port[j]);
	snprintf(log, sizeof log, "%s/etcd-%u.log", folder, i);
	arguments[count++] = name;
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
	/* On one machine an election need not take a second. */
	arguments[count++] = "--heartbeat-interval=20";
	arguments[count++] = nodes > 1 ? "--election-timeout=600"
				       : "--election-timeout=200";
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
	for (unsigned j = 0; settings->more && settings->more[j]; j++)
		arguments[count++] = settings->more[j];
	fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	execvp("etcd", (char *const *)arguments);
	_exit(127);
}

/* Starts the i-th etcd as a child of the keeper.  Returns a descriptor that is
 * readable when it has ended. */
static int start_etcd(const struct node_settings *settings, unsigned i)
{
	const pid_t self = getpid(), etcd = fork();

	if (etcd == 0) {
		signal(SIGTERM, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == self)
			become_etcd(settings, i);
		_exit(1);
	}
	etcds[i] = etcd;
	return (int)syscall(SYS_pidfd_open, etcd, 0);
}

/*
 * The keeper stays when the test is killed: it sees that the other end of the
 * pipe is closed, ends etcd and removes the folder.
 */
static void keep(const struct node_settings *settings, int watched)
{
	struct pollfd ends[1 + NODES_MOST] = { { watched, POLLIN, 0 } };

	setsid();
	signal(SIGTERM, SIG_IGN);
	for (unsigned i = 0; i < nodes; i++)
		ends[1 + i] = (struct pollfd){ start_etcd(settings, i), POLLIN,
					       0 };
	while (poll(ends, 1 + nodes, -1) < 0)
		;
	for (unsigned i = 0; i < nodes; i++)
		if (etcds[i] > 0) {
			kill(etcds[i], SIGKILL);
			waitpid(etcds[i], NULL, 0);
		}
	/* If etcd ended by itself, another program had one of its ports; the
	 * test tries other ports. */
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

const char *node_post_to(unsigned i, const char *path, const char *body)
{
	static char answer[1 << 20];
	char command[4096];
	FILE *curl;
	size_t length;

	snprintf(command, sizeof command,
		 "curl -s --noproxy '*' %s '%s://%s%s' %s%s%s", curl_options,
		 scheme, address[i], path, body ? "-d '" : "", body ? body : "",
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

const char *node_post(const char *path, const char *body)
{
	return node_post_to(0, path, body);
}

/* Returns whether all nodes can write.  A node answers /version earlier than
 * that. */
static bool are_ready(void)
{
	for (unsigned i = 0; i < nodes; i++) {
		const char *answer = node_post_to(i, "/health", NULL);

		if (!answer || !strstr(answer, "true"))
			return false;
	}
	return true;
}

static void start_keeper(const struct node_settings *settings)
{
	int ends[2];

	starts++;
	for (unsigned i = 0; i < nodes; i++) {
		snprintf(address[i], sizeof address[i], "127.0.0.1:%u",
			 free_port());
		peer_port[i] = free_port();
	}
	if (pipe2(ends, O_CLOEXEC) < 0)
		fail("pipe");
	fflush(stdout);
	keeper = fork();
	if (keeper < 0)
		fail("fork");
	if (keeper == 0) {
		close(ends[1]);
		keep(settings, ends[0]);
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
	nodes = settings->nodes ? settings->nodes : 1;
	if (!etcds)
		etcds = mmap(NULL, NODES_MOST * sizeof *etcds,
			     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			     -1, 0);
	if (etcds == MAP_FAILED)
		fail("mmap");
	snprintf(scheme, sizeof scheme, "%s",
		 settings->certificate ? "https" : "http");
	set_curl_options(settings);
	start_keeper(settings);
	/* The test's timeout ends this loop if etcd never answers. */
	while (!are_ready()) {
		usleep(20000);
		if (waitpid(keeper, NULL, WNOHANG) == keeper) {
			close(leash);
			start_keeper(settings);
		}
	}
	return address[0];
}

const char *node_address(unsigned i)
{
	return address[i];
}

void node_signal(unsigned i, int signal)
{
	kill(etcds[i], signal);
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
