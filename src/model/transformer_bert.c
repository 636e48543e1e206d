/* BERT (J. Devlin, M.-W. Chang, K. Lee, K. Toutanova, 2019), post-LayerNorm:
 *   embeddings  x = LN(word + position + token type 0)
 *   block       x = LN(x + attention(x)),  x = LN(x + feed_forward(x))
 * Affine maps are torch.nn.Linear, [out, in]. The attention of a layer is attention.self followed by
 * attention.output.dense; its input is the hidden state that enters the layer. */
#include "model/feed_forward.h"
#include "model/normalize.h"
#include "model/transformer.h"

#include <stdio.h>

static void part_name(char name[TENSOR_NAME_SIZE], int l, const char *part) {
  snprintf(name, TENSOR_NAME_SIZE, "encoder.layer.%d.%s", l, part);
}

static attcert_status read_attention(attcert_layer *layer, const tensor_source *source, int l, attcert_error *err) {
  const struct {
    const char *part;
    double *weight, *bias;
  } map[] = {{"attention.self.query", layer->query_weight, layer->query_bias},
             {"attention.self.key", layer->key_weight, layer->key_bias},
             {"attention.self.value", layer->value_weight, layer->value_bias},
             {"attention.output.dense", layer->output_weight, layer->output_bias}};
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; i < sizeof map / sizeof map[0] && status == ATTCERT_OK; i++) {
    char name[TENSOR_NAME_SIZE];
    part_name(name, l, map[i].part);
    status = linear_read(map[i].weight, map[i].bias, source, name, layer->dim, layer->dim, err);
  }
  return status;
}

static attcert_status embed(attcert_matrix *hidden, const tensor_source *source, attcert_error *err) {
  attcert_matrix type;
  attcert_status status = attcert_matrix_init(&type, 1, hidden->cols, err);
  if (status != ATTCERT_OK) return status;
  status = tensor_source_row(type.data, source, "embeddings.token_type_embeddings.weight", 0, type.cols, err);
  for (int i = 0; i < hidden->rows && status == ATTCERT_OK; i++) {
    attcert_matrix row = {1, hidden->cols, hidden->data + (size_t)i * (size_t)hidden->cols};
    transformer_add(&row, &type);
  }
  attcert_matrix_clear(&type);
  return status == ATTCERT_OK ? normalize_rows(hidden, source, "embeddings.LayerNorm", err) : status;
}

/* x = LN(x + y) */
static attcert_status add_and_normalize(attcert_matrix *x, const attcert_matrix *y, const tensor_source *source, int l,
                                        const char *part, attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  part_name(name, l, part);
  transformer_add(x, y);
  return normalize_rows(x, source, name, err);
}

static attcert_status block(attcert_matrix *x, const tensor_source *source, int l, attcert_error *err) {
  attcert_matrix y;
  char up[TENSOR_NAME_SIZE], down[TENSOR_NAME_SIZE];
  part_name(up, l, transformer_bert.up);
  part_name(down, l, transformer_bert.down);
  attcert_status status = attcert_matrix_init(&y, x->rows, x->cols, err);
  if (status == ATTCERT_OK) status = transformer_attend(&y, x, &transformer_bert, source, l, err);
  if (status == ATTCERT_OK) status = add_and_normalize(x, &y, source, l, transformer_bert.attention_norm, err);
  if (status == ATTCERT_OK) status = feed_forward(&y, x, source, linear_read, up, down, err);
  if (status == ATTCERT_OK) status = add_and_normalize(x, &y, source, l, transformer_bert.feed_forward_norm, err);
  attcert_matrix_clear(&y);
  return status;
}

const transformer transformer_bert = {
    .prefix = "bert.",
    .probe = "encoder.layer.0.attention.self.query.weight",
    .word_table = "embeddings.word_embeddings.weight",
    .position_table = "embeddings.position_embeddings.weight",
    .read_linear = linear_read,
    .attention_norm = "attention.output.LayerNorm",
    .feed_forward_norm = "output.LayerNorm",
    .up = "intermediate.dense",
    .down = "output.dense",
    .part_name = part_name,
    .read_attention = read_attention,
    .embed = embed,
    .block = block,
    .attention_input = NULL, /* the hidden state itself */
};
