/* dy_i = sum_j P_ij V dx_j + sum_j P_ij (v_j - y_i)(g_i . dx_j + h_j . dx_i), evaluated as in spec/head_jvp.acsl. */
#include "kernel/attention_head.h"
#include "kernel/attention_row.h"
#include "kernel/index.h"
#include "kernel/matrix.h"

#ifdef __FRAMAC__
#include "head_jvp_arrays.acsl"
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

/* Row i of J dx from dq, dk, dv; ds is scratch for its differentials of scores. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_state_readable(head);
    requires position: 0 <= i < head->n;
    requires valid_differentials: \valid_read(dq + (0 .. row(head->n, head->head_dim) - 1)) &&
                                  \valid_read(dk + (0 .. row(head->n, head->head_dim) - 1)) &&
                                  \valid_read(dv + (0 .. row(head->n, head->head_dim) - 1));
    requires out: \valid(dy + (0 .. head->head_dim - 1)) && \valid(ds + (0 .. head->n - 1));
    requires outside: head_outside(head, dy, head->head_dim) && head_outside(head, ds, head->n);
    requires separated: \separated(dy + (0 .. head->head_dim - 1), ds + (0 .. head->n - 1));
    requires separated_dy: \separated(dy + (0 .. head->head_dim - 1), dv + (0 .. row(head->n, head->head_dim) - 1));
    requires separated_ds: \separated(ds + (0 .. head->n - 1), dq + (0 .. row(head->n, head->head_dim) - 1)) &&
                           \separated(ds + (0 .. head->n - 1), dk + (0 .. row(head->n, head->head_dim) - 1)) &&
                           \separated(ds + (0 .. head->n - 1), dv + (0 .. row(head->n, head->head_dim) - 1));
    terminates \true;
    assigns dy[0 .. head->head_dim - 1], ds[0 .. head->n - 1];
    ensures result: \forall integer r; 0 <= r < head->head_dim ==>
      dy[r] == head_jvp_row{Pre}(\at(*head, Pre), dq, dk, dv, i, r, head_row(\at(*head, Pre), i)); */
static void jvp_row(double *dy, const attention_head *head, const double *dq, const double *dk, const double *dv, int i,
                    double *ds) {
  const int n = head->n, k = head->head_dim, start = row_offset(i, k, n), reach = attention_head_reach(head, i);
  //@ assert reach: reach == head_row(\at(*head, Pre), i);
  //@ assert inside: 0 <= row(reach, k) <= row(n, k) && 0 <= start && start + k <= row(n, k);
  //@ assert row_inside: 0 <= row(i, n) && row(i, n) + n <= row(n, n);
  /*@ assert far: \separated(ds + (0 .. n - 1), head->query + (0 .. row(n, k) - 1)) &&
                  \separated(ds + (0 .. n - 1), head->value + (0 .. row(n, k) - 1)) &&
                  \separated(ds + (0 .. n - 1), head->output + (0 .. row(n, k) - 1)) &&
                  \separated(ds + (0 .. n - 1), head->weights + (0 .. row(n, n) - 1)); */
  //@ assert query_apart: \separated(ds + (0 .. reach - 1), head->query + start + (0 .. k - 1));
  //@ assert dq_far: \separated(ds + (0 .. n - 1), dq + (0 .. row(n, k) - 1));
  //@ assert weights_apart: \separated(ds + (0 .. reach - 1), head->weights + (row(i, n) .. row(i, n) + n - 1));
  //@ assert dq_apart: \separated(ds + (0 .. reach - 1), dq + (row(i, k) .. row(i, k) + k - 1));
  //@ assert values_apart: \separated(ds + (0 .. reach - 1), head->value + (0 .. row(n, k) - 1));
  //@ assert dvalues_apart: \separated(ds + (0 .. reach - 1), dv + (0 .. row(n, k) - 1));
  attention_score_differentials(ds, head->query + start, dq + start, head->key, dk, head->root, reach, k);
  //@ assert ds: holds_differentials{Pre, Here}(\at(*head, Pre), dq, dk, ds, i, reach);
  //@ assert weights: row_same{Pre, Here}(\at(head->weights, Pre), i, n);
  //@ assert outputs: row_same{Pre, Here}(\at(head->output, Pre), i, k);
  //@ assert values: matrix_same{Pre, Here}(\at(head->value, Pre), n, k);
  //@ assert dvalues: matrix_same{Pre, Here}(dv, n, k);
  /*@ assert entry: \forall integer r; 0 <= r < k ==>
        jvp_entry(head->weights + row(i, n), head->value, head->output + row(i, k), dv, ds, k, r, reach) ==
        head_jvp_row{Pre}(\at(*head, Pre), dq, dk, dv, i, r, reach); */
  attention_jvp_row(dy, head->weights + row_offset(i, n, n), head->value, head->output + start, dv, ds, reach, k);
}

