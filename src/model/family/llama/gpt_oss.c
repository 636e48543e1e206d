/* gpt-oss: LLaMA with a sink for each head, a window in every second layer, and mixtures of experts. OpenAI, 2025. */
#include "model/family/llama/llama_like.h"

/* Where config.json does not say, as transformers documents it. */
enum { KEY_HEADS_USUAL = 8, HEAD_DIM_USUAL = 64, WINDOW_USUAL = 128, THETA_USUAL = 150000 };

/* How angles are scaled where the file is silent is told otherwise by different versions of transformers. */
static attcert_status require_angles(const json_file *file, attcert_error *err) {
  if (json_file_has(file, "rope_scaling") || json_file_has(file, "rope_parameters")) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'rope_scaling' is missing, expected one, or 'rope_parameters'",
                      file->path);
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  config->key_heads = KEY_HEADS_USUAL;
  config->head_dim = HEAD_DIM_USUAL;
  config->window = WINDOW_USUAL;
  config->rotary_base = THETA_USUAL;
  for (int l = 0; l < config->layers; l += 2) model_layers_add(&config->local, l);
  attcert_status status = require_angles(file, err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->attention_biases, file, "attention_bias", err);
  config->output_bias = config->attention_biases;
  if (status == ATTCERT_OK) status = llama_read_heads(config, file, err);
  if (status == ATTCERT_OK) status = llama_read_window(config, file, err);
  return status == ATTCERT_OK ? llama_read_types(config, file, err) : status;
}

#define EXPERTS "of a mixture of experts, which is not evaluated"

const model_family family_gpt_oss = {
    .type = {{"gpt_oss", "GptOss"}},
    .heads = (const family_head[]){{"Model", HEAD_NONE}, HEADS_END},
    .tokenizer = "PreTrainedTokenizerFast",
    .keys = LLAMA_KEYS("hidden_act"),
    .other_keys =
        (const config_key[]){
            LLAMA_OTHER_KEYS,
            KEY_READ("attention_bias sliding_window"),
            KEY_FREE("num_local_experts num_experts experts_per_token num_experts_per_tok swiglu_alpha swiglu_limit "
                     "output_router_logits router_aux_loss_coef",
                     EXPERTS),
            KEY_FREE("quantization_config", "of the experts' numbers alone; a map of the attention that is stored "
                                            "otherwise is refused"),
            KEY_FREE("initial_context_length", "a record of how many tokens it was trained on first"),
            KEY_END,
        },
    .defaults = {.act = "silu", .epsilon = 1e-5, .untied = true},
    .check = check,
    LLAMA_BLOCKS,
    LLAMA_ATTENTION,
    .sinks = "self_attn.sinks",
    .feed_forward.norm = "post_attention_layernorm",
    .unevaluated = "a mixture of experts",
    .unread =
        (const unread_tensor[]){
            TENSOR_BUFFER(TENSOR_OF_BLOCK, TENSOR_ANYTHING, "mlp.router.weight", EXPERTS),
            TENSOR_BUFFER(TENSOR_OF_BLOCK, TENSOR_ANYTHING, "mlp.router.bias", EXPERTS),
            {TENSOR_OF_BLOCK, TENSOR_UNDER, TENSOR_ANYTHING, "mlp.experts", EXPERTS},
            TENSOR_TIED_HEAD("lm_head.weight"),
            TENSOR_END,
        },
};
