/* Byte-level BPE on merges of the test's own, and on GPT-2's. */
#include "model/tokenizer/model/bpe_merges_file.h"
#include "model/tokenizer/text/byte_symbol.h"
#include "model/tokenizer/text/text_file.h"
#include "model/tokenizer/tokenizer.h"
#include "model/tokenizer/vocabulary/vocabulary.h"
#include "random_source.h"
#include "temp_folder.h"
#include "test_data.h"
#include "tokenizer_assert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* GPT-2's ids of single bytes: the visible ASCII characters come first. */
enum { VISIBLE = '!', SPACE_BYTE = 220, NEWLINE_BYTE = 198, HE = 256, LL, HELL, HELLO, SPACE_HELLO, AA, END };
static const char merges[] = "#version: 0.2\nh e\nl l\nhe ll\nhell o\nĠ hello\na a\n";

static int byte_id(char visible) {
  return visible - VISIBLE;
}

static temp_folder folder;
static char path[512];

static int write_merges(void **state) {
  (void)state;
  temp_folder_init(&folder);
  temp_folder_write(&folder, "tiny.bpe", merges, strlen(merges));
  temp_folder_path(path, &folder, "tiny.bpe");
  return 0;
}

static int remove_merges(void **state) {
  (void)state;
  temp_folder_clear(&folder);
  return 0;
}

/* ---- merges ------------------------------------------------------------------------------------------------------ */

static void byte_symbols_are_a_bijection(void **state) {
  (void)state;
  byte_symbol symbol[256];
  bool seen[256] = {false};
  byte_symbols(symbol);
  for (int i = 0; i < 256; i++) {
    assert_false(seen[symbol[i].byte]);
    seen[symbol[i].byte] = true;
    for (int j = 0; j < i; j++) assert_string_not_equal(symbol[i].spelling, symbol[j].spelling);
  }
  assert_string_equal(symbol[SPACE_BYTE].spelling, "Ġ");
  assert_int_equal(symbol[SPACE_BYTE].byte, ' ');
  assert_int_equal(symbol[NEWLINE_BYTE].byte, '\n');
}

static void merges_by_rank(void **state) {
  (void)state;
  assert_tokens(path, "hello hello", HELLO, SPACE_HELLO);
  assert_tokens(path, "hell", HELL);
  assert_tokens(path, "lll", LL, byte_id('l')); /* of overlapping pairs the left one */
  assert_tokens(path, "aaaaa", AA, AA, byte_id('a'));
  assert_no_tokens(path, "");
}

/* Replaces every pair from left to right: the number of tokens left. */
static int replace_pairs(int *token, int count, int left, int right, int merged) {
  int kept = 0;
  for (int i = 0; i < count; i++, kept++) {
    const bool pair = i + 1 < count && token[i] == left && token[i + 1] == right;
    token[kept] = pair ? merged : token[i];
    if (pair) i++;
  }
  return kept;
}

/* In a word, one pass over the text a merge, in the order of the merges, gives the same tokens: a later merge never
 * makes a pair of an earlier one, since it makes a token that the earlier ones do not know. */
static void equals_one_pass_a_merge(void **state) {
  (void)state;
  const struct {
    int left, right, merged;
  } merge[] = {{byte_id('h'), byte_id('e'), HE},
               {byte_id('l'), byte_id('l'), LL},
               {HE, LL, HELL},
               {HELL, byte_id('o'), HELLO},
               {byte_id('a'), byte_id('a'), AA}};
  random_source random = random_source_make(1, 0, 0);
  for (int trial = 0; trial < 500; trial++) {
    char text[32] = {0};
    int expected[32], count = 1 + random_integer(&random, 0, 29);
    for (int i = 0; i < count; i++) {
      text[i] = "helao"[random_integer(&random, 0, 4)];
      expected[i] = byte_id(text[i]);
    }
    for (size_t m = 0; m < sizeof merge / sizeof merge[0]; m++)
      count = replace_pairs(expected, count, merge[m].left, merge[m].right, merge[m].merged);
    assert_token_list(path, text, expected, count);
  }
}

static void bytes_of_one_character(void **state) {
  (void)state;
  assert_tokens(path, "\xC3\xA9", 0xC3 - 0xAE + 106, 0xA9 - 0xA1 + 94); /* the visible Latin-1 bytes follow ASCII */
}

/* ---- pre-tokenisation: a piece of the pattern is never merged with the next -------------------------------------- */

static void spaces_go_with_the_next_word(void **state) {
  (void)state;
  assert_tokens(path, "  hello", SPACE_BYTE, SPACE_HELLO); /* \s+(?!\S) leaves one space to the word */
  assert_tokens(path, "hello  ", HELLO, SPACE_BYTE, SPACE_BYTE);
  assert_tokens(path, "hello\nhello", HELLO, NEWLINE_BYTE, HELLO);
}

