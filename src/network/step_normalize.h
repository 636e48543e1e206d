/* z / s, s = sqrt(||z||^2 / n + epsilon), of a row of n numbers: RMSNorm of it, and LayerNorm where it is centered, in
 * intervals and executed. Forms: robust/operation/operation_normalize.h. */
#ifndef ATTCERT_NETWORK_STEP_NORMALIZE_H
#define ATTCERT_NETWORK_STEP_NORMALIZE_H

#include "network/step_enclosure.h"
#include "network/step_execution.h"

/* ---- in intervals ------------------------------------------------------------------------------------------------ */

/* z := z / s; t[0] = s and t[1] = n of the scratch stay for the way back. Uses t[2]. */
void step_normalize(interval *z, int n, double epsilon, step_scratch *scratch);

/* g := gain dy. */
void step_normalize_gain(interval *g, const double *gain, const interval *dy, int n, step_scratch *scratch);

/* dx += (g - (t[2] + z (z . g)) / n) / s for the z and the s of step_normalize: t[2] is 0, or where z was centered the
 * sum of g. Uses t[3] and t[4]. */
void step_normalize_back(interval *dx, const interval *z, const interval *g, int n, step_scratch *scratch);

/* ---- executed ---------------------------------------------------------------------------------------------------- */

/* A bound of the relative error of the executed 1 / s, s >= root, of n numbers z whose errors move s by a factor within
 * tau of 1; theta: likewise of s^2, of how it is computed from them. */
double step_normalize_inverse(double root, int n, double tau, double theta, const step_format *format);

/* An entry z_c, and how it is executed. */
typedef struct {
  double size, off;           /* bounds of |z_c|, and of how much the executed one is off */
  double root, inverse_error; /* as above */
  double met;                 /* the largest number computed before gain and bias */
} step_normalized;

/* Adds what the execution of gain z_c / s + bias adds to entry c in row i of a measured form. */
void step_normalize_execute(form *out, int i, int c, double gain, double bias, const step_normalized *z,
                            const step_format *format);

#endif
