#include "certify/jacobian/rounded_factors.h"

#include "base/arrays.h"

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

attcert_status rounded_factors_init(rounded_factors *t, factored_jacobian *m, const attcert_layer *layer,
                                    const attcert_matrix *x, attcert_error *err) {
  *t = (rounded_factors){.m = m, .layer = layer, .x = x};
  atomic_init(&t->failed, false);
  const array_table arrays = arrays_of(t, (size_t)m->heads, (size_t)m->n, (size_t)m->head_dim);
  return array_table_allocate(&arrays, err, "the layer in double");
}

void rounded_factors_clear(rounded_factors *t) {
  const array_table arrays = arrays_of(t, 0, 0, 0);
  array_table_release(&arrays);
}
