#include "certify/enclosure/direction_row.h"

#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "kernel/linear/index.h"

/* ds contains (q . dkey + dq . key) / root. */
/*@ requires side: side(k);
    requires valid: \valid(ds) && \valid(term) && \valid(ws) && \valid_read(root);
    requires valid_rows: \valid_read(q + (0 .. k - 1)) && \valid_read(dkey + (0 .. k - 1)) &&
                         \valid_read(dq + (0 .. k - 1)) && \valid_read(key + (0 .. k - 1));
    requires live: live(ds) && live(term) && live_scratch(ws) && live(root);
    requires live_rows: live_vec(q, k) && live_vec(dkey, k) && live_vec(dq, k) && live_vec(key, k);
    requires separated_q: \separated(ds, term, ws, q + (0 .. k - 1));
    requires separated_dkey: \separated(ds, term, ws, dkey + (0 .. k - 1));
    requires separated_dq: \separated(ds, term, ws, dq + (0 .. k - 1));
    requires separated_key: \separated(ds, term, ws, key + (0 .. k - 1));
    requires separated_root: \separated(ds, term, ws, root);
    terminates \true;
    assigns *ds, *term, *ws;
    ensures contains: \forall rvec x, dm, dx, m, real r; 0.0 < r ==> in{Pre}(root, r) ==>
      in_vec{Pre}(q, x, 0, k) ==> in_vec{Pre}(dkey, dm, 0, k) ==> in_vec{Pre}(dq, dx, 0, k) ==>
      in_vec{Pre}(key, m, 0, k) ==> in(ds, quo(real_dot(x, dm, 0, k) + real_dot(dx, m, 0, k), r)); */
static void score_differential(interval *ds, const interval *q, const interval *dkey, const interval *dq,
                               const interval *key, const interval *root, int k, interval *term, interval_scratch *ws) {
  interval_dot(ds, q, dkey, (size_t)k, ws);
  //@ ghost Query:;
  /*@ assert by_key: \forall rvec x, dm; in_vec{Pre}(q, x, 0, k) ==> in_vec{Pre}(dkey, dm, 0, k) ==>
        in(ds, real_dot(x, dm, 0, k)); */
  //@ assert query: kept{Pre, Here}(dq, 0, k);
  //@ assert key: kept{Pre, Here}(key, 0, k);
  //@ assert divisor_query: \forall real r; in{Pre}(root, r) ==> in(root, r);
  /*@ assert factors: \forall rvec dx, m; in_vec{Pre}(dq, dx, 0, k) ==> in_vec{Pre}(key, m, 0, k) ==>
        in_vec(dq, dx, 0, k) && in_vec(key, m, 0, k); */
  interval_dot(term, dq, key, (size_t)k, ws);
  /*@ assert by_query: \forall rvec dx, m; in_vec{Pre}(dq, dx, 0, k) ==> in_vec{Pre}(key, m, 0, k) ==>
        in(term, real_dot(dx, m, 0, k)); */
  //@ assert first: \forall real s; in{Query}(ds, s) ==> in(ds, s);
  //@ assert divisor_both: \forall real r; in{Pre}(root, r) ==> in(root, r);
  interval_add(ds, ds, term);
  /*@ assert sum: \forall rvec x, dm, dx, m; in_vec{Pre}(q, x, 0, k) ==> in_vec{Pre}(dkey, dm, 0, k) ==>
        in_vec{Pre}(dq, dx, 0, k) ==> in_vec{Pre}(key, m, 0, k) ==>
        in(ds, real_dot(x, dm, 0, k) + real_dot(dx, m, 0, k)); */
  //@ assert divisor: \forall real r; in{Pre}(root, r) ==> in(root, r);
  interval_div(ds, ds, root, ws);
}

/* term contains v - y. Where i attends to itself alone, y = v, and term is [0, 0] rather than as wide as v - v. */
/*@ requires valid: \valid(term) && \valid_read(value) && \valid_read(mean);
    requires live: live(term) && live(value) && live(mean);
    requires separated: \separated(term, value) && \separated(term, mean);
    terminates \true;
    assigns *term;
    ensures contains: \forall real v, y; in{Pre}(value, v) ==> in{Pre}(mean, y) ==> (n == 1 ==> vanishes(v - y)) ==>
      in(term, v - y); */
static void deviation_of(interval *term, const interval *value, const interval *mean, int n) {
  if (n == 1)
    interval_set_zero(term);
  else
    interval_sub(term, value, mean);
}

