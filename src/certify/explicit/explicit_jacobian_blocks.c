#include "certify/explicit/explicit_jacobian_blocks.h"

#include "certify/explicit/explicit_jacobian_places.h"

#ifdef __FRAMAC__
#include "explicit_rows/part_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#endif

void explicit_jacobian_blocks(interval *rows, const jacobian_builder *b, int h, int i, interval *w,
                              interval_scratch *ws) {
  const int first = explicit_jacobian_component(b, h);
  const size_t start = explicit_jacobian_entry(b, first);
  const head_rows part = explicit_jacobian_part(b, h, i);
  //@ ghost const int height = b->height, n = b->e->n, d = b->e->dim;
  //@ assert start: start == row(first, row(n, d)) && row(n, d) == builder_columns(b);
  //@ assert part: part.height == height && part.d == d && part.tokens == n && part.i == i && i < part.n <= n;
  //@ assert inside: 0 <= row(height, row(n, d)) && start + row(height, row(n, d)) <= token_entries(b);
  //@ assert live_rows: live_vec(rows + start, row(height, row(n, d)));
  //@ assert outside_p: \separated(rows + start + (0 .. row(height, row(n, d)) - 1), w, ws, part.p + (0 .. n - 1));
  /*@ assert outside_values: \separated(rows + start + (0 .. row(height, row(n, d)) - 1), w, ws,
        part.values + (0 .. row(n, height) - 1)); */
  /*@ assert outside_means: \separated(rows + start + (0 .. row(height, row(n, d)) - 1), w, ws,
        part.means + (0 .. height - 1)); */
  /*@ assert outside_maps: \separated(rows + start + (0 .. row(height, row(n, d)) - 1), w, ws,
        part.maps + (0 .. row(height, d) - 1)); */
  //@ assert outside_g: \separated(rows + start + (0 .. row(height, row(n, d)) - 1), w, ws, part.g + (0 .. d - 1));
  /*@ assert outside_h: \separated(rows + start + (0 .. row(height, row(n, d)) - 1), w, ws,
        part.h + (0 .. row(n, d) - 1)); */
  //@ assert distinct: head_rows_distinct(part);
  /*@ assert sides: \forall real_layer f; maps_model(b, f) ==> is_part_of(part, f, i) && layer_first(f, h) == first &&
        jacobian_columns(f) == row(n, d) && layer_out_dim(f) == b->layer->out_dim && layer_height(f) == height; */
  /*@ assert factors: \forall real_layer f; maps_model(b, f) ==> are_part_factors(part, f, h, i); */
  /*@ assert own: \forall real_layer f; maps_model(b, f) ==> rows_hold(rows, f, i, h) ==>
        own_rows_hold(rows + start, part, f, h, i, h); */
  head_rows_add(rows + start, part, w, ws);
  /*@ assert own_after: \forall real_layer f; maps_model{Pre}(b, f) ==> are_part_factors{Pre}(part, f, h, i) ==>
        own_rows_hold{Pre}(rows + start, part, f, h, i, h) ==> own_rows_hold(rows + start, part, f, h, i, h + 1); */
  //@ assert frame: keeps_two{Pre, Here}(rows + start, row(height, row(n, d)), w, 1, ws);
  /*@ assert start_of: \forall real_layer f; maps_model{Pre}(b, f) ==>
        start == row(layer_first(f, h), jacobian_columns(f)); */
  //@ assert below: kept{Pre, Here}(rows, 0, start);
  /*@ assert beyond: \forall integer t; start + row(height, row(n, d)) <= t < token_entries{Pre}(b) ==>
        \separated(rows + t + (0 .. 0), rows + start + (0 .. row(height, row(n, d)) - 1)) &&
        \separated(rows + t + (0 .. 0), w + (0 .. 0)) && \separated(rows + t + (0 .. 0), ws); */
  /*@ assert beyond_kept: \forall integer t; start + row(height, row(n, d)) <= t < token_entries{Pre}(b) ==>
        kept{Pre, Here}(rows + t, 0, 1); */
  //@ assert above: kept{Pre, Here}(rows, start + row(height, row(n, d)), token_entries{Pre}(b));
  //@ assert sum: row(first + height, row(n, d)) == start + row(height, row(n, d));
  /*@ assert size: \forall real_layer f; maps_model{Pre}(b, f) ==> token_size(f) == token_entries{Pre}(b); */
  //@ assert count: b->e->heads == \at(b->e->heads, Pre);
  /*@ assert end_of: \forall real_layer f; maps_model{Pre}(b, f) ==> start + row(height, row(n, d)) ==
        row(layer_first(f, h) + part.height, jacobian_columns(f)); */
  /*@ assert above_of: \forall real_layer f; maps_model{Pre}(b, f) ==>
        kept{Pre, Here}(rows, start + row(height, row(n, d)), token_size(f)); */
  /*@ assert all: \forall real_layer f; maps_model{Pre}(b, f) ==>
        own_rows_hold(rows + start, part, f, h, i, h + 1) ==> rows_hold{Pre}(rows, f, i, h) ==>
        rows_hold(rows, f, i, h + 1); */
}
