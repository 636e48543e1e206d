/* DeepSeek V2 and V3: keys and values of all heads come from one shorter vector, queries from another or not; a part of
 * each head rotates in neighbouring pairs, of keys one for all heads. Behind the first layers, feed-forward parts are
 * mixtures of experts. DeepSeek-AI, DeepSeek-V2 and DeepSeek-V3 technical reports, 2024; Kimi Team, Kimi K2, 2025, has
 * the code of the latter. */
#include "model/family/llama/llama_like.h"

#include <limits.h>

/* Where config.json does not say, as transformers documents it. */
enum { QUERY_RANK_USUAL = 1536, RANK_USUAL = 512, STILL_USUAL = 128, TURNING_USUAL = 64, VALUE_USUAL = 128 };

/* Of the norms of shorter vectors, whatever the file says of others. */
static const double latent_epsilon = 1e-6;

/* A key that is there has to be this number, as another one says. */
static attcert_status check_number(const json_file *file, const char *key, int expected, attcert_error *err) {
  int found = expected;
  const attcert_status status = json_file_optional_int(&found, file, key, 1, INT_MAX, err);
  if (status != ATTCERT_OK || found == expected) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %d, expected %d, as other keys say", file->path, key, found,
                      expected);
}

/* null: queries come from no shorter vector, which an absent key does not say. */
static attcert_status read_query_rank(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "q_lora_rank";
  config->latent.query_rank = json_object_get(file->root, key) == NULL ? QUERY_RANK_USUAL : 0;
  return json_file_optional_int(&config->latent.query_rank, file, key, 1, ATTCERT_SIDE_MAX, err);
}

static attcert_status read_sides(model_config *config, const json_file *file, attcert_error *err) {
  int still = STILL_USUAL, turning = TURNING_USUAL;
  config->latent.rank = RANK_USUAL;
  config->latent.epsilon = latent_epsilon;
  config->value_dim = VALUE_USUAL;
  attcert_status status = read_query_rank(config, file, err);
  if (status == ATTCERT_OK)
    status = json_file_optional_int(&config->latent.rank, file, "kv_lora_rank", 1, ATTCERT_SIDE_MAX, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&still, file, "qk_nope_head_dim", 1, ATTCERT_SIDE_MAX, err);
  if (status == ATTCERT_OK)
    status = json_file_optional_int(&turning, file, "qk_rope_head_dim", 1, ATTCERT_SIDE_MAX, err);
  if (status == ATTCERT_OK)
    status = json_file_optional_int(&config->value_dim, file, "v_head_dim", 1, ATTCERT_SIDE_MAX, err);
  config->head_dim = still + turning;
  config->rotary_dim = turning;
  if (status == ATTCERT_OK) status = check_number(file, "qk_head_dim", still + turning, err);
  if (status == ATTCERT_OK) status = check_number(file, "head_dim", turning, err);
  if (status == ATTCERT_OK) status = check_number(file, "num_key_value_heads", config->heads, err);
  return status == ATTCERT_OK ? model_config_check_rows(config, file->path, err) : status;
}

static attcert_status read_rotation(model_config *config, const json_file *file, attcert_error *err) {
  config->rotary_base = 10000.0;
  config->rotary_neighbours = true;
  attcert_status status = json_file_optional_positive(&config->rotary_base, file, "rope_theta", err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->rotary_neighbours, file, "rope_interleave", err);
  if (status == ATTCERT_OK) status = llama_read_angles(config, file, err);
  if (status != ATTCERT_OK) return status;
  if (config->rotary_dim % 2 != 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key 'qk_rope_head_dim' is %d, expected an even number", file->path,
                        config->rotary_dim);
  if (config->rotary_scaling.of_heads && config->head_dim % 2 != 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key 'qk_nope_head_dim' is %d, expected an even number", file->path,
                        config->head_dim - config->rotary_dim);
  const double least = config->rotary_scaling.by_pair ? 1.0 : 0.0;
  if (config->rotary_base > least) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'rope_theta' is %g, expected more than %g", file->path,
                      config->rotary_base, least);
}

/* Versions differ in how many dense layers a file has that is silent: none is taken for one. */
static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  attcert_status status = llama_read_biases(config, file, err);
  if (status == ATTCERT_OK) status = read_sides(config, file, err);
  if (status == ATTCERT_OK) status = read_rotation(config, file, err);
  if (status != ATTCERT_OK) return status;
  return json_file_optional_int(&config->dense_layers, file, "first_k_dense_replace", 0, INT_MAX, err);
}

