/* See tokenizer_json.h. */
#include "model/tokenizer/folder/tokenizer_json.h"

#include "model/format/json_file.h"
#include "model/tokenizer/folder/agreement.h"
#include "model/tokenizer/postprocessor/postprocessor.h"

#include <stdio.h>
#include <string.h>

/* 250,000 tokens and 600,000 merges of two parts, of the largest vocabularies, are some 2,000,000 values in 33 MB. */
enum { MAX_SIZE = 1 << 26, MAX_VALUES = 1 << 21 };

static attcert_status read_added_tokens(token_pipeline *p, const component *root, attcert_error *err) {
  const json_t *list;
  if (!component_has(root, "added_tokens")) return ATTCERT_OK;
  attcert_status status = component_array(&list, root, "added_tokens", err);
  for (size_t i = 0; status == ATTCERT_OK && i < json_array_size(list); i++) {
    component token;
    status = component_element(&token, root, "added_tokens", i, err);
    if (status == ATTCERT_OK && !component_has(&token, "id")) status = component_wrong(&token, "id", "an id", err);
    if (status == ATTCERT_OK) status = added_tokens_read(&p->added, &token, ADDED_TOKEN_ID, err);
  }
  return status;
}

static attcert_status read_truncation(token_pipeline *p, const component *root, attcert_error *err) {
  static const char *const keys[] = {"max_length", "direction", "strategy", "stride", NULL};
  component truncation;
  if (!component_has(root, "truncation")) return ATTCERT_OK;
  attcert_status status = component_member(&truncation, root, "truncation", err);
  if (status == ATTCERT_OK) status = component_check_keys(&truncation, keys, err);
  return status == ATTCERT_OK ? component_required_integer(&p->max_length, &truncation, "max_length", 1, INT_MAX, err)
                              : status;
}

/* Every special token around a text must be a token. */
static attcert_status check_special(const token_pipeline *p, const int *ids, int count, const char *path,
                                    attcert_error *err) {
  for (int i = 0; i < count; i++) {
    if (token_pipeline_piece(p, ids[i]) == NULL)
      return attcert_fail(err, ATTCERT_INPUT,
                          "%s: post_processor: special token %d is not in the vocabulary, expected "
                          "one of its ids",
                          path, ids[i]);
  }
  return ATTCERT_OK;
}

static attcert_status read_post_processor(token_pipeline *p, const component *root, attcert_error *err) {
  component post;
  if (!component_has(root, "post_processor")) return ATTCERT_OK;
  attcert_status status = component_member(&post, root, "post_processor", err);
  if (status == ATTCERT_OK) status = postprocessor_read(&p->special, &post, err);
  if (status == ATTCERT_OK) status = check_special(p, p->special.before, p->special.before_count, root->path, err);
  if (status == ATTCERT_OK) status = check_special(p, p->special.after, p->special.after_count, root->path, err);
  return status;
}

static attcert_status read_normalizer(token_pipeline *p, const component *root, attcert_error *err) {
  component c;
  if (!component_has(root, "normalizer")) return ATTCERT_OK;
  const attcert_status status = component_member(&c, root, "normalizer", err);
  return status == ATTCERT_OK ? normalizer_open(&p->normalizer, &c, err) : status;
}

static attcert_status read_pre_tokenizer(token_pipeline *p, const component *root, attcert_error *err) {
  component c;
  if (!component_has(root, "pre_tokenizer")) return ATTCERT_OK;
  const attcert_status status = component_member(&c, root, "pre_tokenizer", err);
  return status == ATTCERT_OK ? pretokenizer_open(&p->pretokenizer, &c, err) : status;
}

/* The decoder makes text of tokens. */
static attcert_status read_parts(token_pipeline *p, const component *root, attcert_error *err) {
  static const char *const keys[] = {"version",       "truncation",     "padding", "added_tokens", "normalizer",
                                     "pre_tokenizer", "post_processor", "decoder", "model",        NULL};
  component model;
  const char *version = "1.0";
  attcert_status status = component_check_keys(root, keys, err);
  if (status == ATTCERT_OK) status = component_string(&version, root, "version", err);
  if (status == ATTCERT_OK && strcmp(version, "1.0") != 0) status = component_wrong(root, "version", "\"1.0\"", err);
  if (status == ATTCERT_OK) status = component_member(&model, root, "model", err);
  if (status == ATTCERT_OK) status = token_model_open(&p->model, &model, err);
  if (status == ATTCERT_OK) status = read_normalizer(p, root, err);
  if (status == ATTCERT_OK) status = read_pre_tokenizer(p, root, err);
  if (status == ATTCERT_OK) status = read_added_tokens(p, root, err);
  if (status == ATTCERT_OK)
    status = added_tokens_finish(&p->added, token_model_vocabulary(p->model), token_model_size(p->model), p->normalizer,
                                 root->path, err);
  if (status == ATTCERT_OK) status = read_post_processor(p, root, err);
  return status == ATTCERT_OK ? read_truncation(p, root, err) : status;
}

/* Whether a component, or one of its sequence, turns bytes to symbols. */
static bool is_byte_level(const json_t *c, const char *sequence) {
  const char *const type = json_string_value(json_object_get(c, "type"));
  const json_t *const steps = json_object_get(c, sequence);
  bool found = type != NULL && strcmp(type, "ByteLevel") == 0;
  for (size_t i = 0; i < json_array_size(steps) && !found; i++)
    found = is_byte_level(json_array_get(steps, i), sequence);
  return found;
}

static void name_kind(token_pipeline *p, const component *root) {
  const char *const name = token_model_name(p->model);
  const bool bytes = is_byte_level(json_object_get(root->json, "pre_tokenizer"), "pretokenizers") ||
                     is_byte_level(json_object_get(root->json, "normalizer"), "normalizers");
  snprintf(p->kind, sizeof p->kind, "%s%s", bytes && strcmp(name, "BPE") == 0 ? "byte-level " : "", name);
}

attcert_status tokenizer_json_read(token_pipeline *p, const char *path, const companion_files *companions,
                                   attcert_error *err) {
  json_file file;
  attcert_status status = json_file_open_within(&file, path, MAX_SIZE, MAX_VALUES, err);
  if (status != ATTCERT_OK) return status;
  const component root = {.path = path, .json = file.root};
  token_pipeline_note_file(p, path, file.sha256);
  status = read_parts(p, &root, err);
  if (status == ATTCERT_OK) name_kind(p, &root);
  if (status == ATTCERT_OK) status = agreement_check(p, &root, companions, err);
  json_file_close(&file);
  return status;
}
