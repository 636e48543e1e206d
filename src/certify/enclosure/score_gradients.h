/* g_i = K^T q_i / sqrt(k) for all tokens of a head, in intervals: inner products of integers instead of interval
 * operations, term by term.
 *
 * Let |q_ir| < 2^(a_r + b_i), with a_r the exponent of channel r and b_i <= 0 that of token i beside it. In units of
 * that power of two q_ir is an integer z_ir 2^-f up to rho_i, f bits that the digits of z leave; and with K'_cr = K_rc
 * 2^(a_r), a row of exact integers,
 *   | g_ic sqrt(k) - 2^(b_i - f) sum_r K'_cr z_ir |  <=  2^(b_i) rho_i sum_r |K'_cr|.
 * The sum is exact (exact_rows.h), whatever the sizes of the channels; rho_i is what the intervals q_i leave open and
 * half a unit. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_SCORE_GRADIENTS_H
#define ATTCERT_CERTIFY_ENCLOSURE_SCORE_GRADIENTS_H

#include "attcert.h"
#include "certify/enclosure/layer_enclosure.h"

/* g [n][d] contains the gradients of head h of the layer whose queries e encloses. Errors: ATTCERT_RESOURCE. */
attcert_status score_gradients(interval *g, const attcert_layer *layer, const layer_enclosure *e, int h, int threads,
                               attcert_error *err);

/* Bytes that score_gradients will take. */
uint64_t score_gradients_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

#endif
