#include "certify/enclosure/direction_image.h"

#include "base/parallel.h"
#include "certify/enclosure/block_offset.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/points.acsl"
#include "interval/interval_kept_lemmas.acsl"
#include "interval/interval_layer_kept.acsl"
#include "interval/interval_life_lemmas.acsl"
#endif

/*@ // What the image is made from.
    predicate image_readable{L}(derivative *t) =
      \valid_read(t) && \valid_read(t->e) && \valid_read(t->layer) && derivative_sides(t) &&
      room_for(t->image, image_size(t)) && readable_vec(t->dy, joined_size(t->e)) &&
      \valid_read(t->output + (0 .. output_size(t) - 1)) && live_points(t->output, output_size(t)) &&
      points(t->output, output_size(t));
    predicate image_apart{L}(derivative *t) =
      \base_addr(t->image) != \base_addr(t->dy) && \base_addr(t->image) != \base_addr(t->output) &&
      \base_addr(t->image) != \base_addr(t->e) && \base_addr(t->image) != \base_addr(t->layer) &&
      \base_addr(t->image) != \base_addr(t);
    predicate image_sides_kept{L1, L2}(derivative *t) =
      \at(t->e, L1) == \at(t->e, L2) && \at(t->layer, L1) == \at(t->layer, L2) &&
      \at(t->image, L1) == \at(t->image, L2) && \at(t->dy, L1) == \at(t->dy, L2) &&
      \at(t->output, L1) == \at(t->output, L2) && \at(t->layer->out_dim, L1) == \at(t->layer->out_dim, L2) &&
      \at(t->layer->output_weight, L1) == \at(t->layer->output_weight, L2) && same_shape{L1, L2}(\at(t->e, L1));
    predicate image_kept{L1, L2}(derivative *t) =
      image_sides_kept{L1, L2}(t) && ends_kept{L1, L2}(\at(t->dy, L1), joined_size{L1}(\at(t->e, L1))) &&
      same_points{L1, L2}(\at(t->output, L1), output_size{L1}(t));
    // Token i of the image contains W_O dy_i.
    predicate token_weighted{L1, L2}(derivative *t, integer i) =
      \forall rvec dy, w; in_vec{L1}(\at(t->dy, L1), dy, 0, joined_size{L1}(\at(t->e, L1))) ==>
      is_vec{L1}(\at(t->output, L1), w, 0, output_size{L1}(t)) ==>
      \forall integer o; 0 <= o < \at(t->layer->out_dim, L1) ==>
      in{L2}(\at(t->image, L1) + (row(i, \at(t->layer->out_dim, L1)) + o),
             real_dot(dy, matrix_row(w, channels{L1}(\at(t->e, L1)), o), row(i, channels{L1}(\at(t->e, L1))),
                      channels{L1}(\at(t->e, L1)))); */

/* out := W a, W of `rows` rows of n points; a is token i of a matrix. */
/*@ requires sides: side(rows) && side(n) && 0 <= i;
    requires valid: \valid(out + (0 .. rows - 1)) && \valid_read(a + (0 .. n - 1)) &&
      \valid_read(weight + (0 .. row(rows, n) - 1)) && \valid(ws);
    requires live: live_vec(out, rows) && live_vec(a, n) && live_points(weight, row(rows, n)) && live_scratch(ws);
    requires points: points(weight, row(rows, n));
    requires separated: \separated(out + (0 .. rows - 1), ws, a + (0 .. n - 1)) &&
      \separated(out + (0 .. rows - 1), ws, weight + (0 .. row(rows, n) - 1));
    terminates \true;
    assigns out[0 .. rows - 1], *ws;
    ensures product: \forall rvec y, w; in_vec{Pre}(a, y, row(i, n), n) ==> is_vec{Pre}(weight, w, 0, row(rows, n)) ==>
      \forall integer o; 0 <= o < rows ==> in(out + o, real_dot(y, matrix_row(w, n, o), row(i, n), n)); */
