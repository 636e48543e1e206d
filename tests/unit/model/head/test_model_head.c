/* Which head a folder has: by config.json's architectures, and by the tensors; and what is refused, by name. */
#include "head_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- architectures ----------------------------------------------------------------------------------------------- */

/* Classes of transformers whose answer is another one, with all that any head could be made of in the file. */
static void other_classes_are_refused_by_name(void **state) {
  (void)state;
  static const struct {
    const char *type, *expected, *name[12];
  } classes[] = {
      {"bert",
       "BertForSequenceClassification",
       {"BertForPreTraining", "BertForNextSentencePrediction", "BertForQuestionAnswering", "BertForMultipleChoice",
        "BertLMHeadModel", "BertModel", "BertGenerationDecoder", "GPT2LMHeadModel", "bertForSequenceClassification",
        "BertForSequenceClassification2"}},
      {"roberta",
       "RobertaForSequenceClassification",
       {"RobertaForCausalLM", "RobertaForQuestionAnswering", "RobertaForMultipleChoice", "RobertaModel",
        "XLMRobertaModel", "CamembertForQuestionAnswering", "CamembertModel", "BertForSequenceClassification",
        "XLMRobertaXLForSequenceClassification"}},
      {"electra",
       "ElectraForSequenceClassification",
       {"ElectraForPreTraining", "ElectraForCausalLM", "ElectraForQuestionAnswering", "ElectraForMultipleChoice",
        "ElectraModel"}},
      {"distilbert",
       "DistilBertForSequenceClassification",
       {"DistilBertForQuestionAnswering", "DistilBertForMultipleChoice", "DistilBertModel"}},
      {"albert",
       "AlbertForSequenceClassification",
       {"AlbertForPreTraining", "AlbertForQuestionAnswering", "AlbertForMultipleChoice", "AlbertModel"}},
      {"vit", "ViTForImageClassification", {"ViTForMaskedImageModeling", "ViTModel", "ViTMSNForImageClassification"}},
      {"deit",
       "DeiTForImageClassification",
       {"DeiTForImageClassificationWithTeacher", "DeiTForMaskedImageModeling", "DeiTModel"}},
      {"gpt2", "GPT2LMHeadModel", {"GPT2DoubleHeadsModel", "GPT2ForQuestionAnswering", "GPT2Model", "OPTForCausalLM"}},
      {"gpt_neo", "GPTNeoForCausalLM", {"GPTNeoForQuestionAnswering", "GPTNeoModel", "GPTNeoXForCausalLM"}},
      {"modernbert",
       "ModernBertForSequenceClassification",
       {"ModernBertForQuestionAnswering", "ModernBertForMultipleChoice", "ModernBertModel"}},
      {"t5",
       "T5ForTokenClassification or MT5ForTokenClassification",
       {"T5ForConditionalGeneration", "T5ForSequenceClassification", "T5ForQuestionAnswering", "T5EncoderModel",
        "T5Model", "MT5EncoderModel", "UMT5ForTokenClassification"}},
      {"nomic_bert", "NomicBertForSequenceClassification", {"NomicBertForQuestionAnswering", "NomicBertModel"}},
      {"opt", "OPTForCausalLM", {"OPTForQuestionAnswering", "OPTModel", "OPTForTokenClassification"}},
  };
  int count = 0;
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
    head_folder p;
    head_folder_init(&p, classes[i].type);
    for (int k = 0; classes[i].name[k] != NULL; k++, count++) {
      char keys[128];
      snprintf(keys, sizeof keys, "\"architectures\": [\"%s\"], ", classes[i].name[k]);
      head_folder_refuses(&p, keys, NULL, classes[i].name[k], classes[i].expected);
    }
    head_folder_clear(&p);
  }
  print_message("%d classes\n", count);
}

