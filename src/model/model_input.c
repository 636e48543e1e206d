/* The forward pass of a model in plain double, up to the input of one layer's attention:
 *   embeddings -> blocks 0 .. l-1 -> (where it comes first) the first LayerNorm of block l.
 * The weights of a step are in memory only while it runs, and of the embedding tables only the rows of the tokens are
 * read. The pass is not certified: whatever X comes out is the exact input that the certificate is about. */
#include "base/arrays.h"
#include "model/format/number_format.h"
#include "model/model_maps.h"
#include "model/model_steps.h"
#include "model/transformer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static attcert_status check_tokens(const model *m, const int *tokens, int n, attcert_error *err) {
  if (m->config.family->word_table == NULL)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: a %s reads %s: expected the hidden states that enter layer 0, %s, instead of text",
                        m->spec, m->config.type, m->config.family->reads.what, m->config.family->reads.states);
  if (!m->embeddings)
    return attcert_fail(
        err, ATTCERT_INPUT,
        "%s: the model has no embedding table (no tensor %s): give the hidden states that enter layer 0 "
        "instead of text",
        m->spec, m->config.family->word_table);
  if (n <= 0) return attcert_fail(err, ATTCERT_INPUT, "%s: %d tokens, expected at least 1", m->spec, n);
  if (n > m->config.positions)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %d tokens, but the model has %d positions", m->spec, n,
                        m->config.positions);
  for (int i = 0; i < n; i++) {
    if (tokens[i] < 0 || tokens[i] >= m->config.vocabulary)
      return attcert_fail(err, ATTCERT_INPUT, "%s: token %d of the input is %d, outside the vocabulary 0 to %d",
                          m->spec, i, tokens[i], m->config.vocabulary - 1);
    if (tokens[i] == m->config.padding)
      return attcert_fail(err, ATTCERT_INPUT, "%s: token %d of the input is %d, the padding: expected words", m->spec,
                          i, tokens[i]);
  }
  return ATTCERT_OK;
}

/* row += row `number` of a table. */
static attcert_status add_row(double *row, double *scratch, const model *m, const char *table, int number,
                              attcert_error *err) {
  const int e = m->config.embedding_dim;
  const attcert_status status = tensor_source_row(scratch, &m->source, table, number, e, err);
  for (int c = 0; c < e && status == ATTCERT_OK; c++) row[c] += scratch[c];
  return status;
}

/* Row i = word table [tokens[i]], times sqrt(d) in families that scale it, + position table [i] + token type 0, where
 * there are such tables; only these are read. */
static attcert_status sum_embeddings(attcert_matrix *x, const model *m, const int *tokens, attcert_error *err) {
  const model_family *const family = m->config.family;
  double *const scratch = array_new((size_t)x->cols, sizeof *scratch, err, "a row of %d numbers", x->cols);
  attcert_status status = scratch != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  for (int i = 0; i < x->rows && status == ATTCERT_OK; i++) {
    double *const row = x->data + (size_t)i * (size_t)x->cols;
    status = add_row(row, scratch, m, family->word_table, tokens[i], err);
    for (int c = 0; c < x->cols && family->embedding_scaled; c++) row[c] *= sqrt(m->config.dim);
    if (status == ATTCERT_OK && family->position_table != NULL)
      status = add_row(row, scratch, m, family->position_table, m->config.first_position + i, err);
    if (status == ATTCERT_OK && family->type_table != NULL)
      status = add_row(row, scratch, m, family->type_table, 0, err);
  }
  free(scratch);
  return status;
}

/* ---- steps, run as they are added -------------------------------------------------------------------------------- */

typedef int model_steps(network_builder *b, int value, const model *m, int l);

static attcert_status run(attcert_matrix *x, model_steps *steps, const model *m, int l, attcert_error *err) {
  network_steps network;
  network_builder b = network_run(&network, x, err);
  return network_run_end(x, &b, steps(&b, 0, m, l));
}

static int attend(network_builder *b, int value, const model *m, int l) {
  return model_attention(b, value, m, l, -1);
}

static int both(network_builder *b, int value, const model *m, int l) {
  return model_block(b, value, m, l, -1);
}

/* From the sums of the embeddings to the hidden states entering layer 0, each step where the family has it. */
static int finish_embeddings(network_builder *b, int value, const model *m, int l) {
  const model_family *const family = m->config.family;
  const bool mapped = family->embedding_map_always || m->config.embedding_dim != m->config.dim;
  (void)l;
  if (family->embedding_norm != NULL) value = model_norm(b, value, m, family->embedding_norm);
  if (family->embedding_map != NULL && mapped)
    value = model_map(b, value, &m->source, linear_read_stored, family->embedding_map, true, m->config.dim);
  return value;
}

static attcert_status check_hidden_state(const attcert_matrix *x, const model *m, int l, attcert_error *err) {
  const size_t count = (size_t)x->rows * (size_t)x->cols, bad = number_first_not_finite(x->data, count);
  if (bad == count) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: token %zu overflows double on its way to layer %d", m->spec,
                      bad / (size_t)x->cols, l);
}

attcert_status model_embed(attcert_matrix *x, const model *m, const int *tokens, int n, attcert_error *err) {
  *x = (attcert_matrix){0};
  attcert_status status = check_tokens(m, tokens, n, err);
  if (status == ATTCERT_OK) status = attcert_matrix_init(x, n, m->config.embedding_dim, err);
  if (status == ATTCERT_OK) status = sum_embeddings(x, m, tokens, err);
  return status == ATTCERT_OK ? run(x, finish_embeddings, m, 0, err) : status;
}