static void output_product(interval *out, const interval *a, const point *weight, int rows, int n, interval_scratch *ws)
/*@ ghost (int i) */ {
  /*@ loop invariant range: 0 <= o <= rows;
      loop invariant product: \forall rvec y, w; in_vec{Pre}(a, y, row(i, n), n) ==>
        is_vec{Pre}(weight, w, 0, row(rows, n)) ==>
        \forall integer q; 0 <= q < o ==> in(out + q, real_dot(y, matrix_row(w, n, q), row(i, n), n));
      loop assigns o, out[0 .. rows - 1], *ws;
      loop variant rows - o; */
  for (int o = 0; o < rows; o++) {
    const size_t start = block_offset((size_t)o, (size_t)n);
    //@ ghost Before:;
    //@ assert inside: 0 <= start && start + n <= row(rows, n);
    //@ assert row_apart: \separated(out + (0 .. rows - 1), ws, weight + (start .. start + n - 1));
    //@ assert row_points: points(weight + start, n) && live_points(weight + start, n);
    //@ assert vector: \forall rvec y; in_vec{Pre}(a, y, row(i, n), n) ==> in_vec(a, y, row(i, n), n);
    /*@ assert row: \forall rvec w; is_vec{Pre}(weight, w, 0, row(rows, n)) ==>
          is_vec(weight + start, matrix_row(w, n, o), 0, n); */
    interval_dot_mixed(&out[o], a, weight + start, (size_t)n, ws);
    //@ assert others: kept{Before, Here}(out, 0, o);
  }
}

/* (J u)_i = W_O dy_i, one token. */
/*@ requires readable: image_readable(t);
    requires apart: image_apart(t);
    requires token: 0 <= i < t->e->n;
    terminates \true;
    assigns t->image[row(i, t->layer->out_dim) .. row(i, t->layer->out_dim) + t->layer->out_dim - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures weighted: token_weighted{Pre, Post}(t, i); */
