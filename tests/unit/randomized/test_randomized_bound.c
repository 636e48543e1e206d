/* T14 on diagonal matrices, whose top eigenvector is the first unit vector: no recurrence, whatever its noise, its
 * coefficients and its start, excludes the eigenvalue for a threshold up to the start's component; with residuals
 * claimed to be less than they are, some do. What is excluded is what the definition of B says, evaluated in long
 * double; the least lam is close to the first that is. */
#include "randomized/randomized_bound.h"

#include "random_source.h"
#include "test_setting.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 40, STEPS = 25, DEFAULT_CASES = 400 };

typedef struct {
  double eigenvalue[SIDE]; /* the first is the largest, 1 */
  double start[SIDE];
  double noise;
  bool adverse; /* the noise takes from the component */
  bool ritz;    /* alpha is the Lanczos coefficient, not any number */
  double alpha[STEPS], beta[STEPS], norm[STEPS], residual[STEPS];
  randomized_recurrence r;
} instance;

static double dot(const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < SIDE; i++) sum += x[i] * y[i];
  return sum;
}

/* Residuals: the noise, and roundings of sums and products of numbers of at most 4. */
static void run(instance *c, random_source *s) {
  double w[SIDE], before[SIDE] = {0};
  c->r = (randomized_recurrence){0, c->alpha, c->beta, c->norm, c->residual};
  memcpy(w, c->start, sizeof w);
  for (int j = 0; j < STEPS; j++) {
    double z[SIDE], noise[SIDE];
    for (int i = 0; i < SIDE; i++) noise[i] = c->adverse ? (i == 0 ? -copysign(1.0, w[0]) : 0.0) : random_gaussian(s);
    const double scale = c->noise / sqrt(dot(noise, noise));
    for (int i = 0; i < SIDE; i++) z[i] = c->eigenvalue[i] * w[i] + scale * noise[i];
    c->alpha[j] = c->ritz ? dot(z, w) / dot(w, w) : random_uniform(s, 0.0, 1.0);
    for (int i = 0; i < SIDE; i++) z[i] -= c->alpha[j] * w[i] + (j > 0 ? c->beta[j - 1] * before[i] : 0.0);
    c->beta[j] = sqrt(dot(z, z));
    if (c->beta[j] < 1e-10) return;
    memcpy(before, w, sizeof before);
    for (int i = 0; i < SIDE; i++) w[i] = z[i] / c->beta[j];
    c->norm[j] = sqrt(dot(w, w)) * (1.0 + 1e-13);
    c->residual[j] = c->noise * (1.0 + 1e-13) + 1e-14;
    c->r.steps = j + 1;
  }
}

static void draw(instance *c, random_source *s) {
  static const double powers[] = {1.0, 3.0, 8.0}, noises[] = {0.0, 1e-15, 1e-10, 1e-6, 1e-3};
  static const double shares[] = {1.0, 1e-3, 1e-7, 1e-12, 0.0};
  const double power = powers[random_integer(s, 0, 2)];
  for (int i = 0; i < SIDE; i++) {
    c->eigenvalue[i] = i == 0 ? 1.0 : pow(random_uniform(s, 0.0, 1.0), power);
    c->start[i] = random_gaussian(s);
  }
  if (random_chance(s, 0.2)) c->eigenvalue[1] = 1.0; /* a repeated one */
  c->start[0] *= shares[random_integer(s, 0, 4)];
  const double length = sqrt(dot(c->start, c->start));
  for (int i = 0; i < SIDE; i++) c->start[i] /= length;
  c->noise = noises[random_integer(s, 0, 4)];
  c->adverse = random_chance(s, 0.5);
  c->ritz = random_chance(s, 0.8);
  run(c, s);
}

static void test_never_excludes(void **state) {
  const uint64_t seed = test_setting("ATTCERT_SEED", 1), cases = test_setting("ATTCERT_CASES", DEFAULT_CASES);
  int tight = 0, caught = 0;
  (void)state;
  for (uint64_t i = 0; i < cases; i++) {
    random_source s = random_source_make(seed, 1, i);
    instance c;
    draw(&c, &s);
    const double component = fabs(c.start[0]);
    if (randomized_bound_excludes(&c.r, 1.0, component) || randomized_bound_excludes(&c.r, 0.9, component))
      fail_msg("case %llu, seed %llu", (unsigned long long)i, (unsigned long long)seed);
    tight += c.noise > 0.0 && component > 0.0 && randomized_bound_excludes(&c.r, 1.0 + 1e-9, 1.01 * component);
    for (int j = 0; j < c.r.steps; j++) c.residual[j] *= 0.1;
    caught += component > 0.0 && randomized_bound_excludes(&c.r, 1.0, component);
  }
  assert_true(cases < DEFAULT_CASES || (tight > 0 && caught > 0));
}

/* B_j from the definition, the residuals summed pair by pair, for j = 1 .. steps; infinite beyond the first pi that is
 * not positive. */
