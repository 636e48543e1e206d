#include "certify/explicit/explicit_jacobian_room.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_kept_lemmas.acsl"
#endif

void explicit_jacobian_room_init(token_room *room, const jacobian_builder *b) {
  token_room_init(room, b->e);
  //@ assert numbers: kept_elsewhere{Pre, Here}(\base_addr(room));
  //@ assert places: same_places{Pre, Here}(b);
  //@ assert n: b->e->n == \at(b->e->n, Pre) && b->e->dim == \at(b->e->dim, Pre);
  //@ assert heads: b->e->heads == \at(b->e->heads, Pre) && b->e->head_dim == \at(b->e->head_dim, Pre);
  //@ assert mask: b->e->mask == \at(b->e->mask, Pre);
  //@ assert precision: b->e->precision == \at(b->e->precision, Pre);
  //@ assert shape: same_shape{Pre, Here}(b->e);
  //@ assert arrays: same_arrays{Pre, Here}(b->e);
  //@ assert weights: doubles_kept{Pre, Here}(\base_addr(b->layer->value_weight));
  //@ assert kept: builder_kept{Pre, Here}(b);
  //@ assert content: builder_content(b);
  //@ assert live: builder_live(b);
  //@ assert readable: enclosure_readable(b->e);
  //@ assert maps: builder_maps(b);
  //@ assert points: builder_weights(b);
  //@ assert squares: \valid(b->squares + (0 .. b->e->n - 1)) && live_numbers(b->squares, b->e->n);
  //@ assert blocks: builder_blocks(b) && builder_distinct(b);
}

void explicit_jacobian_room_clear(token_room *room) /*@ ghost (const jacobian_builder *b) */ {
  token_room_clear(room);
  //@ assert numbers: kept_elsewhere{Pre, Here}(\base_addr(room));
  //@ assert places: same_places{Pre, Here}(b);
  //@ assert n: b->e->n == \at(b->e->n, Pre) && b->e->dim == \at(b->e->dim, Pre);
  //@ assert heads: b->e->heads == \at(b->e->heads, Pre) && b->e->head_dim == \at(b->e->head_dim, Pre);
  //@ assert mask: b->e->mask == \at(b->e->mask, Pre);
  //@ assert precision: b->e->precision == \at(b->e->precision, Pre);
  //@ assert shape: same_shape{Pre, Here}(b->e);
  //@ assert arrays: same_arrays{Pre, Here}(b->e);
  //@ assert weights: doubles_kept{Pre, Here}(\base_addr(b->layer->value_weight));
  //@ assert kept: builder_kept{Pre, Here}(b);
  //@ assert content: builder_content(b);
  //@ assert live: builder_live(b);
  //@ assert readable: enclosure_readable(b->e);
  //@ assert maps: builder_maps(b);
  //@ assert points: builder_weights(b);
  //@ assert squares: \valid(b->squares + (0 .. b->e->n - 1)) && live_numbers(b->squares, b->e->n);
  //@ assert blocks: builder_blocks(b) && builder_distinct(b);
}
