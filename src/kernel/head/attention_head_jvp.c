/* dy_i = sum_j P_ij V dx_j + sum_j P_ij (v_j - y_i)(g_i . dx_j + h_j . dx_i), evaluated as in
 * spec/head/head_jvp.acsl. */
#include "kernel/head/attention_head_row.h"
#include "kernel/linear/index.h"
#include "kernel/linear/matrix.h"

#ifdef __FRAMAC__
#include "head_framing/head_jvp_row_frame_lemmas.acsl"
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

/*@ // no entry of a (size numbers) is in y (k numbers) or in ds (n numbers)
    predicate entries_apart(double *y, integer k, double *ds, integer n, double *a, integer size) =
      \forall integer e; 0 <= e < size ==>
        \separated(y + (0 .. k - 1), a + e) && \separated(ds + (0 .. n - 1), a + e); */

/* What the rows read is readable, and outside a block of doubles. */
/*@ predicate images_readable{L}(attention_head *head, double *dq, double *dk, double *dv) =
      \valid_read(dq + (0 .. row(head->n, head->head_dim) - 1)) &&
      \valid_read(dk + (0 .. row(head->n, head->head_dim) - 1)) &&
      \valid_read(dv + (0 .. row(head->n, head->head_dim) - 1));

    predicate jvp_outside{L}(double *block, integer size, attention_head *head, double *dq, double *dk, double *dv) =
      head_outside(head, block, size) &&
      \separated(block + (0 .. size - 1), dq + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(block + (0 .. size - 1), dk + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(block + (0 .. size - 1), dv + (0 .. row(head->n, head->head_dim) - 1)); */

/* Row i of J dx from dq, dk, dv, into row i of dy; ds is scratch for its differentials of scores. */
/*@ requires valid_head: \valid_read(head) && head_sides(head) && head_state_readable(head) && 0 <= i < head->n;
    requires valid: \valid(dy + (0 .. row(head->n, head->head_dim) - 1)) && \valid(ds + (0 .. head->n - 1));
    requires readable: images_readable(head, dq, dk, dv);
    requires separated: \separated(dy + (0 .. row(head->n, head->head_dim) - 1), ds + (0 .. head->n - 1));
    requires outside: jvp_outside(dy, row(head->n, head->head_dim), head, dq, dk, dv) &&
                      jvp_outside(ds, head->n, head, dq, dk, dv);
    terminates \true;
    assigns dy[row(i, head->head_dim) .. row(i, head->head_dim) + head->head_dim - 1], ds[0 .. head->n - 1];
    ensures result: is_jvp_row(dy, head, dq, dk, dv, i);
    ensures same: jvp_same{Pre, Post}(head, dq, dk, dv); */
static void jvp_row(double *dy, double *ds, const attention_head *head, const double *dq, const double *dk,
                    const double *dv, int i) {
  const int n = head->n, k = head->head_dim, start = row_offset(i, k, n);
  const attention_row_view a = attention_head_row(head, i);
  const attention_row_differential da = {.query = dq + start, .keys = dk, .values = dv};
  //@ assert attended: a.n == attended_keys(head->mask, i, head->n) && 0 <= row(a.n, k) <= row(n, k);
  //@ assert row_outside: jvp_outside(dy + start, k, head, dq, dk, dv);
  //@ assert value_outside: entries_apart(dy + start, k, ds, n, head->value, row(n, k));
  //@ assert output_outside: entries_apart(dy + start, k, ds, n, head->output, row(n, k));
  //@ assert weights_outside: entries_apart(dy + start, k, ds, n, head->weights, row(n, n));
  //@ assert dk_outside: entries_apart(dy + start, k, ds, n, dk, row(n, k));
  //@ assert dv_outside: entries_apart(dy + start, k, ds, n, dv, row(n, k));
  /*@ assert row: \forall integer r; jvp_head_entry(a.weights, a.values, a.output, da.values, a.query, da.query, a.keys,
                                                    da.keys, a.root, a.k, r, a.n) ==
        jvp_of_row(head, dq, dk, dv, i, r, attended_keys(head->mask, i, head->n)); */
  head_jvp_row(dy + start, ds, a, da);
  /*@ assert entries: \forall integer r; 0 <= r < k ==>
        dy[row(i, k) + r] == jvp_of_row{Pre}(head, dq, dk, dv, i, r, attended_keys(head->mask, i, head->n)); */
  //@ assert sizes: head->n == n && head->head_dim == k;
  //@ assert query: vector_same{Pre, Here}(head->query, row(n, k));
  //@ assert key: vector_same{Pre, Here}(head->key, row(n, k));
  //@ assert value: vector_same{Pre, Here}(head->value, row(n, k));
  //@ assert output: vector_same{Pre, Here}(head->output, row(n, k));
  //@ assert weights: vector_same{Pre, Here}(head->weights, row(n, n));
  //@ assert dq: vector_same{Pre, Here}(dq, row(n, k));
  //@ assert dk: vector_same{Pre, Here}(dk, row(n, k));
  //@ assert dv: vector_same{Pre, Here}(dv, row(n, k));
  /*@ assert fields: head->mask == \at(head->mask, Pre) && head->root == \at(head->root, Pre) &&
        head->query == \at(head->query, Pre) && head->key == \at(head->key, Pre) &&
        head->value == \at(head->value, Pre) && head->output == \at(head->output, Pre) &&
        head->weights == \at(head->weights, Pre); */
  //@ assert head: head_same{Pre, Here}(head, dq);
  //@ assert same: jvp_same{Pre, Here}(head, dq, dk, dv);
}

