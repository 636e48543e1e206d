/* Assertions on tokenizers. Texts and messages are C strings; the tokenizer is opened and closed by each. */
#ifndef ATTCERT_TESTS_SUPPORT_TOKENIZER_ASSERT_H
#define ATTCERT_TESTS_SUPPORT_TOKENIZER_ASSERT_H

#include "model/tokenizer/tokenizer.h"

/* All tokens of a text in memory, as tokenizer_sequence reads them from a file of it. */
attcert_status tokens_of_text(int **tokens, int *count, const tokenizer *t, const char *text, size_t length,
                              bool special, attcert_error *err);

/* Tokens offset .. offset + n - 1 of a text file, no special tokens added. */
attcert_status read_window(int *tokens, const tokenizer *t, int n, int offset, const char *text_path,
                           attcert_error *err);

/* The tokenizer at path turns the text into exactly these tokens. */
#define assert_tokens(path, text, ...) \
  assert_token_list(path, text, (const int[]){__VA_ARGS__}, (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))
void assert_token_list(const char *path, const char *text, const int *expected, int count);

/* The same with the special tokens that the tokenizer adds. */
#define assert_special_tokens(path, text, ...) \
  assert_special_list(path, text, (const int[]){__VA_ARGS__}, (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))
void assert_special_list(const char *path, const char *text, const int *expected, int count);

/* The text has no tokens, which is refused. */
void assert_no_tokens(const char *path, const char *text);

/* Opening fails with ATTCERT_INPUT and a message that contains the fragment. */
void assert_tokenizer_refused(const char *path, const char *fragment);

/* Opening succeeds; encoding the text fails so. */
void assert_text_refused(const char *path, const char *text, const char *fragment);

#endif
