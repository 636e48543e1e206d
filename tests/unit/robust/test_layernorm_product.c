/* LayerNorm's product of a deviation and what 1 / s is off, where it is nearly all of a bound: forms made by hand, at
 * the points where both factors are as large as they can be. What the exact result is off stays within its bound, and
 * uses enough of it that half of the product would be missed. */
#include "network/layernorm/step_layernorm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 16 };

static const double epsilon = 0x1p-10, rounding = 0x1p-48;

/* A row of numbers, 0 but for what the caller adds, over one symbol of the perturbation, of this radius. */
static void make(form *f, int cols, double radius, form_symbols *symbols) {
  const form_segment segment = {.width = 1, .radius = radius, .input = true, .origin = -1};
  form_layout layout = {0};
  int id;
  assert_int_equal(form_symbols_add(&id, symbols, &segment, NULL), ATTCERT_OK);
  assert_int_equal(form_init(f, 1, cols, NULL), ATTCERT_OK);
  assert_int_equal(form_layout_set(&layout, &id, 1, symbols, NULL), ATTCERT_OK);
  assert_int_equal(form_set_layout(f, 0, &layout, NULL), ATTCERT_OK);
}

static void normalise(form *out, form *x, form_symbols *symbols) {
  double gain[MOST], bias[MOST] = {0.0};
  for (int a = 0; a < x->cols; a++) gain[a] = 1.0;
  assert_int_equal(form_measure(x, symbols, NULL), ATTCERT_OK);
  const layernorm_weights weights = {gain, bias, epsilon};
  const step s = {.kind = &step_layernorm, .of = &weights, .inputs = 1, .rows = x->rows, .cols = x->cols};
  const form *const in[] = {x};
  assert_int_equal(step_layernorm.forms(out, &s, in, symbols, 0, NULL), ATTCERT_OK);
  assert_int_equal(form_measure(out, symbols, NULL), ATTCERT_OK);
}

/* c = (1, -1, 0, 0), e across it: 1 / s is farthest from its middle where e is longest, and the product of the two is
 * all that the last symbol stands for. */
static void deviation_times_what_the_scale_misses(void **state) {
  (void)state;
  const double half = 0x1.6a09e667f3bcdp-1;
  double largest = 0.0;
  for (int k = 0; k < 6; k++) {
    const double radius = ldexp(1.0, -k);
    form_symbols symbols = {0};
    form x = {0}, out = {0};
    make(&x, 4, radius, &symbols);
    x.center[0] = 1.0;
    x.center[1] = -1.0;
    x.row[0].linear[2] = half;
    x.row[0].linear[3] = -half;
    normalise(&out, &x, &symbols);
    const form_layout *const layout = &out.row[0].layout;
    assert_int_equal(layout->count, 3);
    const double bound = symbols.segment[layout->id[2]].bound[2];
    const double slope = out.row[0].linear[2 * form_layout_columns(layout) + layout->start[0]];
    for (int turn = -16; turn <= 16; turn++) {
      const double t = radius * turn / 16.0, y = half * t / sqrt((2.0 + t * t) / 4.0 + epsilon);
      const double off = fabs(y - out.center[2] - slope * t);
      if (!(off <= bound + rounding)) fail_msg("radius %g: off by %g, bound %g", radius, off, bound);
      largest = fmax(largest, off / (bound + rounding));
    }
    form_clear(&x);
    form_clear(&out);
    form_symbols_clear(&symbols);
  }
  print_message("deviation times scale: largest part of the bound used %.4f\n", largest);
  assert_true(largest > 0.9);
}

/* A radius in the entry 14 alone, while c = (1, -1, ..., 0, 0) shrinks and 1 / s grows: what the entry misses is
 * multiplied by the largest 1 / s, not by the middle one. */
static void radius_times_the_largest_scale(void **state) {
  (void)state;
  enum { DIM = MOST, MOVED = 14 };
  const double radius = 0.3, miss = 0x1p-10;
  form_symbols symbols = {0};
  form x = {0}, out = {0};
  make(&x, DIM, radius, &symbols);
  for (int a = 0; a < MOVED; a++) x.center[a] = x.row[0].linear[a] = a % 2 == 0 ? 1.0 : -1.0;
  x.radius[MOVED] = miss;
  normalise(&out, &x, &symbols);
  const double shrunk = 1.0 - radius, apart = miss * (1.0 - 1.0 / DIM);
  const double squares = MOVED * shrunk * shrunk + miss * apart; /* of the centered row */
  const double off = fabs(apart / sqrt(squares / DIM + epsilon) - out.center[MOVED]);
  const double bound = form_spread(&out, 0, MOVED);
  print_message("radius times scale: part of the bound used %.4f\n", off / bound);
  assert_true(off <= bound && off > 0.7 * bound);
  form_clear(&x);
  form_clear(&out);
  form_symbols_clear(&symbols);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(deviation_times_what_the_scale_misses),
                                     cmocka_unit_test(radius_times_the_largest_scale)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
