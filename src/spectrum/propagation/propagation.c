#include "spectrum/propagation/propagation.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"

enum { PRECISION = 128 };

void spectrum_propagation_init(spectrum_propagation *p) {
  interval_init(&p->rho, PRECISION);
  interval_init(&p->symmetric, PRECISION);
  p->has_symmetric = false;
}

void spectrum_propagation_clear(spectrum_propagation *p) {
  interval_clear(&p->rho);
  interval_clear(&p->symmetric);
}

typedef struct {
  interval t, u; /* i/T, (i/T - 1/2)^2 */
  interval mean, variance, dim, term;
  interval_scratch ws;
} moments;

static interval *const *members(interval *all[6], moments *m) {
  all[0] = &m->t, all[1] = &m->u, all[2] = &m->mean, all[3] = &m->variance, all[4] = &m->dim, all[5] = &m->term;
  return all;
}

/* r := a / b, integers. */
static void set_ratio(interval *r, long a, long b, moments *m) {
  interval_set_si(r, a);
  interval_set_si(&m->term, b);
  interval_div(r, r, &m->term, &m->ws);
}

/* t, u and mu = (t - 1/2) tr W / sqrt(d), t - 1/2 = (2 i - T) / (2 T). */
static void moments_init(moments *m, const spectrum_traces *traces, int dim, int i, int length) {
  interval *all[6];
  for (int j = 0; j < 6; j++) interval_init(members(all, m)[j], PRECISION);
  interval_scratch_init(&m->ws, PRECISION);
  set_ratio(&m->t, i, length, m);
  set_ratio(&m->mean, 2L * i - length, 2L * length, m);
  interval_sqr(&m->u, &m->mean, &m->ws);
  interval_mul(&m->mean, &m->mean, &traces->trace, &m->ws);
  interval_set_si(&m->dim, dim);
  interval_sqrt(&m->term, &m->dim);
  interval_div(&m->mean, &m->mean, &m->term, &m->ws);
}

static void moments_clear(moments *m) {
  interval *all[6];
  for (int j = 0; j < 6; j++) interval_clear(members(all, m)[j]);
  interval_scratch_clear(&m->ws);
}

/* variance := ((u + 1/12) ||W||_F^2 + u tr W^2) / d, as t^2 - t + 1/3 = (t - 1/2)^2 + 1/12. */
static void general_variance(moments *m, const spectrum_traces *traces) {
  set_ratio(&m->variance, 1, 12, m);
  interval_add(&m->variance, &m->variance, &m->u);
  interval_sqr(&m->term, &traces->frobenius, &m->ws);
  interval_mul(&m->variance, &m->variance, &m->term, &m->ws);
  interval_fma(&m->variance, &m->u, &traces->trace_of_square, &m->variance, &m->ws);
  interval_div(&m->variance, &m->variance, &m->dim, &m->ws);
}

/* variance := (2 u + 1/12) tr W^2 / d, as 2 t^2 - 2 t + 7/12 = 2 (t - 1/2)^2 + 1/12. */
static void symmetric_variance(moments *m, const spectrum_traces *traces) {
  set_ratio(&m->variance, 1, 12, m);
  interval_scale_2exp(&m->term, &m->u, 1);
  interval_add(&m->variance, &m->variance, &m->term);
  interval_mul(&m->variance, &m->variance, &traces->trace_of_square, &m->ws);
  interval_div(&m->variance, &m->variance, &m->dim, &m->ws);
}

/* a := erf(a), which rises; MPFR rounds it correctly. */
static void erf_in_place(interval *a) {
  mpfr_erf(a->lo, a->lo, MPFR_RNDD);
  mpfr_erf(a->hi, a->hi, MPFR_RNDU);
}

/* rho := P(0 <= Z <= 1) of a normal Z of this mean and variance; [0, 1] where the variance may be 0. */
static void unit_probability(interval *rho, moments *m) {
  interval_set_zero(rho);
  mpfr_set_ui(rho->hi, 1, MPFR_RNDU);
  if (mpfr_sgn(m->variance.lo) <= 0) return;
  interval_scale_2exp(&m->variance, &m->variance, 1);
  interval_sqrt(&m->variance, &m->variance);
  interval_set_si(&m->term, 1);
  interval_sub(&m->term, &m->term, &m->mean);
  interval_div(&m->term, &m->term, &m->variance, &m->ws);
  erf_in_place(&m->term);
  interval_div(&m->t, &m->mean, &m->variance, &m->ws);
  erf_in_place(&m->t);
  interval_add(rho, &m->term, &m->t);
  interval_scale_2exp(rho, rho, -1);
  if (mpfr_sgn(rho->lo) < 0) mpfr_set_zero(rho->lo, 1);
  if (mpfr_cmp_ui(rho->hi, 1) > 0) mpfr_set_ui(rho->hi, 1, MPFR_RNDU);
}

void spectrum_propagation_enclose(spectrum_propagation *p, const spectrum_traces *traces, int dim, int i, int length) {
  moments m;
  moments_init(&m, traces, dim, i, length);
  general_variance(&m, traces);
  unit_probability(&p->rho, &m);
  p->has_symmetric = mpfr_sgn(traces->trace_of_square.lo) > 0;
  symmetric_variance(&m, traces);
  unit_probability(&p->symmetric, &m);
  moments_clear(&m);
}
