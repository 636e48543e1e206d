/* <w, y> of one part of a row, in the names of robust/operation/operation_normalize.h. With X the numbers that are
 * normalised, x less their mean or x, e = X - c, g = w gain, s = 1 / sqrt(w') = m + f c.e + sigma' and |s - m| <= S,
 * for any double q near g.c
 *
 *   <w, y> = s g.X + w.bias = m g.X + q (f c.e + sigma') + (g.c - q) (s - m) + g.e (s - m) + w.bias
 *         >= (m g + q f c).X - q f c.c - |q| sigma - (|g.c - q| + |g.e|) S + w.bias:
 *
 * the product g.e (s - m) of deviations is bounded along one direction. Where X is centered, h.X = (h - mean h).x.
 *
 * Roundings: g one; q dim + 2 of sum |g c|; h = m g + q f c four of |m g| + |q f c|, less its mean dim + 2 more, and of
 * that mean: gamma_{dim + 8} of both, times all that x is. What g.e misses is beside `deviation`. */
#include "base/arrays.h"
#include "linalg/rounding/upward.h"
#include "network/step_normalize.h"
#include "robust/operation/operation_normalize.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const step_lower *l;
  bool centered;
  int i, first, dim; /* row, first column and length of the part */
  const double *c;   /* [dim] */
  const operation_normalize_kept *kept;
  double *g, *h; /* [dim] */
  double *of_g;  /* [columns of the row]: symbols of g.e */
} normal_part;

static size_t entry_of(const normal_part *p, int a) {
  return (size_t)p->i * (size_t)p->l->in[0]->cols + (size_t)(p->first + a);
}

/* v less its mean, where numbers are centered; returns the mean of |v|, or 0. */
static double center(const normal_part *p, double *v) {
  double sum = 0.0, size = 0.0;
  for (int a = 0; a < p->dim && p->centered; a++) {
    sum += v[a];
    size += fabs(v[a]);
  }
  for (int a = 0; a < p->dim && p->centered; a++) v[a] -= sum / p->dim;
  return round_up_nonnegative(size / p->dim, p->dim + 1.0);
}

/* to := v L, over the symbols of the row, v [dim]. */
static void follow(double *to, const normal_part *p, const double *v) {
  const form_row *const row = &p->l->in[0]->row[p->i];
  const int columns = form_layout_columns(&row->layout);
  if (columns == 0) return;
  cblas_dgemv(CblasRowMajor, CblasTrans, p->dim, columns, 1.0, row->linear + (size_t)p->first * (size_t)columns,
              columns, v, 1, 0.0, to, 1);
}

/* |g.e|: the support of (g - mean) L, radii, and roundings: gamma_{dim + 6} of that product, of g - mean, and of what
 * the mean of x at the center, and c, are rounded by. p->h is g - mean g. */
static double deviation(const normal_part *p, double mean) {
  const form *const x = p->l->in[0];
  const double gamma = gamma_upper(p->dim + 6.0);
  double common = 0.0, missed = 0.0;
  for (int a = 0; a < p->dim; a++) common += fabs(x->center[entry_of(p, a)]);
  common = p->centered ? round_up_nonnegative(common / p->dim, p->dim + 1.0) : 0.0;
  for (int a = 0; a < p->dim; a++) {
    const size_t at = entry_of(p, a);
    missed += fabs(p->h[a]) * (x->radius[at] + gamma * x->support[at].magnitude) +
              gamma * (fabs(p->g[a]) + mean) * form_spread(x, p->i, p->first + a) +
              gamma * fabs(p->g[a]) * (fabs(x->center[at]) + common);
  }
  follow(p->of_g, p, p->h);
  const form_support support = form_support_of(p->of_g, &x->row[p->i].layout, p->l->symbols);
  return round_up_nonnegative(support.input + support.other + missed + UNDERFLOW_ALLOWANCE, 6.0 * p->dim + 12.0);
}

