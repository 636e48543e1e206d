/* One head of a model's layer. */
#ifndef ATTCERT_BOUNDS_CONSTRUCTIONS_READ_HEAD_H
#define ATTCERT_BOUNDS_CONSTRUCTIONS_READ_HEAD_H

#include "attcert.h"

/* The layer l of the model that spec names (model/model.h; the seed is that of a random one). */
attcert_status read_layer(attcert_layer *layer, const char *spec, uint64_t seed, int l, attcert_error *err);

/* Head h of it alone, without output projection. Errors: ATTCERT_INPUT (no such head), those of read_layer. */
attcert_status read_head(attcert_layer *head, const char *spec, uint64_t seed, int l, int h, attcert_error *err);

/* Whether the layer has a head h; says which it has. */
attcert_status check_head(const attcert_layer *layer, int h, attcert_error *err);

#endif
