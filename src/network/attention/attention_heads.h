/* The heads of an attention. */
#ifndef ATTCERT_NETWORK_ATTENTION_ATTENTION_HEADS_H
#define ATTCERT_NETWORK_ATTENTION_ATTENTION_HEADS_H

#include "attcert.h"
#include "network/step.h"
#include "robust/range/range_line.h"

#include <limits.h>

enum { ATTENTION_ALL = INT_MAX };

#define BIAS_LOW_ERROR 0x1p-104

/* What the distance of query and key adds to both in their product (P. He et al., DeBERTa: decoding-enhanced BERT with
 * disentangled attention, ICLR 2021): of each offset j - t from 1 - span on, a vector u for the key and w for the query
 * of each head of queries. Each of their numbers is the sum of two doubles, up to `error`. */
typedef struct {
  const double *query, *query_low; /* w [2 span - 1][heads head_dim]; NULL: zeros */
  const double *key, *key_low;     /* u, likewise */
  double error;
} attention_shifts;

/* Pairs of queries and keys one by one (attention_pairs.h makes them). */
typedef struct {
  int rows, keys;
  int lists;           /* of keys: one for all heads, or one a head; 0: as `before` and `after` say */
  const size_t *begin; /* [lists][rows] and the end: where the keys of a token begin in `key`; it has one or more */
  const int *key;      /* in rising order: those that take part, also by `before` and `after` */
  int biases;          /* one for all heads, or one a head; 0: zeros */
  const double *bias;  /* [biases][rows][keys], finite */
} attention_pair_lists;

/* Attention as plain data, which every arithmetic reads. Of head h and row i, whose token is t,
 *   s_ij = c((q_i . k_j + q_i . u_(j - t) + w_(j - t) . k_j) / sqrt(divided_by)) + b_(j - t) + b_tj,
 *   P_i = softmax_j(s_ij),   y_i = sum_j P_ij v_j
 * over the keys j that t attends to, t - before <= j <= t + after, or those of them in a list, with q_i the h-th
 * head_dim entries of the query's row, k_j and v_j the g-th head_dim and value_dim entries of their rows,
 * g = attention_heads_key_head, and y_i the h-th value_dim entries of the output's row. A sink is one key more for each
 * row, of the score sink_h and the value 0: it takes a part of the weights, which then add up to less than 1 (G. Xiao
 * et al., Efficient streaming language models with attention sinks, ICLR 2024). */
typedef struct {
  int heads;                /* of queries */
  int key_heads;            /* of keys and values; divides `heads` (J. Ainslie et al., GQA, EMNLP 2023) */
  int head_dim, value_dim;  /* entries of a query or key, of a value */
  double divided_by;        /* > 0, the square of what q . k is divided by */
  const range_curve *curve; /* c(s) = cap curve(s / cap); NULL: c(s) = s */
  double cap;               /* > 0 where there is a curve */
  const double *bias;       /* [heads][2 span - 1]: b of the offsets from 1 - span on; NULL: zeros */
  const double *bias_low;   /* [heads][2 span - 1]: b - bias, but for BIAS_LOW_ERROR |bias|; NULL: biases are stored */
  int span;                 /* more than any offset, where there is a bias or a shift */
  const double *sink;       /* [heads]; NULL: there is none */
  int before, after;        /* how many tokens before its own a token attends to, and behind it; ATTENTION_ALL */
  int token;                /* the only query's; -1: there is one a token */
  const attention_shifts *shifts;    /* u and w; NULL: zeros */
  const attention_pair_lists *pairs; /* lists of keys, b_tj; NULL: none */
} attention_heads;

/* Those of `keys` keys that a token attends to, lists apart. */
static inline step_keys attention_heads_keys(const attention_heads *of, int token, int keys) {
  const int first = token > of->before ? token - of->before : 0;
  const int last = of->after < keys - 1 - token ? token + of->after : keys - 1;
  return (step_keys){first, last - first + 1};
}

