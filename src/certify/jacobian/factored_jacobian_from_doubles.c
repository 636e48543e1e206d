#include "certify/jacobian/factored_jacobian_from_doubles.h"

#include "base/arrays.h"
#include "certify/jacobian/factored_jacobian_radius.h"
#include "certify/jacobian/rounded_factors.h"
#include "linalg/rounding/binary_exponent.h"

#include <stdlib.h>

/* Of the largest entries of input and weights. */
enum { LARGEST_EXPONENT = 100 };

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

static array_table arrays_of(rounded_factors *t, size_t heads, size_t n, size_t k) {
  return (array_table){{
      ARRAY(t->q, heads, n, k),
      ARRAY(t->k, heads, n, k),
      ARRAY(t->v, heads, n, k),
      ARRAY(t->y, heads, n, k),
      ARRAY(t->products, n, heads, k),
      ARRAY(t->q_radius, heads, n),
      ARRAY(t->k_radius, heads, n),
      ARRAY(t->v_radius, heads, n),
      ARRAY(t->v_norm, heads, n),
      ARRAY(t->eta, heads, n),
      ARRAY(t->key, heads),
      ARRAY(t->key_radius, heads),
      ARRAY(t->value_radius, heads),
      ARRAY(t->weights, heads),
      ARRAY(t->row_exponent, heads, n, k),
  }};
}

/* To be scaled into m, which has been initialised. */
static attcert_status factors_init(rounded_factors *t, factored_jacobian *m, const attcert_layer *layer,
                                   const attcert_matrix *x, attcert_error *err) {
  *t = (rounded_factors){.m = m, .layer = layer, .x = x};
  atomic_init(&t->failed, false);
  const array_table arrays = arrays_of(t, (size_t)m->heads, (size_t)m->n, (size_t)m->head_dim);
  return array_table_allocate(&arrays, err, "the layer in double");
}

static void factors_clear(rounded_factors *t) {
  const array_table arrays = arrays_of(t, 0, 0, 0);
  array_table_release(&arrays);
}

static attcert_status evaluate(rounded_factors *t, int threads, attcert_error *err) {
  rounded_factors_projection(t);
  rounded_factors_attention(t, threads);
  const attcert_status status = rounded_factors_scale(t, threads, err);
  if (status == ATTCERT_OK && !t->m->zero) factored_jacobian_covariances(t->m, threads);
  return status;
}

attcert_status factored_jacobian_from_doubles(factored_jacobian *m, bool *usable, const attcert_layer *layer,
                                              const attcert_matrix *x, int threads, attcert_error *err) {
  *m = (factored_jacobian){0};
  *usable = layer_in_range(layer, x);
  if (!*usable) return ATTCERT_OK;
  rounded_factors t;
  attcert_status status = factored_jacobian_init(m, layer, x->rows, err);
  if (status != ATTCERT_OK) return status;
  status = factors_init(&t, m, layer, x, err);
  if (status == ATTCERT_OK) status = evaluate(&t, threads, err);
  *usable = status == ATTCERT_OK && !atomic_load(&t.failed);
  factors_clear(&t);
  if (!*usable) factored_jacobian_clear(m);
  return status;
}
