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

/* A recurrence of `steps` steps. */
typedef struct {
  int steps;
  double *alpha;    /* [steps] */
  double *beta;     /* [steps]: beta_j+1 at j, positive */
  double *norm;     /* [steps]: >= ||w_j+1|| at j */
  double *residual; /* [steps]: rho_j */
} randomized_recurrence;

/* Whether lam <= lambda is only possible with |<u, w_0>| < threshold: some B_j(lam) is less, evaluated outward. */
bool randomized_bound_excludes(const randomized_recurrence *r, double lam, double threshold);

/* A lam that is excluded, about the least one above `from`: its distance from there is within 1/64 of the least,
 * or 2^-40 from. +inf: none was found below 65 from, or that is no range of doubles above 0. */
double randomized_bound_least(const randomized_recurrence *r, double from, double threshold);

#endif
