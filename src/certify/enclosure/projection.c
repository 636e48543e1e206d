#include "certify/enclosure/projection.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_set.h"
#include "linalg/exact_rows.h"

#include <stdatomic.h>

#ifdef __FRAMAC__
#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_projection_rows_lemmas.acsl"
#endif

/* Room for digits of tokens, on average: rows of one size take two. Where they take more, fewer tokens are held at
 * once. */
enum { TOKEN_DIGITS = 6 };

typedef struct {
  interval *out;
  const double *weight, *bias, *x;
  const projection_shape *shape;
  exact_rows tokens; /* those from `first` on */
  int first, count;
  atomic_bool failed; /* out of memory */
} projection;

/*@ predicate inputs_same{L1, L2}(double *weight, double *bias, double *x, projection_shape s) =
      entries_same{L1, L2}(weight, projection_weights(s)) && entries_same{L1, L2}(x, row(s.n, s.dim)) &&
      (bias == \null || entries_same{L1, L2}(bias, row(s.heads, s.head_dim)));

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

/*@ // What of the projection stays as it is, while `failed`, the tokens at hand and the numbers of out change.
    predicate same_projection{L1, L2}(projection *p) =
      \at(p->out, L1) == \at(p->out, L2) && \at(p->weight, L1) == \at(p->weight, L2) &&
      \at(p->bias, L1) == \at(p->bias, L2) && \at(p->x, L1) == \at(p->x, L2) &&
      \at(p->shape, L1) == \at(p->shape, L2);
    predicate index_inside{L}(projection *p, integer index) =
      0 <= index < row(p->shape->heads, p->shape->head_dim); */

/* Row `index` of the weight applied to the tokens at hand. */
/*@ requires ready: \valid(p) && projection_ready(p) && projection_apart(p) && tokens_at_hand(p);
    requires index: index_inside(p, index);
    terminates \true;
    assigns p->out[0 .. projection_outputs(*p->shape) - 1], p->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures failure: \old(p->failed) ==> p->failed;
    ensures projected: !p->failed ==> row_projected{Pre, Post}(p->out, p->weight, p->bias, p->x, p->shape->n,
      p->shape->dim, p->shape->head_dim, index / p->shape->head_dim, index % p->shape->head_dim, p->first,
      p->first + p->count);
    ensures others: others_kept{Pre, Post}(p->out, p->shape->heads, p->shape->n, p->shape->head_dim,
      index / p->shape->head_dim, index % p->shape->head_dim, p->first, p->first + p->count); */
static void project_row(projection *p, int index) {
  const projection_shape *const s = p->shape;
  const size_t dim = (size_t)s->dim, k = (size_t)s->head_dim, m = (size_t)index;
  exact_rows weights;
  if (exact_rows_init(&weights, p->weight + m * dim, 1, dim, NULL))
    project_entries(p->out, s, m / k, m % k, (size_t)p->first, &weights, &p->tokens,
                    p->bias != NULL ? p->bias + m : NULL);
  else
    atomic_store(&p->failed, true);
  exact_rows_clear(&weights);
}
PARALLEL_TASK(project_row)

attcert_status projection_enclosure(interval *out, const double *weight, const double *bias, const double *x,
                                    const projection_shape *shape, attcert_error *err) {
  const size_t dim = (size_t)shape->dim, digits = exact_rows_digits(x, (size_t)shape->n, dim);
  const int most = (int)((size_t)shape->n * TOKEN_DIGITS / digits), at_once = most > 1 ? most : 1;
  projection p = {.out = out, .weight = weight, .bias = bias, .x = x, .shape = shape};
  atomic_init(&p.failed, false);
  for (; p.first < shape->n && !atomic_load(&p.failed); p.first += p.count) {
    p.count = shape->n - p.first < at_once ? shape->n - p.first : at_once;
    if (exact_rows_init(&p.tokens, x + (size_t)p.first * dim, (size_t)p.count, dim, NULL))
      PARALLEL_FOR(shape->heads * shape->head_dim, shape->threads, project_row, &p);
    else
      atomic_store(&p.failed, true);
    exact_rows_clear(&p.tokens);
  }
  if (!atomic_load(&p.failed)) return ATTCERT_OK;
  return array_out_of_memory(err, projection_bytes(shape->n, shape->dim), "a projection of %d tokens", shape->n);
}

uint64_t projection_bytes(int n, int dim) {
  return fixed_matrix_bytes((size_t)n, (size_t)dim, TOKEN_DIGITS);
}
