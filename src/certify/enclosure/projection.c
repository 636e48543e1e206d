#include "certify/enclosure/projection.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "linalg/exact/exact_rows.h"

#include <stdatomic.h>

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#include "matrix/finite_entries_lemmas.acsl"
#include "projection/held_rows_lemmas.acsl"
#include "projection/interval_projection_kept_lemmas.acsl"
#include "projection/interval_projection_rows_lemmas.acsl"
#include "projection/interval_projection_step_lemmas.acsl"
#endif

typedef struct {
  interval *out;
  const double *weight, *bias, *x;
  const projection_shape *shape;
  exact_rows tokens; /* those from `first` on */
  int first, count;
  atomic_bool failed; /* out of memory */
} projection;

/*@ predicate inputs_same{L1, L2}(projection *p) =
      entries_same{L1, L2}(\at(p->weight, L1), row(row(\at(p->shape->heads, L1), \at(p->shape->head_dim, L1)),
        \at(p->shape->dim, L1))) &&
      entries_same{L1, L2}(\at(p->x, L1), row(\at(p->shape->n, L1), \at(p->shape->dim, L1))) &&
      (\at(p->bias, L1) == \null || entries_same{L1, L2}(\at(p->bias, L1), row(\at(p->shape->heads, L1),
        \at(p->shape->head_dim, L1))));

    predicate projection_ready{L}(projection *p) =
      \valid_read(p) && \valid_read(p->shape) && projection_sides(*p->shape) &&
      projection_inputs(p->weight, p->bias, p->x, *p->shape) &&
      \valid(p->out + (0 .. projection_outputs(*p->shape) - 1)) && live_vec(p->out, projection_outputs(*p->shape));
    predicate projection_apart{L}(projection *p) =
      \separated(p->out + (0 .. projection_outputs(*p->shape) - 1), p, p->shape,
                 p->weight + (0 .. projection_weights(*p->shape) - 1)) &&
      (p->bias == \null || \separated(p->out + (0 .. projection_outputs(*p->shape) - 1), p,
                                      p->bias + (0 .. row(p->shape->heads, p->shape->head_dim) - 1))) &&
      \separated(p->out + (0 .. projection_outputs(*p->shape) - 1), p, p->x + (0 .. row(p->shape->n, p->shape->dim) -
        1));
    predicate tokens_at_hand{L}(projection *p) =
      0 <= p->first && 1 <= p->count && p->first + p->count <= p->shape->n && p->tokens.integers.rows == p->count &&
      p->tokens.integers.cols == p->shape->dim && exact_exponents(p->tokens.model_exponents, p->count) &&
      \forall integer t; 0 <= t < p->count ==>
      holds_row(&p->tokens, t, p->x + row(p->first + t, p->shape->dim), p->shape->dim); */

/* Where entry r of token i of head h is. */
/*@ requires valid: \valid_read(shape) && projection_sides(*shape);
    requires position: h < shape->heads && i < shape->n && r < shape->head_dim;
    terminates \true;
    assigns \nothing;
    ensures place: \result == projection_place(shape->n, shape->head_dim, h, i, r);
    ensures inside: 0 <= \result < projection_outputs(*shape); */
static size_t place_of(const projection_shape *shape, size_t h, size_t i, size_t r) {
  const size_t n = (size_t)shape->n, k = (size_t)shape->head_dim;
  //@ assert few: row(row(shape->heads, n), k) == row(row(shape->heads, k), n) <= DIM_MAX * DIM_MAX;
  //@ assert head: h * n == row(h, n) && 0 <= row(h, n) + i < row(shape->heads, n) <= DIM_MAX * DIM_MAX;
  const size_t token = h * n + i;
  //@ assert token: token * k == row(token, k) && 0 <= row(token, k) + r < row(row(shape->heads, n), k);
  //@ assert begin: 0 <= row(token, k);
  //@ assert sides: n == shape->n && k == shape->head_dim;
  //@ assert number: token == row(h, shape->n) + i;
  //@ assert place: row(token, k) + r == projection_place(shape->n, shape->head_dim, h, i, r);
  return token * k + r;
}

/*@ predicate is_bias{L}(interval *bias, real b) =
      (bias == \null && vanishes(b)) || (bias != \null && in(bias, b));
    logic real token_product{L}(exact_rows *weights, exact_rows *tokens, integer t) =
      rows_product(weights->integers.model_integers, weights->model_exponents, 0, tokens->integers.model_integers,
                   tokens->model_exponents, t, weights->integers.cols); */

/* y contains the product of row 0 and token t, plus the bias; bias may be NULL. */
/*@ requires valid: \valid(y) && \valid_read(weights) && \valid_read(tokens) && \valid(sum) &&
      (bias == \null || (\valid_read(bias) && live(bias)));
    requires live: live(y) && mpz_initialised(sum);
    requires position: 0 < weights->integers.rows && t < tokens->integers.rows &&
      weights->integers.cols == tokens->integers.cols;
    requires exponents: exact_exponent(exponent_at(weights->model_exponents, 0)) &&
      exact_exponent(exponent_at(tokens->model_exponents, t));
    requires separated: \separated(y, sum, weights) && \separated(y, sum, tokens);
    requires separated_bias: bias == \null || \separated(y, sum, bias);
    terminates \true;
    assigns *y, sum->model_value;
    ensures contains: \forall real b; is_bias{Pre}(bias, b) ==> in(y, b + token_product{Pre}(weights, tokens, t)); */
static void project_token(interval *y, const exact_rows *weights, const exact_rows *tokens, size_t t,
                          const interval *bias, mpz_ptr sum) {
  exact_rows_dot(y, weights, 0, tokens, t, sum);
  //@ assert product: in(y, token_product{Pre}(weights, tokens, t));
  if (bias == NULL) {
    /*@ assert none: \forall real b; is_bias{Pre}(bias, b) ==> b + token_product{Pre}(weights, tokens, t) ==
          token_product{Pre}(weights, tokens, t); */
    return;
  }
  //@ assert bias: \forall real b; in{Pre}(bias, b) ==> in(bias, b);
  interval_add(y, y, bias);
}

/*@ predicate tokens_valid{L}(interval *out, size_t k, exact_rows *weights, exact_rows *tokens, interval *bias) =
      \valid(out + (0 .. row(tokens->integers.rows - 1, k))) && \valid_read(weights) && \valid_read(tokens) &&
      (bias == \null || \valid_read(bias));
    predicate tokens_live{L}(interval *out, size_t k, exact_rows *tokens, interval *bias) =
      live_vec(out, row(tokens->integers.rows - 1, k) + 1) && (bias == \null || live(bias));
    predicate tokens_sides{L}(exact_rows *weights, exact_rows *tokens, size_t k) =
      1 <= k && 1 <= tokens->integers.rows && row(tokens->integers.rows, k) <= SIZE_MAX &&
      0 < weights->integers.rows && weights->integers.cols == tokens->integers.cols &&
      exact_exponent(exponent_at(weights->model_exponents, 0)) &&
      exact_exponents(tokens->model_exponents, tokens->integers.rows); */

/* Row 0 of weights applied to all tokens, to every k-th entry of out. */
/*@ requires valid: tokens_valid(out, k, weights, tokens, bias) && \valid(sum) && mpz_initialised(sum);
    requires live: tokens_live(out, k, tokens, bias);
    requires sides: tokens_sides(weights, tokens, k);
    requires separated: \separated(out + (0 .. row(tokens->integers.rows - 1, k)), sum, weights) &&
      \separated(out + (0 .. row(tokens->integers.rows - 1, k)), sum, tokens);
    requires separated_bias: bias == \null ||
      \separated(out + (0 .. row(tokens->integers.rows - 1, k)), sum, bias);
    terminates \true;
    assigns out[0 .. row(tokens->integers.rows - 1, k)], sum->model_value;
    ensures products: \forall real b; is_bias{Pre}(bias, b) ==> products_at(out, k,
      weights->integers.model_integers, weights->model_exponents, tokens->integers.model_integers,
      tokens->model_exponents, b, weights->integers.cols, tokens->integers.rows);
    ensures others: strided_kept{Pre, Post}(out, 0, k, row(tokens->integers.rows - 1, k) + 1, tokens->integers.rows); */
static void project_tokens(interval *out, size_t k, const exact_rows *weights, const exact_rows *tokens,
                           const interval *bias, mpz_ptr sum) {
  const size_t count = tokens->integers.rows;
  //@ ghost const size_t d = weights->integers.cols;
  //@ ghost const double w = weights->integers.model_integers, e = weights->model_exponents;
  //@ ghost const double x = tokens->integers.model_integers, f = tokens->model_exponents;
  size_t at = 0;
  /*@ loop invariant range: 0 <= t <= count;
      loop invariant place: at == row(t, k);
      loop invariant products: \forall real b; is_bias{Pre}(bias, b) ==> products_at(out, k, w, e, x, f, b, d, t);
      loop invariant others: strided_kept{Pre, Here}(out, 0, k, row(count - 1, k) + 1, t);
      loop assigns t, at, out[0 .. row(count - 1, k)], sum->model_value;
      loop variant count - t; */
  for (size_t t = 0; t < count; t++, at += k) {
    //@ ghost Before:;
    //@ assert inside: 0 <= at <= row(count - 1, k) && at + k <= row(count, k);
    //@ assert weights: weights->integers.model_integers == w && weights->model_exponents == e;
    //@ assert tokens: tokens->integers.model_integers == x && tokens->model_exponents == f;
    //@ assert bias: \forall real b; is_bias{Pre}(bias, b) ==> is_bias(bias, b);
    //@ assert product: token_product(weights, tokens, t) == rows_product(w, e, 0, x, f, t, d);
    //@ assert sides: weights->integers.cols == d && tokens->integers.rows == count && tokens->integers.cols == d;
    project_token(out + at, weights, tokens, t, bias, sum);
    //@ assert token: \forall real b; is_bias{Pre}(bias, b) ==> in(out + at, b + rows_product(w, e, 0, x, f, t, d));
    /*@ assert others: \forall integer c, real s; 0 <= c <= row(count - 1, k) ==> c != at ==> in{Before}(out + c, s) ==>
          in(out + c, s); */
  }
}

