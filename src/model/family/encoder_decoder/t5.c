/* The encoder of T5, of mT5, and of UMT5, whose blocks have a position bias each: RMSNorm first, maps without biases,
 * scores that are not divided, with biases by position. C. Raffel et al., Exploring the limits of transfer learning
 * with a unified text-to-text transformer, JMLR 2020; L. Xue et al., mT5, 2021; H. W. Chung et al., UniMax, 2023. */
#include "model/family/families.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define T5_DECODER "of the decoder, of which --context evaluates the attention to the encoder alone"

/* Rows of keys. */
#define T5_OTHER_KEYS                                                                                            \
  KEY_READ("d_kv feed_forward_proj is_gated_act relative_attention_num_buckets relative_attention_max_distance " \
           "num_decoder_layers"),                                                                                \
      KEY_HELD("is_decoder", "false", "the decoder is not evaluated"),                                           \
      KEY_FREE("is_encoder_decoder tie_word_embeddings scale_decoder_outputs", T5_DECODER),                      \
      KEY_FREE("n_positions", "its class has no table of positions"),                                            \
      KEY_FREE("dropout_rate", "of training; no part of an evaluation")

/* Fields of model_family, but for type, defaults, check and what says whose the position bias is. */
#define T5_MODEL                                                                                                     \
  .heads = heads, .tokenizer = "T5Tokenizer",                                                                        \
  .keys = {"d_model", "num_heads",    "num_layers",         "d_ff", "vocab_size",                                    \
           NULL,      "dense_act_fn", "layer_norm_epsilon", NULL,   false},                                          \
  .head_size = {"d_kv", 64}, .prefix = "transformer.", .word_table = "shared.weight", .norm_first = true,            \
  .root_mean_square = true, .blocks = "encoder.block.",                                                              \
  .attention = {"layer.0.SelfAttention.q", "layer.0.SelfAttention.k", "layer.0.SelfAttention.v",                     \
                "layer.0.SelfAttention.o", "layer.0.layer_norm"},                                                    \
  .cross = {"decoder.block.", "layer.1.EncDecAttention.", "q", "k", "v", "o", "relative_attention_bias.weight"},     \
  .feed_forward = {"layer.1.DenseReluDense.wi", "layer.1.DenseReluDense.wo", "layer.1.layer_norm"},                  \
  .gated = {"layer.1.DenseReluDense.wi_0", "layer.1.DenseReluDense.wi_1"}, .final_norm = "encoder.final_layer_norm", \
  .sequence = {.classifier = "classifier"}, .unread = unread

static const family_head heads[] = {
    {"ForTokenClassification", HEAD_TOKEN}, {"EncoderModel", HEAD_NONE}, {"Model", HEAD_NONE}, HEADS_END};

static const unread_tensor unread[] = {
    {TENSOR_OF_MODEL, TENSOR_ALONE, TENSOR_TIED, "encoder.embed_tokens.weight", "the word table once more"},
    TENSOR_INNER(TENSOR_UNDER, "decoder", T5_DECODER),
    TENSOR_HEAD(TENSOR_ALONE, "lm_head.weight", TENSOR_WORDS),
    TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
    TENSOR_HEAD(TENSOR_MAP, "qa_outputs", TENSOR_ANSWERS),
    TENSOR_HEAD(TENSOR_MAP, "classification_head.dense", TENSOR_LABELS),
    TENSOR_HEAD(TENSOR_MAP, "classification_head.out_proj", TENSOR_LABELS),
    TENSOR_END,
};

/* Whether rounding the logarithms to binary32, as transformers does, leaves every bucket: each offset up to the
 * distance is clear of the next bucket by more than that. */
static bool are_clear(int buckets, int distance) {
  const int half = buckets / 2, exact = half / 2;
  if (distance <= exact) return false;
  if (buckets == 32 && distance == 128) return true; /* those on an edge, at powers of 2, are known to stay */
  for (int n = exact + 1; n < distance; n++) {
    const double place = log((double)n / exact) / log((double)distance / exact) * (half - exact);
    if (fabs(place - nearbyint(place)) < 1e-5) return false;
  }
  return true;
}

