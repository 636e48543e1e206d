/* See theory.h. */
#include "theory/theory.h"

#include "linalg/blas/blas_probe.h"
#include "theory/ball_table.h"
#include "theory/distribution_bound.h"
#include "theory/lower_bound.h"
#include "theory/pointwise_bound.h"
#include "theory/worst_score_matrix.h"

#include <math.h>

static attcert_status evaluate_all(theory_table *table, const theory_subject *s, attcert_error *err) {
  attcert_status status = ball_table_fill_plain(table->bound, s, err);
  if (status == ATTCERT_OK) status = lower_bound_fill(&table->bound[THEORY_T3], s, err);
  if (status == ATTCERT_OK) status = pointwise_bound_fill(&table->bound[THEORY_T6], s, err);
  if (status == ATTCERT_OK) status = distribution_bound_fill(&table->bound[THEORY_T7], s, err);
  if (status == ATTCERT_OK) status = worst_score_matrix_fill(&table->bound[THEORY_T10], s, err);
  return status;
}

attcert_status theory_evaluate(theory_table *table, const attcert_layer *layer, const layer_norms *norms,
                               const attcert_matrix *x, const layer_enclosure *e, double radius, attcert_error *err) {
  if (!(radius >= 0 && radius < INFINITY))
    return attcert_fail(err, ATTCERT_INPUT, "radius %g, expected a positive number, or 0 for what holds the tokens",
                        radius);
  for (int i = 0; i < THEORY_COUNT; i++) table->bound[i].available = false;
  const theory_subject subject = {layer, x, e, norms, radius};
  const attcert_status status = blas_probe_once(err);
  return status == ATTCERT_OK ? evaluate_all(table, &subject, err) : status;
}
