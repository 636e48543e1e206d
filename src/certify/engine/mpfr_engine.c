#include "certify/engine/mpfr_engine.h"

#include "base/arrays.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "certify/engine/certify_stored.h"
#include "certify/engine/engine_layer.h"
#include "linalg/eigenvalue/largest_eigenvalue.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/lanczos.h"
#include "linalg/rounding/norm_upward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes above which the engine takes many minutes. */
enum { MOST_SIDE = 2048, MOST_ENTRIES = 1 << 22 };

uint64_t mpfr_engine_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options) {
  (void)options;
  const uint64_t midpoints = (uint64_t)n * (uint64_t)n * (uint64_t)layer->out_dim * (uint64_t)layer->dim;
  const uint64_t gram = memory_add(explicit_gram_bytes(layer, n), midpoints * sizeof(double));
  const uint64_t jacobian = memory_add(explicit_jacobian_bytes(layer, n, precision), gram);
  return memory_add(layer_enclosure_bytes(layer, n, precision), jacobian);
}

/* Interval multiply-adds of the explicit Jacobian: three for a head, a row of W_h, a column and a pair of tokens. */
static double mpfr_engine_operations(const attcert_layer *layer, int n) {
  const double tokens = n, height = layer->output_weight != NULL ? layer->out_dim : layer->head_dim;
  const double attended = layer->mask == ATTCERT_MASK_CAUSAL ? 0.5 * (tokens + 1.0) : tokens;
  return 3.0 * layer->heads * height * tokens * attended * layer->dim;
}

/* The explicit Jacobian at 250 ns an operation, then m^2 k / 2 multiply-adds of integers for the Gram matrix of m rows
 * and m^3 / 6 for its factor, at 5 ns each. */
double mpfr_engine_seconds(const attcert_layer *layer, int n, const attcert_options *options) {
  const double rows = (double)n * layer->out_dim, cols = (double)n * layer->dim, m = fmin(rows, cols);
  const double seconds = 2.5e-7 * mpfr_engine_operations(layer, n) + 5e-9 * m * m * (fmax(rows, cols) / 2.0 + m / 6.0);
  return seconds / parallel_threads(options->threads);
}

bool mpfr_engine_is_feasible(const attcert_layer *layer, int n) {
  const double rows = (double)n * layer->out_dim, cols = (double)n * layer->dim;
  return fmin(rows, cols) <= MOST_SIDE && rows * cols <= MOST_ENTRIES;
}

/* First relative distance of tau^2 from the estimate: 2e-14, or that over the power of 16 that makes it a quarter of
 * the width asked, but no less than what the 53 bits of a certificate's ends can show. Powers of 16, by which it is
 * raised where there is no factor: so one that is asked for less tries all that others would, and less first. */
double mpfr_engine_slack(const attcert_options *options) {
  const double asked = options->tolerance > 0.0 ? options->tolerance / 4.0 : 1.0;
  double first = 2e-14;
  while (first > asked && first / 16.0 >= 0x1p-58) first /= 16.0;
  return first;
}

/* A direction and an estimate of ||J||^2 from the explicit midpoints, better than the structured ones when heads
 * cancel. w (NULL: none): a direction to start from, of J J^T or, where J has fewer columns than rows, J^T J. */
static attcert_status propose_explicit(const certify_run *r, const explicit_jacobian *j, const double *w,
                                       mpfr_ptr estimate) {
  double *const a = array_new(ARRAY_COUNT((size_t)j->rows, (size_t)j->cols), sizeof *a, r->err, "the Jacobian");
  if (a == NULL) return ATTCERT_RESOURCE;
  long exponent;
  double sigma = 0.0;
  bool sharp;
  explicit_jacobian_to_double(a, &exponent, j);
  const dense_matrix matrix = {a, j->rows, j->cols};
  const linear_operator jacobian = dense_matrix_operator(&matrix);
  if (w != NULL && j->cols < j->rows)
    memcpy(r->u, w, (size_t)j->cols * sizeof(double));
  else if (w != NULL)
    jacobian.apply(jacobian.context, r->u, w, true);
  attcert_status status = lanczos_top_from(r->u, &sigma, &jacobian, w != NULL ? r->u : NULL, NULL, r->err);
  free(a);
  if (status == ATTCERT_OK && sigma > 0.0) status = certify_run_improve_lower(r, r->u, &sharp);
  mpfr_set_d(estimate, sigma, MPFR_RNDN);
  mpfr_mul_2si(estimate, estimate, exponent, MPFR_RNDN);
  mpfr_max(estimate, estimate, r->certificate->lower, MPFR_RNDN);
  if (status == ATTCERT_OK) r->certificate->estimate = mpfr_get_d(estimate, MPFR_RNDN);
  mpfr_sqr(estimate, estimate, MPFR_RNDN);
  return status;
}

/* Where the first guess comes from, and a better one after a factorisation that failed: to mpfr_upper they are
 * proposals, which write to no certificate but their own. */
typedef struct {
  certify_run run; /* the certifier's, with `proposed` for its certificate */
  attcert_certificate proposed;
  const explicit_jacobian *j;
} explicit_run;

static attcert_status explicit_run_init(explicit_run *at, const certify_run *r, const explicit_jacobian *j) {
  attcert_certificate_init(&at->proposed);
  mpfr_set(at->proposed.lower, r->certificate->lower, MPFR_RNDD);
  at->proposed.estimate = r->certificate->estimate;
  at->run = *r;
  at->run.certificate = &at->proposed;
  at->j = j;
  return attcert_matrix_init(&at->proposed.vector, r->x->rows, r->x->cols, r->err);
}

