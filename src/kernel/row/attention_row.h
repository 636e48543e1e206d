/* One row of attention of one head: query q_i against the keys and values of its n positions N(i) = {0 .. n-1}.
 * q, y are in R^k; keys and values are n x k; root = sqrt(k). */
#ifndef ATTCERT_KERNEL_ROW_ATTENTION_ROW_H
#define ATTCERT_KERNEL_ROW_ATTENTION_ROW_H

/* What the forward pass leaves behind of row i: views of the arrays of its head. */
typedef struct {
  int n, k;              /* positions in N(i), dimension of the head */
  double root;           /* sqrt(k) */
  const double *weights; /* n: P_ij */
  const double *query;   /* k: q_i */
  const double *output;  /* k: y_i */
  const double *keys;    /* n x k: k_j */
  const double *values;  /* n x k: v_j */
} attention_row_view;

/* How the operands of row i move: the differentials of q_i, of the k_j and of the v_j. */
typedef struct {
  const double *query;  /* k: dq_i */
  const double *keys;   /* n x k: dk_j */
  const double *values; /* n x k: dv_j */
} attention_row_differential;

#ifdef __FRAMAC__
#include "attention/attention_lemmas.acsl"
#include "head/head_jvp.acsl"

#include "attention/jvp.acsl"
#include "attention/vjp_lemmas.acsl"
#endif

/* What the struct of a row refers to is readable, and outside a block of doubles. */
/*@ predicate row_sides(attention_row_view a) = side(a.n) && side(a.k) && 0.0 < a.root;

    predicate row_readable{L}(attention_row_view a) =
      \valid_read(a.weights + (0 .. a.n - 1)) && \valid_read(a.query + (0 .. a.k - 1)) &&
      \valid_read(a.output + (0 .. a.k - 1)) && \valid_read(a.keys + (0 .. row(a.n, a.k) - 1)) &&
      \valid_read(a.values + (0 .. row(a.n, a.k) - 1));

    predicate row_outside(attention_row_view a, double *block, integer size) =
      \separated(block + (0 .. size - 1), a.weights + (0 .. a.n - 1)) &&
      \separated(block + (0 .. size - 1), a.query + (0 .. a.k - 1)) &&
      \separated(block + (0 .. size - 1), a.output + (0 .. a.k - 1)) &&
      \separated(block + (0 .. size - 1), a.keys + (0 .. row(a.n, a.k) - 1)) &&
      \separated(block + (0 .. size - 1), a.values + (0 .. row(a.n, a.k) - 1));

    predicate differential_readable{L}(attention_row_differential da, integer n, integer k) =
      \valid_read(da.query + (0 .. k - 1)) && \valid_read(da.keys + (0 .. row(n, k) - 1)) &&
      \valid_read(da.values + (0 .. row(n, k) - 1));

    predicate differential_outside(attention_row_differential da, integer n, integer k, double *block, integer size) =
      \separated(block + (0 .. size - 1), da.query + (0 .. k - 1)) &&
      \separated(block + (0 .. size - 1), da.keys + (0 .. row(n, k) - 1)) &&
      \separated(block + (0 .. size - 1), da.values + (0 .. row(n, k) - 1)); */

/* s_j = q . k_j / root. */
/*@ requires sides: side(n) && side(k);
    requires root: 0.0 < root;
    requires valid: \valid(s + (0 .. n - 1)) && \valid_read(q + (0 .. k - 1));
    requires valid_keys: \valid_read(keys + (0 .. row(n, k) - 1));
    requires separated: \separated(s + (0 .. n - 1), q + (0 .. k - 1));
    requires separated_keys: \separated(s + (0 .. n - 1), keys + (0 .. row(n, k) - 1));
    terminates \true;
    assigns s[0 .. n - 1];
    ensures result: \forall integer j; 0 <= j < n ==> s[j] == score{Pre}(q, keys, root, k, j); */
void attention_scores(double *s, const double *q, const double *keys, double root, int n, int k);

/* p_j = P_ij, the softmax of the scores. */
/*@ requires sides: side(n) && side(k) && 1 <= n;
    requires root: 0.0 < root;
    requires valid: \valid(p + (0 .. n - 1)) && \valid_read(q + (0 .. k - 1));
    requires valid_keys: \valid_read(keys + (0 .. row(n, k) - 1));
    requires separated: \separated(p + (0 .. n - 1), q + (0 .. k - 1));
    requires separated_keys: \separated(p + (0 .. n - 1), keys + (0 .. row(n, k) - 1));
    terminates \true;
    assigns p[0 .. n - 1];
    ensures result: \forall integer j; 0 <= j < n ==> p[j] == attention_weight{Pre}(q, keys, root, k, n, j);
    ensures positive: \forall integer j; 0 <= j < n ==> 0.0 < p[j];
    ensures one: sum(p, n) == 1.0; */
void attention_weights(double *p, const double *q, const double *keys, double root, int n, int k);

