/* Which head a folder has: by config.json's architectures, by what else it says of the labels, and by the tensors; and
 * what is refused, by name. */
#include "model/head/model_head.h"
#include "tiny_head.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A folder of the type with these tensors besides, each "name" with `rows` rows and a bias. */
typedef struct {
  temp_folder folder;
  tiny_body body;
  random_source r;
} place;

static void place_init(place *p, const char *type) {
  p->r = random_source_make(1, 0, 0);
  for (int i = 0; tiny_body_init(&p->body, i, &p->r); i++) {
    if (strcmp(p->body.type, type) == 0) break;
    tiny_body_clear(&p->body);
  }
  assert_string_equal(p->body.type, type);
  temp_folder_init(&p->folder);
}

static void place_clear(place *p) {
  tiny_body_clear(&p->body);
  temp_folder_clear(&p->folder);
}

static double *add(place *p, const char *name, int rows, int cols) {
  double *const data = tensor_list_add(&p->body.tensors, name, rows, cols);
  random_fill_gaussian(data, (size_t)rows * (size_t)(cols > 0 ? cols : 1), 1.0, &p->r);
  return data;
}

static void add_map(place *p, const char *name, int rows) {
  char full[96];
  snprintf(full, sizeof full, "%s.weight", name);
  add(p, full, rows, p->body.dim);
  snprintf(full, sizeof full, "%s.bias", name);
  add(p, full, rows, 0);
}

/* A classifier of three labels behind the pooler. */
static void bert_classifier(place *p, int rows) {
  place_init(p, "bert");
  add_map(p, "pooler.dense", p->body.dim);
  add_map(p, "classifier", rows);
}

/* The head of the folder with these keys in config.json; *head is cleared where there is none. */
static attcert_status open_head(model_head *head, const place *p, const char *keys, const char *architecture,
                                attcert_error *err) {
  model *m;
  tiny_body_write(&p->folder, &p->body, keys, true);
  if (model_open(&m, p->folder.path, 0, err) != ATTCERT_OK) fail_msg("%s", err->message);
  const attcert_status status = model_head_open(head, m, architecture, err);
  if (status != ATTCERT_OK) model_head_clear(head);
  model_close(m);
  return status;
}

/* The message holds both words. */
static void refused(const place *p, const char *keys, const char *architecture, const char *word, const char *other) {
  model_head head;
  attcert_error err = {0};
  if (open_head(&head, p, keys, architecture, &err) != ATTCERT_INPUT)
    fail_msg("%s %s: not refused", p->body.type, keys);
  if (strstr(err.message, word) == NULL || strstr(err.message, other) == NULL ||
      strstr(err.message, "expected") == NULL)
    fail_msg("\"%s\" does not say %s and %s", err.message, word, other);
}

static void opens(const place *p, const char *keys, const char *architecture, const char *text) {
  model_head head;
  attcert_error err = {0};
  char found[MODEL_HEAD_TEXT_SIZE];
  if (open_head(&head, p, keys, architecture, &err) != ATTCERT_OK) fail_msg("%s: %s", keys, err.message);
  assert_string_equal(model_head_text(found, &head, HEAD_TOKEN_UNASKED), text);
  model_head_clear(&head);
}

/* ---- architectures ----------------------------------------------------------------------------------------------- */

