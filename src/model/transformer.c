/* The steps that every family's forward pass is made of:
 *   embeddings           x = map(LN(word + position + token type 0)), each where the family has it
 *   block, norm last     x = LN(x + attention(x)),     x = LN(x + feed_forward(x))
 *   block, norm first    x = x + attention(LN(x)),     x = x + feed_forward(LN(x)) */
#include "model/transformer.h"

#include "model/feed_forward.h"
#include "model/normalize.h"

#include <stdio.h>
#include <string.h>

void transformer_part(char name[TENSOR_NAME_SIZE], const tensor_source *source, const transformer *family, int l,
                      const char *part) {
  snprintf(name, TENSOR_NAME_SIZE, "%s%d.%s", family->blocks, model_config_group(source->config, l), part);
}

void transformer_add(attcert_matrix *x, const attcert_matrix *y) {
  const size_t count = (size_t)x->rows * (size_t)x->cols;
  for (size_t i = 0; i < count; i++) x->data[i] += y->data[i];
}

static attcert_status normalize_part(attcert_matrix *x, const transformer *family, const tensor_source *source, int l,
                                     const char *part, attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  transformer_part(name, source, family, l, part);
  return normalize_rows(x, source, name, err);
}

/* ---- embeddings -------------------------------------------------------------------------------------------------- */

static attcert_status add_type(attcert_matrix *x, const transformer *family, const tensor_source *source,
                               attcert_error *err) {
  attcert_matrix type;
  attcert_status status = attcert_matrix_init(&type, 1, x->cols, err);
  if (status != ATTCERT_OK) return status;
  status = tensor_source_row(type.data, source, family->type_table, 0, type.cols, err);
  for (int i = 0; i < x->rows && status == ATTCERT_OK; i++) {
    attcert_matrix row = {1, x->cols, x->data + (size_t)i * (size_t)x->cols};
    transformer_add(&row, &type);
  }
  attcert_matrix_clear(&type);
  return status;
}

attcert_status transformer_embed(attcert_matrix *hidden, attcert_matrix *sums, const transformer *family,
                                 const tensor_source *source, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  if (family->type_table != NULL) status = add_type(sums, family, source, err);
  if (status == ATTCERT_OK && family->embedding_norm != NULL)
    status = normalize_rows(sums, source, family->embedding_norm, err);
  if (status != ATTCERT_OK) return status;
  if (family->embedding_map != NULL && (family->embedding_map_always || sums->cols != hidden->cols))
    return linear_apply_stored(hidden, sums, source, family->read_linear, family->embedding_map, err);
  memcpy(hidden->data, sums->data, (size_t)sums->rows * (size_t)sums->cols * sizeof(double));
  return ATTCERT_OK;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Attention by the reference kernel: 0.11 s for 100 tokens in a layer of BERT's size (d = 768), where BLAS needs 0.01 s
 * and the certificate of such a layer 30 s at least. */
static attcert_status attend(attcert_matrix *y, const attcert_matrix *x, const transformer *family,
                             const tensor_source *source, int l, attcert_error *err) {
  attcert_layer layer;
  attcert_status status = transformer_layer(&layer, family, source, l, err);
  if (status != ATTCERT_OK) return status;
  status = attcert_layer_forward(y, &layer, x, err);
  attcert_layer_clear(&layer);
  return status;
}

static attcert_status feed(attcert_matrix *y, const attcert_matrix *x, const transformer *family,
                           const tensor_source *source, int l, attcert_error *err) {
  char up[TENSOR_NAME_SIZE], down[TENSOR_NAME_SIZE];
  transformer_part(up, source, family, l, family->up);
  transformer_part(down, source, family, l, family->down);
  return feed_forward(y, x, source, family->read_linear, up, down, err);
}

typedef attcert_status block_part(attcert_matrix *y, const attcert_matrix *x, const transformer *family,
                                  const tensor_source *source, int l, attcert_error *err);

/* x = x + part(LN(x)) or LN(x + part(x)); y and z are scratch of x's shape. */
static attcert_status add_part(attcert_matrix *x, attcert_matrix *y, attcert_matrix *z, block_part *part,
                               const char *norm, const transformer *family, const tensor_source *source, int l,
                               attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  memcpy(z->data, x->data, (size_t)x->rows * (size_t)x->cols * sizeof(double));
  if (family->norm_first) status = normalize_part(z, family, source, l, norm, err);
  if (status == ATTCERT_OK) status = part(y, z, family, source, l, err);
  if (status == ATTCERT_OK) transformer_add(x, y);
  if (status == ATTCERT_OK && !family->norm_first) status = normalize_part(x, family, source, l, norm, err);
  return status;
}

attcert_status transformer_block(attcert_matrix *x, const transformer *family, const tensor_source *source, int l,
                                 attcert_error *err) {
  attcert_matrix y = {0}, z = {0};
  attcert_status status = attcert_matrix_init(&y, x->rows, x->cols, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(&z, x->rows, x->cols, err);
  if (status == ATTCERT_OK) status = add_part(x, &y, &z, attend, family->attention_norm, family, source, l, err);
  if (status == ATTCERT_OK) status = add_part(x, &y, &z, feed, family->feed_forward_norm, family, source, l, err);
  attcert_matrix_clear(&y);
  attcert_matrix_clear(&z);
  return status;
}

attcert_status transformer_attention_input(attcert_matrix *hidden, const transformer *family,
                                           const tensor_source *source, int l, attcert_error *err) {
  return family->norm_first ? normalize_part(hidden, family, source, l, family->attention_norm, err) : ATTCERT_OK;
}
