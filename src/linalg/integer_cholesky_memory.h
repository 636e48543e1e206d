/* Room for a Cholesky factor in integers. */
#ifndef ATTCERT_LINALG_INTEGER_CHOLESKY_MEMORY_H
#define ATTCERT_LINALG_INTEGER_CHOLESKY_MEMORY_H

#include "attcert.h"
#include "linalg/integer_cholesky.h"

/*@ predicate factor_ready{L}(integer_cholesky *f, integer n) =
      f->l.rows == n && f->l.cols == n && \valid(f->squares + (0 .. n - 1)) && live_numbers(f->squares, n) &&
      \separated(f, f->squares + (0 .. n - 1));

    // All numbers outside the block of memory of f's live as before.
    predicate lives_outside_factor{L1, L2}(integer_cholesky *f) = \forall mpfr_srcptr x;
      \base_addr{L1}(x) != \base_addr{L1}(\at(f->squares, L1)) ==> same_life{L1, L2}(x); */

/* Room for a factor of side n whose entries have `digits` digits; no number with digits is in it, nor is err. Errors:
 * ATTCERT_RESOURCE, nothing is left allocated. */
/*@ requires valid: \valid(f) && (err == \null || \valid(err)) && \separated(f, err);
    terminates \true;
    assigns *f, *err, mpfr_lives, \result \from n, digits;
    ensures ready: \result == ATTCERT_OK ==> factor_ready(f, n);
    ensures lives: same_lives{Pre, Post};
    ensures numbers: \result == ATTCERT_OK ==> \forall mpfr_srcptr x; \valid_read{Pre}(x) ==> initialised{Pre}(x) ==>
      \base_addr(x) != \base_addr(f->squares);
    ensures error: \result == ATTCERT_OK ==> err == \null || \base_addr(err) != \base_addr(f->squares); */
attcert_status integer_cholesky_init(integer_cholesky *f, size_t n, size_t digits, attcert_error *err);

/*@ requires valid: \valid(f) && factor_ready(f, f->l.rows);
    terminates \true;
    assigns *f, f->squares[0 .. f->l.rows - 1][0], mpfr_lives;
    ensures lives: lives_outside_factor{Pre, Post}(f); */
void integer_cholesky_clear(integer_cholesky *f);

#endif
