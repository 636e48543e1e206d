#include "certify/enclosure/layer_enclosure_rows.h"

#include "base/parallel.h"
#include "certify/enclosure/layer_enclosure_token.h"

#ifdef __FRAMAC__
#include "interval/interval_kept_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#include "matrix/row_block_lemmas.acsl"
#endif

/* Scores, softmax and output of token `index` of all tokens of all heads. */
/*@ requires valid: \valid_read(e) && enclosure_sides(e) && enclosure_writable(e);
    requires index: 0 <= index < all_tokens(e);
    terminates \true;
    assigns e->p[0 .. rows_size(e) - 1], e->y[0 .. vectors_size(e) - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures shape: same_shape{Pre, Post}(e);
    ensures arrays: same_arrays{Pre, Post}(e);
    ensures projections: projections_kept{Pre, Post}(e);
    ensures next: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==>
      first_rows_enclose{Pre}(e, q, k, v, index) ==>
      projections_in(e, q, k, v) && first_rows_enclose(e, q, k, v, index + 1);
    ensures writable: enclosure_writable(e); */
static void enclose_row(const layer_enclosure *e, int index) {
  const int h = index / e->n, i = index % e->n;
  //@ assert division: h * e->n + i == index && 0 <= i < e->n && 0 <= h;
  //@ assert index: token_index(e, h, i) == index;
  //@ assert head: h < e->heads;
  /*@ assert unique: \forall integer g, j; 0 <= j < e->n ==> 0 <= g ==> row(g, e->n) + j == index ==>
        g == h && j == i; */
  //@ assert below: \forall integer t; 0 <= t < index ==> 0 <= row(t, e->n) && row(t, e->n) + e->n <= row(index, e->n);
  /*@ assert vectors_below: \forall integer t; 0 <= t < index ==>
        0 <= row(t, e->head_dim) && row(t, e->head_dim) + e->head_dim <= row(index, e->head_dim); */
  layer_enclosure_token(e, h, i);
  //@ assert tokens: e->n == \at(e->n, Pre) && e->head_dim == \at(e->head_dim, Pre);
  //@ assert sizes: vectors_size(e) == vectors_size{Pre}(e) && rows_size(e) == rows_size{Pre}(e);
  //@ assert live_q: live_vec(e->q, vectors_size(e));
  //@ assert live_k: live_vec(e->k, vectors_size(e));
  //@ assert live_v: live_vec(e->v, vectors_size(e));
  //@ assert live_y: live_vec(e->y, vectors_size(e));
  //@ assert live_p: live_vec(e->p, rows_size(e));
  //@ assert given: \forall rvec q, k, v; projections_in{Pre}(e, q, k, v) ==> projections_in(e, q, k, v);
  //@ assert earlier_weights: kept{Pre, Here}(e->p, 0, row(index, e->n));
  //@ assert earlier_means: kept{Pre, Here}(e->y, 0, row(index, e->head_dim));
  /*@ assert weights_kept: \forall integer t, rvec w, integer m; 0 <= t < index ==> m <= e->n ==>
        in_vec{Pre}(e->p + row(t, e->n), w, 0, m) ==> in_vec(e->p + row(t, e->n), w, 0, m); */
  /*@ assert means_kept: \forall integer t, rvec w; 0 <= t < index ==>
        in_vec{Pre}(e->y + row(t, e->head_dim), w, 0, e->head_dim) ==>
        in_vec(e->y + row(t, e->head_dim), w, 0, e->head_dim); */
  /*@ assert at_least_zero: \forall integer g, j; 0 <= g ==> 0 <= j ==> 0 <= row(g, e->n) + j; */
  /*@ assert attended: \forall integer j; 0 <= j < e->n ==> attended_keys(e->mask, j, e->n) <= e->n; */
  /*@ assert others: \forall rvec q, k, v, integer g, j; 0 <= g < e->heads ==> 0 <= j < e->n ==>
        token_index(e, g, j) < index ==> row_encloses{Pre}(e, q, k, v, g, j) ==> row_encloses(e, q, k, v, g, j); */
}

