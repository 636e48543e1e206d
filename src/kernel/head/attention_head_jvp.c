/* dy_i = sum_j P_ij V dx_j + sum_j P_ij (v_j - y_i)(g_i . dx_j + h_j . dx_i), evaluated as in
 * spec/head/head_jvp.acsl. */
#include "kernel/head/attention_head.h"
#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"
#include "kernel/row/attention_row.h"

#ifdef __FRAMAC__
#include "head_framing/head_jvp_frame_lemmas.acsl"
#endif

/* Row j of out (n x k) = W dx_j. */
/*@ requires sides: side(n) && side(k) && side(d);
    requires valid: \valid(out + (0 .. row(n, k) - 1)) && \valid_read(dx + (0 .. row(n, d) - 1));
    requires valid_weights: \valid_read(w + (0 .. row(k, d) - 1));
    requires separated: \separated(out + (0 .. row(n, k) - 1), dx + (0 .. row(n, d) - 1));
    requires separated_weights: \separated(out + (0 .. row(n, k) - 1), w + (0 .. row(k, d) - 1));
    terminates \true;
    assigns out[0 .. row(n, k) - 1];
    ensures result: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
                    out[row(j, k) + r] == mat_vec{Pre}(w, dx + row(j, d), d, r); */
static void image_rows(double *out, const double *w, const double *dx, int n, int k, int d) {
  affine_rows(out, w, NULL, dx, n, k, d);
  /*@ assert affine: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
                     out[row(j, k) + r] == affine{Pre}(w, \null, dx + row(j, d), d, r); */
  /*@ assert no_bias: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==>
        affine{Pre}(w, \null, dx + row(j, d), d, r) == mat_vec{Pre}(w, dx + row(j, d), d, r); */
}

/* The number of positions that row i attends to, and: row i of dy is row i of J dx from dq, dk, dv. */
/*@ logic integer positions(integer causal, integer i, integer n) = causal != 0 ? i + 1 : n;

    predicate is_jvp_row{L}(double *dy, double *weights, double *query, double *dq, double *keys, double *dk,
                            double *values, double *output, double *dv, real root, integer causal, integer n, integer k,
                            integer i) =
      \forall integer r; 0 <= r < k ==> dy[row(i, k) + r] ==
        jvp_head_entry(weights + row(i, n), values, output + row(i, k), dv, query + row(i, k), dq + row(i, k), keys, dk,
                       root, k, r, positions(causal, i, n)); */

/* What the rows read is readable, and outside a block of doubles. */
/*@ predicate jvp_readable{L}(double *weights, double *query, double *dq, double *keys, double *dk, double *values,
                              double *output, double *dv, integer n, integer k) =
      \valid_read(weights + (0 .. row(n, n) - 1)) && \valid_read(query + (0 .. row(n, k) - 1)) &&
      \valid_read(dq + (0 .. row(n, k) - 1)) && \valid_read(keys + (0 .. row(n, k) - 1)) &&
      \valid_read(dk + (0 .. row(n, k) - 1)) && \valid_read(values + (0 .. row(n, k) - 1)) &&
      \valid_read(output + (0 .. row(n, k) - 1)) && \valid_read(dv + (0 .. row(n, k) - 1));

    predicate jvp_outside(double *block, integer size, double *weights, double *query, double *dq, double *keys,
                          double *dk, double *values, double *output, double *dv, integer n, integer k) =
      \separated(block + (0 .. size - 1), weights + (0 .. row(n, n) - 1)) &&
      \separated(block + (0 .. size - 1), query + (0 .. row(n, k) - 1)) &&
      \separated(block + (0 .. size - 1), dq + (0 .. row(n, k) - 1)) &&
      \separated(block + (0 .. size - 1), keys + (0 .. row(n, k) - 1)) &&
      \separated(block + (0 .. size - 1), dk + (0 .. row(n, k) - 1)) &&
      \separated(block + (0 .. size - 1), values + (0 .. row(n, k) - 1)) &&
      \separated(block + (0 .. size - 1), output + (0 .. row(n, k) - 1)) &&
      \separated(block + (0 .. size - 1), dv + (0 .. row(n, k) - 1)); */

