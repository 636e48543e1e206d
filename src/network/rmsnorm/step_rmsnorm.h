/* RMSNorm row by row: gain * x / sqrt(||x||^2 / d + epsilon). (B. Zhang and R. Sennrich, Root mean square layer
 * normalization, 2019.) */
#ifndef ATTCERT_NETWORK_RMSNORM_STEP_RMSNORM_H
#define ATTCERT_NETWORK_RMSNORM_STEP_RMSNORM_H

#include "network/network.h"

typedef struct {
  const double *gain; /* [cols] */
  double epsilon;     /* positive */
} rmsnorm_weights;

extern const step_kind step_rmsnorm; /* of: rmsnorm_weights */

/* The number of its value; the weights stay the caller's. */
int step_rmsnorm_add(network_builder *b, int value, const rmsnorm_weights *weights);

/* `execution`, in a file of its own. */
attcert_status step_rmsnorm_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                      const step_format *format, attcert_error *err);

#endif