static attcert_status check_second(model_config *config, const json_file *file, attcert_error *err) {
  attcert_status status = check(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->feed_forward_biases, file, "mlp_bias", err);
  return status;
}

#define EXPERTS "of a mixture of experts, which is not evaluated"

/* Rows of keys. */
#define DEEPSEEK_KEYS                                                                                                 \
  KEY_FREE("is_decoder", "its mask is causal in any case"),                                                           \
      KEY_READ("num_key_value_heads head_dim qk_head_dim q_lora_rank kv_lora_rank qk_nope_head_dim qk_rope_head_dim " \
               "v_head_dim rope_theta rope_scaling rope_parameters attention_bias first_k_dense_replace"),            \
      KEY_HELD("moe_layer_freq", "1", "every layer behind the first ones has experts"),                               \
      KEY_FREE("n_routed_experts n_shared_experts num_experts_per_tok moe_intermediate_size n_group topk_group "      \
               "topk_method scoring_func norm_topk_prob routed_scaling_factor num_experts num_local_experts",         \
               EXPERTS),                                                                                              \
      KEY_FREE("aux_loss_alpha seq_aux", "of training; no part of an evaluation"),                                    \
      KEY_FREE("ep_size pretraining_tp", "in how many pieces the same products are computed"),                        \
      KEY_FREE("auto_map", "the code that its files came with computes the same function of the values here")

/* Fields of model_family. */
#define DEEPSEEK_MODEL                                                                                          \
  .keys = LLAMA_KEYS("hidden_act"), .defaults = {.act = "silu", .epsilon = 1e-6, .untied = true}, LLAMA_BLOCKS, \
  .sequence = {.classifier = "score"}, .feed_forward_gate = "mlp.gate_proj",                                    \
  .feed_forward = {"mlp.up_proj", "mlp.down_proj", "post_attention_layernorm"},                                 \
  .attention = {.query = "self_attn.q_proj", .output = "self_attn.o_proj", .norm = "input_layernorm"},          \
  .latent = {"self_attn.q_a_proj",           "self_attn.q_a_layernorm",  "self_attn.q_b_proj",                  \
             "self_attn.kv_a_proj_with_mqa", "self_attn.kv_a_layernorm", "self_attn.kv_b_proj"},                \
  .unevaluated = "a mixture of experts"

/* Rows of tensors. */
#define DEEPSEEK_UNREAD                                                                                           \
  TENSOR_HEAD(TENSOR_MAP, "score", TENSOR_LABELS), TENSOR_TIED_HEAD("lm_head.weight"), LLAMA_ANGLES("self_attn"), \
      {TENSOR_OF_BLOCK, TENSOR_UNDER, TENSOR_ANYTHING, "mlp.experts", EXPERTS},                                   \
      {TENSOR_OF_BLOCK, TENSOR_UNDER, TENSOR_ANYTHING, "mlp.shared_experts", EXPERTS}, {                          \
    TENSOR_OF_BLOCK, TENSOR_UNDER, TENSOR_ANYTHING, "mlp.gate", EXPERTS                                           \
  }

const model_family family_deepseek_v2 = {
    .type = {{"deepseek_v2", "DeepseekV2"}},
    .heads = llama_heads,
    .tokenizer = "LlamaTokenizer",
    .other_keys = (const config_key[]){DEEPSEEK_KEYS, KEY_READ("mlp_bias"), KEY_END},
    .check = check_second,
    DEEPSEEK_MODEL,
    .unread = (const unread_tensor[]){DEEPSEEK_UNREAD, TENSOR_END},
};

const model_family family_deepseek_v3 = {
    .type = {{"deepseek_v3", "DeepseekV3"}, {"kimi_k2", NULL}},
    .heads = (const family_head[]){{"ForCausalLM", HEAD_NEXT_TOKEN},
                                   {"ForSequenceClassification", HEAD_SEQUENCE},
                                   {"ForTokenClassification", HEAD_TOKEN},
                                   {"Model", HEAD_NONE},
                                   HEADS_END},
    .tokenizer = "LlamaTokenizer",
    .other_keys =
        (const config_key[]){
            DEEPSEEK_KEYS, KEY_READ("rope_interleave"),
            KEY_FREE("num_nextn_predict_layers", "of layers behind these, which predict further words"), KEY_END},
    .check = check,
    DEEPSEEK_MODEL,
    .unread = (const unread_tensor[]){DEEPSEEK_UNREAD,
                                      {TENSOR_OF_MODEL, TENSOR_UNDER, TENSOR_ANYTHING, "layers.61",
                                       "predicts further words: no effect on the layers"},
                                      TENSOR_END},
};
