#include "network/affine/affine_slices.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "linalg/rounding/rounding.h"
#include "network/affine/affine_cut.h"

#include <cblas.h>
#include <gmp.h>
#include <math.h>
#include <string.h>

/* WEIGHT_SLICES: at most. A product with a number in intervals takes as long as some RARE in double. BLOCK: numbers. */
enum { WEIGHT_SLICES = 4, RARE = 128, BLOCK = 1 << 20 };

typedef struct {
  const step_enclosure *y, *x;
  const double *weight; /* of the block */
  int first_row, first_col;
  int slices; /* of its weights, so far */
  mpfr_prec_t precision;
  affine_inputs input;
  affine_weights_cut cut;
  double *product; /* [digits + WEIGHT_SLICES - 1, rows, cols]: P_d */
  double *radius;  /* [rows, cols] */
} product;

/* The multiples of 2^beta that make up the sum, the last digit's first. */
static int orders(const product *p) {
  return p->input.digits + p->slices - 1;
}

/* ---- an entry ---------------------------------------------------------------------------------------------------- */

typedef struct {
  mpz_t sum, term;
  mpfr_t radius;
  interval_scratch ws;
  interval weight;
} adder;

static void adder_init(adder *of, mpfr_prec_t precision) {
  mpz_inits(of->sum, of->term, NULL);
  mpfr_init2(of->radius, 53);
  interval_scratch_init(&of->ws, precision);
  interval_init(&of->weight, precision > 53 ? precision : 53);
}

static void adder_clear(adder *of) {
  mpz_clears(of->sum, of->term, NULL);
  mpfr_clear(of->radius);
  interval_scratch_clear(&of->ws);
  interval_clear(&of->weight);
}

/* 2^(e + f - (D + K) beta) sum_d 2^((D + K - 2 - d) beta) P_d, +- 2^(e + f - D beta) times the radius, which has inner
 * + 1 roundings; what underflows in it, less than inner 2^-1074 (1 + 2^1024), is less than 1. */
static void add_products(const product *p, adder *of, int i, int c) {
  const size_t cols = (size_t)p->cut.cols, count = (size_t)p->input.rows * cols;
  const size_t at = (size_t)i * cols + (size_t)c;
  const long exponent = p->cut.exponent[c] + p->input.exponent[i], beta = p->input.beta;
  const double radius = round_up_nonnegative(p->radius[at] + 1.0, p->input.inner + 3.0);
  interval *const y = step_entry(p->y, p->first_row + i, p->first_col + c);
  if (!(radius < INFINITY)) {
    interval_set_whole(y);
    return;
  }
  mpz_set_ui(of->sum, 0);
  for (int d = 0; d < orders(p); d++) {
    mpz_mul_2exp(of->sum, of->sum, (mp_bitcnt_t)beta);
    mpz_set_d(of->term, p->product[(size_t)d * count + at]);
    mpz_add(of->sum, of->sum, of->term);
  }
  const long end = exponent - (orders(p) + 1) * beta;
  mpfr_set_z_2exp(y->lo, of->sum, end, MPFR_RNDD);
  mpfr_set_z_2exp(y->hi, of->sum, end, MPFR_RNDU);
  mpfr_set_d(of->radius, radius, MPFR_RNDU);
  mpfr_mul_2si(of->radius, of->radius, exponent - p->input.digits * beta, MPFR_RNDU);
  mpfr_sub(y->lo, y->lo, of->radius, MPFR_RNDD);
  mpfr_add(y->hi, y->hi, of->radius, MPFR_RNDU);
}

/* Column c of y: the products, and what is left of the weights times x. */
static void finish_column(void *context, int c) {
  const product *const p = context;
  const double *const rest = p->cut.rest + (size_t)c * (size_t)p->cut.inner;
  adder of;
  adder_init(&of, p->precision);
  for (int i = 0; i < p->input.rows; i++) add_products(p, &of, i, c);
  for (int a = 0; a < p->cut.inner; a++) {
    if (rest[a] == 0.0) continue;
    for (int i = 0; i < p->input.rows; i++) {
      interval *const y = step_entry(p->y, p->first_row + i, p->first_col + c);
      interval_set_d(&of.weight, rest[a]);
      interval_fma(y, &of.weight, step_entry(p->x, p->first_row + i, a), y, &of.ws);
    }
  }
  adder_clear(&of);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* to (rows x cols) += left (rows x inner) times the transposed slice. */
static void multiply(double *to, const product *p, const double *left, int rows, double before) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, p->cut.cols, p->cut.inner, 1.0, left, p->cut.inner,
              p->cut.slice, p->cut.inner, before, to, p->cut.cols);
}

