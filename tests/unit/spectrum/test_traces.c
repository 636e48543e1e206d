/* Traces and norms of W = Q^T K against exact values: cancellation, sizes beyond double, more rows than columns, folded
 * gains, no weights at all. */
#include "spectrum/head.h"
#include "spectrum_oracle.h"

#include "random_source.h"
#include "spectral_oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* tr W, tr W^2, ||W||_F^2 of W exactly. */
static void exact_sums(arb_t trace, arb_t square, arb_t squares, const arb_mat_t w) {
  arb_zero(trace);
  arb_zero(square);
  arb_zero(squares);
  for (slong i = 0; i < arb_mat_nrows(w); i++) {
    arb_add(trace, trace, arb_mat_entry(w, i, i), ARF_PREC_EXACT);
    for (slong j = 0; j < arb_mat_ncols(w); j++) {
      arb_addmul(square, arb_mat_entry(w, i, j), arb_mat_entry(w, j, i), ARF_PREC_EXACT);
      arb_addmul(squares, arb_mat_entry(w, i, j), arb_mat_entry(w, i, j), ARF_PREC_EXACT);
    }
  }
}

/* Narrower than 1e-15 of its magnitude, or the number 0. */
static bool is_sharp(const interval *a) {
  mpfr_t width, magnitude;
  mpfr_inits2(64, width, magnitude, (mpfr_ptr)0);
  mpfr_sub(width, a->hi, a->lo, MPFR_RNDU);
  mpfr_abs(magnitude, a->lo, MPFR_RNDN);
  mpfr_mul_d(magnitude, magnitude, 1e-15, MPFR_RNDN);
  const bool sharp = mpfr_lessequal_p(width, magnitude) != 0;
  mpfr_clears(width, magnitude, (mpfr_ptr)0);
  return sharp;
}

static void check(const attcert_layer *layer, const double *gain) {
  const slong d = layer->dim, bits = 512;
  arb_mat_t w;
  arb_t trace, square, frobenius, t;
  arf_t lower, upper;
  spectrum_head head;
  arb_mat_init(w, d, d);
  arb_init(trace), arb_init(square), arb_init(frobenius), arb_init(t);
  arf_init(lower), arf_init(upper);
  assert_int_equal(spectrum_head_enclose(&head, layer, 0, gain, NULL), ATTCERT_OK);
  spectrum_oracle_matrix(w, layer, 0, gain);
  exact_sums(trace, square, frobenius, w);
  const spectrum_traces *const s = &head.traces;
  assert_true(spectrum_oracle_contains("trace", &s->trace, trace) && is_sharp(&s->trace));
  assert_true(spectrum_oracle_contains("trace of square", &s->trace_of_square, square) &&
              is_sharp(&s->trace_of_square));
  arb_sqrt(frobenius, frobenius, bits);
  assert_true(spectrum_oracle_contains("frobenius", &s->frobenius, frobenius) && is_sharp(&s->frobenius));
  arb_div_si(t, trace, d, bits);
  assert_true(spectrum_oracle_contains("mean", &s->mean, t) && is_sharp(&s->mean));
  arb_mul(t, trace, trace, ARF_PREC_EXACT); /* (d tr W^2 - (tr W)^2) / d^2 */
  arb_mul_si(square, square, d, ARF_PREC_EXACT);
  arb_sub(t, square, t, ARF_PREC_EXACT);
  arb_div_si(t, t, d * d, bits);
  assert_true(spectrum_oracle_contains("variance", &s->variance, t) && is_sharp(&s->variance));
  spectral_oracle(lower, upper, w, bits);
  arb_set_interval_arf(t, lower, upper, bits);
  assert_true(spectrum_oracle_contains("norm", &head.norm, t));
  spectrum_head_clear(&head);
  arb_mat_clear(w);
  arb_clear(trace), arb_clear(square), arb_clear(frobenius), arb_clear(t);
  arf_clear(lower), arf_clear(upper);
}

static attcert_layer random_head(int d, int k, int query, int key, uint64_t index) {
  attcert_layer layer;
  random_source r = random_source_make(3, 4, index);
  assert_int_equal(attcert_layer_init(&layer, d, 1, k, 0, false, NULL), ATTCERT_OK);
  random_fill_gaussian(layer.query_weight, (size_t)d * (size_t)k, ldexp(1.0, query), &r);
  random_fill_gaussian(layer.key_weight, (size_t)d * (size_t)k, ldexp(1.0, key), &r);
  return layer;
}

static void random_heads(void **state) {
  (void)state;
  static const int shapes[][4] = {{1, 1, 0, 0},     {7, 3, 0, 0},     {3, 7, 0, 0},        {12, 12, 5, -30},
                                  {6, 2, 660, 600}, {6, 2, -700, 20}, {5, 4, -1060, -400}, {4, 6, -1060, -1060}};
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    attcert_layer layer = random_head(shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3], i);
    check(&layer, NULL);
    attcert_layer_clear(&layer);
  }
}

static void folded_heads(void **state) {
  (void)state;
  const double gain[8] = {1.0 / 3, -2.5, 0, 1e-3, 0x1.123456789abcdp7, 1, 0x1p-60, -0.1};
  const double extreme[8] = {0x1p-1074, -2.5e200, 0, 1e-3, 0x1.123456789abcdp300, 1, 0x1p-60, -0.1};
  for (uint64_t i = 0; i < 4; i++) {
    attcert_layer layer = random_head(8, i < 2 ? 3 : 11, 0, 0, 20 + i);
    check(&layer, i % 2 == 0 ? gain : extreme);
    attcert_layer_clear(&layer);
  }
}

/* Rows that cancel exactly, beyond 256 bits apart: tr W = a + b - a for b below an ulp of a, W = 0. */
static void cancellation(void **state) {
  (void)state;
  attcert_layer layer;
  assert_int_equal(attcert_layer_init(&layer, 3, 1, 3, 0, false, NULL), ATTCERT_OK);
  check(&layer, NULL); /* no weights at all */
  const double diagonal[] = {0x1p300, 0x1p-700, -0x1p300};
  for (int i = 0; i < 3; i++) layer.query_weight[4 * i] = diagonal[i], layer.key_weight[4 * i] = 1;
  check(&layer, NULL);
  layer.query_weight[4] = layer.query_weight[8] = 0x1p300; /* W a multiple of I: no variance */
  check(&layer, NULL);
  for (int i = 0; i < 9; i++) layer.query_weight[i] = layer.key_weight[i] = 0;
  layer.query_weight[0] = 0.1,
  layer.query_weight[3] = 0.3; /* W = q_0 k_0^T + q_1 k_1^T with k_1 = -k_0 / 3 but for roundings */
  layer.key_weight[1] = 0.3, layer.key_weight[4] = -0.1;
  check(&layer, NULL);
  attcert_layer_clear(&layer);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_heads), cmocka_unit_test(folded_heads),
                                     cmocka_unit_test(cancellation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
