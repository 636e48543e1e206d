/* The cotangents dq, dk, dv of spec/head_vjp.acsl, row by row of attention, then dx_l += Q^T dq_l + K^T dk_l + V^T dv_l. */
#include "kernel/attention_head.h"
#include "kernel/attention_vjp_row.h"
#include "kernel/index.h"
#include "kernel/matrix.h"
#include "kernel/vector.h"

#ifdef __FRAMAC__
#include "head_vjp_same.acsl"
#endif

/* All rows of dq, dk, dv; t is scratch for the cotangents of one row of scores. */
/*@ requires valid: \valid_read(head) && head_sides(head) && head_state_readable(head);
    requires input: \valid_read(c + (0 .. row(head->n, head->head_dim) - 1));
    requires out: \valid(dq + (0 .. row(head->n, head->head_dim) - 1)) &&
                  \valid(dk + (0 .. row(head->n, head->head_dim) - 1)) &&
                  \valid(dv + (0 .. row(head->n, head->head_dim) - 1)) && \valid(t + (0 .. head->n - 1));
    requires outside: head_outside(head, dq, row(head->n, head->head_dim)) &&
                      head_outside(head, dk, row(head->n, head->head_dim)) &&
                      head_outside(head, dv, row(head->n, head->head_dim)) && head_outside(head, t, head->n);
    requires separated_c:
      \separated(dq + (0 .. row(head->n, head->head_dim) - 1), c + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(dk + (0 .. row(head->n, head->head_dim) - 1), c + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(dv + (0 .. row(head->n, head->head_dim) - 1), c + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(t + (0 .. head->n - 1), c + (0 .. row(head->n, head->head_dim) - 1));
    requires separated:
      \separated(dq + (0 .. row(head->n, head->head_dim) - 1), dk + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(dq + (0 .. row(head->n, head->head_dim) - 1), dv + (0 .. row(head->n, head->head_dim) - 1)) &&
      \separated(dk + (0 .. row(head->n, head->head_dim) - 1), dv + (0 .. row(head->n, head->head_dim) - 1));
    requires separated_t: \separated(t + (0 .. head->n - 1), dq + (0 .. row(head->n, head->head_dim) - 1)) &&
                          \separated(t + (0 .. head->n - 1), dk + (0 .. row(head->n, head->head_dim) - 1)) &&
                          \separated(t + (0 .. head->n - 1), dv + (0 .. row(head->n, head->head_dim) - 1));
    terminates \true;
    assigns dq[0 .. row(head->n, head->head_dim) - 1], dk[0 .. row(head->n, head->head_dim) - 1],
            dv[0 .. row(head->n, head->head_dim) - 1], t[0 .. head->n - 1];
    ensures dq: holds_dq{Pre, Post}(dq, head, c, head->n);
    ensures dk: holds_dk{Pre, Post}(dk, head, c, head->n);
    ensures dv: holds_dv{Pre, Post}(dv, head, c, head->n); */