/* Adds p (dvalue + (value - mean) ds) to dy. */
/*@ requires valid: \valid(dy) && \valid(term) && \valid(ws) && \valid_read(p) && \valid_read(dvalue) &&
                    \valid_read(value) && \valid_read(mean) && \valid_read(ds);
    requires live: live(dy) && live(term) && live_scratch(ws) && live(p) && live(dvalue) && live(value) &&
      live(mean) && live(ds);
    requires separated_p: \separated(dy, term, ws, p);
    requires separated_dvalue: \separated(dy, term, ws, dvalue);
    requires separated_value: \separated(dy, term, ws, value);
    requires separated_mean: \separated(dy, term, ws, mean);
    requires separated_ds: \separated(dy, term, ws, ds);
    terminates \true;
    assigns *dy, *term, *ws;
    ensures contains: \forall real o, a, dv, v, y, s; in{Pre}(p, a) ==> in{Pre}(dvalue, dv) ==> in{Pre}(value, v) ==>
      in{Pre}(mean, y) ==> in{Pre}(ds, s) ==> (n == 1 ==> vanishes(v - y)) ==> in{Pre}(dy, o) ==>
      in(dy, o + real_direction_summand(a, dv, v, y, s)); */
static void summand_add(interval *dy, const interval *p, const interval *dvalue, const interval *value,
                        const interval *mean, const interval *ds, int n, interval *term, interval_scratch *ws) {
  deviation_of(term, value, mean, n);
  //@ ghost Deviation:;
  //@ assert slope: \forall real s; in{Pre}(ds, s) ==> in(ds, s);
  //@ assert derivative: \forall real dv; in{Pre}(dvalue, dv) ==> in(dvalue, dv);
  //@ assert old_deviation: \forall real o; in{Pre}(dy, o) ==> in(dy, o);
  //@ assert weight_deviation: \forall real a; in{Pre}(p, a) ==> in(p, a);
  interval_fma(term, term, ds, dvalue, ws);
  //@ assert old_inner: \forall real o; in{Deviation}(dy, o) ==> in(dy, o);
  //@ assert weight_inner: \forall real a; in{Deviation}(p, a) ==> in(p, a);
  /*@ assert inner: \forall real dv, v, y, s; in{Pre}(dvalue, dv) ==> in{Pre}(value, v) ==> in{Pre}(mean, y) ==>
        in{Pre}(ds, s) ==> (n == 1 ==> vanishes(v - y)) ==> in(term, prod(v - y, s) + dv); */
  //@ assert old: \forall real o; in{Pre}(dy, o) ==> in(dy, o);
  //@ assert weight: \forall real a; in{Pre}(p, a) ==> in(p, a);
  interval_fma(dy, p, term, dy, ws);
}

/* Adds the summand of one position to all k entries of dy. */
/*@ requires side: side(k);
    requires valid: \valid(dy + (0 .. k - 1)) && \valid(term) && \valid(ws) && \valid_read(p) && \valid_read(ds);
    requires valid_rows: \valid_read(dvalues + (0 .. k - 1)) && \valid_read(values + (0 .. k - 1)) &&
                         \valid_read(mean + (0 .. k - 1));
    requires live: live_vec(dy, k) && live(term) && live_scratch(ws) && live(p) && live(ds);
    requires live_rows: live_vec(dvalues, k) && live_vec(values, k) && live_vec(mean, k);
    requires separated_p: \separated(dy + (0 .. k - 1), term, ws, p);
    requires separated_dvalues: \separated(dy + (0 .. k - 1), term, ws, dvalues + (0 .. k - 1));
    requires separated_values: \separated(dy + (0 .. k - 1), term, ws, values + (0 .. k - 1));
    requires separated_mean: \separated(dy + (0 .. k - 1), term, ws, mean + (0 .. k - 1));
    requires separated_ds: \separated(dy + (0 .. k - 1), term, ws, ds);
    terminates \true;
    assigns dy[0 .. k - 1], *term, *ws;
    ensures contains: summand_added{Pre, Pre, Post}(dy, p, dvalues, values, mean, ds, n, k); */
