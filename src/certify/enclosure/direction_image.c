#include "certify/enclosure/direction_image.h"

#include "base/parallel.h"
#include "certify/enclosure/block_offset.h"
#include "certify/enclosure/token_output.h"

#ifdef __FRAMAC__
#include "direction/direction_image_lemmas.acsl"
#include "direction/matrix_product_lemmas.acsl"
#include "interval/interval_kept_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#endif

/*@ predicate image_apart{L}(derivative *t) =
      \base_addr(t->image) != \base_addr(t->dy) && \base_addr(t->image) != \base_addr(t->output) &&
      \base_addr(t->image) != \base_addr(t->e) && \base_addr(t->image) != \base_addr(t->layer) &&
      \base_addr(t->image) != \base_addr(t); */

/* (J u)_i = W_O dy_i, one token. */
/*@ requires readable: image_readable(t);
    requires apart: image_apart(t);
    requires token: 0 <= i < t->e->n;
    terminates \true;
    assigns t->image[row(i, t->layer->out_dim) .. row(i, t->layer->out_dim) + t->layer->out_dim - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures weighted: token_weighted{Pre, Post}(t, i); */
static void weight_token(const derivative *t, int i) {
  //@ assert sides: derivative_sides(t);
  //@ assert given: enclosure_sides(t->e) && side(t->layer->out_dim) && 1 <= t->layer->out_dim;
  //@ assert heads: 1 <= t->e->heads <= DIM_MAX && 1 <= t->e->head_dim <= DIM_MAX && channels(t->e) <= DIM_MAX;
  const size_t width = block_offset((size_t)t->e->heads, (size_t)t->e->head_dim);
  const int outputs = t->layer->out_dim;
  //@ assert width: 1 <= width <= DIM_MAX && width == channels(t->e);
  //@ assert counts: 0 <= i <= DIM_MAX && 1 <= outputs <= DIM_MAX;
  const size_t first = block_offset((size_t)i, (size_t)outputs), from = block_offset((size_t)i, width);
  interval *const image = t->image + first;
  const interval *const dy = t->dy + from;
  const point *const weight = t->output;
  //@ assert places: first == row(i, outputs) && from == row(i, width);
  //@ assert inside: 0 <= first && first + outputs <= image_size(t);
  //@ assert inside_dy: 0 <= from && from + width <= joined_size(t->e);
  //@ assert size: row(outputs, width) == output_size(t);
  //@ assert valid: \valid(image + (0 .. outputs - 1)) && \valid_read(dy + (0 .. width - 1));
  //@ assert live_then: live_vec(image, outputs) && live_vec(dy, width);
  //@ assert token: \forall rvec y; in_vec(t->dy, y, 0, joined_size(t->e)) ==> in_vec(dy, y, row(i, width), width);
  //@ assert int_width: (int)width == width;
  token_output_enclosure(image, dy, weight, outputs, (int)width, t->e->precision) /*@ ghost (i) */;
  //@ assert product: product_contained{Pre, Here}(image, dy, weight, outputs, width, i, outputs);
  /*@ assert entries: \forall rvec y, w, integer o; in_vec{Pre}(\at(t->dy, Pre), y, 0, joined_size{Pre}(t->e)) ==>
        is_vec{Pre}(weight, w, 0, row(outputs, width)) ==> 0 <= o < outputs ==>
        in(image + o, real_dot(y, matrix_row(w, width, o), row(i, width), width)); */
}

/* The same; the earlier tokens, and what they are made from, stay as they are. */
/*@ requires readable: image_readable(t);
    requires apart: image_apart(t);
    requires token: 0 <= i < t->e->n;
    terminates \true;
    assigns t->image[0 .. image_size(t) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures kept: image_kept{Pre, Post}(t);
    ensures readable: image_readable(t);
    ensures earlier: ends_kept{Pre, Post}(\old(t->image), row(i, \old(t->layer->out_dim)));
    ensures weighted: token_weighted{Pre, Post}(t, i); */
