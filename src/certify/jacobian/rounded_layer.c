#include "certify/jacobian/rounded_layer.h"

#include "base/parallel.h"
#include "certify/jacobian/midpoint_scale.h"
#include "kernel/row/attended_keys.h"
#include "linalg/binary_exponent.h"
#include "linalg/rounding.h"

#include <cblas.h>
#include <mpfr.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64, LARGEST_EXPONENT = 100 };

/* Above every underflow; the largest t; below exp(-LARGEST_DISTANCE) there is no double. */
static const double UNDERFLOW = 0x1p-600, LARGEST_SCORE_ERROR = 0x1p-10, LARGEST_DISTANCE = 746.0;

typedef struct {
  midpoint_layer *m;
  const attcert_layer *layer;
  const attcert_matrix *x;
  double *q, *k, *v, *y;                             /* [H][n][k] */
  double *products;                                  /* [n][H k]: a chunk's */
  double *q_radius, *k_radius, *v_radius;            /* [H][n] */
  double *v_norm, *eta;                              /* [H][n]; v_norm >= ||v^_j|| */
  double *key, *key_radius, *value_radius, *weights; /* [H]: K, r(K), max_j r(v_j), >= ||W_K|| */
  long *row_exponent;                                /* [H][n][k]: of max_j |w_ij,r|, then times 2^scale */
  atomic_bool failed;                                /* out of range */
} rounded;

/* ---- storage ------------------------------------------------------------------------------------------------------ */

enum { ARRAYS = 14, ROW_ARRAYS = 5, TOKEN_ARRAYS = 5 };

/* Doubles of array `index` of arrays_of: a head's channel of a token, a head's token, a head. */
static size_t array_size(int index, size_t heads, size_t n, size_t k) {
  if (index < ROW_ARRAYS) return heads * n * k;
  return index < ROW_ARRAYS + TOKEN_ARRAYS ? heads * n : heads;
}

static void arrays_of(double **array[ARRAYS], rounded *t) {
  double **const all[ARRAYS] = {
      &t->q,        &t->k,      &t->v,   &t->y,   &t->products,   &t->q_radius,     &t->k_radius,
      &t->v_radius, &t->v_norm, &t->eta, &t->key, &t->key_radius, &t->value_radius, &t->weights};
  memcpy(array, all, sizeof all);
}

uint64_t rounded_layer_bytes(const attcert_layer *layer, int n) {
  const size_t heads = (size_t)layer->heads, tokens = (size_t)n, k = (size_t)layer->head_dim;
  uint64_t bytes = (uint64_t)heads * tokens * k * sizeof(long);
  for (int i = 0; i < ARRAYS; i++) bytes += (uint64_t)array_size(i, heads, tokens, k) * sizeof(double);
  return bytes;
}

static bool rounded_init(rounded *t) {
  const size_t heads = (size_t)t->m->heads, n = (size_t)t->m->n, k = (size_t)t->m->head_dim;
  double **array[ARRAYS];
  arrays_of(array, t);
  t->row_exponent = calloc(heads * n * k, sizeof(long));
  bool allocated = t->row_exponent != NULL;
  for (int i = 0; i < ARRAYS; i++)
    allocated = (*array[i] = calloc(array_size(i, heads, n, k), sizeof(double))) != NULL && allocated;
  return allocated;
}

static void rounded_clear(rounded *t) {
  double **array[ARRAYS];
  arrays_of(array, t);
  for (int i = 0; i < ARRAYS; i++) free(*array[i]);
  free(t->row_exponent);
}

/* ---- range -------------------------------------------------------------------------------------------------------- */

static bool in_range(const double *a, size_t count) {
  const long exponent = a != NULL ? exponent_of_doubles(a, count) : EXPONENT_OF_ZERO;
  return exponent == EXPONENT_OF_ZERO || labs(exponent) <= LARGEST_EXPONENT;
}

static bool layer_in_range(const attcert_layer *layer, const attcert_matrix *x) {
  const size_t width = (size_t)layer->heads * (size_t)layer->head_dim, weights = width * (size_t)layer->dim;
  return in_range(x->data, (size_t)x->rows * (size_t)x->cols) && in_range(layer->query_weight, weights) &&
         in_range(layer->key_weight, weights) && in_range(layer->value_weight, weights) &&
         in_range(layer->query_bias, width) && in_range(layer->key_bias, width);
}

/* ---- tokens ------------------------------------------------------------------------------------------------------- */

