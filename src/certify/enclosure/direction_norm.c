#include "certify/enclosure/direction_norm.h"

#include "base/parallel.h"
#include "certify/enclosure/block_offset.h"
#include "interval/interval_arith.h"
#include "interval/interval_elem.h"
#include "linalg/exact/exact_rows.h"

#ifdef __FRAMAC__
#include "interval/interval_direction_norm_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_tokens_squared_lemmas.acsl"
#include "matrix/finite_entries_lemmas.acsl"
#endif

/* Adds the squares of token i, n entries from a on. */
/*@ requires side: side(n) && 0 <= i;
    requires valid: \valid(sum) && \valid_read(a + (0 .. n - 1)) && \valid(value) && \valid(ws);
    requires live: live(sum) && live_vec(a, n) && live(value) && live_scratch(ws);
    requires separated: \separated(sum, value, ws, a + (0 .. n - 1));
    terminates \true;
    assigns *sum, *value, *ws;
    ensures added: \forall rvec z, real s; in_vec{Pre}(a, z, row(i, n), n) ==> in{Pre}(sum, s) ==>
      in(sum, s + token_square(z, n, i)); */
static void add_squares(interval *sum, const interval *a, int n, interval *value, interval_scratch *ws)
/*@ ghost (int i) */ {
  /*@ loop invariant range: 0 <= o <= n;
      loop invariant added: \forall rvec z, real s; in_vec{Pre}(a, z, row(i, n), n) ==> in{Pre}(sum, s) ==>
        in(sum, s + real_dot(z, matrix_row(z, n, i), row(i, n), o));
      loop assigns o, *sum, *value, *ws;
      loop variant n - o; */
  for (int o = 0; o < n; o++) {
    //@ assert same: \forall real x; in{Pre}(a + o, x) ==> in(a + o, x);
    //@ assert entry: \forall rvec z; in_vec{Pre}(a, z, row(i, n), n) ==> in(a + o, entry(z, row(i, n) + o));
    //@ assert row: \forall rvec z; entry(matrix_row(z, n, i), o) == entry(z, row(i, n) + o);
    //@ ghost Before:;
    interval_sqr(value, &a[o], ws);
    //@ assert sum: \forall real s; in{Before}(sum, s) ==> in(sum, s);
    interval_add(sum, sum, value);
    /*@ assert step: \forall rvec z, real s; in_vec{Pre}(a, z, row(i, n), n) ==> in{Before}(sum, s) ==>
          in(sum, s + prod(entry(z, row(i, n) + o), entry(matrix_row(z, n, i), o))); */
  }
}

/* The same with scratch of its own. */
/*@ requires side: side(n) && 0 <= i && 1 <= precision;
    requires valid: \valid(sum) && \valid_read(a + (0 .. n - 1)) && \valid(value);
    requires live: live(sum) && live_vec(a, n) && live(value);
    requires separated: \separated(sum, value, a + (0 .. n - 1));
    terminates \true;
    assigns *sum, *value, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures added: \forall rvec z, real s; in_vec{Pre}(a, z, row(i, n), n) ==> in{Pre}(sum, s) ==>
      in(sum, s + token_square(z, n, i)); */
static void add_token(interval *sum, const interval *a, int n, interval *value, mpfr_prec_t precision)
/*@ ghost (int i) */ {
  interval_scratch ws;
  //@ assert local: \separated(sum, &ws) && \separated(value, &ws) && \separated(a + (0 .. n - 1), &ws);
  interval_scratch_init(&ws, precision);
  //@ assert others: \forall interval *x; \separated(x, &ws) ==> same_ends{Pre, Here}(x);
  //@ assert lives: same_lives{Pre, Here};
  //@ assert live: live(sum) && live_vec(a, n) && live(value) && live_scratch(&ws);
  //@ assert vector: \forall rvec z; in_vec{Pre}(a, z, row(i, n), n) ==> in_vec(a, z, row(i, n), n);
  add_squares(sum, a, n, value, &ws) /*@ ghost (i) */;
  /*@ assert added: \forall rvec z, real s; in_vec{Pre}(a, z, row(i, n), n) ==> in{Pre}(sum, s) ==>
        in(sum, s + token_square(z, n, i)); */
  //@ ghost Added:;
  //@ assert lives_added: same_lives{Pre, Here};
  interval_scratch_clear(&ws);
  //@ assert last: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==> same_life{Added, Here}(x);
  //@ assert same: same_ends{Added, Here}(sum);
}

