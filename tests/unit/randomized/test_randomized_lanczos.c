/* The residuals that the recurrence states are above the true ones, in exact arithmetic, where the product is off by as
 * much as it may be, with a direction taken out or not; and not by much more than that. */
#include "randomized/randomized_lanczos.h"

#include "known_spectrum.h"
#include "linalg/rounding/rounding.h"

#include <cblas.h>
#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 24, STARTS = 5, STEPS = 40, BITS = 2400 };

/* A matrix whose products are off by `error` times their argument, or times that with its entries moved round. */
typedef struct {
  double g[SIDE * SIDE];
  double error;
} matrix;

static void apply(void *context, double *y, const double *x, int count) {
  const matrix *const m = context;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count, SIDE, SIDE, 1.0, x, SIDE, m->g, SIDE, 0.0, y, SIDE);
  for (int b = 0; b < count; b++) {
    const double *const from = x + (size_t)b * SIDE;
    double *const to = y + (size_t)b * SIDE;
    for (int i = 0; i < SIDE; i++) to[i] += m->error * from[b % 2 == 0 ? i : (i + 1) % SIDE];
  }
}

/* ||beta_j+1 w_j+1 - (A w_j - alpha_j w_j - beta_j w_j-1)||, A = G - sigma v v^T. */
static double exact_residual(const double *g, const randomized_deflation *less, const randomized_recurrence *r, int j,
                             const double *next, const double *w, const double *before) {
  mpfr_t sum, entry, term;
  mpfr_inits2(BITS, sum, entry, term, (mpfr_ptr)NULL);
  mpfr_set_zero(sum, 1);
  for (int i = 0; i < SIDE; i++) {
    mpfr_set_d(entry, r->beta[j], MPFR_RNDN);
    mpfr_mul_d(entry, entry, next[i], MPFR_RNDN);
    for (int k = 0; k < SIDE; k++) {
      mpfr_set_d(term, g[(size_t)i * SIDE + (size_t)k], MPFR_RNDN);
      mpfr_mul_d(term, term, w[k], MPFR_RNDN);
      mpfr_sub(entry, entry, term, MPFR_RNDN);
      mpfr_set_d(term, less->sigma, MPFR_RNDN);
      mpfr_mul_d(term, term, less->v[i], MPFR_RNDN);
      mpfr_mul_d(term, term, less->v[k], MPFR_RNDN);
      mpfr_mul_d(term, term, w[k], MPFR_RNDN);
      mpfr_add(entry, entry, term, MPFR_RNDN);
    }
    mpfr_set_d(term, r->alpha[j], MPFR_RNDN);
    mpfr_mul_d(term, term, w[i], MPFR_RNDN);
    mpfr_add(entry, entry, term, MPFR_RNDN);
    mpfr_set_d(term, j > 0 ? r->beta[j - 1] : 0.0, MPFR_RNDN);
    mpfr_mul_d(term, term, before[i], MPFR_RNDN);
    mpfr_add(entry, entry, term, MPFR_RNDN);
    mpfr_sqr(entry, entry, MPFR_RNDN);
    mpfr_add(sum, sum, entry, MPFR_RNDN);
  }
  mpfr_sqrt(sum, sum, MPFR_RNDN);
  const double residual = mpfr_get_d(sum, MPFR_RNDU);
  mpfr_clears(sum, entry, term, (mpfr_ptr)NULL);
  return residual;
}

/* The largest share that a true residual takes up of the one that is stated. */
static double check(spectrum *eigenvalue, double error, double sigma) {
  static matrix m;
  double v[SIDE];
  for (int i = 0; i < SIDE; i++) v[i] = (i % 3 - 1 + 0x1p-30 * i) / 4.0; /* 16 of them +-1/4 or nearly so */
  const randomized_deflation less = {.v = v, .length = SIDE, .sigma = sigma, .square = 1.0 + 0x1p-20};
  double used = 0.0;
  known_spectrum_matrix(m.g, SIDE, eigenvalue);
  m.error = error;
  const double rounded = gamma_upper(SIDE + 2.0) * (known_spectrum_row_sum(m.g, SIDE) + error);
  const randomized_operator g = {.length = SIDE,
                                 .apply = apply,
                                 .context = &m,
                                 .error = (error + rounded) * (1.0 + 0x1p-40),
                                 .threads = 1,
                                 .less = &less};
  randomized_bits bits = {.seeded = true, .seed = 3};
  randomized_lanczos l;
  assert_int_equal(randomized_lanczos_init(&l, &g, STARTS, &bits, NULL), ATTCERT_OK);
  for (int j = 0; j < STEPS && !randomized_lanczos_ended(&l); j++) {
    double w[STARTS * SIDE], before[STARTS * SIDE];
    bool ended[STARTS];
    memcpy(w, l.w, sizeof w);
    memcpy(before, l.before, sizeof before);
    memcpy(ended, l.ended, sizeof ended);
    assert_int_equal(randomized_lanczos_step(&l, NULL), ATTCERT_OK);
    for (size_t s = 0; s < STARTS; s++) {
      const randomized_recurrence *const r = &l.recurrence[s];
      if (ended[s]) continue;
      const double residual = exact_residual(m.g, &less, r, j, l.w + s * SIDE, w + s * SIDE, before + s * SIDE);
      if (!(residual <= r->residual[j])) fail_msg("step %d, start %zu: %g > %g", j, s, residual, r->residual[j]);
      used = fmax(used, residual / r->residual[j]);
    }
  }
  randomized_lanczos_clear(&l);
  return used;
}

static void test_residuals(void **state) {
  static const double errors[] = {1e-3, 1e-8, 0.0};
  (void)state;
  for (int kind = 0; kind < KNOWN_SPECTRA; kind++) {
    for (int e = 0; e < 3; e++) {
      for (double sigma = 0.0; sigma <= 8.0; sigma += 4.0) {
        const double used = check(KNOWN_SPECTRUM[kind], errors[e], sigma);
        if (errors[e] > 0.0 && !(used > 0.9)) fail_msg("kind %d, error %g: only %g used", kind, errors[e], used);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_residuals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
