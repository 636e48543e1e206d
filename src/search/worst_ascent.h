/* Ascent of the local Lipschitz constant over the inputs of B_R^n: max over X and unit U
 * of ||J(X) U||, the two in turn.
 *
 *   U:  power iterations U := J^T J U / ||.||, which never shorten J U; Lanczos at the start and where X is stuck.
 *   X:  a step along the L-BFGS direction of log ||J(X) U|| for fixed U (worst_gradient.h, worst_lbfgs.h), each token
 *       projected to the ball, the step shortened until the value grows.
 *
 * ||J(X) U|| grows with every step, and the constant is at least that: the value never decreases. */
#ifndef ATTCERT_SEARCH_WORST_ASCENT_H
#define ATTCERT_SEARCH_WORST_ASCENT_H

#include "ball/region/ball_region.h"
#include "search/worst_attention.h"

typedef struct {
  double before, after; /* ||D_X f|| at the start and at the end: estimates from below; NaN where double overflows */
  int steps;            /* taken */
} worst_ascent;

/* Moves x (n x d, up to roundings in the region around the centre, NULL: 0, where it stays) by at most `steps` steps;
 * direction (n x d, or NULL) := the last U. Errors: ATTCERT_RESOURCE. */
attcert_status worst_ascend(attcert_matrix *x, double *direction, worst_ascent *report, worst_attention *a,
                            const attcert_matrix *centre, const ball_region *region, int steps, attcert_error *err);

/* Bytes that worst_ascend takes, Lanczos apart. */
uint64_t worst_ascent_bytes(const attcert_layer *layer, int n);

#endif
