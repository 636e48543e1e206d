#include "certify/enclosure/score_gradients.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "linalg/exact/exact_rows.h"
#include "linalg/exact/fixed_matrix_round.h"
#include "linalg/rounding/binary_exponent.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Bits of z beyond those of the intervals; channels smaller than the largest by more than this are rounded as if they
 * were not. */
enum { GUARD_BITS = 16, CHANNEL_RANGE = 4096, BOUND_PRECISION = 64 };

typedef struct {
  interval *g;
  const double *weight; /* K of the head, k x d */
  const layer_enclosure *e;
  int h;
  fixed_matrix z; /* n x k; its exponent is -f */
  long *channel;  /* [k]: a_r */
  long *token;    /* [n]: b_i */
  mpfr_t *rho;    /* [n], rounded up */
  atomic_bool failed;
} gradients;

static const interval *query(const gradients *s, int i, size_t r) {
  return &s->e->q[layer_enclosure_vec(s->e, s->h, i) + r];
}

static size_t score_digits(mpfr_prec_t precision) {
  return ((size_t)precision + GUARD_BITS + FIXED_DIGIT_BITS) / FIXED_DIGIT_BITS;
}

static array_table arrays_of(gradients *s, size_t n, size_t k) {
  return (array_table){{
      ARRAY(s->channel, k),
      ARRAY(s->token, n),
      ARRAY(s->rho, n),
  }};
}

static bool gradients_init(gradients *s, interval *g, const attcert_layer *layer, const layer_enclosure *e, int h) {
  const size_t n = (size_t)e->n, k = (size_t)e->head_dim, digits = score_digits(e->precision);
  *s = (gradients){.g = g, .weight = layer->key_weight + (size_t)h * k * (size_t)e->dim, .e = e, .h = h};
  atomic_init(&s->failed, false);
  const array_table arrays = arrays_of(s, n, k);
  const bool allocated = array_table_allocate(&arrays, NULL, "the gradient of a head's scores") == ATTCERT_OK;
  for (size_t i = 0; allocated && i < n; i++) mpfr_init2(s->rho[i], BOUND_PRECISION);
  return allocated && fixed_matrix_init(&s->z, n, k, digits, 2 - FIXED_DIGIT_BITS * (long)digits);
}

static void gradients_clear(gradients *s) {
  for (int i = 0; s->rho != NULL && i < s->e->n; i++) mpfr_clear(s->rho[i]);
  fixed_matrix_clear(&s->z);
  const array_table arrays = arrays_of(s, 0, 0);
  array_table_release(&arrays);
}

/* a_r and b_i. */
static void choose_exponents(gradients *s) {
  const size_t k = (size_t)s->e->head_dim;
  long largest = EXPONENT_OF_ZERO;
  for (size_t r = 0; r < k; r++) {
    s->channel[r] = EXPONENT_OF_ZERO;
    for (int i = 0; i < s->e->n; i++) s->channel[r] = exponent_max(s->channel[r], exponent_of_interval(query(s, i, r)));
    largest = exponent_max(largest, s->channel[r]);
  }
  if (largest == EXPONENT_OF_ZERO) largest = 0;
  for (size_t r = 0; r < k; r++) s->channel[r] = exponent_max(s->channel[r], largest - CHANNEL_RANGE);
  for (int i = 0; i < s->e->n; i++) {
    long own = EXPONENT_OF_ZERO;
    for (size_t r = 0; r < k; r++) {
      const long exponent = exponent_of_interval(query(s, i, r));
      if (exponent != EXPONENT_OF_ZERO) own = exponent_max(own, exponent - s->channel[r]);
    }
    s->token[i] = own == EXPONENT_OF_ZERO ? 0 : own;
  }
}

/* rho := the larger of rho and |x - centre|, rounded up; t: scratch. */
static void include_distance(mpfr_ptr rho, mpfr_srcptr x, mpfr_srcptr centre, mpfr_ptr t) {
  mpfr_sub(t, x, centre, MPFR_RNDA);
  mpfr_abs(t, t, MPFR_RNDU);
  mpfr_max(rho, rho, t, MPFR_RNDU);
}

