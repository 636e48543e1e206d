/* Reads the layer (a weights file or a layer of a model) and its input (numbers, or a text run through the model). */
#include "cli/source/layer_source.h"

#include "cli/source/source_files.h"
#include "cli/source/source_memory.h"
#include "cli/source/source_tokens.h"
#include "model/layer_steps.h"
#include "model/weights.h"
#include "run/run_layer.h"
#include "run/run_model.h"

#include <stdio.h>
#include <stdlib.h>

/* A head of a decoder looks at the last token that is no padding. */
static attcert_status check_tokens(const layer_source *s, const int *ids, int count, attcert_error *err) {
  model_head head;
  if (s->function != MODEL_LOGITS) return ATTCERT_OK;
  attcert_status status = model_head_open(&head, s->model, s->architecture, err);
  if (status == ATTCERT_OK) status = model_head_check_tokens(&head, ids, count, err);
  model_head_clear(&head);
  return status;
}

static attcert_status input_from_tokens(layer_source *s, const cli_options *o, attcert_error *err) {
  int *ids;
  attcert_status status = source_tokens_read(&ids, &s->subject, s->tokenizer, o, false, err);
  const int count = s->subject.input_tokens.count;
  if (status == ATTCERT_OK) status = check_tokens(s, ids, count, err);
  if (status == ATTCERT_OK) status = source_memory_check_layer(o, s->model, count, err);
  if (status == ATTCERT_OK) status = model_function_input(&s->x, s->model, s->function, o->layer, ids, count, err);
  free(ids);
  return status;
}

static attcert_status input_from_hidden(layer_source *s, const cli_options *o, attcert_error *err) {
  attcert_matrix hidden;
  attcert_status status = source_files_read_numbers(&hidden, &s->subject, "hidden", o->hidden, err);
  if (status != ATTCERT_OK) return status;
  status = model_function_input_from(&s->x, s->model, s->function, o->layer, &hidden, err);
  attcert_matrix_clear(&hidden);
  return status;
}

static bool names_tokens(const cli_options *o) {
  return o->text != NULL || o->token_ids != NULL;
}

static attcert_status load_input(layer_source *s, const cli_options *o, attcert_error *err) {
  if (names_tokens(o)) return input_from_tokens(s, o, err);
  if (o->hidden != NULL) return input_from_hidden(s, o, err);
  return source_files_read_numbers(&s->x, &s->subject, "input", o->input, err);
}

/* functions: others than the attention of attcert_layer may be asked for. */
static attcert_status open_model(layer_source *s, const cli_options *o, bool functions, attcert_error *err) {
  attcert_status status = model_open(&s->model, o->model, o->seed, err);
  if (status != ATTCERT_OK) return status;
  status = source_memory_check_layer(o, s->model, o->tokens, err);
  if (status == ATTCERT_OK) status = source_files_add_model(&s->subject, s->model, o, err);
  if (status == ATTCERT_OK && s->cross.asked) return source_cross_open(&s->cross, &s->subject, s->model, o, err);
  if (status == ATTCERT_OK && functions)
    s->has_steps = s->has_pairs || s->function != MODEL_ATTENTION || !model_has_plain_heads(s->model, o->layer);
  if (status != ATTCERT_OK) return status;
  if (s->has_steps) return source_memory_check_function(o, s->model, s->function, err);
  return model_layer(&s->layer, s->model, o->layer, err);
}

static attcert_status open_weights(layer_source *s, const cli_options *o, attcert_error *err) {
  char sha256[SHA256_HEX_SIZE];
  if (s->cross.asked) return source_cross_open(&s->cross, &s->subject, NULL, o, err);
  s->has_steps = s->has_pairs;
  const attcert_status status = weights_read(&s->layer, sha256, o->weights, o->num_heads, err);
  return status == ATTCERT_OK ? subject_add_file(&s->subject, "weights", o->weights, sha256, err) : status;
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

static void describe_source(report_subject *subject, const cli_options *o) {
  subject->name = o->weights != NULL ? o->weights : o->model;
  subject->from_model = o->model != NULL;
  subject->seed = o->seed;
  subject->model_layer = o->layer;
  subject->input = source_files_input_name(o);
  subject->offset = o->offset;
  subject->head = o->head;
}

/* What is asked of a head. */
static attcert_status check_head_options(const layer_source *s, const cli_options *o, attcert_error *err) {
  if (s->function == MODEL_LOGITS || !(o->given[OPTION_TOKEN] || o->given[OPTION_ARCHITECTURE])) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "--%s: expected --function logits with it",
                      o->given[OPTION_TOKEN] ? "token" : "architecture");
}

