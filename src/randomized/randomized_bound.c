#include "randomized/randomized_bound.h"

#include "interval/interval_arith.h"
#include "interval/interval_set.h"

#include <float.h>
#include <math.h>

/* pi grows like a Chebyshev polynomial, and what cancels in a step is no more than lam over its distance to the Ritz
 * values: bits for 2^-64 of either are left. */
enum { PRECISION = 256 };

/* Everything at one lam. */
typedef struct {
  interval lam, before, pi, next; /* pi_j-1, pi_j, pi_j+1 */
  interval residuals, sum;        /* R_j, the sum over l <= j */
  interval bound, t;
  interval_scratch ws;
} evaluation;

enum { NUMBERS = 8 };

typedef struct {
  interval *number[NUMBERS];
} number_list;

static number_list numbers_of(evaluation *e) {
  return (number_list){{&e->lam, &e->before, &e->pi, &e->next, &e->residuals, &e->sum, &e->bound, &e->t}};
}

static void begin(evaluation *e, double lam) {
  const number_list list = numbers_of(e);
  for (int i = 0; i < NUMBERS; i++) interval_init(list.number[i], PRECISION);
  interval_scratch_init(&e->ws, PRECISION);
  interval_set_d(&e->lam, lam);
  interval_set_si(&e->pi, 1);
}

static void end(evaluation *e) {
  const number_list list = numbers_of(e);
  for (int i = 0; i < NUMBERS; i++) interval_clear(list.number[i]);
  interval_scratch_clear(&e->ws);
}

/* t := x a for a double x. */
static void multiple(interval *t, double x, const interval *a, interval_scratch *ws) {
  interval_set_d(t, x);
  interval_mul(t, t, a, ws);
}

/* next := pi_j+1; false where it may be 0 or less. */
static bool step(evaluation *e, const randomized_recurrence *r, int j) {
  interval_set_d(&e->t, r->alpha[j]);
  interval_sub(&e->t, &e->lam, &e->t);
  interval_mul(&e->next, &e->t, &e->pi, &e->ws);
  if (j > 0) {
    multiple(&e->t, r->beta[j - 1], &e->before, &e->ws);
    interval_sub(&e->next, &e->next, &e->t);
  }
  interval_set_d(&e->t, r->beta[j]);
  interval_div(&e->next, &e->next, &e->t, &e->ws);
  return mpfr_sgn(e->next.lo) > 0;
}

/* bound := B_j+1. */
static void evaluate(evaluation *e, const randomized_recurrence *r, int j) {
  multiple(&e->t, r->residual[j], &e->pi, &e->ws);
  interval_add(&e->residuals, &e->residuals, &e->t);
  multiple(&e->t, r->beta[j], &e->pi, &e->ws);
  interval_mul(&e->t, &e->t, &e->next, &e->ws);
  interval_div(&e->t, &e->residuals, &e->t, &e->ws);
  interval_add(&e->sum, &e->sum, &e->t);
  interval_set_d(&e->t, r->norm[j]);
  interval_div(&e->t, &e->t, &e->next, &e->ws);
  interval_add(&e->bound, &e->sum, &e->t);
}

bool randomized_bound_excludes(const randomized_recurrence *r, double lam, double threshold) {
  evaluation e;
  bool excluded = false;
  begin(&e, lam);
  for (int j = 0; j < r->steps && !excluded && step(&e, r, j); j++) {
    evaluate(&e, r, j);
    excluded = mpfr_cmp_d(e.bound.hi, threshold) < 0;
    interval_set(&e.before, &e.pi);
    interval_set(&e.pi, &e.next);
  }
  end(&e);
  return excluded;
}

double randomized_bound_least(const randomized_recurrence *r, double from, double threshold) {
  double lo = 0x1p-40 * from, hi = lo;
  if (!(lo >= DBL_MIN && isfinite(65.0 * from))) return INFINITY; /* normal, so that a middle is between */
  while (hi <= 64.0 * from && !randomized_bound_excludes(r, from + hi, threshold)) {
    lo = hi;
    hi *= 16.0;
  }
  if (!(hi <= 64.0 * from)) return INFINITY;
  while (hi > (1.0 + 0x1p-6) * lo) {
    const double middle = sqrt(lo) * sqrt(hi);
    if (randomized_bound_excludes(r, from + middle, threshold))
      hi = middle;
    else
      lo = middle;
  }
  return from + hi;
}