/* z_i and rho_i. Scaling by a power of two is exact. */
static void round_token(void *context, int i) {
  gradients *const s = context;
  mpfr_t lo, hi, centre, t;
  mpz_t z;
  mpz_init(z);
  mpfr_inits2(s->e->precision, lo, hi, (mpfr_ptr)0);
  mpfr_init2(centre, (mpfr_prec_t)(FIXED_DIGIT_BITS * s->z.digits));
  mpfr_init2(t, BOUND_PRECISION);
  for (size_t r = 0; r < s->z.cols; r++) {
    const long unit = s->channel[r] + s->token[i];
    mpfr_mul_2si(lo, query(s, i, r)->lo, -unit, MPFR_RNDD);
    mpfr_mul_2si(hi, query(s, i, r)->hi, -unit, MPFR_RNDU);
    (void)fixed_matrix_round(&s->z, (size_t)i, r, lo); /* what is too long stays 0; the radius follows what is stored */
    fixed_matrix_get(z, &s->z, (size_t)i, r);
    mpfr_set_z_2exp(centre, z, s->z.exponent, MPFR_RNDN); /* exact: as many bits as digits */
    include_distance(s->rho[i], lo, centre, t);
    include_distance(s->rho[i], hi, centre, t);
  }
  mpfr_clears(lo, hi, centre, t, (mpfr_ptr)0);
  mpz_clear(z);
}

/* size := sum_r |K'_cr|, rounded up, of column c of K. */
static void column_size(mpfr_ptr size, const gradients *s, const double *column) {
  mpfr_t t;
  mpfr_init2(t, BOUND_PRECISION);
  mpfr_set_zero(size, 1);
  for (size_t r = 0; r < s->z.cols; r++) {
    mpfr_set_d(t, fabs(column[r]), MPFR_RNDU);
    mpfr_mul_2si(t, t, s->channel[r], MPFR_RNDU);
    mpfr_add(size, size, t, MPFR_RNDU);
  }
  mpfr_clear(t);
}

/* g_ic of all tokens i, for one column of K. */
static void multiply_column(gradients *s, int c, const double *column, const exact_rows *scaled) {
  const size_t d = (size_t)s->e->dim;
  interval_scratch ws;
  interval root;
  mpfr_t size, radius;
  mpz_t sum;
  mpz_init(sum);
  mpfr_inits2(BOUND_PRECISION, size, radius, (mpfr_ptr)0);
  interval_scratch_init(&ws, s->e->precision);
  interval_init(&root, s->e->precision);
  layer_enclosure_root(&root, s->e);
  column_size(size, s, column);
  for (int i = 0; i < s->e->n; i++) {
    interval *const g = &s->g[(size_t)i * d + (size_t)c];
    fixed_matrix_dot(sum, &scaled->integers, 0, &s->z, (size_t)i, s->z.cols);
    const long exponent = scaled->exponent[0] + s->z.exponent + s->token[i];
    mpfr_set_z_2exp(g->lo, sum, exponent, MPFR_RNDD);
    mpfr_set_z_2exp(g->hi, sum, exponent, MPFR_RNDU);
    mpfr_mul(radius, size, s->rho[i], MPFR_RNDU);
    mpfr_mul_2si(radius, radius, s->token[i], MPFR_RNDU);
    mpfr_sub(g->lo, g->lo, radius, MPFR_RNDD);
    mpfr_add(g->hi, g->hi, radius, MPFR_RNDU);
    interval_div(g, g, &root, &ws);
  }
  interval_clear(&root);
  interval_scratch_clear(&ws);
  mpfr_clears(size, radius, (mpfr_ptr)0);
  mpz_clear(sum);
}

static void enclose_column(void *context, int c) {
  gradients *const s = context;
  const size_t k = s->z.cols, d = (size_t)s->e->dim;
  double *const column = malloc(k * sizeof(double));
  exact_rows scaled = {0};
  bool ready = column != NULL;
  for (size_t r = 0; ready && r < k; r++) column[r] = s->weight[r * d + (size_t)c];
  ready = ready && exact_rows_init(&scaled, column, 1, k, s->channel);
  if (ready)
    multiply_column(s, c, column, &scaled);
  else
    atomic_store(&s->failed, true);
  exact_rows_clear(&scaled);
  free(column);
}

attcert_status score_gradients(interval *g, const attcert_layer *layer, const layer_enclosure *e, int h, int threads,
                               attcert_error *err) {
  gradients s;
  const bool ready = gradients_init(&s, g, layer, e, h);
  if (ready) {
    choose_exponents(&s);
    parallel_for(e->n, threads, round_token, &s);
    parallel_for(e->dim, threads, enclose_column, &s);
  }
  const bool failed = !ready || atomic_load(&s.failed);
  gradients_clear(&s);
  if (!failed) return ATTCERT_OK;
  return array_out_of_memory(err, score_gradients_bytes(layer, e->n, e->precision), "the gradient of a head's scores");
}

uint64_t score_gradients_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  gradients s;
  const size_t tokens = (size_t)n, k = (size_t)layer->head_dim;
  const array_table arrays = arrays_of(&s, tokens, k);
  return fixed_matrix_bytes(tokens, k, score_digits(precision)) + array_table_bytes(&arrays) +
         (uint64_t)tokens * (BOUND_PRECISION / 8);
}