static void digits_end_words(void **state) {
  (void)state;
  assert_tokens(path, "he1llo", HE, byte_id('1'), LL, byte_id('o'));
  assert_tokens(path, "he'llo", HE, byte_id('\''), LL, byte_id('o')); /* 'll is a contraction, then o */
}

/* ---- bad files --------------------------------------------------------------------------------------------------- */

static void refuse_merges(const char *content, const char *fragment) {
  char bad[512];
  temp_folder_write(&folder, "bad.bpe", content, strlen(content));
  assert_tokenizer_refused(temp_folder_path(bad, &folder, "bad.bpe"), fragment);
}

static void bad_merges(void **state) {
  (void)state;
  refuse_merges("#version\nh e\nhello\n", "line 3 is \"hello\", expected two tokens");
  refuse_merges("#version\nh e l\n", "line 2 is \"h e l\"");
  refuse_merges("#version\nh e\n\nl l\n", "line 3 is \"\"");
  refuse_merges("#version\nh e\nxx y\n", "merge 2: token \"xx\" is not in the vocabulary");
  refuse_merges("#version\nh e\nh e\n", "\"he\" comes twice");
  refuse_merges("h e\nl l\n", "the first line is a merge"); /* transformers drops it, tokenizers does not */
  refuse_merges("", "the first line is a merge");
  refuse_merges("#version\nh e\nl l", "the last line does not end"); /* so does it with this one */
  refuse_merges("h \xFF\n", "offset 2 is not UTF-8");
  assert_text_refused(path, "hell\xFFo", "byte 0xff at offset 4 is not UTF-8");
}

/* A folder's vocab.json with the byte symbols and `rest`. */
static void write_vocabulary(const char *rest) {
  char json[8192];
  byte_symbol symbol[256];
  size_t length = (size_t)snprintf(json, sizeof json, "{");
  byte_symbols(symbol);
  for (int i = 0; i < 256; i++) {
    const char *const escape = symbol[i].byte == '"' || symbol[i].byte == '\\' ? "\\" : "";
    length += (size_t)snprintf(json + length, sizeof json - length, "\"%s%s\": %d, ", escape, symbol[i].spelling, i);
  }
  length += (size_t)snprintf(json + length, sizeof json - length, "%s}", rest);
  temp_folder_write(&folder, "vocab.json", json, length);
}

/* NULs behind "h": few, and more than lie behind the spelling in memory. */
static void nul_bytes(void **state) {
  (void)state;
  enum { NULS = 1000000 };
  vocabulary v;
  char *const bytes = calloc(NULS + 16, 1);
  assert_non_null(bytes);
  bytes[0] = 'h';
  assert_int_equal(bpe_vocabulary_from_merges(&v, path, NULL), ATTCERT_OK);
  assert_int_equal(vocabulary_find(&v, bytes, 1), byte_id('h'));
  assert_int_equal(vocabulary_find(&v, bytes, 17), -1);
  assert_int_equal(vocabulary_find(&v, bytes, NULS), -1);
  vocabulary_clear(&v);
  write_vocabulary("\"he\": 256");
  for (size_t nuls = 16; nuls <= NULS; nuls += NULS - 16) {
    memset(bytes, 0, NULS + 16);
    memcpy(bytes, "l l\nh", 5);
    memcpy(bytes + 5 + nuls, " e\n", 3);
    temp_folder_write(&folder, "merges.txt", bytes, nuls + 8);
    assert_tokenizer_refused(folder.path, "merges.txt: line 2 holds a NUL byte, expected text");
  }
  free(bytes);
}

static void folder_with_vocabulary(void **state) {
  (void)state;
  temp_folder_write(&folder, "merges.txt", "#version\nh e\n", 13);
  write_vocabulary("\"he\": 1000");
  assert_tokens(folder.path, "heh", 1000, byte_id('h')); /* ids need not be consecutive */
  write_vocabulary("\"eh\": 1000");
  assert_tokenizer_refused(folder.path, "token \"he\" is not in the vocabulary");
  write_vocabulary("\"he\": 0");
  assert_tokenizer_refused(folder.path, "same id 0");
  write_vocabulary("\"he\": 256, \"he\": 257");
  assert_tokenizer_refused(folder.path, "vocab.json");
  write_vocabulary("\"he\": -1");
  assert_tokenizer_refused(folder.path, "key 'he' is -1");
  temp_folder_write(&folder, "merges.txt", "#version\nh e\nh e\n", 17);
  write_vocabulary("\"he\": 256");
  assert_tokenizer_refused(folder.path, "merges 1 and 2 are the same");
  temp_folder_write(&folder, "vocab.json", "{\"he\": 0}", 9);
  assert_tokenizer_refused(folder.path, "expected a byte-level vocabulary");
}

/* ---- GPT-2 ------------------------------------------------------------------------------------------------------- */

