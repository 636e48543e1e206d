/* The generic weights file: a safetensors file with query.weight, key.weight, value.weight [H k, d], optional .bias,
 * optional output.weight [d_out, H k] and output.bias, metadata num_heads. Any other tensor, and any other metadata but
 * "format", is refused. */
#ifndef ATTCERT_MODEL_WEIGHTS_H
#define ATTCERT_MODEL_WEIGHTS_H

#include "attcert.h"
#include "model/cross_attention.h"
#include "model/format/safetensors.h"

/* heads: their number where the file does not say it; 0: the file has to. Both, and different, is ATTCERT_INPUT. */
attcert_status weights_from_file(attcert_layer *layer, const safetensors *file, int heads, attcert_error *err);

/* sha256: NULL, or SHA256_HEX_SIZE characters for the file's digest. */
attcert_status weights_read(attcert_layer *layer, char *sha256, const char *path, int heads, attcert_error *err);

/* The same of a layer whose keys and values are of a context, d_z columns of key.weight and value.weight. */
attcert_status weights_read_cross(cross_attention *cross, char *sha256, const char *path, int heads,
                                  attcert_error *err);

#endif
