/* Which tokenizer a path means, reading a window of a text's tokens, and the byte tokenizer. */
#include "model/tokenizer/tokenizer.h"
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
#include <time.h>

#include <cmocka.h>

static temp_folder folder;
static char text_path[512];

static int make_folder(void **state) {
  (void)state;
  temp_folder_init(&folder);
  temp_folder_path(text_path, &folder, "text");
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  temp_folder_clear(&folder);
  return 0;
}

static void write_text(const char *name, const char *content) {
  temp_folder_write(&folder, name, content, strlen(content));
}

static void assert_kind(const char *path, const char *kind) {
  tokenizer *t;
  attcert_error err = {.message = ""};
  if (tokenizer_open(&t, path, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_string_equal(tokenizer_kind(t), kind);
  tokenizer_close(t);
}

static void bytes(void **state) {
  (void)state;
  assert_kind(NULL, "bytes");
  assert_tokens(NULL, "a\xC3\xA9", 'a', 0xC3, 0xA9);
  assert_text_refused(NULL, "\x80", "offset 0 is not UTF-8");
  tokenizer_close(NULL);
}

static void kind_of_a_path(void **state) {
  (void)state;
  char path[512];
  assert_tokenizer_refused(folder.path, "no tokenizer.json, no vocab.txt and no vocab.json");
  write_text("vocab.json", "{\"a\": 0}");
  assert_kind(folder.path, "characters");
  assert_kind(temp_folder_path(path, &folder, "vocab.json"), "characters");
  write_text("merges.txt", "#version: 0.2\na b\n");
  assert_tokenizer_refused(folder.path, "byte-level vocabulary"); /* so it was taken for BPE */
  write_text("vocab.txt", "[UNK]\n");
  assert_kind(folder.path, "WordPiece");
  assert_kind(temp_folder_path(path, &folder, "vocab.txt"), "WordPiece");
  write_text("merges.bpe", "#version: 0.2\na b\n");
  assert_kind(temp_folder_path(path, &folder, "merges.bpe"), "byte-level BPE");
  write_text("vocab.bin", "a");
  assert_tokenizer_refused(temp_folder_path(path, &folder, "vocab.bin"),
                           "expected a folder, a tokenizer.json, a WordPiece vocabulary");
  assert_tokenizer_refused(temp_folder_path(path, &folder, "absent.txt"), "absent.txt");
}

/* Every window of a text's tokens is that slice of all its tokens; one past the end says how many there are. */
static void assert_windows(const char *tokenizer_path, const char *text) {
  tokenizer *t;
  int *all, count, window[64];
  attcert_error err;
  write_text("text", text);
  assert_int_equal(tokenizer_open(&t, tokenizer_path, NULL), ATTCERT_OK);
  assert_int_equal(tokens_of_text(&all, &count, t, text, strlen(text), false, NULL), ATTCERT_OK);
  assert_in_range(count, 4, 64);
  for (int offset = 0; offset < count; offset++) {
    for (int n = 1; offset + n <= count; n++) {
      assert_int_equal(read_window(window, t, n, offset, text_path, NULL), ATTCERT_OK);
      assert_memory_equal(window, all + offset, (size_t)n * sizeof(int));
    }
    assert_int_equal(read_window(window, t, count - offset + 1, offset, text_path, &err), ATTCERT_INPUT);
    char has[32];
    snprintf(has, sizeof has, "the text has %d ", count);
    assert_non_null(strstr(err.message, has));
  }
  free(all);
  tokenizer_close(t);
}

static void windows(void **state) {
  (void)state;
  char path[512];
  assert_windows(NULL, "alice was");
  write_text("words.txt", "[UNK]\nal\n##ice\n##s\n");
  assert_windows(temp_folder_path(path, &folder, "words.txt"), "alices, alice al x alices");
  write_text("pairs.bpe", "#version: 0.2\na l\nal i\nc e\n");
  assert_windows(temp_folder_path(path, &folder, "pairs.bpe"), "alice, alice al  x alices");
  write_text("letters.json", "{\"a\": 0, \"l\": 1, \"é\": 2}");
  assert_windows(temp_folder_path(path, &folder, "letters.json"), "alélaaéla");
}

static void bad_requests(void **state) {
  (void)state;
  tokenizer *t;
  int tokens[1];
  attcert_error err;
  write_text("text", "abc");
  assert_int_equal(tokenizer_open(&t, NULL, NULL), ATTCERT_OK);
  assert_int_equal(read_window(tokens, t, -1, 0, text_path, &err), ATTCERT_INPUT);
  assert_int_equal(read_window(tokens, t, 1, -1, text_path, &err), ATTCERT_INPUT);
  assert_int_equal(read_window(tokens, t, 1, INT32_MAX, text_path, &err), ATTCERT_INPUT);
  assert_int_equal(read_window(tokens, t, 1, 0, folder.path, &err), ATTCERT_INPUT);
  write_text("text", "");
  assert_int_equal(read_window(tokens, t, 1, 0, text_path, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "the text has 0"));
  write_text("text", "abc\xFF");
  assert_int_equal(read_window(tokens, t, 1, 0, text_path, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "offset 3 is not UTF-8"));
  tokenizer_close(t);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Tokens of a text far into it are reached in seconds, not minutes. Prints the time; 1.2 MB takes about half a
 * second. */
static void long_text(void **state) {
  (void)state;
  static const char *const vocabulary[] = {"tokenizer/bert-base-uncased-vocab.txt", "tokenizer/vocab.bpe"};
  char path[512], text[512];
  test_data_path(text, "text/wikitext2_test.txt");
  for (int i = 0; i < 2; i++) {
    tokenizer *t;
    int tokens[100];
    assert_int_equal(tokenizer_open(&t, test_data_path(path, vocabulary[i]), NULL), ATTCERT_OK);
    const double start = seconds();
    assert_int_equal(read_window(tokens, t, 100, 200000, text, NULL), ATTCERT_OK);
    const double taken = seconds() - start;
    print_message("%s: 200,100 tokens in %.2f s\n", tokenizer_kind(t), taken);
    assert_true(taken < 30); /* also under sanitizers, on a busy machine */
    tokenizer_close(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes),        cmocka_unit_test(kind_of_a_path), cmocka_unit_test(windows),
      cmocka_unit_test(bad_requests), cmocka_unit_test(long_text),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
