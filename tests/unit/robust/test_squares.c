/* Squares as symbols: C C^T - H is positive definite, by Cholesky's factorisation in Arb, and hardly larger than it has
 * to be; activations of wide rows, whose parabolas have such symbols, in Arb, along random functionals of the row. */
#include "arb_curve.h"
#include "network/activation/step_activation.h"
#include "network/network.h"
#include "robust/operation/operation_squares.h"
#include "test_setting.h"

#include <arb_mat.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS = 600, MOST_SQUARES = 40, MOST_COLUMNS = 12, FACTOR_CASES = 30, COLS = 48, CASES = 12, POINTS = 24 };

/* ---- the factor -------------------------------------------------------------------------------------------------- */

/* d := C C^T - H. */
static void difference(arb_mat_t d, const double *c, const operation_squares *of) {
  arb_t g, t;
  arb_init(g);
  arb_init(t);
  for (int k = 0; k < of->count; k++) {
    for (int l = 0; l < of->count; l++) {
      arb_zero(g);
      for (int a = 0; a < of->columns; a++) {
        arb_set_d(t, of->linear[k * of->columns + a]);
        arf_t f;
        arf_init(f);
        arf_set_d(f, of->linear[l * of->columns + a]);
        arb_mul_arf(t, t, f, BITS);
        arf_clear(f);
        arb_add(g, g, t, BITS);
      }
      arb_sqr(g, g, BITS);
      arb_set_d(t, of->square[k]);
      arb_mul(g, g, t, BITS);
      arb_set_d(t, of->square[l]);
      arb_mul(g, g, t, BITS);
      arb_ptr to = arb_mat_entry(d, k, l);
      arb_neg(to, g);
      for (int a = 0; a <= k && a <= l; a++) {
        arb_set_d(t, c[k * of->count + a]);
        arb_set_d(g, c[l * of->count + a]);
        arb_addmul(to, t, g, BITS);
      }
    }
  }
  arb_clear(g);
  arb_clear(t);
}

static void check_factor(const operation_squares *of) {
  double c[MOST_SQUARES * MOST_SQUARES];
  double most = 0.0, size = operation_squares_size(of);
  assert_true(operation_squares_factor(c, of));
  arb_mat_t d, factor;
  arb_mat_init(d, of->count, of->count);
  arb_mat_init(factor, of->count, of->count);
  difference(d, c, of);
  for (int k = 0; k < of->count; k++)
    most = fmax(most, fabs(arf_get_d(arb_midref(arb_mat_entry(d, k, k)), ARF_RND_NEAR)));
  if (!arb_mat_cho(factor, d, BITS)) fail_msg("%d squares of %d columns: C C^T < H", of->count, of->columns);
  assert_true(most <= 1e-12 * size * size);
  arb_mat_clear(d);
  arb_mat_clear(factor);
}

/* More squares than p (p + 1) / 2 are dependent, H singular: what is added to its diagonal is needed. */
static void factors_are_large_enough(void **state) {
  (void)state;
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 31, 1);
  for (int i = 0; i < FACTOR_CASES; i++) {
    double square[MOST_SQUARES], linear[MOST_SQUARES * MOST_COLUMNS];
    const operation_squares of = {.square = square,
                                  .linear = linear,
                                  .count = random_integer(&r, 1, MOST_SQUARES),
                                  .columns = random_integer(&r, 1, i % 2 == 0 ? 3 : MOST_COLUMNS)};
    const double scale = ldexp(1.0, random_integer(&r, -60, 60));
    random_fill_gaussian(square, (size_t)of.count, ldexp(1.0, random_integer(&r, -40, 40)), &r);
    random_fill_gaussian(linear, (size_t)(of.count * of.columns), scale, &r);
    for (int k = 0; k < of.count && i % 5 == 0; k++) linear[k * of.columns] += 1e3 * scale; /* nearly one direction */
    check_factor(&of);
  }
}