/* Row i of J dx from dq, dk, dv, into row i of dy; ds is scratch for its differentials of scores. */
/*@ requires sides: side(n) && side(k) && 0 <= i < n;
    requires root: 0.0 < root;
    requires valid: \valid(dy + (0 .. row(n, k) - 1)) && \valid(ds + (0 .. n - 1));
    requires readable: jvp_readable(weights, query, dq, keys, dk, values, output, dv, n, k);
    requires separated: \separated(dy + (0 .. row(n, k) - 1), ds + (0 .. n - 1));
    requires outside: jvp_outside(dy, row(n, k), weights, query, dq, keys, dk, values, output, dv, n, k) &&
                      jvp_outside(ds, n, weights, query, dq, keys, dk, values, output, dv, n, k);
    terminates \true;
    assigns dy[row(i, k) .. row(i, k) + k - 1], ds[0 .. n - 1];
    ensures result: is_jvp_row(dy, weights, query, dq, keys, dk, values, output, dv, root, causal, n, k, i);
    ensures same: \forall integer q, r, m; 0 <= q < n ==> 0 <= r < k ==> m <= n ==>
      jvp_head_entry{Pre}(weights + row(q, n), values, output + row(q, k), dv, query + row(q, k), dq + row(q, k), keys,
        dk,
                          root, k, r, m) ==
      jvp_head_entry(weights + row(q, n), values, output + row(q, k), dv, query + row(q, k), dq + row(q, k), keys, dk,
        root,
                     k, r, m); */
static void jvp_row(double *dy, double *ds, const double *weights, const double *query, const double *dq,
                    const double *keys, const double *dk, const double *values, const double *output, const double *dv,
                    double root, int causal, int n, int k, int i) {
  const int start = row_offset(i, k, n), reach = causal ? i + 1 : n;
  //@ assert reach: reach == positions(causal, i, n) && 0 <= row(reach, k) <= row(n, k);
  head_jvp_row(dy + start, ds, weights + row_offset(i, n, n), query + start, dq + start, keys, dk, values,
               output + start, dv, root, reach, k);
  //@ assert vectors: \forall integer q, r; 0 <= q < n ==> 0 <= r < k ==> 0 <= row(q, k) + r < row(n, k);
  //@ assert rows: \forall integer q, t; 0 <= q < n ==> 0 <= t < n ==> 0 <= row(q, n) + t < row(n, n);
  /*@ assert same_weights: \forall integer q, m; 0 <= q < n ==> m <= n ==>
                           same_entries{Pre, Here}(weights + row(q, n), m); */
  //@ assert same_values: \forall integer r, m; 0 <= r < k ==> m <= n ==> same_column{Pre, Here}(values, k, r, m);
  //@ assert same_dvalues: \forall integer r, m; 0 <= r < k ==> m <= n ==> same_column{Pre, Here}(dv, k, r, m);
  /*@ assert same_output: \forall integer q, r; 0 <= q < n ==> 0 <= r < k ==>
                          output[row(q, k) + r] == \at(output[row(q, k) + r], Pre); */
  /*@ assert same_queries: \forall integer q, t; 0 <= q < n ==> 0 <= t < k ==>
        query[row(q, k) + t] == \at(query[row(q, k) + t], Pre) && dq[row(q, k) + t] == \at(dq[row(q, k) + t], Pre); */
  /*@ assert same_keys: \forall integer q, t; 0 <= q < n ==> 0 <= t < k ==>
        keys[row(q, k) + t] == \at(keys[row(q, k) + t], Pre) && dk[row(q, k) + t] == \at(dk[row(q, k) + t], Pre); */
  /*@ assert same_query: \forall integer q, t; 0 <= q < n ==> 0 <= t < n ==>
        dot{Pre}(query + row(q, k), dk + row(t, k), k) == dot(query + row(q, k), dk + row(t, k), k); */
  /*@ assert same_dquery: \forall integer q, t; 0 <= q < n ==> 0 <= t < n ==>
        dot{Pre}(dq + row(q, k), keys + row(t, k), k) == dot(dq + row(q, k), keys + row(t, k), k); */
  /*@ assert same_scores: \forall integer q, m; 0 <= q < n ==> m <= n ==>
        same_differentials{Pre, Here}(query + row(q, k), dq + row(q, k), keys, dk, root, k, m); */
  /*@ assert same_operands: \forall integer q, r, m; 0 <= q < n ==> 0 <= r < k ==> m <= n ==>
        same_operands{Pre, Here}(weights + row(q, n), values, output + row(q, k), dv, query + row(q, k),
          dq + row(q, k), keys,
                                 dk, root, k, r, m); */
  /*@ assert equal: \forall integer q, r, m;
        same_operands{Pre, Here}(weights + row(q, n), values, output + row(q, k), dv, query + row(q, k),
          dq + row(q, k), keys,
                                 dk, root, k, r, m) ==>
        jvp_head_entry{Pre}(weights + row(q, n), values, output + row(q, k), dv, query + row(q, k), dq + row(q, k),
          keys, dk,
                            root, k, r, m) ==
        jvp_head_entry(weights + row(q, n), values, output + row(q, k), dv, query + row(q, k), dq + row(q, k), keys,
          dk, root,
                       k, r, m); */
  /*@ assert same: \forall integer q, r, m; 0 <= q < n ==> 0 <= r < k ==> m <= n ==>
        jvp_head_entry{Pre}(weights + row(q, n), values, output + row(q, k), dv, query + row(q, k), dq + row(q, k),
          keys, dk,
                            root, k, r, m) ==
        jvp_head_entry(weights + row(q, n), values, output + row(q, k), dv, query + row(q, k), dq + row(q, k), keys,
          dk, root,
                       k, r, m); */
}

