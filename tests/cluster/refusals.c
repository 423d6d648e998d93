/* SPDX-License-Identifier: BSD-2-Clause */
/* An etcd that asks for certificates or passwords, is out of space, or serves
 * no gateway: what still works, and what an error says. */
#include "common/watchdog.h"
#include "memory/etcd/passage.h"
#include "node.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t second = 1000000000;

static struct etcd *open_pool(struct wire_address address, const char *node)
{
	static uint64_t own[16];
	struct etcd *etcd;

	address.endpoints = &node;
	address.count = 1;
	etcd = etcd_open(&(struct etcd_settings){ .address = address,
						  .root = "atmost/gpu",
						  .k = 2,
						  .seconds = 30,
						  .member = "{}",
						  .own = own });
	assert_non_null(etcd);
	etcd_limit(etcd, wire_now() + 60 * second);
	return etcd;
}

static struct word *slot(struct etcd *etcd)
{
	return etcd->words +
	       store_at(STORE_SLOT, etcd->shape.k_max, etcd->shape.n);
}

static int put_slot(struct etcd *etcd)
{
	struct transaction t = mem_begin();

	mem_put(&t, slot(etcd), 0);
	return mem_commit(&etcd->process, &t);
}

/* Creates the pool, puts a word, watches it and ends the lease. */
static void use(struct etcd *etcd)
{
	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	mem_lease(&etcd->process);
	assert_int_equal(put_slot(etcd), 0);
	assert_int_equal(mem_survey(&etcd->process), 0);
	/* The watch begins: its first lines are news. */
	assert_true(etcd_pump(etcd, INT64_MAX, NULL, 0));
	assert_true(etcd->watch.running);
	mem_revoke(&etcd->process);
}

/* Runs a command in the folder of the test. */
static void run(const char *command)
{
	char line[1024];

	snprintf(line, sizeof line, "cd %s && { %s; } >>commands.log 2>&1",
		 node_folder(), command);
	if (system(line) != 0)
		fail_msg("%s", line);
}

/* Returns the path of a file in the folder of the test. */
static const char *file(const char *name)
{
	static char paths[8][128];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", node_folder(), name);
	return path;
}

/* Makes a CA, another CA, and certificates of the first for etcd and for us. */
static void make_certificates(void)
{
	run("for ca in ca other; do openssl req -x509 -newkey rsa:2048 -nodes "
	    "-days 2 -subj /CN=$ca -keyout $ca-key.pem -out $ca.pem; done");
	run("for name in server client; do openssl req -newkey rsa:2048 -nodes "
	    "-subj /O=$name -keyout $name-key.pem -out $name.csr && "
	    "echo subjectAltName=IP:127.0.0.1 >san && openssl x509 -req "
	    "-in $name.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial "
	    "-days 2 -extfile san -out $name.pem; done");
}

static void tls_asks_for_the_right_certificates(void **state)
{
	struct wire_address address = { .tls = true };
	struct node_settings settings;
	const char *node;
	struct etcd *etcd;

	(void)state;
	make_certificates();
	settings = (struct node_settings){ .certificate = file("server.pem"),
					   .key = file("server-key.pem"),
					   .client_ca = file("ca.pem") };
	node = node_start(&settings);
	address.ca = file("ca.pem");
	address.certificate = file("client.pem");
	address.key = file("client-key.pem");
	etcd = open_pool(address, node);
	use(etcd);
	etcd_close(etcd, INT64_MAX);

	/* A CA that did not sign etcd's certificate. */
	address.ca = file("other.pem");
	etcd = open_pool(address, node);
	etcd_limit(etcd, wire_now() + second / 2);
	assert_int_equal(etcd_create_pool(etcd), ETCD_STOPPED);
	assert_non_null(strstr(wire_problem(etcd->wire), "certificate"));
	etcd_close(etcd, 0);

	/* No certificate of our own. */
	address.ca = file("ca.pem");
	address.certificate = address.key = NULL;
	etcd = open_pool(address, node);
	etcd_limit(etcd, wire_now() + second / 2);
	assert_int_equal(etcd_create_pool(etcd), ETCD_STOPPED);
	assert_true(strlen(wire_problem(etcd->wire)) > 0);
	etcd_close(etcd, 0);
	node_stop();
}

