/* tokenizer.json as a whole: added tokens, post-processors, truncation, and the files beside it. Expectations on added
 * tokens are those of huggingface/tokenizers' own tests (added_vocabulary.rs). */
#include "token_pieces.h"
#include "tokenizer_assert.h"
#include "tokenizer_json_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TOKEN(content, rest) "{\"content\": \"" content "\"" rest "}"
#define SPECIAL ", \"special\": true, \"normalized\": false"
#define LOWER "{\"type\": \"Lowercase\"}"

/* ---- added tokens ------------------------------------------------------------------------------------------------ */

static void special_and_other_tokens(void **state) {
  (void)state;
#define FOUR TOKEN("my", "") "," TOKEN("name", "") "," TOKEN("[CLS]", SPECIAL) "," TOKEN("[SEP]", SPECIAL)
  assert_pieces("[" FOUR "]", NULL, NULL, "[CLS] My name is Anthony [SEP]",
                PIECES("[CLS]", " My ", "name", " is Anthony ", "[SEP]"));
}

static void settings_of_added_tokens(void **state) {
  (void)state;
  static const char added[] = "[" TOKEN("my", ", \"lstrip\": true, \"rstrip\": true") "," TOKEN("name", "") "," TOKEN(
      "ony", ", \"single_word\": true") "," TOKEN("[CLS]", SPECIAL) "," TOKEN("[SEP]", SPECIAL) "]";
  assert_pieces(added, LOWER, NULL, "[CLS] My name is Anthony [SEP]",
                PIECES("[CLS]", "my", "name", " is anthony ", "[SEP]"));
}

static void single_words(void **state) {
  (void)state;
  static const char added[] = "[" TOKEN("<mask>", ", \"single_word\": true") "]";
  assert_pieces(added, LOWER, NULL, "<mask> My name <mask> A<mask> <mask>ony <mask>",
                PIECES("<mask>", " my name ", "<mask>", " a<mask> <mask>ony ", "<mask>"));
  assert_pieces(added, LOWER, NULL, "<mask>, <mask>- \xE2\x97\x8C\xCC\xB0<mask>",
                PIECES("<mask>", ", ", "<mask>", "- \xE2\x97\x8C\xCC\xB0<mask>"));
}

static void unicode_spaces(void **state) {
  (void)state;
  static const char added[] = "[" TOKEN("<mask>", ", \"lstrip\": true, \"rstrip\": true, \"single_word\": true") "]";
  assert_pieces(added, LOWER, NULL, "Hi <mask> there\t<mask>\t<mask>\xE2\x80\x80",
                PIECES("hi", "<mask>", "there", "<mask>", "<mask>"));
}

static void longest_of_several(void **state) {
  (void)state;
  static const char added[] = "[" TOKEN("<a>", SPECIAL) "," TOKEN("<a><b>", SPECIAL) "," TOKEN("Yes", "") "]";
  assert_pieces(added, LOWER, NULL, "<a><b><a>yES<A>", PIECES("<a><b>", "<a>", "Yes", "<a>"));
}

/* tokenizers gives the ids anew; a file whose ids are others is another tokenizer. */
static void bad_added_tokens(void **state) {
  (void)state;
  refuse_parts("[{\"id\": 1, \"content\": \"a\"}]", NULL, NULL, NULL, "token \"a\" has id 1, expected 0");
  refuse_parts("[{\"id\": 3, \"content\": \"c\"}]", NULL, NULL, NULL, "token \"c\" has id 3, expected 2");
  refuse_parts("[{\"id\": 2, \"content\": \"c\"}, {\"id\": 2, \"content\": \"d\"}]", NULL, NULL, NULL,
               "token \"d\" has id 2, expected 3");
  refuse_parts("[{\"id\": 4294967296, \"content\": \"c\"}]", NULL, NULL, NULL, "key 'id' is 4294967296");
  refuse_parts("[{\"id\": null, \"content\": \"c\"}]", NULL, NULL, NULL, "key 'id' is null, expected an id");
  refuse_parts("[{\"id\": 2, \"content\": \"\"}]", NULL, NULL, NULL, "an added token is empty");
  refuse_parts("[{\"id\": 2}]", NULL, NULL, NULL, "key 'content' is missing");
  refuse_parts("[{\"id\": 2, \"content\": \"c\", \"color\": 1}]", NULL, NULL, NULL, "added_tokens[0]: key 'color'");
  refuse_parts("[{\"id\": 2, \"content\": \"c\"}, {\"id\": 2, \"content\": \"c\", \"lstrip\": true}]", NULL, NULL, NULL,
               "\"c\" comes twice with other settings");
  refuse_parts("[{\"id\": 2, \"content\": \" \"}]", "{\"type\": \"Strip\"}", NULL, NULL,
               "normal form of the added token");
}