static attcert_status read_buckets(model_config *config, const json_file *file, attcert_error *err) {
  static const char buckets_key[] = "relative_attention_num_buckets", key[] = "relative_attention_max_distance";
  int buckets = 32, distance = 128;
  attcert_status status = json_file_optional_int(&buckets, file, buckets_key, 4, MODEL_DIM_MAX, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&distance, file, key, 1, 1 << 20, err);
  if (status != ATTCERT_OK) return status;
  config->position_buckets = buckets;
  config->position_distance = distance;
  if (are_clear(buckets, distance)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: keys '%s' and '%s' are %d and %d, expected numbers whose buckets do not depend on rounding",
                      file->path, buckets_key, key, buckets, distance);
}

/* "ACTIVATION" or "gated-ACTIVATION", where gated-gelu is by tanh. What is derived from it may stand beside it. */
static attcert_status read_feed_forward(model_config *config, const json_file *file, const char *usual,
                                        attcert_error *err) {
  static const char key[] = "feed_forward_proj", gate[] = "gated-";
  const char *name = usual;
  const attcert_status status = json_file_has(file, key) ? json_file_string(&name, file, key, err) : ATTCERT_OK;
  if (status != ATTCERT_OK) return status;
  config->gated = strncmp(name, gate, strlen(gate)) == 0;
  const char *const act = config->gated ? name + strlen(gate) : name;
  const range_curve *const curve = activation_named(strcmp(name, "gated-gelu") == 0 ? "gelu_new" : act);
  bool gated = config->gated;
  if (curve == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is '%s', expected %s, with or without '%s' before it",
                        file->path, key, name, ACTIVATION_NAMES, gate);
  const attcert_status said = json_file_optional_bool(&gated, file, "is_gated_act", err);
  const bool differs = gated != config->gated || (json_file_has(file, "dense_act_fn") && config->act != curve);
  if (said == ATTCERT_OK && differs)
    return attcert_fail(
        err, ATTCERT_INPUT,
        "%s: key '%s' is '%s', but 'dense_act_fn' or 'is_gated_act' differs, expected what follows from "
        "it",
        file->path, key, name);
  config->act = curve;
  return said;
}

static attcert_status read_all(model_config *config, const json_file *file, const char *usual, attcert_error *err) {
  config->attention_biases = config->output_bias = config->feed_forward_biases = false;
  config->scaled = false;
  config->tied = true; /* the encoder's table, in any case */
  config->positions = ATTCERT_SIDE_MAX;
  config->cross.heads = config->heads;
  config->cross.layers = config->layers; /* where the file is silent */
  attcert_status status = json_file_optional_int(&config->cross.layers, file, "num_decoder_layers", 1, INT_MAX, err);
  if (status == ATTCERT_OK) status = read_feed_forward(config, file, usual, err);
  return status == ATTCERT_OK ? read_buckets(config, file, err) : status;
}

/* Of T5 alone the usual part is no gated one. */
static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  return read_all(config, file, strcmp(config->type, "t5") == 0 ? "relu" : "gated-gelu", err);
}

const model_family family_t5 = {
    .type = {{"t5", "T5"}, {"mt5", "MT5"}},
    .other_keys = (const config_key[]){T5_OTHER_KEYS, KEY_END},
    .defaults = {.act = "relu", .epsilon = 1e-6},
    .check = check,
    .position_bias = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
    T5_MODEL,
};

const model_family family_umt5 = {
    .type = {{"umt5", "UMT5"}},
    .other_keys =
        (const config_key[]){T5_OTHER_KEYS, KEY_FREE("scalable_attention", "its class does not read it"), KEY_END},
    .defaults = {.act = "gelu_new", .epsilon = 1e-6},
    .check = check,
    .position_bias = "layer.0.SelfAttention.relative_attention_bias.weight",
    .own_position_bias = true,
    T5_MODEL,
};
