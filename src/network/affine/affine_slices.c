#include "network/affine/affine_slices.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_set.h"
#include "linalg/rounding/upward.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

enum { WEIGHT_SLICES = 3, INPUT_SLICES = 4 };

typedef struct {
  int rows, inner, cols;                               /* of y = x W^T: rows x inner times inner x cols */
  int bits;                                            /* beta */
  double *weight[WEIGHT_SLICES], *input[INPUT_SLICES]; /* [cols, inner], [rows, inner] */
  double *weight_rest, *input_size;                    /* [cols]: 2^(e_c - 3 beta - 1); [rows]: sum |x| + t */
  double *missed;                                      /* [rows, inner]: t */
  double *absolute, *radius, *product;                 /* |W|; [rows, cols] */
} slices;

static attcert_status allocate(slices *s, attcert_error *err) {
  const size_t rows = (size_t)s->rows, inner = (size_t)s->inner, cols = (size_t)s->cols;
  const array_table table = {{ARRAY(s->weight[0], cols, inner), ARRAY(s->weight[1], cols, inner),
                              ARRAY(s->weight[2], cols, inner), ARRAY(s->input[0], rows, inner),
                              ARRAY(s->input[1], rows, inner), ARRAY(s->input[2], rows, inner),
                              ARRAY(s->input[3], rows, inner), ARRAY(s->weight_rest, cols), ARRAY(s->input_size, rows),
                              ARRAY(s->missed, rows, inner), ARRAY(s->absolute, cols, inner),
                              ARRAY(s->radius, rows, cols), ARRAY(s->product, rows, cols)}};
  return array_table_allocate(&table, err, "slices of a %d x %d matrix", s->cols, s->inner);
}

static void release(slices *s) {
  for (int k = 0; k < WEIGHT_SLICES; k++) free(s->weight[k]);
  for (int k = 0; k < INPUT_SLICES; k++) free(s->input[k]);
  free(s->weight_rest);
  free(s->input_size);
  free(s->missed);
  free(s->absolute);
  free(s->radius);
  free(s->product);
}

/* e, 2^e >= the largest of n magnitudes. */
static int exponent_of(const double *x, int n) {
  double largest = 0.0;
  int e;
  for (int a = 0; a < n; a++) largest = fmax(largest, fabs(x[a]));
  frexp(largest, &e);
  return e;
}

/* The multiple of `unit`, a power of 2, that is nearest to *rest, which becomes what is left: all exact where *rest is
 * at most 2^52 units. */
static double cut(double *rest, double unit) {
  const double slice = rint(*rest / unit) * unit;
  *rest -= slice;
  return slice;
}

static void cut_weights(slices *s, const double *weight) {
  for (int c = 0; c < s->cols; c++) {
    const size_t row = (size_t)c * (size_t)s->inner;
    const int e = exponent_of(weight + row, s->inner);
    for (size_t a = row; a < row + (size_t)s->inner; a++) {
      double rest = weight[a];
      for (int k = 0; k < WEIGHT_SLICES; k++) s->weight[k][a] = cut(&rest, ldexp(1.0, e - (k + 1) * s->bits));
      s->absolute[a] = fabs(weight[a]);
    }
    s->weight_rest[c] = ldexp(1.0, e - WEIGHT_SLICES * s->bits - 1);
  }
}

/* x = m + m' +- r, two doubles: what is left of either after a slice is half of its unit at most, so that both together
 * are at most 2^beta of the next one; of the first one m' is no part, as it is less than half a unit. */
static void cut_entry(slices *s, size_t at, int e, const interval *x, step_scratch *scratch) {
  interval *const rest = &scratch->t[0], *const taken = &scratch->t[1];
  double left = s->input[INPUT_SLICES - 1][at], second, miss;
  interval_set_d(taken, left);
  interval_sub(rest, x, taken);
  interval_get_midrad(&second, &miss, rest, &scratch->ws);
  for (int k = 0; k < INPUT_SLICES; k++) {
    const double unit = ldexp(1.0, e - (k + 1) * s->bits);
    s->input[k][at] = cut(&left, unit) + cut(&second, unit);
  }
  s->missed[at] = upward_add3(miss, fabs(left), fabs(second));
}

static void cut_inputs(slices *s, const step_enclosure *x, step_scratch *scratch) {
  for (int i = 0; i < s->rows; i++) {
    const size_t row = (size_t)i * (size_t)s->inner;
    double *const middle = s->input[INPUT_SLICES - 1] + row, unused;
    for (int a = 0; a < s->inner; a++) interval_get_midrad(&middle[a], &unused, step_entry(x, i, a), &scratch->ws);
    const int e = exponent_of(middle, s->inner);
    for (int a = 0; a < s->inner; a++) {
      const double size = upward_mul(fabs(middle[a]), 1.0 + 4.0 * UNIT_ROUNDOFF); /* of both doubles */
      cut_entry(s, row + (size_t)a, e, step_entry(x, i, a), scratch);
      s->input_size[i] = upward_add3(s->input_size[i], size, s->missed[row + (size_t)a]);
    }
  }
}

static void multiply(double *product, const slices *s, const double *left, const double *right) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, s->rows, s->cols, s->inner, 1.0, left, s->inner, right, s->inner,
              0.0, product, s->cols);
}

static void add_products(const step_enclosure *y, slices *s, step_scratch *scratch) {
  const size_t count = (size_t)s->rows * (size_t)s->cols;
  interval *const term = &scratch->t[0];
  multiply(s->radius, s, s->missed, s->absolute);
  for (size_t k = 0; k < count; k++) {
    const double beyond = upward_mul(s->weight_rest[k % (size_t)s->cols], s->input_size[k / (size_t)s->cols]);
    const double radius = round_up_nonnegative(s->radius[k], s->inner + 2.0);
    interval_set_d(&y->entry[k], upward_add3(radius, beyond, UNDERFLOW_ALLOWANCE));
    mpfr_neg(y->entry[k].lo, y->entry[k].hi, MPFR_RNDD);
  }
  for (int i = 0; i < INPUT_SLICES; i++) {
    for (int c = 0; c < WEIGHT_SLICES; c++) {
      multiply(s->product, s, s->input[i], s->weight[c]);
      for (size_t k = 0; k < count; k++) {
        interval_set_d(term, s->product[k]);
        interval_add(&y->entry[k], &y->entry[k], term);
      }
    }
  }
}

attcert_status affine_slices_multiply(const step_enclosure *y, const step_enclosure *x, const double *weight,
                                      step_scratch *scratch, attcert_error *err) {
  int log2_inner;
  slices s = {.rows = x->rows, .inner = x->cols, .cols = y->cols};
  frexp(s.inner, &log2_inner);
  s.bits = (53 - log2_inner) / 2;
  const attcert_status status = allocate(&s, err);
  if (status == ATTCERT_OK) {
    cut_weights(&s, weight);
    cut_inputs(&s, x, scratch);
    add_products(y, &s, scratch);
  }
  release(&s);
  return status;
}
