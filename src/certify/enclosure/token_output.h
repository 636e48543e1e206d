/* W y of one token y in intervals, W exact: the output map W_O. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_TOKEN_OUTPUT_H
#define ATTCERT_CERTIFY_ENCLOSURE_TOKEN_OUTPUT_H

#include "interval/interval_vec.h"

#ifdef __FRAMAC__
#include "direction/matrix_product.acsl"
#endif

/* out contains W y for y in a; W has `rows` rows of n points. precision: bits in between. For the proof, a is token i
 * of a matrix with n columns. */
/*@ requires sides: side(rows) && side(n) && 0 <= i && 1 <= precision <= MPFR_PREC_MAX;
    requires valid: \valid(out + (0 .. rows - 1)) && \valid_read(a + (0 .. n - 1)) &&
      \valid_read(weight + (0 .. row(rows, n) - 1));
    requires live: live_vec(out, rows) && live_vec(a, n) && live_points(weight, row(rows, n));
    requires points: points(weight, row(rows, n));
    requires apart: \base_addr(out) != \base_addr(a) && \base_addr(out) != \base_addr(weight);
    requires outputs: 1 <= rows && 1 <= n;
    terminates \true;
    assigns out[0 .. rows - 1], mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures product: product_contained{Pre, Post}(out, a, weight, rows, n, i, rows); */
void token_output_enclosure(interval *out, const interval *a, const point *weight, int rows, int n,
                            mpfr_prec_t precision) /*@ ghost (int i) */;

#endif
