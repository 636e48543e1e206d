#include "certify/engine/mpfr_engine.h"

#include "base/arrays.h"
#include "certify/jacobian/explicit_gram.h"
#include "linalg/dense_matrix.h"
#include "linalg/lanczos.h"
#include "linalg/largest_eigenvalue.h"
#include "linalg/norm_upward.h"

#include <math.h>
#include <stdlib.h>

/* First relative distance of tau^2 from the estimate: the width promised, or a quarter of the one asked, but no less than what the
 * 53 bits of a certificate's ends can show. */
static double slack(const attcert_options *options) {
  const double asked = options->tolerance > 0.0 ? options->tolerance / 4.0 : 1.0;
  return fmax(0x1p-58, fmin(2e-14, asked));
}

/* A direction and an estimate of ||J||^2 from the explicit midpoints, better than the structured ones when heads cancel. */
static attcert_status propose_explicit(certification *r, const explicit_jacobian *j, double *u, mpfr_t estimate) {
  double *const a = array_new(ARRAY_COUNT((size_t)j->rows, (size_t)j->cols), sizeof *a, r->err, "the Jacobian");
  if (a == NULL) return ATTCERT_RESOURCE;
  long exponent;
  double sigma = 0.0;
  bool sharp;
  explicit_jacobian_to_double(a, &exponent, j);
  const dense_matrix matrix = {a, j->rows, j->cols};
  const linear_operator jacobian = dense_matrix_operator(&matrix);
  attcert_status status = lanczos_top(u, &sigma, &jacobian, NULL, r->err);
  free(a);
  if (status == ATTCERT_OK && sigma > 0.0) status = certification_improve_lower(r, u, &sharp);
  mpfr_set_d(estimate, sigma, MPFR_RNDN);
  mpfr_mul_2si(estimate, estimate, exponent, MPFR_RNDN);
  mpfr_max(estimate, estimate, r->certificate->lower, MPFR_RNDN);
  mpfr_sqr(estimate, estimate, MPFR_RNDN);
  return status;
}

/* lambda >= the Gram matrix's largest eigenvalue, by double arithmetic on its rounded entries. */
static attcert_status rounded_gram_upper(mpfr_t lambda, const certification *r, const explicit_gram *g,
                                         mpfr_srcptr guess) {
  const size_t side = (size_t)g->n;
  double *const a = array_new(ARRAY_COUNT(side, side), sizeof *a, r->err, "the Gram matrix");
  if (a == NULL) return ATTCERT_RESOURCE;
  double error;
  long exponent;
  explicit_gram_to_double(a, &exponent, &error, g);
  mpfr_t scaled;
  mpfr_init2(scaled, 53);
  mpfr_mul_2si(scaled, guess, -exponent, MPFR_RNDN);
  const attcert_status status =
      largest_eigenvalue_upper(lambda, a, g->n, mpfr_get_d(scaled, MPFR_RNDN), r->options, r->err);
  norm_upward_add_and_scale(lambda, error, exponent);
  mpfr_clear(scaled);
  free(a);
  return status;
}

/* Upper bound from the explicit Jacobian at the enclosure's precision: factorised in integers, or in double for `dense`. */
static attcert_status bound_explicit(certification *r, double *u, attcert_engine engine) {
  explicit_jacobian j;
  explicit_gram g;
  certification_report(r, "explicit Jacobian");
  attcert_status status = explicit_jacobian_init(&j, r->layer, &r->e, r->threads, r->err);
  if (status != ATTCERT_OK) return status;
  mpfr_t estimate, upper;
  mpfr_init2(estimate, r->e.precision);
  mpfr_init2(upper, 128);
  status = propose_explicit(r, &j, u, estimate);
  if (status == ATTCERT_OK) {
    certification_report(r, "Gram matrix in integers");
    status = explicit_gram_init(&g, &j, r->options, r->err);
    if (status == ATTCERT_OK) {
      if (engine == ATTCERT_ENGINE_MPFR)
        status = explicit_gram_upper(upper, &g, estimate, slack(r->options), r->options, r->err);
      else
        status = rounded_gram_upper(upper, r, &g, estimate);
      explicit_gram_clear(&g);
    }
  }
  if (status == ATTCERT_OK) {
    norm_upward_from_eigenvalue(upper, j.radius);
    certification_improve_upper(r, upper, engine);
  }
  mpfr_clear(estimate);
  mpfr_clear(upper);
  explicit_jacobian_clear(&j);
  return status;
}

/* Twice the bits would make what the intervals leave of the width vanish. Where the width has not even halved, the rest is the
 * direction's, a vector of doubles, and that of the ends, which have 53 bits. A width near 1 says nothing yet. */
static bool bits_limit(double before, double width) {
  return before > 0x1p-20 || width <= before / 2.0;
}

attcert_status mpfr_engine_bound(certification *r, double *u, attcert_engine engine, double width) {
  const attcert_certificate *const c = r->certificate;
  const int cap = r->plan.explicit_precision_cap < r->plan.layer_precision_cap ? r->plan.explicit_precision_cap
                                                                               : r->plan.layer_precision_cap;
  double before = INFINITY;
  attcert_status status = bound_explicit(r, u, engine);
  while (status == ATTCERT_OK && c->relative_width > width && bits_limit(before, c->relative_width) &&
         certification_may_refine(r, cap, ATTCERT_ENGINE_MPFR)) {
    before = c->relative_width;
    status = certification_evaluate(r, 2 * c->precision);
    if (status == ATTCERT_OK) status = bound_explicit(r, u, engine);
  }
  return status;
}