/* squares[i] := ||(J u)_i||^2 */
/*@ requires readable: norm_readable(t);
    requires apart: apart_from_norm(\base_addr(t->squares), t);
    requires token: 0 <= i < t->e->n;
    requires zero: in(t->squares + i, 0.0);
    terminates \true;
    assigns t->squares[i], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures contains: \forall rvec z; in_vec{Pre}(t->image, z, 0, image_size{Pre}(t)) ==>
      in(\old(t->squares + i), token_square(z, \old(t->layer->out_dim), i)); */
static void square_of_token(const derivative *t, int i) {
  const int out = t->layer->out_dim;
  const size_t first = block_offset((size_t)i, (size_t)out);
  const interval *const image = t->image + first;
  interval *const sum = &t->squares[i];
  interval value;
  //@ assert start: first == row(i, out);
  //@ assert inside: 0 <= first && first + out <= image_size(t);
  //@ assert readable: \valid_read(image + (0 .. out - 1)) && live_vec(image, out);
  //@ assert local: \separated(sum, &value) && \separated(image + (0 .. out - 1), &value);
  //@ assert apart: \separated(sum, image + (0 .. out - 1));
  //@ assert whole: \forall rvec z; in_vec(t->image, z, 0, image_size(t)) ==> in_vec(image, z, row(i, out), out);
  //@ ghost Start:;
  interval_init(&value, t->e->precision);
  //@ assert others: \forall interval *x; \separated(x, &value) ==> same_ends{Start, Here}(x);
  //@ assert lives: same_lives{Pre, Here};
  //@ assert live: live(sum) && live_vec(image, out) && live(&value);
  //@ assert same_image: \forall integer o; 0 <= o < out ==> same_ends{Start, Here}(image + o);
  //@ assert vector: \forall rvec z; in_vec{Start}(image, z, row(i, out), out) ==> in_vec(image, z, row(i, out), out);
  //@ assert zero: in(sum, 0.0);
  //@ ghost Ready:;
  add_token(sum, image, out, &value, t->e->precision) /*@ ghost (i) */;
  //@ ghost Added:;
  /*@ assert added: \forall rvec z; in_vec{Start}(image, z, row(i, out), out) ==>
        in(sum, 0.0 + token_square(z, out, i)); */
  //@ assert lives_added: same_lives{Pre, Here};
  //@ assert kept_value: same_life{Ready, Here}(&value.lo[0]) && same_life{Ready, Here}(&value.hi[0]);
  //@ assert owned: owned_ends(&value);
  interval_clear(&value);
  //@ assert lives_end: same_lives{Pre, Here};
  //@ assert same: same_ends{Added, Here}(sum);
}

/* The same; the other squares, and what they are made from, stay as they are. */
/*@ requires readable: norm_readable(t);
    requires apart: apart_from_norm(\base_addr(t->squares), t);
    requires token: 0 <= i < t->e->n;
    requires zero: in(t->squares + i, 0.0);
    terminates \true;
    assigns t->squares[i], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures kept: norm_kept{Pre, Post}(t);
    ensures readable: norm_readable(t);
    ensures others: \forall integer j; 0 <= j < \old(t->e->n) ==> j != i ==> same_ends{Pre, Post}(\old(t->squares) + j);
    ensures squared: token_squared{Pre, Post}(t, i); */
