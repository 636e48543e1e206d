/* The theorem about the derivative along a direction in intervals: from intervals of the query q_i, the keys, the
 * values and their derivatives to dy_i of one head, by the functions of src/certify/enclosure/.
 *
 *   For all real inputs in the input intervals, the entries of the real derivative are in the output intervals.
 *
 * real_direction (spec/real/real_direction.acsl) is the whole formula, with the weights and the mean of the row of
 * attention. n is the number of positions that token i attends to, i + 1 under the causal mask.
 *
 * No program calls this function: it is here to show that the contracts together make up the formula. direction.c makes
 * the same calls, for all heads and tokens, after layer_enclosure.c. */
#include "certify/enclosure/attention_enclosure.h"
#include "certify/enclosure/direction_row.h"
#include "interval/interval_set.h"

#include "interval/interval_life_lemmas.acsl"

/* The real inputs are in the intervals. */
/*@ predicate are_moving_inputs{L}(direction_row f, rvec q, rvec dq, rvec keys, rvec dkeys, rvec values, rvec dvalues,
                                   real root) =
      0.0 < root && in(f.root, root) && in_vec(f.q, q, 0, f.k) && in_vec(f.dq, dq, 0, f.k) &&
      in_vec(f.keys, keys, 0, row(f.n, f.k)) && in_vec(f.dkeys, dkeys, 0, row(f.n, f.k)) &&
      in_vec(f.values, values, 0, row(f.n, f.k)) && in_vec(f.dvalues, dvalues, 0, row(f.n, f.k)); */

/*@ requires side: side(k);
    requires valid: \valid(dy + (0 .. k - 1));
    requires live: live_vec(dy, k);
    terminates \true;
    assigns dy[0 .. k - 1];
    ensures zero: \forall integer r; 0 <= r < k ==> in(dy + r, 0.0); */
static void set_zero(interval *dy, int k) {
  /*@ loop invariant range: 0 <= t <= k;
      loop invariant zero: \forall integer r; 0 <= r < t ==> in(dy + r, 0.0);
      loop assigns t, dy[0 .. k - 1];
      loop variant k - t; */
  for (int t = 0; t < k; t++) {
    //@ ghost Before:;
    interval_set_zero(&dy[t]);
    //@ assert others: kept{Before, Here}(dy, 0, t);
  }
}

/* The theorem. p and y, which f names, take the row of attention; ds and term are scratch. */
/*@ requires sides: side(f.n) && side(f.k) && 1 <= f.n && 1 <= precision;
    requires row: p == f.p && y == f.mean;
    requires readable: direction_row_readable(f);
    requires valid: \valid(dy + (0 .. f.k - 1)) && \valid(p + (0 .. f.n - 1)) && \valid(y + (0 .. f.k - 1)) &&
                    \valid(ds) && \valid(term) && \valid(ws);
    requires live: live_vec(dy, f.k) && live(ds) && live(term) && live_scratch(ws);
    requires separated: direction_row_outside(f, dy, ds, term, ws);
    requires apart: \separated(p + (0 .. f.n - 1), y + (0 .. f.k - 1), ws, f.q + (0 .. f.k - 1));
    requires apart_dq: \separated(p + (0 .. f.n - 1), y + (0 .. f.k - 1), ws, f.dq + (0 .. f.k - 1));
    requires apart_keys: \separated(p + (0 .. f.n - 1), y + (0 .. f.k - 1), ws, f.keys + (0 .. row(f.n, f.k) - 1));
    requires apart_dkeys: \separated(p + (0 .. f.n - 1), y + (0 .. f.k - 1), ws, f.dkeys + (0 .. row(f.n, f.k) - 1));
    requires apart_values: \separated(p + (0 .. f.n - 1), y + (0 .. f.k - 1), ws,
                                      f.values + (0 .. row(f.n, f.k) - 1));
    requires apart_dvalues: \separated(p + (0 .. f.n - 1), y + (0 .. f.k - 1), ws,
                                       f.dvalues + (0 .. row(f.n, f.k) - 1));
    requires apart_root: \separated(p + (0 .. f.n - 1), y + (0 .. f.k - 1), ws, f.root);
    terminates \true;
    assigns dy[0 .. f.k - 1], p[0 .. f.n - 1], y[0 .. f.k - 1], *ds, *term, *ws, mpfr_lives;
    ensures theorem: \forall rvec q, dq, keys, dkeys, values, dvalues, real root;
      are_moving_inputs{Pre}(f, q, dq, keys, dkeys, values, dvalues, root) ==>
      \forall integer r; 0 <= r < f.k ==>
      in(dy + r, real_direction(real_attention(q, keys, root, f.k, f.n), q, dq, keys, dkeys, values, dvalues,
                                real_mean(real_attention(q, keys, root, f.k, f.n), values, f.k, f.n), root, f.k, r,
                                f.n)); */
