#include "certify/explicit/explicit_jacobian.h"

#include "base/arrays.h"
#include "certify/explicit/explicit_jacobian_maps.h"
#include "certify/explicit/explicit_jacobian_midpoints.h"
#include "certify/explicit/explicit_jacobian_weights.h"
#include "linalg/binary_exponent.h"

attcert_status explicit_jacobian_init(explicit_jacobian *j, const attcert_layer *layer, const layer_enclosure *e,
                                      int threads, attcert_error *err) {
  *j = (explicit_jacobian){.rows = e->n * layer->out_dim, .cols = e->n * e->dim};
  mpfr_init2(j->radius, 64);
  j->mid = point_vec_new((size_t)j->rows * (size_t)j->cols, e->precision);
  jacobian_builder b;
  const bool ready = jacobian_builder_init(&b, j, layer, e) && j->mid != NULL;
  if (ready) explicit_jacobian_weights(&b);
  if (ready) explicit_jacobian_maps(&b, threads);
  if (ready && !atomic_load(&b.failed)) explicit_jacobian_midpoints(&b, threads);
  const bool failed = !ready || atomic_load(&b.failed);
  jacobian_builder_clear(&b);
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