static void square_token(const derivative *t, int i) {
  /*@ assert doubles_apart: \forall double *x; \base_addr(x) == \base_addr(t->u) ||
        \base_addr(x) == \base_addr(t->image) ==> \separated(x, t->squares + i); */
  /*@ assert ints_apart: \forall int *x; \base_addr(x) == \base_addr(t->e) || \base_addr(x) == \base_addr(t->layer) ||
        \base_addr(x) == \base_addr(t->image) ==> \separated(x, t->squares + i); */
  //@ assert longs_apart: \forall long *x; \base_addr(x) == \base_addr(t->e) ==> \separated(x, t->squares + i);
  square_of_token(t, i);
  //@ assert e: t->e == \at(t->e, Pre) && t->e->n == \at(t->e->n, Pre) && t->e->dim == \at(t->e->dim, Pre);
  //@ assert precision: t->e->precision == \at(t->e->precision, Pre);
  //@ assert out_dim: t->layer == \at(t->layer, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert image: ends_kept{Pre, Here}(\at(t->image, Pre), image_size{Pre}(t));
  //@ assert kept: norm_kept{Pre, Here}(t);
  //@ assert live: live_vec(t->image, image_size(t)) && live_vec(t->squares, t->e->n) && live(t->ratio);
}
PARALLEL_TASK(square_token)

void direction_squares(derivative *t, int threads) {
  const int tokens = t->e->n;
  /*@ loop invariant range: 0 <= parallel_index <= tokens;
      loop invariant lives: same_lives{Pre, Here};
      loop invariant kept: norm_kept{Pre, Here}(t);
      loop invariant readable: norm_readable(t);
      loop invariant zero: \forall integer i; parallel_index <= i < tokens ==> in(t->squares + i, 0.0);
      loop invariant done: \forall integer i; 0 <= i < parallel_index ==> token_squared{Pre, Here}(t, i);
      loop assigns parallel_index, t->squares[0 .. tokens - 1], mpfr_lives;
      loop variant tokens - parallel_index; */
  PARALLEL_FOR(tokens, threads, square_token, t);
}

/* square contains ||u_i||^2; false when memory runs out. */
/*@ requires readable: norm_readable(t);
    requires token: 0 <= i < t->e->n;
    requires valid: \valid(square) && live(square) && \valid(sum) && mpz_initialised(sum);
    requires apart: \separated(square, sum, t->u + (0 .. row(t->e->n, t->e->dim) - 1));
    terminates \true;
    assigns *square, sum->model_value;
    ensures contains: \result ==> in(square, dot{Pre}(\old(t->u) + row(i, \old(t->e->dim)),
                                                      \old(t->u) + row(i, \old(t->e->dim)), \old(t->e->dim))); */
static bool row_square(interval *square, const derivative *t, int i, mpz_ptr sum) {
  const size_t d = (size_t)t->e->dim;
  const double *const u = t->u + block_offset((size_t)i, d);
  //@ assert dim: d == t->e->dim;
  //@ assert inside: 0 <= row(i, d) && row(i, d) + d <= row(t->e->n, t->e->dim);
  //@ assert one: row(1, d) == d && row(0, d) == 0;
  //@ assert start: u == t->u + row(i, d);
  //@ assert valid: \valid_read(u + (0 .. d - 1));
  //@ assert finite: finite_entries(u, d);
  exact_rows row;
  //@ assert local: \separated(square, &row) && \separated(sum, &row) && \separated(u + (0 .. d - 1), &row);
  //@ ghost Start:;
  const bool ready = exact_rows_init(&row, u, 1, d, NULL);
  //@ assert same: \forall integer s; 0 <= s < d ==> u[s] == \at(u[s], Start);
  //@ assert same_square: dot(u, u, d) == dot{Start}(u, u, d);
  //@ assert holds: ready ==> holds_row(&row, 0, u, d);
  if (ready) exact_rows_dot(square, &row, 0, &row, 0, sum);
  //@ assert contains: ready ==> in(square, dot{Start}(u, u, d));
  //@ ghost Dotted:;
  exact_rows_clear(&row);
  //@ assert same_end: same_ends{Dotted, Here}(square);
  return ready;
}