/* out := x W^T + b by heads, radius its error. */
static void project_rounded(const rounded *t, double *out, double *radius, const double *weight, const double *bias) {
  const midpoint_layer *const m = t->m;
  const size_t n = (size_t)m->n, d = (size_t)m->dim, k = (size_t)m->head_dim, width = (size_t)m->heads * k;
  const double roundings = CHUNK + (double)(d / CHUNK) + 3.0;
  for (size_t first = 0; first < d; first += CHUNK) {
    const int terms = (int)(d - first < CHUNK ? d - first : CHUNK);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)width, terms, 1.0, t->x->data + first, (int)d,
                weight + first, (int)d, 0.0, t->products, (int)width);
    for (size_t i = 0; i < n; i++)
      for (size_t c = 0; c < width; c++) out[((c / k) * n + i) * k + c % k] += t->products[i * width + c];
  }
  for (size_t h = 0; h < (size_t)m->heads; h++) {
    const double norm = norm_upper(weight + h * k * d, k * d);
    const double offset = bias != NULL ? norm_upper(bias + h * k, k) : 0.0;
    for (size_t i = 0; i < n; i++) {
      double *const row = out + (h * n + i) * k;
      for (size_t r = 0; r < k && bias != NULL; r++) row[r] += bias[h * k + r];
      const double size = norm_upper(t->x->data + i * d, d) * norm + offset;
      radius[h * n + i] = round_up_nonnegative(gamma_upper(roundings) * size, 3.0) + UNDERFLOW;
    }
  }
}

static void largest_of_head(const rounded *t, size_t h) {
  const size_t n = (size_t)t->m->n, k = (size_t)t->m->head_dim, d = (size_t)t->m->dim;
  for (size_t at = h * n; at < (h + 1) * n; at++) {
    t->v_norm[at] = norm_upper(t->v + at * k, k);
    t->key[h] = fmax(t->key[h], norm_upper(t->k + at * k, k));
    t->key_radius[h] = fmax(t->key_radius[h], t->k_radius[at]);
    t->value_radius[h] = fmax(t->value_radius[h], t->v_radius[at]);
  }
  t->weights[h] = norm_upper(t->layer->key_weight + h * k * d, k * d);
}

/* ---- attention ---------------------------------------------------------------------------------------------------- */

static double root_of(const midpoint_layer *m) {
  return sqrt((double)m->head_dim);
}

/* p := Q^ K^T / sqrt(k), g := Q^ W_K / sqrt(k), of head h. */
static void score_head(const rounded *t, size_t h) {
  midpoint_layer *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  const double *const q = t->q + h * n * k;
  double *const p = m->p + h * n * n, *const g = m->g + h * n * d, root = root_of(m);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)n, (int)k, 1.0, q, (int)k, t->k + h * n * k, (int)k,
              0.0, p, (int)n);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)d, (int)k, 1.0, q, (int)k,
              t->layer->key_weight + h * k * d, (int)d, 0.0, g, (int)d);
  for (size_t c = 0; c < n * n; c++) p[c] /= root;
  for (size_t c = 0; c < n * d; c++) g[c] /= root;
}

/* r(s_i) */
static double score_radius(const rounded *t, size_t h, size_t at) {
  const size_t k = (size_t)t->m->head_dim;
  const double q = norm_upper(t->q + at * k, k), rounding = gamma_upper((double)k + 4.0);
  const double size = t->q_radius[at] * t->key[h] + (q + t->q_radius[at]) * t->key_radius[h] + rounding * q * t->key[h];
  return round_up_nonnegative(size / root_of(t->m), 10.0) + UNDERFLOW;
}

/* The row of scores becomes one of probabilities; returns eta, or +inf. */
static double softmax_rounded(double *p, size_t attended, double radius) {
  double largest = p[0], sum = 0.0;
  for (size_t j = 1; j < attended; j++) largest = fmax(largest, p[j]);
  mpfr_t e;
  mpfr_init2(e, 53);
  for (size_t j = 0; j < attended; j++) {
    mpfr_set_d(e, p[j] - largest, MPFR_RNDN);
    mpfr_exp(e, e, MPFR_RNDN);
    p[j] = mpfr_get_d(e, MPFR_RNDN);
    sum += p[j];
  }
  mpfr_clear(e);
  for (size_t j = 0; j < attended; j++) p[j] /= sum;
  const double error = radius + LARGEST_DISTANCE * UNIT_ROUNDOFF;
  if (!(error <= LARGEST_SCORE_ERROR)) return INFINITY;
  const double delta = round_up_nonnegative(error * (1.0 + error) + 4.0 * UNIT_ROUNDOFF, 5.0);
  const double a = 2.0 * delta * (1.0 + 3.0 * delta);
  return round_up_nonnegative(a + gamma_upper((double)attended + 3.0) * (1.0 + a), 10.0);
}

