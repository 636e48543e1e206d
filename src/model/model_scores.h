/* What the attention of block l has in its scores beside queries and keys, from the model's tensors. */
#ifndef ATTCERT_MODEL_MODEL_SCORES_H
#define ATTCERT_MODEL_MODEL_SCORES_H

#include "model/model_parts.h"
#include "network/attention/attention_heads.h"
#include "network/network.h"

/* Of the family's table, of block l's own or by slopes, with what their doubles miss in *low; NULL: none. Both are the
 * caller's, until network_own takes them. */
double *model_position_bias(network_builder *b, const model *m, int l, double **low);

/* [heads], likewise; NULL: none. */
double *model_sinks(network_builder *b, const model *m, int l);

/* What belongs to it is own[0 .. 3], likewise. NULL: none. */
const attention_shifts *model_shifts(network_builder *b, const model *m, int l, double *own[4]);

#endif
