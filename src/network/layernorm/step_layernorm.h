/* LayerNorm with the real division, row by row: gain * (x - mean x) / sqrt(||x - mean x||^2 / d + epsilon) + bias. */
#ifndef ATTCERT_NETWORK_LAYERNORM_STEP_LAYERNORM_H
#define ATTCERT_NETWORK_LAYERNORM_STEP_LAYERNORM_H

#include "network/network.h"

typedef struct {
  const double *gain, *bias; /* [cols] */
  double epsilon;
} layernorm_weights;

extern const step_kind step_layernorm; /* of: layernorm_weights */

/* The number of its value; the weights stay the caller's. */
int step_layernorm_add(network_builder *b, int value, const layernorm_weights *weights);

/* `forms` and `execution`, in files of their own. */
attcert_status step_layernorm_forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols,
                                    int origin, attcert_error *err);
attcert_status step_layernorm_execution(form *out, const step *s, const form *const *in, const form_symbols *symbols,
                                        const step_format *format, attcert_error *err);

#endif
