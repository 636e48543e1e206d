/* The norms of a layer's matrices that the bounds T1 - T5 and T7 are made of, each enclosed. */
#ifndef ATTCERT_THEORY_LAYER_NORMS_H
#define ATTCERT_THEORY_LAYER_NORMS_H

#include "attcert.h"
#include "interval/interval.h"

enum { THEORY_PRECISION = 128 }; /* bits of every interval in this folder */

typedef struct {
  interval value;  /* ||V|| */
  interval score;  /* ||A||, A = K^T Q / sqrt(k) */
  interval output; /* ||W_h||, the head's columns of W_O; 1 without W_O */
} head_norms;

typedef struct {
  int heads;
  interval output; /* ||W_O||; 1 without W_O */
  head_norms *head;
} layer_norms;

/* Room for so many heads, of zeros, and 1 for W_O and its columns. Errors: ATTCERT_RESOURCE. */
attcert_status layer_norms_allocate(layer_norms *norms, int heads, attcert_error *err);

/* What BLAS is assumed to do is tried first (blas_probe_once). Errors: ATTCERT_FAULT, ATTCERT_RESOURCE; norms are empty
 * then. */
attcert_status layer_norms_init(layer_norms *norms, const attcert_layer *layer, attcert_error *err);
void layer_norms_clear(layer_norms *norms);

/* x := x / sqrt(k), k >= 1. */
void layer_norms_divide_sqrt(interval *x, int k);

/* ||K^T (b_Q + Q centre)|| / sqrt(k) of head h: the scores' gradient g_i at the centre (NULL: the origin). */
attcert_status head_drift(interval *drift, const attcert_layer *layer, int h, const double *centre, attcert_error *err);

/* A bound of ||D f|| from bounds B_h of its heads: the smaller of ||W_O|| sqrt(sum_h B_h^2) (the heads share their
 * input) and sum_h ||W_h|| B_h (the triangle inequality, [Castin et al.]). */
void layer_norms_combine_heads(interval *bound, const interval *head, const layer_norms *norms);

#endif