/* What is asked of attcert_layer alone. */
static attcert_status check_options(const layer_source *s, const cli_options *o, attcert_error *err) {
  const bool masked = o->given[OPTION_MASK] && o->mask.file == NULL && o->weights == NULL && !s->cross.asked;
  if (s->has_pairs && (masked || o->given[OPTION_RADIUS]))
    return attcert_fail(err, ATTCERT_INPUT, "--%s: expected no --mask FILE.npy and no --bias with it",
                        masked ? "mask none|causal of a model" : "radius");
  if (masked || o->given[OPTION_RADIUS])
    return attcert_fail(err, ATTCERT_INPUT,
                        "--%s: expected --function attention, and heads without shared keys or rotary positions",
                        masked ? "mask" : "radius");
  if (o->head == HEADS_ALL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "--heads: expected all, for what is not the attention of plain heads");
}

/* The blocks before the function would run without the pairs. */
static attcert_status check_pairs(const layer_source *s, const cli_options *o, attcert_error *err) {
  if (!s->has_pairs || o->input != NULL || o->layer == 0 || s->function == MODEL_NETWORK) return ATTCERT_OK;
  return attcert_fail(
      err, ATTCERT_INPUT,
      "--%s: the blocks before layer %d would run without it: expected --input, --layer 0 or --function "
      "network with it",
      o->bias != NULL ? "bias" : "mask", o->layer);
}

static void describe_layer(layer_source *s) {
  if (s->cross.asked)
    run_layer_describe_cross(&s->subject, &s->cross.of, s->cross.by, s->x.rows, s->cross.context.rows);
  else if (s->has_steps && s->model != NULL)
    run_model_describe(&s->subject, s->model, s->function);
  else
    run_layer_describe(&s->subject, &s->layer, s->x.rows);
}

static attcert_status open_source(layer_source *s, const cli_options *o, bool functions, attcert_error *err) {
  *s = (layer_source){.function = functions ? (model_function)o->function : MODEL_ATTENTION,
                      .architecture = o->architecture,
                      .token = o->given[OPTION_TOKEN] ? o->token : HEAD_TOKEN_UNASKED};
  describe_source(&s->subject, o);
  s->has_pairs = source_pairs_asked(o);
  s->cross.asked = s->has_steps = o->context != NULL;
  attcert_status status = check_head_options(s, o, err);
  if (status == ATTCERT_OK) status = check_pairs(s, o, err);
  if (status == ATTCERT_OK) status = source_memory_check_files(o, err);
  if (status == ATTCERT_OK) status = o->model != NULL ? open_model(s, o, functions, err) : open_weights(s, o, err);
  if (status == ATTCERT_OK && s->has_steps) status = check_options(s, o, err);
  if (status == ATTCERT_OK && o->given[OPTION_MASK] && o->mask.file == NULL)
    s->layer.mask = (attcert_mask)o->mask.named;
  if (status == ATTCERT_OK && o->head != HEADS_ALL) status = keep_head(s, o->head, err);
  if (status == ATTCERT_OK && names_tokens(o))
    status = source_files_open_tokenizer(&s->tokenizer, &s->subject, s->model, o, err);
  if (status == ATTCERT_OK) describe_layer(s);
  s->layer_files = s->subject.file_count;
  return status;
}

attcert_status layer_source_open(layer_source *s, const cli_options *o, attcert_error *err) {
  return open_source(s, o, false, err);
}

attcert_status layer_source_open_function(layer_source *s, const cli_options *o, attcert_error *err) {
  return open_source(s, o, true, err);
}

/* The layer alone fits itself where it fits a token. */
static attcert_status check_layer(const layer_source *s, attcert_error *err) {
  attcert_matrix token;
  attcert_status status = attcert_matrix_init(&token, 1, s->layer.dim, err);
  if (status == ATTCERT_OK) status = attcert_layer_check(&s->layer, &token, err);
  attcert_matrix_clear(&token);
  return status;
}

