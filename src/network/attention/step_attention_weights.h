/* The weights of one head of one row, in intervals, for what values and derivatives are made of them. */
#ifndef ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_WEIGHTS_H
#define ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_WEIGHTS_H

#include "network/attention/attention_heads.h"
#include "network/step_enclosure.h"

/* A head of the row of a token: where it begins in the rows of query, key, value and output; how many keys it attends
 * to, of rows from `first` on. */
typedef struct {
  const attention_heads *of;
  int head, token, row, query, key, value, output, first, count;
  const int *listed; /* the keys one by one; NULL: one after the other */
} attention_place;

/* Places of so many rows, and one of them, row by row. */
static inline int attention_places(const attention_heads *of, int rows) {
  return rows * of->heads;
}
attention_place attention_place_of(const attention_heads *of, int number, int keys);

/* The row of key number j among keys and values: first + j, or beyond. */
static inline int attention_place_key(const attention_place *at, int j) {
  return at->listed != NULL ? at->listed[j] : at->first + j;
}

/* How many rows there are from the first key to the last one. */
static inline int attention_place_span(const attention_place *at) {
  return attention_place_key(at, at->count - 1) - at->first + 1;
}

/* Of key number j, which is not NULL. */
static inline const double *attention_place_shift(const attention_place *at, const double *shift, int j) {
  return attention_heads_shift(at->of, shift, at->head, at->token, attention_place_key(at, j));
}

/* Contains a shift's number. */
void step_attention_enclose_shift(interval *out, double high, double low, double error);

/* row += z times the shift of key number j, `high` and `low` its doubles of all offsets. Uses t[3]. */
void step_attention_add_shift(interval *row, const interval *z, const double *high, const double *low,
                              const attention_place *at, int j, step_scratch *scratch);

/* t[0] of the scratch := the divisor, t[1] := the cap, which the others read. */
void step_attention_enclose_scale(const attention_heads *of, step_scratch *scratch);

/* out[j] contains z . x_j / divisor, for z and the `dim` entries from column `from` on of the row of token j. */
void step_attention_enclose_scores(interval *out, const interval *z, const step_enclosure *x, const attention_place *at,
                                   int from, int dim, step_scratch *scratch);

/* Of a row of all keys, the entries from the first key on, one a key, go to their keys, zeros to those between. */
void step_attention_spread(interval *row, const attention_place *at);

/* weight[j] contains P_j, slope[j] contains c'(s_j) of the keys; of attention_heads_weights, a sink's is the last one's
 * weight. Uses t[2] to t[4]. */
void step_attention_enclose_weights(interval *weight, interval *slope, const step_enclosure *const *x,
                                    const attention_place *at, step_scratch *scratch);

#endif
