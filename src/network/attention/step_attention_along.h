/* One row of one head of an attention along a direction: the scratch of step_attention_lower.c, and what symbols and
 * inputs have to do with it. */
#ifndef ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_ALONG_H
#define ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_ALONG_H

#include "network/attention/step_attention_kept.h"

typedef struct {
  const step_lower *l;
  const attention_heads *of;
  const form *out, *query, *key, *value;
  const form_symbols *symbols;
  const form_layout *layout;            /* of all values */
  double *to_query, *to_key, *to_value; /* of the direction's inputs */
  bool many;                            /* directions: the table below has no room for symbols */
  double terms;                         /* at most, of a sum in these */
  attention_keys attended;
  int i, h, token, count, weights;    /* as in step_attention_token */
  int query_at, key_at, value_at;     /* where the head begins in their rows */
  const step_attention_kept *kept;    /* [weights] */
  double missed;                      /* of the row: what attention_along_add_score is off by */
  double *weight, *difference, *size; /* [weights]: p_j, d_j, scratch */
  double *deviation;                  /* [weights] */
  const double *known;                /* the direction of those, of this row and head; NULL: there are none yet */
  double *product;                    /* [columns of the layout] */
  double *along;                      /* [most weights + 1, columns of the layout] */
} attention_along;

/* many: directions are too many to look at symbols one by one. Errors: ATTCERT_RESOURCE, without a message.
 * attention_along_clear is due in every case. */
attcert_status attention_along_init(attention_along *a, const step_lower *l, const attention_heads *of,
                                    const form_layout *layout, bool many);
void attention_along_clear(attention_along *a);

/* Row i and head h of direction number b are looked at. */
void attention_along_place(attention_along *a, int b, int i, int h);

/* The row of key number j, of keys and values. */
static inline int attention_along_row(const attention_along *a, int j) {
  return attention_keys_row(&a->attended, j);
}

/* Where the head's values of key number j begin. */
static inline size_t attention_along_value(const attention_along *a, int j) {
  return (size_t)attention_along_row(a, j) * (size_t)a->value->cols + (size_t)a->value_at;
}

/* Adds factor ((q + w) . k'_j + (k_j + u) . q') to the functionals. */
void attention_along_add_score(attention_along *a, double factor, int j);

/* deviation[j] >= |w . e_j - sum_m p_m w . e_m|, for w of value_dim numbers; by the spreads of v' alone where there
 * are many. */
void attention_along_deviations(attention_along *a, const double *w);

#endif