/* P_i, its radii and eta_i. */
static void softmax_token(void *context, int index) {
  rounded *const t = context;
  midpoint_layer *const m = t->m;
  const size_t n = (size_t)m->n, at = (size_t)index;
  const size_t attended = (size_t)attended_keys(m->mask, index % m->n, m->n);
  double *const p = m->p + at * n, *const radius = m->p_radius + at * n;
  memset(p + attended, 0, (n - attended) * sizeof(double));
  if (attended == 1) {
    p[0] = 1.0;
    return;
  }
  t->eta[at] = softmax_rounded(p, attended, score_radius(t, at / n, at));
  for (size_t j = 0; j < attended; j++) radius[j] = round_up_nonnegative(t->eta[at] * p[j], 1.0) + 0x1p-1000;
  if (!isfinite(t->eta[at])) atomic_store(&t->failed, true);
}

/* y_i = sum_j P_ij v_j of head h. */
static void average_head(const rounded *t, size_t h) {
  const size_t n = (size_t)t->m->n, k = (size_t)t->m->head_dim;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)k, (int)n, 1.0, t->m->p + h * n * n, (int)n,
              t->v + h * n * k, (int)k, 0.0, t->y + h * n * k, (int)k);
}

/* r(y_i) */
static double average_radius(const rounded *t, size_t h, size_t at) {
  const size_t n = (size_t)t->m->n;
  double size = 0.0;
  for (size_t j = 0; j < n; j++) size += t->m->p[at * n + j] * t->v_norm[h * n + j];
  const double relative = t->eta[at] + gamma_upper((double)n);
  return round_up_nonnegative(relative * size + (1.0 + t->eta[at]) * t->value_radius[h], (double)n + 5.0) + UNDERFLOW;
}

/* w_ij for all j with its radii and exponents, before any scaling. */
static void apply_attention_weights(void *context, int index) {
  const rounded *const t = context;
  midpoint_layer *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, at = (size_t)index, h = at / n;
  const size_t attended = (size_t)attended_keys(m->mask, index % m->n, m->n);
  const double *const y = t->y + at * k, y_radius = average_radius(t, h, at);
  for (size_t j = 0; j < attended && attended > 1; j++) {
    const double *const v = t->v + (h * n + j) * k, p = m->p[at * n + j], p_radius = m->p_radius[at * n + j];
    double squares = 0.0;
    for (size_t r = 0; r < k; r++) {
      const double deviation = v[r] - y[r];
      squares += deviation * deviation;
      m->w[(at * k + r) * n + j] = p * deviation;
    }
    const double d = round_up_nonnegative(sqrt(round_up_nonnegative(squares, (double)k + 1.0)), 1.0);
    const double rounding = UNIT_ROUNDOFF * d, d_radius = t->v_radius[h * n + j] + y_radius + rounding;
    m->w_radius[at * n + j] =
        round_up_nonnegative(p_radius * (d + d_radius) + p * (d_radius + rounding), 8.0) + UNDERFLOW;
  }
  for (size_t r = 0; r < k; r++) t->row_exponent[at * k + r] = exponent_of_doubles(m->w + (at * k + r) * n, n);
}

/* kappa_j and its radii, before any scaling; c is the mean key. */
static void centre_head(const rounded *t, size_t h) {
  midpoint_layer *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim;
  const double *const key = t->k + h * n * k, root = root_of(m);
  double *const kappa = m->kappa + h * n * k;
  for (size_t r = 0; r < k; r++) {
    double centre = 0.0;
    for (size_t j = 0; j < n; j++) centre += key[j * k + r];
    centre /= (double)n;
    for (size_t j = 0; j < n; j++) kappa[j * k + r] = (key[j * k + r] - centre) / root;
  }
  for (size_t j = 0; j < n; j++) {
    const double rounding = gamma_upper(6.0) * norm_upper(kappa + j * k, k);
    m->kappa_radius[h * n + j] = round_up_nonnegative(t->k_radius[h * n + j] / root + rounding, 5.0) + UNDERFLOW;
  }
}

/* r(g_i) */
static double gradient_radius(const rounded *t, size_t h, size_t at) {
  const size_t k = (size_t)t->m->head_dim;
  const double relative = gamma_upper((double)k + 4.0) * norm_upper(t->q + at * k, k);
  return round_up_nonnegative((t->q_radius[at] + relative) * t->weights[h] / root_of(t->m), 6.0) + UNDERFLOW;
}