/* A bias as an interval, and the sum of a product. */
typedef struct {
  interval bias;
  mpz_t sum;
} projection_scratch;

/*@ predicate projection_scratch_ready{L}(projection_scratch *z) =
      owned_ends(&z->bias) && mpz_initialised(&z->sum[0]);
    // All numbers but those of the scratch live as before.
    predicate lives_beside_scratch{L1, L2}(projection_scratch *z) =
      (\forall mpfr_srcptr x; x != \at(&z->bias.lo[0], L1) ==> x != \at(&z->bias.hi[0], L1) ==>
        same_life{L1, L2}(x)) &&
      (\forall mpz_srcptr x; x != \at(&z->sum[0], L1) ==> (mpz_initialised{L1}(x) <==> mpz_initialised{L2}(x))); */

/*@ requires valid: \valid(z) && 1 <= precision;
    terminates \true;
    assigns *z, mpfr_lives, mpz_lives;
    ensures ready: projection_scratch_ready(z);
    ensures others: lives_beside_scratch{Pre, Post}(z);
    ensures keeps: \forall interval *a; \separated(a, z) ==> entry_kept{Pre, Post}(a); */
static void projection_scratch_init(projection_scratch *z, mpfr_prec_t precision) {
  mpz_init(z->sum);
  interval_init(&z->bias, precision);
}

/*@ requires valid: \valid(z);
    requires ready: projection_scratch_ready(z);
    terminates \true;
    assigns *z, mpfr_lives, mpz_lives;
    ensures others: lives_beside_scratch{Pre, Post}(z);
    ensures keeps: \forall interval *a; \separated(a, z) ==> entry_kept{Pre, Post}(a); */
static void projection_scratch_clear(projection_scratch *z) {
  interval_clear(&z->bias);
  mpz_clear(z->sum);
}

/* The same with a bias, or NULL, in the scratch given. */
/*@ requires valid: tokens_valid(out, k, weights, tokens, \null) && (bias == \null ||
      (\valid_read(bias) && finite_double(*bias)));
    requires live: tokens_live(out, k, tokens, \null);
    requires sides: tokens_sides(weights, tokens, k);
    requires scratch: \valid(z) && projection_scratch_ready(z);
    requires separated: \separated(out + (0 .. row(tokens->integers.rows - 1, k)), z, weights) &&
      \separated(out + (0 .. row(tokens->integers.rows - 1, k)), z, tokens);
    requires separated_bias: bias == \null || \separated(out + (0 .. row(tokens->integers.rows - 1, k)), z, bias);
    terminates \true;
    assigns out[0 .. row(tokens->integers.rows - 1, k)], *z;
    ensures keeps: \forall interval *a; \separated(a, out + (0 .. row(tokens->integers.rows - 1, k))) ==>
      \separated(a, z) ==> entry_kept{Pre, Post}(a);
    ensures products: products_at(out, k, weights->integers.model_integers, weights->model_exponents,
      tokens->integers.model_integers, tokens->model_exponents, bias_entry{Pre}(bias, 0), weights->integers.cols,
      tokens->integers.rows);
    ensures others: strided_kept{Pre, Post}(out, 0, k, row(tokens->integers.rows - 1, k) + 1, tokens->integers.rows); */
static void project_biased_with(interval *out, size_t k, const exact_rows *weights, const exact_rows *tokens,
                                const double *bias, projection_scratch *z) {
  //@ ghost const size_t count = tokens->integers.rows;
  if (bias != NULL) interval_set_d(&z->bias, *bias);
  //@ assert set: kept{Pre, Here}(out, 0, row(count - 1, k) + 1);
  //@ assert bias: bias != \null ==> in(&z->bias, bias_entry{Pre}(bias, 0));
  const interval *const given = bias != NULL ? &z->bias : NULL;
  //@ assert given: is_bias(given, bias_entry{Pre}(bias, 0));
  //@ assert set_only: \forall interval *a; \separated(a, z) ==> entry_kept{Pre, Here}(a);
  //@ ghost Given:;
  project_tokens(out, k, weights, tokens, given, z->sum);
  /*@ assert tokens_only: \forall interval *a; \separated(a, out + (0 .. row(count - 1, k))) ==> \separated(a, z) ==>
        entry_kept{Given, Here}(a); */
}

/* The same with memory of its own. */
/*@ requires valid: tokens_valid(out, k, weights, tokens, \null) && (bias == \null ||
      (\valid_read(bias) && finite_double(*bias)));
    requires live: tokens_live(out, k, tokens, \null);
    requires sides: tokens_sides(weights, tokens, k) && 1 <= precision;
    requires separated: \separated(out + (0 .. row(tokens->integers.rows - 1, k)), weights) &&
      \separated(out + (0 .. row(tokens->integers.rows - 1, k)), tokens);
    requires separated_bias: bias == \null || \separated(out + (0 .. row(tokens->integers.rows - 1, k)), bias);
    terminates \true;
    assigns out[0 .. row(tokens->integers.rows - 1, k)], mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures keeps: \forall interval *a; \separated(a, out + (0 .. row(tokens->integers.rows - 1, k))) ==>
      \valid_read{Pre}(a) ==> entry_kept{Pre, Post}(a);
    ensures products: products_at(out, k, weights->integers.model_integers, weights->model_exponents,
      tokens->integers.model_integers, tokens->model_exponents, bias_entry{Pre}(bias, 0), weights->integers.cols,
      tokens->integers.rows);
    ensures others: strided_kept{Pre, Post}(out, 0, k, row(tokens->integers.rows - 1, k) + 1, tokens->integers.rows); */
static void project_biased(interval *out, size_t k, const exact_rows *weights, const exact_rows *tokens,
                           const double *bias, mpfr_prec_t precision) {
  projection_scratch z;
  //@ ghost const size_t count = tokens->integers.rows, d = weights->integers.cols;
  //@ ghost const double w = weights->integers.model_integers, e = weights->model_exponents;
  //@ ghost const double x = tokens->integers.model_integers, f = tokens->model_exponents;
  //@ assert places: \forall integer t; 0 <= t < count ==> 0 <= row(t, k) < row(count - 1, k) + 1;
  projection_scratch_init(&z, precision);
  //@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert same: kept{Pre, Here}(out, 0, row(count - 1, k) + 1);
  //@ assert live: live_vec(out, row(count - 1, k) + 1);
  //@ assert weights: weights->integers.model_integers == w && weights->model_exponents == e;
  //@ assert tokens: tokens->integers.model_integers == x && tokens->model_exponents == f;
  //@ assert bias: bias_entry(bias, 0) == bias_entry{Pre}(bias, 0);
  project_biased_with(out, k, weights, tokens, bias, &z);
  //@ assert weights_done: weights->integers.model_integers == w && weights->model_exponents == e;
  //@ assert tokens_done: tokens->integers.model_integers == x && tokens->model_exponents == f;
  //@ assert sides: weights->integers.cols == d && tokens->integers.rows == count;
  //@ assert products: products_at(out, k, w, e, x, f, bias_entry{Pre}(bias, 0), d, count);
  //@ assert others: strided_kept{Pre, Here}(out, 0, k, row(count - 1, k) + 1, count);
  //@ ghost Done:;
  projection_scratch_clear(&z);
  //@ assert entries: \forall integer t; 0 <= t < row(count - 1, k) + 1 ==> entry_kept{Done, Here}(out + t);
  //@ assert same_after: kept{Done, Here}(out, 0, row(count - 1, k) + 1);
  //@ assert weights_after: weights->integers.model_integers == w && weights->model_exponents == e;
  //@ assert tokens_after: tokens->integers.model_integers == x && tokens->model_exponents == f;
  //@ assert after: products_at(out, k, w, e, x, f, bias_entry{Pre}(bias, 0), d, count);
}

/* Row 0 of weights, which is row r of head h, applied to all tokens, which are those from `first` on. */
/*@ requires shape: \valid_read(s) && projection_sides(*s);
    requires position: h < s->heads && r < s->head_dim && 0 <= first && first + tokens->integers.rows <= s->n;
    requires valid: \valid(out + (0 .. projection_outputs(*s) - 1)) && live_vec(out, projection_outputs(*s));
    requires rows: \valid_read(weights) && \valid_read(tokens) && tokens_sides(weights, tokens, s->head_dim);
    requires bias: bias == \null || (\valid_read(bias) && finite_double(*bias));
    requires separated: \separated(out + (0 .. projection_outputs(*s) - 1), weights) &&
      \separated(out + (0 .. projection_outputs(*s) - 1), tokens) &&
      \separated(out + (0 .. projection_outputs(*s) - 1), s);
    requires separated_bias: bias == \null || \separated(out + (0 .. projection_outputs(*s) - 1), bias);
    terminates \true;
    assigns out[0 .. projection_outputs(*s) - 1], mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures done: entries_at(out, s->n, s->head_dim, h, r, first, weights->integers.model_integers,
      weights->model_exponents, tokens->integers.model_integers, tokens->model_exponents, bias_entry{Pre}(bias, 0),
      weights->integers.cols, tokens->integers.rows);
    ensures others: others_kept{Pre, Post}(out, s->heads, s->n, s->head_dim, h, r, first,
      first + tokens->integers.rows); */
