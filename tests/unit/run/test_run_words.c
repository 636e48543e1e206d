/* Which tokens a list of numbers and words means, in the texts of each kind of vocabulary. */
#include "run/run_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12 };

typedef struct {
  const char *texts[MOST]; /* NULL ends the list */
  bool wordpiece;
} sequence;

static const sequence bert = {{"[CLS]", "un", "##believ", "##able", "film", ",", "un", "7", "it", "##s", "[SEP]"},
                              true};
#define SPACE "\xc4\xa0"
static const sequence gpt2 = {
    {"The", SPACE "fil", "ms", ",", SPACE "the", SPACE "fil", "m", SPACE "is", SPACE "ms", "!"}, false};
#define MARK "\xe2\x96\x81"
static const sequence llama = {{"<s>", MARK "na", "\xc3\xafve", MARK, "7", MARK "all", MARK "al", "so", "<0x0A>"},
                               false};
static const sequence bytes = {{"s", "o", "<0x20>", "a", "l", "s", "o", "<0x20>", "a", "."}, false};

static void list_init(token_list *list, const sequence *s) {
  int ids[MOST] = {0}, n = 0;
  while (n < MOST && s->texts[n] != NULL) n++;
  assert_int_equal(token_list_init(list, ids, n, NULL), ATTCERT_OK);
  list->wordpiece = s->wordpiece;
  for (int i = 0; i < n; i++) assert_int_equal(token_list_set_text(list, i, s->texts[i], NULL), ATTCERT_OK);
}

/* expected: the tokens' numbers, each behind a space. */
static void assert_means(const sequence *s, const char *words, const char *expected) {
  token_list list;
  bool *moves;
  char found[64] = "";
  attcert_error err;
  list_init(&list, s);
  if (run_words_read(&moves, words, list.count, &list, &err) != ATTCERT_OK) fail_msg("%s: %s", words, err.message);
  for (int i = 0; i < list.count; i++) {
    const size_t used = strlen(found);
    if (moves == NULL || moves[i]) snprintf(found + used, sizeof found - used, " %d", i);
  }
  if (strcmp(found, expected) != 0) fail_msg("'%s' is%s, expected%s", words, found, expected);
  free(moves);
  token_list_clear(&list);
}

static void assert_refused(const sequence *s, const char *words, const char *reason) {
  token_list list;
  bool *moves;
  attcert_error err;
  list_init(&list, s);
  assert_int_equal(run_words_read(&moves, words, list.count, &list, &err), ATTCERT_INPUT);
  if (strstr(err.message, reason) == NULL) fail_msg("'%s': expected \"%s\" in: %s", words, reason, err.message);
  assert_non_null(strstr(err.message, "--words"));
  free(moves);
  token_list_clear(&list);
}

static void numbers_are_places(void **state) {
  (void)state;
  assert_means(&bert, "all", " 0 1 2 3 4 5 6 7 8 9 10");
  assert_means(&bert, "7", " 7");
  assert_means(&bert, "3,0", " 0 3");
  assert_means(&bert, "007", " 7");
  assert_refused(&bert, "11", "11 is outside of the sequence, expected 0 to 10");
  assert_refused(&bert, "99999999999999999999", "is outside of the sequence");
  assert_refused(&bert, "3,3", "3 is there twice");
  for (const char *const *bad =
           (const char *[]){"", ",", "3,", ",3", "3,,4", "\"", "\"\"", "\"film\"x", "\"film", NULL};
       *bad != NULL; bad++)
    assert_refused(&bert, *bad, "expected all or I,WORD,..");
}

static void words_are_tokens_as_they_are_shown(void **state) {
  (void)state;
  assert_means(&bert, "film", " 4");
  assert_means(&bert, "[CLS],[SEP]", " 0 10");
  assert_means(&bert, "##able", " 3");
  assert_means(&bert, "\"7\"", " 7");
  assert_means(&bert, "\",\",2,film", " 2 4 5");
  assert_refused(&bert, "un", "'un' occurs more than once, at 1, 6: expected one of these numbers");
  assert_refused(&bert, "films", "'films' is none of the tokens 0 to 10");
  assert_refused(&bert, "able", "'able' is none of the tokens");
  assert_refused(&bert, "fil", "'fil' is none of the tokens");
  assert_refused(&bert, "Film", "'Film' is none of the tokens");
  assert_refused(&bert, "4,film", "4 is there twice");
  assert_refused(&bert, "-1", "'-1' is none of the tokens");
}