/* Turns passwords on.  joe may use the keys of atmost/, jim none. */
static void set_passwords(void)
{
	static const char *const requests[][2] = {
		{ "/v3/auth/user/add",
		  "{\"name\":\"root\",\"password\":\"r\"}" },
		{ "/v3/auth/user/add",
		  "{\"name\":\"joe\",\"password\":\"j\"}" },
		{ "/v3/auth/user/add",
		  "{\"name\":\"jim\",\"password\":\"j\"}" },
		{ "/v3/auth/role/add", "{\"name\":\"root\"}" },
		{ "/v3/auth/role/add", "{\"name\":\"lab\"}" },
		/* atmost/ to atmost0 */
		{ "/v3/auth/role/grant",
		  "{\"name\":\"lab\",\"perm\":{\"permType\":\"READWRITE\","
		  "\"key\":\"YXRtb3N0Lw==\",\"range_end\":\"YXRtb3N0MA==\"}}" },
		{ "/v3/auth/user/grant",
		  "{\"user\":\"root\",\"role\":\"root\"}" },
		{ "/v3/auth/user/grant",
		  "{\"user\":\"joe\",\"role\":\"lab\"}" },
		{ "/v3/auth/enable", "{}" },
	};

	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
		const char *answer = node_post(requests[i][0], requests[i][1]);

		assert_non_null(answer);
		assert_null(strstr(answer, "\"code\""));
	}
}

static void passwords_are_asked_for(void **state)
{
	static const char *const more[] = { "--auth-token-ttl=1", NULL };
	const char *node = node_start(&(struct node_settings){ .more = more });
	struct etcd *etcd;
	unsigned long attempts;

	(void)state;
	/* The address has a user before passwords are on: etcd asks for no
	 * password. */
	etcd = open_pool((struct wire_address){ .user = "joe",
						.password = "j" },
			 node);
	use(etcd);
	set_passwords();
	use(etcd);

	/* etcd forgets a token that was not used for a second. */
	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	attempts = wire_attempts(etcd->wire);
	wire_pump(etcd->wire, wire_now() + 3 * second, NULL, 0);
	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	assert_int_equal(wire_attempts(etcd->wire), attempts + 3);
	use(etcd);
	etcd_close(etcd, INT64_MAX);

	etcd = open_pool((struct wire_address){ .user = "joe",
						.password = "x" },
			 node);
	assert_int_equal(etcd_create_pool(etcd), ETCD_STOPPED);
	assert_int_equal(etcd->trouble.kind, WIRE_DENIED);
	assert_non_null(strstr(etcd->trouble.message, "invalid user"));
	etcd_close(etcd, 0);

	etcd = open_pool((struct wire_address){ .user = "jim",
						.password = "j" },
			 node);
	assert_int_equal(etcd_create_pool(etcd), ETCD_STOPPED);
	assert_int_equal(etcd->trouble.kind, WIRE_DENIED);
	assert_int_equal(etcd->trouble.code, GRPC_PERMISSION_DENIED);
	etcd_close(etcd, 0);

	etcd = open_pool((struct wire_address){ 0 }, node);
	assert_int_equal(etcd_create_pool(etcd), ETCD_STOPPED);
	assert_int_equal(etcd->trouble.kind, WIRE_DENIED);
	etcd_close(etcd, 0);
	node_stop();
}

/* Writes until etcd refuses. */
static void fill(void)
{
	char body[2000];
	const char *answer;

	snprintf(body, sizeof body, "{\"key\":\"eA==\",\"value\":\"%01500d\"}",
		 0);
	do {
		answer = node_post("/v3/kv/put", body);
		assert_non_null(answer);
	} while (!strstr(answer, "\"code\":8"));
}