/* ---- special tokens around a text -------------------------------------------------------------------------------- */

static void assert_around(const char *post, int n, const int *expected, int count) {
  tokenizer *t;
  int *ids, got;
  char path[512];
  attcert_error err = {.message = ""};
  write_pieces(NULL, NULL, "{\"type\": \"WhitespaceSplit\"}", post, PIECES("a", "b", "[CLS]", "[SEP]"));
  if (tokenizer_open(&t, temp_folder_shared.path, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_int_equal(tokenizer_adds_special(t), count > 3);
  temp_folder_write(&temp_folder_shared, "text", "a b a", 5);
  temp_folder_path(path, &temp_folder_shared, "text");
  assert_int_equal(tokenizer_sequence(&ids, &got, NULL, t, &(tokenizer_span){.n = n, .special = true}, path, NULL),
                   ATTCERT_OK);
  assert_int_equal(got, count);
  assert_memory_equal(ids, expected, (size_t)count * sizeof *ids);
  free(ids);
  assert_int_equal(
      tokenizer_sequence(&ids, &got, NULL, t, &(tokenizer_span){.n = count + 1, .special = true}, path, &err),
      ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "the text has 3"));
  assert_null(ids);
  tokenizer_close(t);
}

static void post_processors(void **state) {
  (void)state;
  static const char cls[] = "\"sep\": [\"[SEP]\", 3], \"cls\": [\"[CLS]\", 2]";
  static const int plain[] = {0, 1, 0}, both[] = {2, 0, 1, 0, 3}, twice[] = {2, 2, 3, 0, 1, 0, 3};
  char json[1024];
  assert_around(NULL, 0, plain, 3);
  assert_around("{\"type\": \"ByteLevel\", \"trim_offsets\": true}", 0, plain, 3);
  snprintf(json, sizeof json, "{\"type\": \"BertProcessing\", %s}", cls);
  assert_around(json, 0, both, 5);
  assert_around(json, 5, both, 5);
  snprintf(json, sizeof json,
           "{\"type\": \"RobertaProcessing\", %s, \"trim_offsets\": true, \"add_prefix_space\": false}", cls);
  assert_around(json, 0, both, 5);
  snprintf(
      json, sizeof json,
      "{\"type\": \"Sequence\", \"processors\": [{\"type\": \"ByteLevel\"}, {\"type\": \"TemplateProcessing\","
      " \"pair\": [], \"single\": [{\"SpecialToken\": {\"id\": \"x\", \"type_id\": 0}}, {\"Sequence\": {\"id\": \"A\","
      " \"type_id\": 0}}], \"special_tokens\": {\"x\": {\"id\": \"x\", \"ids\": [2, 3], \"tokens\": []}}},"
      " {\"type\": \"BertProcessing\", %s}]}",
      cls);
  assert_around(json, 0, twice, 7);
}

/* max_length counts special tokens, as in transformers. */
static void shortened_texts(void **state) {
  (void)state;
  static const char post[] = "{\"type\": \"BertProcessing\", \"sep\": [\"[SEP]\", 3], \"cls\": [\"[CLS]\", 2]}";
  tokenizer *t;
  int *ids, count;
  char path[512];
  attcert_error err;
  write_pieces(NULL, NULL, "{\"type\": \"WhitespaceSplit\"}", post, PIECES("a", "b", "[CLS]", "[SEP]"));
  assert_int_equal(tokenizer_open(&t, temp_folder_shared.path, NULL), ATTCERT_OK);
  temp_folder_write(&temp_folder_shared, "text", "a b a", 5);
  temp_folder_path(path, &temp_folder_shared, "text");
  assert_int_equal(tokenizer_sequence(&ids, &count, NULL, t, &(tokenizer_span){1, 4, true}, path, NULL), ATTCERT_OK);
  assert_int_equal(count, 4);
  assert_memory_equal(ids, ((const int[]){2, 1, 0, 3}), sizeof(int[4]));
  free(ids);
  assert_int_equal(tokenizer_sequence(&ids, &count, NULL, t, &(tokenizer_span){0, 2, true}, path, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "2 tokens, 2 of them special: expected at least 3"));
  assert_int_equal(tokenizer_sequence(&ids, &count, NULL, t, &(tokenizer_span){3, 0, true}, path, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "tokens from offset 3 on asked for, but the text has 3"));
  tokenizer_close(t);
}

static void bad_post_processors(void **state) {
  (void)state;
  refuse_parts(NULL, NULL, NULL, "{\"type\": \"Bow\"}", "post_processor: key 'type' is \"Bow\", expected");
  refuse_parts(NULL, NULL, NULL, "{\"type\": \"BertProcessing\", \"sep\": [\"a\", 0], \"cls\": [\"c\", 2]}",
               "special token 2 is not in the vocabulary");
  refuse_parts(NULL, NULL, NULL, "{\"type\": \"BertProcessing\", \"sep\": [\"a\"], \"cls\": [\"a\", 0]}", "key 'sep'");
#define SINGLE(single)                                           \
  "{\"type\": \"TemplateProcessing\", \"single\": [" single      \
  "], \"special_tokens\": {\"x\": {\"id\": \"x\", \"ids\": [1]," \
  " \"tokens\": []}, \"y\": {\"ids\": [-1]}}}"
#define TEXT "{\"Sequence\": {\"id\": \"A\", \"type_id\": 0}}"
  refuse_parts(NULL, NULL, NULL, SINGLE(""), "a template with the sequence \"A\"");
  refuse_parts(NULL, NULL, NULL, SINGLE(TEXT "," TEXT), "key 'id' is \"A\", expected \"A\", once");
  refuse_parts(NULL, NULL, NULL, SINGLE("{\"Sequence\": {\"id\": \"B\", \"type_id\": 0}}"), "key 'id' is \"B\"");
  refuse_parts(NULL, NULL, NULL, SINGLE("{\"Sequence\": {\"id\": \"A\", \"type_id\": 1}}"),
               "key 'type_id' is 1, expected 0");
  refuse_parts(NULL, NULL, NULL, SINGLE(TEXT ", {\"SpecialToken\": {\"id\": \"z\", \"type_id\": 0}}"),
               "key 'z' is missing");
  refuse_parts(NULL, NULL, NULL, SINGLE(TEXT ", {\"SpecialToken\": {\"id\": \"y\", \"type_id\": 0}}"), "integers >= 0");
  refuse_parts(NULL, NULL, NULL, SINGLE(TEXT ", 7"), "post_processor.single[1] is 7");
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static void write_json(const char *text) {
  temp_folder_write(&temp_folder_shared, "tokenizer.json", text, strlen(text));
}

#define MODEL "\"model\": {\"type\": \"WordLevel\", \"vocab\": {\"a\": 0, \"b\": 1, \"c\": 2}}"

static void truncation_and_padding(void **state) {
  (void)state;
  write_json(
      "{\"truncation\": {\"direction\": \"Right\", \"max_length\": 2, \"strategy\": \"LongestFirst\", \"stride\": 0},"
      " \"padding\": {\"strategy\": {\"Fixed\": 8}, \"pad_id\": 0}, \"pre_tokenizer\": {\"type\": "
      "\"WhitespaceSplit\"}, " MODEL "}");
  assert_tokens(temp_folder_shared.path, "a b", 0, 1);
  assert_text_refused(temp_folder_shared.path, "a b c", "3 tokens: the tokenizer truncates to 2");
  write_json("{\"truncation\": {\"max_length\": 0}, " MODEL "}");
  assert_tokenizer_refused(temp_folder_shared.path, "key 'max_length' is 0");
}

static void bad_files(void **state) {
  (void)state;
  static const struct {
    const char *text, *fragment;
  } bad[] = {{"{\"version\": \"2.0\", " MODEL "}", "key 'version' is \"2.0\", expected \"1.0\""},
             {"{\"speed\": 1, " MODEL "}", "key 'speed' is 1, expected no such key"},
             {"{}", "key 'model' is missing, expected an object"},
             {"", "expected UTF-8 JSON"},
             {"[]", "expected a JSON object"},
             {"{\"model\": {\"vocab\": {\"\\u0000\": 0}}}", "expected UTF-8 JSON"},
             {"{\"model\": \xFF}", "expected UTF-8 JSON"},
             {"{\"model\": {\"type\": \"WordLevel\", \"vocab\": {\"a\": 0, \"a\": 1}}}", "duplicate"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    write_json(bad[i].text);
    assert_tokenizer_refused(temp_folder_shared.path, bad[i].fragment);
  }
}

/* ---- the files beside it ----------------------------------------------------------------------------------------- */

static void assert_beside(const char *name, const char *text, const char *fragment) {
  temp_folder_write(&temp_folder_shared, name, text, strlen(text));
  if (fragment != NULL)
    assert_tokenizer_refused(temp_folder_shared.path, fragment);
  else
    assert_tokens(temp_folder_shared.path, "a", 0);
  char path[512];
  remove(temp_folder_path(path, &temp_folder_shared, name));
}

static void files_beside(void **state) {
  (void)state;
  static const char post[] = "{\"type\": \"BertProcessing\", \"sep\": [\"b\", 1], \"cls\": [\"b\", 1]}";
  write_pieces("[" TOKEN("b", SPECIAL) "]",
               "{\"type\": \"BertNormalizer\", \"lowercase\": true, \"strip_accents\": null}",
               "{\"type\": \"BertPreTokenizer\"}", post, PIECES("a", "b"));
  assert_beside("tokenizer_config.json", "{\"do_lower_case\": true, \"strip_accents\": null, \"cls_token\": \"b\"}",
                NULL);
  assert_beside("tokenizer_config.json", "{\"do_lower_case\": false}", "key 'do_lower_case' is false, expected what");
  assert_beside("tokenizer_config.json", "{\"strip_accents\": false}", "key 'strip_accents' is false, expected what");
  assert_beside("tokenizer_config.json", "{\"add_eos_token\": false}", "key 'add_eos_token' is false, expected what");
  assert_beside("tokenizer_config.json", "{\"add_bos_token\": false}", "key 'add_bos_token' is false, expected what");
  assert_beside("tokenizer_config.json", "{\"split_special_tokens\": true}", "key 'split_special_tokens' is true");
  assert_beside("tokenizer_config.json", "{\"cls_token\": \"c\"}",
                "the token \"c\" is no added token of tokenizer.json");
  assert_beside("tokenizer_config.json", "{\"added_tokens_decoder\": {\"1\": {\"content\": \"b\"}}}", NULL);
  assert_beside("tokenizer_config.json", "{\"added_tokens_decoder\": {\"2\": {\"content\": \"b\"}}}",
                "the token \"b\" is no");
  assert_beside("special_tokens_map.json", "{\"sep_token\": {\"content\": \"b\"}}", NULL);
  assert_beside("special_tokens_map.json", "{\"sep_token\": {\"content\": \"d\"}}",
                "the token \"d\" is no added token");
  assert_beside("special_tokens_map.json", "{\"additional_special_tokens\": [\"b\", \"e\"]}",
                "the token \"e\" is no added");
  assert_beside("added_tokens.json", "{\"b\": 1}", NULL);
  assert_beside("added_tokens.json", "{\"b\": 2}", "the token \"b\" is no added token");
  assert_beside("added_tokens.json", "{", "expected UTF-8 JSON");
}

static void assert_class(const char *config, const char *model, const char *fragment) {
  char path[512];
  temp_folder_write(&temp_folder_shared, "config.json", model, strlen(model));
  assert_beside("tokenizer_config.json", config, fragment);
  remove(temp_folder_path(path, &temp_folder_shared, "config.json"));
}

/* A class of transformers overrides tokenizer.json by its defaults, where tokenizer_config.json is silent. */
static void defaults_of_classes(void **state) {
  (void)state;
#define CASED "{\"type\": \"BertNormalizer\", \"lowercase\": false, \"strip_accents\": null}"
  static const char silent[] = "key 'lowercase' is false, expected true, which transformers takes where";
  write_pieces(NULL, CASED, NULL, NULL, PIECES("a"));
  assert_class("{}", "{\"model_type\": \"bert\"}", silent);
  assert_class("{\"tokenizer_class\": \"BertTokenizerFast\"}", "{}", silent);
  assert_class("{\"tokenizer_class\": \"ElectraTokenizer\"}", "{}", silent);
  assert_class("{\"do_lower_case\": false}", "{\"model_type\": \"bert\"}", NULL);
  assert_class("{\"tokenizer_class\": \"PreTrainedTokenizerFast\"}", "{\"model_type\": \"bert\"}", NULL);
  write_pieces(NULL, "{\"type\": \"BertNormalizer\", \"lowercase\": true, \"strip_accents\": false}", NULL, NULL,
               PIECES("a"));
  assert_class("{}", "{\"model_type\": \"distilbert\"}", "key 'strip_accents' is false, expected true");
  assert_class("{\"strip_accents\": false}", "{\"model_type\": \"distilbert\"}", NULL);
  write_pieces(NULL, "{\"type\": \"BertNormalizer\", \"handle_chinese_chars\": false}", NULL, NULL, PIECES("a"));
  assert_class("{}", "{\"model_type\": \"bert\"}", "key 'handle_chinese_chars' is false, expected true");
  write_pieces(NULL, NULL, "{\"type\": \"ByteLevel\", \"add_prefix_space\": true}", NULL, PIECES("a", "Ġa"));
  assert_class("{}", "{\"model_type\": \"gpt2\"}", "key 'add_prefix_space' is true, expected false");
  assert_class("{\"tokenizer_class\": \"RobertaTokenizer\"}", "{}", "key 'add_prefix_space' is true, expected false");
  write_pieces(NULL, NULL, "{\"type\": \"ByteLevel\", \"add_prefix_space\": false}", NULL, PIECES("a"));
  assert_class("{}", "{\"model_type\": \"gpt2\"}", NULL);
  assert_class("{}", "{\"model_type\": \"siglip\"}", "tokenizer_class is SiglipTokenizer, which drops punctuation");
  assert_class("{}", "{\"model_type\": \"siglip_text_model\"}", "expected token ids instead of text");
  assert_class("{\"tokenizer_class\": \"SiglipTokenizer\"}", "{}", "drops punctuation");
  assert_class("{\"tokenizer_class\": \"GemmaTokenizerFast\"}", "{\"model_type\": \"siglip\"}", NULL);
}

/* A file like CLIP's: lower case, words that end with </w>, a token around the text at each end. */
static void words_with_ends(void **state) {
  (void)state;
  temp_folder_empty(&temp_folder_shared);
  tokenizer_json_write_text(
      &temp_folder_shared,
      "[{\"id\": 11, \"content\": \"<start>\", \"special\": true, \"normalized\": false}, {\"id\": 12, \"content\": "
      "\"<end>\", \"special\": true, \"normalized\": false}]",
      "{\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"NFC\"}, {\"type\": \"Replace\", \"pattern\": "
      "{\"Regex\": "
      "\"\\\\s+\"}, \"content\": \" \"}, {\"type\": \"Lowercase\"}]}",
      "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"Split\", \"pattern\": {\"Regex\": "
      "\"'s|'t|'re|'ve|'m|'ll|'d|[\\\\p{L}]+|[\\\\p{N}]|[^\\\\s\\\\p{L}\\\\p{N}]+\"}, \"behavior\": \"Removed\", "
      "\"invert\": true}, {\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"trim_offsets\": true}]}",
      "{\"type\": \"RobertaProcessing\", \"sep\": [\"<end>\", 12], \"cls\": [\"<start>\", 11], \"trim_offsets\": "
      "false, "
      "\"add_prefix_space\": false}",
      "{\"type\": \"BPE\", \"dropout\": null, \"unk_token\": \"<end>\", \"continuing_subword_prefix\": \"\", "
      "\"end_of_word_suffix\": \"</w>\", \"fuse_unk\": false, \"vocab\": {\"a\": 0, \"c\": 1, \"t\": 2, \"'\": 3, "
      "\"s\": "
      "4, \"a</w>\": 5, \"t</w>\": 6, \"s</w>\": 7, \"at</w>\": 8, \"cat</w>\": 9, \"'s</w>\": 10, \"<start>\": 11, "
      "\"<end>\": 12, \"c</w>\": 13}, \"merges\": [\"a t</w>\", \"c at</w>\", \"' s</w>\"]}");
  assert_tokens(temp_folder_shared.path, "A \t CAT's cats c", 5, 9, 10, 1, 0, 2, 7, 13);
  assert_special_tokens(temp_folder_shared.path, "cat", 11, 9, 12);
  assert_tokens(temp_folder_shared.path, "cz", 1, 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(special_and_other_tokens),
      cmocka_unit_test(settings_of_added_tokens),
      cmocka_unit_test(single_words),
      cmocka_unit_test(unicode_spaces),
      cmocka_unit_test(longest_of_several),
      cmocka_unit_test(bad_added_tokens),
      cmocka_unit_test(post_processors),
      cmocka_unit_test(shortened_texts),
      cmocka_unit_test(bad_post_processors),
      cmocka_unit_test(truncation_and_padding),
      cmocka_unit_test(bad_files),
      cmocka_unit_test(files_beside),
      cmocka_unit_test(defaults_of_classes),
      cmocka_unit_test(words_with_ends),
  };
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
