/* A certified lower bound of the local Lipschitz constant of one head at a long sequence of clusters. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_CLUSTER_DIRECTION_H
#define ATTCERT_BOUNDS_PROGRAMS_CLUSTER_DIRECTION_H

#include "clusters.h"

#include "interval/interval.h"

/* ratio contains ||J u||_2 / ||u||_2 at the sequence of clusters, where every token of cluster a moves by u_a (u:
 * distinct x dim, finite, not zero). Why it is rigorous: J u is evaluated by the formulas of
 * certify/enclosure/direction.h, of which equal tokens share every term, in intervals with outward rounding; so
 * ratio->lo <= ||D_X f||, and where the tokens are in B_R, ratio->lo <= Lip(f | B_R^n). Errors: ATTCERT_RESOURCE. */
attcert_status cluster_direction(interval *ratio, const clusters *c, const attcert_layer *head, const double *u,
                                 attcert_error *err);

#endif
