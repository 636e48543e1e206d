/* RMSNorm: gain * x / sqrt(||x||^2 / n + epsilon), x a row or one of the parts that it falls into, n numbers each, as
 * the heads of queries and keys do. (B. Zhang and R. Sennrich, Root mean square layer normalization, 2019; A. Henry et
 * al., Query-key normalization for transformers, 2020.) */
#ifndef ATTCERT_NETWORK_RMSNORM_STEP_RMSNORM_H
#define ATTCERT_NETWORK_RMSNORM_STEP_RMSNORM_H

#include "network/network.h"

typedef struct {
  const double *gain; /* [cols] */
  double epsilon;     /* positive */
  int parts;          /* of a row; divides cols */
  bool from_one;      /* what is stored is gain - 1, a double: executions add 1 to it */
} rmsnorm_weights;

extern const step_kind step_rmsnorm; /* of: rmsnorm_weights */

/* The number of its value; the weights stay the caller's. */
int step_rmsnorm_add(network_builder *b, int value, const rmsnorm_weights *weights);

/* `execution`, in a file of its own. */
attcert_status step_rmsnorm_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                      const step_format *format, attcert_error *err);

#endif
