/* GPT-NeoX, Pythia: GPT-2 with rotary positions of a part of each head, and both parts of a block side by side.
 * S. Black et al., GPT-NeoX-20B, 2022. */
#include "model/family/llama/llama_like.h"

/* Where config.json does not say, as transformers documents it. */
static const double part_usual = 0.25, theta_usual = 10000.0;

static attcert_status read_part(double *part, const json_file *file, attcert_error *err) {
  static const char key[] = "rotary_pct";
  const attcert_status status = json_file_has(file, key) ? json_file_real(part, file, key, err) : ATTCERT_OK;
  if (status != ATTCERT_OK || (*part > 0.0 && *part <= 1.0)) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g, expected a positive number of at most 1", file->path,
                      key, *part);
}

/* rotary_pct of the entries of a head, rounded down. */
static attcert_status read_rotation(model_config *config, const json_file *file, attcert_error *err) {
  double part = part_usual;
  config->rotary_base = theta_usual;
  attcert_status status = read_part(&part, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_positive(&config->rotary_base, file, "rotary_emb_base", err);
  if (status != ATTCERT_OK) return status;
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
            KEY_READ("rotary_pct rotary_emb_base use_parallel_residual attention_bias"),
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
