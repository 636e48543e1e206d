/* The direction proposed for the lower end of a certificate, and the estimate that comes with it. Nothing is certified
 * here. */
#ifndef ATTCERT_CERTIFY_ENGINE_PROPOSAL_H
#define ATTCERT_CERTIFY_ENGINE_PROPOSAL_H

#include "attcert.h"
#include "certify/jacobian/factored_jacobian.h"

/* u (n x d, unit) and sigma = ||J~ u||, about ||J~||, by Lanczos from `start` (n x d, which may be u; NULL: its own).
 * Every process of a group takes the proposal of the first: theirs may differ where their processors do. Collective.
 * Errors: ATTCERT_RESOURCE. */
attcert_status proposal_find(double *u, double *sigma, const factored_jacobian *m, const double *start,
                             const attcert_options *options, attcert_error *err);

/* The same from w (n x out_dim), a direction on the other side: from J~^T w. */
attcert_status proposal_find_from_output(double *u, double *sigma, const factored_jacobian *m, const double *w,
                                         const attcert_options *options, attcert_error *err);

#endif