/* ---- scaling ------------------------------------------------------------------------------------------------------ */

static void scale_doubles(double *x, size_t count, long exponent) {
  for (size_t i = 0; i < count; i++) x[i] = scale_double(x[i], exponent);
}

/* kappa, Q' and g of head h, and the scales of its tokens. */
static void scale_head(const rounded *t, size_t h) {
  midpoint_layer *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, d = (size_t)m->dim;
  double *const kappa = m->kappa + h * n * k, *const q = m->q + h * k * d;
  memcpy(q, t->layer->query_weight + h * k * d, k * d * sizeof(double));
  /* Keys that look equal are not known to be: their radii count, which are not 0. */
  const long keys = exponent_max(exponent_of_doubles(kappa, n * k), exponent_of_doubles(m->kappa_radius + h * n, n));
  const long queries = exponent_of_doubles(q, k * d);
  scale_doubles(kappa, n * k, -keys);
  scale_doubles(m->kappa_radius + h * n, n, -keys);
  if (queries != EXPONENT_OF_ZERO) scale_doubles(q, k * d, -queries);
  for (size_t at = h * n; at < (h + 1) * n; at++) {
    double *const g = m->g + at * d;
    midpoint_scale_token(m, at, exponent_of_doubles(g, d), exponent_product(keys, queries));
    scale_doubles(g, d, -m->scale[at]);
    m->g_radius[at] = scale_double(gradient_radius(t, h, at), -m->scale[at]);
    for (size_t r = 0; r < k; r++)
      t->row_exponent[at * k + r] = exponent_product(t->row_exponent[at * k + r], m->scale[at]);
  }
}

/* w_i by its token's and its channels' scales, its radii by the largest of these. */
static void scale_token(void *context, int index) {
  const rounded *const t = context;
  midpoint_layer *const m = t->m;
  const size_t n = (size_t)m->n, k = (size_t)m->head_dim, at = (size_t)index, h = at / n;
  long largest = LONG_MIN;
  for (size_t r = 0; r < k; r++) {
    const long exponent = m->scale[at] - m->shift[h * k + r];
    largest = exponent_max(largest, exponent);
    scale_doubles(m->w + (at * k + r) * n, n, exponent);
  }
  scale_doubles(m->w_radius + at * n, n, largest);
}

/* ---- all of it ---------------------------------------------------------------------------------------------------- */

static attcert_status evaluate(rounded *t, int threads, attcert_error *err) {
  midpoint_layer *const m = t->m;
  const size_t heads = (size_t)m->heads;
  const int tokens = m->heads * m->n;
  project_rounded(t, t->q, t->q_radius, t->layer->query_weight, t->layer->query_bias);
  project_rounded(t, t->k, t->k_radius, t->layer->key_weight, t->layer->key_bias);
  project_rounded(t, t->v, t->v_radius, t->layer->value_weight, NULL);
  for (size_t h = 0; h < heads; h++) {
    largest_of_head(t, h);
    score_head(t, h);
    centre_head(t, h);
  }
  parallel_for(tokens, threads, softmax_token, t);
  for (size_t h = 0; h < heads; h++) average_head(t, h);
  parallel_for(tokens, threads, apply_attention_weights, t);
  for (size_t h = 0; h < heads; h++) scale_head(t, h);
  const attcert_status status = midpoint_scale_channels(m, t->layer, t->row_exponent, err);
  if (status != ATTCERT_OK || m->zero) return status;
  parallel_for(tokens, threads, scale_token, t);
  midpoint_layer_covariances(m, threads);
  return ATTCERT_OK;
}

attcert_status rounded_layer_init(midpoint_layer *m, bool *usable, const attcert_layer *layer, const attcert_matrix *x,
                                  int threads, attcert_error *err) {
  *m = (midpoint_layer){0};
  *usable = layer_in_range(layer, x);
  if (!*usable) return ATTCERT_OK;
  attcert_status status = midpoint_layer_allocate(m, layer, x->rows, err);
  if (status != ATTCERT_OK) return status;
  rounded t = {.m = m, .layer = layer, .x = x};
  atomic_init(&t.failed, false);
  if (rounded_init(&t))
    status = evaluate(&t, threads, err);
  else
    status = attcert_fail(err, ATTCERT_RESOURCE, "out of memory: the layer in double needs %llu bytes",
                          (unsigned long long)rounded_layer_bytes(layer, x->rows));
  rounded_clear(&t);
  *usable = status == ATTCERT_OK && !atomic_load(&t.failed);
  if (!*usable) midpoint_layer_clear(m);
  return status;
}
