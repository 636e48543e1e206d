#include "certify/engine/random_engine.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "certify/engine/certify_ends.h"
#include "certify/engine/gemm_cost.h"
#include "certify/engine/pointwise.h"
#include "certify/jacobian/factored_jacobian_direction.h"
#include "certify/jacobian/stage_errors.h"
#include "linalg/blas/blas_single.h"
#include "linalg/rounding/norm_upward.h"
#include "randomized/randomized_start.h"
#include "randomized/randomized_upper.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

/* From the layer in double, then from the layer in intervals: the better of two upper ends is wrong where one is. */
enum { ATTEMPTS_MOST = 2 };

/* Parts that products are divided into, each with scratch of its own. */
enum { PARTS_MOST = 8 };

static int parts_for(int threads) {
  return threads < PARTS_MOST ? threads : PARTS_MOST;
}

/* Most vectors that one of so many parts is given. */
static int vectors_of_a_part(int parts) {
  return (RANDOMIZED_STARTS_MOST + parts - 1) / parts;
}

/* Steps that a per cent takes, for the plan. */
enum { USUAL_STEPS = 32, USUAL_STARTS = 8 };

/* Where auto has taken it in place of an engine that takes at least three times as long as is usual: products, by an
 * estimate that is about twice too large, beyond which that engine is the faster one. */
enum { PRODUCTS_OF_AUTO = 6 * USUAL_STEPS * USUAL_STARTS };

uint64_t random_engine_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision, const attcert_options *options) {
  const size_t rows = (size_t)n * (size_t)layer->out_dim, cols = (size_t)n * (size_t)layer->dim;
  const int parts = parts_for(parallel_threads(options->threads));
  (void)precision;
  return factored_jacobian_bytes(layer, n) +
         (uint64_t)parts * structured_jacobian_bytes(layer, n, vectors_of_a_part(parts)) +
         randomized_upper_bytes(rows) + (RANDOMIZED_STARTS_MOST * cols + rows) * sizeof(double);
}

double random_engine_seconds(const attcert_layer *layer, int n, const attcert_options *options) {
  const double tokens = n, width = (double)layer->heads * layer->head_dim;
  const double output = layer->output_weight != NULL ? layer->out_dim : 0.0;
  const double product = 2.0 * tokens * width * (3.0 * layer->dim + 2.0 * tokens + output);
  (void)options;
  return gemm_seconds(2.0 * USUAL_STEPS * USUAL_STARTS * product, tokens * layer->out_dim);
}

/* J~ J~^T, of several vectors in parts, each on a thread. */
typedef struct {
  structured_jacobian part[PARTS_MOST];
  int parts;
  jacobian_errors errors;
  double *image; /* J~^T of the vectors */
} square;

typedef struct {
  const square *s;
  double *y;
  const double *x;
  int count, parts; /* no more parts than vectors */
} square_product;

/* Vectors of part p, and those before it. */
static int first_of(const square_product *t, int p) {
  return t->count * p / t->parts;
}

static void multiply_part(void *context, int p) {
  const square_product *const t = context;
  const structured_jacobian *const j = &t->s->part[p];
  const size_t first = (size_t)first_of(t, p), n = (size_t)j->m->n;
  structured_jacobian_square(j, t->y + first * n * (size_t)j->m->out_dim, t->s->image + first * n * (size_t)j->m->dim,
                             t->x + first * n * (size_t)j->m->out_dim, first_of(t, p + 1) - (int)first);
}

static void apply_square(void *context, double *y, const double *x, int count) {
  const square *const s = context;
  square_product t = {s, y, x, count, count < s->parts ? count : s->parts};
  if (t.parts == 1) { /* on BLAS's own threads */
    multiply_part(&t, 0);
    return;
  }
  blas_single_begin();
  parallel_for(t.parts, t.parts, multiply_part, &t);
  blas_single_end();
}

