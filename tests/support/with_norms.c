#include "with_norms.h"

#include "ball/ball_upper.h"

attcert_status theory_with_norms(theory_table *table, const attcert_layer *layer, const attcert_matrix *x,
                                 const layer_enclosure *e, double radius, attcert_error *err) {
  layer_norms norms;
  attcert_status status = layer_norms_init(&norms, layer, err);
  if (status == ATTCERT_OK) status = theory_evaluate(table, layer, &norms, x, e, radius, err);
  layer_norms_clear(&norms);
  return status;
}

attcert_status ball_with_norms(ball_enclosure *b, const attcert_layer *layer, const attcert_matrix *x,
                               const attcert_certificate *point, const ball_region *region,
                               const attcert_options *options, attcert_error *err) {
  layer_norms norms;
  attcert_status status = layer_norms_init(&norms, layer, err);
  if (status == ATTCERT_OK) status = ball_enclose(b, layer, &norms, x, point, region, options, err);
  layer_norms_clear(&norms);
  return status;
}

attcert_status growth_with_norms(mpfr_ptr growth, const attcert_layer *layer, const layer_enclosure *e,
                                 const ball_region *region, const attcert_options *options, attcert_error *err) {
  layer_norms norms;
  attcert_status status = layer_norms_init(&norms, layer, err);
  if (status == ATTCERT_OK) status = ball_growth(growth, layer, &norms, e, region, options, err);
  layer_norms_clear(&norms);
  return status;
}
