#include "ball_case.h"

#include "slow_head.h"
#include "theory/layer_norms.h"
#include "theory/output_value_norm.h"

#include <math.h>
#include <stdlib.h>

enum { PRECISION = 128 };

static void random_region(ball_case *c, double radius, random_source *r) {
  const int n = c->layer.x.rows;
  c->moves = calloc((size_t)n, sizeof *c->moves);
  if (c->moves == NULL) abort();
  c->region = (ball_region){.radius = radius * random_uniform(r, 0.2, 1.0),
                            .kind = random_chance(r, 0.5) ? BALL_SEQUENCE : BALL_TOKEN};
  c->moves[random_integer(r, 0, n - 1)] = true;
  for (int i = 0; i < n; i++) c->moves[i] = c->moves[i] || random_chance(r, 0.4);
  if (random_chance(r, 0.5)) c->region.moves = c->moves;
}

void ball_case_init(ball_case *c, double radius, random_source *r) {
  const layer_shape shape = {.n = random_integer(r, 1, 5),
                             .dim = random_integer(r, 1, 4),
                             .heads = 1,
                             .head_dim = random_integer(r, 1, 3),
                             .out_dim = random_chance(r, 0.5) ? 0 : random_integer(r, 1, 4),
                             .biases = random_chance(r, 0.5),
                             .mask = random_chance(r, 0.3) ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE};
  layer_norms norms;
  interval value;
  interval_init(&value, PRECISION);
  layer_case_init_gaussian(&c->layer, &shape, r);
  if (random_chance(r, 0.3)) { /* tokens close to each other: what the ball adds is more than what is at X */
    for (int i = 0; i < shape.n * shape.dim; i++) c->layer.x.data[i] *= 0x1p-8;
  }
  random_region(c, radius, r);
  const attcert_layer *const l = &c->layer.layer;
  if (layer_enclosure_init(&c->enclosure, l, &c->layer.x, PRECISION, 1, NULL) != ATTCERT_OK ||
      ball_products_init(&c->products, l, &c->enclosure, 0, 1, NULL) != ATTCERT_OK ||
      ball_geometry_init(&c->geometry, &c->products, &c->region, 1, NULL) != ATTCERT_OK ||
      layer_norms_init(&norms, l, NULL) != ATTCERT_OK || output_value_norm(&value, l, NULL) != ATTCERT_OK)
    abort();
  mpfr_set(c->geometry.score, norms.head[0].score.hi, MPFR_RNDU);
  mpfr_set(c->geometry.value, value.hi, MPFR_RNDU);
  layer_norms_clear(&norms);
  interval_clear(&value);
}

void ball_case_clear(ball_case *c) {
  ball_geometry_clear(&c->geometry);
  ball_products_clear(&c->products);
  layer_enclosure_clear(&c->enclosure);
  layer_case_clear(&c->layer);
  free(c->moves);
}

void ball_case_displacement(long double *e, const ball_case *c, const long double *direction, random_source *r) {
  const size_t n = (size_t)c->layer.x.rows, d = (size_t)c->layer.x.cols;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < d; k++) {
      const long double entry = direction != NULL ? direction[i * d + k] : (long double)random_gaussian(r);
      e[i * d + k] = ball_region_moves(&c->region, (int)i) ? entry : 0.0L;
    }
  }
  const bool together = c->region.kind == BALL_SEQUENCE;
  const size_t group = together ? n * d : d;
  for (size_t first = 0; first < n * d; first += group) {
    const long double length = slow_norm(e + first, group);
    for (size_t k = first; k < first + group && length > 0; k++) e[k] *= (long double)c->region.radius / length;
  }
}

void ball_case_moved(long double *x, const ball_case *c, const long double *e) {
  const size_t count = (size_t)c->layer.x.rows * (size_t)c->layer.x.cols;
  for (size_t i = 0; i < count; i++) x[i] = (long double)c->layer.x.data[i] + (e != NULL ? e[i] : 0.0L);
}
