/* Random initialisation, tensor by tensor, after transformers' _init_weights of BERT and GPT-2:
 *
 *   LayerNorm weights 1, every bias 0, every other weight N(0, 0.02^2), except
 *   - row 0 of the word embeddings is 0 where the family has a padding token there, and
 *   - maps into a residual sum are N(0, 0.02^2 / (2 layers)) where the family initialises them smaller.
 *
 * Each number is rounded to binary32, as a stored checkpoint would be, and depends only on seed, tensor name (without
 * the family's prefix) and its row-major index in the stored layout; so any rows can be generated alone. The numbers
 * are as reproducible as libm's log, sin and cos: another libm may round a few of them to the neighbouring binary32. */
#ifndef ATTCERT_MODEL_RANDOM_TENSOR_H
#define ATTCERT_MODEL_RANDOM_TENSOR_H

#include "model/family/model_config.h"

/* Entries first .. first + count - 1 of the tensor. */
/*@ requires valid: \valid(out + (0 .. count - 1));
  @ assigns out[0 .. count - 1]; */
void random_tensor_fill(double *out, const model_config *config, uint64_t seed, const char *name, uint64_t first,
                        size_t count);

#endif
