/* The cotangents dq, dk, dv of spec/head/head_vjp.acsl, row by row of attention, then dx_l += Q^T dq_l + K^T dk_l + V^T
 * dv_l. */
#include "kernel/head/attention_head_row.h"
#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"
#include "kernel/linear/vector.h"
#include "kernel/row/attention_vjp_row.h"

#ifdef __FRAMAC__
#include "head_framing/head_vjp_frame_lemmas.acsl"
#endif

/* The blocks dq, dk, dv and t, which is scratch for the cotangents of one row of scores, lie apart from one another,
 * from the head and from c. */
/*@ predicate cotangents_writable{L}(double *dq, double *dk, double *dv, double *t, attention_head *head) =
      \valid(dq + (0 .. row(head->n, head->head_dim) - 1)) && \valid(dk + (0 .. row(head->n, head->head_dim) - 1)) &&
      \valid(dv + (0 .. row(head->n, head->head_dim) - 1)) && \valid(t + (0 .. head->n - 1));

    predicate outside_head{L}(double *block, integer size, attention_head *head, double *c) =
      head_outside(head, block, size) &&
      \separated(block + (0 .. size - 1), c + (0 .. row(head->n, head->head_dim) - 1));

    predicate cotangents_outside{L}(double *dq, double *dk, double *dv, double *t, attention_head *head, double *c) =
      outside_head(dq, row(head->n, head->head_dim), head, c) &&
        outside_head(dk, row(head->n, head->head_dim), head, c) &&
      outside_head(dv, row(head->n, head->head_dim), head, c) && outside_head(t, head->n, head, c);

    predicate cotangents_apart(double *dq, double *dk, double *dv, double *t, integer size, integer n) =
      \separated(dq + (0 .. size - 1), dk + (0 .. size - 1)) &&
        \separated(dq + (0 .. size - 1), dv + (0 .. size - 1)) &&
      \separated(dk + (0 .. size - 1), dv + (0 .. size - 1)) && \separated(t + (0 .. n - 1), dq + (0 .. size - 1)) &&
      \separated(t + (0 .. n - 1), dk + (0 .. size - 1)) && \separated(t + (0 .. n - 1), dv + (0 .. size - 1)); */

/* Row i of dq; what row i of attention adds to dk and dv. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_state_readable(head) && 0 <= i < head->n;
    requires input: \valid_read(c + (0 .. row(head->n, head->head_dim) - 1));
    requires out: cotangents_writable(dq, dk, dv, t, head);
    requires outside: cotangents_outside(dq, dk, dv, t, head, c);
    requires apart: cotangents_apart(dq, dk, dv, t, row(head->n, head->head_dim), head->n);
    terminates \true;
    assigns dq[row(i, head->head_dim) .. row(i, head->head_dim) + head->head_dim - 1],
            dk[0 .. row(head->n, head->head_dim) - 1], dv[0 .. row(head->n, head->head_dim) - 1], t[0 .. head->n - 1];
    ensures dq: \forall integer r; 0 <= r < head->head_dim ==>
      dq[row(i, head->head_dim) + r] == head_query_cotangent{Pre}(head, c, i, r);
    ensures dk: \forall integer l, r; 0 <= l < head->n ==> 0 <= r < head->head_dim ==>
      dk[row(l, head->head_dim) + r] ==
      \at(dk[row(l, head->head_dim) + r], Pre) + head_key_addend{Pre}(head, c, l, r, i);
    ensures dv: \forall integer l, r; 0 <= l < head->n ==> 0 <= r < head->head_dim ==>
      dv[row(l, head->head_dim) + r] ==
      \at(dv[row(l, head->head_dim) + r], Pre) + head_value_addend{Pre}(head, c, l, r, i);
    ensures same: head_same{Pre, Post}(head, c); */
