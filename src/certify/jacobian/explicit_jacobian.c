#include "certify/jacobian/explicit_jacobian.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "certify/jacobian/head_maps.h"
#include "certify/jacobian/head_rows.h"
#include "certify/jacobian/interval_midpoint.h"
#include "certify/jacobian/token_maps.h"
#include "certify/jacobian/transposed_weight.h"
#include "interval/interval_vec.h"
#include "kernel/row/attended_keys.h"
#include "linalg/binary_exponent.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Head-wise maps with W_O absorbed. `height` rows a head: out_dim, or k when there is no W_O. */
typedef struct {
  const attcert_layer *layer;
  const layer_enclosure *e;
  explicit_jacobian *j;
  size_t height;
  point *output;     /* [out_dim][H k] or NULL */
  interval *value;   /* [H][height][d]: W_h V_h */
  interval *channel; /* [H][n][height]: W_h v_l */
  interval *mean;    /* [H][n][height]: W_h y_i */
  interval *g, *h;   /* [H][n][d]: K^T q_i / sqrt(k), Q^T k_j / sqrt(k) */
  point *keys;       /* [H][d][k]: K^T */
  point *queries;    /* [H][d][k]: Q^T */
  mpfr_t *squares;   /* [n]: sum of squared radii of token i's rows */
  atomic_bool failed;
} builder;

/* The columns of W_O of one head. */
static head_output output_of(const builder *b, int head) {
  const int k = b->e->head_dim;
  return (head_output){.weight = b->output != NULL ? b->output + (size_t)head * (size_t)k : NULL,
                       .width = b->e->heads * k,
                       .k = k,
                       .height = (int)b->height};
}

/* g_i, h_i, W_h v_i and W_h y_i of one token of one head. */
static void prepare_token(void *context, int index) {
  builder *const b = context;
  const layer_enclosure *const e = b->e;
  const int head = index / e->n, i = index % e->n;
  const size_t at = (size_t)index, k = (size_t)e->head_dim, d = (size_t)e->dim, weights = (size_t)head * k * d;
  const size_t vec = layer_enclosure_vec(e, head, i);
  interval_scratch ws;
  interval root;
  interval_scratch_init(&ws, e->precision);
  interval_init(&root, e->precision);
  layer_enclosure_root(&root, e);
  const token_sources sources = {.k = e->head_dim,
                                 .d = e->dim,
                                 .query = e->q + vec,
                                 .key = e->k + vec,
                                 .key_weight = b->keys + weights,
                                 .query_weight = b->queries + weights,
                                 .root = &root};
  token_gradients(b->g + at * d, b->h + at * d, sources, &ws);
  token_outputs(b->channel + at * b->height, b->mean + at * b->height, e->v + vec, e->y + vec, output_of(b, head), &ws);
  interval_clear(&root);
  interval_scratch_clear(&ws);
}

/* Columns of W_h V_h. */
static void prepare_head(void *context, int head) {
  builder *const b = context;
  const size_t k = (size_t)b->e->head_dim, d = (size_t)b->e->dim;
  interval_scratch ws;
  interval_scratch_init(&ws, b->e->precision);
  interval *const column = interval_vec_new(k + b->height, b->e->precision);
  if (column == NULL) atomic_store(&b->failed, true);
  if (column != NULL)
    head_maps_fill(b->value + (size_t)head * b->height * d, b->layer->value_weight + (size_t)head * k * d, (int)d,
                   output_of(b, head), column, &ws);
  interval_vec_free(column);
  interval_scratch_clear(&ws);
}

/* Adds head `head`'s part of J_il to the rows of token i, for all l that i attends to. w: scratch. */
static void add_blocks(interval *rows, const builder *b, int head, int i, interval *w, interval_scratch *ws) {
  const layer_enclosure *const e = b->e;
  const size_t d = (size_t)e->dim, n = (size_t)e->n, height = b->height,
               first = b->output != NULL ? 0 : (size_t)head * height;
  const size_t here = (size_t)head * n + (size_t)i;
  const head_rows part = {.tokens = e->n,
                          .n = attended_keys(e->mask, i, e->n),
                          .height = (int)height,
                          .d = e->dim,
                          .i = i,
                          .p = e->p + layer_enclosure_row(e, head, i),
                          .values = b->channel + (size_t)head * n * height,
                          .means = b->mean + here * height,
                          .maps = b->value + (size_t)head * height * d,
                          .g = b->g + here * d,
                          .h = b->h + (size_t)head * n * d};
  head_rows_add(rows + first * n * d, part, w, ws);
}

/* The rows of token i. */
static void fill_token(void *context, int i) {
  builder *const b = context;
  explicit_jacobian *const j = b->j;
  const size_t out = (size_t)b->layer->out_dim, cols = (size_t)j->cols;
  interval *const rows = interval_vec_new(out * cols, b->e->precision);
  if (rows == NULL) {
    atomic_store(&b->failed, true);
    return;
  }
  interval_scratch ws;
  interval w;
  mpfr_t right, left;
  interval_scratch_init(&ws, b->e->precision);
  interval_init(&w, b->e->precision);
  mpfr_inits2(64, right, left, (mpfr_ptr)0);
  for (int head = 0; head < b->e->heads; head++) add_blocks(rows, b, head, i, &w, &ws);
  interval_midpoints(j->mid + (size_t)i * out * cols, b->squares[i], rows, out * cols, right, left);
  mpfr_clears(right, left, (mpfr_ptr)0);
  interval_clear(&w);
  interval_scratch_clear(&ws);
  interval_vec_free(rows);
}

