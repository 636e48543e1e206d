/* config.json of BERT and GPT-2: what is read, what has a default, and one line a bad value that names file, key and
 * what was expected. */
#include "config_text.h"
#include "model/family/families.h"
#include "temp_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char bert_required[] = "\"model_type\": \"bert\", \"hidden_size\": 12, \"num_attention_heads\": 3, "
                                    "\"num_hidden_layers\": 2, \"intermediate_size\": 40";
static const char gpt2_required[] = "\"model_type\": \"gpt2\", \"n_embd\": 8, \"n_head\": 2, \"n_layer\": 5";

/* Reads { required, extra } */
static attcert_status read_text(model_config *config, attcert_error *err, const char *required, const char *extra) {
  char text[1024];
  snprintf(text, sizeof text, "{%s%s%s}", required, *extra != '\0' ? ", " : "", extra);
  return config_text_read(config, text, err);
}

static model_config read_good(const char *required, const char *extra) {
  model_config config;
  attcert_error err = {0};
  if (read_text(&config, &err, required, extra) != ATTCERT_OK) fail_msg("{%s, %s}: %s", required, extra, err.message);
  return config;
}

/* The message is one line that has the file's name and each of the words. */
static void assert_refused(const char *required, const char *extra, const char *word, const char *another) {
  model_config config;
  attcert_error err = {0};
  if (read_text(&config, &err, required, extra) != ATTCERT_INPUT) fail_msg("{%s, %s} was accepted", required, extra);
  if (strstr(err.message, "config.json") == NULL || strstr(err.message, word) == NULL ||
      strstr(err.message, another) == NULL || strchr(err.message, '\n') != NULL)
    fail_msg("\"%s\" does not say config.json, %s and %s", err.message, word, another);
}

static void bert_minimal(void **state) {
  (void)state;
  const model_config config = read_good(bert_required, "");
  assert_ptr_equal(config.family, &family_bert);
  assert_int_equal(config.mask, ATTCERT_MASK_NONE);
  assert_int_equal(config.dim, 12);
  assert_int_equal(config.heads, 3);
  assert_int_equal(config.layers, 2);
  assert_int_equal(config.hidden_dim, 40);
  assert_int_equal(config.vocabulary, 0);
  assert_int_equal(config.positions, 0);
  assert_ptr_equal(config.act, &curve_gelu);
  assert_true(config.epsilon == 1e-12);
}

static void gpt2_minimal(void **state) {
  (void)state;
  const model_config config = read_good(gpt2_required, "");
  assert_ptr_equal(config.family, &family_gpt2);
  assert_int_equal(config.mask, ATTCERT_MASK_CAUSAL);
  assert_int_equal(config.dim, 8);
  assert_int_equal(config.heads, 2);
  assert_int_equal(config.layers, 5);
  assert_int_equal(config.hidden_dim, 32);
  assert_ptr_equal(config.act, &curve_gelu_tanh);
  assert_true(config.epsilon == 1e-5);
}

static void optional_keys(void **state) {
  (void)state;
  model_config config = read_good(bert_required, "\"vocab_size\": 99, \"max_position_embeddings\": 7, \"hidden_act\": "
                                                 "\"relu\", \"layer_norm_eps\": 0.5");
  assert_int_equal(config.vocabulary, 99);
  assert_int_equal(config.positions, 7);
  assert_ptr_equal(config.act, &curve_relu);
  assert_true(config.epsilon == 0.5);
  config = read_good(gpt2_required, "\"vocab_size\": 3, \"n_positions\": 4, \"activation_function\": \"gelu\", "
                                    "\"layer_norm_epsilon\": 1, \"n_inner\": 9");
  assert_int_equal(config.vocabulary, 3);
  assert_int_equal(config.positions, 4);
  assert_ptr_equal(config.act, &curve_gelu);
  assert_true(config.epsilon == 1.0);
  assert_int_equal(config.hidden_dim, 9);
  assert_int_equal(read_good(gpt2_required, "\"n_inner\": null").hidden_dim, 32);
}

static void settings_that_change_nothing(void **state) {
  (void)state;
  read_good(gpt2_required, "\"scale_attn_weights\": true, \"scale_attn_by_inverse_layer_idx\": false");
  assert_int_equal(read_good(bert_required, "\"is_decoder\": false, \"position_embedding_type\": \"absolute\"").mask,
                   ATTCERT_MASK_NONE);
}

static void bert_as_decoder_is_causal(void **state) {
  (void)state;
  assert_int_equal(read_good(bert_required, "\"is_decoder\": true").mask, ATTCERT_MASK_CAUSAL);
}