/* norm + ||u_i||^2 */
/*@ requires readable: norm_readable(t);
    requires token: 0 <= i < t->e->n;
    requires valid: \valid(norm) && \valid(square) && live(norm) && live(square) && \valid(sum) && mpz_initialised(sum);
    requires apart: apart_from_norm(\base_addr(norm), t) && apart_from_norm(\base_addr(square), t) &&
      apart_from_norm(\base_addr(sum), t) && \separated(norm, square, sum);
    terminates \true;
    assigns *norm, *square, sum->model_value;
    ensures kept: norm_kept{Pre, Post}(t);
    ensures readable: norm_readable(t);
    ensures added: \result ==> \forall real s; in{Pre}(norm, s) ==>
      in(norm, s + dot{Pre}(\old(t->u) + row(i, \old(t->e->dim)), \old(t->u) + row(i, \old(t->e->dim)),
                            \old(t->e->dim))); */
static bool add_row(interval *norm, interval *square, const derivative *t, int i, mpz_ptr sum) {
  /*@ assert doubles_apart: \forall double *x; \base_addr(x) == \base_addr(t->u) ||
        \base_addr(x) == \base_addr(t->image) ==> \separated(x, norm, square) && \separated(x, &sum->model_value); */
  /*@ assert ints_apart: \forall int *x; \base_addr(x) == \base_addr(t->e) || \base_addr(x) == \base_addr(t->layer) ||
        \base_addr(x) == \base_addr(t->image) ==> \separated(x, norm) && \separated(x, square); */
  /*@ assert longs_apart: \forall long *x; \base_addr(x) == \base_addr(t->e) ==>
        \separated(x, norm) && \separated(x, square); */
  //@ assert image_apart: \forall integer s; 0 <= s < image_size(t) ==> \separated(t->image + s, norm, square, sum);
  //@ assert apart_row: \separated(square, sum, t->u + (0 .. row(t->e->n, t->e->dim) - 1));
  const bool ready = row_square(square, t, i, sum);
  //@ ghost Squared:;
  /*@ assert others_square: \forall interval *x; \separated(x, square) ==> \separated(x, sum) ==>
        same_ends{Pre, Here}(x); */
  //@ assert same_norm: same_ends{Pre, Here}(norm);
  /*@ assert square: ready ==> in(square, dot{Pre}(\at(t->u, Pre) + row(i, \at(t->e->dim, Pre)),
        \at(t->u, Pre) + row(i, \at(t->e->dim, Pre)), \at(t->e->dim, Pre))); */
  //@ assert norm: \forall real s; in{Pre}(norm, s) ==> in(norm, s);
  interval_add(norm, norm, square);
  /*@ assert added: ready ==> \forall real s; in{Pre}(norm, s) ==>
        in(norm, s + dot{Pre}(\at(t->u, Pre) + row(i, \at(t->e->dim, Pre)),
        \at(t->u, Pre) + row(i, \at(t->e->dim, Pre)), \at(t->e->dim, Pre))); */
  //@ assert others_norm: \forall interval *x; \separated(x, norm) ==> same_ends{Squared, Here}(x);
  //@ assert e: t->e == \at(t->e, Pre) && t->e->n == \at(t->e->n, Pre) && t->e->dim == \at(t->e->dim, Pre);
  //@ assert precision: t->e->precision == \at(t->e->precision, Pre);
  //@ assert out_dim: t->layer == \at(t->layer, Pre) && t->layer->out_dim == \at(t->layer->out_dim, Pre);
  //@ assert direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert image: ends_kept{Pre, Here}(\at(t->image, Pre), image_size{Pre}(t));
  return ready;
}

/* norm, which is zero, becomes ||u||^2; false when memory runs out. square and sum are scratch. */
/*@ requires readable: norm_readable(t);
    requires valid: \valid(norm) && \valid(square) && live(norm) && live(square) && \valid(sum) && mpz_initialised(sum);
    requires zero: in(norm, 0.0);
    requires apart: apart_from_norm(\base_addr(norm), t) && apart_from_norm(\base_addr(square), t) &&
      apart_from_norm(\base_addr(sum), t) && \separated(norm, square, sum);
    terminates \true;
    assigns *norm, *square, sum->model_value;
    ensures kept: norm_kept{Pre, Post}(t);
    ensures readable: norm_readable(t);
    ensures contains: \result ==> in(norm, direction_square{Pre}(\old(t->u), \old(t->e->dim), \old(t->e->n))); */