static void cotangent_row(double *dq, double *dk, double *dv, double *t, const attention_head *head, const double *c,
                          int i) {
  const int n = head->n, k = head->head_dim, start = row_offset(i, k, n);
  const attention_row_view a = attention_head_row(head, i);
  //@ assert attended: 0 <= row(a.n, k) <= row(n, k);
  //@ assert below: \forall integer l; a.n <= l < n ==> row(a.n, k) <= row(l, k);
  //@ assert weights: \forall integer j; a.weights[j] == head->weights[row(i, n) + j];
  //@ assert query: \forall integer r; a.query[r] == head->query[row(i, k) + r];
  /*@ assert key_addend: \forall integer l, r; 0 <= l < a.n ==>
        prod(score_cotangent(a.weights, a.values, a.output, c + start, a.root, a.k, l), a.query[r]) ==
        head_key_addend(head, c, l, r, i); */
  /*@ assert value_addend: \forall integer l, r; 0 <= l < a.n ==>
        prod(a.weights[l], (c + start)[r]) == head_value_addend(head, c, l, r, i); */
  /*@ assert query_cotangents: \forall integer r;
        query_cotangent(a.weights, a.values, a.output, c + start, a.root, a.keys, a.k, r, a.n) ==
        head_query_cotangent(head, c, i, r); */
  /*@ assert masked: \forall integer l, r; a.n <= l < n ==>
        head_key_addend(head, c, l, r, i) == 0.0 && head_value_addend(head, c, l, r, i) == 0.0; */
  //@ ghost Row:;
  attention_vjp_row(dq + start, dk, dv, t, a, c + start);
  /*@ assert dk_added: \forall integer l, r; 0 <= l < a.n ==> 0 <= r < k ==>
        dk[row(l, k) + r] == \at(dk[row(l, k) + r], Row) + head_key_addend{Pre}(head, c, l, r, i); */
  /*@ assert dk_kept: \forall integer l, r; a.n <= l < n ==> 0 <= r < k ==>
        dk[row(l, k) + r] == \at(dk[row(l, k) + r], Row); */
  /*@ assert dv_entries: \forall integer l, r; 0 <= l < a.n ==> 0 <= r < a.k ==> dv[row(l, a.k) + r] ==
        \at(dv[row(l, a.k) + r], Row) + prod(\at(a.weights[l], Row), \at((c + start)[r], Row)); */
  //@ assert columns: a.k == k;
  /*@ assert dv_addends: \forall integer l, r; 0 <= l < a.n ==> 0 <= r < a.k ==> dv[row(l, a.k) + r] ==
        \at(dv[row(l, a.k) + r], Row) + head_value_addend{Pre}(head, c, l, r, i); */
  /*@ assert dv_added: \forall integer l, r; 0 <= l < a.n ==> 0 <= r < k ==>
        dv[row(l, k) + r] == \at(dv[row(l, k) + r], Row) + head_value_addend{Pre}(head, c, l, r, i); */
  /*@ assert dv_kept: \forall integer l, r; a.n <= l < n ==> 0 <= r < k ==>
        dv[row(l, k) + r] == \at(dv[row(l, k) + r], Row); */
  /*@ assert dq_row: \forall integer r; 0 <= r < k ==>
        dq[row(i, k) + r] == head_query_cotangent{Pre}(head, c, i, r); */
  /*@ assert dk_rows: \forall integer l, r; 0 <= l < n ==> 0 <= r < k ==>
        dk[row(l, k) + r] == \at(dk[row(l, k) + r], Row) + head_key_addend{Pre}(head, c, l, r, i); */
  /*@ assert dv_rows: \forall integer l, r; 0 <= l < n ==> 0 <= r < k ==>
        dv[row(l, k) + r] == \at(dv[row(l, k) + r], Row) + head_value_addend{Pre}(head, c, l, r, i); */
  //@ assert sizes: head->n == n && head->head_dim == k;
  //@ assert query: vector_same{Pre, Here}(head->query, row(n, k));
  //@ assert key: vector_same{Pre, Here}(head->key, row(n, k));
  //@ assert value: vector_same{Pre, Here}(head->value, row(n, k));
  //@ assert output: vector_same{Pre, Here}(head->output, row(n, k));
  //@ assert weights: vector_same{Pre, Here}(head->weights, row(n, n));
  //@ assert cotangent: vector_same{Pre, Here}(c, row(n, k));
}

