#include "cli/source/dataset_source.h"

#include "base/arrays.h"
#include "cli/options/option_token_ids.h"
#include "cli/source/onnx_input.h"
#include "cli/source/source_files.h"
#include "cli/source/source_memory.h"
#include "cli/source/source_tokens.h"
#include "model/format/matrix_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static attcert_status open_onnx(dataset_source *s, attcert_error *err) {
  const char *const path = s->options->onnx;
  attcert_status status = onnx_network_open(&s->onnx, path, NULL, NULL, err);
  if (status == ATTCERT_OK) status = subject_add_file(&s->subject, "model", path, s->onnx.sha256, err);
  if (status == ATTCERT_OK)
    s->head = model_head_of_output(s->onnx.output, network_cols(&s->onnx.steps, s->onnx.steps.count));
  return status;
}

static attcert_status open_tokenizer(dataset_source *s, attcert_error *err) {
  if (s->data.kind != DATASET_TEXTS) return ATTCERT_OK;
  const attcert_status status = source_files_open_tokenizer(&s->tokenizer, &s->subject, s->model, s->options, err);
  if (status != ATTCERT_OK) return status;
  snprintf(s->subject.tokenizer, sizeof s->subject.tokenizer, "%s", tokenizer_kind(s->tokenizer));
  return source_tokens_special(&s->special, s->tokenizer, s->options, true, err);
}

static attcert_status open_model(dataset_source *s, attcert_error *err) {
  const cli_options *const o = s->options;
  attcert_status status = model_open(&s->model, o->model, o->seed, err);
  if (status != ATTCERT_OK) return status;
  status = source_memory_check_network(o, s->model, 0, err);
  if (status == ATTCERT_OK) status = source_files_add_model(&s->subject, s->model, o, err);
  if (status == ATTCERT_OK) status = model_head_open(&s->head, s->model, o->architecture, err);
  if (status == ATTCERT_OK && s->head.each_sign)
    status = attcert_fail(err, ATTCERT_INPUT, "%s: a label can be each, expected a classifier with one label an input",
                          o->model);
  return status == ATTCERT_OK ? open_tokenizer(s, err) : status;
}

attcert_status dataset_source_open(dataset_source *s, const cli_options *o, attcert_error *err) {
  *s = (dataset_source){.options = o, .reading = PTHREAD_MUTEX_INITIALIZER};
  s->subject = (report_subject){.name = o->onnx != NULL ? o->onnx : o->model,
                                .from_model = o->onnx == NULL,
                                .seed = o->seed,
                                .head = REPORT_WHOLE_LAYER};
  attcert_status status = dataset_open(&s->data, o->dataset, o->onnx != NULL, err);
  if (status == ATTCERT_OK) status = o->onnx != NULL ? open_onnx(s, err) : open_model(s, err);
  if (status == ATTCERT_OK) status = subject_add_file(&s->subject, "dataset", s->data.file, s->data.sha256, err);
  if (status == ATTCERT_OK && s->data.kind == DATASET_FILES)
    status = subject_add_file(&s->subject, "dataset_inputs", o->dataset, s->data.inputs, err);
  return status;
}

void dataset_source_close(dataset_source *s) {
  onnx_network_clear(&s->onnx);
  model_head_clear(&s->head);
  model_close(s->model);
  tokenizer_close(s->tokenizer);
  subject_clear(&s->subject);
  dataset_close(&s->data);
  pthread_mutex_destroy(&s->reading);
}

/* ---- one input --------------------------------------------------------------------------------------------------- */

static attcert_status read_label(dataset_item *item, const dataset_source *s, int i, attcert_error *err) {
  attcert_error inner;
  const char *const text = dataset_label(&s->data, i, err);
  if (text == NULL) return ATTCERT_INPUT;
  if (model_head_label(&item->label, &s->head, text, &inner) == ATTCERT_OK) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: line %d: '%.60s' is no label of the network's, which has %d",
                      s->data.file, dataset_line(&s->data, i), text, s->head.labels);
}

