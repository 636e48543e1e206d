#include "theory/heads/heads_pull.h"

#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "interval/interval_vec.h"
#include "theory/layer_norms.h"

enum { TEMPORARIES = 4 };

/* x := what is within miss of a double */
static void set_within(interval *x, double middle, double miss, interval *t) {
  interval_set_d(x, miss);
  mpfr_neg(x->lo, x->hi, MPFR_RNDD);
  interval_set_d(t, middle);
  interval_add(x, x, t);
}

/* (a, b) becomes (a c + b s, b c - a s). */
static void turn_back(interval *a, interval *b, const rotary_turn *turn, interval *t, interval_scratch *ws) {
  interval *const cosine = &t[0], *const sine = &t[1], *const turned = &t[2], *const other = &t[3];
  set_within(cosine, turn->cosine, turn->cosine_miss, other);
  set_within(sine, turn->sine, turn->sine_miss, other);
  interval_mul(turned, a, cosine, ws);
  interval_fma(turned, b, sine, turned, ws);
  interval_mul(other, b, cosine, ws);
  interval_neg(sine, sine);
  interval_fma(other, a, sine, other, ws);
  interval_set(a, turned);
  interval_set(b, other);
}

static void through_norm(interval *z, const heads_path *path, int head, const interval *u, interval *t,
                         interval_scratch *ws) {
  const int p = path->head_cols;
  interval *const square = &t[0], *const root = &t[1], *const along = &t[2], *const number = &t[3];
  interval_dot(square, u, u, (size_t)p, ws);
  interval_set_si(number, p);
  interval_div(square, square, number, ws);
  interval_set_d(number, path->norm->epsilon);
  interval_add(square, square, number);
  interval_sqrt(root, square);
  for (int c = 0; c < p; c++) {
    interval_set_d(number, path->norm->gain[head * p + c]);
    interval_mul(&z[c], &z[c], number, ws);
    interval_div(&z[c], &z[c], root, ws);
  }
  interval_dot(along, u, z, (size_t)p, ws);
  interval_div(along, along, square, ws);
  interval_set_si(number, -p);
  interval_div(along, along, number, ws);
  for (int c = 0; c < p; c++) interval_fma(&z[c], along, &u[c], &z[c], ws);
}

void heads_pull(interval *z, const heads_path *path, int head, int token, const step_enclosure *mapped,
                interval_scratch *ws) {
  interval t[TEMPORARIES];
  for (int i = 0; i < TEMPORARIES; i++) interval_init(&t[i], THEORY_PRECISION);
  for (int m = 0; path->rotary != NULL && m < rotary_heads_pairs(path->rotary); m++) {
    const rotary_pair pair = rotary_heads_pair(path->rotary, 0, m);
    turn_back(&z[pair.first], &z[pair.second], &rotary_heads_turns(path->rotary, token)[m], t, ws);
  }
  if (path->norm != NULL) through_norm(z, path, head, step_entry(mapped, token, head * path->head_cols), t, ws);
  for (int i = 0; i < TEMPORARIES; i++) interval_clear(&t[i]);
}
