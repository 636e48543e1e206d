#include "ball_points.h"

#include "robust/ascent.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void ball_points_init(ball_points *p, const network_case *c) {
  *p = (ball_points){.c = c, .columns = c->word_count * c->x.cols};
  for (int k = 0; k < BALL_POINTS; k++) assert_non_null(p->eps[k] = calloc((size_t)p->columns, sizeof(double)));
}

void ball_points_clear(ball_points *p) {
  for (int k = 0; k < BALL_POINTS; k++) {
    if (p->value[k].value != NULL) network_values_clear(&p->value[k]);
    free(p->eps[k]);
  }
}

/* Of the words that the norm of the ball takes together. */
static int segment_size(const ball_points *p) {
  return ball_region_kind(&p->c->ball.region)->each ? p->c->x.cols : p->columns;
}

/* Adds a point of the ball: direction v scaled to `fraction` of the radius, all words together or each, rounded towards
 * 0 enough to stay inside. */
static void add_point(ball_points *p, const double *v, double fraction) {
  const ball_region *const region = &p->c->ball.region;
  const ball_norm *const norm = ball_region_kind(region)->norm;
  const int size = segment_size(p);
  if (p->points == BALL_POINTS || !(norm->length_upward(v, NULL, (size_t)p->columns) > 0.0)) return;
  double *const eps = p->eps[p->points++];
  for (int at = 0; at < p->columns; at += size) {
    const double length = norm->length_upward(v + at, NULL, (size_t)size);
    const double scale = length > 0.0 ? fraction * region->radius * (1.0 - 0x1p-40) / length : 0.0;
    /* with so few bits that X + eps is exact */
    for (int k = at; k < at + size; k++) eps[k] = ldexp(trunc(ldexp(scale * v[k], 48)), -48);
  }
}

void ball_points_add_extremes(ball_points *p, double *v) {
  const int size = segment_size(p);
  for (int at = 0; at < p->columns; at += size)
    ball_region_kind(&p->c->ball.region)->norm->steepest(v + at, (size_t)size);
  add_point(p, v, 1.0);
  for (int a = 0; a < p->columns; a++) v[a] = -v[a];
  add_point(p, v, 1.0);
}

void ball_points_add_attacked(ball_points *p) {
  attcert_matrix moved;
  double least;
  const robust_ascent ascent = {.steps = 15, .starts = 1, .seed = 7};
  assert_int_equal(robust_ascent_run(&moved, &least, &p->c->network, &p->c->ball, &ascent, NULL), ATTCERT_OK);
  double v[BALL_POINTS_COLUMNS];
  const size_t d = (size_t)p->c->x.cols;
  for (int k = 0; k < p->columns; k++) {
    const size_t at = (size_t)p->c->words[(size_t)k / d] * d + (size_t)k % d;
    v[k] = moved.data[at] - p->c->x.data[at];
  }
  add_point(p, v, 1.0);
  attcert_matrix_clear(&moved);
}

void ball_points_fill(ball_points *p, random_source *r) {
  double v[BALL_POINTS_COLUMNS];
  while (p->points < BALL_POINTS) {
    for (int k = 0; k < p->columns; k++) v[k] = random_gaussian(r);
    add_point(p, v, random_chance(r, 0.7) ? 1.0 : random_uniform(r, 0.0, 1.0));
  }
}

static void moved_input(attcert_matrix *x, const network_case *c, const double *eps) {
  assert_int_equal(attcert_matrix_init(x, c->x.rows, c->x.cols, NULL), ATTCERT_OK);
  const size_t d = (size_t)c->x.cols;
  memcpy(x->data, c->x.data, (size_t)c->x.rows * d * sizeof(double));
  for (int w = 0; w < c->word_count; w++) {
    for (size_t a = 0; a < d; a++) x->data[(size_t)c->words[w] * d + a] += eps[(size_t)w * d + a];
  }
}

void ball_points_evaluate(ball_points *p) {
  for (int k = 0; k < p->points; k++) {
    attcert_matrix x;
    moved_input(&x, p->c, p->eps[k]);
    network_values_init_paired(&p->value[k], &p->c->network, &p->c->pairs, &x);
    attcert_matrix_clear(&x);
  }
}