/* One part after the other, as their weights need not be in memory together. */
static attcert_status run_parts(attcert_matrix *x, const model *m, int l, attcert_error *err) {
  const attcert_status status = run(x, attend, m, l, err);
  return status == ATTCERT_OK ? run(x, model_feed_forward, m, l, err) : status;
}

attcert_status model_run_blocks(attcert_matrix *x, const model *m, int l, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < l && status == ATTCERT_OK; i++) {
    status = check_hidden_state(x, m, i, err);
    if (status == ATTCERT_OK) status = m->config.parallel ? run(x, both, m, i, err) : run_parts(x, m, i, err);
  }
  return status;
}

attcert_status model_hidden_states(attcert_matrix *x, const model *m, const int *tokens, int n, attcert_error *err) {
  attcert_status status = model_embed(x, m, tokens, n, err);
  if (status == ATTCERT_OK) status = check_hidden_state(x, m, 0, err);
  if (status != ATTCERT_OK) attcert_matrix_clear(x);
  return status;
}

/* From the hidden states entering layer 0 to the input of layer l's attention, in place. */
static attcert_status run_to_layer(attcert_matrix *x, const model *m, int l, attcert_error *err) {
  attcert_status status = model_run_blocks(x, m, l, err);
  if (status == ATTCERT_OK) status = run(x, model_attention_input, m, l, err);
  return status == ATTCERT_OK ? check_hidden_state(x, m, l, err) : status;
}

attcert_status model_layer_input(attcert_matrix *x, const model *m, int l, const int *tokens, int n,
                                 attcert_error *err) {
  *x = (attcert_matrix){0};
  attcert_status status = model_check_layer(m, l, err);
  if (status == ATTCERT_OK) status = model_embed(x, m, tokens, n, err);
  if (status == ATTCERT_OK) status = run_to_layer(x, m, l, err);
  if (status != ATTCERT_OK) attcert_matrix_clear(x);
  return status;
}

attcert_status model_hidden_states_from(attcert_matrix *x, const model *m, const attcert_matrix *hidden,
                                        attcert_error *err) {
  *x = (attcert_matrix){0};
  if (hidden->rows <= 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %d hidden states, expected at least 1", m->spec, hidden->rows);
  if (hidden->cols != m->config.dim)
    return attcert_fail(err, ATTCERT_INPUT, "%s: hidden states of dimension %d, but the model's have dimension %d",
                        m->spec, hidden->cols, m->config.dim);
  const attcert_status status = attcert_matrix_init(x, hidden->rows, hidden->cols, err);
  if (status != ATTCERT_OK) return status;
  memcpy(x->data, hidden->data, (size_t)x->rows * (size_t)x->cols * sizeof(double));
  return ATTCERT_OK;
}

attcert_status model_layer_input_from(attcert_matrix *x, const model *m, int l, const attcert_matrix *hidden,
                                      attcert_error *err) {
  *x = (attcert_matrix){0};
  attcert_status status = model_check_layer(m, l, err);
  if (status == ATTCERT_OK) status = model_hidden_states_from(x, m, hidden, err);
  if (status == ATTCERT_OK) status = run_to_layer(x, m, l, err);
  if (status != ATTCERT_OK) attcert_matrix_clear(x);
  return status;
}

/* The name of the LayerNorm that hands layer l its input; false where nothing does, or an affine map comes between. */
static bool input_norm_name(char name[TENSOR_NAME_SIZE], const model *m, int l) {
  const model_family *const family = m->config.family;
  const bool first = family->attention.norm != NULL && !(l == 0 && family->first_unnormed);
  if (family->norm_first && first)
    transformer_part(name, &m->source, l, family->attention.norm);
  else if (!family->norm_first && l > 0)
    transformer_part(name, &m->source, l - 1, family->feed_forward.norm);
  else if (!family->norm_first && family->embedding_norm != NULL && family->embedding_map == NULL)
    snprintf(name, TENSOR_NAME_SIZE, "%s", family->embedding_norm);
  else
    return false;
  return true;
}

attcert_status model_attention_gain(double *gain, const model *m, int l, attcert_error *err) {
  char name[TENSOR_NAME_SIZE];
  attcert_status status = model_check_layer(m, l, err);
  if (status != ATTCERT_OK) return status;
  if (!input_norm_name(name, m, l))
    return attcert_fail(err, ATTCERT_INPUT, "%s: no LayerNorm gives layer %d its input, expected one to fold", m->spec,
                        l);
  const bool shifted = !m->config.family->root_mean_square && m->config.norm_biases;
  double *const shift =
      shifted ? array_new((size_t)m->config.dim, sizeof *shift, err, "the shift of a LayerNorm") : NULL;
  if (shifted && shift == NULL) return ATTCERT_RESOURCE;
  status = linear_read_norm(gain, shift, m->config.dim, &m->source, name, err);
  free(shift);
  const size_t bad = status == ATTCERT_OK ? number_first_not_finite(gain, (size_t)m->config.dim) : 0;
  if (status != ATTCERT_OK || bad == (size_t)m->config.dim) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: entry %zu of the gain of %s is not finite, expected a number", m->spec,
                      bad, name);
}
