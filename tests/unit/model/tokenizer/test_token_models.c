/* Models of tokenizer.json against the ids that huggingface/tokenizers' own tests publish (model.rs of its models). */
#include "model/tokenizer/model/serde_number.h"
#include "temp_folder.h"
#include "tokenizer_assert.h"
#include "tokenizer_json_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* A folder with this model and nothing else; returns its path. */
static const char *with_model(const char *model) {
  tokenizer_json_write_text(&temp_folder_shared, NULL, NULL, NULL, NULL, model);
  return temp_folder_shared.path;
}

static void refuse(const char *model, const char *fragment) {
  assert_tokenizer_refused(with_model(model), fragment);
}

/* ---- byte-pair encoding ------------------------------------------------------------------------------------------ */

/* tests test_unk_not_fused, test_unk_get_fused */
static void unknown_characters(void **state) {
  (void)state;
#define UNK_MODEL(rest) "{\"type\": \"BPE\", \"vocab\": {\"<unk>\": 0, \"a\": 1, \"b\": 2}, \"merges\": [], " rest "}"
  const char *path = with_model(UNK_MODEL("\"unk_token\": \"<unk>\", \"fuse_unk\": false"));
  assert_tokens(path, "c", 0);
  assert_tokens(path, "cc", 0, 0);
  assert_tokens(path, "accb", 1, 0, 0, 2);
  path = with_model(UNK_MODEL("\"unk_token\": \"<unk>\", \"fuse_unk\": true"));
  assert_tokens(path, "c", 0);
  assert_tokens(path, "cc", 0);
  assert_tokens(path, "accb", 1, 0, 2);
  path = with_model(UNK_MODEL("\"unk_token\": null"));
  assert_tokens(path, "accb", 1, 2); /* tokenizers drops them */
  path = with_model(UNK_MODEL("\"unk_token\": \"\""));
  assert_tokens(path, "ab", 1, 2);
  path = with_model(UNK_MODEL("\"unk_token\": \"<none>\""));
  assert_text_refused(path, "abc", "\"c\" has no token, and the vocabulary has no \"<none>\"");
}

/* test_tokenize_with_and_without_dropout */
static void merges_by_rank(void **state) {
  (void)state;
#define UNRELATED                                                                                                     \
  "\"vocab\": {\"u\": 0, \"n\": 1, \"r\": 2, \"e\": 3, \"l\": 4, \"a\": 5, \"t\": 6, \"d\": 7, \"re\": 8, \"at\": 9," \
  " \"ed\": 10, \"un\": 11, \"ated\": 12, \"rel\": 13, \"related\": 14, \"unrelated\": 15}, \"merges\": [\"r e\","    \
  " \"a t\", \"e d\", \"u n\", \"at ed\", \"re l\", \"rel ated\", \"un related\"]}"
  const char *path = with_model("{\"type\": \"BPE\", \"dropout\": null, " UNRELATED);
  assert_tokens(path, "unrelated", 15);
  assert_tokens(path, "relate", 13, 9, 3);
  assert_tokens(with_model("{\"type\": \"BPE\", \"dropout\": 0.0, " UNRELATED), "unrelated", 15);
  refuse("{\"type\": \"BPE\", \"dropout\": 0.5, " UNRELATED, "key 'dropout' is a number with a fraction");
}

/* test_bpe_with_continuing_subword_prefix; the suffix as in CLIP's vocabulary */
static void affixes(void **state) {
  (void)state;
  const char *path =
      with_model("{\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"##b\": 1, \"##c\": 2, \"ab\": 3, \"abc\": 4},"
                 " \"merges\": [[\"a\", \"##b\"], [\"ab\", \"##c\"]], \"unk_token\": \"[UNK]\","
                 " \"continuing_subword_prefix\": \"##\"}");
  assert_tokens(path, "ab", 3);
  assert_tokens(path, "abc", 4);
  path = with_model("{\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"b</w>\": 1, \"ab</w>\": 2, \"b\": 3, \"a</w>\": 4},"
                    " \"merges\": [\"a b</w>\"], \"end_of_word_suffix\": \"</w>\"}");
  assert_tokens(path, "ab", 2);
  assert_tokens(path, "ba", 3, 4);
  assert_tokens(path, "aab", 0, 2);
}