static void output_token(const derivative *t, int i) {
  //@ ghost int outputs = t->layer->out_dim;
  //@ assert inside: 0 <= row(i, outputs) && row(i, outputs) + outputs <= image_size(t);
  /*@ assert doubles_apart: \forall double *x; \base_addr(x) == \base_addr(t->dy) ||
        \base_addr(x) == \base_addr(t->output) ==>
        \separated(x, t->image + (row(i, outputs) .. row(i, outputs) + outputs - 1)); */
  /*@ assert ints_apart: \forall int *x; \base_addr(x) == \base_addr(t->e) || \base_addr(x) == \base_addr(t->layer) ||
        \base_addr(x) == \base_addr(t->dy) || \base_addr(x) == \base_addr(t->output) ==>
        \separated(x, t->image + (row(i, outputs) .. row(i, outputs) + outputs - 1)); */
  /*@ assert longs_apart: \forall long *x; \base_addr(x) == \base_addr(t->e) ==>
        \separated(x, t->image + (row(i, outputs) .. row(i, outputs) + outputs - 1)); */
  /*@ assert earlier_apart: \forall integer s; 0 <= s < row(i, outputs) ==>
        \separated(t->image + s, t->image + (row(i, outputs) .. row(i, outputs) + outputs - 1)); */
  weight_token(t, i);
  /*@ assert others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(\at(t->image, Pre)) ==>
        unchanged{Pre, Here}(x); */
  /*@ assert elsewhere: \forall mpfr_srcptr x;
        \separated(x, \at(t->image, Pre) + (row(i, outputs) .. row(i, outputs) + outputs - 1)) ==>
        unchanged{Pre, Here}(x); */
  /*@ assert low: \forall integer s; 0 <= s < row(i, outputs) ==>
        unchanged{Pre, Here}(&(\at(t->image, Pre) + s)->lo[0]); */
  /*@ assert high: \forall integer s; 0 <= s < row(i, outputs) ==>
        unchanged{Pre, Here}(&(\at(t->image, Pre) + s)->hi[0]); */
  //@ assert earlier: ends_kept{Pre, Here}(\at(t->image, Pre), row(i, outputs));
  //@ assert e: t->e == \at(t->e, Pre) && t->e->n == \at(t->e->n, Pre) && t->e->dim == \at(t->e->dim, Pre);
  //@ assert heads: t->e->heads == \at(t->e->heads, Pre) && t->e->head_dim == \at(t->e->head_dim, Pre);
  //@ assert mask: t->e->mask == \at(t->e->mask, Pre);
  //@ assert precision: t->e->precision == \at(t->e->precision, Pre);
  //@ assert layer: t->layer == \at(t->layer, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert dy: ends_kept{Pre, Here}(\at(t->dy, Pre), joined_size{Pre}(t->e));
  //@ assert weights: same_points{Pre, Here}(\at(t->output, Pre), output_size{Pre}(t));
  //@ assert kept: image_kept{Pre, Here}(t);
  //@ assert live_image: live_vec(\at(t->image, Pre), image_size{Pre}(t));
  //@ assert live_dy: live_vec(\at(t->dy, Pre), joined_size{Pre}(t->e));
  //@ assert live: live_vec(t->image, image_size(t)) && live_vec(t->dy, joined_size(t->e));
  //@ assert live_weights: live_points(t->output, output_size(t)) && points(t->output, output_size(t));
  //@ assert sides: derivative_sides(t);
  //@ assert room: room_for(t->image, image_size(t)) && readable_vec(t->dy, joined_size(t->e));
  //@ assert readable: \valid_read(t->output + (0 .. output_size(t) - 1));
}
PARALLEL_TASK(output_token)

/* W_O as points. */
/*@ requires sides: \valid_read(t) && \valid_read(t->e) && \valid_read(t->layer) && derivative_sides(t);
    requires room: room_for(t->image, image_size(t)) && readable_vec(t->dy, joined_size(t->e)) && room_for_output(t);
    requires weight: \valid_read(t->layer->output_weight + (0 .. output_size(t) - 1)) &&
      finite_entries(t->layer->output_weight, output_size(t));
    requires apart: \base_addr(t->output) != \base_addr(t->image) && \base_addr(t->output) != \base_addr(t->dy) &&
      \base_addr(t->output) != \base_addr(t->layer->output_weight) && \base_addr(t->output) != \base_addr(t->e) &&
      \base_addr(t->output) != \base_addr(t) && \base_addr(t->output) != \base_addr(t->layer);
    terminates \true;
    assigns t->output[0 .. output_size(t) - 1];
    ensures kept: image_sides_kept{Pre, Post}(t) && ends_kept{Pre, Post}(\old(t->dy), joined_size{Pre}(t->e));
    ensures readable: image_readable(t);
    ensures weights: \forall rvec w; is_output_weight{Pre}(t, w) ==> is_vec(t->output, w, 0, output_size{Pre}(t)); */
