/* Where the search for the worst input of B_R^n begins. For a head with A = K^T Q / sqrt(k)
 * and unit vectors u, e, w of R^d:
 *
 *   T3, negative eigenvalue   X = R (-u, u, ..., u),         A u = lambda u, lambda < 0 extreme  [Castin et al.]
 *   T3, positive eigenvalue   X = R (u, u/2, ..., u/2),      A u = lambda u, lambda > 0 extreme  [Castin et al.]
 *   two clusters              x_1, x_2 = R (c w +- s e) and x_i = R u for the others, where w = A u / |A u|, e is
 *                             orthogonal to w, c^2 + s^2 = 1: the others attend to x_1 and x_2 with equal weights,
 *                             and moving these two apart along w moves weight from one to the other. Of T10's kind,
 *                             with the head's own A; u is the eigenvector of the negative eigenvalue or the top right
 *                             singular vector of A, e the direction of largest image under W_O V, and c is where
 *                             s / (2 + (n - 2) exp(-(c - u.w) |A u| R^2)), s times the weight of x_1, is largest.
 *   random                    points on the spheres of radius R and, every second time, of the radius (below R) at
 *                             which scores reach about 1 + ln n: beyond, the softmax is constant but for rare ties,
 *                             and its derivative 0. */
#ifndef ATTCERT_SEARCH_WORST_STARTS_H
#define ATTCERT_SEARCH_WORST_STARTS_H

#include "attcert.h"

typedef struct {
  char name[64]; /* "T3, negative eigenvalue, head 2" */
  attcert_matrix x;
} worst_start;

typedef struct {
  worst_start *start;
  int count;
} worst_starts;

/* Every construction that the heads allow for n tokens, then `random` random inputs from the seed. Each token is in the
 * ball up to a rounding. Errors: ATTCERT_RESOURCE. */
attcert_status worst_starts_init(worst_starts *s, const attcert_layer *layer, int n, double radius, int random,
                                 uint64_t seed, attcert_error *err);
void worst_starts_clear(worst_starts *s);

/* Bytes that worst_starts_init takes at most. */
uint64_t worst_starts_bytes(const attcert_layer *layer, int n, int random);

#endif