/* m g.X + q f c.X, in x: h, what it is rounded by, and q f c.c. */
static void lower_linear(normal_part *p, double q, double *to, double *constant) {
  const form *const x = p->l->in[0];
  const double m = p->kept->middle, f = p->kept->factor, gamma = gamma_upper(p->dim + 8.0);
  double missed = 0.0, common = 0.0;
  for (int a = 0; a < p->dim; a++) {
    p->h[a] = m * p->g[a] + q * f * p->c[a];
    const double size = fabs(m * p->g[a]) + fabs(q * f * p->c[a]);
    missed += size * step_execution_size(x, p->i, p->first + a);
    common += size;
  }
  for (int a = 0; a < p->dim && p->centered; a++) /* a number has its part of the mean */
    missed += common / p->dim * step_execution_size(x, p->i, p->first + a);
  center(p, p->h);
  for (int a = 0; a < p->dim; a++) to[entry_of(p, a)] = p->h[a];
  step_lower_add(constant, -upward_add(round_up_nonnegative(gamma * missed, 4.0 * p->dim + 8.0), UNDERFLOW_ALLOWANCE));
  const range square = {step_lower_dot(p->c, p->c, (size_t)p->dim, 1.0),
                        -step_lower_dot(p->c, p->c, (size_t)p->dim, -1.0)};
  step_lower_add(constant, -range_mul(range_mul(range_of(q), range_of(f)), square).hi);
}

static void lower_part(normal_part *p, const double *w, const step_normalization *of, const double *bias, double *to,
                       double *constant) {
  double q = 0.0, size = 0.0;
  for (int a = 0; a < p->dim; a++) {
    p->g[a] = w[a] * of->gain[p->first + a];
    p->h[a] = p->g[a];
    q += p->g[a] * p->c[a];
    size += fabs(p->g[a] * p->c[a]);
  }
  const double off = round_up_nonnegative(gamma_upper(p->dim + 2.0) * size, p->dim + 2.0) + UNDERFLOW_ALLOWANCE;
  const double e = deviation(p, center(p, p->h));
  lower_linear(p, q, to, constant);
  step_lower_add(constant, -upward_mul(fabs(q), p->kept->sigma));
  step_lower_add(constant, -upward_mul(upward_add(off, e), p->kept->all));
  if (bias != NULL) step_lower_add(constant, step_lower_dot(w, bias + p->first, (size_t)p->dim, 1.0));
}

static int most_columns(const form *f) {
  int most = 0;
  for (int i = 0; i < f->rows; i++) {
    const int columns = form_layout_columns(&f->row[i].layout);
    if (columns > most) most = columns;
  }
  return most;
}

attcert_status step_normalize_lower(step_lower *l, const step_normalization *of, const double *bias,
                                    attcert_error *err) {
  const form *const x = l->in[0];
  const size_t entries = (size_t)x->rows * (size_t)x->cols;
  normal_part p = {.l = l, .centered = of->centered, .dim = x->cols / of->parts};
  const array_table table = {
      {ARRAY(p.g, (size_t)p.dim), ARRAY(p.h, (size_t)p.dim), ARRAY(p.of_g, (size_t)most_columns(x))}};
  const attcert_status status = array_table_allocate(&table, err, "a normalized row along a direction");
  for (int number = 0; number < x->rows * of->parts && status == ATTCERT_OK; number++) {
    const int part = number % of->parts;
    p.i = number / of->parts;
    p.first = part * p.dim;
    p.kept = operation_normalize_kept_of(l->out, of->parts, p.i, part);
    p.c = operation_normalize_kept_center(l->out, of->parts, p.i, part);
    for (size_t b = 0; b < (size_t)l->count; b++) {
      const double *const w = l->from + b * entries + entry_of(&p, 0);
      bool any = false;
      for (int a = 0; a < p.dim; a++) any = any || w[a] != 0.0;
      if (any) lower_part(&p, w, of, bias, l->to[0] + b * entries, &l->constant[b]);
    }
  }
  array_table_release(&table);
  return status;
}
