#include "certify/explicit/explicit_gram.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "certify/explicit/explicit_gram_digits.h"
#include "certify/explicit/explicit_gram_product.h"

/* All numbers that were there but g's live as before. */
/*@ predicate lives_outside_gram{L1, L2}(explicit_gram *g) = \forall mpfr_srcptr x;
      \valid_read{L1}(x) ==> initialised{L1}(x) ==> x != \at(&g->error[0], L1) ==> same_life{L1, L2}(x);

    // g and a have the sides that j's product and its roundings have.
    predicate gram_sides{L}(explicit_gram *g, fixed_matrix *a, explicit_jacobian *j) =
      a->rows == gram_side(j) && a->cols == gram_width(j) && g->n == a->rows && g->g.rows == lower_index(g->n, 0) &&
      g->g.cols == 1 && g->g.exponent == 2 * a->exponent && -0x3fffffffffffffff <= a->exponent; */

/* The product, and what was rounded away, in the room given. */
/*@ requires valid: \valid(g) && \valid(a) && \valid_read(j) && gram_source(j);
    requires live: initialised(&g->error[0]);
    requires sides: gram_sides(g, a, j);
    requires separated: \separated(g, a, j, j->mid + (0 .. row(j->rows, j->cols) - 1));
    terminates \true;
    assigns g->g.model_integers, a->model_integers, (&g->error[0])[0 .. 0], mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures gram: \result ==> gram_of{Pre, Post}(g, j, a->model_integers, a->exponent); */
static bool form_gram(explicit_gram *g, fixed_matrix *a, const explicit_jacobian *j, int threads) {
  const bool transposed = j->cols < j->rows;
  const explicit_side side = {.mid = j->mid, .columns = (size_t)j->cols, .transposed = transposed};
  /*@ assert entries: row(a->rows, a->cols) == row(j->rows, j->cols); */
  /*@ assert inside: \forall integer i, l; 0 <= l <= i < a->rows ==> lower_index(i, l) < lower_index(a->rows, 0); */
  /*@ assert sides: side_of(side, a); */
  /*@ assert memory: product_memory(&g->g, a, side); */
  const bool formed = explicit_gram_product(&g->g, a, g->error, side, threads);
  /*@ assert product: formed ==> integers_multiplied(g, j, a->model_integers, a->exponent); */
  /*@ assert error: formed ==> \forall rvec r; points_are{Pre}(j->mid, r, row(j->rows, j->cols)) ==>
        rounding_bounded(&g->error[0], j, r, a->model_integers, a->exponent); */
  return formed;
}

attcert_status explicit_gram_init(explicit_gram *g, const explicit_jacobian *j, const attcert_options *options,
                                  attcert_error *err) {
  const int m = j->cols < j->rows ? j->cols : j->rows, k = j->cols < j->rows ? j->rows : j->cols;
  const size_t digits = explicit_gram_digits(m, k);
  const long exponent = explicit_gram_unit_exponent(j, digits);
  fixed_matrix rounded = {0}; /* A~ */
  bool formed = false;
  g->n = m;
  mpfr_init2(g->error, 64);
  const bool room = fixed_matrix_init(&g->g, explicit_gram_index(m, 0), 1, 2 * digits, 2 * exponent) &&
                    fixed_matrix_init(&rounded, (size_t)m, (size_t)k, digits, exponent);
  /*@ assert lives_room: lives_outside_gram{Pre, Here}(g) && owned(&g->error[0]) && same_mpz_lives{Pre, Here}; */
  /*@ assert each: \forall integer t; 0 <= t < row(j->rows, j->cols) ==> \valid_read{Pre}(&(j->mid + t)->v[0]); */
  /*@ assert each_same: \forall integer t; 0 <= t < row(j->rows, j->cols) ==>
        same_life{Pre, Here}(&(j->mid + t)->v[0]); */
  /*@ assert points: \forall rvec r; points_are{Pre}(j->mid, r, row(j->rows, j->cols)) ==>
        points_are(j->mid, r, row(j->rows, j->cols)); */
  /*@ assert sides: room ==> gram_sides(g, &rounded, j); */
  /*@ assert error_readable: \valid_read(&g->error[0]); */
  //@ ghost Room:;
  if (room) formed = form_gram(g, &rounded, j, parallel_threads(options->threads));
  /*@ assert still: same_lives{Room, Here} && same_mpz_lives{Room, Here}; */
  /*@ assert owned_error: owned(&g->error[0]); */
  /*@ assert others: \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> \valid_read{Room}(x); */
  /*@ assert lives_formed: lives_outside_gram{Pre, Here}(g); */
  /*@ assert product: formed ==> integers_multiplied(g, j, rounded.model_integers, exponent); */
  /*@ assert error: formed ==> \forall rvec r; points_are{Room}(j->mid, r, row(j->rows, j->cols)) ==>
        rounding_bounded(&g->error[0], j, r, rounded.model_integers, exponent); */
  /*@ assert same: j->mid == \at(j->mid, Pre) && j->rows == \at(j->rows, Pre) && j->cols == \at(j->cols, Pre); */
  /*@ assert errors: formed ==> \forall rvec r;
        points_are{Pre}(\at(j->mid, Pre), r, \at(row(j->rows, j->cols), Pre)) ==>
        rounding_bounded(&g->error[0], j, r, rounded.model_integers, exponent); */
  /*@ assert gram: formed ==> gram_of{Pre, Here}(g, j, rounded.model_integers, exponent); */
  fixed_matrix_clear(&rounded);
  /*@ assert ready: formed ==> gram_ready(g); */
  if (formed) return ATTCERT_OK;
  explicit_gram_clear(g);
  if (!room) return array_out_of_memory(err, explicit_gram_room(m, k), "the Gram matrix of side %d in fixed point", m);
  return attcert_fail(err, ATTCERT_FAULT,
                      "the Gram matrix of side %d: an entry is no number or has more digits than any could", m);
}

void explicit_gram_clear(explicit_gram *g) {
  fixed_matrix_clear(&g->g);
  mpfr_clear(g->error);
}