static void settings_that_change_the_function(void **state) {
  (void)state;
  assert_refused(gpt2_required, "\"scale_attn_weights\": false", "scale_attn_weights", "true");
  assert_refused(gpt2_required, "\"scale_attn_by_inverse_layer_idx\": true", "scale_attn_by_inverse_layer_idx",
                 "false");
  assert_refused(bert_required, "\"position_embedding_type\": \"relative_key\"", "position_embedding_type", "absolute");
}

static void missing_keys(void **state) {
  (void)state;
  assert_refused("\"hidden_size\": 12", "", "model_type", "missing");
  assert_refused("\"model_type\": \"bert\"", "", "hidden_size", "missing");
  assert_refused("\"model_type\": \"bert\", \"hidden_size\": 12", "", "num_attention_heads", "missing");
  assert_refused("\"model_type\": \"bert\", \"hidden_size\": 12, \"num_attention_heads\": 3", "", "num_hidden_layers",
                 "missing");
  assert_refused("\"model_type\": \"bert\", \"hidden_size\": 12, \"num_attention_heads\": 3, \"num_hidden_layers\": 1",
                 "", "intermediate_size", "missing");
  assert_refused("\"model_type\": \"gpt2\"", "", "n_embd", "missing");
  assert_refused("\"model_type\": \"gpt2\", \"n_embd\": 8", "", "n_head", "missing");
  assert_refused("\"model_type\": \"gpt2\", \"n_embd\": 8, \"n_head\": 2", "", "n_layer", "missing");
}

static void wrong_values(void **state) {
  (void)state;
  assert_refused("\"model_type\": \"mamba\"", "", "mamba", "bert, gpt2, roberta");
  assert_refused("\"model_type\": 3", "", "model_type", "string");
  assert_refused("\"model_type\": \"gpt2\", \"n_embd\": \"8\"", "", "n_embd", "integer");
  assert_refused("\"model_type\": \"gpt2\", \"n_embd\": 8.0", "", "n_embd", "integer");
  assert_refused("\"model_type\": \"gpt2\", \"n_embd\": 0", "", "n_embd", "1");
  assert_refused("\"model_type\": \"gpt2\", \"n_embd\": -8", "", "n_embd", "1");
  assert_refused("\"model_type\": \"gpt2\", \"n_embd\": 1073741824", "", "n_embd", "4096");
  assert_refused("\"model_type\": \"gpt2\", \"n_embd\": 8, \"n_head\": 3, \"n_layer\": 1", "", "3 heads", "8");
  assert_refused(gpt2_required, "\"n_inner\": 0", "n_inner", "1");
  assert_refused(gpt2_required, "\"vocab_size\": 0", "vocab_size", "1");
  assert_refused(gpt2_required, "\"activation_function\": \"mish\"", "mish", "gelu_pytorch_tanh");
  assert_refused(gpt2_required, "\"activation_function\": 1", "activation_function", "string");
  assert_refused(gpt2_required, "\"layer_norm_epsilon\": 0", "layer_norm_epsilon", "positive");
  assert_refused(gpt2_required, "\"layer_norm_epsilon\": \"1e-5\"", "layer_norm_epsilon", "number");
  assert_refused(gpt2_required, "\"scale_attn_weights\": 1", "scale_attn_weights", "is 1, expected true");
  assert_refused(gpt2_required, "\"n_embd\": 8", "duplicate", "n_embd");
}

static void embeddings_need_their_sizes(void **state) {
  (void)state;
  attcert_error err = {0};
  model_config config = read_good(bert_required, "\"vocab_size\": 9");
  assert_int_equal(model_config_require_embeddings(&config, "config.json", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "max_position_embeddings"));
  config = read_good(gpt2_required, "\"n_positions\": 9");
  assert_int_equal(model_config_require_embeddings(&config, "config.json", &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "vocab_size"));
  config = read_good(gpt2_required, "\"n_positions\": 9, \"vocab_size\": 9");
  assert_int_equal(model_config_require_embeddings(&config, "config.json", &err), ATTCERT_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bert_minimal),
      cmocka_unit_test(gpt2_minimal),
      cmocka_unit_test(optional_keys),
      cmocka_unit_test(settings_that_change_nothing),
      cmocka_unit_test(bert_as_decoder_is_causal),
      cmocka_unit_test(settings_that_change_the_function),
      cmocka_unit_test(missing_keys),
      cmocka_unit_test(wrong_values),
      cmocka_unit_test(embeddings_need_their_sizes),
  };
  return cmocka_run_group_tests_name("model_config", tests, temp_folder_set_up, temp_folder_tear_down);
}
