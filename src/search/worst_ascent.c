#include "search/worst_ascent.h"

#include "base/arrays.h"
#include "linalg/norm/euclidean_norm.h"
#include "linalg/operator/lanczos.h"
#include "search/worst_gradient.h"
#include "search/worst_lbfgs.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* The current input and direction, and the next step. */
typedef struct {
  worst_attention *a;
  attcert_matrix *x, next;      /* n x d */
  const attcert_matrix *centre; /* of the region; NULL: 0 */
  const ball_region *region;
  double value;         /* ||J(x) u|| */
  double unit;          /* of steps: the tokens' root mean square length at the start, or distance from a centre */
  int inputs, outputs;  /* n d, n out_dim */
  double *u, *image;    /* unit; J u / scale */
  double *slope, *path; /* the gradient; the direction of the step */
  double *candidate;    /* scratch: another direction, or a position */
  worst_lbfgs past;
} ascent;

static array_table arrays_of(ascent *s, size_t inputs, size_t outputs) {
  return (array_table){{
      ARRAY(s->next.data, inputs),
      ARRAY(s->u, inputs),
      ARRAY(s->slope, inputs),
      ARRAY(s->path, inputs),
      ARRAY(s->candidate, inputs),
      ARRAY(s->image, outputs),
  }};
}

uint64_t worst_ascent_bytes(const attcert_layer *layer, int n) {
  ascent s;
  const size_t inputs = (size_t)n * (size_t)layer->dim, outputs = (size_t)n * (size_t)layer->out_dim;
  const array_table arrays = arrays_of(&s, inputs, outputs);
  return array_table_bytes(&arrays) + worst_lbfgs_doubles((int)inputs) * sizeof(double);
}

static attcert_status ascent_init(ascent *s, worst_attention *a, attcert_matrix *x, const attcert_matrix *centre,
                                  const ball_region *region, attcert_error *err) {
  const size_t inputs = (size_t)x->rows * (size_t)x->cols, outputs = (size_t)x->rows * (size_t)a->layer->out_dim;
  *s = (ascent){.a = a, .x = x, .centre = centre, .region = region, .inputs = (int)inputs, .outputs = (int)outputs};
  s->next = (attcert_matrix){x->rows, x->cols, NULL};
  const array_table arrays = arrays_of(s, inputs, outputs);
  const attcert_status status = array_table_allocate(&arrays, err, "the ascent of %d tokens", x->rows);
  return status == ATTCERT_OK ? worst_lbfgs_init(&s->past, (int)inputs, err) : status;
}

static void ascent_clear(ascent *s) {
  const array_table arrays = arrays_of(s, 0, 0);
  array_table_release(&arrays);
  worst_lbfgs_clear(&s->past);
}

/* ---- the direction ----------------------------------------------------------------------------------------------- */

/* ||J u||, with J u / scale left in image. */
static double jvp_norm(const ascent *s, const double *u) {
  const linear_operator jacobian = worst_attention_jacobian(s->a);
  jacobian.apply(jacobian.context, s->image, u, false);
  return euclidean_norm(s->image, s->outputs) * s->a->scale;
}

/* The products J^T J of Lanczos square the scale of J: brought near 1 first, by a direction that is
 * unlikely to be a singular vector. */
static void set_scale(ascent *s) {
  int exponent;
  for (int i = 0; i < s->inputs; i++) s->candidate[i] = 1.0 + (double)(i % 7) / 7.0;
  euclidean_normalize(s->candidate, s->inputs);
  s->a->scale = 1.0;
  const double value = fmax(jvp_norm(s, s->candidate), s->value);
  if (!(value > 0.0) || !isfinite(value)) return;
  frexp(value, &exponent);
  s->a->scale = ldexp(1.0, exponent > 1000 ? 1000 : exponent < -1000 ? -1000 : exponent);
}

/* Lanczos at x, which a has evaluated; keeps the better direction. */
static attcert_status find_direction(ascent *s, attcert_error *err) {
  double sigma;
  set_scale(s);
  const linear_operator jacobian = worst_attention_jacobian(s->a);
  const attcert_status status = lanczos_top(s->candidate, &sigma, &jacobian, NULL, err);
  sigma *= s->a->scale;
  if (status == ATTCERT_OK && !(s->value >= sigma)) {
    s->value = sigma; /* NaN too: the caller checks */
    memcpy(s->u, s->candidate, (size_t)s->inputs * sizeof(double));
  }
  return status;
}

/* A few power iterations from u at x. */
static void improve_direction(ascent *s) {
  enum { ITERATIONS = 2 };
  const linear_operator jacobian = worst_attention_jacobian(s->a);
  for (int i = 0; i < ITERATIONS; i++) {
    jvp_norm(s, s->u);
    if (!euclidean_normalize(s->image, s->outputs)) return;
    jacobian.apply(jacobian.context, s->candidate, s->image, true);
    if (!euclidean_normalize(s->candidate, s->inputs)) return;
    const double value = jvp_norm(s, s->candidate);
    if (!(value > s->value)) return;
    s->value = value;
    memcpy(s->u, s->candidate, (size_t)s->inputs * sizeof(double));
  }
}

