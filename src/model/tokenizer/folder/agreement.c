/* See agreement.h. */
#include "model/tokenizer/folder/agreement.h"

#include "model/tokenizer/folder/class_defaults.h"
#include "model/tokenizer/folder/special_map.h"

#include <stdlib.h>
#include <string.h>

static const char *type_of(const json_t *c) {
  const char *const type = json_string_value(json_object_get(c, "type"));
  return type != NULL ? type : "";
}

/* A component of this type: the one at the key, or one of its sequence. */
static const json_t *find_type(const json_t *c, const char *sequence, const char *type) {
  const json_t *const steps = json_object_get(c, sequence);
  const json_t *found = strcmp(type_of(c), type) == 0 ? c : NULL;
  for (size_t i = 0; i < json_array_size(steps) && found == NULL; i++)
    found = find_type(json_array_get(steps, i), sequence, type);
  return found;
}

/* Where both files say it, they say the same. */
static attcert_status same_value(const component *config, const char *key, const json_t *c, const char *its_key,
                                 attcert_error *err) {
  const json_t *const value = c != NULL ? json_object_get(c, its_key) : NULL;
  if (value == NULL || !component_has(config, key) || json_equal(value, json_object_get(config->json, key)))
    return ATTCERT_OK;
  return component_wrong(config, key, "what tokenizer.json says", err);
}

static attcert_status check_components(const component *root, const component *config, attcert_error *err) {
  const json_t *const normal = find_type(json_object_get(root->json, "normalizer"), "normalizers", "BertNormalizer");
  const json_t *const bytes = find_type(json_object_get(root->json, "pre_tokenizer"), "pretokenizers", "ByteLevel");
  attcert_status status = same_value(config, "do_lower_case", normal, "lowercase", err);
  if (status == ATTCERT_OK) status = same_value(config, "strip_accents", normal, "strip_accents", err);
  if (status == ATTCERT_OK) status = same_value(config, "tokenize_chinese_chars", normal, "handle_chinese_chars", err);
  if (status == ATTCERT_OK) status = same_value(config, "add_prefix_space", bytes, "add_prefix_space", err);
  return status;
}

static attcert_status check_ends(const token_pipeline *p, const component *config, attcert_error *err) {
  const bool has_before = p->special.before_count > 0, has_after = p->special.after_count > 0;
  bool before = has_before, after = has_after, split = false;
  attcert_status status = component_bool(&before, config, "add_bos_token", err);
  if (status == ATTCERT_OK) status = component_bool(&after, config, "add_eos_token", err);
  if (status == ATTCERT_OK) status = component_bool(&split, config, "split_special_tokens", err);
  if (status == ATTCERT_OK && split)
    status = component_wrong(config, "split_special_tokens", "false: added tokens are found in the text", err);
  if (status == ATTCERT_OK && before != has_before)
    status = component_wrong(config, "add_bos_token", "what the post_processor of tokenizer.json does", err);
  if (status == ATTCERT_OK && after != has_after)
    status = component_wrong(config, "add_eos_token", "what the post_processor of tokenizer.json does", err);
  return status;
}

static attcert_status lacks(const char *path, const char *content, attcert_error *err) {
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: the token \"%.64s\" is no added token of tokenizer.json, expected it there "
                      "(AutoTokenizer.from_pretrained(DIR).save_pretrained(DIR) writes it)",
                      path, content);
}

/* {"101": {"content": "[CLS]", ..}, ..} of tokenizer_config.json; {"[CLS]": 101, ..} of added_tokens.json. */
static attcert_status check_added(const token_pipeline *p, const companion_files *f, attcert_error *err) {
  const char *key;
  json_t *value;
  json_object_foreach(json_object_get(f->config.root, "added_tokens_decoder"), key, value) {
    const char *const content = json_string_value(json_object_get(value, "content"));
    const added_token *const token = content != NULL ? added_tokens_find(&p->added, content) : NULL;
    if (token == NULL || token->id != strtol(key, NULL, 10))
      return lacks(f->config.path, content != NULL ? content : key, err);
  }
  json_object_foreach(f->added.root, key, value) {
    const added_token *const token = added_tokens_find(&p->added, key);
    if (token == NULL || !json_is_integer(value) || json_integer_value(value) != token->id)
      return lacks(f->added.path, key, err);
  }
  return ATTCERT_OK;
}

static attcert_status check_special(const token_pipeline *p, const companion_files *f, attcert_error *err) {
  special_map map;
  attcert_status status = special_map_read(&map, f, err);
  for (size_t i = 0; status == ATTCERT_OK && i < map.count; i++) {
    if (added_tokens_find(&p->added, map.entry[i].token.content) == NULL)
      status = lacks(map.entry[i].path, map.entry[i].token.content, err);
  }
  special_map_clear(&map);
  return status;
}

attcert_status agreement_check(const token_pipeline *p, const component *root, const companion_files *f,
                               attcert_error *err) {
  attcert_status status = check_special(p, f, err);
  if (status == ATTCERT_OK) status = check_added(p, f, err);
  if (status == ATTCERT_OK) status = class_defaults_check(root, f, err);
  if (status != ATTCERT_OK || f->config.root == NULL) return status;
  const component config = companion_component(&f->config);
  status = check_components(root, &config, err);
  return status == ATTCERT_OK ? check_ends(p, &config, err) : status;
}