/* All rows of dq, dk, dv. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_state_readable(head);
    requires input: \valid_read(c + (0 .. row(head->n, head->head_dim) - 1));
    requires out: cotangents_writable(dq, dk, dv, t, head);
    requires outside: cotangents_outside(dq, dk, dv, t, head, c);
    requires apart: cotangents_apart(dq, dk, dv, t, row(head->n, head->head_dim), head->n);
    terminates \true;
    assigns dq[0 .. row(head->n, head->head_dim) - 1], dk[0 .. row(head->n, head->head_dim) - 1],
            dv[0 .. row(head->n, head->head_dim) - 1], t[0 .. head->n - 1];
    ensures dq: holds_dq{Pre, Post}(dq, head, c, head->n);
    ensures dk: holds_dk{Pre, Post}(dk, head, c, head->n);
    ensures dv: holds_dv{Pre, Post}(dv, head, c, head->n);
    ensures same: head_same{Pre, Post}(head, c); */
static void cotangent_rows(double *dq, double *dk, double *dv, double *t, const attention_head *head, const double *c) {
  const int n = head->n, k = head->head_dim, vectors = row_offset(n, k, n);
  vector_zero(dk, vectors);
  vector_zero(dv, vectors);
  //@ assert query: vector_same{Pre, Here}(head->query, row(n, k));
  //@ assert key: vector_same{Pre, Here}(head->key, row(n, k));
  //@ assert value: vector_same{Pre, Here}(head->value, row(n, k));
  //@ assert output: vector_same{Pre, Here}(head->output, row(n, k));
  //@ assert weights: vector_same{Pre, Here}(head->weights, row(n, n));
  //@ assert cotangent: vector_same{Pre, Here}(c, row(n, k));
  //@ assert entries: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==> 0 <= row(j, k) + r < row(n, k);
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant same: head_same{Pre, Here}(head, c);
      loop invariant dq: holds_dq{Pre, Here}(dq, head, c, i);
      loop invariant dk: holds_dk{Pre, Here}(dk, head, c, i);
      loop invariant dv: holds_dv{Pre, Here}(dv, head, c, i);
      loop assigns i, dq[0 .. row(n, k) - 1], dk[0 .. row(n, k) - 1], dv[0 .. row(n, k) - 1], t[0 .. n - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, k) && row(q, k) + k <= row(i, k);
    //@ ghost Row:;
    cotangent_row(dq, dk, dv, t, head, c, i);
    /*@ assert dq_row: \forall integer r; 0 <= r < k ==>
          dq[row(i, k) + r] == head_query_cotangent{Pre}(head, c, i, r); */
    /*@ assert dq_kept: \forall integer q, r; 0 <= q < i ==> 0 <= r < k ==>
          dq[row(q, k) + r] == \at(dq[row(q, k) + r], Row); */
    /*@ assert dq_earlier: \forall integer q, r; 0 <= q < i ==> 0 <= r < k ==>
          dq[row(q, k) + r] == head_query_cotangent{Pre}(head, c, q, r); */
    /*@ assert dq_next: \forall integer q, r; 0 <= q <= i ==> 0 <= r < k ==>
          dq[row(q, k) + r] == head_query_cotangent{Pre}(head, c, q, r); */
    //@ assert dq_rows: holds_dq{Pre, Here}(dq, head, c, i + 1);
    /*@ assert dk_addend: \forall integer l, r; 0 <= l < n ==> 0 <= r < k ==>
          head_key_addend{Pre}(head, c, l, r, i) == head_key_addend{Row}(head, c, l, r, i); */
    /*@ assert dv_addend: \forall integer l, r; 0 <= l < n ==> 0 <= r < k ==>
          head_value_addend{Pre}(head, c, l, r, i) == head_value_addend{Row}(head, c, l, r, i); */
  }
}

