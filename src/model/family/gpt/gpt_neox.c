/* GPT-NeoX, Pythia: GPT-2 with rotary positions of a part of each head, and both parts of a block side by side.
 * S. Black et al., GPT-NeoX-20B, 2022. */
#include "model/family/llama/llama_like.h"

/* Where config.json does not say, as transformers documents it. */
static const double part_usual = 0.25, theta_usual = 10000.0;

static const char rule_key[] = "rope_parameters";

/* Under the older name, under the newer one, or under that in rope_parameters, where transformers 5 has it; what is
 * said twice has to be one number. It stays where nothing is said. */
static attcert_status read_number(double *x, const json_file *file, const char *older, const char *newer,
                                  attcert_error *err) {
  const json_file object = {.path = file->path, .root = json_object_get(file->root, rule_key)};
  const struct {
    const json_file *in;
    const char *key;
  } place[] = {{file, older}, {file, newer}, {&object, newer}};
  const char *found = NULL;
  for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
    double value;
    if (!json_file_has(place[i].in, place[i].key)) continue;
    const attcert_status status = json_file_real(&value, place[i].in, place[i].key, err);
    if (status != ATTCERT_OK) return status;
    if (found != NULL && value != *x)
      return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g and '%s'%s is %g, expected one number", file->path,
                          found, *x, place[i].key, place[i].in == &object ? " in rope_parameters" : "", value);
    *x = value;
    found = place[i].key;
  }
  return ATTCERT_OK;
}

/* That part of the entries of a head, rounded down. */
static attcert_status read_rotation(model_config *config, const json_file *file, attcert_error *err) {
  static const char part_key[] = "rotary_pct", theta_key[] = "rotary_emb_base";
  static const config_key rule[] = {
      KEY_HELD("rope_type type", "\"default\"", "scaled angles of rope_parameters are not evaluated"),
      KEY_READ("rope_theta partial_rotary_factor"), KEY_END};
  double part = part_usual;
  config->rotary_base = theta_usual;
  attcert_status status = model_config_check_object(file, rule_key, rule, err);
  if (status == ATTCERT_OK) status = read_number(&part, file, part_key, "partial_rotary_factor", err);
  if (status == ATTCERT_OK) status = read_number(&config->rotary_base, file, theta_key, "rope_theta", err);
  if (status != ATTCERT_OK) return status;
  if (!(part > 0.0 && part <= 1.0))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g, expected a positive number of at most 1", file->path,
                        part_key, part);
  if (!(config->rotary_base > 0.0))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g, expected a positive number", file->path, theta_key,
                        config->rotary_base);
  config->rotary_dim = (int)(config->head_dim * part);
  if (config->rotary_dim > 0 && config->rotary_dim % 2 == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %d entries of a head rotate, expected an even number", file->path,
                      config->rotary_dim);
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->parallel = true;
  attcert_status status = json_file_optional_bool(&config->parallel, file, "use_parallel_residual", err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->attention_biases, file, "attention_bias", err);
  config->output_bias = config->attention_biases;
  return status == ATTCERT_OK ? read_rotation(config, file, err) : status;
}

const model_family family_gpt_neox = {
    .type = {{"gpt_neox", "GPTNeoX"}},
    .heads = (const family_head[]){{"ForCausalLM", HEAD_NEXT_TOKEN},
                                   {"ForSequenceClassification", HEAD_SEQUENCE},
                                   {"ForTokenClassification", HEAD_TOKEN},
                                   {"Model", HEAD_NONE},
                                   HEADS_END},
    .tokenizer = "GPTNeoXTokenizerFast",
    .keys = {"hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size", "vocab_size",
             "max_position_embeddings", "hidden_act", "layer_norm_eps", NULL, false},
    .other_keys =
        (const config_key[]){
            KEY_READ(
                "rotary_pct rotary_emb_base partial_rotary_factor rope_theta rope_parameters use_parallel_residual "
                "attention_bias"),
            KEY_UNSET("rope_scaling", "scaled angles are not evaluated"),
            KEY_FREE("is_decoder", "its mask is causal in any case"),
            KEY_FREE("hidden_dropout", "dropout in training; no part of an evaluation"),
            KEY_END,
        },
    .defaults = {.act = "gelu", .epsilon = 1e-5, .untied = true},
    .check = check,
    .norm_first = true,
    .decoder = true,
    .sequence = {.classifier = "score"},
    .prefix = "gpt_neox.",
    .word_table = "embed_in.weight",
    .blocks = "layers.",
    .attention = {.query = "attention.query_key_value", .output = "attention.dense", .norm = "input_layernorm"},
    .fused_by_head = true,
    .feed_forward = {"mlp.dense_h_to_4h", "mlp.dense_4h_to_h", "post_attention_layernorm"},
    .final_norm = "final_layer_norm",
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "score", TENSOR_LABELS),
            TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
            TENSOR_HEAD(TENSOR_MAP, "qa_outputs", TENSOR_ANSWERS),
            TENSOR_TIED_HEAD("embed_out.weight"),
            TENSOR_BUFFER(TENSOR_OF_BLOCK, TENSOR_MASK, "attention.bias", "the causal mask, made anew"),
            TENSOR_BUFFER(TENSOR_OF_BLOCK, TENSOR_MINUS_BIG, "attention.masked_bias",
                          "what masked scores become: weight 0"),
            LLAMA_ANGLES("attention"),
            TENSOR_END,
        },
};