static void summands_add(interval *dy, const interval *p, const interval *dvalues, const interval *values,
                         const interval *mean, const interval *ds, int n, int k, interval *term, interval_scratch *ws) {
  /*@ loop invariant range: 0 <= r <= k;
      loop invariant done: summand_added{Pre, Pre, Here}(dy, p, dvalues, values, mean, ds, n, r);
      loop invariant rest: kept{Pre, Here}(dy, r, k);
      loop assigns r, dy[0 .. k - 1], *term, *ws;
      loop variant k - r; */
  for (int r = 0; r < k; r++) {
    //@ ghost Before:;
    //@ assert weight: \forall real a; in{Pre}(p, a) ==> in(p, a);
    //@ assert slope: \forall real s; in{Pre}(ds, s) ==> in(ds, s);
    //@ assert derivative: \forall real x; in{Pre}(dvalues + r, x) ==> in(dvalues + r, x);
    //@ assert value: \forall real x; in{Pre}(values + r, x) ==> in(values + r, x);
    //@ assert mean: \forall real x; in{Pre}(mean + r, x) ==> in(mean + r, x);
    //@ assert old: \forall real o; in{Pre}(dy + r, o) ==> in(dy + r, o);
    summand_add(&dy[r], p, &dvalues[r], &values[r], &mean[r], ds, n, term, ws);
    /*@ assert summand: \forall real o, a, dv, v, y, s; in{Pre}(p, a) ==> entry_in{Pre}(dvalues, r, dv) ==>
          entry_in{Pre}(values, r, v) ==> entry_in{Pre}(mean, r, y) ==> in{Pre}(ds, s) ==>
          (n == 1 ==> vanishes(v - y)) ==> in{Pre}(dy + r, o) ==>
          in(dy + r, o + real_direction_summand(a, dv, v, y, s)); */
    //@ assert below: kept{Before, Here}(dy, 0, r);
    //@ assert above: kept{Before, Here}(dy, r + 1, k);
  }
}

/* Adds the summands of position j. */
/*@ requires sides: side(f.n) && side(f.k) && 0 <= j < f.n;
    requires readable: direction_row_readable(f);
    requires valid: \valid(dy + (0 .. f.k - 1)) && \valid(ds) && \valid(term) && \valid(ws);
    requires live: live_vec(dy, f.k) && live(ds) && live(term) && live_scratch(ws);
    requires separated: direction_row_outside(f, dy, ds, term, ws);
    terminates \true;
    assigns dy[0 .. f.k - 1], *ds, *term, *ws;
    ensures added: row_stepped{Pre, Pre, Post}(dy, f, j); */
static void position_add(interval *dy, direction_row f, int j, interval *ds, interval *term, interval_scratch *ws) {
  const int n = f.n, k = f.k;
  const int start = row_offset(j, k, n);
  //@ assert inside: 0 <= start && start + k <= row(n, k);
  /*@ assert key: \forall rvec m; in_vec(f.keys, m, 0, row(n, k)) ==>
        in_vec(f.keys + start, matrix_row(m, k, j), 0, k); */
  /*@ assert key_derivative: \forall rvec m; in_vec(f.dkeys, m, 0, row(n, k)) ==>
        in_vec(f.dkeys + start, matrix_row(m, k, j), 0, k); */
  score_differential(ds, f.q, f.dkeys + start, f.dq, f.keys + start, f.root, k, term, ws);
  //@ ghost Slope:;
  /*@ assert frame: \forall interval *b, integer m; \separated(b + (0 .. m - 1), ds) ==>
        \separated(b + (0 .. m - 1), term) ==> \separated(b + (0 .. m - 1), ws) ==> kept{Pre, Here}(b, 0, m); */
  //@ assert before: kept{Pre, Here}(dy, 0, k);
  //@ assert weight: \forall real a; in{Pre}(f.p + j, a) ==> in(f.p + j, a);
  //@ assert derivatives: kept{Pre, Here}(f.dvalues + start, 0, k);
  //@ assert values: kept{Pre, Here}(f.values + start, 0, k);
  //@ assert mean: kept{Pre, Here}(f.mean, 0, k);
  /*@ assert slope: \forall rvec x, dx, m, dm, real s; 0.0 < s ==> in{Pre}(f.root, s) ==>
        in_vec{Pre}(f.q, x, 0, k) ==> in_vec{Pre}(f.dq, dx, 0, k) ==> in_vec{Pre}(f.keys, m, 0, row(n, k)) ==>
        in_vec{Pre}(f.dkeys, dm, 0, row(n, k)) ==> in(ds, real_score_differential(x, dx, m, dm, s, k, j)); */
  summands_add(dy, &f.p[j], f.dvalues + start, f.values + start, f.mean, ds, n, k, term, ws);
  /*@ assert added: summand_added{Slope, Slope, Here}(dy, f.p + j, f.dvalues + start, f.values + start, f.mean, ds, n,
                                                      k); */
  /*@ assert entries: \forall integer r, real o, a, dv, v, y, s; 0 <= r < k ==> in{Pre}(f.p + j, a) ==>
        entry_in{Pre}(f.dvalues + start, r, dv) ==> entry_in{Pre}(f.values + start, r, v) ==>
        in{Pre}(f.mean + r, y) ==> in{Slope}(ds, s) ==> (n == 1 ==> vanishes(v - y)) ==> in{Pre}(dy + r, o) ==>
        in(dy + r, o + real_direction_summand(a, dv, v, y, s)); */
  /*@ assert shifted: \forall integer r, real x;
        (in{Pre}(f.dvalues + (start + r), x) ==> entry_in{Pre}(f.dvalues + start, r, x)) &&
        (in{Pre}(f.values + (start + r), x) ==> entry_in{Pre}(f.values + start, r, x)); */
  /*@ assert term: \forall integer r, real o, a, dv, v, y, s; 0 <= r < k ==> in{Pre}(f.p + j, a) ==>
        in{Pre}(f.dvalues + (start + r), dv) ==> in{Pre}(f.values + (start + r), v) ==> in{Pre}(f.mean + r, y) ==>
        in{Slope}(ds, s) ==> (n == 1 ==> vanishes(v - y)) ==> in{Pre}(dy + r, o) ==>
        in(dy + r, o + real_direction_summand(a, dv, v, y, s)); */
  /*@ assert alone: \forall rvec values, y, integer r; n == 1 ==>
        vanishes(entry(values, row(0, k) + r) - entry(y, r)) ==>
        vanishes(entry(values, start + r) - entry(y, r)); */
  /*@ assert members: \forall rvec p, q, dq, keys, dkeys, values, dvalues, y, real root;
        are_direction_factors{Pre}(f, p, q, dq, keys, dkeys, values, dvalues, y, root) ==>
        \forall integer r; 0 <= r < k ==> in{Pre}(f.p + j, entry(p, j)) &&
        in{Pre}(f.dvalues + (start + r), entry(dvalues, start + r)) &&
        in{Pre}(f.values + (start + r), entry(values, start + r)) && in{Pre}(f.mean + r, entry(y, r)); */
}