void direction_row_theorem(interval *dy, interval *p, interval *y, direction_row f, mpfr_prec_t precision, interval *ds,
                           interval *term, interval_scratch *ws) {
  const attention_row attended = {.n = f.n, .k = f.k, .q = f.q, .keys = f.keys, .values = f.values, .root = f.root};
  attention_row_enclosure(p, y, attended, precision, ws);
  //@ ghost Row:;
  //@ assert frame: keeps_two{Pre, Here}(p, f.n, y, f.k, ws);
  //@ assert live_row: live_vec(f.p, f.n) && live_vec(f.mean, f.k) && live_vec(dy, f.k);
  //@ assert live_queries: live_vec(f.q, f.k) && live_vec(f.dq, f.k) && live(f.root);
  //@ assert live_keys: live_vec(f.keys, row(f.n, f.k)) && live_vec(f.dkeys, row(f.n, f.k));
  //@ assert live_values: live_vec(f.values, row(f.n, f.k)) && live_vec(f.dvalues, row(f.n, f.k));
  //@ assert live_room: live(ds) && live(term) && live_scratch(ws);
  //@ assert q: kept{Pre, Here}(f.q, 0, f.k);
  //@ assert dq: kept{Pre, Here}(f.dq, 0, f.k);
  //@ assert keys: kept{Pre, Here}(f.keys, 0, row(f.n, f.k));
  //@ assert dkeys: kept{Pre, Here}(f.dkeys, 0, row(f.n, f.k));
  //@ assert values: kept{Pre, Here}(f.values, 0, row(f.n, f.k));
  //@ assert dvalues: kept{Pre, Here}(f.dvalues, 0, row(f.n, f.k));
  //@ assert root_row: kept{Pre, Here}(f.root, 0, 1);
  //@ assert root: \forall real s; in{Pre}(f.root, s) ==> in(f.root, s);
  /*@ assert attention: \forall rvec q, dq, keys, dkeys, values, dvalues, real root;
        are_moving_inputs{Pre}(f, q, dq, keys, dkeys, values, dvalues, root) ==>
        in_vec(f.p, real_attention(q, keys, root, f.k, f.n), 0, f.n) &&
        in_vec(f.mean, real_mean(real_attention(q, keys, root, f.k, f.n), values, f.k, f.n), 0, f.k); */
  /*@ assert alone: \forall rvec q, keys, values, real root; f.n == 1 ==> \forall integer r;
        vanishes(entry(values, row(0, f.k) + r) -
                 entry(real_mean(real_attention(q, keys, root, f.k, f.n), values, f.k, f.n), r)); */
  /*@ assert row_factors: \forall rvec q, dq, keys, dkeys, values, dvalues, real root;
        are_moving_inputs{Pre}(f, q, dq, keys, dkeys, values, dvalues, root) ==>
        are_direction_factors(f, real_attention(q, keys, root, f.k, f.n), q, dq, keys, dkeys, values, dvalues,
                              real_mean(real_attention(q, keys, root, f.k, f.n), values, f.k, f.n), root); */
  set_zero(dy, f.k);
  /*@ assert frame_zero: \forall interval *b, integer m; \separated(b + (0 .. m - 1), dy + (0 .. f.k - 1)) ==>
        kept{Row, Here}(b, 0, m); */
  //@ assert zero_p: kept{Row, Here}(f.p, 0, f.n);
  //@ assert zero_q: kept{Row, Here}(f.q, 0, f.k);
  //@ assert zero_dq: kept{Row, Here}(f.dq, 0, f.k);
  //@ assert zero_keys: kept{Row, Here}(f.keys, 0, row(f.n, f.k));
  //@ assert zero_dkeys: kept{Row, Here}(f.dkeys, 0, row(f.n, f.k));
  //@ assert zero_values: kept{Row, Here}(f.values, 0, row(f.n, f.k));
  //@ assert zero_dvalues: kept{Row, Here}(f.dvalues, 0, row(f.n, f.k));
  //@ assert zero_mean: kept{Row, Here}(f.mean, 0, f.k);
  //@ assert zero_root_row: kept{Row, Here}(f.root, 0, 1);
  //@ assert zero_root: \forall real s; in{Row}(f.root, s) ==> in(f.root, s);
  /*@ assert factors: \forall rvec p, q, dq, keys, dkeys, values, dvalues, y, real root;
        are_direction_factors{Row}(f, p, q, dq, keys, dkeys, values, dvalues, y, root) ==>
        are_direction_factors(f, p, q, dq, keys, dkeys, values, dvalues, y, root); */
  //@ ghost Zero:;
  direction_row_add(dy, f, ds, term, ws);
  //@ assert directed: row_directed{Zero, Zero, Here}(dy, f, f.n);
  /*@ assert sum: \forall rvec p, q, dq, keys, dkeys, values, dvalues, y, real root;
        are_direction_factors{Zero}(f, p, q, dq, keys, dkeys, values, dvalues, y, root) ==>
        \forall integer r; 0 <= r < f.k ==> in{Zero}(dy + r, 0.0) &&
        in(dy + r, 0.0 + real_direction(p, q, dq, keys, dkeys, values, dvalues, y, root, f.k, r, f.n)); */
}
