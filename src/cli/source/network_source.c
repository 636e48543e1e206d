#include "cli/source/network_source.h"

#include "base/clock.h"
#include "cli/source/onnx_constants.h"
#include "cli/source/onnx_input.h"
#include "cli/source/source_files.h"
#include "cli/source/source_memory.h"
#include "cli/source/source_pairs.h"
#include "cli/source/source_region.h"
#include "cli/source/source_synonyms.h"
#include "cli/source/source_tokens.h"
#include "robust/signs.h"
#include "run/run_words.h"

#include <stdlib.h>

static attcert_status input_from_tokens(network_source *s, const model *m, const cli_options *o, attcert_error *err) {
  int *ids = NULL;
  attcert_status status = source_files_open_tokenizer(&s->tokenizer, &s->subject, m, o, err);
  if (status == ATTCERT_OK) status = source_tokens_read(&ids, &s->subject, s->tokenizer, o, true, err);
  const int count = s->subject.input_tokens.count;
  if (status == ATTCERT_OK) status = model_head_check_tokens(&s->head, ids, count, err);
  if (status == ATTCERT_OK) status = source_memory_check_network(o, m, count, err);
  if (status == ATTCERT_OK)
    status = source_region_check_input(s, &(attcert_matrix){count, model_get_shape(m).dim, NULL}, err);
  attcert_matrix_clear(&s->x);
  if (status == ATTCERT_OK) status = model_hidden_states(&s->x, m, ids, count, err);
  if (status == ATTCERT_OK && o->synonyms != NULL) status = source_synonyms_read(s, m, ids, o, err);
  free(ids);
  return status;
}

/* The middle of the box. */
static attcert_status input_from_box(network_source *s, const model *m, attcert_error *err) {
  attcert_matrix middle = s->x;
  s->x = (attcert_matrix){0};
  const attcert_status status = model_hidden_states_from(&s->x, m, &middle, err);
  attcert_matrix_clear(&middle);
  return status;
}

static attcert_status input_from_hidden(network_source *s, const model *m, const cli_options *o, attcert_error *err) {
  attcert_matrix hidden;
  attcert_status status = source_files_read_numbers(&hidden, &s->subject, "hidden", o->hidden, err);
  if (status != ATTCERT_OK) return status;
  status = source_region_check_input(s, &hidden, err);
  attcert_matrix_clear(&s->x);
  if (status == ATTCERT_OK) status = model_hidden_states_from(&s->x, m, &hidden, err);
  attcert_matrix_clear(&hidden);
  return status;
}

static attcert_status open_input(network_source *s, const model *m, const cli_options *o, attcert_error *err) {
  const attcert_status status = o->box_least != NULL ? source_region_read_box(s, 0, o, err) : ATTCERT_OK;
  if (status != ATTCERT_OK) return status;
  if (o->hidden != NULL) return input_from_hidden(s, m, o, err);
  return o->box_least != NULL && o->text == NULL && o->token_ids == NULL ? input_from_box(s, m, err)
                                                                         : input_from_tokens(s, m, o, err);
}

/* The steps for the token that the head looks at. */
static attcert_status open_steps(network_source *s, const model *m, const cli_options *o, attcert_error *err) {
  int token = ROBUST_EVERY_TOKEN;
  const int asked = o->given[OPTION_TOKEN] ? o->token : HEAD_TOKEN_UNASKED;
  const attcert_status status = o->positions == POSITIONS_ALL
                                    ? model_head_check_every(&s->head, err)
                                    : model_head_token(&token, &s->head, asked, s->x.rows, err);
  return status == ATTCERT_OK ? robust_network_open(&s->network, m, &s->head, s->x.rows, token, err) : status;
}

/* Every block's attention has the pairs that the options name. */
static attcert_status restrict_pairs(network_source *s, const cli_options *o, attcert_error *err) {
  source_pairs pairs;
  if (!source_pairs_asked(o)) return ATTCERT_OK;
  attcert_status status = source_pairs_read(&pairs, &s->subject, s->x.rows, s->x.rows, o, err);
  if (status == ATTCERT_OK) status = attention_pairs_restrict(&s->network.steps, &pairs.of, err);
  source_pairs_clear(&pairs);
  return status;
}