static long double definition(const instance *c, long double lam) {
  long double pi[STEPS + 1], least = INFINITY;
  pi[0] = 1.0L;
  for (int j = 0; j < c->r.steps; j++) {
    const long double before = j > 0 ? c->beta[j - 1] * pi[j - 1] : 0.0L;
    pi[j + 1] = ((lam - c->alpha[j]) * pi[j] - before) / c->beta[j];
    if (!(pi[j + 1] > 0.0L)) break;
    long double sum = c->norm[j] / pi[j + 1];
    for (int i = 0; i <= j; i++) {
      for (int l = i; l <= j; l++) sum += c->residual[i] * pi[i] / (c->beta[l] * pi[l] * pi[l + 1]);
    }
    if (sum < least) least = sum;
  }
  return least;
}

static void test_definition(void **state) {
  (void)state;
  int finite = 0;
  for (uint64_t i = 0; i < 200; i++) {
    random_source s = random_source_make(2, 2, i);
    instance c;
    draw(&c, &s);
    const double lam = random_chance(&s, 0.5) ? random_uniform(&s, 1.0, 1.5) : 1.0 + random_magnitude(&s, -20, -2);
    const double bound = (double)definition(&c, lam);
    if (isinf(bound)) continue;
    finite++;
    assert_true(randomized_bound_excludes(&c.r, lam, bound * (1.0 + 1e-8)));
    assert_false(randomized_bound_excludes(&c.r, lam, bound * (1.0 - 1e-8)));
  }
  assert_true(finite > 150);
}

/* What is no range of doubles ends the search, and so does a threshold that nothing is below. */
static void test_no_range(void **state) {
  static const double from[] = {0.0, -1.0, 0x1p-1074, 0x1p-983, 0x1p1020, INFINITY, NAN};
  (void)state;
  random_source s = random_source_make(4, 4, 0);
  instance c;
  draw(&c, &s);
  for (int i = 0; i < 7; i++) assert_true(isinf(randomized_bound_least(&c.r, from[i], 1e-3)));
  assert_true(isinf(randomized_bound_least(&c.r, 1.0, 0.0)));
  assert_true(isinf(randomized_bound_least(&c.r, 1.0, -1.0)));
}

static void test_least(void **state) {
  (void)state;
  int found = 0;
  for (uint64_t i = 0; i < 100; i++) {
    random_source s = random_source_make(3, 3, i);
    instance c;
    draw(&c, &s);
    const double threshold = random_magnitude(&s, -12, -1), least = randomized_bound_least(&c.r, 1.0, threshold);
    if (isinf(least)) continue;
    found++;
    assert_true(randomized_bound_excludes(&c.r, least, threshold));
    const double gap = (least - 1.0) / (1.0 + 0x1p-5);
    if (gap > 0x1p-38) assert_false(randomized_bound_excludes(&c.r, 1.0 + gap, threshold));
  }
  assert_true(found > 50);
  const randomized_recurrence none = {.steps = 0};
  assert_true(isinf(randomized_bound_least(&none, 1.0, 1.0)));
}

/* A matrix times a power of two, whose square is no double: the same search, by powers of two. */
static void test_scales(void **state) {
  static const int exponent[] = {-900, -540, -2, 540, 900};
  (void)state;
  for (uint64_t i = 0; i < 20; i++) {
    random_source s = random_source_make(3, 3, i);
    instance c;
    draw(&c, &s);
    const double least = randomized_bound_least(&c.r, 1.0, 0x1p-3);
    for (int e = 0; e < 5; e++) {
      random_source again = random_source_make(3, 3, i);
      instance scaled;
      draw(&scaled, &again);
      for (int j = 0; j < scaled.r.steps; j++) {
        scaled.r.alpha[j] = ldexp(scaled.r.alpha[j], exponent[e]);
        scaled.r.beta[j] = ldexp(scaled.r.beta[j], exponent[e]);
        scaled.r.residual[j] = ldexp(scaled.r.residual[j], exponent[e]);
      }
      assert_true(randomized_bound_least(&scaled.r, ldexp(1.0, exponent[e]), 0x1p-3) == ldexp(least, exponent[e]));
    }
  }
}

/* pi far beyond double's range, and residuals that are not numbers. */
static void test_edges(void **state) {
  enum { LONG = 600 };
  static double alpha[LONG], beta[LONG], norm[LONG], residual[LONG];
  (void)state;
  for (int j = 0; j < LONG; j++) {
    alpha[j] = 0.5;
    beta[j] = 0.25;
    norm[j] = 1.0;
    residual[j] = 0.0;
  }
  const randomized_recurrence r = {LONG, alpha, beta, norm, residual};
  assert_true(randomized_bound_excludes(&r, 64.0, 0x1p-1000));
  residual[0] = INFINITY;
  assert_false(randomized_bound_excludes(&r, 64.0, 1.0));
  residual[0] = NAN;
  assert_false(randomized_bound_excludes(&r, 64.0, 1.0));
  residual[0] = 0.0;
  norm[0] = NAN;
  alpha[1] = NAN;
  assert_false(randomized_bound_excludes(&r, 64.0, 1.0));
  norm[0] = 1.0;
  static const double no_divisor[] = {0.0, -0.0, -0.25, NAN};
  for (int i = 0; i < 4; i++) {
    beta[0] = no_divisor[i];
    assert_false(randomized_bound_excludes(&r, 64.0, 1.0));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_never_excludes), cmocka_unit_test(test_definition), cmocka_unit_test(test_no_range),
      cmocka_unit_test(test_least),          cmocka_unit_test(test_scales),     cmocka_unit_test(test_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
