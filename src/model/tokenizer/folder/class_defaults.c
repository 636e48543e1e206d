/* See class_defaults.h. */
#include "model/tokenizer/folder/class_defaults.h"

#include <stdio.h>
#include <string.h>

/* The class that tokenizer_config.json names, with or without "Fast" at its end, or that the model's type implies. */
static bool is_of_class(const companion_files *f, const char *const *classes, const char *const *types) {
  const char *const class = json_string_value(json_object_get(f->config.root, "tokenizer_class"));
  const char *const type = json_string_value(json_object_get(f->model.root, "model_type"));
  bool found = false;
  for (; class != NULL && *classes != NULL && !found; classes++) {
    const size_t length = strlen(*classes);
    found = strncmp(class, *classes, length) == 0 && (class[length] == '\0' || strcmp(class + length, "Fast") == 0);
  }
  for (; class == NULL && type != NULL && *types != NULL && !found; types++) found = strcmp(type, *types) == 0;
  return found;
}

/* The component at a key, where it is of this type itself: a sequence is left alone. */
static bool find_top(component *c, const component *root, const char *key, const char *type) {
  const json_t *const value = json_object_get(root->json, key);
  const char *const found = json_string_value(json_object_get(value, "type"));
  if (found == NULL || strcmp(found, type) != 0) return false;
  return component_member(c, root, key, NULL) == ATTCERT_OK;
}

static attcert_status refuse(const component *c, const char *key, const char *config_key, bool wanted,
                             attcert_error *err) {
  char expected[160];
  snprintf(expected, sizeof expected, "%s, which transformers takes where no tokenizer_config.json says %s",
           wanted ? "true" : "false", config_key);
  return component_wrong(c, key, expected, err);
}

/* Refuses a key whose value is not that of the configuration, or this one where it is silent. */
static attcert_status must_be(const component *c, const char *key, const component *config, const char *config_key,
                              bool silent, bool missing, attcert_error *err) {
  bool value = missing, wanted = silent;
  attcert_status status = component_bool(&value, c, key, err);
  if (status == ATTCERT_OK) status = component_bool(&wanted, config, config_key, err);
  return status == ATTCERT_OK && value != wanted ? refuse(c, key, config_key, wanted, err) : status;
}

static attcert_status check_bert(const component *root, const component *config, attcert_error *err) {
  component normal;
  bool lowercase = true;
  if (!find_top(&normal, root, "normalizer", "BertNormalizer")) return ATTCERT_OK;
  attcert_status status = must_be(&normal, "lowercase", config, "do_lower_case", true, true, err);
  if (status == ATTCERT_OK)
    status = must_be(&normal, "handle_chinese_chars", config, "tokenize_chinese_chars", true, true, err);
  if (status == ATTCERT_OK) status = component_bool(&lowercase, &normal, "lowercase", err);
  if (status == ATTCERT_OK)
    status = must_be(&normal, "strip_accents", config, "strip_accents", lowercase, lowercase, err);
  return status;
}

static attcert_status check_gpt2(const component *root, const component *config, attcert_error *err) {
  component bytes;
  if (!find_top(&bytes, root, "pre_tokenizer", "ByteLevel")) return ATTCERT_OK;
  return must_be(&bytes, "add_prefix_space", config, "add_prefix_space", false, true, err);
}

attcert_status class_defaults_check(const component *root, const companion_files *f, attcert_error *err) {
  static const char *const bert[] = {"BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer", NULL};
  static const char *const bert_types[] = {"bert", "distilbert", "electra", NULL};
  static const char *const gpt2[] = {"GPT2Tokenizer", "RobertaTokenizer", NULL};
  static const char *const gpt2_types[] = {"gpt2", "gpt_neo", "opt", "roberta", NULL};
  const component config = companion_component(&f->config);
  if (is_of_class(f, bert, bert_types)) return check_bert(root, &config, err);
  return is_of_class(f, gpt2, gpt2_types) ? check_gpt2(root, &config, err) : ATTCERT_OK;
}