static void project_entries(interval *out, const projection_shape *s, size_t h, size_t r, size_t first,
                            const exact_rows *weights, const exact_rows *tokens, const double *bias) {
  const size_t k = (size_t)s->head_dim, place = place_of(s, h, first, r);
  //@ ghost const size_t heads = s->heads, n = s->n, count = tokens->integers.rows, d = weights->integers.cols;
  //@ ghost const double w = weights->integers.model_integers, e = weights->model_exponents;
  //@ ghost const double x = tokens->integers.model_integers, f = tokens->model_exponents;
  //@ assert last: place + row(count - 1, k) == projection_place(n, k, h, first + (count - 1), r);
  //@ assert inside: 0 <= row(count - 1, k) && place + row(count - 1, k) < projection_outputs(*s);
  //@ assert live: live_vec(out + place, row(count - 1, k) + 1);
  //@ assert each: \forall integer c; 0 <= c < row(row(heads, n), k) ==> \valid_read(out + c);
  /*@ assert apart: \forall integer c; (c < place || place + row(count - 1, k) < c) ==>
        \separated(out + c, out + place + (0 .. row(count - 1, k))); */
  //@ assert sizes: s->heads == heads && s->n == n && s->head_dim == k;
  project_biased(out + place, k, weights, tokens, bias, s->precision);
  //@ assert same_heads: s->heads == \at(s->heads, Pre);
  //@ assert same_shape: s->n == \at(s->n, Pre) && s->head_dim == \at(s->head_dim, Pre);
  //@ assert weights_done: weights->integers.model_integers == w && weights->model_exponents == e;
  //@ assert tokens_done: tokens->integers.model_integers == x && tokens->model_exponents == f;
  //@ assert sides: weights->integers.cols == d && tokens->integers.rows == count;
  //@ assert shape: s->heads == heads && s->n == n && s->head_dim == k;
  //@ assert products: products_at(out + place, k, w, e, x, f, bias_entry{Pre}(bias, 0), d, count);
  //@ assert strided: strided_kept{Pre, Here}(out + place, 0, k, row(count - 1, k) + 1, count);
  //@ assert shifted: strided_kept{Pre, Here}(out, place, k, row(count - 1, k) + 1, count);
  /*@ assert entries: \forall integer c; 0 <= c < row(row(heads, n), k) ==>
        (c < place || place + row(count - 1, k) < c) ==> entry_kept{Pre, Here}(out + c); */
  //@ assert before: kept{Pre, Here}(out, 0, place);
  //@ assert after: kept{Pre, Here}(out, place + (row(count - 1, k) + 1), row(row(heads, n), k));
  //@ assert place: place == projection_place(n, k, h, first, r);
  //@ assert done: entries_at(out, n, k, h, r, first, w, e, x, f, bias_entry{Pre}(bias, 0), d, count);
  //@ assert bounds: 0 <= first && first + count <= n && 0 <= r < k;
  //@ assert others: others_kept{Pre, Here}(out, heads, n, k, h, r, first, first + count);
}

/*@ predicate one_row{L}(projection *p, exact_rows *weights, integer m) =
      \valid_read(weights) && weights->integers.rows == 1 && weights->integers.cols == p->shape->dim &&
      exact_exponent(exponent_at(weights->model_exponents, 0)) &&
      holds_row(weights, 0, p->weight + row(m, p->shape->dim), p->shape->dim);
    predicate row_done{L1, L2}(projection *p, integer h, integer r) =
      row_projected{L1, L2}(\at(p->out, L1), \at(p->weight, L1), \at(p->bias, L1), \at(p->x, L1),
        \at(p->shape->n, L1), \at(p->shape->dim, L1), \at(p->shape->head_dim, L1), h, r, \at(p->first, L1),
        \at(p->first + p->count, L1));
    predicate other_rows_kept{L1, L2}(projection *p, integer h, integer r) =
      others_kept{L1, L2}(\at(p->out, L1), \at(p->shape->heads, L1), \at(p->shape->n, L1),
        \at(p->shape->head_dim, L1), h, r, \at(p->first, L1), \at(p->first + p->count, L1)); */

/*@ predicate shape_same{L1, L2}(projection *p) =
      \at(p->shape, L1) == \at(p->shape, L2) && \at(p->shape->n, L1) == \at(p->shape->n, L2) &&
      \at(p->shape->dim, L1) == \at(p->shape->dim, L2) && \at(p->shape->heads, L1) == \at(p->shape->heads, L2) &&
      \at(p->shape->head_dim, L1) == \at(p->shape->head_dim, L2) &&
      \at(p->shape->precision, L1) == \at(p->shape->precision, L2);
    predicate given_same{L1, L2}(projection *p) =
      \at(p->out, L1) == \at(p->out, L2) && \at(p->weight, L1) == \at(p->weight, L2) &&
      \at(p->bias, L1) == \at(p->bias, L2) && \at(p->x, L1) == \at(p->x, L2);
    predicate range_same{L1, L2}(projection *p) =
      \at(p->first, L1) == \at(p->first, L2) && \at(p->count, L1) == \at(p->count, L2);
    predicate tokens_same{L1, L2}(projection *p) =
      \at(p->tokens.integers.rows, L1) == \at(p->tokens.integers.rows, L2) &&
      \at(p->tokens.integers.cols, L1) == \at(p->tokens.integers.cols, L2) &&
      \at(p->tokens.integers.model_integers, L1) == \at(p->tokens.integers.model_integers, L2) &&
      \at(p->tokens.model_exponents, L1) == \at(p->tokens.model_exponents, L2);
    predicate projection_same{L1, L2}(projection *p) =
      shape_same{L1, L2}(p) && given_same{L1, L2}(p) && range_same{L1, L2}(p); */

/* Row m of the weight, which is given, applied to the tokens at hand. */
/*@ requires ready: projection_ready(p) && projection_apart(p) && tokens_at_hand(p);
    requires index: m < row(p->shape->heads, p->shape->head_dim);
    requires weights: one_row(p, weights, m);
    requires separated: \separated(p->out + (0 .. projection_outputs(*p->shape) - 1), weights);
    terminates \true;
    assigns p->out[0 .. projection_outputs(*p->shape) - 1], mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures projected: row_done{Pre, Post}(p, m / \at(p->shape->head_dim, Pre), m % \at(p->shape->head_dim, Pre));
    ensures others: other_rows_kept{Pre, Post}(p, m / \at(p->shape->head_dim, Pre),
      m % \at(p->shape->head_dim, Pre));
    ensures same: projection_same{Pre, Post}(p);
    ensures ready: projection_ready(p) && projection_apart(p);
    ensures tokens: tokens_at_hand(p);
    ensures inputs: inputs_same{Pre, Post}(p); */
static void project_weights(const projection *p, size_t m, const exact_rows *weights) {
  const projection_shape *const s = p->shape;
  const size_t k = (size_t)s->head_dim;
  const double *const bias = p->bias != NULL ? p->bias + m : NULL;
  //@ ghost const size_t n = s->n, d = s->dim, first = p->first, count = p->count;
  //@ ghost const double w = weights->integers.model_integers, e = weights->model_exponents;
  //@ ghost const double x = p->tokens.integers.model_integers, f = p->tokens.model_exponents;
  //@ assert parts: row(m / k, k) + m % k == m && 0 <= m / k < s->heads && 0 <= m % k < k;
  //@ assert sides: tokens_sides(weights, &p->tokens, k);
  //@ assert bias: bias_entry(bias, 0) == bias_entry(p->bias, m);
  //@ assert weight: exact_row(w, 0, power_of_two(exponent_at(e, 0)), p->weight + row(m, d), d);
  //@ assert sizes: n == p->shape->n && d == p->shape->dim && k == p->shape->head_dim;
  //@ assert range: first == p->first && count == p->count;
  /*@ assert at_hand: \forall integer t; 0 <= t < p->count ==>
        holds_row(&p->tokens, t, p->x + row(p->first + t, p->shape->dim), p->shape->dim); */
  /*@ assert each: \forall integer t; 0 <= t < count ==>
        exact_row(x, t, power_of_two(exponent_at(f, t)), p->x + row(first + t, d), d); */
  //@ assert tokens: rows_exact(x, f, p->x, d, first, count);
  /*@ assert biases: p->bias == \null || (\valid_read(p->bias + (0 .. row(s->heads, s->head_dim) - 1)) &&
        finite_entries(p->bias, row(s->heads, s->head_dim))); */
  //@ assert entry: 0 <= m < row(s->heads, s->head_dim);
  //@ assert bias_there: p->bias == \null || (\valid_read(p->bias + m) && finite_double(p->bias[m]));
  project_entries(p->out, s, m / k, m % k, (size_t)p->first, weights, &p->tokens, bias);
  /*@ assert entries: entries_at(\at(p->out, Pre), n, k, m / k, m % k, first, w, e, x, f, bias_entry{Pre}(bias, 0), d,
        count); */
  /*@ assert projected: row_projected{Pre, Here}(\at(p->out, Pre), \at(p->weight, Pre), \at(p->bias, Pre),
        \at(p->x, Pre), n, d, k, m / k, m % k, first, first + count); */
  /*@ assert sides_before: \at(p->shape->head_dim, Pre) == k && \at(p->shape->n, Pre) == n &&
        \at(p->shape->dim, Pre) == d; */
  //@ assert range_before: \at(p->first, Pre) == first && \at(p->first + p->count, Pre) == first + count;
  /*@ assert done: row_done{Pre, Here}(p, m / \at(p->shape->head_dim, Pre), m % \at(p->shape->head_dim, Pre)); */
  //@ assert same_shape: shape_same{Pre, Here}(p);
  //@ assert same_given: given_same{Pre, Here}(p);
  //@ assert same_range: range_same{Pre, Here}(p);
  //@ assert same_tokens: tokens_same{Pre, Here}(p);
  //@ assert same_weight: entries_same{Pre, Here}(p->weight, row(row(s->heads, k), d));
  //@ assert same_x: entries_same{Pre, Here}(p->x, row(n, d));
  //@ assert same_bias: p->bias == \null || entries_same{Pre, Here}(p->bias, row(s->heads, k));
  //@ assert same_sides: p->shape == s && s->n == n && s->dim == d && s->head_dim == k;
  //@ assert ready_shape: \valid_read(p->shape) && projection_sides(*p->shape);
  //@ assert ready_weight: finite_entries(p->weight, row(row(s->heads, k), d));
  //@ assert ready_x: finite_entries(p->x, row(n, d));
  //@ assert ready_bias: p->bias == \null || finite_entries(p->bias, row(s->heads, k));
  //@ assert ready_out: live_vec(p->out, row(row(s->heads, n), k));
  //@ assert ready_inputs: projection_inputs(p->weight, p->bias, p->x, *p->shape);
  //@ assert ready: projection_ready(p) && projection_apart(p);
  //@ assert range_here: p->first == first && p->count == count && 0 <= first && first + count <= n;
  /*@ assert rows_same: \forall integer t; 0 <= t < count ==>
        entries_same{Pre, Here}(p->x + row(first + t, d), d); */
  /*@ assert held_before: \forall integer t; 0 <= t < count ==>
        exact_row{Pre}(x, t, power_of_two(exponent_at(f, t)), p->x + row(first + t, d), d); */
  /*@ assert held_still: \forall integer t; 0 <= t < count ==>
        exact_row(x, t, power_of_two(exponent_at(f, t)), p->x + row(first + t, d), d); */
  //@ assert integers: p->tokens.integers.model_integers == x && p->tokens.model_exponents == f;
  /*@ assert held_here: \forall integer t; 0 <= t < p->count ==> exact_row(p->tokens.integers.model_integers, t,
        row_unit(&p->tokens, t), p->x + row(p->first + t, d), d); */
  /*@ assert rows_held: \forall integer t; 0 <= t < p->count ==>
        holds_row(&p->tokens, t, p->x + row(p->first + t, d), d); */
  //@ assert tokens_held: tokens_at_hand(p);
}