static void cotangent_rows(double *dq, double *dk, double *dv, double *t, const attention_head *head, const double *c) {
  const int n = head->n, k = head->head_dim, vectors = row_offset(n, k, n);
  const double *query = head->query, *key = head->key, *value = head->value, root = head->root;
  vector_zero(dk, vectors);
  vector_zero(dv, vectors);
  //@ assert entries: \forall integer j, r; 0 <= j < n ==> 0 <= r < k ==> 0 <= row(j, k) + r < row(n, k);
  /*@ loop invariant range: 0 <= i <= n;
      loop invariant dq: holds_dq{Pre, Here}(dq, head, c, i);
      loop invariant dk: holds_dk{Pre, Here}(dk, head, c, i);
      loop invariant dv: holds_dv{Pre, Here}(dv, head, c, i);
      loop assigns i, dq[0 .. row(n, k) - 1], dk[0 .. row(n, k) - 1], dv[0 .. row(n, k) - 1], t[0 .. n - 1];
      loop variant n - i; */
  for (int i = 0; i < n; i++) {
    const int start = row_offset(i, k, n), reach = attention_head_reach(head, i);
    const double *p = head->weights + row_offset(i, n, n), *y = head->output + start, *c_i = c + start;
    //@ assert above: \forall integer q; 0 <= q < i ==> 0 <= row(q, k) && row(q, k) + k <= row(i, k);
    //@ assert reached: 0 <= row(reach, k) <= row(n, k);
    //@ assert below: \forall integer l; reach <= l < n ==> row(reach, k) <= row(l, k);
    //@ assert same_weights: vector_same{Pre, Here}(p, reach);
    //@ assert same_query: vector_same{Pre, Here}(query + start, k);
    /*@ assert keys_entries: \forall integer j, r; 0 <= j < reach ==> 0 <= r < k ==>
          key[row(j, k) + r] == \at(\at(key, Here)[row(j, \at(k, Here)) + r], Pre); */
    //@ assert keys_rows: \forall integer j; 0 <= j < reach ==> vector_same{Pre, Here}(key + row(j, k), k);
    //@ assert same_keys: rows_same{Pre, Here}(key, reach, k);
    /*@ assert values_entries: \forall integer j, r; 0 <= j < reach ==> 0 <= r < k ==>
          value[row(j, k) + r] == \at(\at(value, Here)[row(j, \at(k, Here)) + r], Pre); */
    //@ assert values_rows: \forall integer j; 0 <= j < reach ==> vector_same{Pre, Here}(value + row(j, k), k);
    //@ assert same_values: rows_same{Pre, Here}(value, reach, k);
    //@ assert same_output: vector_same{Pre, Here}(y, k);
    //@ assert same_cotangent: vector_same{Pre, Here}(c_i, k);
    /*@ assert same_scores: \forall integer j; 0 <= j < reach ==>
          score_cotangent(p, value, y, c_i, root, k, j) == score_cotangent{Pre}(p, value, y, c_i, root, k, j); */
    /*@ assert same_sums: \forall integer r; 0 <= r < k ==>
          query_cotangent(p, value, y, c_i, root, key, k, r, reach) ==
          query_cotangent{Pre}(p, value, y, c_i, root, key, k, r, reach); */
    /*@ assert dq_formula: \forall integer r; 0 <= r < k ==>
          query_cotangent{Pre}(p, value, y, c_i, root, key, k, r, reach) == head_query_cotangent{Pre}(head, c, i, r); */
    /*@ assert dk_scores: \forall integer l; 0 <= l < reach ==>
          score_cotangent(p, value, y, c_i, root, k, l) == head_cotangent{Pre}(head, c, i, l); */
    /*@ assert dk_next: \forall integer l, r; 0 <= l < reach ==> 0 <= r < k ==>
          head_key_cotangent{Pre}(head, c, l, r, i + 1) == head_key_cotangent{Pre}(head, c, l, r, i)
            + prod(head_cotangent{Pre}(head, c, i, l), (query + start)[r]); */
    /*@ assert dk_step: \forall integer l, r; 0 <= l < reach ==> 0 <= r < k ==>
          head_key_cotangent{Pre}(head, c, l, r, i + 1) == head_key_cotangent{Pre}(head, c, l, r, i)
            + prod(score_cotangent(p, value, y, c_i, root, k, l), (query + start)[r]); */
    /*@ assert dv_step: \forall integer l, r; 0 <= l < reach ==> 0 <= r < k ==>
          head_value_cotangent{Pre}(head, c, l, r, i + 1) ==
          head_value_cotangent{Pre}(head, c, l, r, i) + prod(p[l], c_i[r]); */
    /*@ assert masked: \forall integer l, r; reach <= l ==>
          head_key_cotangent{Pre}(head, c, l, r, i + 1) == head_key_cotangent{Pre}(head, c, l, r, i) &&
          head_value_cotangent{Pre}(head, c, l, r, i + 1) == head_value_cotangent{Pre}(head, c, l, r, i); */
    //@ ghost Row:;
    attention_vjp_row(dq + start, dk, dv, t, p, query + start, key, value, y, c_i, root, reach, k);
    /*@ assert dq_row: \forall integer r; 0 <= r < k ==>
                       dq[row(i, k) + r] == head_query_cotangent{Pre}(head, c, i, r); */
    //@ assert dq_above: \forall integer e; 0 <= e < row(i, k) ==> dq[e] == \at(dq[e], Row);
    /*@ assert dq_kept: \forall integer q, r; 0 <= q < i ==> 0 <= r < k ==>
                        dq[row(q, k) + r] == \at(dq[row(q, k) + r], Row); */
    /*@ assert dk_added: \forall integer l, r; 0 <= l < reach ==> 0 <= r < k ==>
          dk[row(l, k) + r] == \at(dk[row(l, k) + r], Row)
            + prod(score_cotangent{Row}(p, value, y, c_i, root, k, l), \at(query[start + r], Row)); */
    /*@ assert dk_seen: \forall integer l, r; 0 <= l < reach ==> 0 <= r < k ==>
                        dk[row(l, k) + r] == head_key_cotangent{Pre}(head, c, l, r, i + 1); */
    /*@ assert dk_kept: \forall integer l, r; reach <= l < n ==> 0 <= r < k ==>
                        dk[row(l, k) + r] == \at(dk[row(l, k) + r], Row); */
    /*@ assert dk_masked: \forall integer l, r; reach <= l < n ==> 0 <= r < k ==>
                          dk[row(l, k) + r] == head_key_cotangent{Pre}(head, c, l, r, i + 1); */
    /*@ assert dv_added: \forall integer l, r; 0 <= l < reach ==> 0 <= r < k ==>
          dv[row(l, k) + r] == \at(dv[row(l, k) + r], Row) + prod(\at(p[l], Row), \at(c_i[r], Row)); */
    /*@ assert dv_seen: \forall integer l, r; 0 <= l < reach ==> 0 <= r < k ==>
                        dv[row(l, k) + r] == head_value_cotangent{Pre}(head, c, l, r, i + 1); */
    /*@ assert dv_kept: \forall integer l, r; reach <= l < n ==> 0 <= r < k ==>
                        dv[row(l, k) + r] == \at(dv[row(l, k) + r], Row); */
    /*@ assert dv_masked: \forall integer l, r; reach <= l < n ==> 0 <= r < k ==>
                          dv[row(l, k) + r] == head_value_cotangent{Pre}(head, c, l, r, i + 1); */
  }
}