static bool add_rows(interval *norm, interval *square, const derivative *t, mpz_ptr sum) {
  bool ready = true;
  /*@ loop invariant range: 0 <= i <= t->e->n;
      loop invariant kept: norm_kept{Pre, Here}(t);
      loop invariant readable: norm_readable(t);
      loop invariant added: ready ==> in(norm, direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), i));
      loop assigns i, ready, *norm, *square, sum->model_value;
      loop variant t->e->n - i; */
  for (int i = 0; i < t->e->n && ready; i++) {
    //@ assert inside: 0 <= row(i, t->e->dim) && row(i, t->e->dim) + t->e->dim <= row(t->e->n, t->e->dim);
    /*@ assert square: dot{Pre}(\at(t->u, Pre) + row(i, \at(t->e->dim, Pre)),
                                \at(t->u, Pre) + row(i, \at(t->e->dim, Pre)), \at(t->e->dim, Pre)) ==
                       dot(t->u + row(i, t->e->dim), t->u + row(i, t->e->dim), t->e->dim); */
    ready = add_row(norm, square, t, i, sum);
  }
  return ready;
}

/* The same with an integer of its own. */
/*@ requires readable: norm_readable(t);
    requires valid: \valid(norm) && \valid(square) && live(norm) && live(square);
    requires zero: in(norm, 0.0);
    requires apart: apart_from_norm(\base_addr(norm), t) && apart_from_norm(\base_addr(square), t) &&
      \separated(norm, square);
    terminates \true;
    assigns *norm, *square, mpz_lives;
    ensures lives: same_mpz_lives{Pre, Post};
    ensures kept: norm_kept{Pre, Post}(t);
    ensures readable: norm_readable(t);
    ensures contains: \result ==> in(norm, direction_square{Pre}(\old(t->u), \old(t->e->dim), \old(t->e->n))); */
static bool add_direction(interval *norm, interval *square, const derivative *t) {
  mpz_t sum;
  //@ assert local: apart_from_norm(\base_addr(&sum[0]), t) && \separated(norm, square, &sum[0]);
  //@ assert local_image: \forall integer s; 0 <= s < image_size(t) ==> \separated(t->image + s, &sum[0]);
  //@ assert local_direction: \forall integer s; 0 <= s < row(t->e->n, t->e->dim) ==> \separated(t->u + s, &sum[0]);
  mpz_init(sum);
  //@ assert same_norm: same_ends{Pre, Here}(norm);
  //@ assert same_image: ends_kept{Pre, Here}(t->image, image_size(t));
  //@ assert same_direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert same: norm_kept{Pre, Here}(t);
  //@ assert readable: norm_readable(t);
  /*@ assert square: direction_square(t->u, t->e->dim, t->e->n) ==
        direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)); */
  const bool ready = add_rows(norm, square, t, sum);
  //@ ghost Added:;
  //@ assert kept: norm_kept{Pre, Here}(t);
  //@ assert readable_added: norm_readable(t);
  mpz_clear(sum);
  //@ assert same_end: same_ends{Added, Here}(norm);
  //@ assert image_end: ends_kept{Added, Here}(t->image, image_size(t));
  //@ assert direction_end: entries_same{Added, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert kept_end: norm_kept{Added, Here}(t);
  return ready;
}

/* The same with an interval of its own. */
/*@ requires readable: norm_readable(t);
    requires valid: \valid(norm) && live(norm);
    requires zero: in(norm, 0.0);
    requires apart: apart_from_norm(\base_addr(norm), t);
    terminates \true;
    assigns *norm, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures kept: norm_sides_kept{Pre, Post}(t);
    ensures readable: norm_readable(t);
    ensures contains: \result ==> in(norm, direction_square{Pre}(\old(t->u), \old(t->e->dim), \old(t->e->n))); */
