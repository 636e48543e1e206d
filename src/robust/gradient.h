/* The margin of a network at a point and its gradient in the hidden states, enclosed: forward and back in intervals,
 * with more bits where they come out wide. The margin is the smallest of score_label - score_other; the gradient is
 * that of the difference which is certainly the smallest, and unknown where two cannot be told apart. */
#ifndef ATTCERT_ROBUST_GRADIENT_H
#define ATTCERT_ROBUST_GRADIENT_H

#include "ball/region/ball_region.h"
#include "network/network.h"
#include "robust/watch.h"

typedef struct {
  range margin, norm;  /* norm: the region's dual norm of the gradient, in the tokens that move */
  bool differentiable; /* false: norm is [0, infinity] */
  int label, rival;
} robust_gradient;

typedef struct {
  const attcert_matrix *x;
  const ball_region *region; /* whose dual norm of the gradient is wanted; NULL: the margin alone is */
  int label;                 /* -1: the class with the largest score */
  const robust_watch *watch; /* sees every step; NULL: nobody does */
} robust_gradient_place;

/* Errors: ATTCERT_RESOURCE, ATTCERT_CANCELLED. */
attcert_status robust_gradient_enclose(robust_gradient *result, const network_steps *network,
                                       const robust_gradient_place *at, attcert_error *err);

/* score [classes]: the network's scores at x, with as many bits as it takes to tell their signs, within reason. Errors:
 * ATTCERT_RESOURCE. */
attcert_status robust_gradient_scores(range *score, const network_steps *network, const attcert_matrix *x,
                                      attcert_error *err);

#endif
