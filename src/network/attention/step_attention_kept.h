/* What the forms of attention keep of each key of a head of a row, for the functionals of step_attention_lower.c, whose
 * names these are. */
#ifndef ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_KEPT_H
#define ATTCERT_NETWORK_ATTENTION_STEP_ATTENTION_KEPT_H

#include "network/attention/step_attention.h"

typedef struct {
  double weight; /* p_j */
  double slope;  /* of the line along the score curve; 1 without, 0 of a sink */
  double error;  /* >= |tau_j - slope a ((q + w) . (k'_j - k_j) + (k_j + u) . (q' - q))| */
  double reach;  /* >= |t_j| */
  double change; /* >= |P'_j - p_j| */
  range rest;    /* contains P'_j - p_j (1 + t_j) */
  double drift;  /* >= |sum_m p_m tau_m| */
} step_attention_kept;

/* Of the first key of head h in row i of an attention's form; `keys`: rows of the keys. */
static inline step_attention_kept *step_attention_kept_of(const form *f, const attention_heads *of, int i, int h,
                                                          int keys) {
  const size_t place = (size_t)i * (size_t)of->heads + (size_t)h;
  return (step_attention_kept *)f->kept + place * (size_t)attention_heads_weights(of, keys);
}

#endif