static void gpt2_known_ids(void **state) {
  (void)state;
  char gpt2[512];
  test_data_path(gpt2, "tokenizer/vocab.bpe");
  assert_tokens(gpt2, "Hello world", 15496, 995);
  assert_tokens(gpt2, "Hello, world!", 15496, 11, 995, 0);
  assert_tokens(gpt2, " the", 262);
  assert_tokens(gpt2, "Hello, my dog is cute", 15496, 11, 616, 3290, 318, 13779);
  assert_tokens(gpt2, "I've", 40, 1053);
  assert_tokens(gpt2, "it's", 270, 338);
  assert_tokens(gpt2, "\xF0\x9F\x98\x80", 47249, 222);
  assert_tokens(gpt2, "\n\n", 628);
  assert_tokens(gpt2, "a\n\nb", 64, 198, 198, 65); /* \s+(?!\S) stops short of the last one */
}

/* The vocabulary implied by the merges is the published one: every token, every id. */
static void gpt2_vocabulary_follows_from_its_merges(void **state) {
  (void)state;
  char merges_path[512], json_path[512];
  test_data_path(merges_path, "tokenizer/vocab.bpe");
  test_data_path(json_path, "tokenizer/encoder_derived.json");
  vocabulary implied, published;
  assert_int_equal(bpe_vocabulary_from_merges(&implied, merges_path, NULL), ATTCERT_OK);
  assert_int_equal(vocabulary_read_json(&published, json_path, NULL), ATTCERT_OK);
  assert_int_equal(implied.count, 50257);
  assert_int_equal(published.count, implied.count);
  for (size_t i = 0; i < implied.count; i++) {
    assert_string_equal(implied.entry[i].token, published.entry[i].token);
    assert_int_equal(implied.entry[i].id, published.entry[i].id);
  }
  vocabulary_clear(&implied);
  vocabulary_clear(&published);
}

/* The code point of a one- or two-byte UTF-8 character. */
static int symbol_code(const char *s) {
  return (s[0] & 0x80) != 0 ? (s[0] & 0x1F) << 6 | (s[1] & 0x3F) : s[0];
}

/* The tokens' spellings in a row, symbol by symbol turned into bytes, are the text. */
static void assert_decodes(const vocabulary *v, const int *tokens, int count, const text_view *text) {
  byte_symbol symbol[256];
  unsigned char byte_of[0x200] = {0};
  const char **const spelling = calloc(v->count, sizeof *spelling);
  byte_symbols(symbol);
  for (int i = 0; i < 256; i++) byte_of[symbol_code(symbol[i].spelling)] = symbol[i].byte;
  for (size_t i = 0; i < v->count; i++) spelling[v->entry[i].id] = v->entry[i].token;
  size_t at = 0;
  for (int i = 0; i < count; i++) {
    for (const char *s = spelling[tokens[i]]; *s != '\0'; s += (*s & 0x80) != 0 ? 2 : 1, at++) {
      if (at >= text->length || byte_of[symbol_code(s)] != (unsigned char)text->data[at])
        fail_msg("token %d differs from the text at byte %zu", i, at);
    }
  }
  assert_int_equal(at, text->length);
  free(spelling);
}

static void gpt2_tokens_spell_the_text(void **state) {
  (void)state;
  char gpt2[512], alice[512];
  test_data_path(gpt2, "tokenizer/vocab.bpe");
  test_data_path(alice, "text/carroll-alice.txt");
  vocabulary v;
  tokenizer *t;
  text_file file;
  int *tokens, count;
  assert_int_equal(bpe_vocabulary_from_merges(&v, gpt2, NULL), ATTCERT_OK);
  assert_int_equal(tokenizer_open(&t, gpt2, NULL), ATTCERT_OK);
  assert_int_equal(text_file_open(&file, alice, NULL), ATTCERT_OK);
  assert_int_equal(tokens_of_text(&tokens, &count, t, file.text.data, file.text.length, false, NULL), ATTCERT_OK);
  assert_true(count < (int)file.text.length / 3); /* merging happened */
  assert_decodes(&v, tokens, count, &file.text);
  free(tokens);
  text_file_close(&file);
  tokenizer_close(t);
  vocabulary_clear(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(byte_symbols_are_a_bijection),
      cmocka_unit_test(merges_by_rank),
      cmocka_unit_test(equals_one_pass_a_merge),
      cmocka_unit_test(bytes_of_one_character),
      cmocka_unit_test(spaces_go_with_the_next_word),
      cmocka_unit_test(digits_end_words),
      cmocka_unit_test(bad_merges),
      cmocka_unit_test(nul_bytes),
      cmocka_unit_test(folder_with_vocabulary),
      cmocka_unit_test(gpt2_known_ids),
      cmocka_unit_test(gpt2_vocabulary_follows_from_its_merges),
      cmocka_unit_test(gpt2_tokens_spell_the_text),
  };
  return cmocka_run_group_tests(tests, write_merges, remove_merges);
}
