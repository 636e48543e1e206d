/* Balls that hold the tokens. */
#include "random_source.h"
#include "theory/token_ball.h"

#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TOKENS = 6, DIM = 4 };

static void random_tokens(attcert_matrix *x, int exponent, random_source *r) {
  random_fill_gaussian(x->data, (size_t)x->rows * (size_t)x->cols, ldexp(1.0, exponent), r);
}

/* The certified radius is not below the distance evaluated with 300 bits, and its double neighbour is. */
static void radius_is_the_next_double(void **state) {
  (void)state;
  attcert_matrix x;
  double centre[DIM];
  random_source r = random_source_make(7, 0, 0);
  mpfr_t distance, largest, t;
  mpfr_inits2(300, distance, largest, t, (mpfr_ptr)0);
  assert_int_equal(attcert_matrix_init(&x, TOKENS, DIM, NULL), ATTCERT_OK);
  for (int trial = 0; trial < 200; trial++) {
    random_tokens(&x, random_integer(&r, -300, 300), &r);
    random_fill_gaussian(centre, DIM, fabs(x.data[0]), &r);
    mpfr_set_zero(largest, 1);
    for (int i = 0; i < TOKENS; i++) {
      mpfr_set_zero(distance, 1);
      for (int c = 0; c < DIM; c++) {
        mpfr_set_d(t, x.data[i * DIM + c], MPFR_RNDN);
        mpfr_sub_d(t, t, centre[c], MPFR_RNDN);
        mpfr_fma(distance, t, t, distance, MPFR_RNDN);
      }
      mpfr_max(largest, largest, distance, MPFR_RNDN);
    }
    mpfr_sqrt(largest, largest, MPFR_RNDN);
    const double radius = token_ball_radius(&x, centre);
    assert_true(mpfr_cmp_d(largest, radius) <= 0);
    assert_true(mpfr_cmp_d(largest, nextafter(radius, 0.0)) > 0);
  }
  mpfr_clears(distance, largest, t, (mpfr_ptr)0);
  attcert_matrix_clear(&x);
}

static void known_balls(void **state) {
  (void)state;
  double corners[] = {11, 21, 9, 21, 11, 19, 9, 19}, centre[2]; /* a square around (10, 20) */
  attcert_matrix x = {4, 2, corners};
  assert_true(token_ball_radius(&x, NULL) == nextafter(sqrt(562.0), 0.0) ||
              fabs(token_ball_radius(&x, NULL) - sqrt(562.0)) < 1e-14);
  assert_int_equal(token_ball_centre(centre, &x, NULL), ATTCERT_OK);
  assert_true(token_ball_radius(&x, centre) < 1.05 * sqrt(2.0));
  assert_true(token_ball_radius(&x, centre) >= sqrt(2.0) * (1.0 - 1e-15)); /* no ball is smaller */
  for (int i = 0; i < 8; i++) corners[i] = ldexp(corners[i], 1015);        /* where squares overflow */
  assert_int_equal(token_ball_centre(centre, &x, NULL), ATTCERT_OK);
  assert_true(token_ball_radius(&x, centre) < ldexp(1.5, 1015));
}

static void one_place(void **state) {
  (void)state;
  double same[] = {3, -4, 3, -4}, zero[] = {0, 0}, centre[2];
  attcert_matrix x = {2, 2, same}, nothing = {1, 2, zero};
  assert_int_equal(token_ball_centre(centre, &x, NULL), ATTCERT_OK);
  assert_true(token_ball_radius(&x, centre) == 0.0);
  assert_true(token_ball_radius(&x, NULL) == 5.0);
  assert_int_equal(token_ball_centre(centre, &nothing, NULL), ATTCERT_OK);
  assert_true(token_ball_radius(&nothing, centre) == 0.0);
  assert_true(token_ball_radius(&nothing, NULL) == 0.0);
}

static void beyond_double(void **state) {
  (void)state;
  double huge[] = {1.5e308, 1.5e308};
  attcert_matrix x = {1, 2, huge};
  assert_true(isinf(token_ball_radius(&x, NULL)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(radius_is_the_next_double),
      cmocka_unit_test(known_balls),
      cmocka_unit_test(one_place),
      cmocka_unit_test(beyond_double),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
