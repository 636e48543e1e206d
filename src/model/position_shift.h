/* What the distance of query and key adds to both in their product: of each head a vector for each row of a table, of
 * which every distance has one, or small ones alone and larger ones by their logarithm. (P. He et al., DeBERTa:
 * decoding-enhanced BERT with disentangled attention, ICLR 2021, as its second version has the rows.) */
#ifndef ATTCERT_MODEL_POSITION_SHIFT_H
#define ATTCERT_MODEL_POSITION_SHIFT_H

#include "model/family/model_config.h"
#include "network/network.h"

/* The row of an offset key - query, of 2 model_config_shift_span rows; it does not depend on rounding where there are
 * no more tokens than most_tokens. */
int position_shift_row(int offset, const model_config *config);

/* The rows of the offsets from 1 - span to span - 1 are those from *first on, as many as the result. */
int position_shift_rows(int *first, int span, const model_config *config);

/* high and low [2 span - 1][cols] := of each offset, its row of what the network makes of x, the rows of
 * position_shift_rows; *error := at least what their sum misses of any number, never less than it was. Errors:
 * ATTCERT_RESOURCE. */
attcert_status position_shift_fill(double *high, double *low, double *error, const network_steps *network,
                                   const attcert_matrix *x, int span, const model_config *config, attcert_error *err);

#endif