/* Without the key, the family's usual head, where no other could be meant. */
static void tensors_decide_where_they_leave_no_choice(void **state) {
  (void)state;
  static const char *const none[] = {"", "\"architectures\": null, ", "\"architectures\": [], "};
  head_folder p;
  head_folder_bert(&p, 3);
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
    head_folder_opens(&p, none[i], NULL, "sequence classification, token 0: pooler.dense, tanh, classifier");
  head_folder_refuses(&p, "\"architectures\": [\"BertModel\", \"BertForTokenClassification\"], ", NULL, "architectures",
                      "one name");
  head_folder_refuses(&p, "\"architectures\": \"BertModel\", ", NULL, "architectures", "one name");
  head_folder_refuses(&p, "\"architectures\": [3], ", NULL, "architectures", "one name");
  head_folder_add_map(&p, "qa_outputs", 2);
  head_folder_refuses(&p, "", NULL, "qa_outputs.weight", "architectures");
  head_folder_refuses(&p, "\"architectures\": [\"BertForSequenceClassification\"], ", NULL, "qa_outputs.weight",
                      "another head");
  head_folder_clear(&p);

  head_folder_bert(&p, 3);
  double *const tied = head_folder_add(&p, "cls.predictions.decoder.weight", TINY_VOCABULARY, p.body.dim);
  memcpy(tied, tensor_list_find(&p.body.tensors, "embeddings.word_embeddings.weight"),
         (size_t)(TINY_VOCABULARY * p.body.dim) * sizeof *tied);
  head_folder_refuses(&p, "", NULL, "cls.predictions.decoder.weight", "another head");
  head_folder_clear(&p);

  head_folder_init(&p, "bert");
  head_folder_add_map(&p, "classifier", 3);
  head_folder_refuses(&p, "", NULL, "pooler.dense.weight", "expected BertForSequenceClassification, BertForToken");
  head_folder_opens(&p, "", "BertForTokenClassification", "token classification, any token: classifier");
  head_folder_clear(&p);

  head_folder_init(&p, "gpt2");
  head_folder_add_map(&p, "ln_f", 1);
  head_folder_opens(&p, "", NULL, "next token, last token: ln_f, wte");
  head_folder_add(&p, "score.weight", 3, p.body.dim);
  head_folder_refuses(&p, "", NULL, "score.weight", "architectures");
  head_folder_refuses(&p, "\"architectures\": [\"GPT2LMHeadModel\"], ", NULL, "score.weight", "another head");
  head_folder_opens(&p, "\"architectures\": [\"GPT2ForSequenceClassification\"], ", NULL,
                    "sequence classification, last token: ln_f, score");
  head_folder_clear(&p);
}

/* Without a class the head is that of the family's first one. */
static void the_first_class_is_the_usual_one(void **state) {
  (void)state;
  head_folder p;
  head_folder_init(&p, "t5");
  head_folder_add_map(&p, "classifier", 3);
  head_folder_opens(&p, "", NULL, "token classification, any token: encoder.final_layer_norm, classifier");
  head_folder_clear(&p);
}

/* ModernBERT's map, activation and norm before the classifier, as its keys say; a bias that they do not say. */
static void keys_shape_the_head(void **state) {
  (void)state;
  static const char mean[] = "\"architectures\": [\"ModernBertForSequenceClassification\"], "
                             "\"classifier_pooling\": \"mean\", \"classifier_activation\": \"silu\", ";
  head_folder p;
  head_folder_init(&p, "modernbert");
  head_folder_add(&p, "head.dense.weight", p.body.dim, p.body.dim);
  head_folder_add(&p, "head.norm.weight", p.body.dim, 0);
  head_folder_add_map(&p, "classifier", 3);
  head_folder_opens(&p, "", NULL,
                    "sequence classification, token 0: final_norm, head.dense, gelu, head.norm, classifier");
  head_folder_opens(&p, mean, NULL,
                    "sequence classification, all tokens: final_norm, mean, head.dense, silu, head.norm, classifier");
  head_folder_opens(&p, "", "ModernBertForTokenClassification",
                    "token classification, any token: final_norm, head.dense, gelu, head.norm, classifier");
  head_folder_add(&p, "head.norm.bias", p.body.dim, 0);
  head_folder_refuses(&p, "", NULL, "head.norm.bias", "config.json says there is none");
  head_folder_clear(&p);
  head_folder_init(&p, "modernbert");
  head_folder_add_map(&p, "head.dense", p.body.dim);
  head_folder_add(&p, "head.norm.weight", p.body.dim, 0);
  head_folder_add_map(&p, "classifier", 3);
  head_folder_refuses(&p, "", NULL, "head.dense.bias", "config.json says there is none");
  head_folder_opens(&p, "\"classifier_bias\": true, ", NULL,
                    "sequence classification, token 0: final_norm, head.dense, gelu, head.norm, classifier");
  head_folder_clear(&p);
}

/* DINOv2's classifier reads two states; of one token there is no mean. */
static void a_mean_needs_tokens(void **state) {
  (void)state;
  static const char keys[] = "\"architectures\": [\"Dinov2ForImageClassification\"], ";
  head_folder p;
  model_head head;
  attcert_error err = {0};
  int token;
  head_folder_init(&p, "dinov2");
  head_folder_add(&p, "classifier.weight", 3, 2 * p.body.dim);
  head_folder_add(&p, "classifier.bias", 3, 0);
  head_folder_opens(&p, keys, NULL,
                    "image classification, all tokens: layernorm, token 0 beside the mean from token 1 on, classifier");
  assert_int_equal(head_folder_open(&head, &p, keys, NULL, &err), ATTCERT_OK);
  assert_int_equal(model_head_token(&token, &head, HEAD_TOKEN_UNASKED, 2, &err), ATTCERT_OK);
  assert_int_equal(model_head_token(&token, &head, HEAD_TOKEN_UNASKED, 1, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "1 tokens, expected more than 1"));
  model_head_clear(&head);
  head_folder_clear(&p);
}

