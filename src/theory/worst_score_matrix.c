/* T10: A = -(z/R^2) g g^T, x_1 = R e, x_2 = -R e and x_i = -R g for the others, with g orthogonal to e and
 * ||V e|| = ||V||. Rows i >= 3 give x_1 and x_2 the same weight p >= 1 / (2 + (n - 2) e^{-z}), and move by
 * sqrt(2) p z V e when x_1 and x_2 move by g / sqrt(2) and -g / sqrt(2). */
#include "theory/worst_score_matrix.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "theory/output_value_norm.h"
#include "theory/table_entry.h"
#include "theory/token_ball.h"

#include <stdio.h>

void worst_score_matrix(interval *bound, const interval *value, const interval *score, int n, interval_scratch *ws) {
  interval others, weight;
  interval_init(&others, THEORY_PRECISION);
  interval_init(&weight, THEORY_PRECISION);
  interval_set_si(&others, n - 2);
  interval_neg(bound, score);
  interval_exp(bound, bound);
  interval_set_si(&weight, 2);
  interval_fma(&weight, &others, bound, &weight, ws); /* 1 / p */
  interval_scale_2exp(bound, &others, 1);
  interval_sqrt(bound, bound);
  interval_mul(bound, bound, value, ws);
  interval_mul(bound, bound, score, ws);
  interval_div(bound, bound, &weight, ws);
  interval_clear(&weight);
  interval_clear(&others);
}

static const char *refusal(const attcert_layer *layer, int n) {
  if (layer->heads != 1) return "its inputs are for a single head";
  if (layer->dim < 2) return "needs tokens of two dimensions";
  return n < 3 ? "needs three tokens" : NULL;
}

static attcert_status evaluate_worst_score_matrix(theory_bound *entry, const theory_subject *s, attcert_error *err) {
  interval bound, value, score;
  interval_scratch ws;
  interval_init(&bound, THEORY_PRECISION);
  interval_init(&value, THEORY_PRECISION);
  interval_init(&score, THEORY_PRECISION);
  interval_scratch_init(&ws, THEORY_PRECISION);
  const attcert_status status = output_value_norm(&value, s->layer, err);
  if (status == ATTCERT_OK) {
    const double radius = s->radius > 0 ? s->radius : token_ball_radius(s->x, NULL);
    char rest[96];
    snprintf(rest, sizeof rest, "n = %d, for the worst A of this norm, without biases", s->x->rows);
    interval_set_d(&score, radius);
    interval_sqr(&score, &score, &ws);
    interval_mul(&score, &score, &s->norms->head[0].score, &ws);
    worst_score_matrix(&bound, &value, &score, s->x->rows, &ws);
    table_entry_set(entry, &bound);
    table_entry_say_ball(entry, radius, false, rest);
  }
  interval_scratch_clear(&ws);
  interval_clear(&score);
  interval_clear(&value);
  interval_clear(&bound);
  return status;
}

attcert_status worst_score_matrix_fill(theory_bound *entry, const theory_subject *s, attcert_error *err) {
  const char *const reason = refusal(s->layer, s->x->rows);
  if (reason == NULL) return evaluate_worst_score_matrix(entry, s, err);
  table_entry_refuse(entry, reason);
  return ATTCERT_OK;
}
