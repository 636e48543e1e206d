/* Attention of a network: the mean of the values under a softmax of scores, head by head; inputs query, key, value. */
#ifndef ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_H
#define ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_H

#include "network/network.h"

/* Attention as plain data, which every arithmetic reads. Of head h and row i, whose token is t,
 *   s_ij = c(q_i . k_j / sqrt(divided_by)),   P_i = softmax_j(s_ij) over the keys j that t attends to,
 *   y_i = sum_j P_ij v_j,
 * with q_i the h-th head_dim entries of the query's row, k_j and v_j the g-th head_dim and value_dim entries of their
 * rows, g = attention_heads_key_head, and y_i the h-th value_dim entries of the output's row. */
typedef struct {
  int heads;                /* of queries */
  int key_heads;            /* of keys and values; divides `heads` (J. Ainslie et al., GQA, EMNLP 2023) */
  int head_dim, value_dim;  /* entries of a query or key, of a value */
  double divided_by;        /* > 0, the square of what q . k is divided by */
  const range_curve *curve; /* c(s) = cap curve(s / cap); NULL: c(s) = s */
  double cap;               /* > 0 where there is a curve */
  attcert_mask mask;        /* which keys a token attends to */
  int token;                /* the only query's; -1: there is one a token */
} attention_heads;

/* The head of keys and values that head h of the queries reads. */
static inline int attention_heads_key_head(const attention_heads *of, int h) {
  return h / (of->heads / of->key_heads);
}

extern const step_kind step_attention; /* of: attention_heads */

/* As many heads of keys and values as of queries, of as many entries, scores q . k / sqrt(head_dim), no mask, a query a
 * token. */
attention_heads step_attention_plain(int heads, int head_dim);

int step_attention_add(network_builder *b, const int input[3], const attention_heads *heads);

/* `forms` and `execution`, in files of their own. */
attcert_status step_attention_forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                                    attcert_error *err);
attcert_status step_attention_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                        const step_format *format, attcert_error *err);

#endif
