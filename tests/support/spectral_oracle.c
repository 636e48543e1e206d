#include "spectral_oracle.h"

#include "random_source.h"

enum {
  GOAL_BITS = 91,  /* of lambda_max; one more of the norm */
  MAX_ROUNDS = 400 /* factorisations; 5 to 20 are usual */
};

typedef struct {
  slong n, precision;
  arb_mat_t gram;
  arb_mat_t w;     /* n x 1, exact: the proposed eigenvector */
  arb_t quotient;  /* Rayleigh quotient of w */
  arf_t lower;     /* best lower end of a Rayleigh quotient */
  arf_t upper;     /* least tau proved */
  arf_t refused;   /* greatest tau that could not be proved */
  arf_t residual;  /* about ||G w - quotient w|| / ||w|| */
  arb_mat_t image; /* G w */
} search;

/* G = A A^T or A^T A */
static void smaller_gram(arb_mat_t gram, const arb_mat_t a, slong precision) {
  arb_mat_t t;
  arb_mat_init(t, arb_mat_ncols(a), arb_mat_nrows(a));
  arb_mat_transpose(t, a);
  if (arb_mat_nrows(a) <= arb_mat_ncols(a))
    arb_mat_mul(gram, a, t, precision);
  else
    arb_mat_mul(gram, t, a, precision);
  arb_mat_clear(t);
}

static void search_init(search *s, const arb_mat_t a, slong precision) {
  s->n = FLINT_MIN(arb_mat_nrows(a), arb_mat_ncols(a));
  s->precision = precision;
  arb_mat_init(s->gram, s->n, s->n);
  arb_mat_init(s->w, s->n, 1);
  arb_mat_init(s->image, s->n, 1);
  arb_init(s->quotient);
  arf_init(s->lower);
  arf_init(s->upper);
  arf_init(s->refused);
  arf_init(s->residual);
  smaller_gram(s->gram, a, precision);
  random_source r = random_source_make(0, 0, 0);
  for (slong i = 0; i < s->n; i++) arb_set_d(arb_mat_entry(s->w, i, 0), random_uniform(&r, -1, 1));
}

static void search_clear(search *s) {
  arb_mat_clear(s->gram);
  arb_mat_clear(s->w);
  arb_mat_clear(s->image);
  arb_clear(s->quotient);
  arf_clear(s->lower);
  arf_clear(s->upper);
  arf_clear(s->refused);
  arf_clear(s->residual);
}

static void dot(arb_t out, const arb_mat_t a, const arb_mat_t b, slong precision) {
  arb_dot(out, NULL, 0, arb_mat_entry(a, 0, 0), 1, arb_mat_entry(b, 0, 0), 1, arb_mat_nrows(a), precision);
}

/* residual = ||G w - quotient w|| / ||w||, a guess of how far the quotient is from an eigenvalue. */
static void update_residual(search *s, const arb_t square) {
  arb_mat_t r;
  arb_t norm;
  arb_init(norm);
  arb_mat_init(r, s->n, 1);
  arb_mat_scalar_mul_arb(r, s->w, s->quotient, s->precision);
  arb_mat_sub(r, s->image, r, s->precision);
  arb_mat_frobenius_norm(norm, r, s->precision);
  arf_sqrt(s->residual, arb_midref(square), 53, ARF_RND_NEAR);
  arf_div(s->residual, arb_midref(norm), s->residual, 53, ARF_RND_NEAR);
  arb_mat_clear(r);
  arb_clear(norm);
}

static void update_lower(search *s) {
  arb_t square;
  arf_t end;
  arb_init(square);
  arf_init(end);
  arb_mat_mul(s->image, s->gram, s->w, s->precision);
  dot(s->quotient, s->w, s->image, s->precision);
  dot(square, s->w, s->w, s->precision);
  arb_div(s->quotient, s->quotient, square, s->precision);
  arb_get_lbound_arf(end, s->quotient, s->precision);
  arf_max(s->lower, s->lower, end);
  update_residual(s, square);
  arb_clear(square);
  arf_clear(end);
}

