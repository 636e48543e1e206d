/* The Jacobian in intervals, explicitly: row i is what the i-th unit vector of the last value becomes on its way back
 * through the steps. Their midpoints are a matrix A and ||J - A||_F <= rho, the root of the sum of squares of what they
 * may be off: the norm of A and rho from its Gram matrix in integers, as the mpfr engine of a layer has it
 * (certify/explicit/explicit_norm.h), and ||J u|| >= ||A u|| - rho ||u|| for a direction u. */
#include "base/arrays.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/progress_report.h"
#include "certify/engine/certify_ends.h"
#include "certify/engine/mpfr_engine.h"
#include "certify/explicit/explicit_norm.h"
#include "certify/explicit/interval_midpoint.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/operator/dense_matrix.h"
#include "linalg/operator/lanczos.h"
#include "linalg/rounding/sum_upward.h"
#include "lipschitz/lipschitz_run.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Sizes above which the engine takes many minutes; how often the bits may double; the bits of a radius. */
enum { MOST_SIDE = 2048, MOST_ENTRIES = 1 << 22, DOUBLINGS = 3, RADIUS_BITS = 64 };

/* Where no width is asked: what the 53 bits of the ends leave is 100 times less. */
static const double WIDTH = 1e-13;

/* The numbers of an interval of so many bits. */
static uint64_t interval_bytes(mpfr_prec_t bits) {
  return 2 * (sizeof(mpfr_t) + (uint64_t)mpfr_custom_get_size(bits));
}

/* The midpoints and their doubles, and integers of as many bits for the Gram matrix and its factor. */
uint64_t lipschitz_mpfr_bytes(size_t rows, size_t cols) {
  enum { BITS = 256 };
  const size_t side = rows < cols ? rows : cols;
  const uint64_t entries = (uint64_t)rows * (uint64_t)cols, gram = 2 * (uint64_t)side * (uint64_t)side;
  return memory_add(entries * (interval_bytes(BITS) + sizeof(double)), gram * BITS / 8);
}

attcert_status lipschitz_mpfr_check(const network_steps *network, attcert_error *err) {
  const size_t rows = network_entries(network, network->count), cols = network_entries(network, 0);
  if ((rows <= MOST_SIDE || cols <= MOST_SIDE) && rows * cols <= MOST_ENTRIES) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_RESOURCE,
                      "engine mpfr: a Jacobian of %zu x %zu, expected a side of at most %d and %d entries", rows, cols,
                      MOST_SIDE, MOST_ENTRIES);
}

typedef struct {
  const network_steps *network;
  const step_enclosure *value; /* [steps + 1] */
  explicit_jacobian *j;
  mpfr_t *squares; /* [rows]: of what the midpoints may be off */
  mpfr_prec_t precision;
  int first;          /* row of the first iteration */
  atomic_bool failed; /* out of memory */
} explicit_rows;

/* ---- the matrix -------------------------------------------------------------------------------------------------- */

static void take_row(explicit_rows *e, int i, const interval *row) {
  mpfr_t right, left;
  mpfr_inits2(e->precision, right, left, (mpfr_ptr)0);
  interval_midpoints(e->j->mid + (size_t)i * (size_t)e->j->cols, e->squares[i], row, (size_t)e->j->cols, right, left);
  mpfr_clears(right, left, (mpfr_ptr)0);
}

static void fill_row(void *context, int index) {
  explicit_rows *const e = context;
  const int values = e->network->count + 1, i = e->first + index;
  step_scratch scratch;
  step_enclosure *const slope = array_new((size_t)values, sizeof *slope, NULL, "the slopes of a row");
  attcert_status status = slope != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  step_scratch_init(&scratch, e->precision);
  if (status == ATTCERT_OK)
    status = step_enclosure_init(&slope[values - 1], network_rows(e->network, values - 1),
                                 network_cols(e->network, values - 1), e->precision, NULL);
  if (status == ATTCERT_OK) interval_set_si(&slope[values - 1].entry[i], 1);
  if (status == ATTCERT_OK) status = network_enclose_slope(slope, e->value, e->network, &scratch, NULL);
  if (status == ATTCERT_OK)
    take_row(e, i, slope[0].entry);
  else
    atomic_store(&e->failed, true);
  for (int v = 0; v < values && slope != NULL; v++) step_enclosure_clear(&slope[v]);
  free(slope);
  step_scratch_clear(&scratch);
}

