/* T3: any real eigenvalue lambda of A with unit eigenvector u gives a lower bound, with gamma = lambda / 8 at
 * X = R (u, u/2, ..., u/2), and with gamma = -lambda at X = R (-u, u, ..., u): moving x_1 alone, each of the n - 1
 * equal rows moves by p V (I + c u u^T), c >= 0, p = 1 / (1 + (n - 1) e^{-2 R^2 gamma}), and
 * ||V (I + c u u^T)|| >= ||V||. */
#include "theory/lower_bound.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "theory/output_value_norm.h"
#include "theory/score_eigenvalue.h"
#include "theory/table_entry.h"
#include "theory/token_ball.h"

#include <stdio.h>

void lower_bound(interval *bound, const interval *value, const interval *gamma, double radius, int n,
                 interval_scratch *ws) {
  interval others, weight;
  interval_init(&others, THEORY_PRECISION);
  interval_init(&weight, THEORY_PRECISION);
  interval_set_si(&others, n - 1);
  interval_set_d(bound, radius);
  interval_sqr(bound, bound, ws);
  interval_mul(bound, bound, gamma, ws);
  interval_scale_2exp(bound, bound, 1);
  interval_neg(bound, bound);
  interval_exp(bound, bound);
  interval_set_si(&weight, 1);
  interval_fma(&weight, &others, bound, &weight, ws); /* 1 / p */
  interval_sqrt(bound, &others);
  interval_mul(bound, bound, value, ws);
  interval_div(bound, bound, &weight, ws);
  interval_clear(&weight);
  interval_clear(&others);
}

static const char *refusal(const attcert_layer *layer, int n) {
  if (layer->mask != ATTCERT_MASK_NONE) return "its inputs are for attention without a mask";
  if (layer->heads != 1) return "its inputs are for a single head";
  if (n < 2) return "needs two tokens";
  for (int r = 0; layer->query_bias != NULL && r < layer->head_dim; r++) {
    if (layer->query_bias[r] != 0) return "its inputs are for a layer without query bias";
  }
  return NULL;
}

static attcert_status evaluate_lower_bound(theory_bound *entry, const theory_subject *s, const interval *gamma,
                                           attcert_error *err) {
  interval bound, value;
  interval_scratch ws;
  interval_init(&bound, THEORY_PRECISION);
  interval_init(&value, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  const attcert_status status = output_value_norm(&value, s->layer, err);
  if (status == ATTCERT_OK) {
    const double radius = s->radius > 0 ? s->radius : token_ball_radius(s->x, NULL);
    char rest[64];
    snprintf(rest, sizeof rest, "n = %d, at an input made for it", s->x->rows);
    lower_bound(&bound, &value, gamma, radius, s->x->rows, &ws);
    table_entry_set(entry, &bound);
    table_entry_say_ball(entry, radius, false, rest);
  }
  interval_scratch_clear(&ws);
  interval_clear(&value);
  interval_clear(&bound);
  return status;
}

attcert_status lower_bound_fill(theory_bound *entry, const theory_subject *s, attcert_error *err) {
  const char *const reason = refusal(s->layer, s->x->rows);
  if (reason != NULL) {
    table_entry_refuse(entry, reason);
    return ATTCERT_OK;
  }
  bool found;
  interval gamma;
  interval_init(&gamma, THEORY_PRECISION);
  attcert_status status = score_eigenvalue_gamma(&found, &gamma, s->layer, err);
  if (status == ATTCERT_OK && found && mpfr_sgn(gamma.lo) > 0)
    status = evaluate_lower_bound(entry, s, &gamma, err);
  else if (status == ATTCERT_OK)
    table_entry_refuse(entry, "no real eigenvalue of K^T Q could be verified");
  interval_clear(&gamma);
  return status;
}
