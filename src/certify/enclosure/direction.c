#include "certify/enclosure/direction.h"

#include "certify/enclosure/direction_heads.h"
#include "certify/enclosure/direction_image.h"
#include "certify/enclosure/direction_norm.h"
#include "certify/enclosure/projection.h"

/* dq, dk, dv: the direction through the projections. */
static attcert_status project_direction(derivative *t, int threads, attcert_error *err) {
  const layer_enclosure *const e = t->e;
  const projection_shape shape = {e->n, e->dim, e->heads, e->head_dim, e->precision, threads};
  attcert_status status = projection_enclosure(t->dq, t->layer->query_weight, NULL, t->u, &shape, err);
  if (status == ATTCERT_OK) status = projection_enclosure(t->dk, t->layer->key_weight, NULL, t->u, &shape, err);
  if (status == ATTCERT_OK) status = projection_enclosure(t->dv, t->layer->value_weight, NULL, t->u, &shape, err);
  return status;
}

attcert_status direction_enclosure(interval *ratio, const attcert_layer *layer, const layer_enclosure *e,
                                   const double *u, int threads, attcert_error *err) {
  derivative t;
  attcert_status status = derivative_init(&t, ratio, layer, e, u, err);
  if (status == ATTCERT_OK) status = project_direction(&t, threads, err);
  if (status == ATTCERT_OK) {
    direction_heads(&t, threads);
    direction_image(&t, threads);
    direction_squares(&t, threads);
    status = direction_norm_ratio(&t, err);
  }
  derivative_clear(&t);
  return status;
}

bool direction_is_narrow(const interval *ratio) {
  mpfr_t width;
  mpfr_init2(width, 64);
  mpfr_sub(width, ratio->hi, ratio->lo, MPFR_RNDU);
  mpfr_mul_2ui(width, width, 50, MPFR_RNDU);
  const bool narrow = mpfr_number_p(width) && mpfr_cmp(width, ratio->lo) <= 0;
  mpfr_clear(width);
  return narrow;
}