/* Classes of transformers whose answer is another one, with all that any head could be made of in the file. */
static void other_classes_are_refused_by_name(void **state) {
  (void)state;
  static const struct {
    const char *type, *expected, *name[12];
  } classes[] = {
      {"bert",
       "BertForSequenceClassification",
       {"BertForMaskedLM", "BertForPreTraining", "BertForNextSentencePrediction", "BertForQuestionAnswering",
        "BertForMultipleChoice", "BertLMHeadModel", "BertModel", "BertGenerationDecoder", "GPT2LMHeadModel",
        "bertForSequenceClassification", "BertForSequenceClassification2"}},
      {"roberta",
       "RobertaForSequenceClassification",
       {"RobertaForMaskedLM", "RobertaForCausalLM", "RobertaForQuestionAnswering", "RobertaForMultipleChoice",
        "RobertaModel", "XLMRobertaForMaskedLM", "XLMRobertaModel", "CamembertForQuestionAnswering", "CamembertModel",
        "BertForSequenceClassification", "XLMRobertaXLForSequenceClassification"}},
      {"electra",
       "ElectraForSequenceClassification",
       {"ElectraForPreTraining", "ElectraForMaskedLM", "ElectraForCausalLM", "ElectraForQuestionAnswering",
        "ElectraForMultipleChoice", "ElectraModel"}},
      {"distilbert",
       "DistilBertForSequenceClassification",
       {"DistilBertForMaskedLM", "DistilBertForQuestionAnswering", "DistilBertForMultipleChoice", "DistilBertModel"}},
      {"albert",
       "AlbertForSequenceClassification",
       {"AlbertForPreTraining", "AlbertForMaskedLM", "AlbertForQuestionAnswering", "AlbertForMultipleChoice",
        "AlbertModel"}},
      {"vit", "ViTForImageClassification", {"ViTForMaskedImageModeling", "ViTModel", "ViTMSNForImageClassification"}},
      {"deit",
       "DeiTForImageClassification",
       {"DeiTForImageClassificationWithTeacher", "DeiTForMaskedImageModeling", "DeiTModel"}},
      {"gpt2", "GPT2LMHeadModel", {"GPT2DoubleHeadsModel", "GPT2ForQuestionAnswering", "GPT2Model", "OPTForCausalLM"}},
      {"gpt_neo", "GPTNeoForCausalLM", {"GPTNeoForQuestionAnswering", "GPTNeoModel", "GPTNeoXForCausalLM"}},
      {"opt", "OPTForCausalLM", {"OPTForQuestionAnswering", "OPTModel", "OPTForTokenClassification"}},
  };
  int count = 0;
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
    place p;
    place_init(&p, classes[i].type);
    for (int k = 0; classes[i].name[k] != NULL; k++, count++) {
      char keys[128];
      snprintf(keys, sizeof keys, "\"architectures\": [\"%s\"], ", classes[i].name[k]);
      refused(&p, keys, NULL, classes[i].name[k], classes[i].expected);
    }
    place_clear(&p);
  }
  print_message("%d classes\n", count);
}

/* Without the key, the family's usual head, where no other could be meant. */
static void tensors_decide_where_they_leave_no_choice(void **state) {
  (void)state;
  static const char *const none[] = {"", "\"architectures\": null, ", "\"architectures\": [], "};
  place p;
  bert_classifier(&p, 3);
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
    opens(&p, none[i], NULL, "sequence classification, token 0: pooler.dense, tanh, classifier");
  refused(&p, "\"architectures\": [\"BertModel\", \"BertForTokenClassification\"], ", NULL, "architectures",
          "one name");
  refused(&p, "\"architectures\": \"BertModel\", ", NULL, "architectures", "one name");
  refused(&p, "\"architectures\": [3], ", NULL, "architectures", "one name");
  add_map(&p, "qa_outputs", 2);
  refused(&p, "", NULL, "qa_outputs.weight", "architectures");
  refused(&p, "\"architectures\": [\"BertForSequenceClassification\"], ", NULL, "qa_outputs.weight", "another head");
  place_clear(&p);

  place_init(&p, "bert");
  add_map(&p, "classifier", 3);
  model_head head;
  attcert_error err = {0};
  assert_int_equal(open_head(&head, &p, "", NULL, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "pooler.dense.weight"));
  opens(&p, "", "BertForTokenClassification", "token classification, any token: classifier");
  place_clear(&p);

  place_init(&p, "gpt2");
  add_map(&p, "ln_f", 1);
  opens(&p, "", NULL, "next token, last token: ln_f, wte");
  add(&p, "score.weight", 3, p.body.dim);
  refused(&p, "", NULL, "score.weight", "architectures");
  refused(&p, "\"architectures\": [\"GPT2LMHeadModel\"], ", NULL, "score.weight", "another head");
  opens(&p, "\"architectures\": [\"GPT2ForSequenceClassification\"], ", NULL,
        "sequence classification, last token: ln_f, score");
  place_clear(&p);
}