static bool square_direction(interval *norm, const derivative *t) {
  interval square;
  //@ assert local: apart_from_norm(\base_addr(&square), t) && \separated(norm, &square);
  //@ assert local_image: \forall integer s; 0 <= s < image_size(t) ==> \separated(t->image + s, &square);
  //@ assert local_direction: \forall integer s; 0 <= s < row(t->e->n, t->e->dim) ==> \separated(t->u + s, &square);
  interval_init(&square, t->e->precision);
  //@ assert lives: same_lives{Pre, Here};
  //@ assert same_norm: same_ends{Pre, Here}(norm);
  //@ assert same_image: ends_kept{Pre, Here}(t->image, image_size(t));
  //@ assert same_direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert same: norm_kept{Pre, Here}(t);
  //@ assert live: live(norm) && live_vec(t->image, image_size(t)) && live_vec(t->squares, t->e->n) && live(t->ratio);
  //@ assert readable: norm_readable(t);
  /*@ assert square: direction_square(t->u, t->e->dim, t->e->n) ==
        direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)); */
  const bool ready = add_direction(norm, &square, t);
  //@ ghost Added:;
  //@ assert kept: norm_kept{Pre, Here}(t);
  //@ assert owned: owned_ends(&square);
  interval_clear(&square);
  //@ assert lives_end: same_lives{Pre, Here};
  //@ assert same_end: same_ends{Added, Here}(norm);
  //@ assert direction_end: entries_same{Added, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert sides_end: norm_sides_kept{Added, Here}(t);
  /*@ assert same_places: t->squares == \at(t->squares, Pre) && t->e->n == \at(t->e->n, Pre) &&
        t->ratio == \at(t->ratio, Pre); */
  //@ assert live_end: live_vec(t->image, image_size(t)) && live_vec(t->squares, t->e->n) && live(t->ratio);
  //@ assert finite: finite_entries(t->u, row(t->e->n, t->e->dim));
  //@ assert size: image_size(t) == image_size{Added}(t);
  //@ assert valid_image: \valid_read(t->image + (0 .. image_size(t) - 1)) && \valid(t->squares + (0 .. t->e->n - 1));
  //@ assert valid_direction: \valid_read(t->u + (0 .. row(t->e->n, t->e->dim) - 1)) && \valid(t->ratio + (0 .. 0));
  return ready;
}

/* squares[0] takes the sum of all n. */
/*@ requires tokens: 1 <= n;
    requires valid: \valid(squares + (0 .. n - 1)) && live_vec(squares, n);
    terminates \true;
    assigns squares[0];
    ensures contains: \forall rvec z, integer c;
      (\forall integer i; 0 <= i < n ==> in{Pre}(squares + i, token_square(z, c, i))) ==>
      in(squares, tokens_square(z, c, n)); */
static void add_tokens(interval *squares, int n) {
  //@ assert first: \forall rvec z, integer c; tokens_square(z, c, 1) == token_square(z, c, 0);
  /*@ loop invariant range: 1 <= i <= n;
      loop invariant added: \forall rvec z, integer c;
        (\forall integer j; 0 <= j < n ==> in{Pre}(squares + j, token_square(z, c, j))) ==>
        in(squares, tokens_square(z, c, i));
      loop assigns i, squares[0];
      loop variant n - i; */
  for (int i = 1; i < n; i++) {
    //@ assert same: \forall real x; in{Pre}(squares + i, x) ==> in(squares + i, x);
    interval_add(&squares[0], &squares[0], &squares[i]);
  }
}

/* The roots of both norms, that of the image in squares[0]. */
/*@ requires readable: norm_readable(t);
    requires valid: \valid(norm) && live(norm);
    requires apart: apart_from_norm(\base_addr(norm), t) && apart_from_norm(\base_addr(t->squares), t) &&
      \base_addr(norm) != \base_addr(t->squares);
    terminates \true;
    assigns *norm, t->squares[0];
    ensures direction: \forall real s; in{Pre}(norm, s) ==> 0.0 <= s ==> in(norm, rroot(s));
    ensures image: \forall rvec z;
      (\forall integer i; 0 <= i < \old(t->e->n) ==>
        in{Pre}(\old(t->squares) + i, token_square(z, \old(t->layer->out_dim), i))) ==>
      0.0 <= tokens_square(z, \old(t->layer->out_dim), \old(t->e->n)) ==>
      in(\old(t->squares), rroot(tokens_square(z, \old(t->layer->out_dim), \old(t->e->n)))); */
