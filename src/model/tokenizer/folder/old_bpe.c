/* See old_format.h: GPT-2 (and OPT, whose add_bos_token puts </s> before a text), RoBERTa, and characters. */
#include "base/arrays.h"
#include "model/family/families.h"
#include "model/tokenizer/folder/old_format.h"
#include "model/tokenizer/folder/old_settings.h"
#include "model/tokenizer/folder/old_tokens.h"
#include "model/tokenizer/model/bpe.h"
#include "model/tokenizer/model/characters.h"

#include <stdio.h>
#include <string.h>

static const default_token gpt2_tokens[] = {{"unk_token", "<|endoftext|>", false},
                                            {"bos_token", "<|endoftext|>", false},
                                            {"eos_token", "<|endoftext|>", false},
                                            {NULL, NULL, false}};

static const default_token roberta_tokens[] = {{"bos_token", "<s>", false},    {"eos_token", "</s>", false},
                                               {"sep_token", "</s>", false},   {"cls_token", "<s>", false},
                                               {"unk_token", "<unk>", false},  {"pad_token", "<pad>", false},
                                               {"mask_token", "<mask>", true}, {NULL, NULL, false}};

/* By the class, else the model's type, else whether there are tokens for a text's ends. */
static attcert_status choose(const default_token **defaults, const old_settings *s, const special_map *map,
                             const companion_files *f, const char *path, attcert_error *err) {
  const bool named = s->tokenizer_class[0] != '\0';
  const char *const implied = families_tokenizer(json_string_value(json_object_get(f->model.root, "model_type")));
  const char *const class = named ? s->tokenizer_class : implied != NULL ? implied : "GPT2Tokenizer";
  const bool has_ends = special_map_role(map, "cls_token") != NULL && special_map_role(map, "sep_token") != NULL;
  const bool is_roberta = strcmp(class, "RobertaTokenizer") == 0;
  if (!is_roberta && strcmp(class, "GPT2Tokenizer") != 0)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: tokenizer_class is %s, expected GPT2Tokenizer or RobertaTokenizer with a merges.txt, or a "
                        "tokenizer.json (AutoTokenizer.from_pretrained(DIR).save_pretrained(DIR) writes it)",
                        path, class);
  *defaults = is_roberta || (!named && has_ends) ? roberta_tokens : gpt2_tokens;
  return ATTCERT_OK;
}

static attcert_status set_pretokenizer(token_pipeline *p, const old_settings *s, const char *path, attcert_error *err) {
  json_t *const words = json_pack("{s:s, s:b}", "type", "ByteLevel", "add_prefix_space", s->add_prefix_space);
  if (words == NULL) return array_out_of_memory(err, 0, "the tokenizer of %s", path);
  const component c = {.path = path, .place = "pre_tokenizer", .json = words};
  const attcert_status status = pretokenizer_open(&p->pretokenizer, &c, err);
  json_decref(words);
  return status;
}

static attcert_status surround(token_pipeline *p, const old_settings *s, const special_map *map,
                               const default_token *defaults, const char *path, attcert_error *err) {
  const bool both = defaults == roberta_tokens;
  const int before = old_tokens_id(p, map, defaults, both ? "cls_token" : "bos_token");
  const int after = old_tokens_id(p, map, defaults, "sep_token");
  if (!both && !s->add_bos_token) return ATTCERT_OK;
  if (before < 0 || (both && after < 0))
    return attcert_fail(err, ATTCERT_INPUT, "%s: the vocabulary lacks a token for a text's ends, expected \"%s\"", path,
                        both ? "<s>\" and \"</s>" : "bos_token");
  special_tokens_put_before(&p->special, &before, 1);
  if (both) special_tokens_put_after(&p->special, &after, 1);
  return ATTCERT_OK;
}

static attcert_status put_together(token_pipeline *p, const old_settings *s, const special_map *map,
                                   const char *vocabulary_path, const char *merges_path, const companion_files *f,
                                   attcert_error *err) {
  const default_token *defaults = gpt2_tokens;
  const char *const path = vocabulary_path != NULL ? vocabulary_path : merges_path;
  char sha256[SHA256_HEX_SIZE];
  attcert_status status = choose(&defaults, s, map, f, path, err);
  if (status == ATTCERT_OK) status = bpe_open(&p->model, sha256, vocabulary_path, merges_path, err);
  if (status != ATTCERT_OK) return status;
  if (vocabulary_path != NULL) token_pipeline_note_file(p, vocabulary_path, token_model_vocabulary(p->model)->sha256);
  token_pipeline_note_file(p, merges_path, sha256);
  status = set_pretokenizer(p, s, path, err);
  if (status == ATTCERT_OK) status = old_tokens_add(p, f, map, defaults, path, err);
  if (status == ATTCERT_OK) status = surround(p, s, map, defaults, path, err);
  snprintf(p->kind, sizeof p->kind, "byte-level %s", token_model_name(p->model));
  return status;
}

attcert_status old_format_bpe(token_pipeline *p, const char *vocabulary_path, const char *merges_path,
                              const companion_files *f, attcert_error *err) {
  old_settings s;
  special_map map;
  attcert_status status = old_settings_read(&s, f, err);
  if (status == ATTCERT_OK) status = special_map_read(&map, f, err);
  if (status != ATTCERT_OK) return status;
  status = put_together(p, &s, &map, vocabulary_path, merges_path, f, err);
  special_map_clear(&map);
  return status;
}

attcert_status old_format_characters(token_pipeline *p, const char *path, const companion_files *f,
                                     attcert_error *err) {
  vocabulary v;
  const json_file *const files[] = {&f->config, &f->special, &f->added};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    if (files[i]->root != NULL)
      return attcert_fail(err, ATTCERT_INPUT,
                          "%s: beside a vocab.json without merges.txt, expected a tokenizer.json "
                          "(AutoTokenizer.from_pretrained(DIR).save_pretrained(DIR) writes it)",
                          files[i]->path);
  }
  attcert_status status = vocabulary_read_json(&v, path, err);
  if (status != ATTCERT_OK) return status;
  token_pipeline_note_file(p, path, v.sha256);
  status = characters_open(&p->model, &v, path, err);
  if (status == ATTCERT_OK) snprintf(p->kind, sizeof p->kind, "%s", token_model_name(p->model));
  return status;
}