/* ---- the input --------------------------------------------------------------------------------------------------- */

/* next := x + step unit path, projected. The value there, for the same direction. */
static double try_step(ascent *s, double step) {
  memcpy(s->next.data, s->x->data, (size_t)s->inputs * sizeof(double));
  cblas_daxpy(s->inputs, step * s->unit, s->path, 1, s->next.data, 1);
  ball_region_project(&s->next, s->centre, s->region);
  worst_attention_evaluate(s->a, s->next.data);
  return jvp_norm(s, s->u);
}

static void accept(ascent *s, double value) {
  double *const old = s->x->data;
  s->x->data = s->next.data;
  s->next.data = old;
  s->value = value;
}

/* slope := the gradient of log ||J(X) U|| in X / unit; false when there is none. */
static bool find_slope(ascent *s) {
  jvp_norm(s, s->u);
  if (!euclidean_normalize(s->image, s->outputs)) return false;
  worst_gradient(s->slope, s->a, s->u, s->image);
  for (int i = 0; i < s->inputs; i++) s->slope[i] = s->slope[i] / s->value * s->unit;
  ball_region_keep_tangent(s->slope, s->x, s->centre, s->region);
  const double norm = euclidean_norm(s->slope, s->inputs);
  return norm > 1e-12 && isfinite(norm);
}

/* The first step along path, from the longest down, that raises the value. Leaves a at x. */
static bool search_path(ascent *s) {
  static const double SHORTEST = 1e-9; /* as the path */
  const double length = euclidean_norm(s->path, s->inputs), longest = sqrt((double)s->x->rows);
  for (double step = fmin(1.0, longest / length); step * length >= SHORTEST; step /= 3.0) {
    const double value = try_step(s, step);
    if (value > s->value * (1.0 + 1e-12) && isfinite(value)) {
      accept(s, value);
      return true;
    }
  }
  worst_attention_evaluate(s->a, s->x->data);
  return false;
}

/* One step, along the L-BFGS direction or, where that fails, the gradient; false when neither helps. */
static bool ascend_once(ascent *s) {
  if (!find_slope(s)) return false;
  for (int i = 0; i < s->inputs; i++) s->candidate[i] = s->x->data[i] / s->unit;
  worst_lbfgs_direction(s->path, &s->past, s->candidate, s->slope);
  ball_region_keep_tangent(s->path, s->x, s->centre, s->region);
  if (search_path(s)) return true;
  if (s->past.count == 0) return false;
  worst_lbfgs_reset(&s->past);
  memcpy(s->path, s->slope, (size_t)s->inputs * sizeof(double));
  return search_path(s);
}

/* A step of sqrt(n) of these reaches the sphere of the Euclidean ball that holds the region around a centre. */
static double unit_of(const ascent *s) {
  const double root = sqrt((double)s->x->rows), length = euclidean_norm(s->x->data, s->inputs) / root;
  const double radius = ball_region_hull(s->region, s->x->rows, s->x->cols).radius;
  if (s->centre != NULL) return ball_region_kind(s->region)->each ? radius : radius / root;
  return length > 0.0 ? length : radius;
}

/* From a direction that Lanczos found; again from a better one where X is stuck, as the power
 * iteration may have missed it. */
static attcert_status ascend(ascent *s, worst_ascent *report, int steps, attcert_error *err) {
  s->unit = unit_of(s);
  worst_attention_evaluate(s->a, s->x->data);
  attcert_status status = find_direction(s, err);
  report->before = s->value;
  while (status == ATTCERT_OK && isfinite(s->value)) {
    const double level = s->value;
    while (report->steps < steps && ascend_once(s)) {
      improve_direction(s);
      report->steps++;
    }
    status = find_direction(s, err);
    if (report->steps >= steps || s->value <= level * (1.0 + 1e-6)) break;
    worst_lbfgs_reset(&s->past);
  }
  report->after = s->value;
  return status;
}

attcert_status worst_ascend(attcert_matrix *x, double *direction, worst_ascent *report, worst_attention *a,
                            const attcert_matrix *centre, const ball_region *region, int steps, attcert_error *err) {
  ascent s;
  *report = (worst_ascent){0};
  attcert_status status = ascent_init(&s, a, x, centre, region, err);
  if (status == ATTCERT_OK) status = ascend(&s, report, steps, err);
  if (status == ATTCERT_OK && direction != NULL) memcpy(direction, s.u, (size_t)s.inputs * sizeof(double));
  ascent_clear(&s);
  a->scale = 1.0;
  return status;
}
