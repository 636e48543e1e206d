/* An input's tokens in reports: numbers and texts on lines of 120 columns, nothing that a terminal would take for more
 * than text, and the same in JSON. */
#include "report/subject_input.h"

#include "report/token_text.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_shown(const char *piece, const char *expected, int width) {
  char *const text = token_text_new(piece, NULL);
  assert_string_equal(text, expected);
  assert_int_equal(token_text_width(text), width);
  char *const again = token_text_new(text, NULL);
  assert_string_equal(again, text);
  free(again);
  free(text);
}

static void texts_are_made_fit_to_show(void **state) {
  (void)state;
  assert_shown("", "", 0);
  assert_shown("[CLS]", "[CLS]", 5);
  assert_shown("##ing", "##ing", 5);
  assert_shown("\xc4\xa0the", "\xc4\xa0the", 4);
  assert_shown("na\xc3\xafve", "na\xc3\xafve", 5);
  assert_shown("\xe6\x9d\xb1\xe4\xba\xac", "\xe6\x9d\xb1\xe4\xba\xac", 4); /* two characters of two columns */
  assert_shown("a\nb\tc\rd", "a\\nb\\tc\\rd", 10);
  assert_shown("\x1b[31m", "\\u{1b}[31m", 10);
  assert_shown("\x7f", "\\u{7f}", 6);
  assert_shown("\xc2\x85", "\\u{85}", 6); /* NEL: a control character */
  assert_shown("\xe2\x80\xae"
               "x",
               "\\u{202e}x", 9);                     /* turns what follows */
  assert_shown("\xe2\x80\xa8", "\\u{2028}", 8);      /* a line separator */
  assert_shown("\xf3\xa0\x81\x81", "\\u{e0041}", 9); /* a tag, that shows nothing */
  assert_shown("\xff\x80z", "\\xff\\x80z", 9);
  assert_shown("\xc3", "\\xc3", 4);
  assert_shown("\xed\xa0\x80", "\\xed\\xa0\\x80", 12); /* a surrogate is no UTF-8 */
}

/* n tokens of ids 100, 101, ..., with the text given, or none. */
static void subject_init(report_subject *s, int n, const char *text) {
  int ids[300] = {0};
  *s = (report_subject){.input = "t.txt", .tokens = n};
  for (int i = 0; i < n; i++) ids[i] = 100 + i;
  assert_int_equal(token_list_init(&s->input_tokens, ids, n, NULL), ATTCERT_OK);
  for (int i = 0; i < n; i++) assert_int_equal(token_list_set_text(&s->input_tokens, i, text, NULL), ATTCERT_OK);
}

static char *printed(const report_subject *s, void print(FILE *, const report_subject *)) {
  char *text;
  size_t size;
  FILE *const stream = open_memstream(&text, &size);
  assert_non_null(stream);
  print(stream, s);
  fclose(stream);
  return text;
}

static void assert_printed(report_subject *s, const char *expected) {
  char *const text = printed(s, subject_print_tokens);
  assert_string_equal(text, expected);
  free(text);
  subject_clear(s);
}

static void tokens_are_numbered(void **state) {
  (void)state;
  report_subject s;
  subject_init(&s, 3, "a");
  token_list_set_text(&s.input_tokens, 1, "\n", NULL);
  token_list_set_text(&s.input_tokens, 2, NULL, NULL);
  assert_printed(&s, "tokens     0 a  1 \\n  2 #102\n");
  s = (report_subject){.input = "x.npy"};
  assert_printed(&s, "");
}

static void lines_have_120_columns(void **state) {
  (void)state;
  report_subject s;
  for (int length = 1; length < 130; length += 3) {
    char word[130];
    memset(word, 'w', sizeof word);
    word[length] = '\0';
    subject_init(&s, 20, word);
    char *const text = printed(&s, subject_print_tokens);
    int lines = 0, widest = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++) {
      const int width = (int)strlen(line);
      if (width > widest) widest = width;
      assert_memory_equal(line, lines == 0 ? "tokens     " : "           ", 11);
      assert_true(line[11] != ' ');
    }
    if (length <= 106) assert_true(widest <= 120); /* 11 columns, "19 " */
    if (length <= 40) assert_true(widest + 5 + length > 120 || lines == 1);
    free(text);
    subject_clear(&s);
  }
}