/*@ predicate row_apart{L}(projection *p, exact_rows *weights) =
      \separated(weights, p) && \separated(weights, p->shape) &&
      \separated(weights, p->out + (0 .. projection_outputs(*p->shape) - 1)) &&
      \separated(weights, p->weight + (0 .. projection_weights(*p->shape) - 1)) &&
      \separated(weights, p->x + (0 .. row(p->shape->n, p->shape->dim) - 1)) &&
      (p->bias == \null || \separated(weights, p->bias + (0 .. row(p->shape->heads, p->shape->head_dim) - 1))); */

/* weights := row m of the weight alone. */
/*@ requires ready: projection_ready(p) && projection_apart(p) && tokens_at_hand(p);
    requires index: m < row(p->shape->heads, p->shape->head_dim);
    requires apart: \valid(weights) && row_apart(p, weights);
    terminates \true;
    assigns *weights;
    ensures row: \result ==> one_row(p, weights, m);
    ensures same: projection_same{Pre, Post}(p);
    ensures ready: projection_ready(p) && projection_apart(p);
    ensures tokens: tokens_at_hand(p);
    ensures inputs: inputs_same{Pre, Post}(p);
    ensures keeps: \forall interval *a; \separated(a, weights) ==> entry_kept{Pre, Post}(a); */
static bool weight_row(exact_rows *weights, const projection *p, size_t m) {
  const size_t cols = (size_t)p->shape->dim;
  //@ ghost const long dim = p->shape->dim;
  //@ assert cols: cols == dim;
  //@ ghost const long heads = p->shape->heads, n = p->shape->n, k = p->shape->head_dim;
  //@ assert entry: 0 <= m < row(heads, k);
  //@ ghost const double ti = p->tokens.integers.model_integers, te = p->tokens.model_exponents;
  //@ ghost const long first = p->first, count = p->count;
  /*@ assert at_hand: \forall integer t; 0 <= t < p->count ==>
        holds_row(&p->tokens, t, p->x + row(p->first + t, p->shape->dim), p->shape->dim); */
  /*@ assert each: \forall integer t; 0 <= t < count ==>
        exact_row(ti, t, power_of_two(exponent_at(te, t)), p->x + row(first + t, dim), dim); */
  /*@ assert weight: \valid_read(p->weight + (0 .. row(row(heads, k), dim) - 1)) &&
        finite_entries(p->weight, row(row(heads, k), dim)) &&
        \separated(weights, p->weight + (0 .. row(row(heads, k), dim) - 1)); */
  /*@ assert bias: p->bias == \null || (\valid_read(p->bias + (0 .. row(heads, k) - 1)) &&
        finite_entries(p->bias, row(heads, k)) && \separated(weights, p->bias + (0 .. row(heads, k) - 1))); */
  /*@ assert x: \valid_read(p->x + (0 .. row(n, dim) - 1)) && finite_entries(p->x, row(n, dim)) &&
        \separated(weights, p->x + (0 .. row(n, dim) - 1)); */
  //@ assert place: m * cols == row(m, dim) && 0 <= row(m, dim) && row(m, dim) + dim <= projection_weights(*p->shape);
  //@ assert one: row(1, dim) == dim && row(0, dim) == 0;
  //@ assert finite: finite_entries(p->weight + row(m, dim), dim);
  const bool held = exact_rows_init(weights, p->weight + m * cols, 1, cols, NULL);
  //@ assert same_shape: shape_same{Pre, Here}(p);
  //@ assert same_given: given_same{Pre, Here}(p);
  //@ assert same_range: range_same{Pre, Here}(p);
  //@ assert same_tokens: tokens_same{Pre, Here}(p);
  //@ assert same_weight: entries_same{Pre, Here}(p->weight, row(row(heads, k), dim));
  //@ assert same_x: entries_same{Pre, Here}(p->x, row(n, dim));
  //@ assert same_bias: p->bias == \null || entries_same{Pre, Here}(p->bias, row(heads, k));
  /*@ assert same_sides: p->shape->heads == heads && p->shape->n == n && p->shape->dim == dim &&
        p->shape->head_dim == k; */
  //@ assert ready_shape: \valid_read(p->shape) && projection_sides(*p->shape);
  //@ assert ready_weight: finite_entries(p->weight, row(row(heads, k), dim));
  //@ assert ready_x: finite_entries(p->x, row(n, dim));
  //@ assert ready_bias: p->bias == \null || finite_entries(p->bias, row(heads, k));
  //@ assert ready_out: live_vec(p->out, row(row(heads, n), k));
  //@ assert ready_inputs: projection_inputs(p->weight, p->bias, p->x, *p->shape);
  //@ assert ready: projection_ready(p) && projection_apart(p);
  /*@ assert rows_same: \forall integer t; 0 <= t < p->count ==>
        entries_same{Pre, Here}(p->x + row(p->first + t, dim), dim); */
  //@ assert units: \forall integer t; row_unit{Pre}(&p->tokens, t) == row_unit(&p->tokens, t);
  /*@ assert held_before: \forall integer t; 0 <= t < count ==>
        exact_row{Pre}(ti, t, power_of_two(exponent_at(te, t)), p->x + row(first + t, dim), dim); */
  //@ assert range: p->first == first && p->count == count;
  /*@ assert rows_still: \forall integer t; 0 <= t < count ==>
        entries_same{Pre, Here}(p->x + row(first + t, dim), dim); */
  /*@ assert held_still: \forall integer t; 0 <= t < count ==>
        exact_row(ti, t, power_of_two(exponent_at(te, t)), p->x + row(first + t, dim), dim); */
  //@ assert integers: p->tokens.integers.model_integers == ti && p->tokens.model_exponents == te;
  /*@ assert held_here: \forall integer t; 0 <= t < p->count ==> exact_row(p->tokens.integers.model_integers,
        t, row_unit(&p->tokens, t), p->x + row(p->first + t, dim), dim); */
  /*@ assert rows_held: \forall integer t; 0 <= t < p->count ==>
        holds_row(&p->tokens, t, p->x + row(p->first + t, dim), dim); */
  //@ assert tokens_held: tokens_at_hand(p);
  /*@ assert kept_ends: \forall interval *a; \separated(a, weights) ==>
        unchanged{Pre, Here}(&a->lo[0]) && unchanged{Pre, Here}(&a->hi[0]); */
  return held;
}

/*@ requires ready: projection_ready(p) && projection_apart(p) && tokens_at_hand(p);
    requires apart: \valid(weights) && row_apart(p, weights);
    terminates \true;
    assigns *weights;
    ensures same: projection_same{Pre, Post}(p);
    ensures ready: projection_ready(p) && projection_apart(p);
    ensures tokens: tokens_at_hand(p);
    ensures inputs: inputs_same{Pre, Post}(p);
    ensures keeps: \forall interval *a; \separated(a, weights) ==> entry_kept{Pre, Post}(a); */
