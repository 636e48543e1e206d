/* Folders without tokenizer.json: what tokenizer_config.json, special_tokens_map.json, added_tokens.json and the
 * model's type change, as transformers reads them. */
#include "model/tokenizer/text/byte_symbol.h"
#include "temp_folder.h"
#include "tokenizer_assert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *folder(void) {
  return temp_folder_shared.path;
}

static void write_text(const char *name, const char *text) {
  temp_folder_write(&temp_folder_shared, name, text, strlen(text));
}

/* ---- BERT -------------------------------------------------------------------------------------------------------- */

enum { PAD, UNK, CLS, SEP, MASK, THE, THE_LOWER, CAFE, CAFE_ACCENT, HAN, HAN_MORE, A, B_MORE };

static void write_bert(const char *config) {
  temp_folder_empty(&temp_folder_shared);
  write_text("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nThe\nthe\ncafe\ncafé\n中\n##中\na\n##b\n");
  if (config != NULL) write_text("tokenizer_config.json", config);
}

static void cased_vocabularies(void **state) {
  (void)state;
  write_bert("{\"do_lower_case\": false}");
  assert_tokens(folder(), "The the café", THE, THE_LOWER, CAFE_ACCENT);
  write_bert("{\"do_lower_case\": false, \"strip_accents\": true}");
  assert_tokens(folder(), "The café", THE, CAFE);
  write_bert("{\"do_lower_case\": true, \"strip_accents\": false}");
  assert_tokens(folder(), "The café", THE_LOWER, CAFE_ACCENT);
  write_bert("{\"do_lower_case\": true, \"strip_accents\": null}");
  assert_tokens(folder(), "The café", THE_LOWER, CAFE);
  write_bert("{\"do_lower_case\": true, \"tokenize_chinese_chars\": false}");
  assert_tokens(folder(), "a中 a", A, HAN_MORE, A);
  write_bert("{\"do_lower_case\": true}");
  assert_tokens(folder(), "a中 a", A, HAN, A);
  write_bert("{\"tokenizer_class\": \"BertTokenizer\"}");
  assert_tokenizer_refused(folder(), "token \"The\" has a capital letter, which lower case would not reach");
  write_bert(NULL);
  assert_tokenizer_refused(folder(), "expected a tokenizer_config.json beside it that says do_lower_case");
}

static void bert_special_tokens(void **state) {
  (void)state;
  tokenizer *t;
  write_bert("{\"do_lower_case\": true}");
  assert_special_tokens(folder(), "the a[MASK] [sep]", CLS, THE_LOWER, A, MASK, UNK, UNK, UNK, SEP);
  assert_int_equal(tokenizer_open(&t, folder(), NULL), ATTCERT_OK);
  assert_true(tokenizer_adds_special(t));
  assert_int_equal(tokenizer_file_count(t), 2);
  tokenizer_close(t);
  write_text("special_tokens_map.json",
             "{\"cls_token\": \"[MASK]\", \"unk_token\": {\"content\": \"[UNK]\", \"lstrip\": true}}");
  assert_special_tokens(folder(), "the", MASK, THE_LOWER, SEP);
  write_text("special_tokens_map.json", "{\"cls_token\": \"[START]\"}");
  assert_tokenizer_refused(folder(), "cls_token \"[START]\" is not in the vocabulary");
  write_text("added_tokens.json", "{\"[START]\": 13}");
  assert_special_tokens(folder(), "the [START]", 13, THE_LOWER, 13, SEP);
  write_text("added_tokens.json", "{\"[START]\": 14}");
  assert_tokenizer_refused(folder(), "token \"[START]\" has id 14, expected 13");
  write_text("added_tokens.json", "{\"[START]\": 13, \"New York\": 14}");
  assert_tokens(folder(), "the new york a", THE_LOWER, 14, A); /* not special: in lower case */
  write_text("special_tokens_map.json", "{\"cls_token\": 7}");
  assert_tokenizer_refused(folder(), "key 'cls_token' is 7, expected a token");
}

