/* One token of the attention of forms, head by head; the formulas are in step_attention_forms.c. */
#ifndef ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_HEAD_H
#define ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_HEAD_H

#include "network/attention/step_attention_kept.h"

/* Of a deviation's norm: all, and the part linear in the perturbation. */
typedef struct {
  double all, input;
} step_attention_norm;

/* What is known of one key's score and weight beside the arrays below. */
typedef struct {
  double score_bound;   /* N_j */
  double score_miss;    /* roundings of s0_j and S_j, radii of q and k_j */
  double miss;          /* |t_j - T_j(eta)| but for the common mean: N_j and roundings */
  double change;        /* >= |P'_j - p_j| */
  double slope;         /* of the line along the score curve; 1 without */
  form_support support; /* of T_j */
} step_attention_key;

typedef struct {
  const attention_heads *of; /* its heads and value_dim: "heads", "dim" below */
  const form *query, *key, *value;
  const step_attention_norm *query_norm, *key_norm, *value_norm; /* [rows, heads]; key_heads of the latter two */
  const form_symbols *symbols;
  int i, token;            /* row of the queries, and its place */
  int room;                /* the most weights of a head, below: as many numbers a head are left behind */
  form_layout layout;      /* every symbol that scores and values depend on */
  int columns, input;      /* of the layout, of the perturbation */
  bool sums;               /* step_attention_sums */
  double *center, *radius; /* [heads dim], the result's own */

  /* What the heads leave behind. */
  step_attention_kept *kept; /* [heads, most weights of a row]: this row's */
  int most;
  double *linear;        /* [heads dim, columns] */
  double *difference;    /* [heads dim, room]: v_j - y0; 0 behind the head's weights */
  double *weight_bound;  /* [heads, room]: of the symbols of the weights; likewise */
  double *product_bound; /* [heads dim]: of the symbols of (P' - p) e_v */
  double *product_norm;  /* [heads] */

  /* One head's. */
  attention_keys attended; /* tokens attended to: number j below is row step_attention_row of keys and values */
  int count;               /* of them */
  int weights;             /* count, or one more: of a sink, whose score is known and whose value is 0 */

  /* Scratch of it. */
  double *score;              /* [weights]: s0 */
  double *weight;             /* [weights]: p */
  double *reach;              /* [weights]: >= |t_j| */
  range *softmax, *remainder; /* [weights]: P_j; P'_j - p_j (1 + t_j) */
  step_attention_key *known;  /* [weights] */
  double *score_linear;       /* [weights, columns]: S, then T */
  double *block;              /* [attention_heads_block, columns] */
  double *weighted;           /* [weights, dim]: p_j (v_j - y0) */
  double *shifted;            /* [weights, head_dim]: q + w, then k_j + u; where there are shifts, or keys are listed */
} step_attention_token;

/* Whether keys are copied to `shifted`. */
static inline bool step_attention_gathers(const step_attention_token *t) {
  return t->of->shifts != NULL || t->attended.listed != NULL;
}

static inline int step_attention_row(const step_attention_token *t, int j) {
  return attention_keys_row(&t->attended, j);
}

/* The keys are those of head h from now on. */
static inline void step_attention_take(step_attention_token *t, int h) {
  t->attended = attention_heads_listed(t->of, h, t->token, t->key->rows);
  t->count = t->attended.count;
  t->weights = attention_heads_weights(t->of, t->count);
}

/* Head h. */
void step_attention_head(step_attention_token *t, int h);

/* Its scores, in a file of their own: score, score_linear = S, and what is missed of them. */
void step_attention_scores(step_attention_token *t, int h);

/* ---- sums (step_attention_sums.c) ------------------------------------------------------------------------------- */

/* Whether the token's layout has such symbols; without, the functions below have nothing to say. */
bool step_attention_sums(const step_attention_token *t);

/* A bound of |e_q . e_kj|, of row `query` and row `key`, entries from of_query, of_key on; infinite: none. */
double step_attention_sums_score(step_attention_token *t, size_t of_query, int key, size_t of_key);

/* Lowers the bounds of sum_j (P'_j - p_j) e_vj of head h, entry by entry and in norm, where t->input is 0. */
void step_attention_sums_values(step_attention_token *t, int h);

#endif