/* The keys that a token attends to, of a head: `count` rows from `first` on, or those of a list in rising order. */
typedef struct {
  int first, count;
  const int *listed; /* NULL: one after the other */
} attention_keys;

static inline attention_keys attention_heads_listed(const attention_heads *of, int h, int token, int keys) {
  const attention_pair_lists *const p = of->pairs;
  const step_keys all = attention_heads_keys(of, token, keys);
  if (p == NULL || p->lists == 0) return (attention_keys){all.first, all.count, NULL};
  const size_t row = (size_t)(p->lists > 1 ? h : 0) * (size_t)p->rows + (size_t)token;
  const int *const listed = p->key + p->begin[row];
  return (attention_keys){listed[0], (int)(p->begin[row + 1] - p->begin[row]), listed};
}

/* How many heads have keys of their own; 1: all have the same. */
static inline int attention_heads_different(const attention_heads *of) {
  return of->pairs != NULL && of->pairs->lists > 1 ? of->heads : 1;
}

/* The row of key number j. */
static inline int attention_keys_row(const attention_keys *keys, int j) {
  return keys->listed != NULL ? keys->listed[j] : keys->first + j;
}

/* The place of row i's token, which is i where all tokens have a row. */
static inline int attention_heads_position(const attention_heads *of, int i) {
  return of->token >= 0 ? of->token : i;
}

/* b of head h; what its double misses. */
static inline double attention_heads_entry(const double *bias, int span, int h, int offset) {
  return bias == NULL ? 0.0 : bias[(size_t)h * (2 * (size_t)span - 1) + (size_t)(offset + span - 1)];
}
static inline double attention_heads_bias(const attention_heads *of, int h, int token, int key) {
  return attention_heads_entry(of->bias, of->span, h, key - token);
}
static inline double attention_heads_bias_low(const attention_heads *of, int h, int token, int key) {
  return attention_heads_entry(of->bias_low, of->span, h, key - token);
}

/* b_tj of head h. */
static inline double attention_heads_pair_bias(const attention_heads *of, int h, int token, int key) {
  const attention_pair_lists *const p = of->pairs;
  if (p == NULL || p->biases == 0) return 0.0;
  const size_t row = (size_t)(p->biases > 1 ? h : 0) * (size_t)p->rows + (size_t)token;
  return p->bias[row * (size_t)p->keys + (size_t)key];
}

/* Head h of a shift, which is not NULL, its head_dim numbers. */
static inline const double *attention_heads_shift(const attention_heads *of, const double *shift, int h, int token,
                                                  int key) {
  const size_t row = (size_t)(key - token + of->span - 1) * (size_t)of->heads + (size_t)h;
  return shift + row * (size_t)of->head_dim;
}

static inline bool attention_heads_shifts_queries(const attention_heads *of) {
  return of->shifts != NULL && of->shifts->query != NULL;
}
static inline bool attention_heads_shifts_keys(const attention_heads *of) {
  return of->shifts != NULL && of->shifts->key != NULL;
}

/* How many weights the softmax of so many keys has. */
static inline int attention_heads_weights(const attention_heads *of, int keys) {
  return keys + (of->sink != NULL ? 1 : 0);
}

/* `after` of a mask. */
static inline int attention_heads_after(attcert_mask mask) {
  return mask == ATTCERT_MASK_CAUSAL ? 0 : ATTENTION_ALL;
}

/* The head of keys and values that head h of the queries reads. */
static inline int attention_heads_key_head(const attention_heads *of, int h) {
  return h / (of->heads / of->key_heads);
}

/* Rows of a token's scratch of columns (step_attention_head.h), for so many weights. */
static inline size_t attention_heads_block(const attention_heads *of, int weights) {
  const int most = weights > of->value_dim ? weights : of->value_dim;
  return (size_t)(most > 2 ? most : 2);
}

#endif