/* dx_l += Q^T dq_l + K^T dk_l + V^T dv_l; the weights are k x d. */
/*@ requires sides: side(k) && side(d);
    requires valid: \valid(dx_l + (0 .. d - 1));
    requires valid_vectors: \valid_read(dq_l + (0 .. k - 1)) && \valid_read(dk_l + (0 .. k - 1)) &&
                            \valid_read(dv_l + (0 .. k - 1));
    requires valid_weights: \valid_read(query_weight + (0 .. row(k, d) - 1)) &&
                            \valid_read(key_weight + (0 .. row(k, d) - 1)) &&
                            \valid_read(value_weight + (0 .. row(k, d) - 1));
    requires separated: \separated(dx_l + (0 .. d - 1), dq_l + (0 .. k - 1)) &&
                        \separated(dx_l + (0 .. d - 1), dk_l + (0 .. k - 1)) &&
                        \separated(dx_l + (0 .. d - 1), dv_l + (0 .. k - 1));
    requires separated_weights: \separated(dx_l + (0 .. d - 1), query_weight + (0 .. row(k, d) - 1)) &&
                                \separated(dx_l + (0 .. d - 1), key_weight + (0 .. row(k, d) - 1)) &&
                                \separated(dx_l + (0 .. d - 1), value_weight + (0 .. row(k, d) - 1));
    terminates \true;
    assigns dx_l[0 .. d - 1];
    ensures result: \forall integer j; 0 <= j < d ==> dx_l[j] == \at(dx_l[j], Pre)
                    + vec_mat{Pre}(dq_l, query_weight, d, j, k) + vec_mat{Pre}(dk_l, key_weight, d, j, k)
                    + vec_mat{Pre}(dv_l, value_weight, d, j, k); */
static void pull_back(double *dx_l, const double *dq_l, const double *dk_l, const double *dv_l,
                      const double *query_weight, const double *key_weight, const double *value_weight, int k, int d) {
  //@ assert inside: \forall integer r, j; 0 <= r < k ==> 0 <= j < d ==> 0 <= row(r, d) + j < row(k, d);
  vector_matrix_add(dx_l, dq_l, query_weight, k, d);
  /*@ assert same_keys: \forall integer j; 0 <= j < d ==>
                        vec_mat(dk_l, key_weight, d, j, k) == vec_mat{Pre}(dk_l, key_weight, d, j, k); */
  vector_matrix_add(dx_l, dk_l, key_weight, k, d);
  /*@ assert same_values: \forall integer j; 0 <= j < d ==>
                          vec_mat(dv_l, value_weight, d, j, k) == vec_mat{Pre}(dv_l, value_weight, d, j, k); */
  vector_matrix_add(dx_l, dv_l, value_weight, k, d);
}

void attention_head_vjp_add(double *dx, const attention_head *head, const double *c, double *scratch) {
  const int n = head->n, d = head->dim, k = head->head_dim, vectors = row_offset(n, k, n);
  double *dq = scratch, *dk = dq + vectors, *dv = dk + vectors;
  cotangent_rows(dq, dk, dv, dv + vectors, head, c);
  for (int l = 0; l < n; l++) {
    const int start = row_offset(l, k, n);
    pull_back(dx + row_offset(l, d, n), dq + start, dk + start, dv + start, head->query_weight, head->key_weight,
              head->value_weight, k, d);
  }
}