static attcert_status open_network(network_source *s, const cli_options *o, attcert_error *err) {
  model *m;
  attcert_status status = model_open(&m, o->model, o->seed, err);
  if (status != ATTCERT_OK) return status;
  status = source_memory_check_network(o, m, o->tokens, err);
  s->subject = (report_subject){.name = o->model,
                                .from_model = true,
                                .seed = o->seed,
                                .input = source_files_input_name(o),
                                .offset = o->offset,
                                .head = REPORT_WHOLE_LAYER};
  if (status == ATTCERT_OK) status = source_files_add_model(&s->subject, m, o, err);
  if (status == ATTCERT_OK) status = model_head_open(&s->head, m, o->architecture, err);
  if (status == ATTCERT_OK) status = open_input(s, m, o, err);
  s->subject.tokens = s->x.rows;
  s->subject.dim = s->x.cols;
  if (status == ATTCERT_OK) status = open_steps(s, m, o, err);
  if (status == ATTCERT_OK) status = restrict_pairs(s, o, err);
  if (status == ATTCERT_OK) status = model_check_files(m, err);
  model_close(m);
  return status;
}

/* The middle of a box, or the numbers of the .npy file in a row. */
static attcert_status input_of_onnx(network_source *s, const onnx_network *network, const cli_options *o,
                                    attcert_error *err) {
  char sha256[SHA256_HEX_SIZE];
  attcert_status status = ATTCERT_OK;
  if (o->box_least != NULL) status = source_region_read_box(s, network->steps.dim, o, err);
  if (status != ATTCERT_OK || o->input == NULL) return status;
  attcert_matrix_clear(&s->x);
  status = onnx_input_read(&s->x, sha256, network, o->input, err);
  return status == ATTCERT_OK ? subject_add_file(&s->subject, "input", o->input, sha256, err) : status;
}

static attcert_status open_onnx(network_source *s, const cli_options *o, attcert_error *err) {
  onnx_network network = {0};
  onnx_constants constants;
  attcert_status status = onnx_constants_read(&constants, o, err);
  if (status == ATTCERT_OK) status = onnx_network_open(&network, o->onnx, NULL, &constants.inputs, err);
  s->network.steps = network.steps;
  s->subject =
      (report_subject){.name = o->onnx, .input = source_files_input_name(o), .head = REPORT_WHOLE_LAYER, .tokens = 1};
  if (status == ATTCERT_OK) status = subject_add_file(&s->subject, "model", o->onnx, network.sha256, err);
  if (status == ATTCERT_OK) status = input_of_onnx(s, &network, o, err);
  if (status == ATTCERT_OK) status = onnx_constants_add_files(&constants, &s->subject, o, err);
  onnx_constants_clear(&constants);
  if (status != ATTCERT_OK) return status;
  s->network.labels = robust_network_classes(&s->network);
  s->head = model_head_of_output(network.output, s->network.labels);
  s->subject.dim = network.steps.dim;
  return ATTCERT_OK;
}

attcert_status network_source_open(network_source *s, const cli_options *o, attcert_error *err) {
  *s = (network_source){.label = LABEL_LARGEST};
  const attcert_status status = source_memory_check_files(o, err);
  if (status != ATTCERT_OK) return status;
  return o->onnx != NULL ? open_onnx(s, o, err) : open_network(s, o, err);
}

attcert_status network_source_load(network_source *s, const cli_options *o, attcert_error *err) {
  attcert_status status = network_source_open(s, o, err);
  if (status == ATTCERT_OK) status = run_words_read(&s->moves, o->words, s->x.rows, &s->subject.input_tokens, err);
  if (status == ATTCERT_OK && o->label != NULL) status = model_head_label(&s->label, &s->head, o->label, err);
  if (status == ATTCERT_OK) status = robust_signs_settle(&s->ball.label, &s->network, &s->x, s->label, err);
  s->ball.input = &s->x;
  s->ball.region.kind = (ball_kind_id)o->ball;
  s->ball.region.moves = s->moves;
  return status == ATTCERT_OK ? source_region_settle(s, o, err) : status;
}

void network_source_clear(network_source *s) {
  robust_network_clear(&s->network);
  model_head_clear(&s->head);
  attcert_matrix_clear(&s->x);
  robust_region_clear(&s->region);
  robust_choices_clear(&s->choices);
  run_synonyms_clear(&s->synonyms);
  npy_array_clear(&s->least);
  npy_array_clear(&s->most);
  free(s->moves);
  subject_clear(&s->subject);
  tokenizer_close(s->tokenizer);
}

robust_facts network_source_facts(const network_source *s, const robust_verdict *verdict, double start) {
  return (robust_facts){.subject = &s->subject,
                        .head = &s->head,
                        .label = s->label,
                        .network = &s->network,
                        .ball = &s->ball,
                        .verdict = verdict,
                        .seconds = clock_seconds() - start};
}