PARALLEL_TASK(enclose_row)

void layer_enclosure_rows(layer_enclosure *e, int threads) {
  //@ assert tokens: row(e->heads, e->n) == e->heads * e->n;
  //@ assert bound: 0 <= e->heads * e->n <= DIM_MAX * DIM_MAX;
  /*@ assert apart_q: \separated(e->q + (0 .. vectors_size(e) - 1), e->p + (0 .. rows_size(e) - 1)) &&
    \separated(e->q + (0 .. vectors_size(e) - 1), e->y + (0 .. vectors_size(e) - 1)); */
  /*@ assert apart_k: \separated(e->k + (0 .. vectors_size(e) - 1), e->p + (0 .. rows_size(e) - 1)) &&
    \separated(e->k + (0 .. vectors_size(e) - 1), e->y + (0 .. vectors_size(e) - 1)); */
  /*@ assert apart_v: \separated(e->v + (0 .. vectors_size(e) - 1), e->p + (0 .. rows_size(e) - 1)) &&
    \separated(e->v + (0 .. vectors_size(e) - 1), e->y + (0 .. vectors_size(e) - 1)); */
  const int tokens = e->heads * e->n;
  /*@ loop invariant range: 0 <= parallel_index <= tokens;
      loop invariant lives: same_lives{Pre, Here};
      loop invariant shape: same_shape{Pre, Here}(e);
      loop invariant arrays: same_arrays{Pre, Here}(e);
      loop invariant writable: enclosure_writable(e);
      loop invariant projections: projections_kept{Pre, Here}(e);
      loop invariant encloses: rows_enclose{Pre, Here}(e, parallel_index);
      loop assigns parallel_index, e->p[0 .. rows_size{Pre}(e) - 1], e->y[0 .. vectors_size{Pre}(e) - 1], mpfr_lives;
      loop variant tokens - parallel_index; */
  PARALLEL_FOR(tokens, threads, enclose_row, e);
  //@ assert inside: \forall integer h, i; 0 <= h < e->heads ==> 0 <= i < e->n ==> token_index(e, h, i) < tokens;
  /*@ assert others: \forall mpfr_srcptr x; \separated(x, \at(e->p, Pre) + (0 .. rows_size{Pre}(e) - 1)) ==>
        \separated(x, \at(e->y, Pre) + (0 .. vectors_size{Pre}(e) - 1)) ==> unchanged{Pre, Here}(x); */
  //@ assert low_q: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->q + t)->lo[0]);
  //@ assert high_q: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->q + t)->hi[0]);
  //@ assert low_k: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->k + t)->lo[0]);
  //@ assert high_k: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->k + t)->hi[0]);
  //@ assert low_v: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->v + t)->lo[0]);
  //@ assert high_v: \forall integer t; 0 <= t < vectors_size{Pre}(e) ==> unchanged{Pre, Here}(&(e->v + t)->hi[0]);
  //@ assert sizes: vectors_size(e) == vectors_size{Pre}(e);
  /*@ assert given_q: \forall rvec q; in_vec(e->q, q, 0, vectors_size(e)) ==>
        in_vec{Pre}(e->q, q, 0, vectors_size(e)); */
  /*@ assert given_k: \forall rvec k; in_vec(e->k, k, 0, vectors_size(e)) ==>
        in_vec{Pre}(e->k, k, 0, vectors_size(e)); */
  /*@ assert given_v: \forall rvec v; in_vec(e->v, v, 0, vectors_size(e)) ==>
        in_vec{Pre}(e->v, v, 0, vectors_size(e)); */
  //@ assert given: \forall rvec q, k, v; projections_in(e, q, k, v) ==> projections_in{Pre}(e, q, k, v);
}