static void pieces_are_the_whole_word(void **state) {
  (void)state;
  assert_means(&bert, "unbelievable", " 1 2 3");
  assert_means(&bert, "its,film", " 4 8 9");
  assert_means(&bert, "it", " 8"); /* a token of that text, although the word goes on */
  assert_refused(&bert, "unbeliev", "none of the tokens");
  assert_refused(&bert, "believable", "none of the tokens");
  assert_refused(&bert, "filmun", "none of the tokens");
}

static void marks_of_spaces_may_be_left_out(void **state) {
  (void)state;
  assert_means(&gpt2, "the", " 4");
  assert_means(&gpt2, SPACE "the", " 4");
  assert_means(&gpt2, "The", " 0");
  assert_means(&gpt2, "films", " 1 2");
  assert_means(&gpt2, "film", " 5 6");
  assert_means(&gpt2, "is,\"!\"", " 7 9");
  assert_refused(&gpt2, "fil", "at 1, 5");
  assert_refused(&gpt2, "ms", "at 2, 8");
  assert_means(&gpt2, SPACE "ms", " 8");
  assert_refused(&gpt2, "Thefil", "none of the tokens");
  assert_means(&llama, "na\xc3\xafve", " 1 2");
  assert_means(&llama, "also", " 6 7");
  assert_means(&llama, "\"7\"", " 4");
  assert_means(&llama, "\"all\"", " 5");
  assert_means(&llama, "<s>,<0x0A>," MARK, " 0 3 8");
}

static void words_of_bytes_end_where_letters_do(void **state) {
  (void)state;
  assert_means(&bytes, "so", " 0 1");
  assert_means(&bytes, "also", " 3 4 5 6");
  assert_refused(&bytes, "als", "none of the tokens");
  assert_refused(&bytes, "a", "at 3, 8");
  assert_means(&bytes, ".", " 9");
}

static void quotes_inside_are_written_twice(void **state) {
  (void)state;
  const sequence quoted = {{"\"", "a,b", "all", "\"x\""}, false};
  assert_means(&quoted, "\"\"\"\"", " 0");
  assert_means(&quoted, "\"a,b\",\"\"\"x\"\"\"", " 1 3");
  assert_means(&quoted, "\"all\"", " 2");
  assert_means(&quoted, "all", " 0 1 2 3");
}

static void without_texts_there_are_numbers(void **state) {
  (void)state;
  const token_list none = {0};
  bool *moves;
  attcert_error err;
  assert_int_equal(run_words_read(&moves, "film", 3, &none, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "the texts of the tokens are not known: expected numbers"));
  free(moves);
  assert_int_equal(run_words_read(&moves, "2", 3, &none, &err), ATTCERT_OK);
  assert_true(!moves[0] && !moves[1] && moves[2]);
  free(moves);
}

static void many_places_fit_in_a_line(void **state) {
  (void)state;
  token_list list;
  bool *moves;
  attcert_error err;
  int ids[500] = {0};
  assert_int_equal(token_list_init(&list, ids, 500, NULL), ATTCERT_OK);
  for (int i = 0; i < 500; i++) assert_int_equal(token_list_set_text(&list, i, "a", NULL), ATTCERT_OK);
  assert_int_equal(run_words_read(&moves, "a", 500, &list, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "at 0, 1, 2, 3, "));
  assert_non_null(strstr(err.message, ", ...: expected"));
  free(moves);
  token_list_clear(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_places),
      cmocka_unit_test(words_are_tokens_as_they_are_shown),
      cmocka_unit_test(pieces_are_the_whole_word),
      cmocka_unit_test(marks_of_spaces_may_be_left_out),
      cmocka_unit_test(words_of_bytes_end_where_letters_do),
      cmocka_unit_test(quotes_inside_are_written_twice),
      cmocka_unit_test(without_texts_there_are_numbers),
      cmocka_unit_test(many_places_fit_in_a_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
