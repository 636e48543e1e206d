/* Each column times a number of its own, LayerScale: H. Touvron et al., Going deeper with image transformers, 2021. */
#ifndef ATTCERT_NETWORK_SCALE_STEP_SCALE_H
#define ATTCERT_NETWORK_SCALE_STEP_SCALE_H

#include "network/network.h"

typedef struct {
  const double *factor; /* [cols] */
} scale_weights;

extern const step_kind step_scale; /* of: scale_weights */

/* The number of its value; the weights stay the caller's. */
int step_scale_add(network_builder *b, int value, const scale_weights *weights);

#endif
