/* See old_settings.h. */
#include "model/tokenizer/folder/old_settings.h"

#include "model/tokenizer/folder/special_map.h"

#include <stdio.h>
#include <string.h>

/* Keys that change no tokens of one text, or are read below. */
static const char *const known[] = {"do_lower_case",
                                    "strip_accents",
                                    "tokenize_chinese_chars",
                                    "add_prefix_space",
                                    "add_bos_token",
                                    "add_eos_token",
                                    "added_tokens_decoder",
                                    "tokenizer_class",
                                    "never_split",
                                    "do_basic_tokenize",
                                    "split_special_tokens",
                                    "wordpieces_prefix",
                                    "model_max_length",
                                    "max_len",
                                    "max_length",
                                    "name_or_path",
                                    "special_tokens_map_file",
                                    "tokenizer_file",
                                    "full_tokenizer_file",
                                    "errors",
                                    "clean_up_tokenization_spaces",
                                    "clean_text",
                                    "padding_side",
                                    "truncation_side",
                                    "truncation_strategy",
                                    "stride",
                                    "pad_to_multiple_of",
                                    "pad_token_type_id",
                                    "return_token_type_ids",
                                    "model_input_names",
                                    "trim_offsets",
                                    "use_fast",
                                    "processor_class",
                                    "chat_template",
                                    "extra_special_tokens",
                                    "init_inputs",
                                    "model_type",
                                    NULL};

static attcert_status check_keys(const component *c, attcert_error *err) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)c->json, key, value) {
    bool found = special_map_is_role(key);
    for (const char *const *k = known; *k != NULL && !found; k++) found = strcmp(*k, key) == 0;
    if (!found) return component_wrong(c, key, "no such key: what it changes is not known", err);
  }
  return ATTCERT_OK;
}

static attcert_status read_class(old_settings *s, const component *c, attcert_error *err) {
  const char *name = "";
  const attcert_status status = component_string(&name, c, "tokenizer_class", err);
  if (status != ATTCERT_OK) return status;
  snprintf(s->tokenizer_class, sizeof s->tokenizer_class, "%s", name);
  const size_t length = strlen(s->tokenizer_class);
  if (length > 4 && strcmp(s->tokenizer_class + length - 4, "Fast") == 0) s->tokenizer_class[length - 4] = '\0';
  return ATTCERT_OK;
}

/* A key that must have this value, where it is there. */
static attcert_status must_be(const component *c, const char *key, bool wanted, attcert_error *err) {
  bool value = wanted;
  const attcert_status status = component_bool(&value, c, key, err);
  if (status != ATTCERT_OK || value == wanted) return status;
  return component_wrong(c, key, wanted ? "true" : "false", err);
}

static attcert_status refuse_others(const component *c, attcert_error *err) {
  const char *prefix = "##";
  attcert_status status = must_be(c, "do_basic_tokenize", true, err);
  if (status == ATTCERT_OK) status = must_be(c, "clean_text", true, err);
  if (status == ATTCERT_OK) status = must_be(c, "add_eos_token", false, err);
  if (status == ATTCERT_OK) status = must_be(c, "split_special_tokens", false, err);
  if (status == ATTCERT_OK && json_array_size(json_object_get(c->json, "never_split")) > 0)
    status = component_wrong(c, "never_split", "none: the words are split", err);
  if (status == ATTCERT_OK) status = component_string(&prefix, c, "wordpieces_prefix", err);
  if (status == ATTCERT_OK && strcmp(prefix, "##") != 0)
    status = component_wrong(c, "wordpieces_prefix", "\"##\"", err);
  if (status == ATTCERT_OK && json_object_size(json_object_get(c->json, "extra_special_tokens")) > 0)
    status = component_wrong(c, "extra_special_tokens", "none", err);
  return status;
}

attcert_status old_settings_read(old_settings *s, const companion_files *f, attcert_error *err) {
  *s = (old_settings){.do_lower_case = true, .tokenize_chinese_chars = true};
  if (f->config.root == NULL) return ATTCERT_OK;
  const component c = companion_component(&f->config);
  s->lower_case_said = component_has(&c, "do_lower_case");
  s->strip_accents_said = component_has(&c, "strip_accents");
  attcert_status status = check_keys(&c, err);
  if (status == ATTCERT_OK) status = read_class(s, &c, err);
  if (status == ATTCERT_OK) status = refuse_others(&c, err);
  if (status == ATTCERT_OK) status = component_bool(&s->do_lower_case, &c, "do_lower_case", err);
  if (status == ATTCERT_OK) status = component_bool(&s->strip_accents, &c, "strip_accents", err);
  if (status == ATTCERT_OK) status = component_bool(&s->tokenize_chinese_chars, &c, "tokenize_chinese_chars", err);
  if (status == ATTCERT_OK) status = component_bool(&s->add_prefix_space, &c, "add_prefix_space", err);
  return status == ATTCERT_OK ? component_bool(&s->add_bos_token, &c, "add_bos_token", err) : status;
}
