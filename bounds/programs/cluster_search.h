/* The largest local Lipschitz constant of one head that is found among sequences of clusters in B_R^n: a search in
 * plain double for what cluster_direction certifies. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_CLUSTER_SEARCH_H
#define ATTCERT_BOUNDS_PROGRAMS_CLUSTER_SEARCH_H

#include "clusters.h"

typedef struct {
  clusters at;
  double norm;   /* by cluster_norm, of all rows; 0: nothing found */
  char name[64]; /* of the start it came from */
} cluster_worst;

/* Searches n tokens of length at most R by `steps` random steps from each start: the constructions of
 * search/worst_starts.h, random clusters, and the worst of a shorter sequence, made longer (previous; NULL: none). The
 * tokens found are proved to be in the ball. Errors: ATTCERT_RESOURCE. */
attcert_status cluster_search(cluster_worst *worst, const attcert_layer *head, int n, double radius,
                              const cluster_worst *previous, int steps, attcert_error *err);

#endif
