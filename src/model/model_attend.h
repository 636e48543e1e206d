/* The attention of a block (network/attention): its queries, keys and values, and the output projection. */
#ifndef ATTCERT_MODEL_MODEL_ATTEND_H
#define ATTCERT_MODEL_MODEL_ATTEND_H

#include "model/model_parts.h"
#include "network/network.h"

/* From the input of block l's attention to the output projection. token: only this one asks; -1: all do. The number of
 * its value. */
int model_attend(network_builder *b, int value, const model *m, int l, int token);

#endif
