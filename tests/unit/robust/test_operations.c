/* Operations on forms that are boxes (a center, a radius an entry, no symbols): what comes out contains the exact
 * result, in Arb, for points of the box and its corners. The radius is large here, where the property test has only
 * roundings in it. */
#include "network/activation/step_activation.h"
#include "network/affine/step_affine.h"
#include "network/arrange/step_arrange.h"
#include "network/attention/step_attention.h"
#include "network/batchnorm/step_batchnorm.h"
#include "network/join/step_join.h"
#include "network/layernorm/step_layernorm.h"
#include "network/mean/step_mean.h"
#include "network/product/step_product.h"
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/rotary/step_rotary.h"
#include "network/scale/step_scale.h"
#include "network/select/step_select.h"
#include "network/sum/step_sum.h"
#include "network_oracle.h"
#include "random_network.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 300, POINTS = 24, TOKENS = 3, DIM = 4 };

/* A form of n x DIM entries around random centers. */
static void make_box(form *f, int rows, double size, const form_symbols *symbols, random_source *r) {
  assert_int_equal(form_init(f, rows, DIM, NULL), ATTCERT_OK);
  for (int k = 0; k < rows * DIM; k++) {
    f->center[k] = ldexp(trunc(ldexp(random_gaussian(r), 30)), -30);
    f->radius[k] = ldexp(trunc(ldexp(size * random_uniform(r, 0.0, 1.0), 30)), -30);
  }
  for (int i = 0; i < rows; i++) f->row[i].token = i;
  assert_int_equal(form_measure(f, symbols, NULL), ATTCERT_OK);
}

/* A point of the box, mostly a corner. */
static void draw(attcert_matrix *x, const form *f, random_source *r) {
  assert_int_equal(attcert_matrix_init(x, f->rows, f->cols, NULL), ATTCERT_OK);
  const bool corner = random_chance(r, 0.8);
  for (int k = 0; k < f->rows * f->cols; k++) {
    const double part = corner ? (random_chance(r, 0.5) ? 1.0 : -1.0) : random_uniform(r, -1.0, 1.0);
    x->data[k] = f->center[k] + ldexp(trunc(ldexp(part * f->radius[k], 36)), -36);
  }
}

/* The exact step at x lies in `out`. The oracle takes one input: the three of attention, and the two of sum and
 * product, are equal. */
static void assert_contained(const step *s, const form *out, const attcert_matrix *x, double *largest) {
  network_values v;
  step local = *s;
  network_steps network = {.tokens = x[0].rows, .dim = DIM, .step = &local, .count = 1};
  for (int k = 0; k < s->inputs; k++) local.input[k] = 0;
  network_values_init(&v, &network, &x[0]);
  arb_t z, t;
  arb_init(z);
  arb_init(t);
  for (int k = 0; k < out->rows * out->cols; k++) {
    arb_set_d(t, out->center[k]);
    arb_sub(z, arb_mat_entry(v.value[1], k / out->cols, k % out->cols), t, NETWORK_ORACLE_BITS);
    arb_abs(z, z);
    const double limit = form_spread(out, k / out->cols, k % out->cols);
    arb_set_d(t, limit);
    if (arb_gt(z, t)) fail_msg("%s: entry %d is beyond its bound %g", s->kind->name, k, limit);
    *largest = fmax(*largest, arf_get_d(arb_midref(z), ARF_RND_NEAR) / limit);
  }
  arb_clear(z);
  arb_clear(t);
  network_values_clear(&v);
}

/* Returns the largest part of a bound that was used over the cases. */
static double check_kind(const step *s, double size, uint64_t stream) {
  double largest = 0.0;
  for (uint64_t index = 0; index < CASES; index++) {
    random_source r = random_source_make(21, stream, index);
    form_symbols symbols = {0};
    form x, out = {0};
    make_box(&x, s->rows == 1 ? TOKENS : s->rows, size, &symbols, &r);
    const form *const in[STEP_MAX_INPUTS] = {&x, &x, &x};
    const attcert_status status = s->kind->forms(&out, s, in, &symbols, 0, NULL);
    assert_true(status == ATTCERT_OK || status == ATTCERT_UNDECIDED);
    if (status == ATTCERT_OK && form_measure(&out, &symbols, NULL) == ATTCERT_OK) {
      for (int k = 0; k < POINTS; k++) {
        attcert_matrix point_of;
        draw(&point_of, &x, &r);
        assert_contained(s, &out, &point_of, &largest);
        attcert_matrix_clear(&point_of);
      }
    }
    form_clear(&x);
    form_clear(&out);
    form_symbols_clear(&symbols);
  }
  return largest;
}

