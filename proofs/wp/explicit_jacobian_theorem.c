/* The theorem about what an explicit Jacobian is made from: once a token and a head are prepared, one after the other,
 * the intervals contain what the real layers have of both, all of them that are in the builder's intervals and points.
 *
 * No program calls this function: explicit_jacobian.c makes the same calls, for all tokens and then for all heads. */
#include "certify/explicit/explicit_jacobian_heads.h"
#include "certify/explicit/explicit_jacobian_tokens.h"

#include "explicit_jacobian/builder_kept_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"

/*@ requires ready: builder_ready(b);
    requires token: 0 <= index < all_tokens(b->e) && 0 <= h < b->e->heads && 0 <= i < b->e->n;
    requires index: token_index(b->e, h, i) == index;
    requires column: builder_room(column, b->e->head_dim + b->height);
    requires apart: outside_sources(\base_addr(column), b) && outside_builder(\base_addr(column), b);
    terminates \true;
    assigns b->g[0 .. gradients_size(b) - 1], b->h[0 .. gradients_size(b) - 1], b->channel[0 .. outputs_size(b) - 1],
      b->mean[0 .. outputs_size(b) - 1], b->value[0 .. maps_size(b) - 1],
      column[0 .. b->e->head_dim + b->height - 1], mpfr_lives;
    ensures kept: builder_kept{Pre, Post}(b);
    ensures token: \forall real_layer f; builder_models{Pre}(b, f) ==> token_maps_in(b, f, h, i);
    ensures head: \forall real_layer f; builder_models{Pre}(b, f) ==> head_maps_in(b, f, h); */
void explicit_jacobian_theorem(jacobian_builder *b, int h, int index, interval *column) /*@ ghost (int i) */ {
  explicit_jacobian_token(b, index);
  //@ ghost Token:;
  //@ assert places: same_places{Pre, Here}(b);
  //@ assert sides: b->e->head_dim == \at(b->e->head_dim, Pre) && b->height == \at(b->height, Pre);
  //@ assert sizes: all_tokens(b->e) == all_tokens{Pre}(b->e) && maps_size(b) == maps_size{Pre}(b);
  //@ assert column_live: live_vec(column, b->e->head_dim + b->height);
  //@ assert column: builder_room(column, b->e->head_dim + b->height);
  //@ assert token: \forall real_layer f; builder_models{Pre}(b, f) ==> token_maps_in(b, f, h, i);
  //@ assert models: \forall real_layer f; builder_models{Pre}(b, f) ==> builder_models(b, f);
  explicit_jacobian_head(b, h, column);
  //@ assert kept: builder_kept{Token, Here}(b) && builder_kept{Pre, Here}(b);
  //@ assert tokens: tokens_kept{Token, Here}(b, all_tokens{Token}(b->e));
  //@ assert still: \forall real_layer f; builder_models{Pre}(b, f) ==> token_maps_in(b, f, h, i);
}