static void long_inputs_are_shortened_in_the_middle(void **state) {
  (void)state;
  report_subject s;
  subject_init(&s, 64, "a");
  char *text = printed(&s, subject_print_tokens);
  assert_null(strstr(text, "more"));
  assert_non_null(strstr(text, "  32 a"));
  free(text);
  subject_clear(&s);
  subject_init(&s, 200, "a");
  text = printed(&s, subject_print_tokens);
  assert_non_null(strstr(text, "31 a  (136 more)  168 a"));
  assert_null(strstr(text, " 32 a"));
  assert_null(strstr(text, "167 a"));
  assert_non_null(strstr(text, "199 a\n"));
  free(text);
  subject_clear(&s);
}

static void print_json(FILE *out, const report_subject *s) {
  json_writer w;
  json_writer_begin(&w, out);
  json_write_object(&w, NULL);
  subject_write_input(&w, s);
  subject_write_tokens(&w, s);
  json_write_close(&w);
  json_writer_end(&w);
}

static json_t *json_of(const report_subject *s) {
  char *const text = printed(s, print_json);
  json_t *const root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  free(text);
  assert_non_null(root);
  return root;
}

static void json_has_all_of_them(void **state) {
  (void)state;
  report_subject s;
  subject_init(&s, 200, "\x1b\"\\\xff");
  token_list_set_text(&s.input_tokens, 199, NULL, NULL);
  snprintf(s.tokenizer, sizeof s.tokenizer, "WordPiece");
  s.input_tokens.special = true;
  json_t *root = json_of(&s), *const tokens = json_object_get(root, "tokens");
  assert_true(json_is_true(json_object_get(root, "special_tokens")));
  assert_int_equal(json_array_size(tokens), 200);
  for (size_t i = 0; i < 200; i++) {
    json_t *const token = json_array_get(tokens, i);
    assert_int_equal(json_integer_value(json_object_get(token, "id")), 100 + (int)i);
    if (i < 199)
      assert_string_equal(json_string_value(json_object_get(token, "text")), "\\u{1b}\"\\\\xff");
    else
      assert_true(json_is_null(json_object_get(token, "text")));
  }
  json_decref(root);
  s.input_tokens.special = false;
  root = json_of(&s);
  assert_true(json_is_false(json_object_get(root, "special_tokens")));
  json_decref(root);
  subject_clear(&s);
  s = (report_subject){.input = "x.npy"};
  root = json_of(&s);
  assert_int_equal(json_object_size(root), 1);
  json_decref(root);
}

static void a_copy_is_the_same_list(void **state) {
  (void)state;
  report_subject s;
  token_list copy;
  subject_init(&s, 3, "\t");
  token_list_set_text(&s.input_tokens, 2, NULL, NULL);
  s.input_tokens.special = s.input_tokens.wordpiece = true;
  assert_int_equal(token_list_copy(&copy, &s.input_tokens, NULL), ATTCERT_OK);
  subject_clear(&s);
  assert_int_equal(copy.count, 3);
  assert_true(copy.special && copy.wordpiece);
  assert_int_equal(copy.token[1].id, 101);
  assert_string_equal(copy.token[1].text, "\\t");
  assert_null(copy.token[2].text);
  token_list_clear(&copy);
  assert_int_equal(token_list_copy(&copy, &s.input_tokens, NULL), ATTCERT_OK);
  assert_int_equal(copy.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_are_made_fit_to_show), cmocka_unit_test(tokens_are_numbered),
      cmocka_unit_test(lines_have_120_columns),     cmocka_unit_test(long_inputs_are_shortened_in_the_middle),
      cmocka_unit_test(json_has_all_of_them),       cmocka_unit_test(a_copy_is_the_same_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
