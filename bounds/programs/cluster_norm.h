/* An estimate, in plain double, of the local Lipschitz constant of one head at a sequence of clusters: the largest ||J
 * u|| over unit u that move equal tokens alike. It is at most ||J||, so no optimum of it promises too much. Nothing
 * here is certified. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_CLUSTER_NORM_H
#define ATTCERT_BOUNDS_PROGRAMS_CLUSTER_NORM_H

#include "clusters.h"

/* Returns the norm; u (distinct x dim; NULL: not wanted) is the direction that attains it, how each token of a cluster
 * moves. quick: under the mask, rows far from the beginning of their cluster stand for their neighbours. NaN where
 * double overflows. */
double cluster_norm(double *u, const clusters *c, const attcert_layer *head, bool quick);

#endif
