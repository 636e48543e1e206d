/* What a floating-point execution of a step may add to the exact one, in a format: T13. A number is stored with unit
 * roundoff `store`, sums, products and functions are computed with unit roundoff `unit`; results below the normal range
 * are off by at most `tiny`; exp, erf, tanh and 1/sqrt are within `ulp` units in the last place, 2 ulp unit in relative
 * terms. Sums may be taken in any order: m summands are off by gamma_m(unit) of their absolute values (Higham, section
 * 4.2). Weights and inputs are rounded to the format first. GELU is evaluated as x/2 (1 + erf(x / sqrt 2)), or with
 * tanh(sqrt(2/pi) (x + 0.044715 x^3)) for erf; softmax with the largest score subtracted; LayerNorm by the mean of the
 * squares of the centered row. */
#ifndef ATTCERT_STEP_EXECUTION_H
#define ATTCERT_STEP_EXECUTION_H

#include "robust/form/form.h"

typedef struct {
  const char *name; /* "float32" */
  double unit, store, tiny, largest;
  double ulp;
} step_format;

/* gamma_m = m u / (1 - m u), rounded up; infinite when m u >= 1/2. */
double step_format_gamma(double unit, double m);

/* A double >= |z| of entry c in row i of a measured form. */
double step_format_size(const form *f, int i, int c);

/* radius of entry c in row i += what the execution adds; infinite where the largest number met on the way may exceed
 * that of the format. */
void step_format_add(form *f, int i, int c, double error, double largest_met, const step_format *format);

#endif
