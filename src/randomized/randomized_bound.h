/* T14: an upper bound of the largest eigenvalue lambda of a symmetric G from a three-term recurrence, if its start is
 * not too orthogonal to a unit eigenvector u of lambda. For any alpha, any beta > 0 and any vectors w_0, w_1, .. let
 *
 *     r_j = beta_j+1 w_j+1 - (G w_j - alpha_j w_j - beta_j w_j-1),   ||r_j|| <= rho_j,
 *
 * and for a real lam pi_0 = 1, beta_j+1 pi_j+1 = (lam - alpha_j) pi_j - beta_j pi_j-1. While pi_1, .., pi_j > 0,
 *
 *     lam <= lambda  implies  |<u, w_0>| <= B_j(lam) = ||w_j|| / pi_j + sum_{l<j} R_l / (beta_l+1 pi_l pi_l+1),
 *     R_l = sum_{i<=l} rho_i pi_i                                                                             (T14):
 *
 * c_j = <u, w_j> obeys the recurrence of pi at lambda up to rho_j, and the difference is summed by the Casoratian of
 * pi and the solution that begins at i; as pi_j / pi_j-1 grows with lam, B_j falls. Nothing is asked of the w_j: a
 * Lanczos recurrence in double, without reorthogonalisation, makes B_j fall fastest. */
#ifndef ATTCERT_RANDOMIZED_RANDOMIZED_BOUND_H
#define ATTCERT_RANDOMIZED_RANDOMIZED_BOUND_H

#include <stdbool.h>

#ifdef __FRAMAC__
#include "interval/interval.h"

#include "arithmetic/double.acsl"
#include "randomized/component_bound.acsl"
#endif

/* A recurrence of `steps` steps. */
typedef struct {
  int steps;
  double *alpha;    /* [steps] */
  double *beta;     /* [steps]: beta_j+1 at j, positive */
  double *norm;     /* [steps]: >= ||w_j+1|| at j */
  double *residual; /* [steps]: rho_j */
} randomized_recurrence;

/*@ predicate readable_recurrence{L}(randomized_recurrence r) =
      \valid_read(r.alpha + (0 .. r.steps - 1)) && \valid_read(r.beta + (0 .. r.steps - 1)) &&
      \valid_read(r.norm + (0 .. r.steps - 1)) && \valid_read(r.residual + (0 .. r.steps - 1));
    // Its numbers, as vectors.
    predicate is_recurrence{L}(randomized_recurrence r, rvec alpha, rvec beta, rvec rho, rvec nu) = \forall integer j;
      0 <= j < r.steps ==> r.alpha[j] == entry(alpha, j) && r.beta[j] == entry(beta, j) &&
      r.residual[j] == entry(rho, j) && r.norm[j] == entry(nu, j);
    predicate excludes_eigenvalue(integer steps, rvec alpha, rvec beta, rvec rho, rvec nu, real lam, real threshold) =
      \exists integer k; 1 <= k <= steps && bounds_component(alpha, beta, lam, k) &&
      component_bound(alpha, beta, rho, entry(nu, k - 1), lam, k) < threshold; */

/* Whether lam <= lambda is only possible with |<u, w_0>| < threshold: some B_j(lam) is less, evaluated outward. */
/*@ requires readable: \valid_read(r) && readable_recurrence(*r);
    terminates \true;
    assigns mpfr_lives;
    ensures lives: same_lives{Pre, Post};
    ensures excludes: \result ==> finite_double(threshold) ==> \forall rvec alpha, beta, rho, nu;
      is_recurrence{Pre}(\old(*r), alpha, beta, rho, nu) ==>
      excludes_eigenvalue(\old(r->steps), alpha, beta, rho, nu, lam, threshold); */
bool randomized_bound_excludes(const randomized_recurrence *r, double lam, double threshold);

/* A lam that is excluded, about the least one above `from`: its distance from there is within 1/64 of the least,
 * or 2^-40 from. +inf: none was found below 65 from, or that is no range of doubles above 0. */
double randomized_bound_least(const randomized_recurrence *r, double from, double threshold);

#endif
