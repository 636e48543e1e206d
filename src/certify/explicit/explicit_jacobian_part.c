#include "certify/explicit/explicit_jacobian_part.h"

#include "certify/jacobian/block_offset.h"
#include "kernel/linear/index.h"
#include "kernel/row/attended_keys.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/cells_lemmas.acsl"
#include "explicit_jacobian/head_alone_lemmas.acsl"
#include "interval/interval_matrix_lemmas.acsl"
#endif

head_rows explicit_jacobian_part(const jacobian_builder *b, int h, int i) {
  const layer_enclosure *const e = b->e;
  const int head = row_offset(h, e->n, e->heads);
  const size_t token = (size_t)(head + i), height = (size_t)b->height, d = (size_t)e->dim;
  const size_t block = (size_t)row_offset(b->height, e->dim, b->height);
  const head_rows part = {.tokens = e->n,
                          .n = attended_keys(e->mask, i, e->n),
                          .height = b->height,
                          .d = e->dim,
                          .i = i,
                          .p = e->p + layer_enclosure_row(e, h, i),
                          .values = b->channel + block_offset((size_t)head, height),
                          .means = b->mean + block_offset(token, height),
                          .maps = b->value + block_offset((size_t)h, block),
                          .g = b->g + block_offset(token, d),
                          .h = b->h + block_offset((size_t)head, d)};
  //@ assert part: is_head_part(b, part, h, i);
  //@ assert token: token == token_index(e, h, i) && 0 <= head && head + e->n <= all_tokens(e);
  //@ assert weights: 0 <= row(token, e->n) && row(token, e->n) + e->n <= rows_size(e);
  //@ assert gradient: 0 <= row(token, e->dim) && row(token, e->dim) + e->dim <= gradients_size(b);
  //@ assert gradients: 0 <= row(head, e->dim) && row(head, e->dim) + row(e->n, e->dim) <= gradients_size(b);
  //@ assert mean: 0 <= row(token, b->height) && row(token, b->height) + b->height <= outputs_size(b);
  //@ assert values: 0 <= row(head, b->height) && row(head, b->height) + row(e->n, b->height) <= outputs_size(b);
  //@ assert maps: 0 <= row(h, block) && row(h, block) + block <= maps_size(b);
  //@ assert valid_p: \valid_read(part.p + (0 .. part.tokens - 1)) && live_vec(part.p, part.tokens);
  /*@ assert valid_values: \valid_read(part.values + (0 .. row(part.tokens, part.height) - 1)) &&
        live_vec(part.values, row(part.tokens, part.height)); */
  //@ assert valid_means: \valid_read(part.means + (0 .. part.height - 1)) && live_vec(part.means, part.height);
  /*@ assert valid_maps: \valid_read(part.maps + (0 .. row(part.height, part.d) - 1)) &&
        live_vec(part.maps, row(part.height, part.d)); */
  //@ assert valid_g: \valid_read(part.g + (0 .. part.d - 1)) && live_vec(part.g, part.d);
  /*@ assert valid_h: \valid_read(part.h + (0 .. row(part.tokens, part.d) - 1)) &&
        live_vec(part.h, row(part.tokens, part.d)); */
  /*@ assert weights_in: \forall real_layer f; maps_model(b, f) ==>
        in_vec(part.p, head_weights_of(f, h, i), 0, part.n); */
  /*@ assert mean_in: \forall real_layer f; maps_model(b, f) ==>
        in_vec(part.means, head_mean(f, h, i), 0, part.height); */
  /*@ assert maps_in: \forall real_layer f; maps_model(b, f) ==>
        in_vec(part.maps, head_maps(f, h), 0, row(part.height, part.d)); */
  /*@ assert g_in: \forall real_layer f; maps_model(b, f) ==>
        in_vec(part.g, head_query_gradient(f, h, i), 0, part.d); */
  //@ assert of_tokens: \forall integer j; 0 <= j < e->n ==> token_index(e, h, j) == head + j;
  //@ assert sums: \forall integer j, c; row(head + j, c) == row(head, c) + row(j, c);
  /*@ assert h_rows: \forall real_layer f; maps_model(b, f) ==> \forall integer j, c; 0 <= j < part.n ==>
        0 <= c < part.d ==>
        entry_in(b->h + row(head + j, e->dim), c, entry(head_key_gradient(f, h, j), c)); */
  /*@ assert h_in: \forall real_layer f; maps_model(b, f) ==>
        in_matrix(part.h, head_key_gradients(f, h), part.n, part.d); */
  /*@ assert value_rows: \forall real_layer f; maps_model(b, f) ==> \forall integer j, o; 0 <= j < part.n ==>
        0 <= o < part.height ==> entry_in(b->channel + row(head + j, b->height), o, entry(head_value(f, h, j), o)); */
  /*@ assert values_in: \forall real_layer f; maps_model(b, f) ==>
        in_matrix(part.values, head_values(f, h), part.n, part.height); */
  //@ assert height: 0 < part.height;
  /*@ assert values_vec: \forall real_layer f; maps_model(b, f) ==>
        in_vec(part.values, head_values(f, h), 0, row(part.n, part.height)); */
  /*@ assert alone: \forall real_layer f; maps_model(b, f) ==> part.n == 1 ==>
        \forall integer o; 0 <= o < part.height ==>
        vanishes(entry(head_values(f, h), row(0, part.height) + o) - entry(head_mean(f, h, i), o)); */
  return part;
}