/* All rows of J dx from dq, dk, dv; ds is scratch for the differentials of one row of scores. */
/*@ requires sides: side(n) && side(k);
    requires root: 0.0 < root;
    requires valid: \valid(dy + (0 .. row(n, k) - 1)) && \valid(ds + (0 .. n - 1));
    requires readable: jvp_readable(weights, query, dq, keys, dk, values, output, dv, n, k);
    requires separated: \separated(dy + (0 .. row(n, k) - 1), ds + (0 .. n - 1));
    requires outside: jvp_outside(dy, row(n, k), weights, query, dq, keys, dk, values, output, dv, n, k) &&
                      jvp_outside(ds, n, weights, query, dq, keys, dk, values, output, dv, n, k);
    terminates \true;
    assigns dy[0 .. row(n, k) - 1], ds[0 .. n - 1];
    ensures result: \forall integer i; 0 <= i < n ==>
      is_jvp_row(dy, weights, query, dq, keys, dk, values, output, dv, root, causal, n, k, i); */
static void jvp_rows(double *dy, double *ds, const double *weights, const double *query, const double *dq,
                     const double *keys, const double *dk, const double *values, const double *output, const double *dv,
                     double root, int causal, int n, int k) {
  /*@ loop invariant range: 0 <= i;
      loop invariant done: \forall integer q; 0 <= q < n ==> q < i ==>
        is_jvp_row(dy, weights, query, dq, keys, dk, values, output, dv, root, causal, n, k, q);
      loop assigns i, dy[0 .. row(n, k) - 1], ds[0 .. n - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, k) && row(q, k) + k <= row(i, k);
    //@ assert inside: 0 <= row(i, k) && row(i, k) + k <= row(n, k);
    //@ ghost Before:;
    jvp_row(dy, ds, weights, query, dq, keys, dk, values, output, dv, root, causal, n, k, i);
    /*@ assert kept: \forall integer q, r; 0 <= q < i ==> 0 <= r < k ==>
                     dy[row(q, k) + r] == \at(dy[row(q, k) + r], Before); */
    /*@ assert earlier: \forall integer q; 0 <= q < i ==>
          is_jvp_row(dy, weights, query, dq, keys, dk, values, output, dv, root, causal, n, k, q); */
  }
}

/* The images of dx under the three weights of the head. */
/*@ requires sides: side(n) && side(k) && side(d);
    requires valid: \valid(dq + (0 .. row(n, k) - 1)) && \valid(dk + (0 .. row(n, k) - 1)) &&
                    \valid(dv + (0 .. row(n, k) - 1));
    requires valid_weights: \valid_read(wq + (0 .. row(k, d) - 1)) && \valid_read(wk + (0 .. row(k, d) - 1)) &&
                            \valid_read(wv + (0 .. row(k, d) - 1));
    requires valid_input: \valid_read(dx + (0 .. row(n, d) - 1));
    requires separated: \separated(dq + (0 .. row(n, k) - 1), dk + (0 .. row(n, k) - 1)) &&
                        \separated(dq + (0 .. row(n, k) - 1), dv + (0 .. row(n, k) - 1)) &&
                        \separated(dk + (0 .. row(n, k) - 1), dv + (0 .. row(n, k) - 1));
    requires separated_input: \separated(dq + (0 .. row(n, k) - 1), dx + (0 .. row(n, d) - 1)) &&
                              \separated(dk + (0 .. row(n, k) - 1), dx + (0 .. row(n, d) - 1)) &&
                              \separated(dv + (0 .. row(n, k) - 1), dx + (0 .. row(n, d) - 1));
    requires separated_query: \separated(dq + (0 .. row(n, k) - 1), wq + (0 .. row(k, d) - 1));
    requires separated_key: \separated(dq + (0 .. row(n, k) - 1), wk + (0 .. row(k, d) - 1)) &&
                            \separated(dk + (0 .. row(n, k) - 1), wk + (0 .. row(k, d) - 1));
    requires separated_value: \separated(dq + (0 .. row(n, k) - 1), wv + (0 .. row(k, d) - 1)) &&
                              \separated(dk + (0 .. row(n, k) - 1), wv + (0 .. row(k, d) - 1)) &&
                              \separated(dv + (0 .. row(n, k) - 1), wv + (0 .. row(k, d) - 1));
    terminates \true;
    assigns dq[0 .. row(n, k) - 1], dk[0 .. row(n, k) - 1], dv[0 .. row(n, k) - 1];
    ensures query: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                   dq[row(i, k) + r] == mat_vec{Pre}(wq, dx + row(i, d), d, r);
    ensures key: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                 dk[row(i, k) + r] == mat_vec{Pre}(wk, dx + row(i, d), d, r);
    ensures value: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                   dv[row(i, k) + r] == mat_vec{Pre}(wv, dx + row(i, d), d, r); */
