/* The certified lower bound: ||J u|| / ||u|| for a given direction u, in intervals. Any u is valid; a better one is
 * tighter. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_H
#define ATTCERT_CERTIFY_ENCLOSURE_DIRECTION_H

#include "certify/enclosure/layer_enclosure.h"

#ifdef __FRAMAC__
#include "certify/enclosure/direction_memory.h"

#include "direction/direction_given.acsl"
#include "theorems/layer_at.acsl"
#include "theorems/layer_direction.acsl"
#endif

/* ratio contains ||J u||_2 / ||u||_2 for u (n x d, finite, not zero), J the layer's Jacobian at the input that e was
 * evaluated at, by the directional derivative
 *   dq_i = Q u_i, dk_j = K u_j, dv_j = V u_j,  ds_ij = (q_i . dk_j + dq_i . k_j) / sqrt(k),
 *   dy_i = sum_j P_ij (dv_j + (v_j - y_i) ds_ij),  (J u)_i = W_O dy_i  (Coq: `jacobian_direction`).
 * Errors: ATTCERT_RESOURCE. */
/*@ requires valid: \valid(ratio) && (err == \null || \valid(err));
    requires live: live(ratio);
    requires given: direction_given(layer, e) && is_direction(u, row(e->n, e->dim));
    requires apart: outside_direction(\base_addr(ratio), layer, e, u) &&
      (err == \null || (outside_direction(\base_addr(err), layer, e, u) && \base_addr(err) != \base_addr(ratio)));
    requires outside: outside_direction_room(\base_addr(ratio)) &&
      (err == \null || outside_direction_room(\base_addr(err)));
    terminates \true;
    assigns *ratio, *err, mpfr_lives, mpz_lives, direction_rooms, direction_room(0)[0 .. vectors_size(e) - 1],
      direction_room(1)[0 .. vectors_size(e) - 1], direction_room(2)[0 .. vectors_size(e) - 1],
      direction_room(3)[0 .. joined_size(e) - 1], direction_room(4)[0 .. e->n - 1],
      direction_room(5)[0 .. image_room_size(layer, e) - 1],
      direction_points[0 .. output_room_size(layer, e) - 1];
    ensures lives: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==>
      outside_direction_room{Pre}(\base_addr{Pre}(x)) ==> same_life{Pre, Post}(x);
    ensures numbers: \forall mpfr_srcptr x; outside_direction_room{Pre}(\base_addr{Pre}(x)) ==>
      \base_addr{Pre}(x) != \base_addr{Pre}(ratio) ==> \base_addr{Pre}(x) != \base_addr{Pre}(err) ==>
      unchanged{Pre, Post}(x);
    ensures doubles: \forall double *x; outside_direction_room{Pre}(\base_addr{Pre}(x)) ==>
      \base_addr{Pre}(x) != \base_addr{Pre}(ratio) ==> \base_addr{Pre}(x) != \base_addr{Pre}(err) ==>
      \at(*x, Pre) == \at(*x, Post);
    ensures contains: \result == ATTCERT_OK ==> \forall attcert_matrix *x, real_layer f, rvec a, v;
      layer_evaluated{Pre}(e, layer, x) ==> layer_at{Pre}(layer, x, f) ==> is_real_jacobian(a, f) ==>
      weights_are{Pre}(u, v, jacobian_columns(f)) ==>
      in(ratio, image_ratio(a, row(layer_tokens(f), layer_out_dim(f)), jacobian_columns(f), v)); */
attcert_status direction_enclosure(interval *ratio, const attcert_layer *layer, const layer_enclosure *e,
                                   const double *u, int threads, attcert_error *err);

/* The width is at most 2^-50 of the lower end: more bits would not be seen in double. */
/*@ requires valid: \valid_read(ratio) && live(ratio);
    terminates \true;
    assigns mpfr_lives, \result \from *ratio;
    ensures lives: same_lives{Pre, Post}; */
bool direction_is_narrow(const interval *ratio);

/* Bytes that direction_enclosure takes. */
uint64_t direction_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

#endif
