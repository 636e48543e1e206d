/* One row of attention of one head: query q_i against the keys and values of its n positions N(i) = {0 .. n-1}.
 * q, y are in R^k; keys and values are n x k; root = sqrt(k). */
#ifndef ATTCERT_ATTENTION_ROW_H
#define ATTCERT_ATTENTION_ROW_H

#ifdef __FRAMAC__
#include "attention/attention_lemmas.acsl"
#include "head/head_jvp.acsl"

#include "attention/jvp.acsl"
#include "attention/vjp_lemmas.acsl"
#endif

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
/*@ requires sides: side(n) && side(k);
    requires root: 0.0 < root;
    requires valid: \valid(dy + (0 .. k - 1)) && \valid(ds + (0 .. n - 1));
    requires valid_vectors: \valid_read(p + (0 .. n - 1)) && \valid_read(q + (0 .. k - 1)) &&
                            \valid_read(dq + (0 .. k - 1)) && \valid_read(y + (0 .. k - 1));
    requires valid_keys: \valid_read(keys + (0 .. row(n, k) - 1)) && \valid_read(dkeys + (0 .. row(n, k) - 1));
    requires valid_values: \valid_read(values + (0 .. row(n, k) - 1)) && \valid_read(dvalues + (0 .. row(n, k) - 1));
    requires separated: \separated(dy + (0 .. k - 1), ds + (0 .. n - 1));
    requires separated_dy: \separated(dy + (0 .. k - 1), p + (0 .. n - 1)) &&
                           \separated(dy + (0 .. k - 1), y + (0 .. k - 1)) &&
                           \separated(dy + (0 .. k - 1), values + (0 .. row(n, k) - 1)) &&
                           \separated(dy + (0 .. k - 1), dvalues + (0 .. row(n, k) - 1));
    requires separated_vectors: \separated(ds + (0 .. n - 1), p + (0 .. n - 1)) &&
                                \separated(ds + (0 .. n - 1), q + (0 .. k - 1)) &&
                                \separated(ds + (0 .. n - 1), dq + (0 .. k - 1)) &&
                                \separated(ds + (0 .. n - 1), y + (0 .. k - 1));
    requires separated_keys: \separated(ds + (0 .. n - 1), keys + (0 .. row(n, k) - 1)) &&
                             \separated(ds + (0 .. n - 1), dkeys + (0 .. row(n, k) - 1));
    requires separated_values: \separated(ds + (0 .. n - 1), values + (0 .. row(n, k) - 1)) &&
                               \separated(ds + (0 .. n - 1), dvalues + (0 .. row(n, k) - 1));
    terminates \true;
    assigns dy[0 .. k - 1], ds[0 .. n - 1];
    ensures result: \forall integer r; 0 <= r < k ==>
      dy[r] == jvp_head_entry{Pre}(p, values, y, dvalues, q, dq, keys, dkeys, root, k, r, n); */
void head_jvp_row(double *dy, double *ds, const double *p, const double *q, const double *dq, const double *keys,
                  const double *dkeys, const double *values, const double *y, const double *dvalues, double root, int n,
                  int k);

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
