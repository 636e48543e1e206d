/* Tokens through handles: what a text and its special tokens are, what reports list, and words by name. */
#include "attcert.h"

#include "temp_folder.h"
#include "test_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DIM = 8, MOST = 8 };

static char vocabulary[512], text[512];

static int set_up(void **state) {
  static const char words[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\ngood\n7\nmovie\n##s\n", sentence[] = "good movies 7\n";
  if (temp_folder_set_up(state) != 0) return 1;
  temp_folder_write(&temp_folder_shared, "vocab.txt", words, sizeof words - 1);
  temp_folder_write(&temp_folder_shared, "text", sentence, sizeof sentence - 1);
  temp_folder_path(vocabulary, &temp_folder_shared, "vocab.txt");
  temp_folder_path(text, &temp_folder_shared, "text");
  return 0;
}

static attcert_model *opened(void) {
  attcert_model *m;
  assert_int_equal(attcert_model_open(&m, "random:bert:8,2,1", 7, NULL), ATTCERT_OK);
  return m;
}

static attcert_tokens *read_text(const attcert_model *m, size_t n, size_t offset, bool special) {
  attcert_tokens *tokens;
  assert_int_equal(attcert_tokens_read(&tokens, m, vocabulary, text, n, offset, special, NULL), ATTCERT_OK);
  return tokens;
}

/* Consumes the tokens. */
static void assert_are(attcert_tokens *tokens, int count, const int *ids, const char *const *texts) {
  assert_int_equal(attcert_tokens_count(tokens), count);
  assert_memory_equal(attcert_tokens_ids(tokens), ids, (size_t)count * sizeof *ids);
  for (int i = 0; i < count; i++) {
    const char *const found = attcert_tokens_text(tokens, (size_t)i);
    if (texts[i] == NULL)
      assert_null(found);
    else
      assert_string_equal(found, texts[i]);
  }
  assert_null(attcert_tokens_text(tokens, (size_t)count));
  attcert_tokens_free(tokens);
}

static void tokens_of_texts_and_ids(void **state) {
  (void)state;
  static const int ids[] = {2, 4, 6, 7, 5, 3}, others[] = {65, 300, 10}, one[] = {2, 6, 3};
  static const char *const texts[] = {"[CLS]", "good", "movie", "##s", "7", "[SEP]"};
  static const char *const of_bytes[] = {"A", NULL, "<0x0A>"}, *const of_one[] = {"[CLS]", "movie", "[SEP]"};
  attcert_model *const m = opened();
  attcert_tokens *tokens = read_text(m, 0, 0, true);
  assert_true(attcert_tokens_special(tokens));
  assert_are(tokens, 6, ids, texts);
  tokens = read_text(m, 0, 0, false);
  assert_false(attcert_tokens_special(tokens));
  assert_are(tokens, 4, ids + 1, texts + 1);
  assert_are(read_text(m, 3, 1, true), 3, one, of_one);
  assert_int_equal(attcert_tokens_new(&tokens, m, vocabulary, ids, 6, NULL), ATTCERT_OK);
  assert_false(attcert_tokens_special(tokens));
  assert_are(tokens, 6, ids, texts);
  assert_int_equal(attcert_tokens_new(&tokens, m, NULL, others, 3, NULL), ATTCERT_OK);
  assert_are(tokens, 3, others, of_bytes);
  assert_int_equal(attcert_tokens_read(&tokens, m, NULL, text, 0, 0, true, NULL), ATTCERT_OK);
  assert_false(attcert_tokens_special(tokens)); /* bytes have none */
  assert_int_equal(attcert_tokens_count(tokens), 14);
  attcert_tokens_free(tokens);
  attcert_tokens_free(NULL);
  attcert_model_close(m);
}

static void assert_refused(attcert_status status, const attcert_tokens *tokens, const attcert_error *err,
                           const char *reason) {
  assert_int_equal(status, ATTCERT_INPUT);
  assert_null(tokens);
  if (strstr(err->message, reason) == NULL) fail_msg("expected \"%s\" in: %s", reason, err->message);
}

static void what_is_refused(void **state) {
  (void)state;
  attcert_model *const m = opened();
  attcert_tokens *t = NULL;
  attcert_error err;
  const int id = 4;
  assert_refused(attcert_tokens_read(&t, m, vocabulary, text, 7, 0, true, &err), t, &err, "the text has 4");
  assert_refused(attcert_tokens_read(&t, m, vocabulary, "/nonexistent", 0, 0, true, &err), t, &err, "/nonexistent");
  assert_refused(attcert_tokens_read(&t, m, "/nonexistent", text, 0, 0, true, &err), t, &err, "/nonexistent");
  assert_refused(attcert_tokens_read(&t, m, NULL, text, SIZE_MAX, 0, true, &err), t, &err, "at most 32768");
  assert_refused(attcert_tokens_read(&t, m, NULL, text, 1, SIZE_MAX, true, &err), t, &err, "offset");
  assert_refused(attcert_tokens_read(&t, m, NULL, NULL, 1, 0, true, &err), t, &err, "NULL");
  assert_refused(attcert_tokens_new(&t, m, NULL, &id, 0, &err), t, &err, "number of tokens is 0, expected 1 to 32768");
  assert_refused(attcert_tokens_new(&t, m, "/nonexistent", &id, 1, &err), t, &err, "/nonexistent");
  assert_refused(attcert_tokens_new(&t, m, NULL, NULL, 1, &err), t, &err, "NULL");
  assert_refused(attcert_tokens_new(&t, NULL, NULL, &id, 1, &err), t, &err, "NULL");
  attcert_model_close(m);
}

/* The report's list, and the words that move, of a layer and of a whole network. */
static void reports_list_them_and_words_name_them(void **state) {
  (void)state;
  attcert_model *const m = opened();
  attcert_tokens *const tokens = read_text(m, 0, 0, true);
  const size_t n = attcert_tokens_count(tokens);
  double hidden[MOST * DIM];
  attcert_error err;
  attcert_result *r, *by_number;
  attcert_problem *const p = attcert_problem_new();
  assert_int_equal(attcert_model_hidden_states(hidden, m, attcert_tokens_ids(tokens), n, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_load_layer(p, m, 0, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_set_tokens(p, tokens, &err), ATTCERT_INPUT); /* no input yet */
  assert_int_equal(attcert_problem_set_array(p, "input", hidden, n, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_ball(&r, p, 1e-3, "sequence", "movies", NULL, &err), ATTCERT_INPUT);
  assert_int_equal(attcert_problem_set_tokens(p, tokens, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_ball(&r, p, 1e-3, "sequence", "movies,\"7\"", NULL, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_ball(&by_number, p, 1e-3, "sequence", "2,3,4", NULL, NULL), ATTCERT_OK);
  assert_true(attcert_result_ball_upper(r) == attcert_result_ball_upper(by_number));
  assert_non_null(strstr(attcert_result_text(r), "tokens     0 [CLS]  1 good  2 movie  3 ##s  4 7  5 [SEP]\n"));
  assert_non_null(strstr(attcert_result_json(r), "\"special_tokens\": true"));
  assert_non_null(strstr(attcert_result_json(r), "\"text\": \"##s\""));
  attcert_result_free(r);
  attcert_result_free(by_number);

  /* another input has other tokens */
  assert_int_equal(attcert_problem_set_array(p, "input", hidden, n, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_certify(&r, p, NULL, NULL), ATTCERT_OK);
  assert_null(strstr(attcert_result_json(r), "\"tokens\""));
  attcert_result_free(r);
  assert_int_equal(attcert_problem_set_array(p, "input", hidden, n - 1, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_problem_set_tokens(p, tokens, &err), ATTCERT_INPUT);
  assert_string_equal(err.message, "tokens: 6 of them, expected one for each of the input's 5 rows");
  assert_int_equal(attcert_problem_set_tokens(p, NULL, NULL), ATTCERT_OK);
  attcert_problem_free(p);

  attcert_robustness *q;
  assert_int_equal(attcert_robustness_new(&q, m, hidden, n, DIM, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_set_text(q, "words", "good", &err), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_tokens(q, tokens, NULL), ATTCERT_OK);
  attcert_tokens_free(tokens); /* they were copied */
  assert_int_equal(attcert_robustness_set_text(q, "words", "good", NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_set_text(q, "words", "films", &err), ATTCERT_INPUT);
  assert_int_equal(attcert_robustness_set_number(q, "radius", 1e-4, NULL), ATTCERT_OK);
  assert_int_equal(attcert_robustness_decide(q, NULL, NULL), ATTCERT_OK);
  assert_non_null(strstr(attcert_robustness_text(q), "(word 1: good)"));
  assert_non_null(strstr(attcert_robustness_json(q), "\"text\": \"[CLS]\""));
  attcert_robustness_free(q);
  attcert_model_close(m);
}

/* A decoder's classifier would take another token than the last where one is padding: not of these tokens. */
static void padding_is_refused(void **state) {
  (void)state;
  static const int ids[][3] = {{3, 5, 4}, {3, 5, 0}};
  char path[512];
  attcert_model *m;
  attcert_error err;
  assert_int_equal(attcert_model_open(&m, test_data_path(path, "faults/arch_gpt2_seqcls"), 0, NULL), ATTCERT_OK);
  for (int i = 0; i < 2; i++) {
    double hidden[3 * DIM];
    attcert_robustness *q;
    attcert_tokens *tokens;
    assert_int_equal(attcert_tokens_new(&tokens, m, NULL, ids[i], 3, NULL), ATTCERT_OK);
    assert_int_equal(attcert_model_hidden_states(hidden, m, ids[i], 3, NULL), ATTCERT_OK);
    assert_int_equal(attcert_robustness_new(&q, m, hidden, 3, DIM, NULL), ATTCERT_OK);
    assert_int_equal(attcert_robustness_set_tokens(q, tokens, &err), i == 0 ? ATTCERT_OK : ATTCERT_INPUT);
    if (i == 1) assert_non_null(strstr(err.message, "token 2 of the input is 0, the padding"));
    attcert_robustness_free(q);
    attcert_tokens_free(tokens);
  }
  attcert_model_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tokens_of_texts_and_ids),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(reports_list_them_and_words_name_them),
      cmocka_unit_test(padding_is_refused),
  };
  return cmocka_run_group_tests(tests, set_up, temp_folder_tear_down);
}
