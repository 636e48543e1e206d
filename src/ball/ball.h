/* The largest local Lipschitz constant in a ball around an input: a rigorous enclosure of
 *     sup { ||D_X' f|| : X' in the ball },
 * and, the ball being convex, an upper bound L of |f(Y) - f(Z)| <= L |Y - Z| for all Y, Z in it. */
#ifndef ATTCERT_BALL_BALL_H
#define ATTCERT_BALL_BALL_H

#include "ball/region/ball_region.h"
#include "theory/theory.h"

typedef struct {
  mpfr_t lower, upper;  /* 53 bits, outward */
  const char *upper_by; /* "T11", or the bound of the theory that was less */
  theory_table bounds;  /* those on the ball of the tokens around 0 that holds this one */
  attcert_matrix x;     /* n x d: an input of the ball, for certain, whose constant is at least `lower` */
  int steps;            /* of the ascent that found it */
  double seconds;
} ball_enclosure;

void ball_enclosure_init(ball_enclosure *b);
void ball_enclosure_clear(ball_enclosure *b);

/* Encloses from the certificate at x, the centre, of a layer with these norms (layer_norms_init). The options give the
 * threads, the memory and the progress callback. Errors: ATTCERT_INPUT (a radius that is negative or no finite number,
 * no token that moves), ATTCERT_RESOURCE. */
attcert_status ball_enclose(ball_enclosure *b, const attcert_layer *layer, const layer_norms *norms,
                            const attcert_matrix *x, const attcert_certificate *point, const ball_region *region,
                            const attcert_options *options, attcert_error *err);

#endif