/* test_bpe_byte_fallback, test_bpe_byte_fallback_newline */
static void bytes_for_unknown_characters(void **state) {
  (void)state;
  const char *path = with_model("{\"type\": \"BPE\", \"vocab\": {\"<unk>\": 0, \"<0x61>\": 1}, \"merges\": [],"
                                " \"unk_token\": \"<unk>\", \"byte_fallback\": true}");
  assert_tokens(path, "c", 0);
  assert_tokens(path, "a", 1);
  assert_text_refused(path, "ca", "tokenizers orders the two otherwise");
  path = with_model("{\"type\": \"BPE\", \"vocab\": {\"<unk>\": 0, \"<0x0A>\": 1}, \"merges\": [],"
                    " \"unk_token\": \"<unk>\", \"byte_fallback\": true}");
  assert_tokens(path, "\n", 1);
  refuse("{\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": [], \"byte_fallback\": true,"
         " \"end_of_word_suffix\": \"</w>\"}",
         "key 'byte_fallback' is true");
}

/* test_ignore_merges */
static void ignoring_merges(void **state) {
  (void)state;
#define IGNORE(flag)                                                                                                   \
  "{\"type\": \"BPE\", \"ignore_merges\": " flag ", \"vocab\": {\".:.:\": 0, \"Ġbelirtilen\": 1, \".\": 2, \":\": 3," \
  " \"bel\": 4, \"irtilen\": 5, \"Ġ\": 6, \".:\": 7, \"belirtilen\": 8, \".:.\": 9, \"be\": 10, \"l\": 11, \"ir\":"   \
  " 12, \"ti\": 13, \"en\": 14, \"irtil\": 15, \"irti\": 16, \"i\": 17, \"r\": 18, \"t\": 19, \"b\": 20, \"e\": 21,"   \
  " \"n\": 22}, \"merges\": [\". :\", \"b e\", \"be l\", \"i r\", \"t i\", \"ir ti\", \"e n\", \"irti l\"]}"
  const char *path = with_model(IGNORE("true"));
  assert_tokens(path, ".:.:", 0);
  assert_tokens(path, "Ġbelirtilen", 1);
  path = with_model(IGNORE("false"));
  assert_tokens(path, ".:.:", 7, 7);
  assert_tokens(path, "Ġbelirtilen", 6, 4, 15, 14);
}

static void bad_bpe(void **state) {
  (void)state;
#define BAD(merges) "{\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"b\": 1, \"ab\": 2}, \"merges\": " merges "}"
  refuse(BAD("[\"a b\", \"a d\"]"), "merge 2: token \"d\" is not in the vocabulary");
  refuse(BAD("[\"b a\"]"), "merge 1: token \"ba\" is not in the vocabulary");
  refuse(BAD("[\"a b\", \"ab\"]"), "merges[1] is something else");
  refuse(BAD("[\"a b\", \"a b c\"]"), "merges[1] is something else");
  refuse(BAD("[[\"a\", \"b\", \"c\"]]"), "merges[0] is something else");
  refuse(BAD("[[\"a\", 1]]"), "merges[0] is something else");
  refuse(BAD("[\"a b\", [\"a\", \"b\"]]"), "merges 1 and 2 are the same");
  refuse(BAD("{}"), "key 'merges' is an object, expected an array");
  refuse("{\"type\": \"BPE\", \"vocab\": {\"a\": 99999999999}, \"merges\": []}", "key 'a' is 99999999999");
  refuse("{\"type\": \"BPE\", \"vocab\": {\"a\": -1}, \"merges\": []}", "key 'a' is -1");
  refuse("{\"type\": \"BPE\", \"vocab\": {\"a\": 1, \"b\": 1}, \"merges\": []}", "have the same id 1");
  refuse("{\"type\": \"BPE\", \"vocab\": {}, \"merges\": []}", "empty vocabulary");
  refuse("{\"type\": \"BPE\", \"vocab\": [], \"merges\": []}", "key 'vocab' is an array, expected an object");
  refuse("{\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": [], \"temperature\": 1}", "key 'temperature' is 1");
  refuse("{\"type\": \"Markov\", \"vocab\": {\"a\": 0}}", "model: key 'type' is \"Markov\", expected BPE");
  refuse("{\"vocab\": {\"a\": 0}}", "model: key 'type' is missing");
}

