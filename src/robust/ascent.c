#include "robust/ascent.h"

#include "base/gaussian.h"
#include "linalg/euclidean_norm.h"
#include "linalg/rounding.h"
#include "robust/values.h"

#include <string.h>

typedef struct {
  const robust_network *network;
  const robust_ball *ball;
  int label;
  size_t count;                               /* n d */
  attcert_matrix point, gradient, step, best; /* n x d; step: point - X */
  double least;
} ascent;

static bool moves(const robust_ball *ball, int word) {
  for (int w = 0; w < ball->word_count; w++) {
    if (ball->words[w] == word) return true;
  }
  return false;
}

bool robust_ascent_within(const attcert_matrix *moved, const robust_ball *ball) {
  const size_t d = (size_t)moved->cols;
  double squares = 0.0;
  for (size_t i = 0; i < (size_t)moved->rows * d; i++) {
    const double difference = moved->data[i] - ball->input->data[i];
    if (difference != 0.0 && !moves(ball, (int)(i / d))) return false;
    squares += difference * difference;
  }
  /* the difference has one rounding, its square two more */
  const double count = (double)moved->rows * (double)d;
  return round_up_nonnegative(sqrt(round_up_nonnegative(squares, count + 3.0)), 2.0) <= ball->radius;
}

/* The words that do not move lose their part. */
static void keep_words(attcert_matrix *a, const robust_ball *ball) {
  const size_t d = (size_t)a->cols;
  for (int i = 0; i < a->rows; i++) {
    if (!moves(ball, i)) memset(a->data + (size_t)i * d, 0, d * sizeof(double));
  }
}

/* point = X + step, the step shortened until the point is inside. */
static void place(ascent *a) {
  const double radius = a->ball->radius, norm = euclidean_norm(a->step.data, (int)a->count);
  double factor = norm > radius ? radius / norm : 1.0;
  for (int i = 0; i < 60; i++) {
    for (size_t k = 0; k < a->count; k++) {
      a->step.data[k] *= factor;
      a->point.data[k] = a->ball->input->data[k] + a->step.data[k];
    }
    if (robust_ascent_within(&a->point, a->ball)) return;
    factor = 1.0 - ldexp(0x1p-40, i);
  }
  memcpy(a->point.data, a->ball->input->data, a->count * sizeof(double));
}

static attcert_status climb(ascent *a, int steps, attcert_error *err) {
  const double radius = a->ball->radius;
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i <= steps && status == ATTCERT_OK; i++) {
    double margin;
    place(a);
    status = robust_values_margin(&margin, &a->label, &a->gradient, a->network, &a->point, err);
    if (status != ATTCERT_OK) break;
    if (margin < a->least) {
      a->least = margin;
      memcpy(a->best.data, a->point.data, a->count * sizeof(double));
    }
    keep_words(&a->gradient, a->ball);
    if (!euclidean_normalize(a->gradient.data, (int)a->count)) break;
    /* long steps first, then shorter ones */
    const double length = radius * (0.5 * (steps - i) / steps + 0.02);
    for (size_t k = 0; k < a->count; k++) a->step.data[k] -= length * a->gradient.data[k];
  }
  return status;
}

static void random_start(ascent *a, uint64_t seed, int start) {
  gaussian_fill(a->step.data, seed, gaussian_stream("ascent") + (uint64_t)start, 0, a->count);
  keep_words(&a->step, a->ball);
  if (!euclidean_normalize(a->step.data, (int)a->count)) return;
  for (size_t k = 0; k < a->count; k++) a->step.data[k] *= 0.5 * a->ball->radius;
}

attcert_status robust_ascent_run(attcert_matrix *moved, double *margin, const robust_network *network,
                                 const robust_ball *ball, const robust_ascent *options, attcert_error *err) {
  const int n = ball->input->rows, d = ball->input->cols;
  ascent a = {.network = network, .ball = ball, .label = ball->label, .least = INFINITY};
  attcert_matrix *const all[] = {&a.point, &a.gradient, &a.step, &a.best};
  attcert_status status = ATTCERT_OK;
  a.count = (size_t)n * (size_t)d;
  for (int k = 0; k < 4 && status == ATTCERT_OK; k++) status = attcert_matrix_init(all[k], n, d, err);
  /* the label is that of the center */
  if (status == ATTCERT_OK) status = robust_values_margin(&a.least, &a.label, NULL, network, ball->input, err);
  if (status == ATTCERT_OK) memcpy(a.best.data, ball->input->data, a.count * sizeof(double));
  for (int s = 0; s < options->starts && status == ATTCERT_OK; s++) {
    memset(a.step.data, 0, a.count * sizeof(double));
    if (s > 0) random_start(&a, options->seed, s);
    status = climb(&a, options->steps, err);
  }
  *moved = a.best;
  a.best = (attcert_matrix){0};
  *margin = a.least;
  for (int k = 0; k < 4; k++) attcert_matrix_clear(all[k]);
  return status;
}
