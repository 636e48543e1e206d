/* See bpe.h: reading. */
#include "model/tokenizer/model/bpe.h"

#include "base/arrays.h"
#include "model/tokenizer/model/bpe_merges_file.h"
#include "model/tokenizer/model/bpe_settings.h"
#include "model/tokenizer/text/byte_symbol.h"

#include <stdlib.h>
#include <string.h>

static void bpe_close(void *settings) {
  bpe_settings *const s = settings;
  if (s == NULL) return;
  bpe_merges_clear(&s->merges);
  free(s->unknown);
  free(s->prefix);
  free(s->suffix);
  free(s);
}

static attcert_status new_settings(token_model *m, attcert_error *err) {
  m->settings = array_new(1, sizeof(bpe_settings), err, "a byte-pair encoding");
  return m->settings != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
}

/* ---- tokenizer.json ---------------------------------------------------------------------------------------------- */

/* A copy of the key's string; NULL where there is none, or an empty one. */
static attcert_status copy_string(char **copy, const component *c, const char *key, attcert_error *err) {
  const char *text = NULL;
  const attcert_status status = component_string(&text, c, key, err);
  if (status != ATTCERT_OK || text == NULL || text[0] == '\0') return status;
  *copy = strdup(text);
  return *copy != NULL ? ATTCERT_OK : array_out_of_memory(err, strlen(text) + 1, "a token's name");
}

/* Random merges are no function of the text. */
static attcert_status refuse_dropout(const component *c, attcert_error *err) {
  const json_t *const dropout = json_object_get(c->json, "dropout");
  if (!component_has(c, "dropout") || (json_is_number(dropout) && json_number_value(dropout) == 0)) return ATTCERT_OK;
  return component_wrong(c, "dropout", "null: merges that are left out at random are no function", err);
}

/* "left right", or ["left", "right"]. */
static bool read_pair(bpe_spelling *left, bpe_spelling *right, const json_t *merge) {
  const json_t *const l = json_array_get(merge, 0), *const r = json_array_get(merge, 1);
  if (json_is_string(merge)) return bpe_merge_cut(left, right, json_string_value(merge), json_string_length(merge));
  if (json_array_size(merge) != 2 || !json_is_string(l) || !json_is_string(r)) return false;
  *left = (bpe_spelling){json_string_value(l), json_string_length(l)};
  *right = (bpe_spelling){json_string_value(r), json_string_length(r)};
  return true;
}

static attcert_status read_merges(token_model *m, const component *c, attcert_error *err) {
  bpe_settings *const s = m->settings;
  const size_t prefix = s->prefix != NULL ? strlen(s->prefix) : 0;
  const json_t *list;
  attcert_status status = component_array(&list, c, "merges", err);
  for (size_t i = 0; status == ATTCERT_OK && i < json_array_size(list); i++) {
    bpe_spelling left, right;
    if (read_pair(&left, &right, json_array_get(list, i)))
      status = bpe_merges_add(&s->merges, &m->vocabulary, left, right, prefix, c->path, err);
    else
      status = attcert_fail(err, ATTCERT_INPUT,
                            "%s: %s: merges[%zu] is something else, expected \"left right\" or "
                            "[\"left\", \"right\"]",
                            c->path, c->place, i);
  }
  return status == ATTCERT_OK ? bpe_merges_finish(&s->merges, c->path, err) : status;
}

static attcert_status open_json(token_model *m, const component *c, attcert_error *err) {
  component tokens;
  attcert_status status = new_settings(m, err);
  if (status != ATTCERT_OK) return status;
  bpe_settings *const s = m->settings;
  status = refuse_dropout(c, err);
  if (status == ATTCERT_OK) status = component_member(&tokens, c, "vocab", err);
  if (status == ATTCERT_OK) status = copy_string(&s->unknown, c, "unk_token", err);
  if (status == ATTCERT_OK) status = copy_string(&s->prefix, c, "continuing_subword_prefix", err);
  if (status == ATTCERT_OK) status = copy_string(&s->suffix, c, "end_of_word_suffix", err);
  if (status == ATTCERT_OK) status = component_bool(&s->fuse_unknown, c, "fuse_unk", err);
  if (status == ATTCERT_OK) status = component_bool(&s->byte_fallback, c, "byte_fallback", err);
  if (status == ATTCERT_OK) status = component_bool(&s->ignore_merges, c, "ignore_merges", err);
  if (status == ATTCERT_OK && s->byte_fallback && (s->prefix != NULL || s->suffix != NULL))
    status = component_wrong(c, "byte_fallback", "false: its tokens have a prefix or a suffix", err);
  if (status == ATTCERT_OK) status = vocabulary_from_object(&m->vocabulary, &tokens, err);
  if (status == ATTCERT_OK) status = read_merges(m, c, err);
  if (status == ATTCERT_OK) token_model_byte_tokens(s->byte_token, &m->vocabulary);
  return status;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static attcert_status check_byte_tokens(const vocabulary *v, const char *path, attcert_error *err) {
  byte_symbol symbol[256];
  byte_symbols(symbol);
  for (int i = 0; i < 256; i++) {
    if (vocabulary_find_string(v, symbol[i].spelling) < 0)
      return attcert_fail(err, ATTCERT_INPUT, "%s: no token \"%s\" for byte 0x%02x, expected a byte-level vocabulary",
                          path, symbol[i].spelling, (unsigned)symbol[i].byte);
  }
  return ATTCERT_OK;
}

static attcert_status open_files(token_model *m, char merges_sha256[SHA256_HEX_SIZE], const char *vocabulary_path,
                                 const char *merges_path, attcert_error *err) {
  attcert_status status = new_settings(m, err);
  if (status != ATTCERT_OK) return status;
  bpe_settings *const s = m->settings;
  vocabulary *const v = &m->vocabulary;
  status = vocabulary_path != NULL ? vocabulary_read_json(v, vocabulary_path, err)
                                   : bpe_vocabulary_from_merges(v, merges_path, err);
  if (status == ATTCERT_OK) status = check_byte_tokens(v, vocabulary_path != NULL ? vocabulary_path : merges_path, err);
  if (status == ATTCERT_OK) status = bpe_merges_read(&s->merges, merges_sha256, v, merges_path, err);
  if (status == ATTCERT_OK && vocabulary_path == NULL && strcmp(v->sha256, merges_sha256) != 0)
    status = attcert_fail(err, ATTCERT_INPUT, "%s: was changed while it was read, expected it to stay as it is",
                          merges_path);
  return status;
}

attcert_status bpe_open(token_model **m, char merges_sha256[SHA256_HEX_SIZE], const char *vocabulary_path,
                        const char *merges_path, attcert_error *err) {
  attcert_status status = token_model_new(m, &token_model_bpe, err);
  if (status != ATTCERT_OK) return status;
  status = open_files(*m, merges_sha256, vocabulary_path, merges_path, err);
  if (status == ATTCERT_OK) return ATTCERT_OK;
  token_model_close(*m);
  *m = NULL;
  return status;
}

const token_model_kind token_model_bpe = {
    "BPE",
    "BPE",
    (const char *const[]){"vocab", "merges", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk",
                          "byte_fallback", "ignore_merges", "dropout", NULL},
    open_json,
    bpe_encode,
    bpe_close};
