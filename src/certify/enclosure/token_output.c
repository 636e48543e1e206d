#include "certify/enclosure/token_output.h"

#include "certify/enclosure/block_offset.h"

#ifdef __FRAMAC__
#include "direction/dot_factors_lemmas.acsl"
#include "direction/matrix_product_lemmas.acsl"
#include "interval/interval_kept_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#endif

/* out := W a, W of `rows` rows of n points; a is token i of a matrix. */
/*@ requires sides: side(rows) && side(n) && 0 <= i;
    requires valid: \valid(out + (0 .. rows - 1)) && \valid_read(a + (0 .. n - 1)) &&
      \valid_read(weight + (0 .. row(rows, n) - 1)) && \valid(ws);
    requires live: live_vec(out, rows) && live_vec(a, n) && live_points(weight, row(rows, n)) && live_scratch(ws);
    requires points: points(weight, row(rows, n));
    requires apart: \base_addr(out) != \base_addr(a) && \base_addr(out) != \base_addr(weight) &&
      \base_addr(out) != \base_addr(ws) && \base_addr(ws) != \base_addr(a) && \base_addr(ws) != \base_addr(weight);
    terminates \true;
    assigns out[0 .. rows - 1], *ws;
    ensures product: product_contained{Pre, Post}(out, a, weight, rows, n, i, rows); */
static void output_product(interval *out, const interval *a, const point *weight, int rows, int n, interval_scratch *ws)
/*@ ghost (int i) */ {
  /*@ loop invariant range: 0 <= o <= rows;
      loop invariant product: product_contained{Pre, Here}(out, a, weight, rows, n, i, o);
      loop assigns o, out[0 .. rows - 1], *ws;
      loop variant rows - o; */
  for (int o = 0; o < rows; o++) {
    const size_t start = block_offset((size_t)o, (size_t)n);
    //@ ghost Before:;
    //@ assert place: start == row(o, n);
    //@ assert inside: 0 <= start && start + n <= row(rows, n);
    //@ assert row_points: points{Pre}(weight + start, n);
    //@ assert row_live: live_points(weight + start, n);
    //@ assert same_row: same_points{Pre, Here}(weight + start, n);
    //@ assert points_here: points(weight + start, n);
    //@ assert same: \forall integer s; 0 <= s < n ==> same_ends{Pre, Here}(a + s);
    //@ assert vector: \forall rvec y; in_vec{Pre}(a, y, row(i, n), n) ==> in_vec(a, y, row(i, n), n);
    /*@ assert row: \forall rvec w; is_vec{Pre}(weight, w, 0, row(rows, n)) ==>
          is_vec{Pre}(weight + start, matrix_row(w, n, o), 0, n); */
    //@ assert row_here: \forall rvec x; is_vec{Pre}(weight + start, x, 0, n) ==> is_vec(weight + start, x, 0, n);
    //@ assert earlier: \forall integer q; 0 <= q < o ==> \separated(out + q, out + o);
    interval_dot_mixed(&out[o], a, weight + start, (size_t)n, ws);
    /*@ assert product: \forall rvec y, w; in_vec{Pre}(a, y, row(i, n), n) ==>
          is_vec{Pre}(weight, w, 0, row(rows, n)) ==>
          in(out + o, real_dot(y, matrix_row(w, n, o), row(i, n), n)); */
    /*@ assert elsewhere: \forall interval *x; \separated(x, out + o) ==> \base_addr(x) != \base_addr(ws) ==>
          same_ends{Before, Here}(x); */
    //@ assert block: \forall integer q; 0 <= q < o ==> \base_addr(out + q) != \base_addr(ws);
    //@ assert others: \forall integer q; 0 <= q < o ==> same_ends{Before, Here}(out + q);
    //@ assert next: product_contained{Pre, Here}(out, a, weight, rows, n, i, o + 1);
  }
}

void token_output_enclosure(interval *out, const interval *a, const point *weight, int rows, int n,
                            mpfr_prec_t precision) /*@ ghost (int i) */ {
  interval_scratch ws;
  /*@ assert local: \base_addr(out) != \base_addr(&ws) && \base_addr(a) != \base_addr(&ws) &&
        \base_addr(weight) != \base_addr(&ws); */
  interval_scratch_init(&ws, precision);
  //@ assert others: \forall interval *x; \base_addr(x) != \base_addr(&ws) ==> same_ends{Pre, Here}(x);
  //@ assert others_points: \forall point *x; \base_addr(x) != \base_addr(&ws) ==> unchanged{Pre, Here}(&x->v[0]);
  //@ assert lives: same_lives{Pre, Here};
  //@ assert live: live_vec(out, rows) && live_vec(a, n) && live_scratch(&ws);
  //@ assert live_weights: live_points(weight, row(rows, n));
  //@ assert same_a: \forall integer s; 0 <= s < n ==> same_ends{Pre, Here}(a + s);
  //@ assert vector: \forall rvec y; in_vec{Pre}(a, y, row(i, n), n) ==> in_vec(a, y, row(i, n), n);
  //@ assert same_weights: same_points{Pre, Here}(weight, row(rows, n));
  //@ assert points: points(weight, row(rows, n));
  /*@ assert weights: \forall rvec w; is_vec{Pre}(weight, w, 0, row(rows, n)) ==>
        is_vec(weight, w, 0, row(rows, n)); */
  output_product(out, a, weight, rows, n, &ws) /*@ ghost (i) */;
  //@ ghost Multiplied:;
  //@ assert product: product_contained{Pre, Here}(out, a, weight, rows, n, i, rows);
  interval_scratch_clear(&ws);
  //@ assert others_end: \forall interval *x; \base_addr(x) != \base_addr(&ws) ==> same_ends{Multiplied, Here}(x);
  //@ assert same: \forall integer o; 0 <= o < rows ==> same_ends{Multiplied, Here}(out + o);
}
