/* Reads the layer (a weights file or a layer of a model) and its input (numbers, or a text run through the model). */
#include "cli/layer_source.h"

#include "cli/source_files.h"
#include "model/model.h"
#include "model/npy.h"
#include "model/tokenizer.h"
#include "model/weights.h"

#include <stdio.h>
#include <stdlib.h>

static attcert_status load_weights(layer_source *s, const cli_options *o, attcert_error *err) {
  attcert_status status = weights_read(&s->layer, o->weights, err);
  if (status == ATTCERT_OK) status = npy_read(&s->x, o->input, err);
  if (status == ATTCERT_OK) status = source_files_add(&s->subject, "weights", o->weights, err);
  if (status == ATTCERT_OK) status = source_files_add(&s->subject, "input", o->input, err);
  return status;
}

/* The tokens asked for, by the model folder's tokenizer unless another one is named; random models read bytes. */
static attcert_status read_tokens(int *tokens, layer_source *s, const cli_options *o, attcert_error *err) {
  const char *const path = o->tokenizer != NULL ? o->tokenizer : s->subject.random ? NULL : o->model;
  tokenizer *t = NULL;
  attcert_status status = tokenizer_open(&t, path, err);
  if (status != ATTCERT_OK) return status;
  snprintf(s->subject.tokenizer, sizeof s->subject.tokenizer, "%s", tokenizer_kind(t));
  status = tokenizer_read(t, tokens, o->tokens, o->offset, o->text, err);
  tokenizer_close(t);
  if (status == ATTCERT_OK && path != NULL) status = source_files_add_tokenizer(&s->subject, path, err);
  return status;
}

static attcert_status input_from_text(layer_source *s, const model *m, const cli_options *o, attcert_error *err) {
  int *const tokens = calloc((size_t)o->tokens, sizeof *tokens);
  if (tokens == NULL) return attcert_fail(err, ATTCERT_RESOURCE, "out of memory: %d tokens", o->tokens);
  attcert_status status = read_tokens(tokens, s, o, err);
  if (status == ATTCERT_OK) status = model_layer_input(&s->x, m, o->layer, tokens, o->tokens, err);
  free(tokens);
  return status != ATTCERT_OK ? status : source_files_add(&s->subject, "text", o->text, err);
}

static attcert_status input_from_hidden(layer_source *s, const model *m, const cli_options *o, attcert_error *err) {
  attcert_matrix hidden;
  attcert_status status = npy_read(&hidden, o->hidden, err);
  if (status != ATTCERT_OK) return status;
  status = model_layer_input_from(&s->x, m, o->layer, &hidden, err);
  attcert_matrix_clear(&hidden);
  return status != ATTCERT_OK ? status : source_files_add(&s->subject, "hidden", o->hidden, err);
}

static attcert_status input_of_model(layer_source *s, const model *m, const cli_options *o, attcert_error *err) {
  if (o->text != NULL) return input_from_text(s, m, o, err);
  if (o->hidden != NULL) return input_from_hidden(s, m, o, err);
  const attcert_status status = npy_read(&s->x, o->input, err);
  return status != ATTCERT_OK ? status : source_files_add(&s->subject, "input", o->input, err);
}

/* The files of a model; a model without files is a random initialisation, and only there a seed means something. */
static attcert_status add_model_files(report_subject *subject, const model *m, const cli_options *o,
                                      attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  subject->random = model_file_count(m) == 0;
  if (!subject->random && o->given[OPTION_SEED])
    return attcert_fail(err, ATTCERT_INPUT, "--seed: %s is read from files, expected a random model with it", o->model);
  for (int i = 0; i < model_file_count(m) && status == ATTCERT_OK; i++)
    status = source_files_add(subject, "model", model_file_path(m, i), err);
  return status;
}

static attcert_status load_model(layer_source *s, const cli_options *o, attcert_error *err) {
  model *m = NULL;
  attcert_status status = model_open(&m, o->model, o->seed, err);
  if (status != ATTCERT_OK) return status;
  status = add_model_files(&s->subject, m, o, err);
  if (status == ATTCERT_OK) status = model_layer(&s->layer, m, o->layer, err);
  if (status == ATTCERT_OK) status = input_of_model(s, m, o, err);
  model_close(m);
  return status;
}

/* --heads H: head H alone takes the layer's place. */
static attcert_status keep_head(layer_source *s, int h, attcert_error *err) {
  attcert_layer head;
  if (h >= s->layer.heads)
    return attcert_fail(err, ATTCERT_INPUT, "--heads: expected all or an integer from 0 to %d, got '%d'",
                        s->layer.heads - 1, h);
  const attcert_status status = attcert_layer_head(&head, &s->layer, h, err);
  if (status != ATTCERT_OK) return status;
  attcert_layer_clear(&s->layer);
  s->layer = head;
  return ATTCERT_OK;
}

static void describe(report_subject *subject, const layer_source *s) {
  subject->tokens = s->x.rows;
  subject->dim = s->layer.dim;
  subject->heads = s->layer.heads;
  subject->head_dim = s->layer.head_dim;
  subject->out_dim = s->layer.out_dim;
  subject->mask = s->layer.mask;
}

attcert_status layer_source_load(layer_source *s, const cli_options *o, attcert_error *err) {
  *s = (layer_source){.subject = {.name = o->weights != NULL ? o->weights : o->model,
                                  .from_model = o->model != NULL,
                                  .seed = o->seed,
                                  .model_layer = o->layer,
                                  .input = o->text != NULL     ? o->text
                                           : o->hidden != NULL ? o->hidden
                                                               : o->input,
                                  .offset = o->offset,
                                  .head = o->head}};
  attcert_status status = o->model != NULL ? load_model(s, o, err) : load_weights(s, o, err);
  if (status == ATTCERT_OK && o->given[OPTION_MASK]) s->layer.mask = (attcert_mask)o->mask;
  if (status == ATTCERT_OK && o->head != HEADS_ALL) status = keep_head(s, o->head, err);
  if (status == ATTCERT_OK) status = attcert_layer_check(&s->layer, &s->x, err);
  if (status == ATTCERT_OK)
    describe(&s->subject, s);
  else
    layer_source_clear(s);
  return status;
}

void layer_source_clear(layer_source *s) {
  attcert_layer_clear(&s->layer);
  attcert_matrix_clear(&s->x);
  source_files_clear(&s->subject);
}
