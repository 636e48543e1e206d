/* Steps from a model's tensors by name: affine maps, norms and factors. Each function returns the number of its
 * value. */
#ifndef ATTCERT_MODEL_MODEL_MAPS_H
#define ATTCERT_MODEL_MODEL_MAPS_H

#include "model/linear.h"
#include "model/model_parts.h"
#include "network/network.h"

/* Memory for numbers, the caller's until network_own takes it; NULL where anything failed. */
double *model_numbers(network_builder *b, int rows, int cols);

/* An affine map read from NAME.weight and, where it is biased, NAME.bias of a source. */
int model_map(network_builder *b, int value, const tensor_source *source, linear_reader *read, const char *name,
              bool biased, int cols);

/* The same of a bias that is a tensor of its own, of another source. */
int model_map_beside(network_builder *b, int value, const tensor_source *source, const char *name,
                     const tensor_source *of_bias, const char *bias_name, int cols);

/* LayerNorm with the tensors of linear_read_norm. */
int model_norm(network_builder *b, int value, const model *m, const char *name);
int model_norm_of(network_builder *b, int value, const model *m, const tensor_source *source, const char *name);

/* Those of a part of block l; part NULL: the value as it is, of a norm or a factor. A factor is one by column. */
int model_part_map(network_builder *b, int value, const model *m, int l, const char *part, bool biased, int cols);
int model_part_norm(network_builder *b, int value, const model *m, int l, const char *part);
int model_part_scale(network_builder *b, int value, const model *m, int l, const char *part);

/* Several maps of R^d, whose rows are those of one after the other, or where `by_head` head by head; input[i] becomes
 * the i-th of its value. */
void model_map_rows(network_builder *b, int *input, const int *cols, int count, const model *m, int l, const char *part,
                    bool biased, bool by_head);

#endif