/* "101 7592 102" as the list 101,7592,102. */
static attcert_status read_ids(int **ids, int *count, const dataset_source *s, int i, attcert_error *err) {
  const char *const text = dataset_input(&s->data, i, err);
  *ids = NULL;
  if (text == NULL) return ATTCERT_INPUT;
  char *const list = strdup(text);
  attcert_error inner = {.message = ""};
  if (list == NULL) return array_out_of_memory(err, strlen(text) + 1, "a list of token ids");
  for (char *blank = list; (blank = strchr(blank, ' ')) != NULL;) *blank = ',';
  const attcert_status status = option_token_ids_read(ids, count, list, &inner);
  free(list);
  if (status == ATTCERT_INPUT)
    return attcert_fail(err, status, "%s: line %d: expected token ids such as 101 7592 102", s->data.file,
                        dataset_line(&s->data, i));
  if (status != ATTCERT_OK) *err = inner;
  return status;
}

static attcert_status read_tokens(int **ids, int *count, const dataset_source *s, int i, attcert_error *err) {
  char name[512];
  if (s->data.kind == DATASET_TOKENS) return read_ids(ids, count, s, i, err);
  const char *const text = dataset_input(&s->data, i, err);
  *ids = NULL;
  if (text == NULL) return ATTCERT_INPUT;
  snprintf(name, sizeof name, "%.400s: line %d", s->data.file, dataset_line(&s->data, i));
  return tokenizer_text(ids, count, s->tokenizer, &(tokenizer_span){.special = s->special}, text, name, err);
}

static attcert_status hidden_of_tokens(attcert_matrix *x, const dataset_source *s, int i, attcert_error *err) {
  int *ids = NULL, count = 0;
  attcert_status status = read_tokens(&ids, &count, s, i, err);
  if (status == ATTCERT_OK) status = model_head_check_tokens(&s->head, ids, count, err);
  if (status == ATTCERT_OK) status = model_hidden_states(x, s->model, ids, count, err);
  free(ids);
  return status;
}

static attcert_status hidden_of_file(attcert_matrix *x, const dataset_source *s, const char *path, attcert_error *err) {
  attcert_matrix hidden = {0};
  attcert_status status = matrix_file_read(&hidden, NULL, path, err);
  if (status == ATTCERT_OK) status = model_hidden_states_from(x, s->model, &hidden, err);
  attcert_matrix_clear(&hidden);
  return status;
}

/* The numbers that enter the network. */
static attcert_status read_input(attcert_matrix *x, const dataset_source *s, int i, attcert_error *err) {
  char sha256[SHA256_HEX_SIZE], *path;
  if (s->data.kind == DATASET_NUMBERS) {
    const attcert_status status = attcert_matrix_init(x, 1, s->onnx.steps.dim, err);
    return status == ATTCERT_OK ? dataset_numbers(x->data, x->cols, &s->data, i, err) : status;
  }
  if (s->data.kind != DATASET_FILES) return hidden_of_tokens(x, s, i, err);
  attcert_status status = dataset_path(&path, &s->data, i, err);
  if (status == ATTCERT_OK)
    status = s->model == NULL ? onnx_input_read(x, sha256, &s->onnx, path, err) : hidden_of_file(x, s, path, err);
  free(path);
  return status;
}

static attcert_status open_steps(dataset_item *item, const dataset_source *s, attcert_error *err) {
  const int asked = s->options->given[OPTION_TOKEN] ? s->options->token : HEAD_TOKEN_UNASKED;
  int token;
  item->steps = &s->onnx.steps;
  if (s->model == NULL) return ATTCERT_OK;
  item->steps = &item->own.steps;
  const attcert_status status = model_head_token(&token, &s->head, asked, item->x.rows, err);
  return status == ATTCERT_OK ? robust_network_open(&item->own, s->model, &s->head, item->x.rows, token, err) : status;
}

attcert_status dataset_source_item(dataset_item *item, dataset_source *s, int i, attcert_error *err) {
  *item = (dataset_item){.label = -1};
  pthread_mutex_lock(&s->reading);
  attcert_status status = read_label(item, s, i, err);
  if (status == ATTCERT_OK) status = read_input(&item->x, s, i, err);
  if (status == ATTCERT_OK) status = open_steps(item, s, err);
  if (status == ATTCERT_OK && s->model != NULL) status = model_check_files(s->model, err);
  pthread_mutex_unlock(&s->reading);
  return status;
}

void dataset_item_clear(dataset_item *item) {
  robust_network_clear(&item->own);
  attcert_matrix_clear(&item->x);
}
