/* One head of one token of the attention of forms: network/attention/step_attention_forms.c. */
#ifndef ATTCERT_ROBUST_OPERATION_ATTENTION_HEAD_H
#define ATTCERT_ROBUST_OPERATION_ATTENTION_HEAD_H

#include "robust/operation/operation.h"

/* Heads of dimension cols / heads side by side: y_i = sum_j softmax_j(q_i . k_j / sqrt(dimension)) v_j over all tokens
 * j, causal: over those up to token i. k and v have one row a token; q may have fewer rows. */
typedef struct {
  const form *query, *key, *value;
  int heads;
  bool causal;
} operation_attention_input;

/* Norms of the deviations of queries, keys and values, [rows, heads]; *_input: of the part linear in the
 * perturbation. */
typedef struct {
  double *query, *query_input, *key, *key_input, *value, *value_input;
} attention_norms;

/* What the heads of one token leave behind. */
typedef struct {
  int count, heads, dim; /* tokens attended to, heads, entries a head */
  const form_layout *layout;
  int columns, input;          /* of the layout, of the perturbation */
  double *center, *radius;     /* [heads dim], the result's own */
  double *linear;              /* [heads dim, columns] */
  double *difference;          /* [heads dim, count]: v_j - y0 */
  double *weight_bound;        /* [heads, count]: of the symbols of the weights */
  double *product_bound;       /* [heads dim]: of the symbols of (P' - p) e_v */
  double *product_norm;        /* [heads] */
  double *score;               /* [count]: s0 + n, and from here on scratch of one head */
  double *score_bound;         /* [count]: N_j */
  double *score_miss;          /* [count]: roundings of s0_j, of S_j and the radii of q and k_j */
  double *score_linear;        /* [count, columns]: S, then T */
  double *block;               /* [count or dim, columns] */
  double *weight;              /* [count]: p */
  double *weighted;            /* [count, dim]: p_j (v_j - y0) */
  form_support *score_support; /* [count] */
} attention_token;

attcert_status attention_token_allocate(attention_token *row, attcert_error *err);
void attention_token_release(attention_token *row);

/* Head h of query row i into `row`. */
attcert_status attention_head_pass(attention_token *row, const operation_attention_input *in, int i, int h,
                                   const attention_norms *norms, const form_symbols *symbols, attcert_error *err);

/* attention_scores.c: score, score_bound, score_miss, score_linear = S. */
void attention_head_scores(attention_token *row, const operation_attention_input *in, int i, int h,
                           const attention_norms *norms);

#endif
