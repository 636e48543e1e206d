/* See class_defaults.h. */
#include "model/tokenizer/folder/class_defaults.h"

#include "model/family/families.h"

#include <stdio.h>
#include <string.h>

/* Whether the class is one of these, with or without "Fast" at its end; NULL: it is none. */
static bool is_one_of(const char *class, const char *const *classes) {
  bool found = false;
  for (; class != NULL && *classes != NULL && !found; classes++) {
    const size_t length = strlen(*classes);
    found = strncmp(class, *classes, length) == 0 && (class[length] == '\0' || strcmp(class + length, "Fast") == 0);
  }
  return found;
}

/* The component at a key, where it is of this type itself: a sequence is left alone. */
static bool find_top(component *c, const component *root, const char *key, const char *type) {
  const json_t *const value = json_object_get(root->json, key);
  const char *const found = json_string_value(json_object_get(value, "type"));
  if (found == NULL || strcmp(found, type) != 0) return false;
  return component_member(c, root, key, NULL) == ATTCERT_OK;
}

static attcert_status refuse(const component *c, const char *key, const char *setting, bool wanted,
                             attcert_error *err) {
  char expected[160];
  snprintf(expected, sizeof expected, "%s, which transformers takes where no tokenizer_config.json says %s",
           wanted ? "true" : "false", setting);
  return component_wrong(c, key, expected, err);
}

/* Refuses a key whose value is not that of the configuration, or this one where it is silent. */
static attcert_status must_be(const component *c, const char *key, const component *config, const char *setting,
                              bool silent, bool missing, attcert_error *err) {
  bool value = missing, wanted = silent;
  attcert_status status = component_bool(&value, c, key, err);
  if (status == ATTCERT_OK) status = component_bool(&wanted, config, setting, err);
  return status == ATTCERT_OK && value != wanted ? refuse(c, key, setting, wanted, err) : status;
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
  static const char *const word_pieces[] = {"BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer", NULL};
  static const char *const others[] = {"SiglipTokenizer", NULL};
  static const char *const byte_level[] = {"GPT2Tokenizer", "RobertaTokenizer", NULL};
  const char *class = json_string_value(json_object_get(f->config.root, "tokenizer_class"));
  if (class == NULL) class = families_tokenizer(json_string_value(json_object_get(f->model.root, "model_type")));
  const component config = companion_component(&f->config);
  if (is_one_of(class, others))
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: tokenizer_class is %s, which drops punctuation first and is not computed, expected token "
                        "ids instead of text",
                        root->path, class);
  if (is_one_of(class, word_pieces)) return check_bert(root, &config, err);
  return is_one_of(class, byte_level) ? check_gpt2(root, &config, err) : ATTCERT_OK;
}
