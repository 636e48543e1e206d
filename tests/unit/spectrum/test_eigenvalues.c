/* Discs of planted spectra: Jordan blocks, multiple and zero eigenvalues, matrices far from normal, sizes near both
 * ends of double's range and beyond. Every disc holds as many eigenvalues as it says, and where blocks are far enough
 * apart there is one for each.
 *   ATTCERT_CASES=N  random cases     ATTCERT_SEED=S  which ones */
#include "planted_spectrum.h"
#include "spectrum/head.h"
#include "spectrum_oracle.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_VALUES = PLANTED_SIDE + 8 };

/* How many of them differ. */
static int distinct(acb_srcptr values, int d) {
  int count = 0;
  for (int i = 0; i < d; i++) {
    int before = 0;
    for (int j = 0; j < i; j++) before += acb_eq(values + i, values + j);
    count += before == 0;
  }
  return count;
}

/* The largest radius, relative to the largest disc's modulus. */
static double relative_radius(const spectrum_eigenvalues *e) {
  double worst = 0;
  mpfr_t lo, hi, ratio;
  mpfr_inits2(53, lo, hi, ratio, (mpfr_ptr)0);
  spectrum_disc_modulus(lo, hi, &e->disc[0]);
  for (int i = 0; i < e->count && !mpfr_zero_p(hi); i++) {
    mpfr_div(ratio, e->disc[i].radius, hi, MPFR_RNDU);
    if (mpfr_get_d(ratio, MPFR_RNDU) > worst) worst = mpfr_get_d(ratio, MPFR_RNDU);
  }
  mpfr_clears(lo, hi, ratio, (mpfr_ptr)0);
  return worst;
}

static bool is_finite_double(mpfr_srcptr x) {
  const double nearest = mpfr_get_d(x, MPFR_RNDN);
  return isfinite(nearest) && mpfr_cmp_d(x, nearest) == 0;
}

/* tolerance: of the radii, where each eigenvalue shall have its own disc; 0: not asked. */
static void check(const planted_matrix *p, const planted_head *shape, double tolerance) {
  acb_ptr values = _acb_vec_init(MOST_VALUES);
  attcert_layer layer;
  spectrum_head head;
  arf_t exact;
  arf_init(exact);
  planted_head_init(&layer, values, p, shape);
  assert_int_equal(spectrum_head_enclose(&head, &layer, 0, NULL, NULL), ATTCERT_OK);
  assert_true(spectrum_oracle_agrees(&head.eigenvalues, values, layer.dim, exact));
  if (tolerance > 0) {
    assert_int_equal(head.eigenvalues.count, distinct(values, layer.dim));
    assert_true(relative_radius(&head.eigenvalues) <= tolerance);
  }
  assert_true(mpfr_lessequal_p(head.radius.hi, head.norm.hi));
  spectrum_eigenvalues_to_doubles(&head.eigenvalues);
  assert_true(spectrum_oracle_agrees(&head.eigenvalues, values, layer.dim, exact));
  for (int i = 0; i < head.eigenvalues.count; i++) {
    assert_true(is_finite_double(head.eigenvalues.disc[i].re));
    assert_true(is_finite_double(head.eigenvalues.disc[i].im));
  }
  spectrum_head_clear(&head);
  attcert_layer_clear(&layer);
  _acb_vec_clear(values, MOST_VALUES);
}

/* Sharpness is asked for where few row operations leave the eigenvectors well conditioned. */
static void check_blocks(const planted_block *blocks, int count, int above, double tolerance) {
  static const planted_head shapes[] = {
      {0, false, 0, 0},    {5, false, 0, 0},       {3, true, 0, 0},          {2, false, 664, 620},
      {2, true, -700, -5}, {2, false, -600, -470}, {1, false, -1074, -1074}, {1, false, 900, -1074},
  };
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    random_source r = random_source_make(test_setting("ATTCERT_SEED", 1), 17, i);
    planted_matrix p;
    planted_matrix_init(&p, blocks, count, above, tolerance > 0 ? 4 : 2 * PLANTED_SIDE, &r);
    check(&p, &shapes[i], tolerance);
    planted_matrix_clear(&p);
  }
}

#define CHECK_BLOCKS(above, tolerance, ...)          \
  check_blocks((const planted_block[]){__VA_ARGS__}, \
               sizeof((const planted_block[]){__VA_ARGS__}) / sizeof(planted_block), above, tolerance)

static void isolated(void **state) {
  (void)state;
  CHECK_BLOCKS(0, 1e-15, {3, 0, 1});
  CHECK_BLOCKS(0, 1e-15, {3, 0, 1}, {-2, 0, 1}, {1, 4, 1}, {0, 1, 1}, {100, 0, 1}, {0, 0, 1});
}