/* Some at a time, between which a run may end. */
static attcert_status fill_rows(explicit_rows *e, const lipschitz_run *r) {
  enum { ROWS = 16 };
  const int rows = e->j->rows, threads = parallel_threads(r->options->threads);
  attcert_status status = ATTCERT_OK;
  for (e->first = 0; e->first < rows && status == ATTCERT_OK; e->first += ROWS) {
    status = progress_report(r->options, "explicit jacobian", (double)e->first / rows, r->err);
    if (status == ATTCERT_OK) parallel_for(rows - e->first < ROWS ? rows - e->first : ROWS, threads, fill_row, e);
  }
  if (status != ATTCERT_OK || !atomic_load(&e->failed)) return status;
  return array_out_of_memory(r->err, lipschitz_mpfr_bytes((size_t)rows, (size_t)e->j->cols),
                             "the explicit Jacobian at %ld bits", (long)e->precision);
}

/* The steps' values at x. */
static attcert_status enclose_values(step_enclosure *value, const explicit_rows *e, const attcert_matrix *x,
                                     attcert_error *err) {
  step_scratch scratch;
  step_scratch_init(&scratch, e->precision);
  const attcert_status status = network_enclose_values(value, e->network, e->network->count, x, &scratch, err);
  step_scratch_clear(&scratch);
  return status;
}

static attcert_status with_values(explicit_jacobian *j, const lipschitz_run *r, const attcert_matrix *x,
                                  step_enclosure *value, mpfr_t *squares, mpfr_prec_t precision) {
  explicit_rows e = {.network = r->network, .value = value, .j = j, .squares = squares, .precision = precision};
  attcert_status status = enclose_values(value, &e, x, r->err);
  for (int i = 0; i < j->rows; i++) {
    mpfr_init2(squares[i], RADIUS_BITS);
    mpfr_set_zero(squares[i], 1);
  }
  if (status == ATTCERT_OK) status = fill_rows(&e, r);
  if (status == ATTCERT_OK) sum_upward_root(j->radius, squares, j->rows);
  for (int i = 0; i < j->rows; i++) mpfr_clear(squares[i]);
  for (int v = 0; v <= r->network->count; v++) step_enclosure_clear(&value[v]);
  return status;
}

/* explicit_jacobian_clear is due in every case. */
static attcert_status explicit_jacobian_of_steps(explicit_jacobian *j, const lipschitz_run *r, const attcert_matrix *x,
                                                 mpfr_prec_t precision) {
  const size_t rows = network_entries(r->network, r->network->count), cols = network_entries(r->network, 0);
  step_enclosure *value;
  mpfr_t *squares;
  const array_table table = {{ARRAY(value, (size_t)r->network->count + 1), ARRAY(squares, rows)}};
  *j = (explicit_jacobian){.rows = (int)rows, .cols = (int)cols, .mid = point_vec_new(rows * cols, precision)};
  mpfr_init2(j->radius, RADIUS_BITS);
  if (j->mid == NULL)
    return array_out_of_memory(r->err, point_vec_bytes(rows * cols, precision), "a Jacobian of %zu x %zu", rows, cols);
  attcert_status status = array_table_allocate(&table, r->err, "the values of %d steps", r->network->count);
  if (status != ATTCERT_OK) return status;
  status = with_values(j, r, x, value, squares, precision);
  array_table_release(&table);
  return status;
}

/* ---- both ends --------------------------------------------------------------------------------------------------- */

/* u: the direction that the midpoints stretch most; guess: the square of by how much. Of any quality. */
static attcert_status propose(double *u, mpfr_ptr guess, const explicit_jacobian *j, const lipschitz_run *r) {
  double *const a = array_new(ARRAY_COUNT((size_t)j->rows, (size_t)j->cols), sizeof *a, r->err, "the Jacobian");
  double sigma = 0.0;
  long exponent;
  if (a == NULL) return ATTCERT_RESOURCE;
  explicit_jacobian_to_double(a, &exponent, j);
  const dense_matrix matrix = {a, j->rows, j->cols};
  const linear_operator jacobian = dense_matrix_operator(&matrix);
  const attcert_status status = lanczos_top(u, &sigma, &jacobian, r->options, r->err);
  mpfr_set_d(guess, sigma, MPFR_RNDN);
  mpfr_mul_2si(guess, guess, exponent, MPFR_RNDN);
  r->certificate->estimate = mpfr_get_d(guess, MPFR_RNDN);
  mpfr_sqr(guess, guess, MPFR_RNDN);
  free(a);
  return status;
}