/* All rows of J dx from dq, dk, dv; ds is scratch for the differentials of one row of scores. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_state_readable(head);
    requires valid_differentials: \valid_read(dq + (0 .. row(head->n, head->head_dim) - 1)) &&
                                  \valid_read(dk + (0 .. row(head->n, head->head_dim) - 1)) &&
                                  \valid_read(dv + (0 .. row(head->n, head->head_dim) - 1));
    requires out: \valid(dy + (0 .. row(head->n, head->head_dim) - 1)) && \valid(ds + (0 .. head->n - 1));
    requires outside: head_outside(head, dy, row(head->n, head->head_dim)) && head_outside(head, ds, head->n);
    requires separated: \separated(dy + (0 .. row(head->n, head->head_dim) - 1), ds + (0 .. head->n - 1));
    requires separated_dy:
      \separated(dy + (0 .. row(head->n, head->head_dim) - 1), dq + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(dy + (0 .. row(head->n, head->head_dim) - 1), dk + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(dy + (0 .. row(head->n, head->head_dim) - 1), dv + (0 .. row(head->n, head->head_dim) - 1));
    requires separated_ds: \separated(ds + (0 .. head->n - 1), dq + (0 .. row(head->n, head->head_dim) - 1)) &&
                           \separated(ds + (0 .. head->n - 1), dk + (0 .. row(head->n, head->head_dim) - 1)) &&
                           \separated(ds + (0 .. head->n - 1), dv + (0 .. row(head->n, head->head_dim) - 1));
    terminates \true;
    assigns dy[0 .. row(head->n, head->head_dim) - 1], ds[0 .. head->n - 1];
    ensures result: \forall integer i, r; 0 <= i < head->n ==> 0 <= r < head->head_dim ==>
      dy[row(i, head->head_dim) + r] ==
      head_jvp_row{Pre}(\at(*head, Pre), dq, dk, dv, i, r, head_row(\at(*head, Pre), i)); */
