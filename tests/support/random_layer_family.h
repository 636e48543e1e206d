/* What the families of random_layer.h are made of: each starts from a Gaussian case, after an optional change of its
 * shape, and changes its entries. Magnitudes change by powers of two, so that the entries' mantissas stay as drawn. */
#ifndef ATTCERT_TESTS_SUPPORT_RANDOM_LAYER_FAMILY_H
#define ATTCERT_TESTS_SUPPORT_RANDOM_LAYER_FAMILY_H

#include "random_layer.h"

typedef void layer_change(layer_case *c, random_source *r);

/* Scales (random_layer_scale.c). */
layer_change saturated_softmax, large_scores, astronomic_scores, extreme_weights, mixed_scales, subnormal_numbers,
    common_offset;

/* Tokens and scores (random_layer_tokens.c). */
layer_change equal_tokens, duplicate_tokens, orthogonal_tokens, zero_tokens, tied_scores, zero_query_or_key,
    random_low_rank, random_integers, powers_of_two, sparse_entries;

/* Values, heads and W_O (random_layer_values.c). */
layer_change zero_value, zero_output, orthogonal_value, clustered_value, equal_heads, cancelling_heads,
    nearly_cancelling_heads, cancelling_rows, orthogonal_to_start;

/* One array of a layer with its shape; data is NULL where the layer has none. */
typedef struct {
  double *data;
  size_t rows, cols;
} layer_array;

enum {
  QUERY_WEIGHT,
  KEY_WEIGHT,
  VALUE_WEIGHT,
  OUTPUT_WEIGHT,
  QUERY_BIAS,
  KEY_BIAS,
  VALUE_BIAS,
  OUTPUT_BIAS,
  INPUT,
  ARRAYS
};

layer_array layer_case_array(const layer_case *c, int which);

/* Every entry times 2^exponent, rounded once where it becomes subnormal. */
void layer_array_scale(layer_array a, int exponent);

#endif