/* Named by who asks, where the folder does not. */
static void a_class_can_be_named(void **state) {
  (void)state;
  head_folder p;
  model *m;
  model_head head;
  attcert_error err = {0};
  head_folder_init(&p, "gpt2");
  head_folder_opens(&p, "\"architectures\": [\"GPT2Model\"], ", "GPT2LMHeadModel", "next token, last token: ln_f, wte");
  head_folder_opens(&p, "\"architectures\": [\"GPT2LMHeadModel\"], ", "GPT2LMHeadModel",
                    "next token, last token: ln_f, wte");
  head_folder_refuses(&p, "\"architectures\": [\"GPT2Model\"], ", "GPT2Model", "GPT2Model", "GPT2LMHeadModel");
  head_folder_refuses(&p, "", "LlamaForCausalLM", "LlamaForCausalLM", "GPT2LMHeadModel");
  head_folder_refuses(&p, "\"architectures\": [\"GPT2LMHeadModel\"], ", "GPT2ForSequenceClassification",
                      "GPT2ForSequenceClassification", "GPT2LMHeadModel");
  head_folder_refuses(&p, "\"architectures\": [\"GPT2DoubleHeadsModel\"], ", "GPT2LMHeadModel", "GPT2DoubleHeadsModel",
                      "GPT2LMHeadModel");
  head_folder_clear(&p);
  assert_int_equal(model_open(&m, "random:bert:8,2,1", 0, &err), ATTCERT_OK);
  assert_int_equal(model_head_open(&head, m, "BertForSequenceClassification", &err), ATTCERT_INPUT);
  model_close(m);
}

/* The head is that of the file that the model was opened with, whose digest reports have. */
static void config_is_read_once(void **state) {
  (void)state;
  head_folder p;
  model *m;
  model_head head;
  attcert_error err = {0};
  char before[SHA256_HEX_SIZE], after[SHA256_HEX_SIZE], text[MODEL_HEAD_TEXT_SIZE];
  head_folder_bert(&p, 3);
  tiny_body_write(&p.folder, &p.body, "", true);
  assert_int_equal(model_open(&m, p.folder.path, 0, &err), ATTCERT_OK);
  assert_int_equal(model_file_digest(before, m, 0, &err), ATTCERT_OK);
  temp_folder_write(&p.folder, "config.json", "{}", 2);
  assert_int_equal(model_head_open(&head, m, NULL, &err), ATTCERT_OK);
  assert_string_equal(model_head_text(text, &head, HEAD_TOKEN_UNASKED),
                      "sequence classification, token 0: pooler.dense, tanh, classifier");
  assert_int_equal(model_file_digest(after, m, 0, &err), ATTCERT_OK);
  assert_string_equal(before, after);
  model_head_clear(&head);
  model_close(m);
  head_folder_clear(&p);
}

/* ---- the word table ---------------------------------------------------------------------------------------------- */

static void what_scores_the_next_token(void **state) {
  (void)state;
  head_folder p;
  head_folder_init(&p, "gpt2");
  const char *const keys = "\"architectures\": [\"GPT2LMHeadModel\"], ";
  head_folder_refuses(&p, "\"tie_word_embeddings\": false, ", NULL, "tie_word_embeddings", "lm_head.weight");
  double *const alias = head_folder_add(&p, "lm_head.weight", TINY_VOCABULARY, p.body.dim);
  memcpy(alias, tensor_list_find(&p.body.tensors, "wte.weight"),
         (size_t)(TINY_VOCABULARY * p.body.dim) * sizeof *alias);
  head_folder_opens(&p, keys, NULL, "next token, last token: ln_f, wte");
  head_folder_opens(&p, "\"tie_word_embeddings\": false, ", NULL, "next token, last token: ln_f, lm_head");
  alias[TINY_VOCABULARY * p.body.dim - 1] += 0x1p-40;
  head_folder_refuses(&p, keys, NULL, "lm_head.weight", "wte.weight");
  head_folder_opens(&p, "\"tie_word_embeddings\": false, ", NULL, "next token, last token: ln_f, lm_head");
  tensor_list_remove(&p.body.tensors, "lm_head.weight");
  tensor_list_remove(&p.body.tensors, "wte.weight");
  head_folder_refuses(&p, keys, NULL, "wte.weight", "word table");
  head_folder_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_classes_are_refused_by_name),
      cmocka_unit_test(tensors_decide_where_they_leave_no_choice),
      cmocka_unit_test(the_first_class_is_the_usual_one),
      cmocka_unit_test(keys_shape_the_head),
      cmocka_unit_test(a_mean_needs_tokens),
      cmocka_unit_test(a_class_can_be_named),
      cmocka_unit_test(config_is_read_once),
      cmocka_unit_test(what_scores_the_next_token),
  };
  return cmocka_run_group_tests_name("model_head", tests, NULL, NULL);
}
