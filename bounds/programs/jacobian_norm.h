/* Certified norms of Jacobians that are known entry by entry in intervals, and of their compositions with LayerNorm. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_JACOBIAN_NORM_H
#define ATTCERT_BOUNDS_PROGRAMS_JACOBIAN_NORM_H

#include "certify/enclosure/layer_enclosure.h"
#include "layernorm_enclosure.h"

/* Doubles close to a real matrix J: || J - mid ||_2 <= radius. */
typedef struct {
  int rows, cols;
  double *mid;
  mpfr_t radius; /* 64 bits */
} jacobian_midpoint;

attcert_status jacobian_midpoint_init(jacobian_midpoint *j, int rows, int cols, attcert_error *err); /* zeros */
void jacobian_midpoint_clear(jacobian_midpoint *j);

/* Entries (row, col), (row, col + 1), ... become those of v; sum rises by the squares of their radii, to be given to
 * jacobian_midpoint_finish once all entries are there. */
void jacobian_midpoint_put_row(jacobian_midpoint *j, mpfr_t sum, int row, int col, interval *v, int count,
                               interval_scratch *ws);
/* The same down a column. */
void jacobian_midpoint_put_column(jacobian_midpoint *j, mpfr_t sum, int row, int col, interval *v, int count,
                                  interval_scratch *ws);

/* radius := sqrt(sum) + more: the Frobenius norm of the entries' radii, and what the entries leave out. */
void jacobian_midpoint_finish(jacobian_midpoint *j, const mpfr_t sum, const mpfr_t more);

/* lo <= ||J||_2 <= hi, 53 bits. */
attcert_status jacobian_midpoint_norm(mpfr_t lo, mpfr_t hi, const jacobian_midpoint *j, attcert_error *err);

/* D(f o LN) = D f D LN: e is the layer at LN(x), ln LayerNorm at x. j is made here and in the next function, and
 * cleared by the caller even after an error. Errors: ATTCERT_RESOURCE. */
attcert_status jacobian_after_layernorm(jacobian_midpoint *j, const attcert_layer *layer, const layer_enclosure *e,
                                        const layernorm_enclosure *ln, attcert_error *err);

/* D(LN(x + f(x))) = D LN (I + D f): e is the layer at x, ln LayerNorm at x + f(x); out_dim = d. */
attcert_status jacobian_before_layernorm(jacobian_midpoint *j, const attcert_layer *layer, const layer_enclosure *e,
                                         const layernorm_enclosure *ln, attcert_error *err);

/* lo <= max_i ||D LN|| <= hi over the tokens, 53 bits: LayerNorm acts token by token. */
attcert_status layernorm_jacobian_norm(mpfr_t lo, mpfr_t hi, const layernorm_enclosure *ln, attcert_error *err);

#endif
