#include "ball/ball.h"

#include "ball/ball_lower.h"
#include "ball/ball_upper.h"
#include "base/byte_text.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "certify/plan.h"
#include "theory/theory_refuted.h"
#include "theory/token_ball.h"

#include <math.h>
#include <string.h>

enum { LAYER_PRECISION = 128 }; /* bits of the layer, at least: deviations from a mean cancel */

void ball_enclosure_init(ball_enclosure *b) {
  *b = (ball_enclosure){.upper_by = "T11"};
  mpfr_inits2(53, b->lower, b->upper, (mpfr_ptr)0);
  theory_table_init(&b->bounds);
}

void ball_enclosure_clear(ball_enclosure *b) {
  mpfr_clears(b->lower, b->upper, (mpfr_ptr)0);
  theory_table_clear(&b->bounds);
  attcert_matrix_clear(&b->x);
}

static attcert_status check_region(const ball_region *region, int n, attcert_error *err) {
  if (!(region->radius >= 0.0 && region->radius < INFINITY))
    return attcert_fail(err, ATTCERT_INPUT, "radius of the ball: %g, expected a finite number >= 0", region->radius);
  if (ball_region_count(region, n) == 0)
    return attcert_fail(err, ATTCERT_INPUT, "words of the ball: none of the %d tokens moves, expected at least one", n);
  return ATTCERT_OK;
}

static attcert_status check_memory(const attcert_layer *layer, int n, int precision, const attcert_options *options,
                                   attcert_error *err) {
  const uint64_t memory = plan_memory(options);
  const uint64_t above = layer_enclosure_bytes(layer, n, precision) + ball_growth_bytes(layer, n, precision);
  const uint64_t below = ball_lower_bytes(layer, n), needed = above > below ? above : below;
  char text[BYTE_TEXT_SIZE], limit[BYTE_TEXT_SIZE];
  if (needed <= memory) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE, "the ball needs %s, %s may be used", byte_text(text, needed),
                      byte_text(limit, memory));
}

/* Every X' of the region has tokens no longer than the longest of X by more than the radius. */
static attcert_status take_theory(ball_enclosure *b, const attcert_layer *layer, const layer_norms *norms,
                                  const attcert_matrix *x, const layer_enclosure *e, double eps, attcert_error *err) {
  const double radius = nextafter(token_ball_radius(x, NULL) + eps, INFINITY);
  if (!(radius < INFINITY)) return ATTCERT_OK;
  const attcert_status status = theory_evaluate(&b->bounds, layer, norms, x, e, radius, err);
  const theory_bound *const least = status == ATTCERT_OK ? theory_smallest_on_ball(&b->bounds) : NULL;
  if (least != NULL && mpfr_less_p(least->value, b->upper)) {
    mpfr_set(b->upper, least->value, MPFR_RNDU);
    b->upper_by = least->id;
  }
  return status;
}

static attcert_status bound_above(ball_enclosure *b, const attcert_layer *layer, const layer_norms *norms,
                                  const attcert_matrix *x, const attcert_certificate *point, const ball_region *region,
                                  int precision, const attcert_options *options, attcert_error *err) {
  layer_enclosure e;
  attcert_status status = layer_enclosure_init(&e, layer, x, precision, parallel_threads(options->threads), err);
  if (status != ATTCERT_OK) return status;
  const ball_region hull = ball_region_hull(region, x->rows, x->cols);
  mpfr_t growth;
  mpfr_init2(growth, 64);
  status = ball_growth(growth, layer, norms, &e, &hull, options, err);
  if (status == ATTCERT_OK) {
    mpfr_add(b->upper, point->upper, growth, MPFR_RNDU);
    status = take_theory(b, layer, norms, x, &e, hull.radius, err);
  }
  mpfr_clear(growth);
  layer_enclosure_clear(&e);
  return status;
}

attcert_status ball_enclose(ball_enclosure *b, const attcert_layer *layer, const layer_norms *norms,
                            const attcert_matrix *x, const attcert_certificate *point, const ball_region *region,
                            const attcert_options *options, attcert_error *err) {
  const double start = clock_seconds();
  const int precision = point->precision > LAYER_PRECISION ? point->precision : LAYER_PRECISION;
  attcert_matrix_clear(&b->x);
  mpfr_set(b->lower, point->lower, MPFR_RNDD);
  mpfr_set_inf(b->upper, 1);
  b->upper_by = "T11";
  attcert_status status = check_region(region, x->rows, err);
  if (status == ATTCERT_OK) status = attcert_layer_check(layer, x, err);
  if (status == ATTCERT_OK) status = check_memory(layer, x->rows, precision, options, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&b->x, x->rows, x->cols, err);
  if (status == ATTCERT_OK) {
    memcpy(b->x.data, x->data, (size_t)x->rows * (size_t)x->cols * sizeof(double));
    status = bound_above(b, layer, norms, x, point, region, precision, options, err);
  }
  if (status == ATTCERT_OK) status = ball_lower_improve(b->lower, &b->x, &b->steps, layer, x, region, options, err);
  b->seconds = clock_seconds() - start;
  if (status != ATTCERT_OK || mpfr_lessequal_p(b->lower, b->upper)) return status;
  return attcert_fail(err, ATTCERT_NEGATIVE, "the certified lower end on the ball exceeds the upper end by %s",
                      b->upper_by);
}