/* dx_l += Q^T dq_l + K^T dk_l + V^T dv_l with the weights Q, K, V of the head-> */
/*@ requires sides: \valid_read(head) && side(head->head_dim) && side(head->dim);
    requires valid: \valid(dx_l + (0 .. head->dim - 1));
    requires valid_vectors: \valid_read(dq_l + (0 .. head->head_dim - 1)) &&
                            \valid_read(dk_l + (0 .. head->head_dim - 1)) &&
                            \valid_read(dv_l + (0 .. head->head_dim - 1));
    requires valid_weights: \valid_read(head->query_weight + (0 .. row(head->head_dim, head->dim) - 1)) &&
                            \valid_read(head->key_weight + (0 .. row(head->head_dim, head->dim) - 1)) &&
                            \valid_read(head->value_weight + (0 .. row(head->head_dim, head->dim) - 1));
    requires separated: \separated(dx_l + (0 .. head->dim - 1), dq_l + (0 .. head->head_dim - 1)) &&
                        \separated(dx_l + (0 .. head->dim - 1), dk_l + (0 .. head->head_dim - 1)) &&
                        \separated(dx_l + (0 .. head->dim - 1), dv_l + (0 .. head->head_dim - 1));
    requires separated_weights:
      \separated(dx_l + (0 .. head->dim - 1), head->query_weight + (0 .. row(head->head_dim, head->dim) - 1)) &&
      \separated(dx_l + (0 .. head->dim - 1), head->key_weight + (0 .. row(head->head_dim, head->dim) - 1)) &&
      \separated(dx_l + (0 .. head->dim - 1), head->value_weight + (0 .. row(head->head_dim, head->dim) - 1));
    terminates \true;
    assigns dx_l[0 .. head->dim - 1];
    ensures result: \forall integer j; 0 <= j < head->dim ==> dx_l[j] == \at(dx_l[j], Pre)
                    + vec_mat{Pre}(dq_l, head->query_weight, head->dim, j, head->head_dim)
                    + vec_mat{Pre}(dk_l, head->key_weight, head->dim, j, head->head_dim)
                    + vec_mat{Pre}(dv_l, head->value_weight, head->dim, j, head->head_dim); */
static void pull_back(double *dx_l, const double *dq_l, const double *dk_l, const double *dv_l,
                      const attention_head *head) {
  const int k = head->head_dim, d = head->dim;
  //@ assert inside: \forall integer r, j; 0 <= r < k ==> 0 <= j < d ==> 0 <= row(r, d) + j < row(k, d);
  vector_matrix_add(dx_l, dq_l, head->query_weight, k, d);
  /*@ assert same_keys: \forall integer j; 0 <= j < d ==>
                        vec_mat(dk_l, head->key_weight, d, j, k) == vec_mat{Pre}(dk_l, head->key_weight, d, j, k); */
  vector_matrix_add(dx_l, dk_l, head->key_weight, k, d);
  /*@ assert same_values: \forall integer j; 0 <= j < d ==>
        vec_mat(dv_l, head->value_weight, d, j, k) == vec_mat{Pre}(dv_l, head->value_weight, d, j, k); */
  vector_matrix_add(dx_l, dv_l, head->value_weight, k, d);
}

