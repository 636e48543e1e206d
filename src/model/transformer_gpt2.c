/* GPT-2 (A. Radford et al., 2019), pre-LayerNorm:
 *   embeddings  x = word + position
 *   block       x = x + attention(ln_1(x)),  x = x + feed_forward(ln_2(x))
 * Affine maps are transformers' Conv1D, [in, out]; c_attn holds the query, key and value maps side by side. The
 * attention of a layer is c_attn followed by c_proj; its input is ln_1 of the hidden state that enters the layer. */
#include "model/feed_forward.h"
#include "model/normalize.h"
#include "model/transformer.h"

#include <stdio.h>
#include <string.h>

static void part_name(char name[TENSOR_NAME_SIZE], int l, const char *part) {
  snprintf(name, TENSOR_NAME_SIZE, "h.%d.%s", l, part);
}

/* c_attn as one map R^d -> R^3d: rows 0 .. d-1 are the query map, then key, then value. */
static attcert_status read_query_key_value(attcert_layer *layer, const tensor_source *source, const char *name,
                                           attcert_error *err) {
  const size_t d = (size_t)layer->dim;
  attcert_matrix weight = {0}, bias = {0};
  attcert_status status = attcert_matrix_init(&weight, 3 * layer->dim, layer->dim, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&bias, 3, layer->dim, err);
  if (status == ATTCERT_OK)
    status = linear_read_conv1d(weight.data, bias.data, source, name, 3 * layer->dim, layer->dim, err);
  double *const part_weight[] = {layer->query_weight, layer->key_weight, layer->value_weight};
  double *const part_bias[] = {layer->query_bias, layer->key_bias, layer->value_bias};
  for (size_t i = 0; i < 3 && status == ATTCERT_OK; i++) {
    memcpy(part_weight[i], weight.data + i * d * d, d * d * sizeof(double));
    memcpy(part_bias[i], bias.data + i * d, d * sizeof(double));
  }
  attcert_matrix_clear(&weight);
  attcert_matrix_clear(&bias);
  return status;
}

static attcert_status read_attention(attcert_layer *layer, const tensor_source *source, int l, attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  part_name(name, l, "attn.c_attn");
  const attcert_status status = read_query_key_value(layer, source, name, err);
  if (status != ATTCERT_OK) return status;
  part_name(name, l, "attn.c_proj");
  return linear_read_conv1d(layer->output_weight, layer->output_bias, source, name, layer->dim, layer->dim, err);
}

static attcert_status normalize_part(attcert_matrix *x, const tensor_source *source, int l, const char *part,
                                     attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  part_name(name, l, part);
  return normalize_rows(x, source, name, err);
}

/* y = LN(x), x unchanged. */
static attcert_status normalized_copy(attcert_matrix *y, const attcert_matrix *x, const tensor_source *source, int l,
                                      const char *part, attcert_error *err) {
  memcpy(y->data, x->data, (size_t)x->rows * (size_t)x->cols * sizeof(double));
  return normalize_part(y, source, l, part, err);
}

static attcert_status block(attcert_matrix *x, const tensor_source *source, int l, attcert_error *err) {
  attcert_matrix normal = {0}, y = {0};
  char up[TENSOR_NAME_SIZE], down[TENSOR_NAME_SIZE];
  part_name(up, l, transformer_gpt2.up);
  part_name(down, l, transformer_gpt2.down);
  attcert_status status = attcert_matrix_init(&normal, x->rows, x->cols, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&y, x->rows, x->cols, err);
  if (status == ATTCERT_OK) status = normalized_copy(&normal, x, source, l, transformer_gpt2.attention_norm, err);
  if (status == ATTCERT_OK) status = transformer_attend(&y, &normal, &transformer_gpt2, source, l, err);
  if (status == ATTCERT_OK) transformer_add(x, &y);
  if (status == ATTCERT_OK) status = normalized_copy(&normal, x, source, l, transformer_gpt2.feed_forward_norm, err);
  if (status == ATTCERT_OK) status = feed_forward(&y, &normal, source, linear_read_conv1d, up, down, err);
  if (status == ATTCERT_OK) transformer_add(x, &y);
  attcert_matrix_clear(&normal);
  attcert_matrix_clear(&y);
  return status;
}

static attcert_status attention_input(attcert_matrix *hidden, const tensor_source *source, int l, attcert_error *err) {
  return normalize_part(hidden, source, l, transformer_gpt2.attention_norm, err);
}

const transformer transformer_gpt2 = {
    .prefix = "transformer.",
    .probe = "h.0.attn.c_attn.weight",
    .word_table = "wte.weight",
    .position_table = "wpe.weight",
    .read_linear = linear_read_conv1d,
    .norm_first = true,
    .attention_norm = "ln_1",
    .feed_forward_norm = "ln_2",
    .up = "mlp.c_fc",
    .down = "mlp.c_proj",
    .final_norm = "ln_f",
    .part_name = part_name,
    .read_attention = read_attention,
    .embed = NULL, /* the sum itself */
    .block = block,
    .attention_input = attention_input,
};
