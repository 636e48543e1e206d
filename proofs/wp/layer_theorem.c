/* The theorem about a layer in intervals: of any layer that passes the check, the intervals contain every real layer.
 *
 * No program calls this function: certify.c checks the layer long before an engine encloses it. */
#include "base/layer_check.h"
#include "certify/enclosure/layer_enclosure.h"

/*@ requires valid: \valid(e) && \valid(err) && layer_given(layer, x);
    requires precision: 1 <= precision <= MPFR_PREC_MAX;
    requires apart: \separated(e, layer, x, err) && layer_apart(err, layer, x);
    requires outside: input_outside(e, layer, x, err);
    terminates \true;
    assigns *e, *err, mpfr_lives, mpz_lives, layer_room(0)[0 .. layer_vectors(layer, x) - 1],
      layer_room(1)[0 .. layer_vectors(layer, x) - 1], layer_room(2)[0 .. layer_vectors(layer, x) - 1],
      layer_room(3)[0 .. layer_vectors(layer, x) - 1], layer_room(4)[0 .. layer_rows(layer, x) - 1];
    ensures encloses: \result == ATTCERT_OK ==> layer_encloses(e);
    ensures shape: \result == ATTCERT_OK ==> has_shape{Pre, Post}(e, layer, x, precision); */
attcert_status layer_theorem(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                             mpfr_prec_t precision, attcert_error *err) {
  const attcert_status status = layer_check(layer, x, err);
  if (status != ATTCERT_OK) return status;
  return layer_enclosure_init(e, layer, x, precision, 1, err);
}

/*@ requires valid: enclosure_sides(e) && enclosure_readable(e) && \valid(deviation) && live(deviation);
    requires token: 0 <= h < e->heads && 0 <= i < e->n && 0 <= j < attended_keys(e->mask, i, e->n);
    requires component: 0 <= r < e->head_dim;
    requires apart: \separated(deviation, e) && \separated(deviation, e->v + (0 .. vectors_size(e) - 1)) &&
      \separated(deviation, e->y + (0 .. vectors_size(e) - 1));
    requires encloses: layer_encloses(e);
    terminates \true;
    assigns *deviation;
    ensures contains: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==>
      in(deviation, entry(v, \at(row(token_index(e, h, j), e->head_dim), Pre) + r) -
                    entry(row_mean{Pre}(e, q, k, v, h, i), r)); */
void deviation_theorem(interval *deviation, const layer_enclosure *e, int h, int i, int j, size_t r) {
  layer_enclosure_deviation(deviation, e, h, i, j, r);
}
