/* The factors of a Jacobian in intervals: kappa and g, then the power of two of every token and channel to divide by,
 * so that the doubles converted afterwards are at most 2 in magnitude and as large as they can be. */
#ifndef ATTCERT_CERTIFY_JACOBIAN_ENCLOSED_FACTORS_H
#define ATTCERT_CERTIFY_JACOBIAN_ENCLOSED_FACTORS_H

#include "certify/enclosure/layer_enclosure.h"
#include "certify/jacobian/factored_jacobian.h"

/* What is shared by the tokens while the doubles are filled in. */
typedef struct {
  factored_jacobian *m;
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
} enclosed_factors;

/* Of the layer that e encloses, to be rounded into m, which has been initialised. All three must outlive it. Errors:
 * ATTCERT_RESOURCE; enclosed_factors_clear is due in any case. */
attcert_status enclosed_factors_init(enclosed_factors *f, factored_jacobian *m, const attcert_layer *layer,
                                     const layer_enclosure *e, attcert_error *err);
void enclosed_factors_clear(enclosed_factors *f);

/* Fills m's g, rho, scale, shift, exponent, V' and W', kappa here and all exponents. Sets m->zero. Errors:
 * ATTCERT_RESOURCE. */
attcert_status enclosed_factors_scale(enclosed_factors *f, int threads, attcert_error *err);

/* Bytes that it takes. */
uint64_t enclosed_factors_bytes(const attcert_layer *layer, int n, mpfr_prec_t precision);

/* Converts a scaled by 2^e to *mid and returns the radius; *excess rises to what of it is not *mid's rounding. */
double enclosed_factors_convert(double *mid, interval *a, long e, double *excess, interval_scratch *ws);

#endif