static void weight_row_clear(exact_rows *weights) /*@ ghost (const projection *p) */ {
  //@ ghost const long dim = p->shape->dim;
  //@ ghost const long heads = p->shape->heads, n = p->shape->n, k = p->shape->head_dim;
  //@ ghost const double ti = p->tokens.integers.model_integers, te = p->tokens.model_exponents;
  //@ ghost const long first = p->first, count = p->count;
  /*@ assert at_hand: \forall integer t; 0 <= t < p->count ==>
        holds_row(&p->tokens, t, p->x + row(p->first + t, p->shape->dim), p->shape->dim); */
  /*@ assert each: \forall integer t; 0 <= t < count ==>
        exact_row(ti, t, power_of_two(exponent_at(te, t)), p->x + row(first + t, dim), dim); */
  /*@ assert weight: \valid_read(p->weight + (0 .. row(row(heads, k), dim) - 1)) &&
        finite_entries(p->weight, row(row(heads, k), dim)) &&
        \separated(weights, p->weight + (0 .. row(row(heads, k), dim) - 1)); */
  /*@ assert bias: p->bias == \null || (\valid_read(p->bias + (0 .. row(heads, k) - 1)) &&
        finite_entries(p->bias, row(heads, k)) && \separated(weights, p->bias + (0 .. row(heads, k) - 1))); */
  /*@ assert x: \valid_read(p->x + (0 .. row(n, dim) - 1)) && finite_entries(p->x, row(n, dim)) &&
        \separated(weights, p->x + (0 .. row(n, dim) - 1)); */
  exact_rows_clear(weights);
  //@ assert same_shape: shape_same{Pre, Here}(p);
  //@ assert same_given: given_same{Pre, Here}(p);
  //@ assert same_range: range_same{Pre, Here}(p);
  //@ assert same_tokens: tokens_same{Pre, Here}(p);
  //@ assert same_weight: entries_same{Pre, Here}(p->weight, row(row(heads, k), dim));
  //@ assert same_x: entries_same{Pre, Here}(p->x, row(n, dim));
  //@ assert same_bias: p->bias == \null || entries_same{Pre, Here}(p->bias, row(heads, k));
  /*@ assert same_sides: p->shape->heads == heads && p->shape->n == n && p->shape->dim == dim &&
        p->shape->head_dim == k; */
  //@ assert ready_shape: \valid_read(p->shape) && projection_sides(*p->shape);
  //@ assert ready_weight: finite_entries(p->weight, row(row(heads, k), dim));
  //@ assert ready_x: finite_entries(p->x, row(n, dim));
  //@ assert ready_bias: p->bias == \null || finite_entries(p->bias, row(heads, k));
  //@ assert ready_out: live_vec(p->out, row(row(heads, n), k));
  //@ assert ready_inputs: projection_inputs(p->weight, p->bias, p->x, *p->shape);
  //@ assert ready: projection_ready(p) && projection_apart(p);
  /*@ assert rows_same: \forall integer t; 0 <= t < p->count ==>
        entries_same{Pre, Here}(p->x + row(p->first + t, dim), dim); */
  //@ assert units: \forall integer t; row_unit{Pre}(&p->tokens, t) == row_unit(&p->tokens, t);
  /*@ assert held_before: \forall integer t; 0 <= t < count ==>
        exact_row{Pre}(ti, t, power_of_two(exponent_at(te, t)), p->x + row(first + t, dim), dim); */
  //@ assert range: p->first == first && p->count == count;
  /*@ assert rows_still: \forall integer t; 0 <= t < count ==>
        entries_same{Pre, Here}(p->x + row(first + t, dim), dim); */
  /*@ assert held_still: \forall integer t; 0 <= t < count ==>
        exact_row(ti, t, power_of_two(exponent_at(te, t)), p->x + row(first + t, dim), dim); */
  //@ assert integers: p->tokens.integers.model_integers == ti && p->tokens.model_exponents == te;
  /*@ assert held_here: \forall integer t; 0 <= t < p->count ==> exact_row(p->tokens.integers.model_integers,
        t, row_unit(&p->tokens, t), p->x + row(p->first + t, dim), dim); */
  /*@ assert rows_held: \forall integer t; 0 <= t < p->count ==>
        holds_row(&p->tokens, t, p->x + row(p->first + t, dim), dim); */
  //@ assert tokens_held: tokens_at_hand(p);
  /*@ assert kept_ends: \forall interval *a; \separated(a, weights) ==>
        unchanged{Pre, Here}(&a->lo[0]) && unchanged{Pre, Here}(&a->hi[0]); */
}

/*@ requires ready: \valid(p) && projection_ready(p) && projection_apart(p);
    terminates \true;
    assigns p->failed;
    ensures failed: p->failed;
    ensures same: projection_same{Pre, Post}(p);
    ensures ready: projection_ready(p) && projection_apart(p);
    ensures tokens: \old(tokens_at_hand(p)) ==> tokens_at_hand(p);
    ensures inputs: inputs_same{Pre, Post}(p);
    ensures keeps: \forall interval *a; \separated(a, p) ==> entry_kept{Pre, Post}(a); */
static void projection_fails(projection *p) {
  //@ ghost const long dim = p->shape->dim;
  //@ ghost const long heads = p->shape->heads, n = p->shape->n, k = p->shape->head_dim;
  /*@ assert weight: \valid_read(p->weight + (0 .. row(row(heads, k), dim) - 1)) &&
        finite_entries(p->weight, row(row(heads, k), dim)); */
  /*@ assert bias: p->bias == \null || (\valid_read(p->bias + (0 .. row(heads, k) - 1)) &&
        finite_entries(p->bias, row(heads, k))); */
  /*@ assert x: \valid_read(p->x + (0 .. row(n, dim) - 1)) && finite_entries(p->x, row(n, dim)); */
  atomic_store(&p->failed, true);
  //@ assert same_shape: shape_same{Pre, Here}(p);
  //@ assert same_given: given_same{Pre, Here}(p);
  //@ assert same_range: range_same{Pre, Here}(p);
  //@ assert same_tokens: tokens_same{Pre, Here}(p);
  //@ assert same_weight: entries_same{Pre, Here}(p->weight, row(row(heads, k), dim));
  //@ assert same_x: entries_same{Pre, Here}(p->x, row(n, dim));
  //@ assert same_bias: p->bias == \null || entries_same{Pre, Here}(p->bias, row(heads, k));
  /*@ assert same_sides: p->shape->heads == heads && p->shape->n == n && p->shape->dim == dim &&
        p->shape->head_dim == k; */
  //@ assert ready_shape: \valid_read(p->shape) && projection_sides(*p->shape);
  //@ assert ready_weight: finite_entries(p->weight, row(row(heads, k), dim));
  //@ assert ready_x: finite_entries(p->x, row(n, dim));
  //@ assert ready_bias: p->bias == \null || finite_entries(p->bias, row(heads, k));
  //@ assert ready_out: live_vec(p->out, row(row(heads, n), k));
  //@ assert ready_inputs: projection_inputs(p->weight, p->bias, p->x, *p->shape);
  //@ assert ready: projection_ready(p) && projection_apart(p);
  /*@ assert rows_same: tokens_at_hand{Pre}(p) ==> \forall integer t; 0 <= t < p->count ==>
        entries_same{Pre, Here}(p->x + row(p->first + t, dim), dim); */
  //@ assert units: \forall integer t; row_unit{Pre}(&p->tokens, t) == row_unit(&p->tokens, t);
  /*@ assert held_before: tokens_at_hand{Pre}(p) ==> \forall integer t; 0 <= t < p->count ==> exact_row{Pre}(
        p->tokens.integers.model_integers, t, row_unit(&p->tokens, t), p->x + row(p->first + t, dim), dim); */
  /*@ assert held_here: tokens_at_hand{Pre}(p) ==> \forall integer t; 0 <= t < p->count ==> exact_row(
        p->tokens.integers.model_integers, t, row_unit(&p->tokens, t), p->x + row(p->first + t, dim), dim); */
  /*@ assert rows_held: tokens_at_hand{Pre}(p) ==> \forall integer t; 0 <= t < p->count ==>
        holds_row(&p->tokens, t, p->x + row(p->first + t, dim), dim); */
  //@ assert tokens_held: tokens_at_hand{Pre}(p) ==> tokens_at_hand(p);
  /*@ assert kept_ends: \forall interval *a; \separated(a, p) ==>
        unchanged{Pre, Here}(&a->lo[0]) && unchanged{Pre, Here}(&a->hi[0]); */
}

/*@ // The rows of the weight before `index` are applied, with the factors and the enclosures of one moment.
    predicate rows_before{L}(projection *p, integer index) =
      rows_projected{L, L}(p->out, p->weight, p->bias, p->x, p->shape->n, p->shape->dim, p->shape->heads,
        p->shape->head_dim, index, p->first, p->first + p->count); */

/* Row `index` of the weight applied to the tokens at hand. */
/*@ requires ready: \valid(p) && projection_ready(p) && projection_apart(p) && tokens_at_hand(p);
    requires index: 0 <= index < row(p->shape->heads, p->shape->head_dim);
    terminates \true;
    assigns p->out[0 .. projection_outputs(*p->shape) - 1], p->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures failure: \old(p->failed) ==> p->failed;
    ensures projected: !p->failed ==>
      row_done{Pre, Post}(p, index / \at(p->shape->head_dim, Pre), index % \at(p->shape->head_dim, Pre));
    ensures next: !p->failed ==> rows_before{Pre}(p, index) ==> rows_before{Post}(p, index + 1);
    ensures others: other_rows_kept{Pre, Post}(p, index / \at(p->shape->head_dim, Pre),
      index % \at(p->shape->head_dim, Pre));
    ensures same: projection_same{Pre, Post}(p);
    ensures ready_shape: \valid_read(p) && \valid_read(p->shape) && projection_sides(*p->shape);
    ensures ready_inputs: projection_inputs(p->weight, p->bias, p->x, *p->shape);
    ensures ready_out: \valid(p->out + (0 .. projection_outputs(*p->shape) - 1)) &&
      live_vec(p->out, projection_outputs(*p->shape));
    ensures apart: projection_apart(p);
    ensures tokens: tokens_at_hand(p);
    ensures inputs: inputs_same{Pre, Post}(p); */
