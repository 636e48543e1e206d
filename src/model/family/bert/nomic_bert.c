/* Nomic BERT: BERT with rotary positions, one map for queries, keys and values, gated feed-forward parts, and most of
 * GPT-2's names in config.json. Z. Nussbaum et al., Nomic Embed, 2024. What it computes is in code that its files name
 * (auto_map), at the place that is written here. */
#include "model/family/llama/llama_like.h"

#include <limits.h>
#include <string.h>

/* Where config.json does not say. */
enum { POSITIONS_USUAL = 1024, TRAINED_USUAL = 2048 };

static attcert_status check_code(const json_file *file, attcert_error *err) {
  static const char key[] = "auto_map", place[] = "nomic-ai/nomic-bert-2048--";
  const json_t *const map = json_object_get(file->root, key);
  const char *name;
  json_t *value;
  if (!json_file_has(file, key)) return ATTCERT_OK;
  if (!json_is_object(map))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is no object, expected one of classes", file->path, key);
  json_object_foreach((json_t *)map, name, value) {
    const char *const code = json_string_value(value);
    if (code == NULL || strncmp(code, place, strlen(place)) != 0)
      return attcert_fail(err, ATTCERT_INPUT,
                          "%s: key '%s' has %s of %.80s, expected %s..: other code may compute another function",
                          file->path, key, name, code != NULL ? code : "something else", place);
  }
  return ATTCERT_OK;
}

/* swiglu, geglu: gated; gelu: not. Newer files have the curve's own name, too. */
static attcert_status read_feed_forward(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "activation_function";
  static const struct {
    const char *name;
    const range_curve *curve;
    bool gated;
  } known[] = {{"swiglu", &curve_silu, true}, {"geglu", &curve_gelu, true}, {"gelu", &curve_gelu, false}};
  enum { KNOWN = sizeof known / sizeof known[0] };
  const char *name;
  size_t i = 0;
  const attcert_status status = json_file_string(&name, file, key, err);
  if (status != ATTCERT_OK) return status;
  while (i < KNOWN && strcmp(name, known[i].name) != 0) i++;
  if (i == KNOWN)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is '%s', expected swiglu, geglu or gelu", file->path, key,
                        name);
  if (json_file_has(file, "hidden_act") && config->act != known[i].curve)
    return attcert_fail(err, ATTCERT_INPUT, "%s: keys '%s' and 'hidden_act' differ, expected one activation",
                        file->path, key);
  config->act = known[i].curve;
  config->gated = known[i].gated;
  if (!config->gated || json_file_has(file, "n_inner")) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'n_inner' is missing, expected the width of the gated part",
                      file->path);
}

static attcert_status read_biases(model_config *config, const json_file *file, attcert_error *err) {
  bool second = true;
  attcert_status status = json_file_optional_bool(&config->attention_biases, file, "qkv_proj_bias", err);
  config->output_bias = config->attention_biases;
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->feed_forward_biases, file, "mlp_fc1_bias", err);
  config->words.map_unbiased = config->words.unbiased = !config->feed_forward_biases;
  config->tied = true; /* its class ties them in any case */
  if (status == ATTCERT_OK) status = json_file_optional_bool(&second, file, "mlp_fc2_bias", err);
  if (status != ATTCERT_OK || second == config->feed_forward_biases) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: keys 'mlp_fc1_bias' and 'mlp_fc2_bias' differ, expected the same",
                      file->path);
}

/* Beyond the tokens that it was trained on, angles depend on how many there are, unless the factor is null. */
static attcert_status read_length(model_config *config, const json_file *file, attcert_error *err) {
  int trained = TRAINED_USUAL;
  const json_t *const factor = json_object_get(file->root, "rotary_scaling_factor");
  const attcert_status status = json_file_optional_int(&trained, file, "max_trained_positions", 1, INT_MAX, err);
  if (config->positions == 0) config->positions = POSITIONS_USUAL;
  if (factor == NULL || !json_is_null(factor)) config->most_tokens = trained;
  return status;
}

static attcert_status read_rotation(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "rotary_emb_base", part_key[] = "rotary_emb_fraction";
  double part = 0.0, base = 0.0;
  attcert_status status = json_file_real(&part, file, part_key, err);
  if (status == ATTCERT_OK) status = json_file_real(&base, file, key, err);
  if (status != ATTCERT_OK) return status;
  const double rotating = config->head_dim * part;
  config->rotary_dim = rotating >= 2.0 && rotating <= config->head_dim ? (int)rotating : 0;
  if (config->rotary_dim == 0 || config->rotary_dim % 2 != 0 || config->rotary_dim != rotating)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g, of %d entries, expected an even number that rotate",
                        file->path, part_key, part, config->head_dim);
  if (!(base > 0.0))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g, expected a positive number", file->path, key, base);
  config->rotary_base = base;
  status = llama_read_angles(config, file, err);
  if (status != ATTCERT_OK || (config->rotary_base == base && !model_config_scales_angles(config))) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: keys '%s' and 'rope_parameters' differ, expected the same angles",
                      file->path, key);
}

