/* LayerNorm's scale 1 / s over a ball of one row: it is the linear part of the form within the bound of the row's
 * symbol. The chord of 1 / sqrt is farthest away in the middle of the variances, and the middle of ||e||^2 as far
 * where e is longest: both at an e across c, where nearly all of the bound is used. */
#include "layernorm_step.h"
#include "random_network.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { DIM = 4 };

/* c, which has mean 0; e along it, across it. */
static const double center[DIM] = {1.0, -1.0, 0.0, 0.0},
                    across[DIM] = {0.0, 0.0, 0x1.6a09e667f3bcdp-1, -0x1.6a09e667f3bcdp-1};
static const double epsilon = 0x1p-10;

typedef struct {
  double linear[DIM][DIM];
  double bound;
} observed;

/* The row's first fresh symbol is that of the scale, its column c. */
static attcert_status note(void *context, int value, const form *f, const form_symbols *symbols) {
  observed *const o = context;
  if (value != 1) return ATTCERT_OK;
  const form_layout *const layout = &f->row[0].layout;
  const size_t width = (size_t)form_layout_columns(layout);
  assert_true(symbols->segment[layout->id[0]].input && symbols->segment[layout->id[1]].width == 1);
  for (size_t a = 0; a < DIM; a++) {
    memcpy(o->linear[a], f->row[0].linear + a * width, DIM * sizeof(double));
    assert_true(f->row[0].linear[a * width + (size_t)layout->start[1]] == center[a]);
  }
  o->bound = symbols->segment[layout->id[1]].bound[0];
  return ATTCERT_OK;
}

/* Entry 2 of c is 0: its row is m times that of the centering, 3/4 on the diagonal. Entry 0 adds f l(e). */
static double scale_off(const observed *o, const double *e) {
  const double m = o->linear[2][2] / (1.0 - 1.0 / DIM);
  double along = -m * e[0], squares = 0.0;
  for (int k = 0; k < DIM; k++) {
    along += o->linear[0][k] * e[k];
    squares += (center[k] + e[k]) * (center[k] + e[k]);
  }
  return fabs(1.0 / sqrt(squares / DIM + epsilon) - m - along);
}

static void scale_stays_within_its_symbol(void **state) {
  (void)state;
  double largest = 0.0;
  layernorm_weights norm;
  const step s = layernorm_step(&norm, DIM, epsilon);
  const double angle = acos(-1.0) / 32.0;
  for (int k = 2; k < 14; k++) {
    network_case c = {.name = "LayerNorm", .network = {.tokens = 1, .dim = DIM}};
    network_builder b = {.network = &c.network, .layer = -1};
    robust_margin margin;
    observed o;
    const double radius = ldexp(1.0, -k);
    network_add(&b, s);
    assert_int_equal(b.status, ATTCERT_OK);
    assert_int_equal(attcert_matrix_init(&c.x, 1, DIM, NULL), ATTCERT_OK);
    memcpy(c.x.data, center, sizeof center);
    c.moves[0] = true;
    c.ball = (robust_ball){.input = &c.x, .label = 0, .region = {.moves = c.moves, .radius = radius}};
    assert_int_equal(robust_margin_observe(&margin, &c.network, &c.ball, note, &o, NULL), ATTCERT_OK);
    for (int turn = 0; turn < 64; turn++) {
      double e[DIM];
      for (int a = 0; a < DIM; a++)
        e[a] = (1.0 - 0x1p-40) * radius *
               (cos(turn * angle) * across[a] + sin(turn * angle) * 0x1.6a09e667f3bcdp-1 * center[a]);
      const double off = scale_off(&o, e);
      if (!(off <= o.bound + 0x1p-48)) fail_msg("radius %g: the scale is off by %g, bound %g", radius, off, o.bound);
      largest = fmax(largest, off / (o.bound + 0x1p-48));
    }
    robust_margin_clear(&margin);
    network_case_clear(&c);
  }
  print_message("largest part of the bound used %.4f\n", largest);
  assert_true(largest > 0.9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scale_stays_within_its_symbol)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
