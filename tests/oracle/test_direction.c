/* attcert_direction against the oracle's explicit Jacobian: [lo, hi] holds ||J u|| / ||u|| for any u, narrowly when
 * there are bits enough; and no direction exceeds the certified upper bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "enclosure_verdict.h"

enum { CASES = 8, ARB_PRECISION = 4096 };

/* ||J u|| / ||u|| from the explicit Jacobian. */
static void oracle_ratio(arb_t ratio, const layer_case *c, const double *u) {
  arb_mat_t jacobian, vector, image;
  arb_t norm;
  const slong rows = (slong)c->x.rows * c->layer.out_dim, cols = (slong)c->x.rows * c->layer.dim;
  arb_init(norm);
  arb_mat_init(jacobian, rows, cols);
  arb_mat_init(vector, cols, 1);
  arb_mat_init(image, rows, 1);
  for (slong i = 0; i < cols; i++) arb_set_d(arb_mat_entry(vector, i, 0), u[i]);
  jacobian_oracle_matrix(jacobian, &c->layer, &c->x, ARB_PRECISION);
  arb_mat_mul(image, jacobian, vector, ARB_PRECISION);
  arb_mat_frobenius_norm(ratio, image, ARB_PRECISION);
  arb_mat_frobenius_norm(norm, vector, ARB_PRECISION);
  arb_div(ratio, ratio, norm, ARB_PRECISION);
  arb_mat_clear(jacobian);
  arb_mat_clear(vector);
  arb_mat_clear(image);
  arb_clear(norm);
}

static bool meets(mpfr_srcptr lo, mpfr_srcptr hi, const arb_t ratio) {
  arf_t end, bound;
  arf_init(end);
  arf_init(bound);
  arf_set_mpfr(end, lo);
  arb_get_ubound_arf(bound, ratio, ARB_PRECISION);
  bool meets = !mpfr_nan_p(lo) && !mpfr_nan_p(hi) && arf_cmp(end, bound) <= 0;
  arf_set_mpfr(end, hi);
  arb_get_lbound_arf(bound, ratio, ARB_PRECISION);
  meets = meets && arf_cmp(end, bound) >= 0;
  arf_clear(end);
  arf_clear(bound);
  return meets;
}

/* Ordinary, unit, sparse, huge and tiny directions. */
static void random_direction(attcert_matrix *u, random_source *r) {
  const int kind = random_integer(r, 0, 3), size = u->rows * u->cols;
  random_fill_gaussian(u->data, (size_t)size, 1, r);
  const int survivor = random_integer(r, 0, size - 1);
  for (int i = 0; i < size; i++) {
    if (kind == 1) u->data[i] = i == survivor;
    if (kind == 2) u->data[i] = ldexp(u->data[i], 900);
    if (kind == 3) u->data[i] = ldexp(u->data[i], -1050);
  }
}

static void assert_ratio(const layer_case *c, const attcert_matrix *u, int precision, const arb_t ratio,
                         mpfr_srcptr upper, const char *name) {
  attcert_options options;
  mpfr_t lo, hi;
  mpfr_inits2(53, lo, hi, (mpfr_ptr)NULL);
  attcert_options_default(&options);
  options.precision = precision;
  assert_int_equal(attcert_direction(lo, hi, &c->layer, &c->x, u, &options, NULL), ATTCERT_OK);
  if (!meets(lo, hi, ratio)) fail_msg("%s: the ratio is missed", name);
  if (mpfr_cmp(lo, upper) > 0) fail_msg("%s: a direction above the upper bound", name);
  const bool resolved = precision == ARB_PRECISION && arb_rel_accuracy_bits(ratio) > 1000 &&
                        arf_cmpabs_2exp_si(arb_midref(ratio), -2000) > 0;
  if (resolved && enclosure_width(lo, hi) > 0x1p-51) fail_msg("%s: width %g", name, enclosure_width(lo, hi));
  mpfr_clears(lo, hi, (mpfr_ptr)NULL);
}

static void assert_direction(const layer_case *c, mpfr_srcptr upper, const char *name, random_source *r) {
  attcert_matrix u;
  arb_t ratio;
  arb_init(ratio);
  assert_int_equal(attcert_matrix_init(&u, c->x.rows, c->x.cols, NULL), ATTCERT_OK);
  random_direction(&u, r);
  oracle_ratio(ratio, c, u.data);
  assert_ratio(c, &u, 128, ratio, upper, name);
  assert_ratio(c, &u, ARB_PRECISION, ratio, upper, name);
  attcert_matrix_clear(&u);
  arb_clear(ratio);
}

/* The certificate's own vector certifies its lower bound: the ratio along it reaches `lower`. */
static void assert_certificate_vector(const attcert_certificate *certificate, const layer_case *c) {
  if (mpfr_zero_p(certificate->lower)) return;
  mpfr_t lo, hi;
  attcert_options options;
  mpfr_inits2(53, lo, hi, (mpfr_ptr)NULL);
  attcert_options_default(&options);
  assert_int_equal(attcert_direction(lo, hi, &c->layer, &c->x, &certificate->vector, &options, NULL), ATTCERT_OK);
  assert_true(mpfr_cmp(hi, certificate->lower) >= 0);
  mpfr_clears(lo, hi, (mpfr_ptr)NULL);
}

static void test_directions(void **state) {
  (void)state;
  for (int family = 0; family < random_layer_families(); family++)
    for (uint64_t index = 0; index < CASES; index++) {
      layer_case c;
      attcert_certificate certificate;
      attcert_options options;
      attcert_options_default(&options);
      attcert_certificate_init(&certificate);
      layer_case_init(&c, family, 31, index);
      assert_int_equal(attcert_certify(&certificate, &c.layer, &c.x, &options, NULL), ATTCERT_OK);
      assert_certificate_vector(&certificate, &c);
      random_source r = random_source_make(32, (uint64_t)family, index);
      char name[64];
      snprintf(name, sizeof name, "%s:31:%d", random_layer_family(family), (int)index);
      for (int t = 0; t < 3; t++) assert_direction(&c, certificate.upper, name, &r);
      attcert_certificate_clear(&certificate);
      layer_case_clear(&c);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_directions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
