/* What the layer makes of one input: how it attends, and how much its tokens differ before and after. */
#ifndef ATTCERT_SPECTRUM_ATTENTION_H
#define ATTCERT_SPECTRUM_ATTENTION_H

#include "attcert.h"
#include "interval/interval_vec.h"

typedef struct {
  interval mean_entropy;   /* of the n rows */
  interval largest_weight; /* max_ij P_ij */
  interval similarity;     /* of the head's output y_i + b_V (token_similarity.h) */
  interval z;              /* of T1: ||A||_2 max_i ||x_i||^2, A = K^T Q / sqrt(k) */
  interval *entropy;       /* [n], of each row of P */
} spectrum_head_attention;

typedef struct {
  int tokens, heads;
  spectrum_head_attention *head;
  interval *entropy;                            /* of all heads */
  interval radius;                              /* max_i ||x_i|| */
  interval input_similarity, output_similarity; /* of X and of f(X), the block's output with its biases */
} spectrum_attention;

/* spectrum_attention_clear is due in every case. Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_attention_enclose(spectrum_attention *a, const attcert_layer *layer, const attcert_matrix *x,
                                          attcert_error *err);
void spectrum_attention_clear(spectrum_attention *a);

#endif
