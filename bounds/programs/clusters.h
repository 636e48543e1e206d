/* Long sequences of few distinct tokens: token a stands count[a] times in a row, a = 0 .. distinct - 1, n = sum_a
 * count[a].
 *
 * Equal tokens have equal keys and values, so row i of attention needs only how often it attends to each distinct
 * token. Without a mask all rows of equal tokens are equal, so `distinct` rows stand for n of them; under the causal
 * mask no two rows are. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_CLUSTERS_H
#define ATTCERT_BOUNDS_PROGRAMS_CLUSTERS_H

#include "attcert.h"

enum { CLUSTERS_MAX = 4, CLUSTERS_DIM_MAX = 8, CLUSTERS_SIDE_MAX = CLUSTERS_MAX * CLUSTERS_DIM_MAX };

typedef struct {
  int distinct, dim;
  int count[CLUSTERS_MAX];
  double x[CLUSTERS_SIDE_MAX]; /* distinct x dim */
} clusters;

/* The distinct tokens as a matrix; the data stays c's. */
attcert_matrix clusters_tokens(clusters *c);

int clusters_length(const clusters *c); /* n */

/* From n x d tokens; false when more than CLUSTERS_MAX runs of equal tokens follow each other, or d is too large. */
bool clusters_from_tokens(clusters *c, const attcert_matrix *x);

/* Splits the largest clusters in two until there are CLUSTERS_MAX, or none has two tokens: the sequence stays as it
 * is. */
void clusters_split(clusters *c);

/* A head that the programs on clusters take: one head, no W_O, no query bias (the other biases have no effect on the
 * Jacobian), k and d at most CLUSTERS_DIM_MAX. */
attcert_status clusters_check_head(const attcert_layer *head, attcert_error *err);

/* One row of attention, or `copies` equal ones, of tokens in cluster `own`: it attends to keys[a] tokens of the
 * clusters a = 0 .. attended - 1. */
typedef struct {
  int own, attended;
  int keys[CLUSTERS_MAX];
  int position; /* in its cluster, from 0 */
  int copies;
} cluster_row;

/* The first row, and the next one; false after the last. stride(position) >= 1 tells how many rows from there on one
 * may stand for (in estimates); NULL: one, so that every row of the sequence is counted exactly once. */
typedef int cluster_stride(int position);
void cluster_row_first(cluster_row *r, const clusters *c, attcert_mask mask, cluster_stride *stride);
bool cluster_row_next(cluster_row *r, const clusters *c, attcert_mask mask, cluster_stride *stride);

#endif
