/* See theory.h. */
#include "theory/theory.h"

#include "linalg/blas/blas_probe.h"
#include "theory/ball_table.h"
#include "theory/distribution_bound.h"
#include "theory/lower_bound.h"
#include "theory/pointwise_bound.h"
#include "theory/worst_score_matrix.h"

#include <math.h>

static const struct {
  const char *id, *title;
  bool lower;
} theorem[THEORY_COUNT] = {
    [THEORY_T1] = {"T1", "sqrt(n) bound [Castin et al., Theorem 3.3]", false},
    [THEORY_T2] = {"T2", "mean-field bound [Castin et al.]", false},
    [THEORY_T3] = {"T3", "lower bound on the ball [Castin et al.]", true},
    [THEORY_T4] = {"T4", "unified bound", false},
    [THEORY_T5] = {"T5", "mean-field bound under the mask, by Hardy's inequality", false},
    [THEORY_T6] = {"T6", "pointwise bound", false},
    [THEORY_T7] = {"T7", "bound by the spread of the weights [Yudin et al.]", false},
    [THEORY_T9] = {"T9", "sharp unified bound", false},
    [THEORY_T10] = {"T10", "lower bound for the worst A of this norm", true},
};

void theory_table_init(theory_table *table) {
  for (int i = 0; i < THEORY_COUNT; i++) {
    table->bound[i] = (theory_bound){.id = theorem[i].id, .title = theorem[i].title, .lower = theorem[i].lower};
    mpfr_init2(table->bound[i].value, 53);
  }
}

void theory_table_clear(theory_table *table) {
  for (int i = 0; i < THEORY_COUNT; i++) mpfr_clear(table->bound[i].value);
}

static attcert_status evaluate_all(theory_table *table, const theory_subject *s, attcert_error *err) {
  attcert_status status = ball_table_fill(table->bound, s, err);
  if (status == ATTCERT_OK) status = lower_bound_fill(&table->bound[THEORY_T3], s, err);
  if (status == ATTCERT_OK) status = pointwise_bound_fill(&table->bound[THEORY_T6], s, err);
  if (status == ATTCERT_OK) status = distribution_bound_fill(&table->bound[THEORY_T7], s, err);
  if (status == ATTCERT_OK) status = worst_score_matrix_fill(&table->bound[THEORY_T10], s, err);
  return status;
}

attcert_status theory_evaluate(theory_table *table, const attcert_layer *layer, const attcert_matrix *x,
                               const layer_enclosure *e, double radius, attcert_error *err) {
  layer_norms norms;
  if (!(radius >= 0 && radius < INFINITY))
    return attcert_fail(err, ATTCERT_INPUT, "radius %g, expected a positive number, or 0 for what holds the tokens",
                        radius);
  for (int i = 0; i < THEORY_COUNT; i++) table->bound[i].available = false;
  attcert_status status = blas_probe_once(err);
  if (status == ATTCERT_OK) status = layer_norms_init(&norms, layer, err);
  if (status != ATTCERT_OK) return status;
  const theory_subject subject = {layer, x, e, &norms, radius};
  status = evaluate_all(table, &subject, err);
  layer_norms_clear(&norms);
  return status;
}
