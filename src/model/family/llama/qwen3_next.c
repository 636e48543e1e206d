/* Qwen3-Next: every fourth layer has attention, with gates, norms of queries and keys, and rotary positions of a part
 * of each head; the others a gated delta rule, and all mixtures of experts. Qwen team, 2025. */
#include "model/family/llama/qwen_like.h"

#include <limits.h>
#include <string.h>

/* Where config.json does not say, as transformers documents it. */
enum { HEAD_DIM_USUAL = 256, PERIOD_USUAL = 4 };
static const double part_usual = 0.25;

static attcert_status read_kinds(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "layer_types";
  const json_t *const list = json_object_get(file->root, key);
  const bool listed = json_file_has(file, key);
  int period = PERIOD_USUAL;
  attcert_status status = json_file_optional_int(&period, file, "full_attention_interval", 1, INT_MAX, err);
  if (status != ATTCERT_OK) return status;
  if (listed && (!json_is_array(list) || json_array_size(list) != (size_t)config->layers))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is no list of %d types, expected one a layer", file->path,
                        key, config->layers);
  for (int l = 0; l < config->layers; l++) {
    const char *const type = listed                  ? json_string_value(json_array_get(list, (size_t)l))
                             : (l + 1) % period == 0 ? "full_attention"
                                                     : "linear_attention";
    const bool other = type != NULL && strcmp(type, "linear_attention") == 0;
    if (other) model_layers_add(&config->others, l);
    if (!other && (type == NULL || strcmp(type, "full_attention") != 0))
      return attcert_fail(err, ATTCERT_INPUT,
                          "%s: key '%s' has type %s of layer %d, expected full_attention or linear_attention",
                          file->path, key, type != NULL ? type : "(none)", l);
  }
  return ATTCERT_OK;
}

attcert_status qwen_read_gated(model_config *config, int key_heads, const json_file *file, attcert_error *err) {
  config->key_heads = key_heads;
  config->head_dim = HEAD_DIM_USUAL;
  config->rotary_part = part_usual;
  attcert_status status = llama_read_biases(config, file, err);
  if (status == ATTCERT_OK) status = llama_read_heads(config, file, err);
  return status == ATTCERT_OK ? read_kinds(config, file, err) : status;
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  enum { KEY_HEADS_USUAL = 2 };
  return qwen_read_gated(config, KEY_HEADS_USUAL, file, err);
}

#define EXPERTS "of a mixture of experts, which is not evaluated"

const model_family family_qwen3_next = {
    .type = {{"qwen3_next", "Qwen3Next"}},
    .heads = (const family_head[]){{"Model", HEAD_NONE}, HEADS_END},
    .tokenizer = "Qwen2Tokenizer",
    .keys = LLAMA_KEYS("hidden_act"),
    .other_keys =
        (const config_key[]){
            LLAMA_OTHER_KEYS,
            KEY_READ("attention_bias partial_rotary_factor full_attention_interval"),
            KEY_FREE("num_experts num_experts_per_tok moe_intermediate_size shared_expert_intermediate_size "
                     "norm_topk_prob decoder_sparse_step mlp_only_layers output_router_logits router_aux_loss_coef",
                     EXPERTS),
            QWEN_DELTA_KEYS,
            KEY_HELD("use_sliding_window", "false", "its class attends to all tokens before"),
            KEY_END,
        },
    .defaults = {.act = "silu", .epsilon = 1e-6, .untied = true},
    .check = check,
    LLAMA_BLOCKS,
    .gain_from_one = true,
    LLAMA_ATTENTION,
    .gated_heads = true,
    .heads_norm = {"self_attn.q_norm", "self_attn.k_norm", false},
    .other_layers = QWEN_OTHER_LAYERS,
    .feed_forward.norm = "post_attention_layernorm",
    .unevaluated = "a mixture of experts",
    .unread =
        (const unread_tensor[]){
            {TENSOR_OF_BLOCK, TENSOR_UNDER, TENSOR_ANYTHING, "mlp", EXPERTS},
            QWEN_DELTA_TENSORS,
            TENSOR_TIED_HEAD("lm_head.weight"),
            TENSOR_END,
        },
};
