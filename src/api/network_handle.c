#include "api/network_handle.h"

#include "api/model_handle.h"
#include "api/tokens_handle.h"
#include "base/arrays.h"
#include "network/attention/attention_pairs.h"

#include <stdlib.h>
#include <string.h>

void network_handle_clear(network_handle *h) {
  robust_network_clear(&h->network);
  model_head_clear(&h->head);
  attcert_matrix_clear(&h->x);
  subject_clear(&h->subject);
  free(h->spec);
}

/* The network up to the scores of the token that its head looks at, or of each. */
static attcert_status open_network(network_handle *h, const model *m, const network_handle_head *asked,
                                   attcert_error *err) {
  int token = ROBUST_EVERY_TOKEN;
  attcert_status status = model_head_open(&h->head, m, asked->architecture, err);
  if (status == ATTCERT_OK)
    status = asked->every_token ? model_head_check_every(&h->head, err)
                                : model_head_token(&token, &h->head, asked->token, h->x.rows, err);
  return status == ATTCERT_OK ? robust_network_open(&h->network, m, &h->head, h->x.rows, token, err) : status;
}

static attcert_status load(network_handle *h, const attcert_model *m, const attcert_matrix *hidden,
                           const network_handle_head *asked, attcert_error *err) {
  attcert_status status = model_hidden_states_from(&h->x, m->model, hidden, err);
  if (status == ATTCERT_OK) status = model_handle_describe(&h->subject, m, err);
  h->spec = strdup(m->spec);
  if (status == ATTCERT_OK && h->spec == NULL)
    status = array_out_of_memory(err, strlen(m->spec) + 1, "the name of a model");
  h->subject.name = h->spec;
  h->subject.head = REPORT_WHOLE_LAYER;
  h->subject.tokens = h->x.rows;
  h->subject.dim = h->x.cols;
  if (status == ATTCERT_OK) status = open_network(h, m->model, asked, err);
  return status == ATTCERT_OK ? model_check_files(m->model, err) : status;
}

attcert_status network_handle_open(network_handle *h, const attcert_model *m, const network_handle_input *input,
                                   const network_handle_head *asked, attcert_error *err) {
  *h = (network_handle){.spec = NULL};
  if (m == NULL || input->hidden == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "model or hidden states: NULL, expected both");
  const size_t rows = input->rows, cols = input->cols;
  if (rows < 1 || cols < 1 || rows > ATTCERT_SIDE_MAX || cols > ATTCERT_SIDE_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "hidden states: %zu x %zu numbers, expected sides from 1 to %d", rows, cols,
                        ATTCERT_SIDE_MAX);
  const attcert_matrix states = {(int)rows, (int)cols, (double *)input->hidden};
  const attcert_status status = model_handle_check_states(input->hidden, rows, cols, err);
  return status == ATTCERT_OK ? load(h, m, &states, asked, err) : status;
}

attcert_status network_handle_set_tokens(network_handle *h, const attcert_tokens *tokens, attcert_error *err) {
  const attcert_status status =
      tokens != NULL ? model_head_check_tokens(&h->head, tokens->ids, tokens->list.count, err) : ATTCERT_OK;
  return status == ATTCERT_OK ? tokens_handle_copy(&h->subject.input_tokens, tokens, (size_t)h->x.rows, err) : status;
}

attcert_status network_handle_set_pairs(network_handle *h, const bool *mask, size_t masks, const double *bias,
                                        size_t biases, attcert_error *err) {
  if ((mask != NULL) != (masks > 0) || (bias != NULL) != (biases > 0))
    return attcert_fail(err, ATTCERT_INPUT, "pairs: %zu masks and %zu biases, expected 0 of those that are NULL", masks,
                        biases);
  if (masks > ATTCERT_SIDE_MAX || biases > ATTCERT_SIDE_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "pairs: %zu masks and %zu biases, expected one, or one a head", masks,
                        biases);
  if (mask == NULL && bias == NULL) return ATTCERT_OK;
  if (h->pairs != PAIRS_OWN)
    return attcert_fail(err, ATTCERT_INPUT, "pairs: given before, expected once for a question");
  const attention_pairs pairs = {
      .rows = h->x.rows, .keys = h->x.rows, .masks = (int)masks, .mask = mask, .biases = (int)biases, .bias = bias};
  const attcert_status status = attention_pairs_restrict(&h->network.steps, &pairs, err);
  h->pairs = status == ATTCERT_OK ? PAIRS_SET : PAIRS_REFUSED;
  if (status == ATTCERT_OK) subject_describe_pairs(&h->subject, pairs.masks, pairs.biases);
  return status;
}

attcert_status network_handle_check(const network_handle *h, attcert_error *err) {
  if (h->pairs != PAIRS_REFUSED) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "question: its pairs were refused, expected a new one");
}