static void factors_are_refused(void **state) {
  (void)state;
  double c[4], linear[] = {1.0, 2.0, 3.0, 4.0}, zeros[4] = {0}, nan[] = {1.0, NAN, 1.0, 1.0};
  double square[] = {1.0, -1.0}, none[2] = {0}, infinite[] = {INFINITY, 1.0}, huge[] = {0x1p120, 1.0};
  operation_squares of = {.square = square, .linear = linear, .count = 2, .columns = 2};
  assert_true(operation_squares_factor(c, &of));
  of.linear = zeros;
  assert_false(operation_squares_factor(c, &of));
  of.linear = nan;
  assert_false(operation_squares_factor(c, &of));
  of.linear = linear;
  of.square = none;
  assert_false(operation_squares_factor(c, &of));
  of.square = infinite;
  assert_false(operation_squares_factor(c, &of));
  of.square = huge;
  assert_false(operation_squares_factor(c, &of));
}

/* ---- activations ------------------------------------------------------------------------------------------------- */

typedef struct {
  form_symbols symbols;
  form in, out;
  int known; /* columns of `in` */
  bool bent; /* squares have a ball */
} wide_row;

/* One row of COLS entries: a perturbation, symbols in a box and in a ball, radii. Or hardly more than one symbol, so
 * that what bounds have in them comes together at a point. */
static void make_row(wide_row *w, const range_curve *curve, double size, random_source *r) {
  const step s = {.kind = &step_activation, .of = curve, .inputs = 1, .rows = 1, .cols = COLS};
  const form *const in = &w->in;
  const bool alone = random_chance(r, 0.3);
  const int input = alone ? 1 : random_integer(r, 2, 6), beside = random_integer(r, 1, 5);
  double bound[5];
  int id[3];
  for (int k = 0; k < beside; k++) bound[k] = alone ? 0.0 : random_uniform(r, 0.0, 0.3);
  const form_segment segment[] = {{.width = input, .radius = 1.0, .input = true, .origin = -1},
                                  {.width = beside, .radius = INFINITY, .bound = bound, .origin = 0},
                                  {.width = 2, .radius = alone ? 1e-9 : random_uniform(r, 0.0, 0.3), .origin = 0}};
  form_layout layout;
  *w = (wide_row){.known = input + beside + 2};
  for (int k = 0; k < 3; k++) assert_int_equal(form_symbols_add(&id[k], &w->symbols, &segment[k], NULL), ATTCERT_OK);
  assert_int_equal(form_layout_set(&layout, id, 3, &w->symbols, NULL), ATTCERT_OK);
  assert_int_equal(form_init(&w->in, 1, COLS, NULL), ATTCERT_OK);
  assert_int_equal(form_set_layout(&w->in, 0, &layout, NULL), ATTCERT_OK);
  random_fill_gaussian(w->in.center, COLS, 1.0, r);
  random_fill_gaussian(w->in.row[0].linear, (size_t)(COLS * w->known), size, r);
  for (int c = 0; c < COLS; c++) w->in.radius[c] = size * random_uniform(r, 0.0, alone ? 0.3 : 0.1);
  assert_int_equal(form_measure(&w->in, &w->symbols, NULL), ATTCERT_OK);
  assert_int_equal(step_activation.forms(&w->out, &s, &in, &w->symbols, 1, NULL), ATTCERT_OK);
  assert_int_equal(form_measure(&w->out, &w->symbols, NULL), ATTCERT_OK);
  assert_int_equal(w->symbols.count, 5);
  w->bent = w->symbols.segment[4].radius > 0.0;
}

static void scale_to(double *x, int n, double length) {
  double squares = 0.0;
  for (int k = 0; k < n; k++) squares += x[k] * x[k];
  for (int k = 0; k < n; k++) x[k] *= length * (1.0 - 1e-12) / sqrt(squares);
}

/* Symbols at the border of what is allowed. */
static void draw(double *eta, const wide_row *w, random_source *r) {
  const form_layout *const layout = &w->in.row[0].layout;
  random_fill_gaussian(eta, (size_t)w->known, 1.0, r);
  for (int s = 0; s < 3; s++) {
    const form_segment *const segment = &w->symbols.segment[layout->id[s]];
    double *const of = eta + layout->start[s];
    if (segment->bound == NULL)
      scale_to(of, segment->width, segment->radius);
    else
      for (int k = 0; k < segment->width; k++) of[k] = copysign(segment->bound[k], of[k]);
  }
}