static void load_output(const derivative *t) {
  //@ assert sides: derivative_sides(t);
  //@ assert given: enclosure_sides(t->e) && side(t->layer->out_dim) && 1 <= t->layer->out_dim;
  //@ assert heads: 1 <= t->e->heads <= DIM_MAX && 1 <= t->e->head_dim <= DIM_MAX && channels(t->e) <= DIM_MAX;
  const size_t width = block_offset((size_t)t->e->heads, (size_t)t->e->head_dim);
  //@ assert width: 1 <= width <= DIM_MAX && width == channels(t->e);
  //@ assert outputs: 1 <= t->layer->out_dim <= DIM_MAX;
  const size_t count = block_offset((size_t)t->layer->out_dim, width);
  //@ assert count: count == output_size(t);
  /*@ assert doubles_apart: \forall double *x; \base_addr(x) == \base_addr(t->dy) ||
        \base_addr(x) == \base_addr(t->layer->output_weight) ==> \separated(x, t->output + (0 .. count - 1)); */
  /*@ assert ints_apart: \forall int *x; \base_addr(x) == \base_addr(t->e) || \base_addr(x) == \base_addr(t->layer) ||
        \base_addr(x) == \base_addr(t->dy) ==> \separated(x, t->output + (0 .. count - 1)); */
  /*@ assert longs_apart: \forall long *x; \base_addr(x) == \base_addr(t->e) ==>
        \separated(x, t->output + (0 .. count - 1)); */
  point_vec_set_d(t->output, t->layer->output_weight, count);
  /*@ assert others: \forall mpfr_srcptr x; \base_addr(x) != \base_addr(\at(t->output, Pre)) ==>
        unchanged{Pre, Here}(x); */
  //@ assert e: t->e == \at(t->e, Pre) && t->e->n == \at(t->e->n, Pre) && t->e->dim == \at(t->e->dim, Pre);
  //@ assert heads: t->e->heads == \at(t->e->heads, Pre) && t->e->head_dim == \at(t->e->head_dim, Pre);
  //@ assert mask: t->e->mask == \at(t->e->mask, Pre);
  //@ assert precision: t->e->precision == \at(t->e->precision, Pre);
  //@ assert layer: t->layer == \at(t->layer, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  /*@ assert low: \forall integer s; 0 <= s < joined_size{Pre}(t->e) ==>
        unchanged{Pre, Here}(&(\at(t->dy, Pre) + s)->lo[0]); */
  /*@ assert high: \forall integer s; 0 <= s < joined_size{Pre}(t->e) ==>
        unchanged{Pre, Here}(&(\at(t->dy, Pre) + s)->hi[0]); */
  //@ assert dy: ends_kept{Pre, Here}(\at(t->dy, Pre), joined_size{Pre}(t->e));
  /*@ assert doubles: \forall integer s; 0 <= s < count ==>
        \at(t->layer->output_weight, Pre)[s] == \at(t->layer->output_weight[s], Pre); */
}

void direction_image(derivative *t, int threads) {
  const int tokens = t->e->n;
  //@ ghost int outputs = t->layer->out_dim;
  load_output(t);
  //@ ghost Loaded:;
  //@ assert sides: t->e->n == tokens && t->layer->out_dim == outputs && image_size(t) == row(tokens, outputs);
  /*@ loop invariant range: 0 <= parallel_index <= tokens;
      loop invariant lives: same_lives{Pre, Here};
      loop invariant kept: image_kept{Loaded, Here}(t);
      loop invariant readable: image_readable(t);
      loop invariant apart: image_apart(t);
      loop invariant done: \forall integer i; 0 <= i < parallel_index ==> token_weighted{Loaded, Here}(t, i);
      loop assigns parallel_index, t->image[0 .. image_size(t) - 1], mpfr_lives;
      loop variant tokens - parallel_index; */
  PARALLEL_FOR(tokens, threads, output_token, t);
  /*@ assert loaded: \forall rvec w; is_output_weight{Pre}(t, w) ==>
        is_vec{Loaded}(\at(t->output, Loaded), w, 0, output_size{Loaded}(t)); */
  /*@ assert stored: \forall integer i; 0 <= i < tokens ==> token_weighted{Loaded, Here}(t, i) ==>
        token_output{Pre, Here}(t, i); */
}
