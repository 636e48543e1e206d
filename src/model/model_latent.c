/* Queries, keys and values of a head by way of shorter vectors (DeepSeek-AI, DeepSeek-V2, 2024):
 *   c_i = N(W_D x_i),   r_i = W_R x_i,   k_i = [r_i; W_K c_i],   v_i = W_V c_i,
 * r of all heads, and q_i = W_Q x_i or W_Q N'(W_D' x_i), N and N' an RMSNorm. The first entries of queries and keys
 * rotate later; in files they are the last ones, of queries and keys alike, so that q . k is the same. */
#include "model/model_latent.h"

#include "model/family/families.h"
#include "model/model_maps.h"
#include "model/transformer.h"
#include "network/affine/step_affine.h"
#include "network/join/step_join.h"
#include "network/rmsnorm/step_rmsnorm.h"

#include <stdlib.h>
#include <string.h>

/* An affine map as its files have it, [rows, cols], biased or not; the caller's. */
typedef struct {
  double *weight, *bias;
  int rows, cols;
} stored_map;

static stored_map read_map(network_builder *b, const model *m, int l, const char *part, int rows, int cols,
                           bool biased) {
  char name[TENSOR_NAME_SIZE];
  stored_map map = {.rows = rows, .cols = cols};
  map.weight = model_numbers(b, rows, cols);
  map.bias = biased ? model_numbers(b, 1, rows) : NULL;
  transformer_part(name, &m->source, l, part);
  if (b->status == ATTCERT_OK)
    b->status = linear_read_stored(map.weight, map.bias, &m->source, name, rows, cols, b->err);
  return map;
}

/* Of a map without a bias, when its rows are copied. */
static void free_map(const stored_map *map) {
  free(map->weight);
}

/* The map's rows from `first` on. */
static int apply_rows(network_builder *b, int value, const stored_map *map, int first, int count) {
  if (b->status != ATTCERT_OK) return value;
  const affine_weights rows = {map->weight + (size_t)first * (size_t)map->cols,
                               map->bias != NULL ? map->bias + first : NULL};
  return step_affine_add(b, value, &rows, count);
}

static int norm(network_builder *b, int value, const model *m, int l, const char *part) {
  char name[TENSOR_NAME_SIZE];
  const int cols = network_cols(b->network, value);
  double *const gain = model_numbers(b, 1, cols);
  transformer_part(name, &m->source, l, part);
  if (b->status == ATTCERT_OK) b->status = linear_read_norm(gain, NULL, cols, &m->source, name, b->err);
  const int y = step_rmsnorm_add(
      b, value, &(rmsnorm_weights){gain, m->config.latent.epsilon, 1, m->config.family->gain_from_one});
  network_own(b, gain);
  return y;
}

/* Of so many heads of `rows` each, those from `first` on; into rows of `cols` numbers, whose last ones they are. */
static void copy_heads(double *to, int heads, int to_rows, int to_first, int cols, const stored_map *map, int rows,
                       int first, int count) {
  const size_t in = (size_t)map->cols, behind = (size_t)cols - in;
  for (int h = 0; h < heads; h++) {
    for (int r = 0; r < count; r++)
      memcpy(to + ((size_t)h * (size_t)to_rows + (size_t)(to_first + r)) * (size_t)cols + behind,
             map->weight + ((size_t)h * (size_t)rows + (size_t)(first + r)) * in, in * sizeof *to);
  }
}

static int apply(network_builder *b, int value, double *weight, int rows) {
  const int y = step_affine_add(b, value, &(affine_weights){weight, NULL}, rows);
  network_own(b, weight);
  return y;
}

static int query_of(network_builder *b, int value, const model *m, int l) {
  const model_family *const family = m->config.family;
  const int heads = m->config.heads, k = m->config.head_dim, turning = m->config.rotary_dim, rest = k - turning;
  const int rank = m->config.latent.query_rank, rows = heads * k;
  if (rank > 0) {
    value = model_part_map(b, value, m, l, family->latent.query_down, m->config.attention_biases, rank);
    value = norm(b, value, m, l, family->latent.query_norm);
  }
  const int cols = network_cols(b->network, value);
  const stored_map map =
      read_map(b, m, l, rank > 0 ? family->latent.query_up : family->attention.query, rows, cols, false);
  double *const weight = model_numbers(b, rows, cols);
  if (weight != NULL) {
    copy_heads(weight, heads, k, 0, cols, &map, k, rest, turning);
    copy_heads(weight, heads, k, turning, cols, &map, k, 0, rest);
  }
  free_map(&map);
  return apply(b, value, weight, rows);
}

/* [r; c] becomes the keys of all heads. */
static int key_of(network_builder *b, int both, const model *m, const stored_map *up) {
  const int heads = m->config.heads, k = m->config.head_dim, turning = m->config.rotary_dim, rest = k - turning;
  const int cols = turning + m->config.latent.rank;
  double *const weight = model_numbers(b, heads * k, cols);
  if (weight == NULL) return both;
  for (int h = 0; h < heads; h++) {
    for (int r = 0; r < turning; r++) weight[((size_t)h * (size_t)k + (size_t)r) * (size_t)cols + (size_t)r] = 1.0;
  }
  copy_heads(weight, heads, k, turning, cols, up, rest + model_config_value_dim(&m->config), 0, rest);
  return apply(b, both, weight, heads * k);
}

static int value_of(network_builder *b, int latent, const model *m, const stored_map *up) {
  const int heads = m->config.heads, rest = m->config.head_dim - m->config.rotary_dim;
  const int size = model_config_value_dim(&m->config);
  double *const weight = model_numbers(b, heads * size, up->cols);
  if (weight == NULL) return latent;
  copy_heads(weight, heads, size, 0, up->cols, up, rest + size, rest, size);
  return apply(b, latent, weight, heads * size);
}

void model_latent(network_builder *b, int input[3], const model *m, int l) {
  const model_family *const family = m->config.family;
  const int rank = m->config.latent.rank, turning = m->config.rotary_dim;
  const int rest = m->config.head_dim - turning + model_config_value_dim(&m->config);
  const int x = input[1];
  input[0] = query_of(b, input[0], m, l);
  const stored_map down =
      read_map(b, m, l, family->latent.down, rank + turning, m->config.dim, m->config.attention_biases);
  const stored_map up = read_map(b, m, l, family->latent.up, m->config.heads * rest, rank, false);
  const int shared = apply_rows(b, x, &down, rank, turning);
  const int latent = norm(b, apply_rows(b, x, &down, 0, rank), m, l, family->latent.norm);
  input[1] = key_of(b, step_join_add(b, shared, latent), m, &up);
  input[2] = value_of(b, latent, m, &up);
  network_own(b, down.weight);
  network_own(b, down.bias);
  free_map(&up);
}