/* sum_c x_c (phi(z_c) - center_c - what is linear in eta), which the fresh symbols and radii have to bound. */
static double left_over(const wide_row *w, const arb_curve *curve, const double *x, const double *eta,
                        const double *part) {
  const size_t width = (size_t)form_layout_columns(&w->out.row[0].layout);
  double sum = 0.0;
  arb_t z, t, y;
  arb_init(z);
  arb_init(t);
  arb_init(y);
  for (int c = 0; c < COLS; c++) {
    arb_set_d(z, w->in.center[c]);
    arb_set_d(t, w->in.radius[c] * part[c]);
    arb_add(z, z, t, 200);
    for (int k = 0; k < w->known; k++) {
      arb_set_d(t, eta[k]);
      arb_set_d(y, w->in.row[0].linear[c * w->known + k]);
      arb_addmul(z, t, y, 200);
    }
    curve->value(y, z, 200);
    arb_set_d(t, w->out.center[c]);
    arb_sub(y, y, t, 200);
    for (int k = 0; k < w->known; k++) {
      arb_set_d(t, eta[k]);
      arb_set_d(z, w->out.row[0].linear[(size_t)c * width + (size_t)k]);
      arb_submul(y, t, z, 200);
    }
    sum += x[c] * arf_get_d(arb_midref(y), ARF_RND_NEAR);
  }
  arb_clear(z);
  arb_clear(t);
  arb_clear(y);
  return sum;
}

static double bound_along(const wide_row *w, const double *x) {
  const form_layout *const layout = &w->out.row[0].layout;
  const int width = form_layout_columns(layout);
  double row[MOST_COLUMNS + 2 * COLS + 8] = {0}, sum = 0.0;
  for (int c = 0; c < COLS; c++) {
    for (int k = 0; k < width; k++) row[k] += x[c] * w->out.row[0].linear[c * width + k];
    sum += fabs(x[c]) * w->out.radius[c];
  }
  for (int s = 3; s < layout->count; s++)
    sum += form_segment_support(row + layout->start[s], &w->symbols.segment[layout->id[s]]);
  return sum * (1.0 + 1e-12) + 1e-300;
}

static void check_row(const wide_row *w, const arb_curve *curve, double *largest, random_source *r) {
  for (int k = 0; k < POINTS; k++) {
    double eta[MOST_COLUMNS + 8], part[COLS], x[COLS] = {0};
    draw(eta, w, r);
    for (int c = 0; c < COLS; c++) part[c] = random_chance(r, 0.5) ? 1.0 : -1.0;
    if (k % 3 == 0)
      x[random_integer(r, 0, COLS - 1)] = random_chance(r, 0.5) ? 1.0 : -1.0;
    else
      for (int c = 0; c < COLS; c++) x[c] = k % 3 == 1 ? 1.0 : random_gaussian(r);
    const double left = fabs(left_over(w, curve, x, eta, part)), bound = bound_along(w, x);
    if (left > bound) fail_msg("%s: %g is left over, bound %g", curve->name, left, bound);
    *largest = fmax(*largest, left / bound);
  }
}

static void rows_are_contained(void **state) {
  (void)state;
  random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 31, 2);
  double largest = 0.0;
  int bent = 0;
  for (size_t c = 0; c < ARB_CURVES; c++) {
    for (int i = 0; i < CASES && !arb_curves[c].positive; i++) {
      wide_row w;
      make_row(&w, arb_curves[c].curve, random_magnitude(&r, -6, -2), &r);
      check_row(&w, &arb_curves[c], &largest, &r);
      bent += w.bent;
      form_clear(&w.in);
      form_clear(&w.out);
      form_symbols_clear(&w.symbols);
    }
  }
  print_message("rows with parabolas: %d, largest part of a bound used: %.3f\n", bent, largest);
  assert_true(bent > 30 && largest > 0.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(factors_are_large_enough), cmocka_unit_test(factors_are_refused),
                                     cmocka_unit_test(rows_are_contained)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