static void jordan_blocks(void **state) {
  (void)state;
  CHECK_BLOCKS(0, 1e-12, {2, 0, 2}, {-1, 0, 1});
  CHECK_BLOCKS(0, 1e-9, {2, 0, 4}, {5, 0, 3}, {0, 0, 2});
  CHECK_BLOCKS(0, 1e-9, {1, 2, 3}, {-3, 1, 2}, {4, 0, 1});
  CHECK_BLOCKS(0, 1e-6, {-7, 0, 8});
}

static void multiple(void **state) {
  (void)state;
  CHECK_BLOCKS(0, 1e-14, {2, 0, 1}, {2, 0, 1}, {2, 0, 1}, {-1, 0, 1}, {-1, 0, 1});
  CHECK_BLOCKS(0, 1e-9, {2, 0, 2}, {2, 0, 1}, {2, 0, 2}, {0, 3, 1}, {0, 3, 1});
}

static void nilpotent(void **state) {
  (void)state;
  CHECK_BLOCKS(0, 0, {0, 0, 1});
  CHECK_BLOCKS(0, 0, {0, 0, 1}, {0, 0, 1}, {0, 0, 1});
  CHECK_BLOCKS(0, 0, {0, 0, 3}, {0, 0, 1}, {0, 0, 2});
  CHECK_BLOCKS(1, 0, {0, 0, 6});
}

static void far_from_normal(void **state) {
  (void)state;
  CHECK_BLOCKS(8, 1e-9, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}, {4, 0, 1}, {5, 0, 1}, {6, 0, 1}, {7, 0, 1}, {8, 0, 1});
  CHECK_BLOCKS(1000, 0, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}, {4, 0, 1}, {5, 0, 1}, {6, 0, 1}, {7, 0, 1}, {8, 0, 1});
  CHECK_BLOCKS(1 << 20, 0, {1, 0, 2}, {2, 1, 2}, {3, 0, 1}, {1, 0, 1}, {0, 0, 3}, {-5, 2, 1}, {40, 0, 1});
}

/* Triangular as it stands, so that LAPACK proposes eigenvectors that coincide. */
static void exact_triangles(void **state) {
  (void)state;
  planted_matrix p = {.side = 3, .matrix = {1, 1, 0, 0, 1, 1, 0, 0, 1}};
  for (int i = 0; i < 3; i++) acb_set_si(&p.value[i], 1);
  check(&p, &(planted_head){2, false, 0, 0}, 1e-9);
  p.matrix[4] = 1 + 0x1p-52; /* and eigenvectors that all but do */
  acb_set_d(&p.value[1], 1 + 0x1p-52);
  check(&p, &(planted_head){2, false, 0, 0}, 0);
}

/* diag(1e200, 1, 1e-200) in another basis of powers of two: each eigenvalue has all its digits. */
static void graded(void **state) {
  (void)state;
  planted_matrix p = {.side = 3, .matrix = {0x1p600, 0x1p300, 0, 0, 1, 0x1p-300, 0, 0, 0x1p-600}};
  for (int i = 0; i < 3; i++) acb_set_d(&p.value[i], p.matrix[4 * i]);
  check(&p, &(planted_head){1, false, 0, 0}, 0);
  check(&p, &(planted_head){1, true, 0, -100}, 0);
}

static void random_blocks(void **state) {
  (void)state;
  const uint64_t cases = test_setting("ATTCERT_CASES", 60), seed = test_setting("ATTCERT_SEED", 1);
  for (uint64_t c = 0; c < cases; c++) {
    random_source r = random_source_make(seed, 18, c);
    planted_block blocks[8];
    int count = 0, side = 0;
    const int most = random_integer(&r, 1, PLANTED_SIDE);
    while (count < 8) {
      planted_block b = {random_integer(&r, -4, 4), random_chance(&r, 0.4) ? random_integer(&r, 1, 3) : 0,
                         random_chance(&r, 0.4) ? random_integer(&r, 1, 5) : 1};
      side += b.size * (b.im != 0 ? 2 : 1);
      if (side > most && count > 0) break;
      if (side > PLANTED_SIDE) break;
      blocks[count++] = b;
    }
    planted_matrix p;
    planted_matrix_init(&p, blocks, count, random_chance(&r, 0.3) ? random_integer(&r, 1, 100) : 0, 2 * PLANTED_SIDE,
                        &r);
    const planted_head head = {random_integer(&r, 0, 6), random_chance(&r, 0.3), random_integer(&r, -60, 60),
                               random_integer(&r, -60, 60)};
    check(&p, &head, 0);
    planted_matrix_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(isolated),  cmocka_unit_test(jordan_blocks),   cmocka_unit_test(multiple),
      cmocka_unit_test(nilpotent), cmocka_unit_test(far_from_normal), cmocka_unit_test(exact_triangles),
      cmocka_unit_test(graded),    cmocka_unit_test(random_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