static bool builder_init(builder *b, explicit_jacobian *j, const attcert_layer *layer, const layer_enclosure *e) {
  const size_t heads = (size_t)e->heads, n = (size_t)e->n, d = (size_t)e->dim, k = (size_t)e->head_dim;
  const bool output = layer->output_weight != NULL;
  *b = (builder){.layer = layer, .e = e, .j = j, .height = output ? (size_t)layer->out_dim : k};
  atomic_init(&b->failed, false);
  b->value = interval_vec_new(heads * b->height * d, e->precision);
  b->channel = interval_vec_new(heads * n * b->height, e->precision);
  b->mean = interval_vec_new(heads * n * b->height, e->precision);
  b->g = interval_vec_new(heads * n * d, e->precision);
  b->h = interval_vec_new(heads * n * d, e->precision);
  b->keys = point_vec_new(heads * d * k, e->precision);
  b->queries = point_vec_new(heads * d * k, e->precision);
  b->squares = calloc(n, sizeof(mpfr_t));
  if (output) b->output = point_vec_new((size_t)layer->out_dim * heads * k, e->precision);
  for (size_t i = 0; b->squares != NULL && i < n; i++) {
    mpfr_init2(b->squares[i], 64);
    mpfr_set_zero(b->squares[i], 1);
  }
  if (b->value == NULL || b->channel == NULL || b->mean == NULL || b->g == NULL || b->h == NULL || b->squares == NULL ||
      b->keys == NULL || b->queries == NULL || (output && b->output == NULL))
    return false;
  transposed_weight_load(b->keys, layer->key_weight, e->heads, e->head_dim, e->dim);
  transposed_weight_load(b->queries, layer->query_weight, e->heads, e->head_dim, e->dim);
  if (output) point_vec_set_d(b->output, layer->output_weight, (size_t)layer->out_dim * heads * k);
  return true;
}

static void builder_clear(builder *b) {
  interval_vec_free(b->value);
  interval_vec_free(b->channel);
  interval_vec_free(b->mean);
  interval_vec_free(b->g);
  interval_vec_free(b->h);
  point_vec_free(b->output);
  point_vec_free(b->keys);
  point_vec_free(b->queries);
  for (int i = 0; b->squares != NULL && i < b->e->n; i++) mpfr_clear(b->squares[i]);
  free(b->squares);
}

static void build(builder *b, int threads) {
  const layer_enclosure *const e = b->e;
  parallel_for(e->heads * e->n, threads, prepare_token, b);
  parallel_for(e->heads, threads, prepare_head, b);
  if (!atomic_load(&b->failed)) parallel_for(e->n, threads, fill_token, b);
  sum_upward_root(b->j->radius, b->squares, e->n); /* Frobenius >= spectral */
}

uint64_t explicit_jacobian_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision) {
  const size_t tokens = (size_t)n, d = (size_t)layer->dim, out = (size_t)layer->out_dim, heads = (size_t)layer->heads;
  const size_t k = (size_t)layer->head_dim, height = layer->output_weight != NULL ? out : k;
  return (uint64_t)point_vec_bytes(tokens * out * tokens * d, precision) +
         interval_vec_bytes(heads * (height * d + 2 * tokens * (height + d)), precision) +
         point_vec_bytes(2 * heads * d * k, precision) + /* K^T and Q^T */
         (uint64_t)parallel_threads(0) *
             interval_vec_bytes(out * tokens * d, precision) + /* rows of the tokens at work */
         (uint64_t)tokens * out * tokens * d * sizeof(double); /* explicit_jacobian_to_double */
}

attcert_status explicit_jacobian_init(explicit_jacobian *j, const attcert_layer *layer, const layer_enclosure *e,
                                      int threads, attcert_error *err) {
  *j = (explicit_jacobian){.rows = e->n * layer->out_dim, .cols = e->n * e->dim};
  mpfr_init2(j->radius, 64);
  j->mid = point_vec_new((size_t)j->rows * (size_t)j->cols, e->precision);
  builder b;
  const bool ready = builder_init(&b, j, layer, e) && j->mid != NULL;
  if (ready) build(&b, threads);
  const bool failed = !ready || atomic_load(&b.failed);
  builder_clear(&b);
  if (!failed) return ATTCERT_OK;
  explicit_jacobian_clear(j);
  return array_out_of_memory(err, explicit_jacobian_bytes(layer, e->n, e->precision),
                             "the explicit Jacobian at %ld bits", (long)e->precision);
}

void explicit_jacobian_clear(explicit_jacobian *j) {
  point_vec_free(j->mid);
  mpfr_clear(j->radius);
  j->mid = NULL;
}

void explicit_jacobian_to_double(double *a, long *exponent, const explicit_jacobian *j) {
  const size_t count = (size_t)j->rows * (size_t)j->cols;
  long largest = EXPONENT_OF_ZERO;
  for (size_t i = 0; i < count; i++) largest = exponent_max(largest, exponent_of_endpoint(j->mid[i].v));
  *exponent = largest == EXPONENT_OF_ZERO ? 0 : largest;
  mpfr_t t;
  mpfr_init2(t, 53);
  for (size_t i = 0; i < count; i++) {
    mpfr_mul_2si(t, j->mid[i].v, -*exponent, MPFR_RNDN);
    a[i] = mpfr_get_d(t, MPFR_RNDN);
  }
  mpfr_clear(t);
}
