/* Linear maps of exact tokens, in intervals: the first step of the layer and of its directional derivative. */
#ifndef ATTCERT_CERTIFY_ENCLOSURE_PROJECTION_H
#define ATTCERT_CERTIFY_ENCLOSURE_PROJECTION_H

#include "attcert.h"
#include "interval/interval_vec.h"

#ifdef __FRAMAC__
#include <gmp.h>
#endif

/* n tokens of dimension dim through `heads` maps of head_dim rows each. */
typedef struct {
  int n, dim, heads, head_dim;
  mpfr_prec_t precision;
  int threads;
} projection_shape;

#ifdef __FRAMAC__
#include "projection/interval_projection.acsl"
#endif

/*@ predicate projection_sides(projection_shape s) =
      side(s.n) && side(s.dim) && side(s.heads) && side(s.head_dim) && side(row(s.heads, s.head_dim)) && 1 <= s.n &&
      1 <= s.dim && 1 <= s.heads && 1 <= s.head_dim && 1 <= s.precision <= MPFR_PREC_MAX;
    logic integer projection_outputs(projection_shape s) = row(row(s.heads, s.n), s.head_dim);
    logic integer projection_weights(projection_shape s) = row(row(s.heads, s.head_dim), s.dim);
    predicate projection_inputs{L}(double *weight, double *bias, double *x, projection_shape s) =
      \valid_read(weight + (0 .. projection_weights(s) - 1)) && \valid_read(x + (0 .. row(s.n, s.dim) - 1)) &&
      finite_entries(weight, projection_weights(s)) && finite_entries(x, row(s.n, s.dim)) &&
      (bias == \null || (\valid_read(bias + (0 .. row(s.heads, s.head_dim) - 1)) &&
                         finite_entries(bias, row(s.heads, s.head_dim)))); */

/* out[h][i][r] contains sum_c weight[h k + r, c] x_i[c] + bias[h k + r]; bias may be NULL. weight, bias and x (n dim,
 * token by token) are finite. The sums are exact, and rounded once; the bias once more. Errors: ATTCERT_RESOURCE. */
/*@ requires valid: \valid_read(shape) && (err == \null || \valid(err));
    requires sides: projection_sides(*shape);
    requires inputs: projection_inputs(weight, bias, x, *shape);
    requires out: \valid(out + (0 .. projection_outputs(*shape) - 1)) && live_vec(out, projection_outputs(*shape));
    requires apart_weight: \separated(out + (0 .. projection_outputs(*shape) - 1), err, shape,
      weight + (0 .. projection_weights(*shape) - 1));
    requires apart_bias: bias == \null || \separated(out + (0 .. projection_outputs(*shape) - 1), err,
      bias + (0 .. row(shape->heads, shape->head_dim) - 1));
    requires apart_tokens: \separated(out + (0 .. projection_outputs(*shape) - 1), err,
      x + (0 .. row(shape->n, shape->dim) - 1));
    terminates \true;
    assigns out[0 .. projection_outputs(*shape) - 1], *err, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures contains: \result == ATTCERT_OK ==> \forall rvec y;
      is_projection{Pre}(y, weight, bias, x, shape->n, shape->dim, shape->heads, shape->head_dim) ==>
      in_vec(out, y, 0, projection_outputs(*shape)); */
attcert_status projection_enclosure(interval *out, const double *weight, const double *bias, const double *x,
                                    const projection_shape *shape, attcert_error *err);

/* Room for digits of tokens, on average: rows of one size take two. Where they take more, fewer tokens are held at
 * once. */
enum { PROJECTION_DIGITS = 6 };

/* Bytes that projection_enclosure will take. */
/*@ terminates \true;
    assigns \result \from n, dim; */
uint64_t projection_bytes(int n, int dim);

#endif
