#include "certify/explicit/explicit_jacobian_part.h"

#include "certify/enclosure/token_block.h"
#include "kernel/row/attended_keys.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_lemmas.acsl"
#include "explicit_jacobian/cells_lemmas.acsl"
#include "interval/interval_matrix_lemmas.acsl"
#endif

head_rows explicit_jacobian_part(const jacobian_builder *b, int h, int i) {
  const layer_enclosure *const e = b->e;
  const int n = e->n, d = e->dim, height = b->height, heads = e->heads;
  const size_t p = layer_enclosure_row(e, h, i), values = token_block_head(h, height, heads, n);
  const size_t means = token_block(h, i, height, heads, n), maps = token_block_matrix(h, height, d, heads);
  const size_t g = token_block(h, i, d, heads, n), keys = token_block_head(h, d, heads, n);
  const head_rows part = {.tokens = n,
                          .n = attended_keys(e->mask, i, n),
                          .height = height,
                          .d = d,
                          .i = i,
                          .p = e->p + p,
                          .values = b->channel + values,
                          .means = b->mean + means,
                          .maps = b->value + maps,
                          .g = b->g + g,
                          .h = b->h + keys};
  //@ assert numbers: part.tokens == n && part.height == height && part.d == d && part.i == i;
  //@ assert places_p: p == row(token_index(e, h, i), n) && part.p == e->p + p;
  //@ assert places_values: values == row(row(h, n), height) && part.values == b->channel + values;
  //@ assert places_means: means == row(token_index(e, h, i), height) && part.means == b->mean + means;
  //@ assert places_maps: maps == row(h, row(height, d)) && part.maps == b->value + maps;
  //@ assert places_g: g == row(token_index(e, h, i), d) && part.g == b->g + g;
  //@ assert places_h: keys == row(row(h, n), d) && part.h == b->h + keys;
  //@ assert part: is_head_part(b, part, h, i);
  //@ assert p: 0 <= p && p + n <= rows_size(e);
  //@ assert live_p: live_vec(part.p, n);
  //@ assert valid_p: \valid_read(part.p + (0 .. n - 1));
  //@ assert values: builder_room(part.values, row(n, height));
  //@ assert means: builder_room(part.means, height);
  //@ assert maps: builder_room(part.maps, row(height, d));
  //@ assert g: builder_room(part.g, d);
  //@ assert h: builder_room(part.h, row(n, d));
  /*@ assert sides: \forall real_layer f; maps_model(b, f) ==> layer_tokens(f) == n && layer_dim(f) == d &&
        layer_height(f) == height && layer_attended(f, i) == part.n && layer_models(e, f); */
  /*@ assert encloses: \forall real_layer f; maps_model(b, f) ==>
        row_encloses(e, layer_queries(f), layer_keys(f), layer_values(f), h, i); */
  /*@ assert weights_in: \forall real_layer f; maps_model(b, f) ==>
        in_vec(part.p, head_weights_of(f, h, i), 0, part.n); */
  //@ assert mean_in: \forall real_layer f; maps_model(b, f) ==> in_vec(part.means, head_mean(f, h, i), 0, height);
  //@ assert maps_in: \forall real_layer f; maps_model(b, f) ==> in_vec(part.maps, head_maps(f, h), 0, row(height, d));
  //@ assert g_in: \forall real_layer f; maps_model(b, f) ==> in_vec(part.g, head_query_gradient(f, h, i), 0, d);
  /*@ assert h_in: \forall real_layer f; maps_model(b, f) ==>
        in_matrix(part.h, head_key_gradients(f, h), part.n, d); */
  /*@ assert values_in: \forall real_layer f; maps_model(b, f) ==>
        in_matrix(part.values, head_values(f, h), part.n, height); */
  //@ assert height: 0 < height;
  /*@ assert values_all: \forall real_layer f; maps_model(b, f) ==>
        in_vec(part.values, head_values(f, h), 0, row(part.n, height)); */
  /*@ assert alone: \forall real_layer f; maps_model(b, f) ==> part.n == 1 ==>
        \forall integer o; 0 <= o < height ==>
        vanishes(entry(head_values(f, h), row(0, height) + o) - entry(head_mean(f, h, i), o)); */
  return part;
}