/* Takes over what was proposed. */
static attcert_status explicit_run_keep(const explicit_run *at, const certify_run *r) {
  bool sharp;
  r->certificate->estimate = at->proposed.estimate;
  if (mpfr_lessequal_p(at->proposed.lower, r->certificate->lower)) return ATTCERT_OK;
  return certify_run_raise_lower(r, at->proposed.vector.data, &sharp);
}

static attcert_status improve_guess(void *context, mpfr_ptr guess, const double *w, attcert_error *err) {
  const explicit_run *const at = context;
  (void)err; /* the run's own */
  attcert_status status = propose_explicit(&at->run, at->j, w, guess);
  if (status == ATTCERT_OK && w == NULL) status = certify_run_report(&at->run, "Gram matrix in integers");
  return status;
}

/* lambda >= the Gram matrix's largest eigenvalue, by double arithmetic on its rounded entries. */
static attcert_status rounded_gram_upper(mpfr_t lambda, const certify_run *r, const explicit_gram *g,
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

/* upper >= ||J||_2, its Gram matrix's largest eigenvalue by double arithmetic. */
static attcert_status rounded_norm_upper(mpfr_t upper, const certify_run *r, const explicit_jacobian *j,
                                         mpfr_srcptr guess) {
  explicit_gram g;
  attcert_status status = explicit_gram_init(&g, j, r->options, r->err);
  if (status != ATTCERT_OK) return status;
  status = rounded_gram_upper(upper, r, &g, guess);
  explicit_gram_clear(&g);
  if (status == ATTCERT_OK) norm_upward_from_eigenvalue(upper, j->radius);
  return status;
}

/* upper >= ||J||_2 as mpfr_upper has it, but for the largest eigenvalue, which is double arithmetic's. */
static attcert_status rounded_upper(mpfr_t upper, mpfr_t guess, explicit_jacobian *j, const certify_run *r,
                                    const explicit_gram_guess *better) {
  attcert_status status = explicit_jacobian_init(j, r->layer, &r->e, r->threads, r->err);
  if (status != ATTCERT_OK) return status;
  status = mpfr_guess(guess, better, r->err);
  if (status == ATTCERT_OK) status = rounded_norm_upper(upper, r, j, guess);
  explicit_jacobian_clear(j);
  return status;
}

/* upper >= ||J||_2 from what is stored: the layer is enclosed once more, whatever was found before. */
static attcert_status stored_upper(mpfr_t upper, mpfr_t guess, explicit_jacobian *j, const certify_run *r,
                                   const explicit_gram_guess *better) {
  layer_enclosure e = {0};
  const attcert_status status = certify_stored_above(upper, guess, j, &e, r->layer, r->x, r->e.precision,
                                                     mpfr_engine_slack(r->options), better, r->options, r->err);
  layer_enclosure_clear(&e);
  return status;
}

/* Bounds from the explicit Jacobian at the enclosure's precision, factorised in integers or, for `dense`, in double. */
static attcert_status bound_explicit(certify_run *r, attcert_engine engine) {
  explicit_jacobian j;
  explicit_run at;
  const explicit_gram_guess better = {improve_guess, &at};
  mpfr_t estimate, upper;
  mpfr_init2(estimate, r->e.precision);
  mpfr_init2(upper, 128);
  attcert_status status = explicit_run_init(&at, r, &j);
  if (status == ATTCERT_OK) status = certify_run_report(r, "explicit Jacobian");
  if (status == ATTCERT_OK && engine == ATTCERT_ENGINE_MPFR)
    status = stored_upper(upper, estimate, &j, r, &better);
  else if (status == ATTCERT_OK)
    status = rounded_upper(upper, estimate, &j, r, &better);
  const attcert_status kept = explicit_run_keep(&at, r);
  if (kept != ATTCERT_OK) status = kept;
  if (status == ATTCERT_OK) certify_run_improve_upper(r, upper, engine);
  attcert_certificate_clear(&at.proposed);
  mpfr_clear(estimate);
  mpfr_clear(upper);
  return status;
}

/* Twice the bits would make what the intervals leave of the width vanish. Where the width has not even halved, the rest
 * is the direction's, a vector of doubles, and the ends', which have 53 bits. A width near 1 says nothing yet. */
static bool bits_limit(double before, double width) {
  return before > 0x1p-20 || width <= before / 2.0;
}

/* With more bits while the enclosure is wider than `width`. */
static attcert_status bound_within(certify_run *r, double width, attcert_engine engine) {
  const attcert_certificate *const c = r->certificate;
  const int most = engine_precision_cap(r->options->precision, mpfr_engine_operations(r->layer, r->x->rows));
  const int cap = most < r->limits.layer_precision_cap ? most : r->limits.layer_precision_cap;
  double before = INFINITY;
  attcert_status status = bound_explicit(r, engine);
  while (status == ATTCERT_OK && c->relative_width > width && bits_limit(before, c->relative_width) &&
         certify_run_may_refine(r, cap, mpfr_engine_bytes)) {
    before = c->relative_width;
    status = certify_run_evaluate(r, 2 * c->precision);
    if (status == ATTCERT_OK) status = bound_explicit(r, engine);
  }
  return status;
}

attcert_status mpfr_engine_bound(certify_run *r, double width) {
  return bound_within(r, width, ATTCERT_ENGINE_MPFR);
}

attcert_status mpfr_engine_bound_in_double(certify_run *r, double width) {
  certify_run_note(r, "too wide in double, so its Gram matrix was formed in integers");
  return bound_within(r, width, ATTCERT_ENGINE_DENSE);
}