/* If tau I - G is certainly positive definite: upper = tau, and w takes two steps of inverse iteration. */
static bool factor(search *s, const arf_t tau) {
  arb_mat_t shifted;
  arb_mat_init(shifted, s->n, s->n);
  arb_mat_neg(shifted, s->gram);
  for (slong i = 0; i < s->n; i++)
    arb_add_arf(arb_mat_entry(shifted, i, i), arb_mat_entry(shifted, i, i), tau, s->precision);
  bool proved = arb_mat_cho(shifted, shifted, s->precision);
  if (proved) {
    arf_set(s->upper, tau);
    for (int step = 0; step < 2; step++) {
      arb_mat_solve_cho_precomp(s->w, shifted, s->w, s->precision);
      arb_mat_get_mid(s->w, s->w);
    }
    update_lower(s);
  }
  arb_mat_clear(shifted);
  return proved;
}

static bool within_goal(const search *s) {
  arf_t gap, goal;
  arf_init(gap);
  arf_init(goal);
  arf_sub(gap, s->upper, s->lower, 53, ARF_RND_UP);
  arf_mul_2exp_si(goal, s->lower, -GOAL_BITS);
  bool within = arf_sgn(s->lower) > 0 && arf_cmp(gap, goal) <= 0;
  arf_clear(gap);
  arf_clear(goal);
  return within;
}

/* The radii of G alone must leave room for the goal. */
static bool precise_enough(const search *s) {
  mag_t sum;
  arf_t radius, room;
  mag_init(sum);
  arf_init(radius);
  arf_init(room);
  for (slong i = 0; i < s->n; i++)
    for (slong j = 0; j < s->n; j++) mag_add(sum, sum, arb_radref(arb_mat_entry(s->gram, i, j)));
  arf_set_mag(radius, sum);
  arf_mul_2exp_si(room, s->lower, -GOAL_BITS - 4);
  bool enough = arf_cmp(radius, room) < 0;
  mag_clear(sum);
  arf_clear(radius);
  arf_clear(room);
  return enough;
}

/* tau = base + max(2 residual, goal / 2) 8^failures with base = max(lower, refused), at most half-way from base to
 * upper: Newton-like when w is nearly an eigenvector, bisection at worst. */
static void next_shift(arf_t tau, const search *s, int failures) {
  arf_t base, step, half;
  arf_init(base);
  arf_init(step);
  arf_init(half);
  arf_max(base, s->lower, s->refused);
  arf_mul_2exp_si(step, s->residual, 1);
  arf_mul_2exp_si(half, s->lower, -GOAL_BITS - 1);
  arf_max(step, step, half);
  arf_mul_2exp_si(step, step, 3 * failures);
  arf_sub(half, s->upper, base, 53, ARF_RND_DOWN);
  arf_mul_2exp_si(half, half, -1);
  arf_min(step, step, half);
  arf_add(tau, base, step, s->precision, ARF_RND_UP);
  arf_clear(base);
  arf_clear(step);
  arf_clear(half);
}

static bool close_in(search *s) {
  arf_t tau;
  arf_init(tau);
  int failures = 0;
  for (int round = 0; round < MAX_ROUNDS && !within_goal(s) && precise_enough(s); round++) {
    next_shift(tau, s, failures);
    const bool proved = factor(s, tau);
    failures = proved ? 0 : failures + 1;
    if (!proved) arf_max(s->refused, s->refused, tau);
  }
  arf_clear(tau);
  return within_goal(s);
}

/* lambda_max <= trace; the first shift is twice that. */
static bool start(search *s) {
  arb_t trace;
  arf_t tau;
  arb_init(trace);
  arf_init(tau);
  arb_mat_trace(trace, s->gram, s->precision);
  arb_get_ubound_arf(tau, trace, s->precision);
  arf_mul_2exp_si(tau, tau, 1);
  bool started = arb_is_finite(trace) && factor(s, tau);
  if (!started) arf_pos_inf(s->upper);
  arb_clear(trace);
  arf_clear(tau);
  return started;
}

bool spectral_oracle(arf_t lower, arf_t upper, const arb_mat_t a, slong precision) {
  if (arb_mat_is_zero(a)) {
    arf_zero(lower);
    arf_zero(upper);
    return true;
  }
  search s;
  search_init(&s, a, precision);
  bool tight = start(&s) && close_in(&s);
  arf_sqrt(lower, s.lower, precision, ARF_RND_DOWN);
  arf_sqrt(upper, s.upper, precision, ARF_RND_UP);
  search_clear(&s);
  return tight;
}