static void project_row(projection *p, int index) {
  const size_t m = (size_t)index;
  exact_rows weights;
  //@ ghost const long heads = p->shape->heads, n = p->shape->n, dim = p->shape->dim, k = p->shape->head_dim;
  //@ ghost const long first = p->first, to = p->first + p->count;
  //@ ghost interval *const out = p->out;
  //@ ghost const double *const weight = p->weight, *const bias = p->bias, *const x = p->x;
  //@ assert entry: 0 <= m < row(heads, k);
  //@ assert parts: row(m / k, k) + m % k == m && 0 <= m / k < heads && 0 <= m % k < k;
  if (weight_row(&weights, p, m)) {
    //@ assert each: \forall integer c; 0 <= c < row(row(heads, n), k) ==> entry_kept{Pre, Here}(p->out + c);
    //@ assert same: kept{Pre, Here}(p->out, 0, row(row(heads, n), k));
    //@ ghost Ready:;
    project_weights(p, m, &weights);
    //@ assert projected: row_done{Ready, Here}(p, m / k, m % k);
    //@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
    //@ assert same_all: projection_same{Pre, Ready}(p) && projection_same{Ready, Here}(p);
    //@ assert same_all_along: projection_same{Pre, Here}(p);
    //@ assert inputs_ready: inputs_same{Pre, Ready}(p) && inputs_same{Ready, Here}(p);
    /*@ assert inputs_first: entries_same{Pre, Ready}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
          entries_same{Pre, Ready}(\at(p->x, Pre), row(n, dim)) &&
          (\at(p->bias, Pre) == \null || entries_same{Pre, Ready}(\at(p->bias, Pre), row(heads, k))); */
    /*@ assert inputs_then: entries_same{Ready, Here}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
          entries_same{Ready, Here}(\at(p->x, Pre), row(n, dim)) &&
          (\at(p->bias, Pre) == \null || entries_same{Ready, Here}(\at(p->bias, Pre), row(heads, k))); */
    /*@ assert inputs_both: entries_same{Pre, Here}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
          entries_same{Pre, Here}(\at(p->x, Pre), row(n, dim)) &&
          (\at(p->bias, Pre) == \null || entries_same{Pre, Here}(\at(p->bias, Pre), row(heads, k))); */
    //@ assert inputs_all: inputs_same{Pre, Here}(p);
    //@ assert from_pre: row_done{Pre, Here}(p, m / k, m % k);
    /*@ assert others_here: others_kept{Ready, Here}(\at(p->out, Pre), heads, n, k, m / k, m % k, \at(p->first, Pre),
          \at(p->first + p->count, Pre)); */
    //@ assert others: other_rows_kept{Pre, Here}(p, m / k, m % k);
  } else {
    //@ assert each_before: \forall integer c; 0 <= c < row(row(heads, n), k) ==> entry_kept{Pre, Here}(p->out + c);
    //@ ghost Failed:;
    projection_fails(p);
    //@ assert each_one: \forall integer c; 0 <= c < row(row(heads, n), k) ==> entry_kept{Failed, Here}(p->out + c);
    //@ assert lives_too: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
    //@ assert same_too: projection_same{Pre, Failed}(p) && projection_same{Failed, Here}(p);
    //@ assert same_too_along: projection_same{Pre, Here}(p);
    //@ assert inputs_failed: inputs_same{Pre, Failed}(p) && inputs_same{Failed, Here}(p);
    //@ assert inputs_too: inputs_same{Pre, Here}(p);
    //@ assert none: kept{Pre, Here}(p->out, 0, row(row(heads, n), k));
    //@ assert nothing: other_rows_kept{Pre, Here}(p, m / k, m % k);
  }
  //@ ghost Done:;
  //@ assert done: projection_same{Pre, Here}(p) && inputs_same{Pre, Here}(p);
  //@ assert lives_done: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  weight_row_clear(&weights) /*@ ghost (p) */;
  /*@ assert entries: \forall integer c; 0 <= c < row(row(heads, n), k) ==>
        entry_kept{Done, Here}(\at(p->out, Pre) + c); */
  //@ assert cleared: kept{Done, Here}(\at(p->out, Pre), 0, row(row(heads, n), k));
  //@ assert lives_still: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
  //@ assert failure: p->failed == \at(p->failed, Done);
  //@ assert range: 0 <= \at(p->first, Pre) && \at(p->first + p->count, Pre) <= n;
  /*@ assert projected_done: !p->failed ==> row_projected{Pre, Done}(\at(p->out, Pre), \at(p->weight, Pre),
        \at(p->bias, Pre), \at(p->x, Pre), n, dim, k, m / k, m % k, \at(p->first, Pre),
        \at(p->first + p->count, Pre)); */
  //@ assert projected_still: !p->failed ==> row_done{Pre, Here}(p, m / k, m % k);
  /*@ assert others_done: others_kept{Pre, Done}(\at(p->out, Pre), heads, n, k, m / k, m % k, \at(p->first, Pre),
        \at(p->first + p->count, Pre)); */
  //@ assert others_still: other_rows_kept{Pre, Here}(p, m / k, m % k);
  //@ assert same: projection_same{Done, Here}(p) && projection_same{Pre, Here}(p);
  //@ assert inputs_still: inputs_same{Done, Here}(p);
  /*@ assert inputs_done: entries_same{Pre, Done}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
        entries_same{Pre, Done}(\at(p->x, Pre), row(n, dim)) &&
        (\at(p->bias, Pre) == \null || entries_same{Pre, Done}(\at(p->bias, Pre), row(heads, k))); */
  /*@ assert inputs_after: entries_same{Done, Here}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
        entries_same{Done, Here}(\at(p->x, Pre), row(n, dim)) &&
        (\at(p->bias, Pre) == \null || entries_same{Done, Here}(\at(p->bias, Pre), row(heads, k))); */
  /*@ assert inputs_ever: entries_same{Pre, Here}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
        entries_same{Pre, Here}(\at(p->x, Pre), row(n, dim)) &&
        (\at(p->bias, Pre) == \null || entries_same{Pre, Here}(\at(p->bias, Pre), row(heads, k))); */
  //@ assert inputs: inputs_same{Pre, Here}(p);
  //@ assert valid: \valid_read(p) && \valid_read(p->shape) && \valid(p->out + (0 .. row(row(heads, n), k) - 1));
  //@ assert ready: projection_ready(p) && projection_apart(p);
  /*@ assert before: rows_before{Pre}(p, m) ==> rows_projected{Pre, Pre}(out, weight, bias, x, n, dim, heads, k, m,
        first, to); */
  /*@ assert now: !p->failed ==> row_projected{Pre, Here}(out, weight, bias, x, n, dim, k, m / k, m % k, first, to); */
  //@ assert beside: others_kept{Pre, Here}(out, heads, n, k, m / k, m % k, first, to);
  /*@ assert next_pre: !p->failed ==> rows_before{Pre}(p, m) ==>
        rows_projected{Pre, Here}(out, weight, bias, x, n, dim, heads, k, m + 1, first, to); */
  /*@ assert next_here: !p->failed ==> rows_before{Pre}(p, m) ==>
        rows_projected{Here, Here}(out, weight, bias, x, n, dim, heads, k, m + 1, first, to); */
  /*@ assert same_sides: p->shape->n == n && p->shape->dim == dim && p->shape->heads == heads &&
        p->shape->head_dim == k; */
  //@ assert same_pointers: p->out == out && p->weight == weight && p->bias == bias && p->x == x;
  //@ assert same_range: p->first == first && p->first + p->count == to;
  //@ assert next: !p->failed ==> rows_before{Pre}(p, m) ==> rows_before(p, m + 1);
}
PARALLEL_TASK(project_row)

/*@ predicate block_projected{L1, L2}(projection *p, integer index) =
      rows_projected{L1, L2}(\at(p->out, L1), \at(p->weight, L1), \at(p->bias, L1), \at(p->x, L1),
        \at(p->shape->n, L1), \at(p->shape->dim, L1), \at(p->shape->heads, L1), \at(p->shape->head_dim, L1), index,
        \at(p->first, L1), \at(p->first + p->count, L1));
    predicate other_blocks_kept{L1, L2}(projection *p) =
      tokens_kept{L1, L2}(\at(p->out, L1), \at(p->shape->heads, L1), \at(p->shape->n, L1),
        \at(p->shape->head_dim, L1), \at(p->first, L1), \at(p->first + p->count, L1)); */

/* All rows of the weight applied to the tokens at hand. */
/*@ requires ready: \valid(p) && projection_ready(p) && projection_apart(p) && tokens_at_hand(p);
    terminates \true;
    assigns p->out[0 .. projection_outputs(*p->shape) - 1], p->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures projected: !p->failed ==>
      block_projected{Pre, Post}(p, row(\at(p->shape->heads, Pre), \at(p->shape->head_dim, Pre)));
    ensures same: projection_same{Pre, Post}(p);
    ensures ready: projection_ready(p) && projection_apart(p);
    ensures inputs: inputs_same{Pre, Post}(p);
    ensures tokens: tokens_at_hand(p);
    ensures failure: \old(p->failed) ==> p->failed;
    ensures others: other_blocks_kept{Pre, Post}(p); */
static void project_rows(projection *p) {
  const projection_shape *const s = p->shape;
  //@ ghost const long heads = s->heads, n = s->n, dim = s->dim, k = s->head_dim, first = p->first;
  //@ ghost const long to = p->first + p->count;
  //@ ghost interval *const out = p->out;
  //@ ghost const double *const weight = p->weight, *const bias = p->bias, *const x = p->x;
  //@ assert count: heads * k == row(heads, k) <= DIM_MAX && 0 <= first && to <= n;
  //@ assert rows: s->heads * s->head_dim == row(s->heads, s->head_dim) <= DIM_MAX;
  /*@ loop invariant range: 0 <= parallel_index <= row(heads, k);
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant same: projection_same{Pre, Here}(p);
      loop invariant ready: projection_ready(p) && projection_apart(p);
      loop invariant tokens: tokens_at_hand(p);
      loop invariant inputs: inputs_same{Pre, Here}(p);
      loop invariant failure: \at(p->failed, Pre) ==> p->failed;
      loop invariant sides: p->shape == s && s->heads == heads && s->n == n && s->dim == dim && s->head_dim == k;
      loop invariant blocks: p->first == first && p->first + p->count == to;
      loop invariant projected: !p->failed ==> rows_before(p, parallel_index);
      loop invariant others: tokens_kept{Pre, Here}(\at(p->out, Pre), heads, n, k, first, to);
      loop assigns parallel_index, \at(p->out, Pre)[0 .. projection_outputs(\at(*p->shape, Pre)) - 1],
        p->failed, mpfr_lives, mpz_lives;
      loop variant row(heads, k) - parallel_index; */
  PARALLEL_FOR(s->heads * s->head_dim, s->threads, project_row, p);
  //@ assert same_pointers: p->out == out && p->weight == weight && p->bias == bias && p->x == x;
  /*@ assert all: !p->failed ==> rows_projected{Here, Here}(out, weight, bias, x, n, dim, heads, k, row(heads, k),
        first, to); */
  /*@ assert factors: entries_same{Pre, Here}(weight, row(row(heads, k), dim)) && entries_same{Pre, Here}(x, row(n,
        dim)) && (bias == \null || entries_same{Pre, Here}(bias, row(heads, k))); */
  /*@ assert from_pre: !p->failed ==> rows_projected{Pre, Here}(out, weight, bias, x, n, dim, heads, k, row(heads, k),
        first, to); */
}