static void take_roots(const derivative *t, interval *norm) {
  interval *const squares = t->squares;
  const int tokens = t->e->n;
  //@ ghost int outputs = t->layer->out_dim;
  //@ assert apart: \separated(squares, norm);
  //@ ghost Start:;
  add_tokens(squares, tokens);
  //@ assert same_norm: same_ends{Start, Here}(norm);
  //@ ghost Tokens:;
  interval_sqrt(norm, norm);
  //@ assert root: \forall real s; in{Start}(norm, s) ==> 0.0 <= s ==> in(norm, rroot(s));
  //@ assert same_image: same_ends{Tokens, Here}(squares);
  //@ ghost Root:;
  interval_sqrt(&squares[0], &squares[0]);
  //@ assert same_root: same_ends{Root, Here}(norm);
  /*@ assert image: \forall real s; in{Tokens}(squares, s) ==> 0.0 <= s ==> in(squares, rroot(s)); */
}

/* ratio from both norms. */
/*@ requires valid: \valid(ratio) && \valid_read(image) && \valid_read(norm);
    requires live: live(ratio) && live(image) && live(norm);
    requires precision: 1 <= precision;
    requires apart: \separated(ratio, image) && \separated(ratio, norm);
    terminates \true;
    assigns *ratio, mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures contains: \forall real x, y; in{Pre}(image, x) ==> in{Pre}(norm, y) ==> y != 0.0 ==>
      in(ratio, quo(x, y)); */
static void divide(interval *ratio, const interval *image, const interval *norm, mpfr_prec_t precision) {
  interval_scratch ws;
  //@ assert local: \separated(ratio, &ws) && \separated(image, &ws) && \separated(norm, &ws);
  interval_scratch_init(&ws, precision);
  //@ assert others: \forall interval *x; \separated(x, &ws) ==> same_ends{Pre, Here}(x);
  //@ assert lives: same_lives{Pre, Here};
  interval_div(ratio, image, norm, &ws);
  /*@ assert contains: \forall real x, y; in{Pre}(image, x) ==> in{Pre}(norm, y) ==> y != 0.0 ==>
        in(ratio, quo(x, y)); */
  //@ ghost Divided:;
  //@ assert lives_divided: same_lives{Pre, Here};
  interval_scratch_clear(&ws);
  //@ assert last: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==> same_life{Divided, Here}(x);
  //@ assert same: same_ends{Divided, Here}(ratio);
}

/* The same with room for ||u||; false when memory runs out. */
/*@ requires readable: norm_readable(t);
    requires valid: \valid(norm) && live(norm);
    requires zero: in(norm, 0.0);
    requires apart: apart_from_norm(\base_addr(t->squares), t) && apart_from_norm(\base_addr(t->ratio), t) &&
      \base_addr(t->squares) != \base_addr(t->ratio) && apart_from_norm(\base_addr(norm), t) &&
      \base_addr(norm) != \base_addr(t->squares) && \base_addr(norm) != \base_addr(t->ratio);
    terminates \true;
    assigns *t->ratio, t->squares[0], *norm, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures contains: \result ==> \forall rvec z;
      (\forall integer i; 0 <= i < \old(t->e->n) ==>
        in{Pre}(\old(t->squares) + i, token_square(z, \old(t->layer->out_dim), i))) ==>
      0.0 < direction_square{Pre}(\old(t->u), \old(t->e->dim), \old(t->e->n)) ==>
      in(\old(t->ratio), quo(rroot(tokens_square(z, \old(t->layer->out_dim), \old(t->e->n))),
                             rroot(direction_square{Pre}(\old(t->u), \old(t->e->dim), \old(t->e->n))))); */
