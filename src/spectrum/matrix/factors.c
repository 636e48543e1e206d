#include "spectrum/matrix/factors.h"

#include "base/arrays.h"
#include "base/parallel.h"

/* Of a product of two doubles, which is then exact in any exponent range but MPFR's own. */
enum { PRODUCT_BITS = 106 };

/* out := the factor of weight (k x d, columns times gain), or its transpose. */
static void set_factor(point *out, const double *weight, const double *gain, size_t k, size_t d, bool transposed) {
  for (size_t r = 0; r < k; r++) {
    for (size_t c = 0; c < d; c++) {
      mpfr_ptr entry = out[transposed ? c * k + r : r * d + c].v;
      mpfr_set_d(entry, weight[r * d + c], MPFR_RNDN);
      if (gain != NULL) mpfr_mul_d(entry, entry, gain[c], MPFR_RNDN);
    }
  }
}

attcert_status spectrum_factors_init(spectrum_factors *f, const attcert_layer *layer, int h, const double *gain,
                                     attcert_error *err) {
  const size_t k = (size_t)layer->head_dim, d = (size_t)layer->dim, first = (size_t)h * k * d;
  const mpfr_prec_t bits = gain != NULL ? PRODUCT_BITS : 53;
  *f = (spectrum_factors){.dim = layer->dim, .thin = k <= d};
  f->side = f->thin ? layer->head_dim : layer->dim;
  f->length = f->thin ? layer->dim : layer->head_dim;
  f->left = point_vec_new(k * d, bits);
  f->right = point_vec_new(k * d, bits);
  if (f->left == NULL || f->right == NULL) {
    spectrum_factors_clear(f);
    return array_out_of_memory(err, 2 * (uint64_t)point_vec_bytes(k * d, bits), "two factors of %zu x %zu numbers", k,
                               d);
  }
  const double *const query = layer->query_weight + first, *const key = layer->key_weight + first;
  set_factor(f->left, f->thin ? key : query, gain, k, d, !f->thin);
  set_factor(f->right, f->thin ? query : key, gain, k, d, !f->thin);
  return ATTCERT_OK;
}

void spectrum_factors_clear(spectrum_factors *f) {
  point_vec_free(f->left);
  point_vec_free(f->right);
  f->left = f->right = NULL;
}

typedef struct {
  interval *product;
  const point *a, *b;
  size_t side, length;
} product_rows;

static void multiply_row(void *context, int index) {
  const product_rows *const p = context;
  const size_t i = (size_t)index;
  interval_scratch ws;
  interval_scratch_init(&ws, mpfr_get_prec(p->product->lo));
  for (size_t j = 0; j < p->side; j++)
    interval_dot_points(&p->product[i * p->side + j], p->a + i * p->length, p->b + j * p->length, p->length, &ws);
  interval_scratch_clear(&ws);
}

void spectrum_factors_product(interval *product, const spectrum_factors *f, const point *a, const point *b) {
  product_rows p = {product, a, b, (size_t)f->side, (size_t)f->length};
  parallel_for(f->side, parallel_threads(0), multiply_row, &p);
}