/* Named by who asks, where the folder does not. */
static void a_class_can_be_named(void **state) {
  (void)state;
  place p;
  model *m;
  model_head head;
  attcert_error err = {0};
  place_init(&p, "gpt2");
  opens(&p, "\"architectures\": [\"GPT2Model\"], ", "GPT2LMHeadModel", "next token, last token: ln_f, wte");
  opens(&p, "\"architectures\": [\"GPT2LMHeadModel\"], ", "GPT2LMHeadModel", "next token, last token: ln_f, wte");
  refused(&p, "\"architectures\": [\"GPT2Model\"], ", "GPT2Model", "GPT2Model", "GPT2LMHeadModel");
  refused(&p, "", "LlamaForCausalLM", "LlamaForCausalLM", "GPT2LMHeadModel");
  refused(&p, "\"architectures\": [\"GPT2LMHeadModel\"], ", "GPT2ForSequenceClassification",
          "GPT2ForSequenceClassification", "GPT2LMHeadModel");
  refused(&p, "\"architectures\": [\"GPT2DoubleHeadsModel\"], ", "GPT2LMHeadModel", "GPT2DoubleHeadsModel",
          "GPT2LMHeadModel");
  place_clear(&p);
  assert_int_equal(model_open(&m, "random:bert:8,2,1", 0, &err), ATTCERT_OK);
  assert_int_equal(model_head_open(&head, m, "BertForSequenceClassification", &err), ATTCERT_INPUT);
  model_close(m);
}

static void a_changed_file_is_refused(void **state) {
  (void)state;
  place p;
  model *m;
  model_head head;
  attcert_error err = {0};
  bert_classifier(&p, 3);
  tiny_body_write(&p.folder, &p.body, "", true);
  assert_int_equal(model_open(&m, p.folder.path, 0, &err), ATTCERT_OK);
  tiny_body_write(&p.folder, &p.body, "\"architectures\": [\"BertForTokenClassification\"], ", true);
  assert_int_equal(model_head_open(&head, m, NULL, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "config.json"));
  assert_non_null(strstr(err.message, "changed"));
  model_close(m);
  place_clear(&p);
}

/* ---- the word table ---------------------------------------------------------------------------------------------- */