/*@ predicate held_range{L}(projection *p) = 0 <= p->first && 1 <= p->count && p->first + p->count <= p->shape->n;
    predicate held_sides{L}(projection *p) =
      p->tokens.integers.rows == p->count && p->tokens.integers.cols == p->shape->dim;
    predicate held_exponents{L}(projection *p) = exact_exponents(p->tokens.model_exponents, p->count);
    predicate held_rows{L}(projection *p) = holds_rows(&p->tokens, p->x, p->first, p->count, p->shape->dim);
    predicate held_each{L}(projection *p) =
      \forall integer t; 0 <= t < p->count ==>
      holds_row(&p->tokens, t, p->x + row(p->first + t, p->shape->dim), p->shape->dim); */

/* The tokens from p->first on, as integers. */
/*@ requires ready: \valid(p) && projection_ready(p) && projection_apart(p);
    requires range: 0 <= p->first && 1 <= p->count && p->first + p->count <= p->shape->n;
    terminates \true;
    assigns p->tokens;
    ensures tokens: \result ==> tokens_at_hand(p);
    ensures same: projection_same{Pre, Post}(p);
    ensures ready: projection_ready(p) && projection_apart(p);
    ensures inputs: inputs_same{Pre, Post}(p);
    ensures failure: p->failed == \old(p->failed);
    ensures keeps: \forall interval *a; \separated(a, p) ==> entry_kept{Pre, Post}(a); */
static bool tokens_hold(projection *p) {
  const size_t dim = (size_t)p->shape->dim, first = (size_t)p->first, count = (size_t)p->count;
  //@ ghost const long heads = p->shape->heads, n = p->shape->n, k = p->shape->head_dim;
  //@ ghost const long d = p->shape->dim, f = p->first, c = p->count;
  //@ assert sizes: dim == d && first == f && count == c && 0 <= f && 1 <= c && f + c <= n;
  /*@ assert weight: \valid_read(p->weight + (0 .. row(row(heads, k), d) - 1)) &&
        finite_entries(p->weight, row(row(heads, k), d)); */
  /*@ assert bias: p->bias == \null || (\valid_read(p->bias + (0 .. row(heads, k) - 1)) &&
        finite_entries(p->bias, row(heads, k))); */
  /*@ assert x: \valid_read(p->x + (0 .. row(n, d) - 1)) && finite_entries(p->x, row(n, d)); */
  //@ assert product: row(f, d) == f * d;
  //@ assert begin: 0 <= row(f, d);
  //@ assert place: first * dim == row(f, d);
  //@ assert rows: 0 <= row(c, d) && row(f, d) + row(c, d) == row(f + c, d) <= row(n, d) <= DIM_MAX * DIM_MAX;
  //@ assert finite: finite_entries(p->x + row(f, d), row(c, d));
  const bool held = exact_rows_init(&p->tokens, p->x + first * dim, count, dim, NULL);
  //@ assert same_shape: shape_same{Pre, Here}(p);
  //@ assert same_given: given_same{Pre, Here}(p);
  //@ assert same_range: range_same{Pre, Here}(p);
  //@ assert same_weight: entries_same{Pre, Here}(p->weight, row(row(heads, k), d));
  //@ assert same_x: entries_same{Pre, Here}(p->x, row(n, d));
  //@ assert same_bias: p->bias == \null || entries_same{Pre, Here}(p->bias, row(heads, k));
  /*@ assert same_sides: p->shape->heads == heads && p->shape->n == n && p->shape->dim == d &&
        p->shape->head_dim == k; */
  //@ assert ready_shape: \valid_read(p->shape) && projection_sides(*p->shape);
  //@ assert ready_weight: finite_entries(p->weight, row(row(heads, k), d));
  //@ assert ready_x: finite_entries(p->x, row(n, d));
  //@ assert ready_bias: p->bias == \null || finite_entries(p->bias, row(heads, k));
  //@ assert ready_out: live_vec(p->out, row(row(heads, n), k));
  //@ assert ready_inputs: projection_inputs(p->weight, p->bias, p->x, *p->shape);
  //@ assert ready: projection_ready(p) && projection_apart(p);
  /*@ assert kept_ends: \forall interval *a; \separated(a, p) ==>
        unchanged{Pre, Here}(&a->lo[0]) && unchanged{Pre, Here}(&a->hi[0]); */
  //@ assert block: held ==> holds_block(&p->tokens, p->x, row(f, d), c, d);
  //@ assert rows_held: held ==> holds_rows(&p->tokens, p->x, f, c, d);
  //@ assert range: p->first == f && p->count == c && p->shape->dim == d && p->shape->n == n;
  //@ assert rows_here: held ==> holds_rows(&p->tokens, p->x, p->first, p->count, p->shape->dim);
  //@ assert range_here: 0 <= p->first && 1 <= p->count && p->first + p->count <= p->shape->n;
  //@ assert sides: held ==> p->tokens.integers.rows == p->count && p->tokens.integers.cols == p->shape->dim;
  //@ assert exponents: held ==> exact_exponents(p->tokens.model_exponents, p->count);
  //@ assert hand_range: held_range(p);
  //@ assert hand_sides: held ==> held_sides(p);
  //@ assert hand_exponents: held ==> held_exponents(p);
  //@ assert hand_rows: held ==> held_rows(p);
  //@ assert hand_each: held ==> held_each(p);
  //@ assert tokens: held ==> tokens_at_hand(p);
  return held;
}

/*@ requires ready: \valid(p) && projection_ready(p) && projection_apart(p);
    requires range: 0 <= p->first && 1 <= p->count && p->first + p->count <= p->shape->n;
    terminates \true;
    assigns p->tokens;
    ensures same: projection_same{Pre, Post}(p);
    ensures ready: projection_ready(p) && projection_apart(p);
    ensures inputs: inputs_same{Pre, Post}(p);
    ensures failure: p->failed == \old(p->failed);
    ensures keeps: \forall interval *a; \separated(a, p) ==> entry_kept{Pre, Post}(a); */
static void tokens_release(projection *p) {
  //@ ghost const long dim = p->shape->dim;
  //@ ghost const long heads = p->shape->heads, n = p->shape->n, k = p->shape->head_dim;
  /*@ assert weight: \valid_read(p->weight + (0 .. row(row(heads, k), dim) - 1)) &&
        finite_entries(p->weight, row(row(heads, k), dim)); */
  /*@ assert bias: p->bias == \null || (\valid_read(p->bias + (0 .. row(heads, k) - 1)) &&
        finite_entries(p->bias, row(heads, k))); */
  /*@ assert x: \valid_read(p->x + (0 .. row(n, dim) - 1)) && finite_entries(p->x, row(n, dim)); */
  exact_rows_clear(&p->tokens);
  //@ assert same_shape: shape_same{Pre, Here}(p);
  //@ assert same_given: given_same{Pre, Here}(p);
  //@ assert same_range: range_same{Pre, Here}(p);
  //@ assert same_weight: entries_same{Pre, Here}(p->weight, row(row(heads, k), dim));
  //@ assert same_x: entries_same{Pre, Here}(p->x, row(n, dim));
  //@ assert same_bias: p->bias == \null || entries_same{Pre, Here}(p->bias, row(heads, k));
  /*@ assert same_sides: p->shape->heads == heads && p->shape->n == n && p->shape->dim == dim &&
        p->shape->head_dim == k; */
  //@ assert ready_shape: \valid_read(p->shape) && projection_sides(*p->shape);
  //@ assert ready_weight: finite_entries(p->weight, row(row(heads, k), dim));
  //@ assert ready_x: finite_entries(p->x, row(n, dim));
  //@ assert ready_bias: p->bias == \null || finite_entries(p->bias, row(heads, k));
  //@ assert ready_out: live_vec(p->out, row(row(heads, n), k));
  //@ assert ready_inputs: projection_inputs(p->weight, p->bias, p->x, *p->shape);
  //@ assert ready: projection_ready(p) && projection_apart(p);
  /*@ assert kept_ends: \forall interval *a; \separated(a, p) ==>
        unchanged{Pre, Here}(&a->lo[0]) && unchanged{Pre, Here}(&a->hi[0]); */
}

/* The tokens from p->first on, p->count of them. */
/*@ requires ready: \valid(p) && projection_ready(p) && projection_apart(p);
    requires tokens: 0 <= p->first && 1 <= p->count && p->first + p->count <= p->shape->n;
    terminates \true;
    assigns p->out[0 .. projection_outputs(*p->shape) - 1], p->tokens, p->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures projected: !p->failed ==>
      block_projected{Pre, Post}(p, row(\at(p->shape->heads, Pre), \at(p->shape->head_dim, Pre)));
    ensures same: projection_same{Pre, Post}(p);
    ensures ready: projection_ready(p) && projection_apart(p);
    ensures inputs: inputs_same{Pre, Post}(p);
    ensures failure: \old(p->failed) ==> p->failed;
    ensures others: other_blocks_kept{Pre, Post}(p); */
