/* WordPiece on a vocabulary of the test's own, and on BERT's. */
#include "temp_folder.h"
#include "test_data.h"
#include "tokenizer_assert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { UNK, HELLO, COMMA, WORLD, BANG, UN, UNA, FF, ABLE, CAFE, ZHONG, GUO, A, A_MORE, ACUTE, SIGMA, DOLLAR };
static const char lines[] = "[UNK]\nhello\n,\nworld\n!\nun\nuna\n##ff\n##able\ncafe\n中\n国\na\n##a\n´\nσ\n$\n";

static temp_folder folder;
static char vocabulary[512];

static int write_vocabulary(void **state) {
  (void)state;
  temp_folder_init(&folder);
  temp_folder_write(&folder, "vocab.txt", lines, strlen(lines));
  temp_folder_path(vocabulary, &folder, "vocab.txt");
  return 0;
}

static int remove_vocabulary(void **state) {
  (void)state;
  temp_folder_clear(&folder);
  return 0;
}

static void words_and_punctuation(void **state) {
  (void)state;
  assert_tokens(vocabulary, "Hello, World!", HELLO, COMMA, WORLD, BANG);
  assert_tokens(vocabulary, "  hello\n\tworld \r\n", HELLO, WORLD);
  assert_tokens(vocabulary, "hello$world`hello", HELLO, DOLLAR, WORLD, UNK, HELLO); /* ASCII symbols, such as $ and ` */
  assert_tokens(vocabulary, "hello\xC2\xA0world\xE3\x80\x80hello", HELLO, WORLD, HELLO); /* U+00A0, U+3000 */
  assert_no_tokens(vocabulary, "");
  assert_no_tokens(vocabulary, " \n ");
}

static void longest_piece_first(void **state) {
  (void)state;
  assert_tokens(vocabulary, "unaffable", UNA, FF, ABLE); /* not un + ##aff..., which the greedy rule never tries */
  assert_tokens(vocabulary, "un", UN);
  assert_tokens(vocabulary, "aaa", A, A_MORE, A_MORE);
}

static void uncovered_word_is_unknown_as_a_whole(void **state) {
  (void)state;
  assert_tokens(vocabulary, "unx hello", UNK, HELLO);
  assert_tokens(vocabulary, "unaffablex", UNK);
  assert_tokens(vocabulary, "ffable", UNK);         /* ##ff continues a word, it does not begin one */
  assert_tokens(vocabulary, "##ff", UNK, UNK, UNK); /* the marks in a text are punctuation */
}

static void accents_and_case(void **state) {
  (void)state;
  assert_tokens(vocabulary, "Caf\xC3\xA9 CAFE\xCC\x81", CAFE, CAFE); /* composed and decomposed */
  assert_tokens(vocabulary, "\xC3\x80", A);                          /* U+00C0 */
  assert_tokens(vocabulary, "\xCE\xA3", SIGMA);                      /* no final form: case is a character's own */
  assert_tokens(vocabulary, "\xC2\xB4", ACUTE);                      /* U+00B4: no canonical decomposition */
}

static void ideographs_stand_alone(void **state) {
  (void)state;
  assert_tokens(vocabulary, "hello中国world", HELLO, ZHONG, GUO, WORLD);
}

static void control_characters_vanish(void **state) {
  (void)state;
  assert_tokens(vocabulary, "he\x01llo wor\xE2\x80\x8Bld\x7F", HELLO, WORLD); /* Cc; U+200B is Cf */
  assert_tokens(vocabulary, "hel\xEF\xBF\xBDlo", HELLO);                      /* U+FFFD */
}

static void longest_word(void **state) {
  (void)state;
  char text[102] = {0};
  memset(text, 'a', 101);
  assert_tokens(vocabulary, text, UNK);
  text[100] = '\0';
  int expected[100];
  for (int i = 0; i < 100; i++) expected[i] = i == 0 ? A : A_MORE;
  assert_token_list(vocabulary, text, expected, 100);
}

static void refuse(const char *content, size_t size, const char *fragment) {
  char path[512];
  temp_folder_write(&folder, "bad.txt", content, size);
  assert_tokenizer_refused(temp_folder_path(path, &folder, "bad.txt"), fragment);
}

