/* Tokens in a ball, exactly. */
#include "random_source.h"
#include "search/worst_ball.h"

#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ||token||^2 <= radius^2 with sums that are exact: 4000 bits hold squares of every double from 1e-310 to 1e300. */
static bool is_inside_exactly(const double *token, int dim, double radius) {
  mpfr_t sum, t;
  mpfr_inits2(4400, sum, t, (mpfr_ptr)0);
  mpfr_set_zero(sum, 1);
  bool exact = true;
  for (int c = 0; c < dim; c++) {
    mpfr_set_d(t, token[c], MPFR_RNDN);
    exact = mpfr_sqr(t, t, MPFR_RNDN) == 0 && mpfr_add(sum, sum, t, MPFR_RNDN) == 0 && exact;
  }
  assert_true(exact);
  mpfr_set_d(t, radius, MPFR_RNDN);
  mpfr_sqr(t, t, MPFR_RNDN);
  const bool inside = mpfr_lessequal_p(sum, t) != 0;
  mpfr_clears(sum, t, (mpfr_ptr)0);
  return inside;
}

/* (3, 4) has length 5: inside the ball of radius 5, and outside that of the double before 5. */
static void tokens_on_the_sphere(void **state) {
  (void)state;
  double token[] = {3.0, 4.0};
  attcert_matrix x = {1, 2, token};
  assert_true(worst_ball_holds(&x, &(worst_ball){.radius = 5.0}));
  assert_false(worst_ball_holds(&x, &(worst_ball){.radius = nextafter(5.0, 0.0)}));
  worst_ball_enter(&x, &(worst_ball){.radius = 5.0});
  assert_true(token[0] == 3.0 && token[1] == 4.0); /* nothing to do */
  token[1] = nextafter(4.0, 5.0);
  assert_false(worst_ball_holds(&x, &(worst_ball){.radius = 5.0}));
  worst_ball_enter(&x, &(worst_ball){.radius = 5.0});
  assert_true(is_inside_exactly(token, 2, 5.0));
  assert_true(token[0] > 3.0 * (1 - 4e-16) && token[1] > 4.0 * (1 - 4e-16));
}

/* After projection a token may be outside by a rounding; then it is inside, and no further than a few roundings. */
static void projected_tokens_enter(void **state) {
  (void)state;
  enum { DIM = 7, TOKENS = 5 };
  const double radii[] = {1e-310, 1e-300, 0.1, 1.0, 3.0, 1e100, 1e300};
  double tokens[TOKENS * DIM];
  attcert_matrix x = {TOKENS, DIM, tokens};
  random_source r = random_source_make(3, 0, 0);
  int outside = 0;
  for (int trial = 0; trial < 700; trial++) {
    const double radius = radii[trial % 7];
    random_fill_gaussian(tokens, TOKENS * DIM, 2.0 * radius, &r);
    worst_ball_project(&x, &(worst_ball){.radius = radius});
    if (!worst_ball_holds(&x, &(worst_ball){.radius = radius})) outside++;
    double before[TOKENS * DIM];
    memcpy(before, tokens, sizeof tokens);
    worst_ball_enter(&x, &(worst_ball){.radius = radius});
    assert_true(worst_ball_holds(&x, &(worst_ball){.radius = radius}));
    for (int i = 0; i < TOKENS; i++) assert_true(is_inside_exactly(tokens + i * DIM, DIM, radius));
    for (int i = 0; i < TOKENS * DIM; i++)
      assert_true(fabs(tokens[i] - before[i]) <= 1e-15 * fabs(before[i]) + 0x1p-1070);
  }
  assert_true(outside > 0); /* else the second step would not have been tested */
}

static void tokens_inside_stay(void **state) {
  (void)state;
  double tokens[] = {0.5, 0.25, 0.0, 0.0}, copy[4];
  attcert_matrix x = {2, 2, tokens};
  memcpy(copy, tokens, sizeof tokens);
  worst_ball_project(&x, &(worst_ball){.radius = 1.0});
  worst_ball_enter(&x, &(worst_ball){.radius = 1.0});
  assert_memory_equal(copy, tokens, sizeof tokens);
}

/* Far outside, where the step has to grow; the smallest denormal in a ball of half its size can only become 0. */
static void far_outside(void **state) {
  (void)state;
  double tokens[] = {1e300, -1e300};
  attcert_matrix x = {1, 2, tokens};
  worst_ball_enter(&x, &(worst_ball){.radius = 1e-300});
  assert_true(worst_ball_holds(&x, &(worst_ball){.radius = 1e-300}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tokens_on_the_sphere),
      cmocka_unit_test(projected_tokens_enter),
      cmocka_unit_test(tokens_inside_stay),
      cmocka_unit_test(far_outside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
