#include "spectrum/propagation/random_walk.h"

#include "base/arrays.h"
#include "base/gaussian.h"
#include "base/parallel.h"

#include <math.h>

enum { BLOCKS = 32 }; /* of walks: one after the other in a block, blocks side by side */

typedef struct {
  const spectrum_walk *walk;
  size_t dim, head_dim;
  double *query, *key;                         /* k x d, folded */
  double *steps, *last, *head, *image, *omega; /* scratch, a row a block: [T d], [d], [k], [d], [T] */
  int *inside;                                 /* [BLOCKS][T] */
} walks;

static array_table arrays_of(walks *w, size_t length) {
  const size_t d = w->dim, k = w->head_dim;
  return (array_table){{ARRAY(w->query, k, d), ARRAY(w->key, k, d), ARRAY(w->steps, BLOCKS, length, d),
                        ARRAY(w->last, BLOCKS, d), ARRAY(w->head, BLOCKS, k), ARRAY(w->image, BLOCKS, d),
                        ARRAY(w->omega, BLOCKS, length), ARRAY(w->inside, BLOCKS, length)}};
}

static void fold(double *out, const double *factor, const double *gain, size_t k, size_t d) {
  for (size_t i = 0; i < k * d; i++) out[i] = gain != NULL ? factor[i] * gain[i % d] : factor[i];
}

/* out := A x, A rows x cols: in loops, as BLAS keeps threads of its own. */
static void multiply(double *out, const double *a, const double *x, size_t rows, size_t cols) {
  for (size_t i = 0; i < rows; i++) {
    out[i] = 0.0;
    for (size_t j = 0; j < cols; j++) out[i] += a[i * cols + j] * x[j];
  }
}

static void multiply_transposed(double *out, const double *a, const double *x, size_t rows, size_t cols) {
  for (size_t j = 0; j < cols; j++) out[j] = 0.0;
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < cols; j++) out[j] += a[i * cols + j] * x[i];
  }
}

/* omega_j sqrt(d) = (K^T Q x_T) . x_j, the sum of the steps' parts. */
static void walk_once(const walks *w, size_t block, uint64_t sample) {
  const size_t d = w->dim, k = w->head_dim, length = (size_t)w->walk->length;
  double *const steps = w->steps + block * length * d, *const last = w->last + block * d,
                *const image = w->image + block * d, *const omega = w->omega + block * length,
                *const head = w->head + block * k;
  gaussian_fill(steps, w->walk->seed, gaussian_stream("random walk"), sample * length * d, length * d);
  for (size_t c = 0; c < d; c++) last[c] = 0.0;
  for (size_t i = 0; i < length * d; i++) last[i % d] += steps[i];
  multiply(head, w->query, last, k, d);
  multiply_transposed(image, w->key, head, k, d);
  multiply(omega, steps, image, length, d);
  const double scale = 1.0 / sqrt((double)d), count = (double)length;
  double mean = 0.0;
  for (size_t j = 0; j < length; j++) {
    omega[j] = scale * omega[j] + (j > 0 ? omega[j - 1] : 0.0);
    mean += omega[j] / count;
  }
  for (size_t j = 0; j < length; j++) {
    const double argument = (1.0 + omega[j] - mean) / count;
    if (argument >= 0.0 && argument <= 1.0) w->inside[block * length + j]++;
  }
}

static void walk_block(void *context, int block) {
  const walks *const w = context;
  for (int sample = block; sample < w->walk->samples; sample += BLOCKS) walk_once(w, (size_t)block, (uint64_t)sample);
}

static spectrum_frequency wilson(int hits, int samples) {
  static const double z = 1.959963984540054; /* the 97.5 % quantile of the normal distribution */
  const double n = samples, p = hits / n, centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n),
               half = z / (1.0 + z * z / n) * sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
  return (spectrum_frequency){p, fmax(centre - half, 0.0), fmin(centre + half, 1.0)};
}

attcert_status spectrum_random_walk(spectrum_frequency *inside, const spectrum_walk *walk, const attcert_layer *layer,
                                    int h, const double *gain, attcert_error *err) {
  walks w = {.walk = walk, .dim = (size_t)layer->dim, .head_dim = (size_t)layer->head_dim};
  const size_t first = (size_t)h * w.head_dim * w.dim, length = (size_t)walk->length;
  const array_table arrays = arrays_of(&w, length);
  const attcert_status status = array_table_allocate(&arrays, err, "random walks of %zu tokens", length);
  if (status != ATTCERT_OK) return status;
  fold(w.query, layer->query_weight + first, gain, w.head_dim, w.dim);
  fold(w.key, layer->key_weight + first, gain, w.head_dim, w.dim);
  parallel_for(BLOCKS, parallel_threads(0), walk_block, &w);
  for (size_t i = 0; i < length; i++) {
    int hits = 0;
    for (size_t block = 0; block < BLOCKS; block++) hits += w.inside[block * length + i];
    inside[i] = wilson(hits, walk->samples);
  }
  array_table_release(&arrays);
  return ATTCERT_OK;
}
