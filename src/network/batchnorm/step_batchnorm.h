/* BatchNorm as it is evaluated, with the mean and the variance of each column that were stored in training (S. Ioffe
 * and C. Szegedy, Batch normalization, 2015):
 *   y_ic = f_c (x_ic - mean_c) + bias_c,   f_c = weight_c / sqrt(variance_c + epsilon). */
#ifndef ATTCERT_NETWORK_BATCHNORM_STEP_BATCHNORM_H
#define ATTCERT_NETWORK_BATCHNORM_STEP_BATCHNORM_H

#include "network/network.h"

typedef struct {
  const double *weight, *bias;   /* [cols]; NULL: ones, zeros */
  const double *mean, *variance; /* [cols] */
  double epsilon;                /* variance + epsilon is positive */
  int cols;
} step_batchnorm_parameters;

extern const step_kind step_batchnorm; /* of: step_batchnorm_parameters */

/* The number of its value; the arrays stay the caller's. Errors, in the builder: ATTCERT_INPUT (a number that is not
 * finite, variance + epsilon not positive, another number of columns). */
int step_batchnorm_add(network_builder *b, int value, const step_batchnorm_parameters *of);

/* `execution`, in a file of its own. */
attcert_status step_batchnorm_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                        const step_format *format, attcert_error *err);

#endif