static void jvp_rows(double *dy, const attention_head *head, const double *dq, const double *dk, const double *dv,
                     double *ds) {
  const int n = head->n, k = head->head_dim;
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant done: \forall integer q, r; 0 <= q < i ==> 0 <= r < k ==>
        dy[row(q, k) + r] ==
        head_jvp_row{Pre}(\at(*head, Pre), dq, dk, dv, q, r, head_row(\at(*head, Pre), q));
      loop assigns i, dy[0 .. row(n, k) - 1], ds[0 .. n - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    //@ ghost Row:;
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, k) && row(q, k) + k <= row(i, k);
    //@ assert inside: 0 <= row(i, k) && row(i, k) + k <= row(n, k);
    //@ assert head_same: *head == \at(*head, Pre);
    //@ assert root: head->root == \at(head->root, Pre);
    /*@ assert query_far: \separated(dy + (0 .. row(n, k) - 1), head->query + (0 .. row(n, k) - 1)) &&
                          \separated(ds + (0 .. n - 1), head->query + (0 .. row(n, k) - 1)); */
    /*@ assert keys_far: \separated(dy + (0 .. row(n, k) - 1), head->key + (0 .. row(n, k) - 1)) &&
                         \separated(ds + (0 .. n - 1), head->key + (0 .. row(n, k) - 1)); */
    //@ assert entries: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==> 0 <= row(j, k) + r < row(n, k);
    //@ assert query: row_same{Pre, Here}(\at(head->query, Pre), i, k);
    //@ assert output: row_same{Pre, Here}(\at(head->output, Pre), i, k);
    //@ assert weights: row_same{Pre, Here}(\at(head->weights, Pre), i, n);
    //@ assert keys: matrix_same{Pre, Here}(\at(head->key, Pre), n, k);
    //@ assert values: matrix_same{Pre, Here}(\at(head->value, Pre), n, k);
    //@ assert dq: matrix_same{Pre, Here}(dq, n, k);
    //@ assert dk: matrix_same{Pre, Here}(dk, n, k);
    //@ assert dv: matrix_same{Pre, Here}(dv, n, k);
    /*@ assert same: \forall integer r; 0 <= r < k ==>
          head_jvp_row(\at(*head, Pre), dq, dk, dv, i, r, head_row(\at(*head, Pre), i)) ==
          head_jvp_row{Pre}(\at(*head, Pre), dq, dk, dv, \at(i, Here), r, head_row(\at(*head, Pre), \at(i, Here))); */
    //@ assert outside: head_outside(head, dy + row(i, k), k);
    jvp_row(dy + row_offset(i, k, n), head, dq, dk, dv, i, ds);
    /*@ assert current: \forall integer r; 0 <= r < k ==>
          dy[row(i, k) + r] == head_jvp_row{Pre}(\at(*head, Pre), dq, dk, dv, \at(i, Here), r,
                                                 head_row(\at(*head, Pre), \at(i, Here))); */
    /*@ assert kept: \forall integer q, r; 0 <= q < i ==> 0 <= r < k ==>
                     dy[row(q, k) + r] == \at(dy[row(q, k) + r], Row); */
  }
}

