#include "robust/ascent.h"

#include "base/gaussian.h"
#include "robust/values.h"

#include <string.h>

typedef struct {
  const network_steps *network;
  const robust_ball *ball;
  int label;
  attcert_matrix point, gradient, best; /* n x d */
  double least;
} ascent;

static size_t numbers(const ascent *a) {
  return (size_t)a->point.rows * (size_t)a->point.cols;
}

static attcert_status climb(ascent *a, int steps, attcert_error *err) {
  const ball_region *const region = &a->ball->region;
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i <= steps && status == ATTCERT_OK; i++) {
    double margin;
    status = robust_watch_report(a->ball->watch, (double)i / (steps + 1), err);
    if (status != ATTCERT_OK) break;
    ball_region_project(&a->point, a->ball->input, region);
    ball_region_enter(&a->point, a->ball->input, region);
    status = robust_values_margin(&margin, &a->label, &a->gradient, a->network, &a->point, err);
    if (status != ATTCERT_OK) break;
    if (margin < a->least) {
      a->least = margin;
      memcpy(a->best.data, a->point.data, numbers(a) * sizeof(double));
    }
    if (!ball_region_steepest(a->gradient.data, a->point.rows, a->point.cols, region)) break;
    /* long steps first, then shorter ones */
    const double length = region->radius * (0.5 * (steps - i) / steps + 0.02);
    for (size_t k = 0; k < numbers(a); k++) a->point.data[k] -= length * a->gradient.data[k];
  }
  return status;
}

/* Half the radius away in a direction of its own; the first one is the center. */
static void set_start(ascent *a, uint64_t seed, int start) {
  const ball_region *const region = &a->ball->region;
  double *const direction = a->gradient.data;
  memcpy(a->point.data, a->ball->input->data, numbers(a) * sizeof(double));
  if (start == 0) return;
  gaussian_fill(direction, seed, gaussian_stream("ascent") + (uint64_t)start, 0, numbers(a));
  if (!ball_region_steepest(direction, a->point.rows, a->point.cols, region)) return;
  for (size_t k = 0; k < numbers(a); k++) a->point.data[k] += 0.5 * region->radius * direction[k];
}

attcert_status robust_ascent_run(attcert_matrix *moved, double *margin, const network_steps *network,
                                 const robust_ball *ball, const robust_ascent *options, attcert_error *err) {
  const int n = ball->input->rows, d = ball->input->cols;
  ascent a = {.network = network, .ball = ball, .label = ball->label, .least = INFINITY};
  attcert_matrix *const all[] = {&a.point, &a.gradient, &a.best};
  attcert_status status = ATTCERT_OK;
  for (int k = 0; k < 3 && status == ATTCERT_OK; k++) status = attcert_matrix_init(all[k], n, d, err);
  /* the label is that of the center */
  if (status == ATTCERT_OK) status = robust_values_margin(&a.least, &a.label, NULL, network, ball->input, err);
  if (status == ATTCERT_OK) memcpy(a.best.data, ball->input->data, numbers(&a) * sizeof(double));
  for (int s = 0; s < options->starts && status == ATTCERT_OK; s++) {
    set_start(&a, options->seed, s);
    status = climb(&a, options->steps, err);
  }
  *moved = a.best;
  a.best = (attcert_matrix){0};
  *margin = a.least;
  for (int k = 0; k < 3; k++) attcert_matrix_clear(all[k]);
  return status;
}
