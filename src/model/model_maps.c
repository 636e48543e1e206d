#include "model/model_maps.h"

#include "base/arrays.h"
#include "model/family/families.h"
#include "model/transformer.h"
#include "network/affine/step_affine.h"
#include "network/layernorm/step_layernorm.h"
#include "network/rmsnorm/step_rmsnorm.h"
#include "network/scale/step_scale.h"

#include <stdlib.h>
#include <string.h>

double *model_numbers(network_builder *b, int rows, int cols) {
  const size_t count = (size_t)rows * (size_t)cols;
  if (b->status != ATTCERT_OK) return NULL;
  double *const memory = array_new(count, sizeof *memory, b->err, "weights of %zu numbers", count);
  if (memory == NULL) b->status = ATTCERT_RESOURCE;
  return memory;
}

int model_map(network_builder *b, int value, const tensor_source *source, linear_reader *read, const char *name,
              bool biased, int cols) {
  const int in = network_cols(b->network, value);
  double *const weight = model_numbers(b, cols, in), *const bias = biased ? model_numbers(b, 1, cols) : NULL;
  if (b->status == ATTCERT_OK) b->status = read(weight, bias, source, name, cols, in, b->err);
  const int y = step_affine_add(b, value, &(affine_weights){weight, bias}, cols);
  network_own(b, weight);
  network_own(b, bias);
  return y;
}

int model_map_beside(network_builder *b, int value, const tensor_source *source, const char *name,
                     const tensor_source *of_bias, const char *bias_name, int cols) {
  const int in = network_cols(b->network, value);
  double *const weight = model_numbers(b, cols, in), *const bias = model_numbers(b, 1, cols);
  if (b->status == ATTCERT_OK) b->status = linear_read(weight, NULL, source, name, cols, in, b->err);
  if (b->status == ATTCERT_OK) b->status = tensor_source_vector(bias, of_bias, bias_name, cols, b->err);
  const int y = step_affine_add(b, value, &(affine_weights){weight, bias}, cols);
  network_own(b, weight);
  network_own(b, bias);
  return y;
}

int model_norm(network_builder *b, int value, const model *m, const char *name) {
  return model_norm_of(b, value, m, &m->source, name);
}

int model_norm_of(network_builder *b, int value, const model *m, const tensor_source *source, const char *name) {
  const int d = network_cols(b->network, value);
  const bool centered = !m->config.family->root_mean_square, biased = centered && m->config.norm_biases;
  double *const gain = model_numbers(b, 1, d), *const bias = centered ? model_numbers(b, 1, d) : NULL;
  if (b->status == ATTCERT_OK) b->status = linear_read_norm(gain, biased ? bias : NULL, d, source, name, b->err);
  const int y =
      centered
          ? step_layernorm_add(b, value, &(layernorm_weights){gain, bias, m->config.epsilon})
          : step_rmsnorm_add(b, value, &(rmsnorm_weights){gain, m->config.epsilon, 1, m->config.family->gain_from_one});
  network_own(b, gain);
  network_own(b, bias);
  return y;
}

int model_part_map(network_builder *b, int value, const model *m, int l, const char *part, bool biased, int cols) {
  char name[TENSOR_NAME_SIZE];
  transformer_part(name, &m->source, l, part);
  return model_map(b, value, &m->source, linear_read_stored, name, biased, cols);
}

int model_part_norm(network_builder *b, int value, const model *m, int l, const char *part) {
  char name[TENSOR_NAME_SIZE];
  if (part == NULL) return value;
  transformer_part(name, &m->source, l, part);
  return model_norm(b, value, m, name);
}

int model_part_scale(network_builder *b, int value, const model *m, int l, const char *part) {
  char name[TENSOR_NAME_SIZE];
  if (part == NULL) return value;
  const int cols = network_cols(b->network, value);
  double *const factor = model_numbers(b, 1, cols);
  transformer_part(name, &m->source, l, part);
  if (b->status == ATTCERT_OK) b->status = tensor_source_vector(factor, &m->source, name, cols, b->err);
  const int y = step_scale_add(b, value, &(scale_weights){factor});
  network_own(b, factor);
  return y;
}

/* Rows of maps [all, in] and their biases (NULL: none), which lie head by head and in each head k of one part after the
 * other, become those of part 0 of all heads, then of part 1 ... */
static void sort_rows(network_builder *b, double *weight, double *bias, int all, int in, int k, int parts) {
  const int heads = all / (parts * k);
  double *const sorted = model_numbers(b, all, in + 1);
  if (sorted == NULL) return;
  for (int r = 0; r < all; r++) {
    const int part = r / k % parts, to = (part * heads + r / (parts * k)) * k + r % k;
    memcpy(sorted + (size_t)to * (size_t)in, weight + (size_t)r * (size_t)in, (size_t)in * sizeof *weight);
    if (bias != NULL) sorted[(size_t)all * (size_t)in + (size_t)to] = bias[r];
  }
  memcpy(weight, sorted, (size_t)all * (size_t)in * sizeof *weight);
  if (bias != NULL) memcpy(bias, sorted + (size_t)all * (size_t)in, (size_t)all * sizeof *bias);
  free(sorted);
}

void model_map_rows(network_builder *b, int *input, const int *cols, int count, const model *m, int l, const char *part,
                    bool biased, bool by_head) {
  const int in = m->config.dim;
  char name[TENSOR_NAME_SIZE];
  int all = 0;
  for (int i = 0; i < count; i++) all += cols[i];
  double *const weight = model_numbers(b, all, in), *const bias = biased ? model_numbers(b, 1, all) : NULL;
  transformer_part(name, &m->source, l, part);
  if (b->status == ATTCERT_OK) b->status = linear_read_stored(weight, bias, &m->source, name, all, in, b->err);
  if (b->status == ATTCERT_OK && by_head) sort_rows(b, weight, bias, all, in, m->config.head_dim, count);
  for (int i = 0, first = 0; i < count && b->status == ATTCERT_OK; first += cols[i++])
    input[i] = step_affine_add(
        b, input[i], &(affine_weights){weight + (size_t)first * (size_t)in, biased ? bias + first : NULL}, cols[i]);
  network_own(b, weight);
  network_own(b, bias);
}