/* ds_j = (q . dk_j + dq . k_j) / root, the differential of the scores. */
/*@ requires sides: side(n) && side(k);
    requires root: 0.0 < root;
    requires valid: \valid(ds + (0 .. n - 1)) && \valid_read(q + (0 .. k - 1)) && \valid_read(dq + (0 .. k - 1));
    requires valid_keys: \valid_read(keys + (0 .. row(n, k) - 1)) && \valid_read(dkeys + (0 .. row(n, k) - 1));
    requires separated: \separated(ds + (0 .. n - 1), q + (0 .. k - 1)) &&
                        \separated(ds + (0 .. n - 1), dq + (0 .. k - 1));
    requires separated_keys: \separated(ds + (0 .. n - 1), keys + (0 .. row(n, k) - 1)) &&
                             \separated(ds + (0 .. n - 1), dkeys + (0 .. row(n, k) - 1));
    terminates \true;
    assigns ds[0 .. n - 1];
    ensures result: \forall integer j; 0 <= j < n ==>
                    ds[j] == score_differential{Pre}(q, dq, keys, dkeys, root, k, j); */
void attention_score_differentials(double *ds, const double *q, const double *dq, const double *keys,
                                   const double *dkeys, double root, int n, int k);

/* dy = sum_j p_j (dv_j + (v_j - y) ds_j), row i of the Jacobian-vector product. */
/*@ requires sides: side(n) && side(k);
    requires valid: \valid(dy + (0 .. k - 1)) && \valid_read(y + (0 .. k - 1));
    requires valid_row: \valid_read(p + (0 .. n - 1)) && \valid_read(ds + (0 .. n - 1));
    requires valid_values: \valid_read(values + (0 .. row(n, k) - 1)) && \valid_read(dvalues + (0 .. row(n, k) - 1));
    requires separated: \separated(dy + (0 .. k - 1), y + (0 .. k - 1));
    requires separated_row: \separated(dy + (0 .. k - 1), p + (0 .. n - 1)) &&
                            \separated(dy + (0 .. k - 1), ds + (0 .. n - 1));
    requires separated_values: \separated(dy + (0 .. k - 1), values + (0 .. row(n, k) - 1)) &&
                               \separated(dy + (0 .. k - 1), dvalues + (0 .. row(n, k) - 1));
    terminates \true;
    assigns dy[0 .. k - 1];
    ensures result: \forall integer r; 0 <= r < k ==> dy[r] == jvp_entry{Pre}(p, values, y, dvalues, ds, k, r, n); */
void attention_jvp_row(double *dy, const double *p, const double *values, const double *y, const double *dvalues,
                       const double *ds, int n, int k);

/* dy = sum_j p_j (dv_j + (v_j - y) ds_j) with the ds_j of q, dq, keys and their differentials: the two above in a row.
 * ds is scratch, which then holds the ds_j. */
/*@ requires row: row_sides(a) && row_readable(a) && differential_readable(da, a.n, a.k);
    requires valid: \valid(dy + (0 .. a.k - 1)) && \valid(ds + (0 .. a.n - 1));
    requires separated: \separated(dy + (0 .. a.k - 1), ds + (0 .. a.n - 1));
    requires outside: row_outside(a, dy, a.k) && row_outside(a, ds, a.n);
    requires differential_outside: differential_outside(da, a.n, a.k, dy, a.k) &&
                                   differential_outside(da, a.n, a.k, ds, a.n);
    terminates \true;
    assigns dy[0 .. a.k - 1], ds[0 .. a.n - 1];
    ensures result: \forall integer r; 0 <= r < a.k ==>
      dy[r] == jvp_head_entry{Pre}(a.weights, a.values, a.output, da.values, a.query, da.query, a.keys, da.keys, a.root,
                                   a.k, r, a.n); */
void head_jvp_row(double *dy, double *ds, attention_row_view a, attention_row_differential da);

/* t_j = p_j ((v_j - y) . c) / root for a cotangent c in R^k: the cotangent of q . k_j. */
/*@ requires sides: side(n) && side(k);
    requires root: 0.0 < root;
    requires valid: \valid(t + (0 .. n - 1)) && \valid_read(p + (0 .. n - 1));
    requires valid_vectors: \valid_read(y + (0 .. k - 1)) && \valid_read(c + (0 .. k - 1));
    requires valid_values: \valid_read(values + (0 .. row(n, k) - 1));
    requires separated: \separated(t + (0 .. n - 1), p + (0 .. n - 1));
    requires separated_vectors: \separated(t + (0 .. n - 1), y + (0 .. k - 1)) &&
                                \separated(t + (0 .. n - 1), c + (0 .. k - 1));
    requires separated_values: \separated(t + (0 .. n - 1), values + (0 .. row(n, k) - 1));
    terminates \true;
    assigns t[0 .. n - 1];
    ensures result: \forall integer j; 0 <= j < n ==> t[j] == score_cotangent{Pre}(p, values, y, c, root, k, j); */
void attention_score_cotangents(double *t, const double *p, const double *values, const double *y, const double *c,
                                double root, int n, int k);

#endif