static void decoder_of_the_config(void **state) {
  (void)state;
  write_bert(
      "{\"do_lower_case\": true, \"cls_token\": \"<c>\", \"added_tokens_decoder\": {\"13\": {\"content\": \"<c>\","
      " \"special\": true, \"normalized\": false, \"lstrip\": false, \"rstrip\": true, \"single_word\": false}}}");
  assert_special_tokens(folder(), "the<c>  a", 13, THE_LOWER, 13, A, SEP);
  write_bert("{\"do_lower_case\": true, \"added_tokens_decoder\": {\"x\": {\"content\": \"<c>\"}}}");
  assert_tokenizer_refused(folder(), "an id as the key");
  write_bert("{\"do_lower_case\": true, \"mask_token\": \"[MASK]\"}");
  write_text("special_tokens_map.json", "{\"mask_token\": \"[PAD]\"}");
  assert_tokenizer_refused(folder(), "mask_token is \"[MASK]\", expected \"[PAD]\" as in the other files");
}

static void settings_not_done(void **state) {
  (void)state;
  static const struct {
    const char *config, *fragment;
  } bad[] = {{"\"never_split\": [\"The\"]", "key 'never_split' is an array, expected none"},
             {"\"do_basic_tokenize\": false", "key 'do_basic_tokenize' is false, expected true"},
             {"\"wordpieces_prefix\": \"@@\"", "key 'wordpieces_prefix' is \"@@\""},
             {"\"tokenizer_class\": \"BertJapaneseTokenizer\"", "tokenizer_class is BertJapaneseTokenizer, expected"},
             {"\"auto_map\": {}", "key 'auto_map' is an object, expected no such key"},
             {"\"word_tokenizer_type\": \"mecab\"", "key 'word_tokenizer_type' is \"mecab\""},
             {"\"split_special_tokens\": true", "key 'split_special_tokens' is true, expected false"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char config[256];
    snprintf(config, sizeof config, "{\"do_lower_case\": true, %s}", bad[i].config);
    write_bert(config);
    assert_tokenizer_refused(folder(), bad[i].fragment);
  }
  write_bert("{\"do_lower_case\": true, \"never_split\": null, \"model_max_length\": 512, \"tokenizer_class\":"
             " \"BertTokenizerFast\", \"clean_up_tokenization_spaces\": true}");
  assert_tokens(folder(), "the", THE_LOWER);
}

static void sentencepiece_alone(void **state) {
  (void)state;
  static const char *const names[] = {"spiece.model", "sentencepiece.bpe.model", "tokenizer.model", "spm.model"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    temp_folder_empty(&temp_folder_shared);
    write_text(names[i], "\x0A");
    assert_tokenizer_refused(folder(), "AutoTokenizer.from_pretrained('DIR').save_pretrained('DIR')");
    write_text("vocab.json", "{\"a\": 0}");
    assert_tokenizer_refused(folder(), names[i]);
    write_text("tokenizer.json", "{\"model\": {\"type\": \"WordLevel\", \"vocab\": {\"a\": 0}}}");
    assert_tokens(folder(), "a", 0);
  }
}

/* ---- byte-level BPE ---------------------------------------------------------------------------------------------- */

enum { BOS = 256, EOS, UNKNOWN, PADDING, MASKED, HE, SPACE_HE };

/* The symbols of bytes in GPT-2's order, then tokens for a text's ends, and two merges. */
static void write_bpe(const char *config, const char *map, const char *model) {
  char json[8192];
  byte_symbol symbol[256];
  size_t length = (size_t)snprintf(json, sizeof json, "{");
  byte_symbols(symbol);
  for (int i = 0; i < 256; i++)
    length += (size_t)snprintf(json + length, sizeof json - length, "\"%s%s\": %d, ",
                               symbol[i].byte == '"' || symbol[i].byte == '\\' ? "\\" : "", symbol[i].spelling, i);
  snprintf(json + length, sizeof json - length,
           "\"<s>\": 256, \"</s>\": 257, \"<unk>\": 258, \"<pad>\": 259, \"<mask>\": 260, \"he\": 261, \"Ġhe\": 262}");
  temp_folder_empty(&temp_folder_shared);
  write_text("vocab.json", json);
  write_text("merges.txt", "#version: 0.2\nh e\nĠ he\n");
  if (config != NULL) write_text("tokenizer_config.json", config);
  if (map != NULL) write_text("special_tokens_map.json", map);
  if (model != NULL) write_text("config.json", model);
}

static void gpt2_adds_nothing(void **state) {
  (void)state;
  tokenizer *t;
  write_bpe(NULL, NULL, "{\"model_type\": \"gpt2\"}");
  assert_int_equal(tokenizer_open(&t, folder(), NULL), ATTCERT_OK);
  assert_false(tokenizer_adds_special(t));
  assert_string_equal(tokenizer_kind(t), "byte-level BPE");
  tokenizer_close(t);
  assert_special_tokens(folder(), "he he", HE, SPACE_HE);
  write_bpe("{\"add_prefix_space\": true}", NULL, NULL);
  assert_special_tokens(folder(), "he he", SPACE_HE, SPACE_HE);
}

/* facebook/opt-125m */
static void opt_begins_with_a_token(void **state) {
  (void)state;
  write_bpe(
      "{\"errors\": \"replace\", \"unk_token\": {\"content\": \"</s>\", \"single_word\": false, \"lstrip\": false,"
      " \"rstrip\": false, \"normalized\": true, \"__type\": \"AddedToken\"}, \"bos_token\": {\"content\": \"</s>\","
      " \"__type\": \"AddedToken\"}, \"eos_token\": {\"content\": \"</s>\"}, \"pad_token\": {\"content\": \"<pad>\"},"
      " \"add_prefix_space\": false, \"add_bos_token\": true, \"special_tokens_map_file\": null,"
      " \"name_or_path\": \"patrickvonplaten/opt-30b\", \"tokenizer_class\": \"GPT2Tokenizer\"}",
      "{\"bos_token\": {\"content\": \"</s>\"}, \"eos_token\": {\"content\": \"</s>\"}, \"unk_token\":"
      " {\"content\": \"</s>\"}, \"pad_token\": {\"content\": \"<pad>\"}}",
      "{\"model_type\": \"opt\"}");
  assert_special_tokens(folder(), "he he", EOS, HE, SPACE_HE);
  assert_tokens(folder(), "he he", HE, SPACE_HE);
}

/* roberta-base, whose tokenizer_config.json says only model_max_length; its mask takes the blank before it along */
static void roberta_has_two_ends(void **state) {
  (void)state;
  write_bpe("{\"model_max_length\": 512}", NULL, "{\"model_type\": \"roberta\"}");
  assert_special_tokens(folder(), "he <mask> he", BOS, HE, MASKED, SPACE_HE, EOS);
  write_bpe("{\"tokenizer_class\": \"RobertaTokenizer\"}", NULL, NULL);
  assert_special_tokens(folder(), "he", BOS, HE, EOS);
  write_bpe(
      NULL,
      "{\"cls_token\": \"<s>\", \"sep_token\": \"</s>\", \"mask_token\": {\"content\": \"<mask>\", \"lstrip\": true}}",
      NULL);
  assert_special_tokens(folder(), "he <mask>", BOS, HE, MASKED, EOS);
  write_bpe("{\"tokenizer_class\": \"CLIPTokenizer\"}", NULL, NULL);
  assert_tokenizer_refused(folder(), "tokenizer_class is CLIPTokenizer, expected GPT2Tokenizer or RobertaTokenizer");
  write_bpe(NULL, NULL, "{\"model_type\": \"clip\"}");
  assert_tokenizer_refused(folder(), "tokenizer_class is CLIPTokenizer");
  write_bpe(NULL, NULL, "{\"model_type\": \"clip_text_model\"}");
  assert_tokenizer_refused(folder(), "tokenizer_class is CLIPTokenizer");
  write_bpe(NULL, NULL, "{\"model_type\": \"qwen2\"}"); /* which splits texts in another way */
  assert_tokenizer_refused(folder(), "tokenizer_class is Qwen2Tokenizer, expected GPT2Tokenizer or RobertaTokenizer");
}

static void characters_have_no_settings(void **state) {
  (void)state;
  temp_folder_empty(&temp_folder_shared);
  write_text("vocab.json", "{\"a\": 0}");
  write_text("tokenizer_config.json", "{}");
  assert_tokenizer_refused(folder(), "beside a vocab.json without merges.txt, expected a tokenizer.json");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cased_vocabularies),         cmocka_unit_test(bert_special_tokens),
      cmocka_unit_test(decoder_of_the_config),      cmocka_unit_test(settings_not_done),
      cmocka_unit_test(sentencepiece_alone),        cmocka_unit_test(gpt2_adds_nothing),
      cmocka_unit_test(opt_begins_with_a_token),    cmocka_unit_test(roberta_has_two_ends),
      cmocka_unit_test(characters_have_no_settings)};
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