static attcert_status open_model_steps(layer_source *s, attcert_error *err) {
  const robust_function of = {.function = s->function,
                              .layer = s->subject.model_layer,
                              .tokens = s->x.rows,
                              .architecture = s->architecture,
                              .token = s->token};
  model_head head;
  attcert_status status = robust_function_open(&s->steps, &head, s->model, &of, err);
  if (status == ATTCERT_OK) run_model_describe_head(&s->subject, &head, s->token);
  model_head_clear(&head);
  return status;
}

static attcert_status open_layer_steps(layer_source *s, attcert_error *err) {
  const attcert_status status = attcert_layer_check(&s->layer, &s->x, err);
  return status == ATTCERT_OK ? layer_steps_open(&s->steps, &s->layer, s->x.rows, err) : status;
}

/* The function, and what its attentions have besides. */
static attcert_status open_steps(layer_source *s, attcert_error *err) {
  const attcert_status status = s->cross.asked     ? source_cross_steps(&s->steps, &s->x, &s->cross, err)
                                : s->model != NULL ? open_model_steps(s, err)
                                                   : open_layer_steps(s, err);
  return status == ATTCERT_OK && s->has_pairs ? attention_pairs_restrict(&s->steps, &s->pairs.of, err) : status;
}

/* The input, and that the model's files are still those that were hashed when it was opened. */
static attcert_status check_input(layer_source *s, attcert_error *err) {
  s->subject.tokens = s->x.rows;
  const attcert_status status = s->model != NULL ? model_check_files(s->model, err) : ATTCERT_OK;
  if (status != ATTCERT_OK) return status;
  if (s->has_steps) return open_steps(s, err);
  return s->x.data != NULL ? attcert_layer_check(&s->layer, &s->x, err) : check_layer(s, err);
}

static void close_model(layer_source *s) {
  model_close(s->model);
  tokenizer_close(s->tokenizer);
  s->model = NULL;
  s->tokenizer = NULL;
}

static void clear_input(layer_source *s) {
  if (s->has_steps) network_clear(&s->steps);
  source_pairs_clear(&s->pairs);
  attcert_matrix_clear(&s->x);
}

static attcert_status read_input(layer_source *s, const cli_options *o, attcert_error *err) {
  const bool named = names_tokens(o) || o->hidden != NULL || o->input != NULL;
  attcert_status status = named ? load_input(s, o, err) : ATTCERT_OK;
  if (status == ATTCERT_OK && s->cross.asked) status = source_cross_read(&s->cross, &s->subject, o, err);
  const int keys = s->cross.asked ? s->cross.context.rows : s->x.rows;
  if (status == ATTCERT_OK && s->has_pairs) status = source_pairs_read(&s->pairs, &s->subject, s->x.rows, keys, o, err);
  return status == ATTCERT_OK ? check_input(s, err) : status;
}

attcert_status layer_source_complete(layer_source *s, const cli_options *o, attcert_error *err) {
  const attcert_status status = read_input(s, o, err);
  if (status == ATTCERT_OK) close_model(s); /* the certifier may want the memory */
  return status;
}

attcert_status layer_source_next(layer_source *s, const cli_options *o, attcert_error *err) {
  clear_input(s);
  subject_forget_input(&s->subject, s->layer_files);
  source_cross_forget_input(&s->cross);
  s->subject.input = source_files_input_name(o);
  return read_input(s, o, err);
}

attcert_status layer_source_set_tokens(layer_source *s, const int *tokens, int n, attcert_error *err) {
  attcert_matrix_clear(&s->x);
  const attcert_status status = model_layer_input(&s->x, s->model, s->subject.model_layer, tokens, n, err);
  return status == ATTCERT_OK ? check_input(s, err) : status;
}

attcert_status layer_source_set_input(layer_source *s, attcert_matrix *x, const char *name, attcert_error *err) {
  attcert_matrix_clear(&s->x);
  s->x = *x;
  *x = (attcert_matrix){0};
  s->subject.input = name;
  close_model(s);
  return check_input(s, err);
}

void layer_source_clear(layer_source *s) {
  close_model(s);
  attcert_layer_clear(&s->layer);
  clear_input(s);
  source_cross_clear(&s->cross);
  subject_clear(&s->subject);
}
