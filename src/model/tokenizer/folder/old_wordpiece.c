/* See old_format.h: BERT. */
#include "base/arrays.h"
#include "model/tokenizer/folder/old_format.h"
#include "model/tokenizer/folder/old_settings.h"
#include "model/tokenizer/folder/old_tokens.h"
#include "model/tokenizer/model/wordpiece.h"

#include <stdio.h>
#include <string.h>

static const default_token defaults[] = {{"unk_token", "[UNK]", false},   {"sep_token", "[SEP]", false},
                                         {"pad_token", "[PAD]", false},   {"cls_token", "[CLS]", false},
                                         {"mask_token", "[MASK]", false}, {NULL, NULL, false}};

static attcert_status check_class(const old_settings *s, const char *path, attcert_error *err) {
  static const char *const known[] = {"", "BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(known[i], s->tokenizer_class) == 0) return ATTCERT_OK;
  }
  return attcert_fail(
      err, ATTCERT_INPUT,
      "%s: tokenizer_class is %s, expected BertTokenizer, DistilBertTokenizer or ElectraTokenizer with a "
      "vocab.txt, or a tokenizer.json (AutoTokenizer.from_pretrained(DIR).save_pretrained(DIR) writes it)",
      path, s->tokenizer_class);
}

static attcert_status set_parts(token_pipeline *p, const old_settings *s, const char *path, attcert_error *err) {
  const bool strip = s->strip_accents_said ? s->strip_accents : s->do_lower_case;
  json_t *const normal =
      json_pack("{s:s, s:b, s:b, s:b, s:b}", "type", "BertNormalizer", "clean_text", 1, "handle_chinese_chars",
                s->tokenize_chinese_chars, "strip_accents", strip, "lowercase", s->do_lower_case);
  json_t *const words = json_pack("{s:s}", "type", "BertPreTokenizer");
  attcert_status status = ATTCERT_OK;
  if (normal == NULL || words == NULL) status = array_out_of_memory(err, 0, "the tokenizer of %s", path);
  const component normal_part = {.path = path, .place = "normalizer", .json = normal};
  const component words_part = {.path = path, .place = "pre_tokenizer", .json = words};
  if (status == ATTCERT_OK) status = normalizer_open(&p->normalizer, &normal_part, err);
  if (status == ATTCERT_OK) status = pretokenizer_open(&p->pretokenizer, &words_part, err);
  json_decref(normal);
  json_decref(words);
  return status;
}

/* A vocabulary of which lower case would never reach some tokens is a cased one, so it seems. */
static attcert_status check_case(const token_pipeline *p, const old_settings *s, const char *path, attcert_error *err) {
  const vocabulary *const v = token_model_vocabulary(p->model);
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < v->count && !s->lower_case_said; i++) {
    const char *const token = v->entry[i].token;
    if (strchr(token, '[') != NULL || added_tokens_find(&p->added, token) != NULL) continue; /* [unused1] */
    for (const char *c = token; *c != '\0' && status == ATTCERT_OK; c++) {
      if (*c >= 'A' && *c <= 'Z')
        status = attcert_fail(err, ATTCERT_INPUT,
                              "%s: token \"%.64s\" has a capital letter, which lower case would not "
                              "reach, expected a %s beside it that says do_lower_case",
                              path, token, COMPANION_CONFIG_NAME);
    }
  }
  return status;
}

static attcert_status open_model(token_pipeline *p, const special_map *map, const char *path, attcert_error *err) {
  const added_token *const named = special_map_role(map, "unk_token");
  const char *const unknown = named != NULL ? named->content : "[UNK]";
  vocabulary v;
  attcert_status status = vocabulary_read_lines(&v, path, err);
  if (status != ATTCERT_OK) return status;
  token_pipeline_note_file(p, path, v.sha256);
  if (vocabulary_find_string(&v, unknown) >= 0) return wordpiece_open(&p->model, &v, unknown, err);
  vocabulary_clear(&v);
  return attcert_fail(err, ATTCERT_INPUT, "%s: no line \"%.64s\", expected a WordPiece vocabulary", path, unknown);
}

static attcert_status put_together(token_pipeline *p, const old_settings *s, const special_map *map, const char *path,
                                   const companion_files *f, attcert_error *err) {
  attcert_status status = open_model(p, map, path, err);
  if (status == ATTCERT_OK) status = set_parts(p, s, path, err);
  if (status == ATTCERT_OK) status = old_tokens_add(p, f, map, defaults, path, err);
  if (status == ATTCERT_OK) status = check_case(p, s, path, err);
  if (status != ATTCERT_OK) return status;
  const int cls = old_tokens_id(p, map, defaults, "cls_token"), sep = old_tokens_id(p, map, defaults, "sep_token");
  if (cls >= 0 && sep >= 0) {
    special_tokens_put_before(&p->special, &cls, 1);
    special_tokens_put_after(&p->special, &sep, 1);
  }
  snprintf(p->kind, sizeof p->kind, "%s", token_model_name(p->model));
  return ATTCERT_OK;
}

attcert_status old_format_wordpiece(token_pipeline *p, const char *path, const companion_files *f, attcert_error *err) {
  old_settings s;
  special_map map;
  attcert_status status = old_settings_read(&s, f, err);
  if (status == ATTCERT_OK) status = check_class(&s, path, err);
  if (status == ATTCERT_OK) status = special_map_read(&map, f, err);
  if (status != ATTCERT_OK) return status;
  status = put_together(p, &s, &map, path, f, err);
  special_map_clear(&map);
  return status;
}
