/* ModernBERT: BERT with LayerNorm first, rotary positions, gated feed-forward parts, and layers that attend to what is
 * near alone. B. Warner et al., 2024. */
#include "model/family/llama/llama_like.h"

#include <limits.h>
#include <string.h>

/* Where config.json does not say, as transformers documents it. */
enum { PERIOD_USUAL = 3, NEAR_USUAL = 128, THETA_USUAL = 160000, LOCAL_THETA_USUAL = 10000 };

/* A null theta of local layers stands for that of the others. */
static attcert_status read_rotation(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "local_rope_theta";
  config->rotary_base = THETA_USUAL;
  config->local_rotary_base = LOCAL_THETA_USUAL;
  const attcert_status status = json_file_optional_positive(&config->rotary_base, file, "global_rope_theta", err);
  if (status != ATTCERT_OK) return status;
  if (json_is_null(json_object_get(file->root, key))) {
    config->local_rotary_base = 0.0;
    return llama_read_angles(config, file, err);
  }
  const attcert_status local = json_file_optional_positive(&config->local_rotary_base, file, key, err);
  return local == ATTCERT_OK ? llama_read_angles(config, file, err) : local;
}

/* local_attention is how many tokens are near in both directions together. */
static attcert_status read_layers(model_config *config, const json_file *file, attcert_error *err) {
  int period = PERIOD_USUAL, near = NEAR_USUAL;
  attcert_status status = model_config_check_typed_layers(config, file->path, err);
  if (status == ATTCERT_OK)
    status = json_file_optional_int(&period, file, "global_attn_every_n_layers", 1, INT_MAX, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&near, file, "local_attention", 1, INT_MAX, err);
  config->window = near / 2 + 1;
  for (int l = 0; l < config->layers && status == ATTCERT_OK; l++) {
    if (l % period != 0) model_layers_add(&config->local, l);
  }
  return status == ATTCERT_OK ? llama_read_types(config, file, err) : status;
}

/* The head's map, which scores of words and labels have before them. */
static attcert_status read_head(model_config *config, const json_file *file, attcert_error *err) {
  static const char act_key[] = "classifier_activation", pooling_key[] = "classifier_pooling";
  const char *act = "gelu", *pooling = "cls";
  bool biased = false, scored = true;
  attcert_status status = json_file_optional_bool(&biased, file, "classifier_bias", err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&scored, file, "decoder_bias", err);
  if (status == ATTCERT_OK && json_file_has(file, act_key)) status = json_file_string(&act, file, act_key, err);
  if (status == ATTCERT_OK && json_file_has(file, pooling_key))
    status = json_file_string(&pooling, file, pooling_key, err);
  if (status != ATTCERT_OK) return status;
  config->head.map_unbiased = config->words.map_unbiased = !biased;
  config->head.curve = config->words.curve = activation_named(act);
  config->words.unbiased = !scored;
  config->head.mean = strcmp(pooling, "mean") == 0;
  if (config->head.curve == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is '%s', expected %s", file->path, act_key, act,
                        ACTIVATION_NAMES);
  if (config->head.mean || strcmp(pooling, "cls") == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is '%s', expected cls or mean", file->path, pooling_key,
                      pooling);
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->attention_biases = config->feed_forward_biases = config->norm_biases = false;
  attcert_status status = json_file_optional_bool(&config->attention_biases, file, "attention_bias", err);
  config->output_bias = config->attention_biases;
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->feed_forward_biases, file, "mlp_bias", err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->norm_biases, file, "norm_bias", err);
  if (status == ATTCERT_OK) status = read_rotation(config, file, err);
  if (status == ATTCERT_OK) status = read_layers(config, file, err);
  if (status == ATTCERT_OK) status = read_head(config, file, err);
  if (status != ATTCERT_OK || config->head_dim % 2 == 0) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: heads of %d entries, expected an even number, which rotate in pairs",
                      file->path, config->head_dim);
}

const model_family family_modernbert = {
    .type = {{"modernbert", "ModernBert"}},
    .heads = (const family_head[]){{"ForSequenceClassification", HEAD_SEQUENCE},
                                   {"ForTokenClassification", HEAD_TOKEN},
                                   {"ForMaskedLM", HEAD_MASKED},
                                   {"Model", HEAD_NONE},
                                   HEADS_END},
    .tokenizer = "PreTrainedTokenizerFast",
    .keys = {"hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size", "vocab_size",
             "max_position_embeddings", "hidden_activation", "norm_eps", NULL, false},
    .other_keys =
        (const config_key[]){
            KEY_READ(
                "attention_bias mlp_bias norm_bias global_rope_theta local_rope_theta rope_parameters local_attention "
                "layer_types global_attn_every_n_layers classifier_pooling classifier_bias classifier_activation "
                "decoder_bias"),
            KEY_NO_DECODER,
            KEY_FREE("layer_norm_eps", "its class reads norm_eps"),
            KEY_FREE("embedding_dropout mlp_dropout initializer_cutoff_factor sparse_prediction "
                     "sparse_pred_ignore_index",
                     "of training; no part of an evaluation"),
            KEY_FREE("deterministic_flash_attn reference_compile repad_logits_with_grad",
                     "which code computes the same function"),
            KEY_END,
        },
    .defaults = {.act = "gelu", .epsilon = 1e-5},
    .check = check,
    .prefix = "model.",
    .word_table = "embeddings.tok_embeddings.weight",
    .embedding_norm = "embeddings.norm",
    .norm_first = true,
    .first_unnormed = true,
    .blocks = "layers.",
    .attention = {.query = "attn.Wqkv", .output = "attn.Wo", .norm = "attn_norm"},
    .feed_forward = {"mlp.Wi", "mlp.Wo", "mlp_norm"},
    .gate_in_up = true,
    .final_norm = "final_norm",
    .sequence =
        {.classifier = "classifier", .map = "head.dense", .curve = &curve_gelu, .norm = "head.norm", .of_tokens = true},
    .masked = {.map = "head.dense", .norm = "head.norm", .bias = "decoder.bias"},
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "head.dense", TENSOR_LABELS),
            TENSOR_HEAD(TENSOR_NORM, "head.norm", TENSOR_LABELS),
            TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
            TENSOR_TIED_HEAD("decoder.weight"),
            TENSOR_HEAD(TENSOR_ALONE, "decoder.bias", TENSOR_WORDS),
            TENSOR_END,
        },
};
