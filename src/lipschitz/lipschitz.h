/* The local Lipschitz constant of a network, whatever steps it has: lower <= ||D_X f||_2 <= upper, for the Jacobian of
 * its last value by its input, from products whose every rounding is bounded (network/network_linear.h), or from a
 * Jacobian in intervals. */
#ifndef ATTCERT_LIPSCHITZ_LIPSCHITZ_H
#define ATTCERT_LIPSCHITZ_LIPSCHITZ_H

#include "network/network.h"

/* Certifies the network at x. The engines are
 *     mpfr      the Jacobian in intervals, and the norm of that matrix in integers;
 *     dense     the Jacobian's rows or columns, whichever are fewer, one product each, and the norm of that matrix;
 *     random    random starts (randomized/randomized_norm.h), which take few products whatever the size;
 *     auto      dense where it takes seconds or a probability of failure is not allowed, else random.
 * The certificate's vector (tokens x dim) is the direction of the lower end. Errors: ATTCERT_INPUT (options out of
 * range, another engine), ATTCERT_RESOURCE (memory; norms beyond 2^100, where what underflows has no bound),
 * ATTCERT_CANCELLED, ATTCERT_FAULT. */
attcert_status lipschitz_certify(attcert_certificate *certificate, const network_steps *network,
                                 const attcert_matrix *x, const attcert_options *options, attcert_error *err);

/* lo <= ||J u|| / ||u|| <= hi for the direction u (of the input's shape) of someone else's, whatever was claimed for
 * it: one product in double, and a bound of what it misses. Errors: ATTCERT_INPUT (options out of range, a direction of
 * another shape, not finite or zero), ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
attcert_status lipschitz_direction(mpfr_t lo, mpfr_t hi, const network_steps *network, const attcert_matrix *x,
                                   const attcert_matrix *u, const attcert_options *options, attcert_error *err);

#endif