static const double weight[DIM * DIM] = {1.0,  -0.5, 0.25, 2.0,  0.0, 1.5, -1.0, 0.125,
                                         -2.0, 1.0,  0.5,  0.75, 1.0, 1.0, 1.0,  -3.0};
static const double variance[DIM] = {0.3, 2.0, 0.0, 1.0};
static const int moves[TOKENS * DIM] = {11, -1, 3, 3, 0, 1, 2, -1, 5, 8, 3, 4};
static const double constants[TOKENS * DIM] = {0.0, 0.75, 0.0, 0.0, 0.0, 0.0, 0.0, -3.0};
static const double gain[DIM] = {1.0, -0.5, 2.0, 0.25}, bias[DIM] = {0.5, 0.0, -1.0, 0.125};

static void boxes_pass_every_step(void **state) {
  (void)state;
  const affine_weights map = {weight, bias};
  const layernorm_weights norm = {gain, bias, 0.5};
  const rmsnorm_weights uncentered = {gain, 0.5, 1, false};
  const scale_weights scale = {gain};
  const step_batchnorm_parameters batch = {gain, bias, bias, variance, 0x1p-10, DIM};
  const step_arrangement moved = {TOKENS, DIM, moves, constants};
  static const double offsets[2 * (2 * TOKENS - 1)] = {0.5, -1.0, 2.0, 0.25, 1.0, -0.75};
  attention_heads heads = step_attention_plain(2, DIM / 2), local = heads;
  heads.after = 0;
  local.before = 1;
  local.bias = offsets;
  local.span = TOKENS;
  const int token = 2, from = 1;
  network_steps owner = {.tokens = TOKENS, .dim = DIM};
  network_builder b = {.network = &owner, .layer = -1};
  step_rotary_add(&b, 0, &(rotary_heads){.heads = 1, .head_dim = DIM, .rule = rotary_rule_powers(3.0, 2), .token = -1});
  assert_int_equal(b.status, ATTCERT_OK);
  const step steps[] = {
      {.kind = &step_affine, .of = &map, .inputs = 1, .rows = TOKENS, .cols = DIM},
      {.kind = &step_sum, .inputs = 2, .rows = TOKENS, .cols = DIM},
      {.kind = &step_product, .inputs = 2, .rows = TOKENS, .cols = DIM},
      {.kind = &step_join, .inputs = 2, .rows = TOKENS, .cols = 2 * DIM},
      owner.step[0],
      {.kind = &step_scale, .of = &scale, .inputs = 1, .rows = TOKENS, .cols = DIM},
      {.kind = &step_batchnorm, .of = &batch, .inputs = 1, .rows = TOKENS, .cols = DIM},
      {.kind = &step_arrange, .of = &moved, .inputs = 1, .rows = TOKENS, .cols = DIM},
      {.kind = &step_select, .of = &token, .inputs = 1, .rows = 1, .cols = DIM},
      {.kind = &step_mean, .of = &from, .inputs = 1, .rows = 1, .cols = DIM},
      {.kind = &step_activation, .of = &curve_gelu, .inputs = 1, .rows = TOKENS, .cols = DIM},
      {.kind = &step_activation, .of = &curve_relu, .inputs = 1, .rows = TOKENS, .cols = DIM},
      {.kind = &step_layernorm, .of = &norm, .inputs = 1, .rows = TOKENS, .cols = DIM},
      {.kind = &step_rmsnorm, .of = &uncentered, .inputs = 1, .rows = TOKENS, .cols = DIM},
      {.kind = &step_attention, .of = &heads, .inputs = 3, .rows = TOKENS, .cols = DIM},
      {.kind = &step_attention, .of = &local, .inputs = 3, .rows = TOKENS, .cols = DIM},
  };
  /* linear steps, products, select, means and activations reach their bounds; in the others no point of the box does */
  static const double least[] = {0.98, 0.98, 0.98, 0.98, 0.98, 0.98, 0.98, 0.98,
                                 0.98, 0.98, 0.98, 0.98, 0.4,  0.4,  0.4,  0.4};
  for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
    const double large = check_kind(&steps[k], 0.3, k), small = check_kind(&steps[k], 1e-4, 100 + k);
    print_message("%s: largest part of a bound used %.3f, of a small one %.3f\n", steps[k].kind->name, large, small);
    assert_true(fmax(large, small) >= least[k]);
  }
  network_clear(&owner);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_pass_every_step)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
