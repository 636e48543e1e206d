/* Assertions on tokenizers. Texts and messages are C strings; the tokenizer is opened and closed by each. */
#ifndef ATTCERT_TESTS_SUPPORT_TOKENIZER_ASSERT_H
#define ATTCERT_TESTS_SUPPORT_TOKENIZER_ASSERT_H

/* The tokenizer at path turns the text into exactly these tokens. */
#define assert_tokens(path, text, ...) \
  assert_token_list(path, text, (const int[]){__VA_ARGS__}, (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))
void assert_token_list(const char *path, const char *text, const int *expected, int count);
void assert_no_tokens(const char *path, const char *text);

/* Opening fails with ATTCERT_INPUT and a message that contains the fragment. */
void assert_tokenizer_refused(const char *path, const char *fragment);

/* Opening succeeds; encoding the text fails so. */
void assert_text_refused(const char *path, const char *text, const char *fragment);

#endif
