/* What config.json says of a head's labels, and how one asks for them; the tokens that a decoder's classifier takes. */
#include "head_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void labels_agree_with_the_classifier(void **state) {
  (void)state;
  head_folder p;
  head_folder_bert(&p, 3);
  const char *const several = "multi-label sequence classification, token 0: pooler.dense, tanh, classifier";
  head_folder_opens(&p, "\"num_labels\": 3, \"id2label\": {\"2\": \"c\", \"0\": \"a\", \"1\": \"b\"}, ", NULL,
                    "sequence classification, token 0: pooler.dense, tanh, classifier");
  head_folder_opens(&p, "\"problem_type\": \"single_label_classification\", \"id2label\": null, ", NULL,
                    "sequence classification, token 0: pooler.dense, tanh, classifier");
  head_folder_opens(&p, "\"problem_type\": \"multi_label_classification\", ", NULL, several);
  head_folder_refuses(&p, "\"problem_type\": \"regression\", ", NULL, "problem_type", "regression");
  head_folder_refuses(&p, "\"problem_type\": \"ranking\", ", NULL, "problem_type", "ranking");
  head_folder_refuses(&p, "\"problem_type\": 3, ", NULL, "problem_type", "string");
  head_folder_refuses(&p, "\"num_labels\": 2, ", NULL, "num_labels", "3");
  head_folder_refuses(&p, "\"num_labels\": 0, ", NULL, "num_labels", "0");
  head_folder_refuses(&p, "\"id2label\": {\"0\": \"a\", \"1\": \"b\"}, ", NULL, "id2label", "3");
  head_folder_refuses(&p, "\"id2label\": {\"0\": \"a\", \"1\": \"b\", \"3\": \"c\"}, ", NULL, "id2label", "leaves out");
  head_folder_refuses(&p, "\"id2label\": {\"0\": \"a\", \"01\": \"b\", \"2\": \"c\"}, ", NULL, "id2label",
                      "leaves out");
  head_folder_refuses(&p, "\"id2label\": {\"0\": \"a\", \"1\": 1, \"2\": \"c\"}, ", NULL, "id2label", "string");
  head_folder_refuses(&p, "\"id2label\": [\"a\", \"b\", \"c\"], ", NULL, "id2label", "no such object");
  tensor_list_remove(&p.body.tensors, "pooler.dense.weight");
  head_folder_refuses(
      &p, "\"architectures\": [\"BertForTokenClassification\"], \"problem_type\": \"multi_label_classification\", ",
      NULL, "problem_type", "tokens");
  head_folder_clear(&p);
  head_folder_bert(&p, 1);
  head_folder_refuses(&p, "", NULL, "classifier.weight", "regression");
  head_folder_opens(&p, "\"problem_type\": \"multi_label_classification\", ", NULL, several);
  head_folder_clear(&p);
}

static void labels_have_numbers_and_names(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int label; /* -1: refused */
  } asked[] = {{"0", 0},   {"3", 3},    {"4", -1},    {"-1", -1},          {"", -1}, {" 1", -1}, {"1x", 1},
               {"neg", 0}, {"Neg", -1}, {"same", -1}, {"99999999999", -1}, {"1", 1}};
  static const char keys[] = "\"id2label\": {\"0\": \"neg\", \"1\": \"1x\", \"2\": \"same\", \"3\": \"same\"}, ";
  head_folder p;
  model_head head;
  attcert_error err;
  int label;
  head_folder_bert(&p, 4);
  assert_int_equal(head_folder_open(&head, &p, keys, NULL, &err), ATTCERT_OK);
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
    label = -1;
    const attcert_status status = model_head_label(&label, &head, asked[i].text, &err);
    if (status != (asked[i].label >= 0 ? ATTCERT_OK : ATTCERT_INPUT) || label != asked[i].label)
      fail_msg("'%s' is label %d", asked[i].text, label);
  }
  assert_string_equal(label_names_at(&head.names, 3), "same");
  assert_null(label_names_at(&head.names, 4));
  assert_null(label_names_at(&head.names, -1));
  model_head_clear(&head);
  /* a number that is another label's name */
  assert_int_equal(head_folder_open(&head, &p,
                                    "\"id2label\": {\"0\": \"1\", \"1\": \"0\", \"2\": \"2\", \"3\": \"x\"}, ", NULL,
                                    &err),
                   ATTCERT_OK);
  assert_int_equal(model_head_label(&label, &head, "1", &err), ATTCERT_INPUT);
  assert_int_equal(model_head_label(&label, &head, "2", &err), ATTCERT_OK);
  assert_int_equal(label, 2);
  model_head_clear(&head);
  head_folder_clear(&p);
}

/* ---- padding ----------------------------------------------------------------------------------------------------- */

/* The last token that is no padding is the last one, where none is. */
static void padding_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *type, *architecture, *keys;
    int padding; /* refused; -1: none */
  } cases[] = {{"gpt2", "GPT2ForSequenceClassification", "", -1},
               {"gpt2", "GPT2ForSequenceClassification", "\"pad_token_id\": 0, ", 0},
               {"gpt2", "GPT2ForSequenceClassification", "\"pad_token_id\": null, ", -1},
               {"gpt2", "GPT2ForTokenClassification", "\"pad_token_id\": 0, ", -1},
               {"opt", "OPTForSequenceClassification", "", 1},
               {"opt", "OPTForSequenceClassification", "\"pad_token_id\": 3, ", 3},
               {"opt", "OPTForSequenceClassification", "\"pad_token_id\": null, ", -1}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    head_folder p;
    model_head head;
    attcert_error err;
    char keys[128];
    head_folder_init(&p, cases[i].type);
    head_folder_add(&p, "score.weight", 3, p.body.dim);
    if (strstr(cases[i].architecture, "Token") != NULL) {
      tensor_list_remove(&p.body.tensors, "score.weight");
      head_folder_add_map(&p, "classifier", 3);
    }
    snprintf(keys, sizeof keys, "\"architectures\": [\"%s\"], %s", cases[i].architecture, cases[i].keys);
    assert_int_equal(head_folder_open(&head, &p, keys, NULL, &err), ATTCERT_OK);
    for (int token = 0; token < TINY_VOCABULARY; token++) {
      const int tokens[] = {5, token, 6};
      assert_int_equal(model_head_check_tokens(&head, tokens, 3, &err),
                       token == cases[i].padding ? ATTCERT_INPUT : ATTCERT_OK);
    }
    model_head_clear(&head);
    head_folder_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(labels_agree_with_the_classifier),
      cmocka_unit_test(labels_have_numbers_and_names),
      cmocka_unit_test(padding_is_refused),
  };
  return cmocka_run_group_tests_name("head_labels", tests, NULL, NULL);
}