void direction_row_add(interval *dy, direction_row f, interval *ds, interval *term, interval_scratch *ws) {
  /*@ loop invariant range: 0 <= j <= f.n;
      loop invariant partial: row_directed{Pre, Pre, Here}(dy, f, j);
      loop assigns j, dy[0 .. f.k - 1], *ds, *term, *ws;
      loop variant f.n - j; */
  for (int j = 0; j < f.n; j++) {
    //@ ghost Before:;
    /*@ assert frame: \forall interval *b, integer m; \separated(b + (0 .. m - 1), dy + (0 .. f.k - 1)) ==>
          \separated(b + (0 .. m - 1), ds) ==> \separated(b + (0 .. m - 1), term) ==>
          \separated(b + (0 .. m - 1), ws) ==> kept{Pre, Here}(b, 0, m); */
    //@ assert p: kept{Pre, Here}(f.p, 0, f.n);
    //@ assert q: kept{Pre, Here}(f.q, 0, f.k);
    //@ assert dq: kept{Pre, Here}(f.dq, 0, f.k);
    //@ assert keys: kept{Pre, Here}(f.keys, 0, row(f.n, f.k));
    //@ assert dkeys: kept{Pre, Here}(f.dkeys, 0, row(f.n, f.k));
    //@ assert values: kept{Pre, Here}(f.values, 0, row(f.n, f.k));
    //@ assert dvalues: kept{Pre, Here}(f.dvalues, 0, row(f.n, f.k));
    //@ assert mean: kept{Pre, Here}(f.mean, 0, f.k);
    //@ assert root: \forall real s; in{Pre}(f.root, s) ==> in(f.root, s);
    /*@ assert factors: \forall rvec p, q, dq, keys, dkeys, values, dvalues, y, real root;
          are_direction_factors{Pre}(f, p, q, dq, keys, dkeys, values, dvalues, y, root) ==>
          are_direction_factors(f, p, q, dq, keys, dkeys, values, dvalues, y, root); */
    position_add(dy, f, j, ds, term, ws);
    //@ assert step: row_stepped{Pre, Before, Here}(dy, f, j);
    /*@ assert next: \forall rvec p, q, dq, keys, dkeys, values, dvalues, y, real root, integer r;
          real_direction(p, q, dq, keys, dkeys, values, dvalues, y, root, f.k, r, j + 1) ==
          real_direction(p, q, dq, keys, dkeys, values, dvalues, y, root, f.k, r, j) +
          real_direction_step(p, q, dq, keys, dkeys, values, dvalues, y, root, f.k, r, j); */
    /*@ assert sum: \forall rvec p, q, dq, keys, dkeys, values, dvalues, y, real root;
          are_direction_factors{Pre}(f, p, q, dq, keys, dkeys, values, dvalues, y, root) ==>
          \forall integer r, real o; 0 <= r < f.k ==> in{Pre}(dy + r, o) ==>
          in(dy + r, o + real_direction(p, q, dq, keys, dkeys, values, dvalues, y, root, f.k, r, j) +
                       real_direction_step(p, q, dq, keys, dkeys, values, dvalues, y, root, f.k, r, j)); */
  }
}