/* Of a a a a .. every other pair merges, then pairs of pairs: a megabyte takes less than a second. */
static void a_long_piece(void **state) {
  (void)state;
  enum { LENGTH = 1 << 20 };
  tokenizer *t;
  int *ids, count;
  char *const text = malloc(LENGTH);
  assert_non_null(text);
  memset(text, 'a', LENGTH);
  with_model("{\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"aa\": 1, \"aaaa\": 2, \"aaaaaaaa\": 3},"
             " \"merges\": [\"a a\", \"aa aa\", \"aaaa aaaa\"]}");
  assert_int_equal(tokenizer_open(&t, temp_folder_shared.path, NULL), ATTCERT_OK);
  const clock_t start = clock();
  assert_int_equal(tokens_of_text(&ids, &count, t, text, LENGTH, false, NULL), ATTCERT_OK);
  const double taken = (double)(clock() - start) / CLOCKS_PER_SEC;
  print_message("a piece of 1 MiB in %.2f s\n", taken);
  assert_int_equal(count, LENGTH / 8);
  for (int i = 0; i < count; i++) assert_int_equal(ids[i], 3);
  assert_true(taken < 30); /* also under sanitizers, on a busy machine */
  free(ids);
  free(text);
  tokenizer_close(t);
}

/* ---- Unigram ----------------------------------------------------------------------------------------------------- */

/* the documentation of Unigram::encode; test_encode */
static void likeliest_tokens(void **state) {
  (void)state;
  const char *const path =
      with_model("{\"type\": \"Unigram\", \"unk_id\": 0, \"vocab\": [[\"<unk>\", 0], [\"a\", 0.0],"
                 " [\"b\", 0.0], [\"c\", 0.0], [\"d\", 0.0], [\"cd\", 1.0], [\"ab\", 2.0], [\"abc\","
                 " 5.0], [\"abcd\", 10.0]]}");
  assert_tokens(path, "abcd", 8);
  assert_tokens(path, "abcdacdxx", 8, 1, 5, 0);
}

/* test_encode2 */
static void likeliest_tokens_of_many(void **state) {
  (void)state;
  enum { UNK, AB, CD, ABC, A, B, C, CAPITALS, LONG, Q, R, QR };
  const char *const path = with_model(
      "{\"type\": \"Unigram\", \"unk_id\": 0, \"byte_fallback\": false, \"vocab\": [[\"<unk>\", 0.0], [\"ab\", 0.0],"
      " [\"cd\", -0.1], [\"abc\", -0.2], [\"a\", -0.3], [\"b\", -0.4], [\"c\", -0.5], [\"ABC\", -0.5], [\"abcdabcd\", "
      "20.0],"
      " [\"q\", 20.5], [\"r\", 20.5], [\"qr\", -0.5]]}");
  assert_tokens(path, "abc", ABC);
  assert_tokens(path, "AB", UNK);
  assert_tokens(path, "abcd", AB, CD);
  assert_tokens(path, "abcc", ABC, C);
  assert_tokens(path, "xabcabaabcdd", UNK, ABC, AB, A, AB, CD, UNK);
  assert_tokens(path, "xyz東京", UNK);
  assert_tokens(path, "ABC", CAPITALS);
  assert_tokens(path, "abABCcd", AB, CAPITALS, CD);
  assert_tokens(path, "ababcdabcdcd", AB, LONG, CD);
  assert_tokens(path, "abqrcd", AB, Q, R, CD);
}

/* test_unigram_bytefallback: of a token that comes twice the later one counts */
static void bytes_of_unknown_runs(void **state) {
  (void)state;
  const char *const path = with_model(
      "{\"type\": \"Unigram\", \"unk_id\": 0, \"byte_fallback\": true, \"vocab\": [[\"<unk>\", 0.0], [\"<0xE2>\", "
      "-0.01],"
      " [\"<0x85>\", -0.02], [\"<0xE2>\", -0.03], [\"<0x90>\", -0.04], [\"<0x91>\", -0.05], [\"<0x9B>\", -0.06],"
      " [\"Hello\", -0.1], [\"how\", -0.2], [\"are\", -0.3], [\" \", -0.4]]}");
  assert_tokens(path, "Hello⅐how are⅑⅑", 7, 3, 2, 4, 8, 10, 9, 3, 2, 5, 3, 2, 5);
  assert_tokens(path, " unknown‰", 10, 0);
}

