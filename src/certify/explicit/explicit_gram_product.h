/* The Gram matrix of an explicit matrix or of its transpose, in integers: A is rounded to multiples of 2^e, and the
 * product of what is left, A~ A~^T, is formed without any rounding. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_GRAM_PRODUCT_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_GRAM_PRODUCT_H

#include "linalg/exact/fixed_matrix_round.h"
#include "linalg/exact/gram_rounding.h"
#include "linalg/exact/integer_gram.h"

#ifdef __FRAMAC__
#include "integer/rounded_matrix_lemmas.acsl"
#endif

/* The numbers in `mid` are the rows of A, one after the other, or where `transposed` its columns. */
typedef struct {
  const point *mid;
  size_t columns; /* of the matrix that mid holds row by row: A's, or where `transposed` A's rows */
  bool transposed;
} explicit_side;

/*@ predicate side_of{L}(explicit_side s, fixed_matrix *a) =
      s.columns == (s.transposed ? a->rows : a->cols) && 0 <= a->rows <= 0x40000000 && 0 <= a->cols <= 0x40000000 &&
      \valid_read(s.mid + (0 .. row(a->rows, a->cols) - 1)) && live_points(s.mid, row(a->rows, a->cols));

    predicate product_memory{L}(fixed_matrix *g, fixed_matrix *a, explicit_side s) =
      \valid(g) && \valid(a) && side_of(s, a) && gram_room(g, a) && -0x7fffffffffffffff <= a->exponent &&
      \separated(g, a, s.mid + (0 .. row(a->rows, a->cols) - 1)); */

/* a := A~, the integers of A's entries to nearest, g := A~ A~^T: entry (i, j), j <= i, is integer (i (i + 1) / 2 + j,
 * 0)
 * of g. error >= ||A~ A~^T - A A^T||_2 in A's own unit. False when an entry is no number or has more digits than
 * there is room for. */
/*@ requires memory: product_memory(g, a, s);
    requires error: \valid(error) && initialised(error) &&
      \separated(error, g, a, s.mid + (0 .. row(a->rows, a->cols) - 1));
    terminates \true;
    assigns g->model_integers, a->model_integers, *error, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures product: \result ==> gram_rows(g->model_integers, a->model_integers, 0, a->rows, a->cols);
    ensures error: \result ==> \forall rvec r, real d; points_are{Pre}(s.mid, r, row(a->rows, a->cols)) ==>
      d == rounding_sum(r, s.columns, s.transposed, a->model_integers, power_of_two(a->exponent), a->cols, a->rows) ==>
      nan(error) || at_least(error, prod(2.0 * rroot(squares_from(0.0, r, row(a->rows, a->cols))) + rroot(d),
                                         rroot(d))); */
bool explicit_gram_product(fixed_matrix *g, fixed_matrix *a, mpfr_ptr error, explicit_side s, int threads);

#endif