void attention_head_jvp(double *dy, const attention_head *head, const double *dx, double *scratch) {
  const int n = head->n, d = head->dim, k = head->head_dim, vectors = row_offset(n, k, n);
  double *dq = scratch, *dk = dq + vectors, *dv = dk + vectors, *ds = dv + vectors;
  //@ assert dq_outside: head_outside(head, dq, row(n, k));
  //@ assert dk_outside: head_outside(head, dk, row(n, k));
  //@ assert dv_outside: head_outside(head, dv, row(n, k));
  //@ assert ds_outside: head_outside(head, ds, n);
  /*@ assert dy_apart: \separated(dy + (0 .. row(n, k) - 1), dq + (0 .. row(n, k) - 1)) &&
                       \separated(dy + (0 .. row(n, k) - 1), dk + (0 .. row(n, k) - 1)) &&
                       \separated(dy + (0 .. row(n, k) - 1), dv + (0 .. row(n, k) - 1)); */
  /*@ assert ds_apart: \separated(ds + (0 .. n - 1), dq + (0 .. row(n, k) - 1)) &&
                       \separated(ds + (0 .. n - 1), dk + (0 .. row(n, k) - 1)) &&
                       \separated(ds + (0 .. n - 1), dv + (0 .. row(n, k) - 1)); */
  image_rows(dq, head->query_weight, dx, n, k, d);
  //@ assert dq_first: image{Pre, Here}(dq, \at(head->query_weight, Pre), dx, n, k, d);
  //@ assert dx_then: matrix_same{Pre, Here}(dx, n, d);
  //@ assert keys_then: matrix_same{Pre, Here}(\at(head->key_weight, Pre), k, d);
  //@ assert root_first: head->root == \at(head->root, Pre);
  //@ assert query_first: matrix_same{Pre, Here}(\at(head->query, Pre), n, k);
  //@ assert keys_first: matrix_same{Pre, Here}(\at(head->key, Pre), n, k);
  //@ assert values_first: matrix_same{Pre, Here}(\at(head->value, Pre), n, k);
  //@ assert output_first: matrix_same{Pre, Here}(\at(head->output, Pre), n, k);
  //@ assert weights_first: matrix_same{Pre, Here}(\at(head->weights, Pre), n, n);
  //@ ghost Queries:;
  image_rows(dk, head->key_weight, dx, n, k, d);
  //@ assert dq_kept: matrix_same{Queries, Here}(dq, n, k);
  //@ assert dq_second: image{Pre, Here}(dq, \at(head->query_weight, Pre), dx, n, k, d);
  //@ assert dk_first: image{Pre, Here}(dk, \at(head->key_weight, Pre), dx, n, k, d);
  //@ assert dx_now: matrix_same{Pre, Here}(dx, n, d);
  //@ assert values_now: matrix_same{Pre, Here}(\at(head->value_weight, Pre), k, d);
  //@ assert root_second: head->root == \at(head->root, Pre);
  //@ assert query_second: matrix_same{Pre, Here}(\at(head->query, Pre), n, k);
  //@ assert keys_second: matrix_same{Pre, Here}(\at(head->key, Pre), n, k);
  //@ assert values_second: matrix_same{Pre, Here}(\at(head->value, Pre), n, k);
  //@ assert output_second: matrix_same{Pre, Here}(\at(head->output, Pre), n, k);
  //@ assert weights_second: matrix_same{Pre, Here}(\at(head->weights, Pre), n, n);
  //@ ghost Keys:;
  image_rows(dv, head->value_weight, dx, n, k, d);
  //@ assert dq_still: matrix_same{Keys, Here}(dq, n, k);
  //@ assert dk_kept: matrix_same{Keys, Here}(dk, n, k);
  //@ assert dq_third: image{Pre, Here}(dq, \at(head->query_weight, Pre), dx, n, k, d);
  //@ assert dk_second: image{Pre, Here}(dk, \at(head->key_weight, Pre), dx, n, k, d);
  //@ assert dv_first: image{Pre, Here}(dv, \at(head->value_weight, Pre), dx, n, k, d);
  //@ assert root: head->root == \at(head->root, Pre);
  //@ assert query: matrix_same{Pre, Here}(\at(head->query, Pre), n, k);
  //@ assert keys: matrix_same{Pre, Here}(\at(head->key, Pre), n, k);
  //@ assert values: matrix_same{Pre, Here}(\at(head->value, Pre), n, k);
  //@ assert output: matrix_same{Pre, Here}(\at(head->output, Pre), n, k);
  //@ assert weights: matrix_same{Pre, Here}(\at(head->weights, Pre), n, n);
  //@ assert head_same: *head == \at(*head, Pre);
  //@ assert query_rows: \forall integer i; 0 <= i < n ==> row_same{Pre, Here}(\at(head->query, Pre), i, k);
  //@ assert output_rows: \forall integer i; 0 <= i < n ==> row_same{Pre, Here}(\at(head->output, Pre), i, k);
  //@ assert weights_rows: \forall integer i; 0 <= i < n ==> row_same{Pre, Here}(\at(head->weights, Pre), i, n);
  /*@ assert formula: \forall integer i, r; 0 <= i < n ==> 0 <= r < k ==>
        head_jvp_row(\at(*head, Pre), dq, dk, dv, i, r, head_row(\at(*head, Pre), i)) ==
        head_jvp{Pre}(\at(*head, Pre), dx, i, r, head_row(\at(*head, Pre), i)); */
  jvp_rows(dy, head, dq, dk, dv, ds);
}
