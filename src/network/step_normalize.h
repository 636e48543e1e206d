/* z / s, s = sqrt(||z||^2 / n + epsilon), of n numbers, a row or one of the parts that it falls into, as many numbers
 * each: RMSNorm of them, and LayerNorm where they are centered, in intervals and executed. A matrix of which each row
 * falls into so many parts lies in memory as one of as many times the rows, which is how it is read here. Forms:
 * robust/operation/operation_normalize.h. */
#ifndef ATTCERT_NETWORK_STEP_NORMALIZE_H
#define ATTCERT_NETWORK_STEP_NORMALIZE_H

#include "network/step.h"

/* Of the k-th segment of symbols: of every part what the scale misses, then what each entry does. */
int step_normalize_fresh(int cols, int parts, int k);

/* ---- in intervals ------------------------------------------------------------------------------------------------ */

/* z := z / s; t[0] = s and t[1] = n of the scratch stay for the way back. Uses t[2]. */
void step_normalize(interval *z, int n, double epsilon, step_scratch *scratch);

/* g := gain dy. */
void step_normalize_gain(interval *g, const double *gain, const interval *dy, int n, step_scratch *scratch);

typedef struct {
  /* z := the n numbers of x, normalised by step_normalize. */
  void (*part)(interval *z, const interval *x, int n, double epsilon, step_scratch *scratch);
  bool centered;      /* their mean is 0 */
  int parts;          /* of a row */
  const double *gain; /* [cols] */
  double epsilon;
} step_normalization;

/* `enclose_pull_back`: with g = gain dy, part by part, dx += (g - (sum g + z (z . g)) / n) / s, without the sum where
 * they are not centered. */
attcert_status step_normalize_pull_back(const step_enclosure *dx, const step_normalization *of, const step_enclosure *x,
                                        const step_enclosure *dy, step_scratch *scratch, attcert_error *err);

/* `linearize`: gain (I - (1 1^T + z z^T) / n) / s, without 1 1^T where they are not centered. What is left of the unit
 * matrix has norm 1: z is orthogonal to 1 where that is there, and ||z||^2 <= n. */
attcert_status step_normalize_linearize(step_linear *l, const step_normalization *of, const step_enclosure *x,
                                        step_scratch *scratch, attcert_error *err);

/* `lower`; bias: [cols], NULL: zeros. */
attcert_status step_normalize_lower(step_lower *l, const step_normalization *of, const double *bias,
                                    attcert_error *err);

/* ---- executed ---------------------------------------------------------------------------------------------------- */

/* A bound of the relative error of the executed 1 / s, s >= root, of n numbers z whose errors move s by a factor within
 * tau of 1; theta: likewise of s^2, of how it is computed from them. */
double step_normalize_inverse(double root, int n, double tau, double theta, const step_format *format);

/* An entry z_c, and how it is executed. */
typedef struct {
  double size, off;           /* bounds of |z_c|, and of how much the executed one is off */
  double root, inverse_error; /* as above */
  double met;                 /* the largest number computed before gain and bias */
  double gain_off;            /* relatively, of the executed gain */
} step_normalized;

/* Adds what the execution of gain z_c / s + bias, z_c one of n numbers, adds to entry c in row i of a measured form. */
void step_normalize_execute(form *out, int i, int c, int n, double gain, double bias, const step_normalized *z,
                            const step_format *format);

#endif