/* What newer files say once more, by the names that transformers has for other models. */
static attcert_status check_twins(const model_config *config, const json_file *file, attcert_error *err) {
  const struct {
    const char *key;
    int value;
  } twin[] = {{"hidden_size", config->dim},           {"num_attention_heads", config->heads},
              {"num_hidden_layers", config->layers},  {"intermediate_size", config->hidden_dim},
              {"num_key_value_heads", config->heads}, {"head_dim", config->head_dim}};
  double epsilon = config->epsilon;
  for (size_t i = 0; i < sizeof twin / sizeof twin[0]; i++) {
    int value = twin[i].value;
    const attcert_status status = json_file_optional_int(&value, file, twin[i].key, 1, INT_MAX, err);
    if (status != ATTCERT_OK) return status;
    if (value != twin[i].value)
      return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %d, expected %d, as another key says", file->path,
                          twin[i].key, value, twin[i].value);
  }
  const attcert_status status = json_file_optional_positive(&epsilon, file, "layer_norm_eps", err);
  if (status != ATTCERT_OK || epsilon == config->epsilon) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: keys 'layer_norm_epsilon' and 'layer_norm_eps' differ", file->path);
}

/* The word table's rows are padded to a multiple, which vocab_size may have already. */
static attcert_status read_tables(model_config *config, const json_file *file, attcert_error *err) {
  int multiple = 1, types = 2;
  attcert_status status = json_file_optional_int(&multiple, file, "pad_vocab_size_multiple", 1, 1 << 16, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&types, file, "type_vocab_size", 1, INT_MAX, err);
  const int over = config->vocabulary % multiple;
  if (over > 0 && config->vocabulary <= INT_MAX - multiple) config->vocabulary += multiple - over;
  return status;
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  attcert_status status = check_code(file, err);
  if (status == ATTCERT_OK) status = read_feed_forward(config, file, err);
  if (status == ATTCERT_OK) status = read_biases(config, file, err);
  if (status == ATTCERT_OK) status = read_length(config, file, err);
  if (status == ATTCERT_OK) status = read_rotation(config, file, err);
  if (status == ATTCERT_OK) status = read_tables(config, file, err);
  return status == ATTCERT_OK ? check_twins(config, file, err) : status;
}

const model_family family_nomic_bert = {
    .type = {{"nomic_bert", "NomicBert"}},
    .heads = (const family_head[]){{"ForSequenceClassification", HEAD_SEQUENCE},
                                   {"ForPreTraining", HEAD_MASKED},
                                   {"ForMaskedLM", HEAD_MASKED},
                                   {"Model", HEAD_NONE},
                                   HEADS_END},
    .tokenizer = "BertTokenizer",
    .keys = {"n_embd", "n_head", "n_layer", "n_inner", "vocab_size", "n_positions", "hidden_act", "layer_norm_epsilon",
             NULL, true},
    .other_keys =
        (const config_key[]){
            KEY_READ("activation_function qkv_proj_bias mlp_fc1_bias mlp_fc2_bias rotary_emb_fraction rotary_emb_base "
                     "rotary_scaling_factor max_trained_positions pad_vocab_size_multiple type_vocab_size "
                     "hidden_size num_attention_heads num_hidden_layers intermediate_size layer_norm_eps "
                     "num_key_value_heads head_dim "
                     "rope_parameters auto_map"),
            KEY_NO_DECODER,
            KEY_HELD("prenorm parallel_block parallel_block_tied_norm use_rms_norm causal rotary_emb_interleaved "
                     "scale_attn_by_inverse_layer_idx norm_mlp",
                     "false", KEY_OTHER_FORM),
            KEY_HELD("scale_attn_weights", "true", KEY_OTHER_FORM),
            KEY_UNSET("rotary_emb_scale_base", "scaled angles are not evaluated"),
            KEY_FREE("max_position_embeddings", "how many tokens it was trained on; angles have no end"),
            KEY_FREE("use_flash_attn fused_bias_fc fused_dropout_add_ln use_xentropy dense_seq_output "
                     "reorder_and_upcast_attn",
                     "which code computes the same function"),
            KEY_END,
        },
    .defaults = {.act = "silu", .epsilon = 1e-5},
    .later = {"n_embd", &family_nomic_bert_later},
    .check = check,
    .prefix = "bert.",
    .word_table = "embeddings.word_embeddings.weight",
    .type_table = "embeddings.token_type_embeddings.weight",
    .embedding_norm = "emb_ln",
    .blocks = "encoder.layers.",
    .attention = {.query = "attn.Wqkv", .output = "attn.out_proj", .norm = "norm1"},
    .feed_forward = {"mlp.fc1", "mlp.fc2", "norm2"},
    .gated = {"mlp.fc12", "mlp.fc11"},
    .sequence = {.classifier = "classifier", .map = "pooler.dense", .curve = &curve_tanh, .map_of_model = true},
    .masked = {.map = "cls.predictions.transform.dense",
               .norm = "cls.predictions.transform.layer_norm",
               .bias = "cls.predictions.decoder.bias"},
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
            TENSOR_INNER(TENSOR_MAP, "pooler.dense", TENSOR_POOLER),
            TENSOR_HEAD(TENSOR_MAP, "cls.predictions.transform.dense", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_NORM, "cls.predictions.transform.layer_norm", TENSOR_WORDS),
            TENSOR_TIED_HEAD("cls.predictions.decoder.weight"),
            TENSOR_HEAD(TENSOR_ALONE, "cls.predictions.decoder.bias", TENSOR_WORDS),
            TENSOR_END,
        },
};