/* The same for every l, from the arrays dq, dk, dv. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_weights_readable(head);
    requires input: \valid_read(dq + (0 .. row(head->n, head->head_dim) - 1)) &&
                    \valid_read(dk + (0 .. row(head->n, head->head_dim) - 1)) &&
                    \valid_read(dv + (0 .. row(head->n, head->head_dim) - 1));
    requires out: \valid(dx + (0 .. row(head->n, head->dim) - 1));
    requires outside: head_outside(head, dx, row(head->n, head->dim));
    requires separated:
      \separated(dx + (0 .. row(head->n, head->dim) - 1), dq + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(dx + (0 .. row(head->n, head->dim) - 1), dk + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(dx + (0 .. row(head->n, head->dim) - 1), dv + (0 .. row(head->n, head->head_dim) - 1));
    terminates \true;
    assigns dx[0 .. row(head->n, head->dim) - 1];
    ensures result: \forall integer l, j; 0 <= l < head->n ==> 0 <= j < head->dim ==>
      dx[row(l, head->dim) + j] == \at(dx[row(l, head->dim) + j], Pre)
        + vec_mat{Pre}(dq + row(l, head->head_dim), head->query_weight, head->dim, j, head->head_dim)
        + vec_mat{Pre}(dk + row(l, head->head_dim), head->key_weight, head->dim, j, head->head_dim)
        + vec_mat{Pre}(dv + row(l, head->head_dim), head->value_weight, head->dim, j, head->head_dim); */
static void pull_back_rows(double *dx, const double *dq, const double *dk, const double *dv,
                           const attention_head *head) {
  const int n = head->n, d = head->dim, k = head->head_dim;
  //@ ghost const double *query_weight = head->query_weight, *key_weight = head->key_weight;
  //@ ghost const double *value_weight = head->value_weight;
  //@ ghost Start:;
  /*@ loop invariant range: 0 <= l <= n;
      loop invariant done: \forall integer q, j; 0 <= q < l ==> 0 <= j < d ==>
        dx[row(q, d) + j] == \at(dx[row(q, d) + j], Start) + vec_mat{Start}(dq + row(q, k), query_weight, d, j, k)
                             + vec_mat{Start}(dk + row(q, k), key_weight, d, j, k)
                             + vec_mat{Start}(dv + row(q, k), value_weight, d, j, k);
      loop invariant todo: \forall integer q, j; l <= q < n ==> 0 <= j < d ==>
        dx[row(q, d) + j] == \at(dx[row(q, d) + j], Start);
      loop invariant same_vectors: vector_same{Start, Here}(dq, row(n, k)) && vector_same{Start, Here}(dk, row(n, k)) &&
                                   vector_same{Start, Here}(dv, row(n, k));
      loop invariant same_weights: vector_same{Start, Here}(query_weight, row(k, d)) &&
                                   vector_same{Start, Here}(key_weight, row(k, d)) &&
                                   vector_same{Start, Here}(value_weight, row(k, d));
      loop assigns l, dx[0 .. row(n, d) - 1];
      loop variant n - l; */
  for (int l = 0; l < n; l++) {
    const int start = row_offset(l, k, n), place = row_offset(l, d, n);
    //@ ghost Before:;
    /*@ assert query_sum: \forall integer j; 0 <= j < d ==>
          vec_mat(dq + start, query_weight, d, j, k) == vec_mat{Start}(dq + row(l, k), query_weight, d, j, k); */
    /*@ assert key_sum: \forall integer j; 0 <= j < d ==>
          vec_mat(dk + start, key_weight, d, j, k) == vec_mat{Start}(dk + row(l, k), key_weight, d, j, k); */
    /*@ assert value_sum: \forall integer j; 0 <= j < d ==>
          vec_mat(dv + start, value_weight, d, j, k) == vec_mat{Start}(dv + row(l, k), value_weight, d, j, k); */
    pull_back(dx + place, dq + start, dk + start, dv + start, head);
    /*@ assert added: \forall integer j; 0 <= j < d ==>
          dx[row(l, d) + j] == \at(dx[row(l, d) + j], Before) + vec_mat{Start}(dq + row(l, k), query_weight, d, j, k)
                               + vec_mat{Start}(dk + row(l, k), key_weight, d, j, k)
                               + vec_mat{Start}(dv + row(l, k), value_weight, d, j, k); */
    /*@ assert current: \forall integer j; 0 <= j < d ==> dx[row(l, d) + j] ==
          \at(dx[row(\at(l, Here), d) + j], Start) + vec_mat{Start}(dq + row(l, k), query_weight, d, j, k)
          + vec_mat{Start}(dk + row(l, k), key_weight, d, j, k) +
            vec_mat{Start}(dv + row(l, k), value_weight, d, j, k); */
    //@ assert above: \forall integer q; 0 <= q < l ==> 0 <= row(q, d) && row(q, d) + d <= row(l, d);
    //@ assert below: \forall integer q; l < q < n ==> row(l, d) + d <= row(q, d) && row(q, d) + d <= row(n, d);
    /*@ assert kept: \forall integer q, j; 0 <= q < l ==> 0 <= j < d ==>
          dx[row(q, d) + j] == \at(dx[row(q, d) + j], Before); */
    /*@ assert earlier: \forall integer q, j; 0 <= q < l ==> 0 <= j < d ==>
          dx[row(q, d) + j] == \at(dx[row(q, d) + j], Start) + vec_mat{Start}(dq + row(q, k), query_weight, d, j, k)
                               + vec_mat{Start}(dk + row(q, k), key_weight, d, j, k)
                               + vec_mat{Start}(dv + row(q, k), value_weight, d, j, k); */
    /*@ assert next: \forall integer q, j; 0 <= q <= l ==> 0 <= j < d ==>
          dx[row(q, d) + j] == \at(dx[row(q, d) + j], Start) + vec_mat{Start}(dq + row(q, k), query_weight, d, j, k)
                               + vec_mat{Start}(dk + row(q, k), key_weight, d, j, k)
                               + vec_mat{Start}(dv + row(q, k), value_weight, d, j, k); */
    /*@ assert untouched: \forall integer q, j; l < q < n ==> 0 <= j < d ==>
          dx[row(q, d) + j] == \at(dx[row(q, d) + j], Before); */
  }
}