/* Slices of the weights, until few numbers are left. */
static void multiply_block(product *p) {
  const size_t entries = (size_t)p->cut.cols * (size_t)p->cut.inner;
  const size_t count = (size_t)p->input.rows * (size_t)p->cut.cols;
  const int rows = p->input.digits * p->input.rows;
  size_t left = entries;
  memset(p->product, 0, (size_t)(p->input.digits + WEIGHT_SLICES - 1) * count * sizeof *p->product);
  affine_cut_begin(&p->cut, p->weight);
  for (p->slices = 0; p->slices < WEIGHT_SLICES && left > entries / RARE; p->slices++) {
    left = affine_cut_next(&p->cut, p->slices);
    multiply(p->product + (size_t)p->slices * count, p, p->input.digit, rows, 1.0);
  }
  affine_cut_taken(&p->cut, p->weight);
  multiply(p->radius, p, p->input.missed, p->input.rows, 0.0);
  parallel_for(p->cut.cols, parallel_threads(0), finish_column, p);
}

static int smaller(int a, size_t b) {
  return b == 0 ? 1 : (size_t)a < b ? a : (int)b;
}

/* Blocks of so many rows and columns, all arrays together not many times BLOCK doubles. */
static array_table make_blocks(product *p) {
  affine_inputs *const in = &p->input;
  affine_weights_cut *const w = &p->cut;
  const size_t inner = (size_t)p->x->cols, digits = (size_t)in->digits, orders = digits + WEIGHT_SLICES - 1;
  in->rows = smaller(p->x->rows, BLOCK / (digits * inner));
  w->cols = smaller(p->y->cols, BLOCK / (2 * inner + orders * (size_t)in->rows));
  const size_t rows = (size_t)in->rows, cols = (size_t)w->cols;
  return (array_table){{ARRAY(in->exponent, rows), ARRAY(in->digit, digits, rows, inner),
                        ARRAY(in->missed, rows, inner), ARRAY(w->exponent, cols), ARRAY(w->rest, cols, inner),
                        ARRAY(w->slice, cols, inner), ARRAY(w->left, cols), ARRAY(p->product, orders, rows, cols),
                        ARRAY(p->radius, rows, cols)}};
}

static void multiply_all(product *p, const double *weight) {
  const int rows = p->input.rows, cols = p->cut.cols;
  for (p->first_row = 0; p->first_row < p->x->rows; p->first_row += rows) {
    p->input.rows = smaller(rows, (size_t)(p->x->rows - p->first_row));
    affine_cut_inputs(&p->input, p->x, p->first_row);
    for (p->first_col = 0; p->first_col < p->y->cols; p->first_col += cols) {
      p->cut.cols = smaller(cols, (size_t)(p->y->cols - p->first_col));
      p->weight = weight + (size_t)p->first_col * (size_t)p->cut.inner;
      multiply_block(p);
    }
  }
}

attcert_status affine_slices_multiply(const step_enclosure *y, const step_enclosure *x, const double *weight,
                                      step_scratch *scratch, attcert_error *err) {
  int log2_terms;
  product p = {.y = y, .x = x, .precision = scratch->precision, .input.inner = x->cols, .cut.inner = x->cols};
  frexp((double)WEIGHT_SLICES * x->cols, &log2_terms);
  p.input.beta = p.cut.beta = (53 - log2_terms) / 2;
  p.input.digits = (int)((scratch->product_bits + p.input.beta - 1) / p.input.beta);
  const array_table table = make_blocks(&p);
  const attcert_status status = array_table_allocate(&table, err, "slices of a %d x %d matrix", y->cols, x->cols);
  if (status == ATTCERT_OK) multiply_all(&p, weight);
  array_table_release(&table);
  return status;
}
