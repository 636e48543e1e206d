/* Keys and values that heads have of one shorter vector. */
#ifndef ATTCERT_MODEL_MODEL_LATENT_H
#define ATTCERT_MODEL_MODEL_LATENT_H

#include "model/model_parts.h"
#include "network/network.h"

/* The inputs of the maps of queries, keys and values of block l become these, before they rotate. */
void model_latent(network_builder *b, int input[3], const model *m, int l);

#endif