/* All rows of J dx from dq, dk, dv; ds is scratch for the differentials of one row of scores. */
/*@ requires valid_head: \valid_read(head) && head_sides(head) && head_state_readable(head);
    requires valid: \valid(dy + (0 .. row(head->n, head->head_dim) - 1)) && \valid(ds + (0 .. head->n - 1));
    requires readable: images_readable(head, dq, dk, dv);
    requires separated: \separated(dy + (0 .. row(head->n, head->head_dim) - 1), ds + (0 .. head->n - 1));
    requires outside: jvp_outside(dy, row(head->n, head->head_dim), head, dq, dk, dv) &&
                      jvp_outside(ds, head->n, head, dq, dk, dv);
    terminates \true;
    assigns dy[0 .. row(head->n, head->head_dim) - 1], ds[0 .. head->n - 1];
    ensures result: \forall integer i; 0 <= i < head->n ==> is_jvp_row(dy, head, dq, dk, dv, i); */
static void jvp_rows(double *dy, double *ds, const attention_head *head, const double *dq, const double *dk,
                     const double *dv) {
  const int n = head->n;
  //@ ghost const int k = head->head_dim;
  /*@ loop invariant range: 0 <= i;
      loop invariant done: \forall integer q; 0 <= q < n ==> q < i ==> is_jvp_row(dy, head, dq, dk, dv, q);
      loop assigns i, dy[0 .. row(n, k) - 1], ds[0 .. n - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, k) && row(q, k) + k <= row(i, k);
    //@ assert inside: 0 <= row(i, k) && row(i, k) + k <= row(n, k);
    //@ ghost Before:;
    jvp_row(dy, ds, head, dq, dk, dv, i);
    //@ assert sizes: \at(head->n, Before) == n && \at(head->head_dim, Before) == k;
    //@ assert kept: \forall integer q; 0 <= q < i ==> entries_of_row_same{Before, Here}(dy, k, q);
    //@ assert earlier: \forall integer q; 0 <= q < i ==> is_jvp_row(dy, head, dq, dk, dv, q);
  }
}

/* The images of dx under the three weights of the head. */
/*@ predicate images_outside{L}(double *block, attention_head *head, double *dx) =
      \separated(block + (0 .. row(head->n, head->head_dim) - 1), dx + (0 .. row(head->n, head->dim) - 1)) &&
      \separated(block + (0 .. row(head->n, head->head_dim) - 1),
                 head->query_weight + (0 .. row(head->head_dim, head->dim) - 1)) &&
      \separated(block + (0 .. row(head->n, head->head_dim) - 1),
                 head->key_weight + (0 .. row(head->head_dim, head->dim) - 1)) &&
      \separated(block + (0 .. row(head->n, head->head_dim) - 1),
                 head->value_weight + (0 .. row(head->head_dim, head->dim) - 1)); */
/*@ requires sides: \valid_read(head) && head_sides(head);
    requires valid: \valid(dq + (0 .. row(head->n, head->head_dim) - 1)) &&
                    \valid(dk + (0 .. row(head->n, head->head_dim) - 1)) &&
                    \valid(dv + (0 .. row(head->n, head->head_dim) - 1));
    requires valid_weights: \valid_read(head->query_weight + (0 .. row(head->head_dim, head->dim) - 1)) &&
                            \valid_read(head->key_weight + (0 .. row(head->head_dim, head->dim) - 1)) &&
                            \valid_read(head->value_weight + (0 .. row(head->head_dim, head->dim) - 1));
    requires valid_input: \valid_read(dx + (0 .. row(head->n, head->dim) - 1));
    requires separated:
      \separated(dq + (0 .. row(head->n, head->head_dim) - 1), dk + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(dq + (0 .. row(head->n, head->head_dim) - 1), dv + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(dk + (0 .. row(head->n, head->head_dim) - 1), dv + (0 .. row(head->n, head->head_dim) - 1));
    requires outside: images_outside(dq, head, dx) && images_outside(dk, head, dx) && images_outside(dv, head, dx);
    terminates \true;
    assigns dq[0 .. row(head->n, head->head_dim) - 1], dk[0 .. row(head->n, head->head_dim) - 1],
            dv[0 .. row(head->n, head->head_dim) - 1];
    ensures query: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      dq[row(i, head->head_dim) + r] == mat_vec{Pre}(head->query_weight, dx + row(i, head->dim), head->dim, r);
    ensures key: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      dk[row(i, head->head_dim) + r] == mat_vec{Pre}(head->key_weight, dx + row(i, head->dim), head->dim, r);
    ensures value: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      dv[row(i, head->head_dim) + r] == mat_vec{Pre}(head->value_weight, dx + row(i, head->dim), head->dim, r); */
static void images(double *dq, double *dk, double *dv, const attention_head *head, const double *dx) {
  const int n = head->n, d = head->dim, k = head->head_dim;
  //@ assert vectors: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> 0 <= row(i, k) + r < row(n, k);
  //@ assert weights: \forall integer r, c; 0 <= r < k ==> 0 <= c < d ==> 0 <= row(r, d) + c < row(k, d);
  //@ assert tokens: \forall integer i, c; 0 <= i < n ==> 0 <= c < d ==> 0 <= row(i, d) + c < row(n, d);
  image_rows(dq, head->query_weight, dx, n, k, d);
  //@ ghost Queries:;
  /*@ assert same_keys: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec{Queries}(head->key_weight, dx + row(i, d), d, r) ==
        mat_vec{Pre}(head->key_weight, dx + row(i, d), d, r); */
  /*@ assert same_values: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec{Queries}(head->value_weight, dx + row(i, d), d, r) ==
        mat_vec{Pre}(head->value_weight, dx + row(i, d), d, r); */
  image_rows(dk, head->key_weight, dx, n, k, d);
  //@ ghost Keys:;
  /*@ assert kept_queries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                           dq[row(i, k) + r] == \at(dq[row(i, k) + r], Queries); */
  /*@ assert value_rows: \forall integer r; 0 <= r < k ==>
                         same_entries{Queries, Here}(head->value_weight + row(r, d), d); */
  //@ assert token_rows: \forall integer i; 0 <= i < n ==> same_entries{Queries, Here}(dx + row(i, d), d);
  /*@ assert still_values: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        mat_vec{Keys}(head->value_weight, dx + row(i, d), d, r) ==
        mat_vec{Queries}(head->value_weight, dx + row(i, d), d, r); */
  image_rows(dv, head->value_weight, dx, n, k, d);
  /*@ assert still_queries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                            dq[row(i, k) + r] == \at(dq[row(i, k) + r], Keys); */
  /*@ assert kept_keys: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
                        dk[row(i, k) + r] == \at(dk[row(i, k) + r], Keys); */
}

void attention_head_jvp(double *dy, const attention_head *head, const double *dx, double *scratch) {
  const int n = head->n, k = head->head_dim, vectors = row_offset(n, k, n);
  double *dq = scratch, *dk = dq + vectors, *dv = dk + vectors, *ds = dv + vectors;
  images(dq, dk, dv, head, dx);
  //@ ghost Images:;
  jvp_rows(dy, ds, head, dq, dk, dv);
  /*@ assert entry: \forall integer i, r; is_jvp_row(dy, head, dq, dk, dv, i) ==> 0 <= r < k ==>
        dy[row(i, k) + r] == jvp_of_row(head, dq, dk, dv, i, r, attended_keys(head->mask, i, head->n)); */
  /*@ assert entries: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> dy[row(i, k) + r] ==
        jvp_head_entry(head->weights + row(i, n), head->value, head->output + row(i, k), dv, head->query + row(i, k),
                       dq + row(i, k), head->key, dk, head->root, k, r, attended_keys(head->mask, i, head->n)); */
  //@ assert vectors: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==> 0 <= row(i, k) + r < row(n, k);
  /*@ assert kept: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        dq[row(i, k) + r] == \at(dq[row(i, k) + r], Images) && dk[row(i, k) + r] == \at(dk[row(i, k) + r], Images) &&
        dv[row(i, k) + r] == \at(dv[row(i, k) + r], Images); */
}
