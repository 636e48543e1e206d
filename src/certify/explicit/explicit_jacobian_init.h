/* The explicit Jacobian of a layer (explicit_jacobian.h) from its doubles and its intervals. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_INIT_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_JACOBIAN_INIT_H

#include "certify/explicit/explicit_jacobian_memory.h"

#ifdef __FRAMAC__
#include "certify/explicit/explicit_gram.h"
#endif

/* J_il = sum_h P_il W_h V_h + W_h w_il g_i^T + delta_il sum_j W_h w_ij h_j^T with w_ij = P_ij (v_j - y_i), in
 * intervals, W_O applied first so that heads which cancel do so before any rounding to double. A radius that is no
 * number claims nothing. Errors: ATTCERT_RESOURCE. */
/*@ requires valid: \valid(j) && (err == \null || \valid(err));
    requires given: jacobian_given(layer, e);
    requires separated: \separated(j, layer, e, err);
    requires apart: \base_addr(j) != \base_addr(layer) && \base_addr(j) != \base_addr(e) &&
      \base_addr(j) != \base_addr(e->q) && \base_addr(j) != \base_addr(e->k) && \base_addr(j) != \base_addr(e->v) &&
      \base_addr(j) != \base_addr(e->y) && \base_addr(j) != \base_addr(e->p) && \base_addr(j) != \base_addr(err);
    requires scratch: outside_scratch(\base_addr(j));
    terminates \true;
    assigns *j, *err, mpfr_lives, jacobian_rooms, maps_room(0)[0 .. head_maps_room(layer, e) - 1],
      maps_room(1)[0 .. outputs_room(layer, e) - 1], maps_room(2)[0 .. outputs_room(layer, e) - 1],
      maps_room(3)[0 .. gradients_room(e) - 1], maps_room(4)[0 .. gradients_room(e) - 1],
      points_room(0)[0 .. weights_room(e) - 1], points_room(1)[0 .. weights_room(e) - 1],
      points_room(2)[0 .. output_room(layer, e) - 1], points_room(3)[0 .. midpoints_room_size(layer, e) - 1],
      squares_room(0)[0 .. e->n - 1], column_place[0 .. e->head_dim + head_height(layer, e) - 1],
      rows_place[0 .. token_room_size(layer, e) - 1];
    ensures lives: \result == ATTCERT_OK ==> \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==>
      x != &j->radius[0] ==> outside_jacobian_room{Pre}(\base_addr{Pre}(x)) ==> same_life{Pre, Post}(x);
    ensures source: \result == ATTCERT_OK ==> gram_source(j) && initialised(&j->radius[0]);
    ensures sides: \result == ATTCERT_OK ==>
      j->rows == \old(row(e->n, layer->out_dim)) && j->cols == \old(row(e->n, e->dim));
    ensures place: \result == ATTCERT_OK ==> j->mid == points_room{Pre}(3);
    ensures encloses: \result == ATTCERT_OK ==> number(&j->radius[0]) ==> \forall real_layer f, rvec a;
      layer_enclosed{Pre}(layer, e, f) ==> is_real_jacobian(a, f) ==> enclosed_by(j, a); */
attcert_status explicit_jacobian_init(explicit_jacobian *j, const attcert_layer *layer, const layer_enclosure *e,
                                      int threads, attcert_error *err);

#endif
