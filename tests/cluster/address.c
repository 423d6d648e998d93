/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses of pools in etcd, the credentials of the environment, and the line
 * that describes a member. */
#include "cluster/credentials.h"
#include "cluster/member_text.h"
#include "common/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct address read_good(const char *text, bool pool)
{
	struct address address;
	struct complaint why;
	int error = address_read(&address, text, pool, &why);

	if (error)
		fail_msg("%s: %s", text, why.text);
	return address;
}

/* Each row has an address of many pools, the text that shows all that was read
 * from it (scheme, ports and prefix), and the user. */
static void an_address_has_hosts_and_a_prefix(void **state)
{
	static const char *const rows[][3] = {
		{ "etcd://n1", "etcd://n1:2379/atmost", NULL },
		{ "etcd://n1/", "etcd://n1:2379/atmost", NULL },
		{ "etcds://n1:1,n2", "etcds://n1:1,n2:2379/atmost", NULL },
		{ "etcd://10.0.0.1:80/lab", "etcd://10.0.0.1:80/lab", NULL },
		{ "etcd://n1/lab/gpu/", "etcd://n1:2379/lab/gpu", NULL },
		{ "etcd://[::1],[fe80::2]:7/x",
		  "etcd://[::1]:2379,[fe80::2]:7/x", NULL },
		{ "etcd://joe@n1,n2/x", "etcd://n1:2379,n2:2379/x", "joe" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct address address = read_good(rows[i][0], false);

		assert_string_equal(address.text, rows[i][1]);
		assert_null(address.pool);
		if (rows[i][2])
			assert_string_equal(address.user, rows[i][2]);
		else
			assert_null(address.user);
		address_free(&address);
	}
}

static void the_last_part_names_a_pool(void **state)
{
	struct address address = read_good("etcd://n1/lab/x/gpu", true);
	char *root;

	(void)state;
	assert_string_equal(address.prefix, "lab/x");
	assert_string_equal(address.pool, "gpu");
	root = address_root(&address, address.pool);
	assert_string_equal(root, "lab/x/gpu");
	free(root);
	address_free(&address);
	address = read_good("etcds://n1/gpu", true);
	assert_true(address.tls);
	assert_string_equal(address.prefix, "atmost");
	assert_string_equal(address.pool, "gpu");
	address_free(&address);
}

static void other_texts_are_refused_with_a_sentence(void **state)
{
	static const struct {
		const char *text;
		bool pool;
		const char *why;
	} rows[] = {
		{ "http://n1", false, "begins with etcd://" },
		{ "etcd:/n1", false, "begins with etcd://" },
		{ "etcd://", false, "'' is no host" },
		{ "etcd://n1,,n2", false, "'' is no host" },
		{ "etcd://n1,", false, "'' is no host" },
		{ "etcd://n1:0", false, "'n1:0' is no host" },
		{ "etcd://n1:65536", false, "'n1:65536' is no host" },
		{ "etcd://n1:2379x", false, "'n1:2379x' is no host" },
		{ "etcd://n1:", false, "'n1:' is no host" },
		{ "etcd://::1", false, "'::1' is no host" },
		{ "etcd://[::1", false, "'[::1' is no host" },
		{ "etcd://n 1", false, "'n 1' is no host" },
		{ "etcd://n1?x", false, "'n1?x' is no host" },
		{ "etcd://joe:secret@n1", false, "ATMOST_AT_PASSWORD_FILE" },
		{ "etcd://@n1", false, "the user before '@'" },
		{ "etcd://n1//x", false, "no prefix" },
		{ "etcd://n1/a//b", false, "no prefix" },
		{ "etcd://n1/a b", false, "no prefix" },
		{ "etcd://n1", true, "does not end with the name" },
		{ "etcd://n1/", true, "does not end with the name" },
		{ "etcd://n1/lab/", true, "does not end with the name" },
		{ "etcd://n1/.gpu", true, "no name of a pool" },
		{ "etcd://n1/g%20u", true, "no name of a pool" },
		{ "etcd://1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", false,
		  "more than 16 hosts" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct address address;
		struct complaint why;

		assert_int_equal(address_read(&address, rows[i].text,
					      rows[i].pool, &why),
				 ATMOST_ENAME);
		if (!strstr(why.text, rows[i].why))
			fail_msg("%s: %s", rows[i].text, why.text);
		/* No sentence repeats a password. */
		assert_null(strstr(why.text, "secret"));
		assert_null(address.text);
	}
}

static void long_names_and_prefixes_are_refused(void **state)
{
	char text[400], part[300];
	struct address address;
	struct complaint why;

	(void)state;
	memset(part, 'x', sizeof part);
	snprintf(text, sizeof text, "etcd://n1/%.200s/%.64s", part, part);
	address = read_good(text, true);
	address_free(&address);
	snprintf(text, sizeof text, "etcd://n1/%.201s/x", part);
	assert_int_equal(address_read(&address, text, true, &why),
			 ATMOST_ENAME);
	assert_non_null(strstr(why.text, "at most 200"));
	snprintf(text, sizeof text, "etcd://n1/%.65s", part);
	assert_int_equal(address_read(&address, text, true, &why),
			 ATMOST_ENAME);
	assert_non_null(strstr(why.text, "at most 64"));
}

/* Writes a file in the folder of the test and names it in a variable. */
static const char *name_file(const char *variable, const char *bytes,
			     size_t length)
{
	const char *path = folder_path(variable);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
	setenv(variable, path, 1);
	return getenv(variable);
}

static void forget_files(void)
{
	unsetenv("ATMOST_AT_PASSWORD_FILE");
	unsetenv("ATMOST_AT_CA");
	unsetenv("ATMOST_AT_CERT");
	unsetenv("ATMOST_AT_KEY");
}

/* Reads the credentials of an address; the caller frees it. */
static int read_credentials(struct address *address, const char *text,
			    struct complaint *why)
{
	*address = read_good(text, false);
	return credentials_read(address, why);
}

static void a_password_is_the_first_line_of_its_file(void **state)
{
	struct address address;
	struct complaint why;

	(void)state;
	forget_files();
	name_file("ATMOST_AT_PASSWORD_FILE", "s3 cret\nmore\n", 13);
	assert_int_equal(read_credentials(&address, "etcds://joe@n1", &why), 0);
	assert_string_equal(address.password, "s3 cret");
	assert_string_equal(address_wire(&address).password, "s3 cret");
	address_free(&address);
	/* Without a user, etcd is asked without a password. */
	assert_int_equal(read_credentials(&address, "etcd://n1", &why), 0);
	assert_null(address.password);
	address_free(&address);
}

static void a_password_is_not_sent_in_the_clear(void **state)
{
	static const char *const loopback[] = { "etcd://joe@127.0.0.1",
						"etcd://joe@localhost:5",
						"etcd://joe@[::1],127.1.2.3" };
	static const char *const others[] = { "etcd://joe@n1",
					      "etcd://joe@localhost,n2",
					      "etcd://joe@127.example.org",
					      "etcd://joe@local",
					      "etcd://joe@[::11]" };
	struct address address;
	struct complaint why;

	(void)state;
	forget_files();
	name_file("ATMOST_AT_PASSWORD_FILE", "s3cret", 6);
	for (size_t i = 0; i < COUNT(loopback); i++) {
		assert_int_equal(read_credentials(&address, loopback[i], &why),
				 0);
		address_free(&address);
	}
	for (size_t i = 0; i < COUNT(others); i++) {
		assert_int_equal(read_credentials(&address, others[i], &why),
				 ATMOST_ENAME);
		assert_non_null(strstr(why.text, "use etcds://"));
		assert_null(address.password);
		address_free(&address);
	}
}

static void bad_password_files_are_refused(void **state)
{
	char many[2000];
	struct address address;
	struct complaint why;

	(void)state;
	forget_files();
	assert_int_equal(read_credentials(&address, "etcds://joe@n1", &why),
			 ATMOST_ENAME);
	assert_non_null(strstr(why.text, "no password"));
	address_free(&address);
	setenv("ATMOST_AT_PASSWORD_FILE", "/nonexistent/file", 1);
	assert_int_equal(read_credentials(&address, "etcds://joe@n1", &why),
			 ATMOST_ENAME);
	assert_non_null(strstr(why.text, "/nonexistent/file"));
	address_free(&address);
	memset(many, 'x', sizeof many);
	name_file("ATMOST_AT_PASSWORD_FILE", many, sizeof many);
	assert_int_equal(read_credentials(&address, "etcds://joe@n1", &why),
			 ATMOST_ENAME);
	assert_non_null(strstr(why.text, "no password in its first line"));
	address_free(&address);
}

static void files_for_tls_must_be_readable(void **state)
{
	struct address address;
	struct complaint why;
	const char *ca, *certificate, *key;

	(void)state;
	forget_files();
	ca = name_file("ATMOST_AT_CA", "x", 1);
	certificate = name_file("ATMOST_AT_CERT", "x", 1);
	key = name_file("ATMOST_AT_KEY", "x", 1);
	assert_int_equal(read_credentials(&address, "etcds://n1", &why), 0);
	assert_string_equal(address.ca, ca);
	assert_string_equal(address.certificate, certificate);
	assert_string_equal(address.key, key);
	address_free(&address);
	/* An address without TLS needs none of these files. */
	setenv("ATMOST_AT_CA", "/nonexistent/ca", 1);
	assert_int_equal(read_credentials(&address, "etcd://n1", &why), 0);
	assert_null(address.ca);
	address_free(&address);
	assert_int_equal(read_credentials(&address, "etcds://n1", &why),
			 ATMOST_ENAME);
	assert_non_null(strstr(why.text, "ATMOST_AT_CA"));
	assert_non_null(strstr(why.text, "/nonexistent/ca"));
	address_free(&address);
}

static void a_member_reads_what_a_member_writes(void **state)
{
	struct member_text member, again;
	struct text text = { 0 };

	(void)state;
	member_text_self(&member, "train", "night \"shift\"");
	assert_true(strlen(member.host) > 0);
	assert_int_equal(member.pid, getpid());
	member_text_write(&text, &member);
	assert_false(text.failed);
	assert_true(member_text_read(&again, text.bytes, text.length));
	assert_memory_equal(&member, &again, sizeof member);
	assert_true(member_text_is_here(&again));
	again.boot[0] ^= 1;
	assert_false(member_text_is_here(&again));
	again = member;
	again.pids++;
	assert_false(member_text_is_here(&again));
	text_free(&text);
}

/* Values in etcd are ASCII on one line, whatever a program calls itself. */
static void a_member_is_a_line_of_ascii(void **state)
{
	static const char *const commands[] = { "na\xc3\xafve", "bad\xff\xc3",
						"new\nline\x1b" };
	static const char *const read[] = { "na\xc3\xafve", "bad??",
					    "new\nline\x1b" };

	(void)state;
	for (size_t i = 0; i < COUNT(commands); i++) {
		struct member_text member, again;
		struct text text = { 0 };

		member_text_self(&member, commands[i], NULL);
		member_text_write(&text, &member);
		assert_false(text.failed);
		for (size_t j = 0; j < text.length; j++)
			assert_in_range(text.bytes[j], 0x20, 0x7e);
		assert_true(member_text_read(&again, text.bytes, text.length));
		assert_string_equal(again.command, read[i]);
		text_free(&text);
	}
}

static void long_texts_are_cut_between_characters(void **state)
{
	struct member_text member;
	char command[64] = "1234567890123456789012345678901";

	(void)state;
	/* 30 bytes, and then a character of two bytes that does not fit. */
	strcpy(command + 30, "\xc3\xaf");
	member_text_self(&member, command, NULL);
	assert_string_equal(member.command, "123456789012345678901234567890");
}

static void lines_of_other_versions_are_read(void **state)
{
	static const char later[] = "{\"host\":\"n7\",\"more\":[1],\"pid\":7}";
	static const char *const bad[] = { "", "[]", "{\"host\":", "x" };
	static const char odd[] = "{\"pid\":-3,\"since\":5,\"host\":9}";
	struct member_text member;

	(void)state;
	assert_true(member_text_read(&member, later, strlen(later)));
	assert_string_equal(member.host, "n7");
	assert_int_equal(member.pid, 7);
	assert_string_equal(member.command, "");
	assert_false(member_text_is_here(&member));
	assert_true(member_text_read(&member, odd, strlen(odd)));
	assert_int_equal(member.pid, 0);
	assert_int_equal(member.since, 0);
	assert_string_equal(member.host, "");
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(member_text_read(&member, bad[i], strlen(bad[i])));
}

static int make_folder(void **state)
{
	(void)state;
	folder_create(NULL);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	folder_delete();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_has_hosts_and_a_prefix),
		cmocka_unit_test(the_last_part_names_a_pool),
		cmocka_unit_test(other_texts_are_refused_with_a_sentence),
		cmocka_unit_test(long_names_and_prefixes_are_refused),
		cmocka_unit_test(a_password_is_the_first_line_of_its_file),
		cmocka_unit_test(a_password_is_not_sent_in_the_clear),
		cmocka_unit_test(bad_password_files_are_refused),
		cmocka_unit_test(files_for_tls_must_be_readable),
		cmocka_unit_test(a_member_reads_what_a_member_writes),
		cmocka_unit_test(a_member_is_a_line_of_ascii),
		cmocka_unit_test(long_texts_are_cut_between_characters),
		cmocka_unit_test(lines_of_other_versions_are_read),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