static attcert_status square_init(square *s, const factored_jacobian *m, int threads, attcert_error *err) {
  *s = (square){.parts = parts_for(threads)};
  const array_table arrays = {{ARRAY(s->image, RANDOMIZED_STARTS_MOST, (size_t)m->n, (size_t)m->dim)}};
  attcert_status status = ATTCERT_OK;
  for (int p = 0; p < s->parts && status == ATTCERT_OK; p++) {
    status = structured_jacobian_init(&s->part[p], m, vectors_of_a_part(s->parts), err);
    if (status == ATTCERT_OK) status = structured_jacobian_prepare_square(&s->part[p], err);
  }
  if (status == ATTCERT_OK)
    status = s->part[0].square != NULL ? jacobian_errors_of(&s->errors, m, err)
                                       : stage_errors_of(&s->errors, m, threads, err);
  return status == ATTCERT_OK ? array_table_allocate(&arrays, err, "the images of the starts") : status;
}

static void square_clear(square *s) {
  for (int p = 0; p < s->parts; p++) structured_jacobian_clear(&s->part[p]);
  free(s->image);
}

/* z: scratch for a direction's image. Takes the upper end and the direction that the recurrences propose. */
static attcert_status take(certify_run *r, square *s, double *z, double width) {
  const factored_jacobian *const m = &r->m;
  randomized_operator g = {.length = (size_t)m->n * (size_t)m->out_dim,
                           .apply = apply_square,
                           .context = s,
                           .error = s->errors.gram,
                           .threads = r->threads,
                           .parts = s->parts};
  const attcert_options *const o = r->options;
  const double failure_log2 = randomized_failure_log2(o->failure);
  randomized_question question = {.failure_log2 = failure_log2 - log2(ATTEMPTS_MOST),
                                  .width = width,
                                  .most_products = o->engine == ATTCERT_ENGINE_AUTO ? PRODUCTS_OF_AUTO : 0.0,
                                  .loss = 2.0 * (s->errors.radius + s->errors.product),
                                  .bits = {.seeded = o->seeded, .seed = o->seed},
                                  .options = o};
  randomized_answer answer;
  const attcert_status status = randomized_upper(&answer, z, &g, &question, r->err);
  if (status != ATTCERT_OK) return status;
  structured_jacobian_multiply(&s->part[0], r->u, z, 1, true);
  const int cols = m->n * m->dim;
  const double norm = cblas_dnrm2(cols, r->u, 1);
  if (norm > 0.0) cblas_dscal(cols, 1.0 / norm, r->u, 1);
  r->sigma = sqrt(answer.estimate);
  mpfr_t upper;
  mpfr_init2(upper, 64);
  mpfr_set_d(upper, answer.upper, MPFR_RNDU);
  norm_upward_from_scaled_eigenvalue(upper, 0.0, s->errors.radius, m->exponent);
  certify_run_improve_likely_upper(r, upper, ATTCERT_ENGINE_RANDOM, failure_log2);
  mpfr_clear(upper);
  certify_run_note(r, "%d random starts, %d steps", answer.starts, answer.steps);
  return ATTCERT_OK;
}

static attcert_status with_square(certify_run *r, double width, mpfr_ptr lower) {
  square s;
  double *const z = array_new((size_t)r->m.n * (size_t)r->m.out_dim, sizeof *z, r->err, "a Ritz vector");
  attcert_status status = z != NULL ? square_init(&s, &r->m, r->threads, r->err) : ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = take(r, &s, z, width);
  if (status == ATTCERT_OK && lower != NULL)
    status = factored_jacobian_direction_lower(lower, &r->m, &s.errors, r->u, r->err);
  if (z != NULL) square_clear(&s);
  free(z);
  return status;
}

/* The upper end comes from the same recurrences: a bound that follows finds it known, and tries once more only where it
 * is too wide. */
attcert_status random_engine_lower_in_double(mpfr_t lower, bool *settled, certify_run *r, double width) {
  const attcert_status status = with_square(r, width, lower);
  *settled = mpfr_number_p(r->certificate->upper);
  return status;
}

attcert_status random_engine_bound(certify_run *r, double width) {
  attcert_certificate *const c = r->certificate;
  certify_ends_update(c, r->options->tolerance); /* the lower end may have been raised since */
  const attcert_status status = c->relative_width > width ? with_square(r, width, NULL) : ATTCERT_OK;
  if (status != ATTCERT_OK || mpfr_number_p(c->upper)) return status;
  certify_run_note(r, "no random start stands out of the roundings, so the upper end is " POINTWISE_BOUND_TEXT);
  return pointwise_bound(r, width);
}