static void project_block(projection *p) {
  //@ ghost const long heads = p->shape->heads, n = p->shape->n, dim = p->shape->dim, k = p->shape->head_dim;
  //@ ghost const long first = p->first, to = p->first + p->count;
  //@ assert beside: \separated(p->out + (0 .. row(row(heads, n), k) - 1), p);
  //@ assert apart: \forall integer c; 0 <= c < row(row(heads, n), k) ==> \separated(p->out + c, p);
  if (tokens_hold(p)) {
    //@ assert each: \forall integer c; 0 <= c < row(row(heads, n), k) ==> entry_kept{Pre, Here}(p->out + c);
    //@ assert same: kept{Pre, Here}(p->out, 0, row(row(heads, n), k));
    //@ ghost Ready:;
    project_rows(p);
    //@ assert lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
    //@ assert same_all: projection_same{Pre, Ready}(p) && projection_same{Ready, Here}(p);
    //@ assert same_all_along: projection_same{Pre, Here}(p);
    //@ assert inputs_ready: inputs_same{Pre, Ready}(p) && inputs_same{Ready, Here}(p);
    /*@ assert inputs_first: entries_same{Pre, Ready}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
          entries_same{Pre, Ready}(\at(p->x, Pre), row(n, dim)) &&
          (\at(p->bias, Pre) == \null || entries_same{Pre, Ready}(\at(p->bias, Pre), row(heads, k))); */
    /*@ assert inputs_then: entries_same{Ready, Here}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
          entries_same{Ready, Here}(\at(p->x, Pre), row(n, dim)) &&
          (\at(p->bias, Pre) == \null || entries_same{Ready, Here}(\at(p->bias, Pre), row(heads, k))); */
    /*@ assert inputs_both: entries_same{Pre, Here}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
          entries_same{Pre, Here}(\at(p->x, Pre), row(n, dim)) &&
          (\at(p->bias, Pre) == \null || entries_same{Pre, Here}(\at(p->bias, Pre), row(heads, k))); */
    //@ assert inputs_all: inputs_same{Pre, Here}(p);
    /*@ assert projected: !p->failed ==> rows_projected{Ready, Here}(\at(p->out, Pre), \at(p->weight, Pre),
          \at(p->bias, Pre), \at(p->x, Pre), n, dim, heads, k, row(heads, k), first, to); */
    /*@ assert from_pre: !p->failed ==> rows_projected{Pre, Here}(\at(p->out, Pre), \at(p->weight, Pre),
          \at(p->bias, Pre), \at(p->x, Pre), n, dim, heads, k, row(heads, k), first, to); */
    //@ assert others_ready: tokens_kept{Ready, Here}(\at(p->out, Pre), heads, n, k, first, to);
    //@ assert others_all: tokens_kept{Pre, Here}(\at(p->out, Pre), heads, n, k, first, to);
  } else {
    //@ assert each_one: \forall integer c; 0 <= c < row(row(heads, n), k) ==> entry_kept{Pre, Here}(p->out + c);
    //@ ghost Failed:;
    projection_fails(p);
    //@ assert none: kept{Pre, Here}(p->out, 0, row(row(heads, n), k));
  }
  //@ ghost Done:;
  tokens_release(p);
  /*@ assert inputs_after: entries_same{Done, Here}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
        entries_same{Done, Here}(\at(p->x, Pre), row(n, dim)) &&
        (\at(p->bias, Pre) == \null || entries_same{Done, Here}(\at(p->bias, Pre), row(heads, k))); */
  /*@ assert inputs_ever: entries_same{Pre, Here}(\at(p->weight, Pre), row(row(heads, k), dim)) &&
        entries_same{Pre, Here}(\at(p->x, Pre), row(n, dim)) &&
        (\at(p->bias, Pre) == \null || entries_same{Pre, Here}(\at(p->bias, Pre), row(heads, k))); */
  /*@ assert entries: \forall integer c; 0 <= c < row(row(heads, n), k) ==>
        entry_kept{Done, Here}(\at(p->out, Pre) + c); */
  //@ assert cleared: kept{Done, Here}(\at(p->out, Pre), 0, row(row(heads, n), k));
}

/* The next tokens are `count` of them, from `first` on. */
/*@ requires valid: \valid(p);
    terminates \true;
    assigns p->first, p->count;
    ensures range: p->first == first && p->count == count;
    ensures keeps: \forall interval *a; \separated(a, p) ==> entry_kept{Pre, Post}(a); */
static void tokens_choose(projection *p, int first, int count) {
  p->first = first;
  p->count = count;
  /*@ assert kept_ends: \forall interval *a; \separated(a, p) ==>
        unchanged{Pre, Here}(&a->lo[0]) && unchanged{Pre, Here}(&a->hi[0]); */
}

/*@ predicate projection_of{L}(projection *p, interval *out, double *weight, double *bias, double *x) =
      p->out == out && p->weight == weight && p->bias == bias && p->x == x;
    predicate projection_shaped{L}(projection *p, integer n, integer d, integer heads, integer k) =
      p->shape->n == n && p->shape->dim == d && p->shape->heads == heads && p->shape->head_dim == k;
    predicate projection_range{L}(projection *p, integer first, integer to) =
      p->first == first && p->first + p->count == to; */

attcert_status projection_enclosure(interval *out, const double *weight, const double *bias, const double *x,
                                    const projection_shape *shape, attcert_error *err) {
  const size_t digits = exact_rows_digits(x, (size_t)shape->n, (size_t)shape->dim);
  const int most = (int)((size_t)shape->n * PROJECTION_DIGITS / digits), at_once = most > 1 ? most : 1;
  projection p = {.out = out, .weight = weight, .bias = bias, .x = x, .shape = shape};
  //@ ghost const long heads = shape->heads, n = shape->n, d = shape->dim, k = shape->head_dim;
  //@ assert there: \forall mpfr_srcptr a; \valid_read{Pre}(a) ==> \valid_read(a);
  //@ assert there_too: \forall mpz_srcptr a; \valid_read{Pre}(a) ==> \valid_read(a);
  atomic_init(&p.failed, false);
  //@ assert ready: projection_ready(&p) && projection_apart(&p) && same_lives{Pre, Here};
  //@ assert beside: \separated(out + (0 .. row(row(heads, n), k) - 1), &p);
  //@ assert apart: \forall integer c; 0 <= c < row(row(heads, n), k) ==> \separated(out + c, &p);
  /*@ loop invariant range: 0 <= p.first <= n;
      loop invariant sides: shape->heads == heads && shape->n == n && shape->dim == d && shape->head_dim == k;
      loop invariant same: p.out == out && p.weight == weight && p.bias == bias && p.x == x && p.shape == shape;
      loop invariant lives: same_lives{Pre, Here} && same_mpz_lives{Pre, Here};
      loop invariant ready: projection_ready(&p) && projection_apart(&p);
      loop invariant inputs: entries_same{Pre, Here}(weight, row(row(heads, k), d)) &&
        entries_same{Pre, Here}(x, row(n, d)) && (bias == \null || entries_same{Pre, Here}(bias, row(heads, k)));
      loop invariant projected: !p.failed ==>
        rows_projected{Pre, Here}(out, weight, bias, x, n, d, heads, k, row(heads, k), 0, p.first);
      loop assigns p.first, p.count, p.tokens, p.failed, out[0 .. projection_outputs(\at(*shape, Pre)) - 1],
        mpfr_lives, mpz_lives;
      loop variant n - p.first; */
  while (p.first < shape->n && !atomic_load(&p.failed)) {
    //@ ghost Turn:;
    tokens_choose(&p, p.first, shape->n - p.first < at_once ? shape->n - p.first : at_once);
    //@ assert count: 1 <= p.count && p.first + p.count <= n;
    //@ ghost const long first = p.first, to = p.first + p.count;
    //@ assert given: projection_of(&p, out, weight, bias, x);
    //@ assert shaped: projection_shaped(&p, n, d, heads, k);
    //@ assert range: projection_range(&p, first, to);
    //@ assert count_only: \forall integer c; 0 <= c < row(row(heads, n), k) ==> entry_kept{Turn, Here}(out + c);
    //@ assert count_kept: kept{Turn, Here}(out, 0, row(row(heads, n), k));
    /*@ assert earlier: rows_projected{Pre, Here}(out, weight, bias, x, n, d, heads, k, row(heads, k), 0, first); */
    //@ ghost Before:;
    project_block(&p);
    //@ assert same: projection_same{Before, Here}(&p);
    //@ assert same_pointers: p.out == out && p.weight == weight && p.bias == bias && p.x == x && p.shape == shape;
    //@ assert same_sides: shape->heads == heads && shape->n == n && shape->dim == d && shape->head_dim == k;
    //@ assert same_weight: entries_same{Before, Here}(weight, row(row(heads, k), d));
    //@ assert same_x: entries_same{Before, Here}(x, row(n, d));
    //@ assert same_bias: bias == \null || entries_same{Before, Here}(bias, row(heads, k));
    //@ assert lives_then: same_lives{Before, Here} && same_mpz_lives{Before, Here};
    /*@ assert lives_first: \forall mpfr_srcptr a; \valid_read{Pre}(a) ==> initialised{Pre}(a) ==>
          same_life{Pre, Before}(a); */
    /*@ assert lives_block: \forall mpfr_srcptr a; \valid_read{Pre}(a) ==> initialised{Pre}(a) ==>
          same_life{Before, Here}(a); */
    //@ assert lives: same_lives{Pre, Here};
    //@ assert lives_too: same_mpz_lives{Pre, Here};
    //@ assert range_after: p.first == first && p.first + p.count == to && 0 <= first && to <= n;
    //@ assert others: tokens_kept{Before, Here}(out, heads, n, k, first, to);
    /*@ assert block: !p.failed ==> rows_projected{Before, Here}(out, weight, bias, x, n, d, heads, k, row(heads, k),
          first, to); */
    /*@ assert from_pre: !p.failed ==> rows_projected{Pre, Here}(out, weight, bias, x, n, d, heads, k, row(heads, k),
          first, to); */
    /*@ assert so_far: !p.failed ==> rows_projected{Pre, Here}(out, weight, bias, x, n, d, heads, k, row(heads, k), 0,
          to); */
    //@ ghost Done:;
    tokens_choose(&p, p.first + p.count, p.count);
    //@ assert first_only: \forall integer c; 0 <= c < row(row(heads, n), k) ==> entry_kept{Done, Here}(out + c);
    //@ assert first_kept: kept{Done, Here}(out, 0, row(row(heads, n), k));
    /*@ assert next: !p.failed ==> rows_projected{Pre, Here}(out, weight, bias, x, n, d, heads, k, row(heads, k), 0,
          to); */
  }
  if (!atomic_load(&p.failed)) return ATTCERT_OK;
  return array_out_of_memory(err, projection_bytes(shape->n, shape->dim), "a projection of %d tokens", shape->n);
}
