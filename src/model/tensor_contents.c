#include "model/tensor_contents.h"

#include "model/format/tensor_values.h"

static attcert_status refuse(const safetensors_tensor *t, const char *path, const char *expected, attcert_error *err) {
  return attcert_fail(err, ATTCERT_INPUT, "%s: tensor '%s' is not what its name says, expected %s", path, t->name,
                      expected);
}

/* The tied weight is as large as the word table; the rest is small. */
static attcert_status check_tied(const model *m, const safetensors_tensor *t, const unread_tensor *row,
                                 const char *path, attcert_error *err) {
  const bool chosen = row->place == TENSOR_OF_HEAD;
  const safetensors_tensor *const table = tensor_source_tensor(&m->source, m->config.family->word_table);
  if (!m->config.tied || table == NULL || table == t || tensor_values_equal(t, table)) return ATTCERT_OK;
  return attcert_fail(
      err, ATTCERT_INPUT, "%s: tensor '%s' differs from '%s', to which %s ties it, expected the same numbers%s", path,
      t->name, table->name, chosen ? "config.json" : "its class", chosen ? " or 'tie_word_embeddings' false" : "");
}

attcert_status tensor_contents_check(const model *m, const safetensors_tensor *t, const unread_tensor *row, int layer,
                                     const char *path, attcert_error *err) {
  const uint64_t window =
      layer >= 0 && model_config_is_local(&m->config, layer) ? (uint64_t)m->config.window : UINT64_MAX;
  bool right = true;
  const char *expected = "";
  attcert_status status = ATTCERT_OK;
  switch (row->content) {
  case TENSOR_TIED:
    return check_tied(m, t, row, path, err);
  case TENSOR_COUNTED:
    right = tensor_values_count(t, 1);
    expected = "the positions 0, 1, 2, ... as integers";
    break;
  case TENSOR_ZERO:
    right = tensor_values_count(t, 0);
    expected = "zeros as integers";
    break;
  case TENSOR_MASK:
    status = tensor_values_mask(&right, t, window, err);
    expected = "the mask of the layer, ones where a token attends";
    break;
  case TENSOR_MINUS_BIG:
    right = tensor_values_at_most(t, -9000.0);
    expected = "a number that masked scores become, at most -9000";
    break;
  case TENSOR_ANYTHING:
    break;
  }
  if (status != ATTCERT_OK || right) return status;
  return refuse(t, path, expected, err);
}