static void etcd_without_space_keeps_leases(void **state)
{
	static const char *const more[] = { "--quota-backend-bytes=200000",
					    NULL };
	const char *node = node_start(&(struct node_settings){ .more = more });
	struct etcd *etcd = open_pool((struct wire_address){ 0 }, node);
	struct etcd *late = open_pool((struct wire_address){ 0 }, node);
	int64_t before;

	(void)state;
	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	mem_lease(&etcd->process);
	assert_int_equal(put_slot(etcd), 0);
	fill();
	/* There is no new lease, and the trouble says why. */
	mem_lease(&late->process);
	assert_int_equal(late->lease->id, 0);
	assert_int_equal(late->trouble.kind, WIRE_REFUSED);
	assert_int_equal(late->trouble.code, GRPC_RESOURCE_EXHAUSTED);
	/* The member can still keep its lease alive, look, and end the
	 * lease. */
	before = etcd->lease->valid_until;
	lease_keep(etcd->wire, etcd->lease);
	while (etcd->lease->valid_until == before)
		assert_true(etcd_pump(etcd, INT64_MAX, NULL, 0));
	assert_int_equal(mem_survey(&etcd->process), 0);
	assert_true(mem_seen_mine(&etcd->process, slot(etcd)));
	/* etcd does not count the puts of nested transactions, so it makes
	 * them.  cluster-store tests the transactions that etcd refuses. */
	assert_int_equal(put_slot(etcd), 0);
	etcd_close(late, INT64_MAX);
	etcd_close(etcd, INT64_MAX);
	node_stop();
}

static void etcd_without_a_gateway_is_told(void **state)
{
	static const char *const more[] = { "--enable-grpc-gateway=false",
					    NULL };
	const char *node = node_start(&(struct node_settings){ .more = more });
	struct etcd *etcd = open_pool((struct wire_address){ 0 }, node);

	(void)state;
	assert_int_equal(etcd_create_pool(etcd), ETCD_STOPPED);
	assert_int_equal(etcd->trouble.kind, WIRE_NO_GATEWAY);
	mem_lease(&etcd->process);
	assert_int_equal(etcd->lease->id, 0);
	assert_int_equal(etcd->trouble.kind, WIRE_NO_GATEWAY);
	etcd_close(etcd, 0);
	node_stop();
}

/* etcd without TLS can be told to accept only some host names.  It answers
 * other names with a page for browsers. */
static void etcd_that_does_not_accept_its_name_is_told(void **state)
{
	static const char *const more[] = { "--host-whitelist=127.0.0.1",
					    NULL };
	const char *node = node_start(&(struct node_settings){ .more = more });
	struct etcd *etcd = open_pool((struct wire_address){ 0 }, node);
	char name[32];

	(void)state;
	assert_int_equal(etcd_create_pool(etcd), ETCD_DONE);
	etcd_close(etcd, INT64_MAX);
	snprintf(name, sizeof name, "localhost%s", strchr(node, ':'));
	etcd = open_pool((struct wire_address){ 0 }, name);
	etcd_limit(etcd, wire_now() + second / 2);
	assert_int_equal(etcd_create_pool(etcd), ETCD_STOPPED);
	assert_non_null(strstr(wire_problem(etcd->wire), name));
	assert_non_null(strstr(wire_problem(etcd->wire), "--host-whitelist"));
	etcd_close(etcd, 0);
	node_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tls_asks_for_the_right_certificates),
		cmocka_unit_test(passwords_are_asked_for),
		cmocka_unit_test(etcd_without_space_keeps_leases),
		cmocka_unit_test(etcd_without_a_gateway_is_told),
		cmocka_unit_test(etcd_that_does_not_accept_its_name_is_told),
	};

	node_require();
	watchdog_start("FAILED: a refusal of etcd is waited for\n");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