static void what_scores_the_next_token(void **state) {
  (void)state;
  place p;
  place_init(&p, "gpt2");
  const char *const keys = "\"architectures\": [\"GPT2LMHeadModel\"], ";
  refused(&p, "\"tie_word_embeddings\": false, ", NULL, "tie_word_embeddings", "lm_head.weight");
  double *const alias = add(&p, "lm_head.weight", TINY_VOCABULARY, p.body.dim);
  memcpy(alias, tensor_list_find(&p.body.tensors, "wte.weight"),
         (size_t)(TINY_VOCABULARY * p.body.dim) * sizeof *alias);
  opens(&p, keys, NULL, "next token, last token: ln_f, wte");
  opens(&p, "\"tie_word_embeddings\": false, ", NULL, "next token, last token: ln_f, lm_head");
  alias[TINY_VOCABULARY * p.body.dim - 1] += 0x1p-40;
  refused(&p, keys, NULL, "lm_head.weight", "row 10");
  opens(&p, "\"tie_word_embeddings\": false, ", NULL, "next token, last token: ln_f, lm_head");
  tensor_list_remove(&p.body.tensors, "lm_head.weight");
  tensor_list_remove(&p.body.tensors, "wte.weight");
  refused(&p, keys, NULL, "wte.weight", "word table");
  place_clear(&p);
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

static void labels_agree_with_the_classifier(void **state) {
  (void)state;
  place p;
  bert_classifier(&p, 3);
  const char *const several = "multi-label sequence classification, token 0: pooler.dense, tanh, classifier";
  opens(&p, "\"num_labels\": 3, \"id2label\": {\"2\": \"c\", \"0\": \"a\", \"1\": \"b\"}, ", NULL,
        "sequence classification, token 0: pooler.dense, tanh, classifier");
  opens(&p, "\"problem_type\": \"single_label_classification\", \"id2label\": null, ", NULL,
        "sequence classification, token 0: pooler.dense, tanh, classifier");
  opens(&p, "\"problem_type\": \"multi_label_classification\", ", NULL, several);
  refused(&p, "\"problem_type\": \"regression\", ", NULL, "problem_type", "regression");
  refused(&p, "\"problem_type\": \"ranking\", ", NULL, "problem_type", "ranking");
  refused(&p, "\"problem_type\": 3, ", NULL, "problem_type", "string");
  refused(&p, "\"num_labels\": 2, ", NULL, "num_labels", "3");
  refused(&p, "\"num_labels\": 0, ", NULL, "num_labels", "0");
  refused(&p, "\"id2label\": {\"0\": \"a\", \"1\": \"b\"}, ", NULL, "id2label", "3");
  refused(&p, "\"id2label\": {\"0\": \"a\", \"1\": \"b\", \"3\": \"c\"}, ", NULL, "id2label", "leaves out");
  refused(&p, "\"id2label\": {\"0\": \"a\", \"01\": \"b\", \"2\": \"c\"}, ", NULL, "id2label", "leaves out");
  refused(&p, "\"id2label\": {\"0\": \"a\", \"1\": 1, \"2\": \"c\"}, ", NULL, "id2label", "string");
  refused(&p, "\"id2label\": [\"a\", \"b\", \"c\"], ", NULL, "id2label", "no such object");
  tensor_list_remove(&p.body.tensors, "pooler.dense.weight");
  refused(&p, "\"architectures\": [\"BertForTokenClassification\"], \"problem_type\": \"multi_label_classification\", ",
          NULL, "problem_type", "tokens");
  place_clear(&p);
  bert_classifier(&p, 1);
  refused(&p, "", NULL, "classifier.weight", "regression");
  opens(&p, "\"problem_type\": \"multi_label_classification\", ", NULL, several);
  place_clear(&p);
}

static void labels_have_numbers_and_names(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int label; /* -1: refused */
  } asked[] = {{"0", 0},   {"3", 3},    {"4", -1},    {"-1", -1},          {"", -1}, {" 1", -1}, {"1x", 1},
               {"neg", 0}, {"Neg", -1}, {"same", -1}, {"99999999999", -1}, {"1", 1}};
  static const char keys[] = "\"id2label\": {\"0\": \"neg\", \"1\": \"1x\", \"2\": \"same\", \"3\": \"same\"}, ";
  place p;
  model_head head;
  attcert_error err;
  int label;
  bert_classifier(&p, 4);
  assert_int_equal(open_head(&head, &p, keys, NULL, &err), ATTCERT_OK);
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
  assert_int_equal(
      open_head(&head, &p, "\"id2label\": {\"0\": \"1\", \"1\": \"0\", \"2\": \"2\", \"3\": \"x\"}, ", NULL, &err),
      ATTCERT_OK);
  assert_int_equal(model_head_label(&label, &head, "1", &err), ATTCERT_INPUT);
  assert_int_equal(model_head_label(&label, &head, "2", &err), ATTCERT_OK);
  assert_int_equal(label, 2);
  model_head_clear(&head);
  place_clear(&p);
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
    place p;
    model_head head;
    attcert_error err;
    char keys[128];
    place_init(&p, cases[i].type);
    add(&p, "score.weight", 3, p.body.dim);
    if (strstr(cases[i].architecture, "Token") != NULL) {
      tensor_list_remove(&p.body.tensors, "score.weight");
      add_map(&p, "classifier", 3);
    }
    snprintf(keys, sizeof keys, "\"architectures\": [\"%s\"], %s", cases[i].architecture, cases[i].keys);
    assert_int_equal(open_head(&head, &p, keys, NULL, &err), ATTCERT_OK);
    for (int token = 0; token < TINY_VOCABULARY; token++) {
      const int tokens[] = {5, token, 6};
      assert_int_equal(model_head_check_tokens(&head, tokens, 3, &err),
                       token == cases[i].padding ? ATTCERT_INPUT : ATTCERT_OK);
    }
    model_head_clear(&head);
    place_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_classes_are_refused_by_name),
      cmocka_unit_test(tensors_decide_where_they_leave_no_choice),
      cmocka_unit_test(a_class_can_be_named),
      cmocka_unit_test(a_changed_file_is_refused),
      cmocka_unit_test(what_scores_the_next_token),
      cmocka_unit_test(labels_agree_with_the_classifier),
      cmocka_unit_test(labels_have_numbers_and_names),
      cmocka_unit_test(padding_is_refused),
  };
  return cmocka_run_group_tests_name("model_head", tests, NULL, NULL);
}
