/* The first half of filling a midpoint layer: what to divide by. Kappa and g in intervals, then the power of two of every
 * token and channel, so that the doubles converted afterwards are at most 2 in magnitude and as large as they can be. */
#ifndef ATTCERT_MIDPOINT_BUILDER_H
#define ATTCERT_MIDPOINT_BUILDER_H

#include "certify/jacobian/midpoint_layer.h"

/* What is shared by the tokens while the doubles are filled in. */
typedef struct {
  midpoint_layer *m;
  const attcert_layer *layer;
  const layer_enclosure *e;
  interval *g;          /* [n][d], of the head at hand */
  interval *kappa;      /* [H][n][k] */
  long *kappa_exponent; /* [H] */
  long *query_exponent; /* [H], of Q */
  long *row_exponent;   /* [H][n][k]: of max_j |w_ij,r| 2^{s_i} */
  double *excess;       /* [H][n]: of P and w */
  double *g_excess;     /* [H][n] */
  double *kappa_excess; /* [H] */
  double *w_size;       /* [H][n]: max_j |w_ij|, what an error of g_i or F_i is multiplied by */
  int head;             /* whose g is at hand */
} midpoint_builder;

bool midpoint_builder_init(midpoint_builder *b, midpoint_layer *m, const attcert_layer *layer,
                           const layer_enclosure *e);
void midpoint_builder_clear(midpoint_builder *b);

/* Fills m's g, rho, scale, shift, exponent, V', W', and the builder's kappa and exponents. Sets m->zero. Errors: ATTCERT_RESOURCE. */
attcert_status midpoint_builder_scale(midpoint_builder *b, int threads, attcert_error *err);

/* Bytes that a builder takes. */
uint64_t midpoint_builder_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

/* Converts a scaled by 2^e to *mid and returns the radius; *excess rises to what of it is not the midpoint's rounding. */
double midpoint_builder_convert(double *mid, interval *a, long e, double *excess, interval_scratch *ws);

#endif