static void bad_vocabularies(void **state) {
  (void)state;
  refuse("hello\nworld\n", 12, "no line \"[UNK]\"");
  refuse("[UNK]\n\xFF\n", 8, "byte 0xff at offset 6 is not UTF-8");
  refuse("[UNK]\na\0b\n", 10, "line 2 holds a NUL byte, expected text");
  refuse("", 0, "empty vocabulary");
}

/* As Python reads the lines into a dictionary: a blank line takes a number, of a token that comes twice the later line
 * counts, a byte order mark belongs to the first token, and \r ends a line. */
static void lines_as_transformers_reads_them(void **state) {
  (void)state;
  char path[512];
  tokenizer *t;
  static const char content[] = "\xEF\xBB\xBF[PAD]\n[UNK]\n\nhello\nworld\nhello\nyou\rthere\r\n\nend";
  temp_folder_write(&folder, "odd.txt", content, strlen(content));
  temp_folder_path(path, &folder, "odd.txt");
  assert_tokens(path, "hello world you there end [PAD]", 5, 4, 6, 7, 9, 1, 1, 1);
  assert_int_equal(tokenizer_open(&t, path, NULL), ATTCERT_OK);
  assert_string_equal(tokenizer_piece(t, 0), "\xEF\xBB\xBF[PAD]");
  assert_null(tokenizer_piece(t, 2));
  assert_string_equal(tokenizer_piece(t, 8), "");
  assert_null(tokenizer_piece(t, 3));
  assert_string_equal(tokenizer_piece(t, 5), "hello");
  tokenizer_close(t);
}

static void windows_line_ends(void **state) {
  (void)state;
  char path[512];
  temp_folder_write(&folder, "crlf.txt", "[UNK]\r\nhello\r\n", 14);
  assert_tokens(temp_folder_path(path, &folder, "crlf.txt"), "hello you", 1, 0);
}

static void bad_texts(void **state) {
  (void)state;
  assert_text_refused(vocabulary, "hello \xC3(", "text: byte 0xc3 at offset 6 is not UTF-8");
  assert_text_refused(vocabulary, "\xED\xA0\x80", "offset 0");      /* a surrogate */
  assert_text_refused(vocabulary, "\xC0\x80", "offset 0");          /* overlong */
  assert_text_refused(vocabulary, "a\xF4\x90\x80\x80", "offset 1"); /* beyond U+10FFFF */
  assert_text_refused(vocabulary, "ab\xE4\xB8", "offset 2");        /* cut short */
}

/* Ids from the published BERT-base uncased vocabulary. */
static void bert_base_uncased(void **state) {
  (void)state;
  char path[512];
  test_data_path(path, "tokenizer/bert-base-uncased-vocab.txt");
  assert_tokens(path, "Hello, World! unaffable", 7592, 1010, 2088, 999, 14477, 20961, 3468);
  assert_tokens(path, "Hello, my dog is cute", 7592, 1010, 2026, 3899, 2003, 10140);
  assert_tokens(path, "R\xC3\xA9sum\xC3\xA9 na\xC3\xAFve Caf\xC3\xA9", 13746, 15743, 7668);
  assert_tokens(path, "中国", 1746, 1799);
  assert_tokens(path, "don't", 2123, 1005, 1056);
  assert_tokens(path, "20th", 3983);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_and_punctuation),
      cmocka_unit_test(longest_piece_first),
      cmocka_unit_test(uncovered_word_is_unknown_as_a_whole),
      cmocka_unit_test(accents_and_case),
      cmocka_unit_test(ideographs_stand_alone),
      cmocka_unit_test(control_characters_vanish),
      cmocka_unit_test(longest_word),
      cmocka_unit_test(bad_vocabularies),
      cmocka_unit_test(lines_as_transformers_reads_them),
      cmocka_unit_test(windows_line_ends),
      cmocka_unit_test(bad_texts),
      cmocka_unit_test(bert_base_uncased),
  };
  return cmocka_run_group_tests(tests, write_vocabulary, remove_vocabulary);
}
