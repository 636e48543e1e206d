/* What is added to attention's scores for the distance of query and key: of each head a number for each of some buckets
 * of offsets, small ones alone, larger ones by their logarithm. (C. Raffel et al., Exploring the limits of transfer
 * learning with a unified text-to-text transformer, JMLR 2020, section 2.1.) */
#ifndef ATTCERT_MODEL_POSITION_BIAS_H
#define ATTCERT_MODEL_POSITION_BIAS_H

#include "model/tensor_source.h"

/* The bucket of an offset key - query: half of the buckets are for keys behind, half of those for one offset each, the
 * others for offsets up to `distance`, from which on there is one. */
int position_bucket(int offset, int buckets, int distance);

/* bias [heads][2 span - 1], offsets from 1 - span on, of the table [buckets, heads] of that name. Errors: as
 * tensor_source_matrix. */
attcert_status position_bias_read(double *bias, int span, const tensor_source *source, const char *name,
                                  attcert_error *err);

#endif
