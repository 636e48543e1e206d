/* The upper bound of a Gram matrix's largest eigenvalue from one factor, in integers. */
#ifndef ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_GRAM_FACTOR_H
#define ATTCERT_CERTIFY_EXPLICIT_EXPLICIT_GRAM_FACTOR_H

#include "certify/explicit/explicit_gram.h"
#include "linalg/exact/integer_cholesky.h"

/* What bounds lambda_max(A A^T), whatever the error is at least. */
/*@ predicate gram_bounded{L}(mpfr_srcptr upper, explicit_gram *g, real x) =
      eigenvalue_bounded(upper, g->g.model_integers, g->n, g->g.exponent, x);

    predicate bounds_eigenvalue{L1, L2}(mpfr_srcptr upper, explicit_gram *g) =
      (\forall real x; at_least{L1}(\at(&g->error[0], L1), x) ==> gram_bounded{L2}(upper, g, x)) &&
      (nan{L1}(\at(&g->error[0], L1)) ==> nan{L2}(upper));

    predicate bound_memory{L}(mpfr_srcptr upper, explicit_gram *g, integer_cholesky *f) =
      \valid(upper) && initialised(upper) && \valid_read(g) && gram_ready(g) && \valid(f) && factor_sides(f, g->n) &&
      \separated(upper, g, f); */

/* upper := tau2 + 2^(2e) + 2^(2e) ||R||_F + error, upward; false when tau2 I - G~ has no Cholesky factor. */
/*@ requires memory: bound_memory(upper, g, f) && \valid_read(tau2) && initialised(tau2);
    requires separated: \separated(upper, g, f, tau2);
    terminates \true;
    assigns *upper, f->l.model_integers, f->squares.model_integers, f->failed, mpfr_lives, mpz_lives;
    ensures lives: same_lives{Pre, Post} && same_mpz_lives{Pre, Post};
    ensures bound: \result ==> bounds_eigenvalue{Pre, Post}(upper, g); */
bool explicit_gram_factor_bound(mpfr_ptr upper, const explicit_gram *g, integer_cholesky *f, mpfr_srcptr tau2,
                                int threads);

#endif