/* As reports on serde_json say: launchdarkly/rust-server-sdk 184, vectordotdev/vrl 755, tests of sindit-senml. */
static void numbers_of_serde_json(void **state) {
  (void)state;
  assert_true(serde_number(130.65331632653061) == 130.6533163265306);
  assert_true(serde_number(1626175065.5934923) == 1626175065.5934925);
  assert_true(serde_number(97.45365320034685) == 97.45365320034684);
  assert_true(serde_number(-97.45365320034685) == -97.45365320034684);
  assert_true(serde_number(17.922589369123898) == 17.922589369123898);
  static const double same[] = {0, -0.0, 1, -0.1, 1e-5, 1e22, -3.25, 123456789012345, 20.5, -10};
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) assert_true(serde_number(same[i]) == same[i]);
}

/* x a aa aa, x aa a aa and x aa aa a have the same scores; what is a unit in the last place off decides. */
static void cuts_with_equal_scores(void **state) {
  (void)state;
  const char *const path =
      with_model("{\"type\": \"Unigram\", \"unk_id\": 0, \"vocab\": [[\"<unk>\", 0.0], [\"x\", -2.340169668197632],"
                 " [\"a\", -12.029181480407715], [\"aa\", -18.043771743774414]]}");
  assert_tokens(path, "xaaaaa", 1, 3, 3, 2);
}

static void bad_unigram(void **state) {
  (void)state;
  refuse("{\"type\": \"Unigram\", \"vocab\": [[\"a\"]]}", "vocab[0] is something else");
  refuse("{\"type\": \"Unigram\", \"vocab\": [[\"a\", \"b\"]]}", "vocab[0] is something else");
  refuse("{\"type\": \"Unigram\", \"vocab\": [[\"a\", 0.5], 3]}", "vocab[1] is something else");
  refuse("{\"type\": \"Unigram\", \"vocab\": []}", "empty vocabulary");
  refuse("{\"type\": \"Unigram\", \"unk_id\": 1, \"vocab\": [[\"a\", 0.5]]}", "key 'unk_id' is 1, expected an integer");
  refuse("{\"type\": \"Unigram\", \"unk_id\": 0, \"alpha\": 0.1, \"vocab\": [[\"a\", 0.5]]}", "key 'alpha'");
  assert_text_refused(with_model("{\"type\": \"Unigram\", \"vocab\": [[\"a\", 0.5]]}"), "ab", "\"b\" has no token");
}

/* ---- WordPiece, WordLevel ---------------------------------------------------------------------------------------- */

static void words(void **state) {
  (void)state;
  const char *path =
      with_model("{\"type\": \"WordPiece\", \"unk_token\": \"?\", \"continuing_subword_prefix\": \"@\","
                 " \"max_input_chars_per_word\": 5, \"vocab\": {\"?\": 0, \"ab\": 1, \"@c\": 2, \"@cd\": 3,"
                 " \"c\": 4}}");
  assert_tokens(path, "abcd", 1, 3);
  assert_tokens(path, "abccd", 1, 2, 3);
  assert_tokens(path, "abcccd", 0); /* six characters */
  assert_tokens(path, "cab", 0);
  path = with_model("{\"type\": \"WordPiece\", \"vocab\": {\"a\": 0}, \"max_input_chars_per_word\": 5}");
  assert_text_refused(path, "b", "has no token, and the vocabulary has no \"[UNK]\"");
  path = with_model("{\"type\": \"WordLevel\", \"unk_token\": \"?\", \"vocab\": {\"?\": 5, \"ab\": 7}}");
  assert_tokens(path, "ab", 7);
  assert_tokens(path, "abc", 5);
  assert_text_refused(with_model("{\"type\": \"WordLevel\", \"unk_token\": \"?\", \"vocab\": {\"ab\": 7}}"), "b",
                      "has no token");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unknown_characters),
      cmocka_unit_test(merges_by_rank),
      cmocka_unit_test(affixes),
      cmocka_unit_test(bytes_for_unknown_characters),
      cmocka_unit_test(ignoring_merges),
      cmocka_unit_test(bad_bpe),
      cmocka_unit_test(a_long_piece),
      cmocka_unit_test(likeliest_tokens),
      cmocka_unit_test(likeliest_tokens_of_many),
      cmocka_unit_test(bytes_of_unknown_runs),
      cmocka_unit_test(numbers_of_serde_json),
      cmocka_unit_test(cuts_with_equal_scores),
      cmocka_unit_test(bad_unigram),
      cmocka_unit_test(words),
  };
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