void attention_head_vjp_add(double *dx, const attention_head *head, const double *c, double *scratch) {
  const int vectors = row_offset(head->n, head->head_dim, head->n);
  double *dq = scratch, *dk = dq + vectors, *dv = dk + vectors, *t = dv + vectors;
  //@ ghost const int n = head->n, d = head->dim, k = head->head_dim;
  //@ ghost Start:;
  //@ assert dq_outside: outside_head(dq, vectors, head, c);
  //@ assert dk_outside: outside_head(dk, vectors, head, c);
  //@ assert dv_outside: outside_head(dv, vectors, head, c);
  //@ assert t_outside: outside_head(t, n, head, c);
  //@ assert apart: cotangents_apart(dq, dk, dv, t, vectors, n);
  cotangent_rows(dq, dk, dv, t, head, c);
  //@ assert same_query: vector_same{Start, Here}(head->query_weight, row(k, d));
  //@ assert same_key: vector_same{Start, Here}(head->key_weight, row(k, d));
  //@ assert same_value: vector_same{Start, Here}(head->value_weight, row(k, d));
  //@ assert same: vector_same{Start, Here}(dx, row(n, d));
  /*@ assert query: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
        vec_mat(dq + row(l, k), head->query_weight, d, j, k) == head_query_pull{Start}(head, c, l, j, k); */
  /*@ assert key: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
        vec_mat(dk + row(l, k), head->key_weight, d, j, k) == head_key_pull{Start}(head, c, l, j, k); */
  /*@ assert value: \forall integer l, j; 0 <= l < n ==> 0 <= j < d ==>
        vec_mat(dv + row(l, k), head->value_weight, d, j, k) == head_value_pull{Start}(head, c, l, j, k); */
  pull_back_rows(dx, dq, dk, dv, head);
}
