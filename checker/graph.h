/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The whole state graph, for questions about infinite runs: is there a fair
 * cycle in which somebody never gets in, or in which nobody does?
 */
#ifndef ATMOST_CHECKER_GRAPH_H
#define ATMOST_CHECKER_GRAPH_H

#include "checker/control.h"

struct graph;

struct graph *graph_open(size_t memory);
void graph_close(struct graph *g);
bool graph_full(const struct graph *g);

/* The search stands at a state it has just expanded; then its edges follow. */
void graph_state(struct graph *g, const struct world *w, uint64_t enabled);

/* True: the edge leads to a state not recorded before. */
bool graph_edge(struct graph *g, const struct edge *e);

/* Look for fair cycles; violations go to control, with a lasso. */
void graph_judge(struct graph *g, const struct question *q, struct control *c);

uint64_t graph_bytes(const struct graph *g);

#endif