static bool divide_norms(const derivative *t, interval *norm) {
  //@ ghost interval *squares = t->squares;
  //@ ghost int tokens = t->e->n;
  //@ assert apart: \forall integer i; 0 <= i < tokens ==> \separated(squares + i, norm);
  //@ ghost Start:;
  const bool ready = square_direction(norm, t);
  //@ assert same_squares: \forall integer i; 0 <= i < tokens ==> same_ends{Start, Here}(squares + i);
  //@ ghost Squared:;
  //@ assert places: t->squares == squares && t->ratio == \at(t->ratio, Pre) && t->e->n == tokens;
  /*@ assert then: \forall rvec z; (\forall integer i; 0 <= i < tokens ==>
        in{Start}(squares + i, token_square(z, \at(t->layer->out_dim, Pre), i))) ==>
        (\forall integer i; 0 <= i < tokens ==> in(squares + i, token_square(z, t->layer->out_dim, i))); */
  take_roots(t, norm);
  /*@ assert place: t->ratio == \at(t->ratio, Pre) && t->squares == squares &&
        t->e->precision == \at(t->e->precision, Pre); */
  /*@ assert image: \forall rvec z; (\forall integer i; 0 <= i < tokens ==>
        in{Start}(squares + i, token_square(z, \at(t->layer->out_dim, Pre), i))) ==>
        in(squares, rroot(tokens_square(z, \at(t->layer->out_dim, Pre), tokens))); */
  /*@ assert direction: ready ==> 0.0 < direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), tokens) ==>
        in(norm, rroot(direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), tokens))); */
  divide(t->ratio, &t->squares[0], norm, t->e->precision);
  return ready;
}

attcert_status direction_norm_ratio(derivative *t, attcert_error *err) {
  interval norm;
  //@ assert local: apart_from_norm(\base_addr(&norm), t);
  //@ assert local_image: \forall integer s; 0 <= s < image_size(t) ==> \separated(t->image + s, &norm);
  //@ assert local_direction: \forall integer s; 0 <= s < row(t->e->n, t->e->dim) ==> \separated(t->u + s, &norm);
  //@ assert local_squares: \forall integer i; 0 <= i < t->e->n ==> \separated(t->squares + i, &norm);
  //@ assert local_ratio: \separated(t->ratio, &norm);
  interval_init(&norm, t->e->precision);
  //@ assert lives: same_lives{Pre, Here};
  //@ assert same_image: ends_kept{Pre, Here}(t->image, image_size(t));
  //@ assert same_direction: entries_same{Pre, Here}(t->u, row(t->e->n, t->e->dim));
  //@ assert same: norm_kept{Pre, Here}(t);
  //@ assert same_squares: \forall integer i; 0 <= i < t->e->n ==> same_ends{Pre, Here}(t->squares + i);
  //@ assert live: live(&norm) && live_vec(t->image, image_size(t)) && live_vec(t->squares, t->e->n) && live(t->ratio);
  //@ assert readable: norm_readable(t);
  /*@ assert square: direction_square(t->u, t->e->dim, t->e->n) ==
        direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)); */
  /*@ assert squares: \forall rvec z; (\forall integer i; 0 <= i < \at(t->e->n, Pre) ==>
        in{Pre}(\at(t->squares, Pre) + i, token_square(z, \at(t->layer->out_dim, Pre), i))) ==>
        (\forall integer i; 0 <= i < t->e->n ==> in(t->squares + i, token_square(z, t->layer->out_dim, i))); */
  //@ ghost Ready:;
  const bool ready = divide_norms(t, &norm);
  //@ ghost Divided:;
  /*@ assert contains: ready ==> \forall rvec z; (\forall integer i; 0 <= i < \at(t->e->n, Pre) ==>
        in{Pre}(\at(t->squares, Pre) + i, token_square(z, \at(t->layer->out_dim, Pre), i))) ==>
        0.0 < direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre)) ==>
        in(\at(t->ratio, Pre), quo(rroot(tokens_square(z, \at(t->layer->out_dim, Pre), \at(t->e->n, Pre))),
                       rroot(direction_square{Pre}(\at(t->u, Pre), \at(t->e->dim, Pre), \at(t->e->n, Pre))))); */
  //@ assert lives_divided: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert kept_norm: same_life{Ready, Here}(&norm.lo[0]) && same_life{Ready, Here}(&norm.hi[0]);
  //@ assert owned: owned_ends(&norm);
  interval_clear(&norm);
  //@ assert lives_end: same_lives{Pre, Here};
  //@ assert same_ratio: same_ends{Divided, Here}(\at(t->ratio, Pre));
  return ready ? ATTCERT_OK : derivative_lacks_memory(t, err);
}
