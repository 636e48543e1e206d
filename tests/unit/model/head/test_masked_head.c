/* Heads that predict the word where a token is: whose biases they have, and which one it is where files have two. */
#include "head_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A BERT with the map and the norm before the words' scores. */
static void masked_folder(head_folder *p) {
  head_folder_init(p, "bert");
  head_folder_add_map(p, "cls.predictions.transform.dense", p->body.dim);
  head_folder_add(p, "cls.predictions.transform.LayerNorm.weight", p->body.dim, 0);
  head_folder_add(p, "cls.predictions.transform.LayerNorm.bias", p->body.dim, 0);
}

/* The bias under either name, or under both where they agree; what scores words where nothing is tied. */
static void masked_words_have_one_bias(void **state) {
  (void)state;
  static const char masked[] = "\"architectures\": [\"BertForMaskedLM\"], ";
  static const char text[] = "masked token, any token: cls.predictions.transform.dense, gelu, "
                             "cls.predictions.transform.LayerNorm, embeddings.word_embeddings";
  head_folder p;
  masked_folder(&p);
  head_folder_refuses(&p, masked, NULL, "no tensor cls.predictions.bias", "expected the bias");
  double *const bias = head_folder_add(&p, "cls.predictions.decoder.bias", TINY_VOCABULARY, 0);
  head_folder_opens(&p, masked, NULL, text);
  double *const again = head_folder_add(&p, "cls.predictions.bias", TINY_VOCABULARY, 0);
  head_folder_refuses(&p, masked, NULL, "cls.predictions.decoder.bias", "differ");
  memcpy(again, bias, TINY_VOCABULARY * sizeof *bias);
  head_folder_opens(&p, masked, NULL, text);
  head_folder_add_map(&p, "cls.seq_relationship", 2);
  head_folder_opens(&p, masked, NULL, text);
  head_folder_refuses(&p, "\"architectures\": [\"BertForMaskedLM\"], \"tie_word_embeddings\": false, ", NULL,
                      "no tensor cls.predictions.decoder.weight", "masked token");
  model_head head;
  int token;
  assert_int_equal(head_folder_open(&head, &p, masked, NULL, NULL), ATTCERT_OK);
  assert_int_equal(model_head_token(&token, &head, HEAD_TOKEN_UNASKED, 3, NULL), ATTCERT_INPUT);
  assert_int_equal(model_head_token(&token, &head, 3, 3, NULL), ATTCERT_INPUT);
  assert_int_equal(model_head_token(&token, &head, 1, 3, NULL), ATTCERT_OK);
  assert_int_equal(token, 1);
  assert_int_equal(head.labels, TINY_VOCABULARY);
  model_head_clear(&head);
  head_folder_add_map(&p, "qa_outputs", 2);
  head_folder_refuses(&p, masked, NULL, "qa_outputs.weight", "another head");
  head_folder_clear(&p);
}

/* Biases of the map, of its norm and of the scores are there as config.json says, and of two heads one is computed. */
static void masked_words_are_as_keys_say(void **state) {
  (void)state;
  static const char modern[] = "\"architectures\": [\"ModernBertForMaskedLM\"], ";
  static const char plain[] = "\"architectures\": [\"ModernBertForMaskedLM\"], \"decoder_bias\": false, ";
  static const char text[] =
      "masked token, any token: final_norm, head.dense, gelu, head.norm, embeddings.tok_embeddings";
  head_folder p;
  head_folder_init(&p, "modernbert");
  head_folder_add(&p, "head.dense.weight", p.body.dim, p.body.dim);
  head_folder_add(&p, "head.norm.weight", p.body.dim, 0);
  head_folder_refuses(&p, modern, NULL, "no tensor decoder.bias", "expected the bias");
  head_folder_opens(&p, plain, NULL, text);
  head_folder_add(&p, "decoder.bias", TINY_VOCABULARY, 0);
  head_folder_opens(&p, modern, NULL, text);
  head_folder_refuses(&p, plain, NULL, "'decoder.bias' is stored", "config.json says there is none");
  head_folder_add(&p, "head.norm.bias", p.body.dim, 0);
  head_folder_refuses(&p, modern, NULL, "'head.norm.bias' is stored", "config.json says there is none");
  head_folder_add(&p, "head.dense.bias", p.body.dim, 0);
  head_folder_refuses(&p, modern, NULL, "'head.dense.bias' is stored", "config.json says there is none");
  head_folder_clear(&p);

  head_folder_init(&p, "deberta-v2");
  head_folder_refuses(&p, "\"architectures\": [\"DebertaV2ForMaskedLM\"], \"legacy\": false, ", NULL, "'legacy'",
                      "not evaluated");
  head_folder_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masked_words_have_one_bias),
      cmocka_unit_test(masked_words_are_as_keys_say),
  };
  return cmocka_run_group_tests_name("masked_head", tests, NULL, NULL);
}
