#include "certify/jacobian/explicit_gram.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "certify/jacobian/explicit_gram_digits.h"
#include "certify/jacobian/explicit_gram_product.h"

/* All numbers that were there but g's live as before. */
/*@ predicate lives_outside_gram{L1, L2}(explicit_gram *g) = \forall mpfr_srcptr x;
      \valid_read{L1}(x) ==> x != \at(&g->error[0], L1) ==> same_life{L1, L2}(x); */

attcert_status explicit_gram_init(explicit_gram *g, const explicit_jacobian *j, const attcert_options *options,
                                  attcert_error *err) {
  const bool transposed = j->cols < j->rows;
  const int m = transposed ? j->cols : j->rows, k = transposed ? j->rows : j->cols;
  const explicit_side side = {.mid = j->mid, .columns = (size_t)j->cols, .transposed = transposed};
  const size_t digits = explicit_gram_digits(m, k);
  const long exponent = explicit_gram_unit_exponent(j, digits);
  fixed_matrix rounded = {0}; /* A~ */
  bool formed = false;
  g->n = m;
  mpfr_init2(g->error, 64);
  const bool room = fixed_matrix_init(&g->g, explicit_gram_index(m, 0), 1, 2 * digits, 2 * exponent) &&
                    fixed_matrix_init(&rounded, (size_t)m, (size_t)k, digits, exponent);
  /*@ assert lives_room: lives_outside_gram{Pre, Here}(g) && owned(&g->error[0]); */
  /*@ assert each: \forall integer t; 0 <= t < row(j->rows, j->cols) ==> \valid_read{Pre}(&(j->mid + t)->v[0]); */
  /*@ assert each_same: \forall integer t; 0 <= t < row(j->rows, j->cols) ==>
        same_life{Pre, Here}(&(j->mid + t)->v[0]); */
  /*@ assert points: \forall rvec r; points_are{Pre}(j->mid, r, row(j->rows, j->cols)) ==>
        points_are(j->mid, r, row(j->rows, j->cols)); */
  /*@ assert entries: row(m, k) == row(j->rows, j->cols); */
  /*@ assert inside: \forall integer i, l; 0 <= l <= i < m ==> lower_index(i, l) < lower_index(m, 0); */
  /*@ assert sides: room ==> side_of(side, &rounded); */
  /*@ assert memory: room ==> product_memory(&g->g, &rounded, side); */
  //@ ghost Room:;
  if (room) formed = explicit_gram_product(&g->g, &rounded, g->error, side, parallel_threads(options->threads));
  /*@ assert still: same_lives{Room, Here} && same_mpz_lives{Room, Here}; */
  /*@ assert lives_formed: lives_outside_gram{Pre, Here}(g) && owned(&g->error[0]); */
  /*@ assert product: formed ==> integers_multiplied(g, j, rounded.model_integers, exponent); */
  /*@ assert error: formed ==> \forall rvec r; points_are{Pre}(j->mid, r, row(j->rows, j->cols)) ==>
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
