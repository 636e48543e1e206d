#include "theory/worst_ascent.h"

#include "certify/lanczos.h"
#include "theory/worst_ball.h"
#include "theory/worst_gradient.h"
#include "theory/worst_normalise.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the ascent is, and what the next step may become. */
typedef struct {
  worst_attention *a;
  attcert_matrix *x, next;   /* n x d */
  double radius, value;      /* value = ||J(x) u|| */
  double step;               /* of the next trial, in units of the ball's size sqrt(n) R */
  int inputs, outputs;       /* n d, n out_dim */
  double *u, *image;         /* unit; J u / scale */
  double *candidate, *slope; /* another direction; the gradient */
} ascent;

static bool ascent_init(ascent *s, worst_attention *a, attcert_matrix *x, double radius) {
  const size_t inputs = (size_t)x->rows * (size_t)x->cols, outputs = (size_t)x->rows * (size_t)a->layer->out_dim;
  *s = (ascent){.a = a, .x = x, .radius = radius, .step = 0.25, .inputs = (int)inputs, .outputs = (int)outputs};
  s->next = (attcert_matrix){x->rows, x->cols, malloc(inputs * sizeof(double))};
  s->u = calloc(inputs, sizeof(double));
  s->image = malloc(outputs * sizeof(double));
  s->candidate = malloc(inputs * sizeof(double));
  s->slope = malloc(inputs * sizeof(double));
  return s->next.data != NULL && s->u != NULL && s->image != NULL && s->candidate != NULL && s->slope != NULL;
}

static void ascent_clear(ascent *s) {
  free(s->next.data);
  free(s->u);
  free(s->image);
  free(s->candidate);
  free(s->slope);
}

/* ---- the direction ------------------------------------------------------------------------------------------------------ */

/* ||J u||, with J u / scale left in image. */
static double stretch(const ascent *s, const double *u) {
  const linear_operator jacobian = worst_attention_jacobian(s->a);
  jacobian.apply(jacobian.context, s->image, u, false);
  return cblas_dnrm2(s->outputs, s->image, 1) * s->a->scale;
}

/* The products J^T J of Lanczos square the scale of J: brought near 1 first, by a direction that is no singular vector of note. */
static void set_scale(ascent *s) {
  int exponent;
  for (int i = 0; i < s->inputs; i++) s->candidate[i] = 1.0 + (double)(i % 7) / 7.0;
  worst_normalise(s->candidate, s->inputs);
  s->a->scale = 1.0;
  const double value = fmax(stretch(s, s->candidate), s->value);
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
    s->value = sigma; /* NaN too: the caller sees it */
    memcpy(s->u, s->candidate, (size_t)s->inputs * sizeof(double));
  }
  return status;
}

/* A few power iterations from u at x. */
static void improve_direction(ascent *s) {
  enum { ITERATIONS = 3 };
  const linear_operator jacobian = worst_attention_jacobian(s->a);
  for (int i = 0; i < ITERATIONS; i++) {
    stretch(s, s->u);
    if (!worst_normalise(s->image, s->outputs)) return;
    jacobian.apply(jacobian.context, s->candidate, s->image, true);
    if (!worst_normalise(s->candidate, s->inputs)) return;
    const double value = stretch(s, s->candidate);
    if (!(value > s->value)) return;
    s->value = value;
    memcpy(s->u, s->candidate, (size_t)s->inputs * sizeof(double));
  }
}

/* ---- the input ---------------------------------------------------------------------------------------------------------- */

/* next := x + step sqrt(n) R slope, projected; slope is unit. The value there, for the same direction. */
static double try_step(ascent *s) {
  const double size = s->step * sqrt((double)s->x->rows) * s->radius;
  memcpy(s->next.data, s->x->data, (size_t)s->inputs * sizeof(double));
  cblas_daxpy(s->inputs, size, s->slope, 1, s->next.data, 1);
  worst_ball_project(&s->next, s->radius);
  worst_attention_evaluate(s->a, s->next.data);
  return stretch(s, s->u);
}

static void accept(ascent *s, double value) {
  double *const old = s->x->data;
  s->x->data = s->next.data;
  s->next.data = old;
  s->value = value;
}

/* One step; false when no size of step helps. Leaves a at x. */
static bool climb_once(ascent *s) {
  static const double LARGEST = 4.0, SMALLEST = 1e-9;
  stretch(s, s->u);
  if (!worst_normalise(s->image, s->outputs)) return false;
  worst_gradient(s->slope, s->a, s->u, s->image);
  if (!worst_normalise(s->slope, s->inputs)) return false;
  for (; s->step >= SMALLEST; s->step /= 4.0) {
    const double value = try_step(s);
    if (value > s->value * (1.0 + 1e-12) && isfinite(value)) {
      accept(s, value);
      s->step = fmin(2.0 * s->step, LARGEST);
      return true;
    }
  }
  worst_attention_evaluate(s->a, s->x->data);
  return false;
}

/* From a direction that Lanczos found; again from a better one where X is stuck, as the power iteration may have missed it. */
static attcert_status climb(ascent *s, worst_climb *report, int steps, attcert_error *err) {
  worst_attention_evaluate(s->a, s->x->data);
  attcert_status status = find_direction(s, err);
  report->before = s->value;
  while (status == ATTCERT_OK && isfinite(s->value)) {
    const double level = s->value;
    while (report->steps < steps && climb_once(s)) {
      improve_direction(s);
      report->steps++;
    }
    status = find_direction(s, err);
    if (report->steps >= steps || s->value <= level * (1.0 + 1e-6)) break;
    s->step = 0.25;
  }
  report->after = s->value;
  return status;
}

attcert_status worst_ascend(attcert_matrix *x, worst_climb *report, worst_attention *a, double radius, int steps,
                            attcert_error *err) {
  ascent s;
  *report = (worst_climb){0};
  attcert_status status;
  if (ascent_init(&s, a, x, radius))
    status = climb(&s, report, steps, err);
  else
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the ascent of %d tokens", x->rows);
  ascent_clear(&s);
  a->scale = 1.0;
  return status;
}
