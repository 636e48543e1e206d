/* The generic weights file: a safetensors file with query.weight, key.weight, value.weight [H k, d], optional .bias,
 * optional output.weight [d_out, H k] and output.bias, metadata num_heads (default "1"). */
#ifndef ATTCERT_WEIGHTS_H
#define ATTCERT_WEIGHTS_H

#include "attcert.h"

attcert_status weights_read(attcert_layer *layer, const char *path, attcert_error *err);

#endif
