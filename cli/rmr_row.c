/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/rmr_row.h"

#include "cli/print.h"

#include <inttypes.h>
#include <stdio.h>

bool rmr_row_is_above(const struct lab_row *r)
{
	if (r->has_bound && (r->waits_on[0] || r->worst > r->bound))
		return true;
	if (r->has_bound_amortised && r->has_amortised &&
	    r->amortised > (double)r->bound_amortised)
		return true;
	return r->has_bound_outside && r->has_worst && r->has_outside &&
	       r->worst_outside > r->bound_outside;
}

const char *rmr_row_model_name(enum lab_model model)
{
	return model == LAB_CC ? "cc" : "dsm";
}

void rmr_row_print_heading(int name_width)
{
	printf("%-*s %5s %4s %6s  %-5s %7s %8s %9s %7s\n", name_width,
	       "algorithm", "n", "k", "active", "model", "worst", "mean",
	       "amortised", "bound");
}

void rmr_row_print(int name_width, const struct lab_measure *m,
		   const struct lab_row *r)
{
	struct short_text worst = { "-" }, mean = { "-" }, bound = { "-" };
	struct short_text amortised = { "-" };

	if (r->has_worst)
		snprintf(worst.text, sizeof worst.text, "%" PRIu64, r->worst);
	if (r->has_mean)
		snprintf(mean.text, sizeof mean.text, "%.2f", r->mean);
	if (r->has_amortised)
		snprintf(amortised.text, sizeof amortised.text, "%.2f",
			 r->amortised);
	if (r->has_bound)
		snprintf(bound.text, sizeof bound.text, "%" PRIu64, r->bound);
	printf("%-*s %5u %4u %6u  %-5s %7s %8s %9s %7s  ", name_width,
	       r->algorithm, r->n, r->k, r->contention,
	       rmr_row_model_name(m->model), worst.text, mean.text,
	       amortised.text, bound.text);
	if (r->has_worst || r->has_together)
		printf("%-10s  %s", r->bound_text ? r->bound_text : "",
		       r->note[0] ? r->note : r->method);
	else if (r->waits_on[0])
		printf("unbounded: waits on %s", r->waits_on);
	else
		printf("no passage ended in time; raise --time or --steps");
	if (r->has_worst && r->amortised_text)
		printf("; amortised %s, most with %s", r->amortised_text,
		       r->amortised_by);
	if (rmr_row_is_above(r))
		printf("  %sABOVE ITS BOUND%s", bold_on(), bold_off());
	putchar('\n');
	/* The next row may take minutes, and its measurement forks: a child
	 * must not inherit unwritten output. */
	fflush(stdout);
}

static void write_number(struct json *j, const char *key, bool is_known,
			 uint64_t value)
{
	if (is_known)
		json_put_integer(j, key, (int64_t)value);
	else
		json_put_null(j, key);
}

static void write_amortised(struct json *j, const struct lab_row *r)
{
	if (!r->has_amortised) {
		json_put_null(j, "amortised");
		return;
	}
	json_open_object(j, "amortised");
	json_put_real(j, "cost", r->amortised);
	json_text(j, "adversary", r->amortised_by);
	json_put_integer(j, "seed", (int64_t)r->amortised_seed);
	write_number(j, "bound", r->has_bound_amortised, r->bound_amortised);
	json_text(j, "bound_text", r->amortised_text);
	json_close_object(j);
}

void rmr_row_write_json(struct json *j, const struct lab_measure *m,
			const struct lab_row *r)
{
	json_open_object(j, NULL);
	json_text(j, "algorithm", r->algorithm);
	json_put_integer(j, "n", r->n);
	json_put_integer(j, "k", r->k);
	json_put_integer(j, "contention", r->contention);
	json_text(j, "model", rmr_row_model_name(m->model));
	json_bool(j, "smart_cache", r->smart_cache);
	json_bool(j, "writer_keeps", r->writer_keeps);
	json_bool(j, "aborts", r->aborts);
	write_number(j, "worst", r->has_worst, r->worst);
	write_number(j, "worst_outside", r->has_worst && r->has_outside,
		     r->worst_outside);
	if (r->has_mean)
		json_put_real(j, "mean", r->mean);
	else
		json_put_null(j, "mean");
	write_amortised(j, r);
	write_number(j, "bound", r->has_bound, r->bound);
	write_number(j, "bound_outside", r->has_bound_outside,
		     r->bound_outside);
	write_number(j, "together", r->has_together, r->together);
	json_text(j, "bound_text", r->bound_text);
	json_text(j, "method", r->method);
	json_put_integer(j, "passages", (int64_t)r->passages);
	json_put_integer(j, "states", (int64_t)r->states);
	json_text(j, "waits_on", r->waits_on[0] ? r->waits_on : NULL);
	json_text(j, "note", r->note[0] ? r->note : NULL);
	json_close_object(j);
}
