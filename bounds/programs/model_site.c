/* See model_site.h. */
#include "model_site.h"

#include "arguments.h"
#include "model/format/npy.h"
#include "model/model_maps.h"
#include "model/model_steps.h"
#include "model/tokenizer/tokenizer.h"
#include "network/activation/step_activation.h"
#include "network/sum/step_sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), wanted = strlen(end);
  return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static attcert_status read_hidden(attcert_matrix *hidden, const char *path, int n, attcert_error *err) {
  const attcert_status status = npy_read(hidden, NULL, path, err);
  if (status != ATTCERT_OK) return status;
  if (hidden->rows < n)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %d hidden states, expected at least %d", path, hidden->rows, n);
  hidden->rows = n;
  return ATTCERT_OK;
}

static attcert_status embed_text(attcert_matrix *hidden, const model *m, const char *tokenizer_path, const char *text,
                                 int offset, int n, attcert_error *err) {
  tokenizer *t = NULL;
  int *tokens = NULL, count = 0;
  const tokenizer_span span = {.offset = offset, .n = n};
  attcert_status status = tokenizer_open(&t, tokenizer_path, err);
  if (status == ATTCERT_OK) status = tokenizer_sequence(&tokens, &count, NULL, t, &span, text, err);
  if (status == ATTCERT_OK) status = model_embed(hidden, m, tokens, count, err);
  tokenizer_close(t);
  free(tokens);
  return status;
}

attcert_status model_site_open(model_site *s, const char *spec, int layer, const char *source, int offset, int n,
                               attcert_error *err) {
  *s = (model_site){.layer = layer};
  attcert_status status = model_open(&s->model, spec, 0, err);
  if (status == ATTCERT_OK) status = model_layer(&s->attention, s->model, layer, err);
  if (status == ATTCERT_OK && ends_with(source, ".npy"))
    status = read_hidden(&s->hidden, source, n, err);
  else if (status == ATTCERT_OK)
    status = embed_text(&s->hidden, s->model, model_file_count(s->model) > 0 ? spec : NULL, source, offset, n, err);
  if (status == ATTCERT_OK) status = model_layer_input_from(&s->x, s->model, layer, &s->hidden, err);
  if (status == ATTCERT_OK) status = attcert_layer_check(&s->attention, &s->x, err);
  return status;
}

attcert_status model_site_open_words(model_site *s, char **word, attcert_error *err) {
  int layer = 0, offset = 0, n = 0;
  attcert_status status = argument_int(&layer, "LAYER", word[1], 0, err);
  if (status == ATTCERT_OK) status = argument_int(&offset, "OFFSET", word[3], 0, err);
  if (status == ATTCERT_OK) status = argument_int(&n, "N", word[4], 1, err);
  return status == ATTCERT_OK ? model_site_open(s, word[0], layer, word[2], offset, n, err) : status;
}

const char *model_site_name(const char *spec) {
  const char *const slash = strrchr(spec, '/');
  return slash != NULL ? slash + 1 : spec;
}

void model_site_close(model_site *s) {
  if (s->model != NULL) model_close(s->model);
  attcert_layer_clear(&s->attention);
  attcert_matrix_clear(&s->hidden);
  attcert_matrix_clear(&s->x);
  *s = (model_site){0};
}

/* ---- LayerNorms -------------------------------------------------------------------------------------------------- */

static attcert_status read_layernorm(layernorm *ln, const model *m, const char *name, attcert_error *err) {
  char tensor[TENSOR_NAME_SIZE];
  attcert_status status = layernorm_init(ln, m->config.dim, m->config.epsilon, err);
  tensor_name(tensor, name, "weight");
  if (status == ATTCERT_OK) status = tensor_source_vector(ln->gamma, &m->source, tensor, ln->dim, err);
  tensor_name(tensor, name, "bias");
  if (status == ATTCERT_OK) status = tensor_source_vector(ln->beta, &m->source, tensor, ln->dim, err);
  return status;
}

/* "encoder.layer.L.PART" */
static void bert_name(char name[TENSOR_NAME_SIZE], int layer, const char *part) {
  snprintf(name, TENSOR_NAME_SIZE, "encoder.layer.%d.%s", layer, part);
}

/* h := h + attention(h), normalized; then h + feed_forward(h), not yet normalized. */
static attcert_status finish_bert_block(attcert_matrix *h, const model *m, int layer, attcert_error *err) {
  char up[TENSOR_NAME_SIZE], down[TENSOR_NAME_SIZE];
  network_steps network;
  network_builder b = network_run(&network, h, err);
  const int x = model_attention(&b, 0, m, layer, -1);
  bert_name(up, layer, "intermediate.dense");
  bert_name(down, layer, "output.dense");
  int y = model_map(&b, x, &m->source, linear_read, up, true, m->config.hidden_dim);
  y = step_activation_add(&b, y, m->config.act);
  y = model_map(&b, y, &m->source, linear_read, down, true, m->config.dim);
  return network_run_end(h, &b, step_sum_add(&b, x, y));
}

static attcert_status before_bert(layernorm *ln, attcert_matrix *h, const model_site *s, attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  if (s->layer == 0)
    return attcert_fail(err, ATTCERT_INPUT,
                        "layer 0: its LayerNorm is the embedding's, expected layer 1 or a later one");
  bert_name(name, s->layer - 1, "output.LayerNorm");
  attcert_status status = model_run_blocks(h, s->model, s->layer - 1, err);
  if (status == ATTCERT_OK) status = finish_bert_block(h, s->model, s->layer - 1, err);
  return status == ATTCERT_OK ? read_layernorm(ln, s->model, name, err) : status;
}

static attcert_status before_gpt2(layernorm *ln, attcert_matrix *h, const model_site *s, attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  snprintf(name, sizeof name, "h.%d.ln_1", s->layer);
  const attcert_status status = model_run_blocks(h, s->model, s->layer, err);
  return status == ATTCERT_OK ? read_layernorm(ln, s->model, name, err) : status;
}

attcert_status model_site_layernorm_before(layernorm *ln, attcert_matrix *h, const model_site *s, attcert_error *err) {
  *ln = (layernorm){0};
  const attcert_status status = attcert_matrix_init(h, s->hidden.rows, s->hidden.cols, err);
  if (status != ATTCERT_OK) return status;
  memcpy(h->data, s->hidden.data, (size_t)h->rows * (size_t)h->cols * sizeof(double));
  return s->model->config.family->norm_first ? before_gpt2(ln, h, s, err) : before_bert(ln, h, s, err);
}

attcert_status model_site_layernorm_after(layernorm *ln, const model_site *s, attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  *ln = (layernorm){0};
  if (s->model->config.family->norm_first)
    return attcert_fail(err, ATTCERT_INPUT, "GPT-2 has no LayerNorm after its residual sum, expected a BERT");
  bert_name(name, s->layer, "attention.output.LayerNorm");
  return read_layernorm(ln, s->model, name, err);
}