/* square += (a . u)^2. */
static void add_square(interval *square, interval t[3], const point *a, const double *u, int cols,
                       interval_scratch *ws) {
  interval *const dot = &t[0], *const entry = &t[1], *const of_u = &t[2];
  interval_set_zero(dot);
  for (int c = 0; c < cols; c++) {
    mpfr_set(entry->lo, a[c].v, MPFR_RNDD);
    mpfr_set(entry->hi, a[c].v, MPFR_RNDU);
    interval_set_d(of_u, u[c]);
    interval_fma(dot, entry, of_u, dot, ws);
  }
  interval_sqr(dot, dot, ws);
  interval_add(square, square, dot);
}

/* ||A u|| / ||u|| - rho, from below. */
static void raise_lower(const lipschitz_run *r, const explicit_jacobian *j, const double *u, mpfr_prec_t precision) {
  enum { NUMBERS = 5 };
  interval t[NUMBERS], *const image = &t[3], *const length = &t[4];
  interval_scratch ws;
  interval_scratch_init(&ws, precision);
  for (int k = 0; k < NUMBERS; k++) interval_init(&t[k], precision);
  interval_set_zero(image);
  interval_set_zero(length);
  for (int i = 0; i < j->rows; i++) add_square(image, t, j->mid + (size_t)i * (size_t)j->cols, u, j->cols, &ws);
  for (int c = 0; c < j->cols; c++) {
    interval_set_d(&t[0], u[c]);
    interval_sqr(&t[0], &t[0], &ws);
    interval_add(length, length, &t[0]);
  }
  interval_div(image, image, length, &ws);
  interval_sqrt(image, image);
  mpfr_sub(image->lo, image->lo, j->radius, MPFR_RNDD);
  certify_ends_raise_lower(r->certificate, image->lo);
  for (int k = 0; k < NUMBERS; k++) interval_clear(&t[k]);
  interval_scratch_clear(&ws);
}

static attcert_status enclose_at(const lipschitz_run *r, const attcert_matrix *x, mpfr_prec_t precision) {
  attcert_certificate *const c = r->certificate;
  explicit_jacobian j;
  mpfr_t guess, upper;
  mpfr_init2(guess, precision);
  mpfr_init2(upper, 128);
  const double start = clock_seconds();
  attcert_status status = explicit_jacobian_of_steps(&j, r, x, precision);
  const double made = clock_seconds();
  c->seconds.layer += made - start;
  if (status == ATTCERT_OK) status = propose(c->vector.data, guess, &j, r);
  if (status == ATTCERT_OK) raise_lower(r, &j, c->vector.data, precision);
  const double lowered = clock_seconds();
  c->seconds.lower += lowered - made;
  if (status == ATTCERT_OK) status = progress_report(r->options, "Gram matrix in integers", 0, r->err);
  if (status == ATTCERT_OK)
    status = explicit_norm_upper(upper, &j, guess, mpfr_engine_slack(r->options), NULL, r->options, r->err);
  if (status == ATTCERT_OK) certify_ends_lower_upper(c, upper);
  if (status == ATTCERT_OK) certify_ends_update(c, r->options->tolerance);
  c->seconds.upper += clock_seconds() - lowered;
  c->precision = (int)precision;
  explicit_jacobian_clear(&j);
  mpfr_clear(guess);
  mpfr_clear(upper);
  return status;
}

attcert_status lipschitz_mpfr(lipschitz_run *r, const attcert_matrix *x) {
  const double width = r->options->tolerance > 0.0 ? r->options->tolerance : WIDTH;
  mpfr_prec_t precision = r->options->precision;
  attcert_status status = enclose_at(r, x, precision);
  for (int k = 0; k < DOUBLINGS && status == ATTCERT_OK && !(r->certificate->relative_width <= width); k++) {
    const double before = r->certificate->relative_width;
    precision *= 2;
    status = enclose_at(r, x, precision);
    if (before < 0x1p-20 && r->certificate->relative_width > before / 2.0) break; /* bits are not what limits it */
  }
  return status;
}