static void weight_token(const derivative *t, int i) {
  const size_t width = block_offset((size_t)t->e->heads, (size_t)t->e->head_dim);
  const size_t first = block_offset((size_t)i, (size_t)t->layer->out_dim), from = block_offset((size_t)i, width);
  interval_scratch ws;
  //@ assert inside: 0 <= first && first + t->layer->out_dim <= image_size(t);
  //@ assert inside_dy: 0 <= from && from + width <= joined_size(t->e);
  //@ assert valid: \valid(t->image + first + (0 .. t->layer->out_dim - 1));
  //@ assert valid_dy: \valid_read(t->dy + from + (0 .. width - 1));
  interval_scratch_init(&ws, t->e->precision);
  //@ assert live: live_vec(t->image + first, t->layer->out_dim) && live_vec(t->dy + from, width);
  //@ assert live_weights: live_points(t->output, output_size(t)) && live_scratch(&ws);
  //@ assert same_dy: \forall integer s; 0 <= s < width ==> same_ends{Pre, Here}(t->dy + (from + s));
  //@ assert same_output: same_points{Pre, Here}(t->output, output_size(t));
  //@ assert points: points(t->output, output_size(t));
  /*@ assert vector: \forall rvec y; in_vec{Pre}(t->dy, y, 0, joined_size{Pre}(t->e)) ==>
        in_vec(t->dy + from, y, row(i, width), width); */
  /*@ assert weights: \forall rvec w; is_vec{Pre}(t->output, w, 0, output_size{Pre}(t)) ==>
        is_vec(t->output, w, 0, output_size(t)); */
  output_product(t->image + first, t->dy + from, t->output, t->layer->out_dim, (int)width, &ws) /*@ ghost (i) */;
  //@ ghost Multiplied:;
  //@ assert weighted: token_weighted{Pre, Here}(t, i);
  interval_scratch_clear(&ws);
  /*@ assert same: \forall integer o; 0 <= o < \at(t->layer->out_dim, Pre) ==>
        same_ends{Multiplied, Here}(\at(t->image, Pre) + (first + o)); */
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
  weight_token(t, i);
  //@ assert e: t->e == \at(t->e, Pre) && t->e->n == \at(t->e->n, Pre) && t->e->dim == \at(t->e->dim, Pre);
  //@ assert heads: t->e->heads == \at(t->e->heads, Pre) && t->e->head_dim == \at(t->e->head_dim, Pre);
  //@ assert mask: t->e->mask == \at(t->e->mask, Pre);
  //@ assert precision: t->e->precision == \at(t->e->precision, Pre);
  //@ assert layer: t->layer == \at(t->layer, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert dy: ends_kept{Pre, Here}(\at(t->dy, Pre), joined_size{Pre}(t->e));
  //@ assert weights: same_points{Pre, Here}(\at(t->output, Pre), output_size{Pre}(t));
  //@ assert kept: image_kept{Pre, Here}(t);
  //@ assert live: live_vec(t->image, image_size(t)) && live_vec(t->dy, joined_size(t->e));
  //@ assert live_weights: live_points(t->output, output_size(t)) && points(t->output, output_size(t));
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
    ensures weights: \forall rvec w; (\forall integer s; 0 <= s < output_size{Pre}(t) ==>
      entry(w, s) == \old(t->layer->output_weight)[s]) ==> is_vec(t->output, w, 0, output_size{Pre}(t)); */
static void load_output(const derivative *t) {
  const size_t width = block_offset((size_t)t->e->heads, (size_t)t->e->head_dim);
  const size_t count = block_offset((size_t)t->layer->out_dim, width);
  //@ assert count: count == output_size(t);
  /*@ assert doubles_apart: \forall double *x; \base_addr(x) == \base_addr(t->dy) ||
        \base_addr(x) == \base_addr(t->layer->output_weight) ==> \separated(x, t->output + (0 .. count - 1)); */
  /*@ assert ints_apart: \forall int *x; \base_addr(x) == \base_addr(t->e) || \base_addr(x) == \base_addr(t->layer) ||
        \base_addr(x) == \base_addr(t->dy) ==> \separated(x, t->output + (0 .. count - 1)); */
  /*@ assert longs_apart: \forall long *x; \base_addr(x) == \base_addr(t->e) ==>
        \separated(x, t->output + (0 .. count - 1)); */
  point_vec_set_d(t->output, t->layer->output_weight, count);
  //@ assert e: t->e == \at(t->e, Pre) && t->e->n == \at(t->e->n, Pre) && t->e->dim == \at(t->e->dim, Pre);
  //@ assert heads: t->e->heads == \at(t->e->heads, Pre) && t->e->head_dim == \at(t->e->head_dim, Pre);
  //@ assert mask: t->e->mask == \at(t->e->mask, Pre);
  //@ assert precision: t->e->precision == \at(t->e->precision, Pre);
  //@ assert layer: t->layer == \at(t->layer, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert dy: ends_kept{Pre, Here}(\at(t->dy, Pre), joined_size{Pre}(t->e));
  /*@ assert doubles: \forall integer s; 0 <= s < count ==>
        \at(t->layer->output_weight, Pre)[s] == \at(t->layer->output_weight[s], Pre); */
}

void direction_image(derivative *t, int threads) {
  if (t->output == NULL) return;
  load_output(t);
  //@ ghost Loaded:;
  const int tokens = t->e->n;
  /*@ loop invariant range: 0 <= parallel_index <= tokens;
      loop invariant lives: same_lives{Pre, Here};
      loop invariant kept: image_kept{Loaded, Here}(t);
      loop invariant readable: image_readable(t);
      loop invariant done: \forall integer i; 0 <= i < parallel_index ==> token_weighted{Loaded, Here}(t, i);
      loop assigns parallel_index, t->image[0 .. image_size(t) - 1], mpfr_lives;
      loop variant tokens - parallel_index; */
  PARALLEL_FOR(tokens, threads, output_token, t);
}