static void images(double *dq, double *dk, double *dv, const double *wq, const double *wk, const double *wv,
                   const double *dx, int n, int k, int d) {
  //@ assert vectors: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> 0 <= row(i, k) + r < row(n, k);
  //@ assert weights: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> 0 <= row(r, d) + c < row(k, d);
  //@ assert tokens: \forall integer i, c; 0 <= i < n ==> 0 <= c < d ==> 0 <= row(i, d) + c < row(n, d);
  image_rows(dq, wq, dx, n, k, d);
  //@ ghost Queries:;
  /*@ assert same_keys: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec{Queries}(wk, dx + row(i, d), d, r) == mat_vec{Pre}(wk, dx + row(i, d), d, r); */
  /*@ assert same_values: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec{Queries}(wv, dx + row(i, d), d, r) == mat_vec{Pre}(wv, dx + row(i, d), d, r); */
  image_rows(dk, wk, dx, n, k, d);
  //@ ghost Keys:;
  /*@ assert kept_queries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                           dq[row(i, k) + r] == \at(dq[row(i, k) + r], Queries); */
  /*@ assert still_values: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec{Keys}(wv, dx + row(i, d), d, r) == mat_vec{Queries}(wv, dx + row(i, d), d, r); */
  image_rows(dv, wv, dx, n, k, d);
  /*@ assert still_queries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                            dq[row(i, k) + r] == \at(dq[row(i, k) + r], Keys); */
  /*@ assert kept_keys: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                        dk[row(i, k) + r] == \at(dk[row(i, k) + r], Keys); */
}

void attention_head_jvp(double *dy, const attention_head *head, const double *dx, double *scratch) {
  const int n = head->n, d = head->dim, k = head->head_dim, vectors = row_offset(n, k, n);
  double *dq = scratch, *dk = dq + vectors, *dv = dk + vectors, *ds = dv + vectors;
  images(dq, dk, dv, head->query_weight, head->key_weight, head->value_weight, dx, n, k, d);
  //@ ghost Images:;
  jvp_rows(dy, ds, head->weights, head->query, dq, head->key, dk, head->value, head->output, dv, head->root,
           head->mask == ATTCERT_MASK_CAUSAL, n, k);
  //@ assert root: head->root == \at(head->root, Images) == \at(head->root, Pre);
  /*@ assert reach: \forall integer i;
        positions(head->mask == ATTCERT_MASK_CAUSAL ? 1 : 0, i, n) == head_reach(head, i); */
  /*@ assert rows: \forall integer i; 0 <= i < n ==>
        is_jvp_row(dy, head->weights, head->query, dq, head->key, dk, head->value, head->output, dv, head->root,
                   head->mask == ATTCERT_MASK_CAUSAL ? 1 : 0, n, k, i); */
  /*@ assert entry: \forall integer i, r;
        is_jvp_row(dy, head->weights, head->query, dq, head->key, dk, head->value, head->output, dv, head->root,
                   head->mask == ATTCERT_MASK_CAUSAL ? 1 : 0, n, k, i) ==> 0 <= r < k ==> dy[row(i, k) + r] ==
        jvp_head_entry(head->weights + row(i, n), head->value, head->output + row(i, k), dv, head->query + row(i, k),
                       dq + row(i, k), head->key, dk, head->root, k, r,
                       positions(head->mask == ATTCERT_MASK_CAUSAL ? 1 : 0, i, n)); */
  /*@ assert entries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> dy[row(i, k) + r] ==
        jvp_head_entry(head->weights + row(i, n), head->value, head->output + row(i, k), dv, head->query + row(i, k),
                       dq + row(i, k), head->key, dk, head->root, k, r,
                       positions(head->mask == ATTCERT_MASK_CAUSAL ? 1 : 0, i, n)); */
  //@ assert vectors: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> 0 <= row(i, k) + r < row(n, k);
  /*@ assert kept: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        dq[row(i, k) + r] == \at(dq[row(i, k) + r], Images) && dk[row(i, k) + r] == \at(dk[row(i, k) + r], Images) &&
        dv[row(i, k) + r] == \at(dv[row(i, k) + r], Images); */
}
