#include "tiny_relative.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { D = RELATIVE_DIM, E = 4, MAX_N = RELATIVE_TOKENS };

#define SIDES                                                                                             \
  "\"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 2, \"intermediate_size\": 12, " \
  "\"vocab_size\": 11, "
#define BERT_PARTS                                                                                          \
  .layers = 2, .block = {"encoder.layer.0.", "encoder.layer.1."}, .query = "attention.self.query",          \
  .key = "attention.self.key", .value = "attention.self.value", .output = "attention.output.dense",         \
  .attention_norm = "attention.output.LayerNorm", .up = "intermediate.dense", .down = "output.dense",       \
  .feed_forward_norm = "output.LayerNorm", .words = "embeddings.word_embeddings.weight",                    \
  .positions = "embeddings.position_embeddings.weight", .types = "embeddings.token_type_embeddings.weight", \
  .norm = "embeddings.LayerNorm", .scaled = true, .biases = true
#define ELECTRA_HEAD .head_map = "classifier.dense", .head_curve = reference_gelu, .classifier = "classifier.out_proj"
#define ALBERT_PARTS                                                                                                \
  .query = "attention.query", .key = "attention.key", .value = "attention.value", .output = "attention.dense",      \
  .attention_norm = "attention.LayerNorm", .up = "ffn", .down = "ffn_output",                                       \
  .feed_forward_norm = "full_layer_layer_norm", .words = "embeddings.word_embeddings.weight",                       \
  .positions = "embeddings.position_embeddings.weight", .types = "embeddings.token_type_embeddings.weight",         \
  .norm = "embeddings.LayerNorm", .map = "encoder.embedding_hidden_mapping_in", .position_rows = 5, .scaled = true, \
  .biases = true, .curve = reference_gelu_tanh, .epsilon = 0.25, .head_map = "pooler", .head_curve = tanhl,         \
  .classifier = "classifier"
#define ALBERT_GROUP(g) "encoder.albert_layer_groups." #g ".albert_layers.0."
#define VIT_PARTS                                                                                             \
  .layers = 2, .block = {"encoder.layer.0.", "encoder.layer.1."}, .query = "attention.attention.query",       \
  .key = "attention.attention.key", .value = "attention.attention.value", .output = "attention.output.dense", \
  .attention_norm = "layernorm_before", .up = "intermediate.dense", .down = "output.dense",                   \
  .feed_forward_norm = "layernorm_after", .norm_first = true, .scaled = true, .curve = reference_gelu,        \
  .final_norm = "layernorm", .classifier = "classifier"
#define NEO_PARTS                                                                                                    \
  .layers = 2, .block = {"h.0.", "h.1."}, .query = "attn.attention.q_proj", .key = "attn.attention.k_proj",          \
  .value = "attn.attention.v_proj", .output = "attn.attention.out_proj", .attention_norm = "ln_1", .up = "mlp.c_fc", \
  .down = "mlp.c_proj", .feed_forward_norm = "ln_2", .words = "wte.weight", .positions = "wpe.weight",               \
  .position_rows = 5, .embedding_dim = D, .norm_first = true, .causal = true, .curve = reference_gelu_tanh,          \
  .epsilon = 0.125, .final_norm = "ln_f"

#define LLAMA_BARE                                                                                                 \
  .layers = 2, .block = {"layers.0.", "layers.1."}, .query = "self_attn.q_proj", .key = "self_attn.k_proj",        \
  .value = "self_attn.v_proj", .output = "self_attn.o_proj", .gate = "mlp.gate_proj", .up = "mlp.up_proj",         \
  .down = "mlp.down_proj", .words = "embed_tokens.weight", .embedding_dim = D, .norm_first = true, .causal = true, \
  .scaled = true, .only_query_biases = true, .root_mean_square = true, .final_norm = "norm"
#define GEMMA_PARTS                                                                                             \
  LLAMA_BARE, .curve = reference_gelu_tanh, .attention_norm = "input_layernorm",                                \
              .attention_behind = "post_attention_layernorm", .feed_forward_norm = "pre_feedforward_layernorm", \
              .feed_forward_behind = "post_feedforward_layernorm", .from_one = true, .scaled_words = true
#define LLAMA_PARTS                                                         \
  LLAMA_BARE, .curve = reference_silu, .attention_norm = "input_layernorm", \
              .feed_forward_norm = "post_attention_layernorm"
#define PHI_PARTS                                                                                                \
  .layers = 2, .block = {"layers.0.", "layers.1."}, .query = "self_attn.qkv_proj", .output = "self_attn.o_proj", \
  .attention_norm = "input_layernorm", .gate_in_up = true, .up = "mlp.gate_up_proj", .down = "mlp.down_proj",    \
  .feed_forward_norm = "post_attention_layernorm", .words = "embed_tokens.weight", .embedding_dim = D,           \
  .norm_first = true, .causal = true, .scaled = true, .only_query_biases = true, .root_mean_square = true,       \
  .final_norm = "norm", .curve = reference_silu
#define HEAD_NORMS .query_norm = "self_attn.q_norm", .key_norm = "self_attn.k_norm"

#define TOWER_SIDES \
  "\"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 2, \"intermediate_size\": 12"
#define TOWER_PARTS                                                                                        \
  .layers = 2, .block = {"encoder.layers.0.", "encoder.layers.1."}, .query = "self_attn.q_proj",           \
  .key = "self_attn.k_proj", .value = "self_attn.v_proj", .output = "self_attn.out_proj",                  \
  .attention_norm = "layer_norm1", .up = "mlp.fc1", .down = "mlp.fc2", .feed_forward_norm = "layer_norm2", \
  .norm_first = true, .scaled = true, .biases = true, .headless = true
#define TOWER_WORDS                                                                                               \
  TOWER_PARTS, .words = "embeddings.token_embedding.weight", .positions = "embeddings.position_embedding.weight", \
               .position_rows = 5, .embedding_dim = D
#define NEOX_PARTS                                                                                          \
  .layers = 2, .block = {"layers.0.", "layers.1."}, .query = "attention.query_key_value", .by_head = true,  \
  .output = "attention.dense", .attention_norm = "input_layernorm", .up = "mlp.dense_h_to_4h",              \
  .down = "mlp.dense_4h_to_h", .feed_forward_norm = "post_attention_layernorm", .words = "embed_in.weight", \
  .embedding_dim = D, .norm_first = true, .causal = true, .scaled = true, .biases = true,                   \
  .final_norm = "final_layer_norm"
#define MODERN_PARTS                                                                                           \
  .layers = 2, .block = {"layers.0.", "layers.1."}, .query = "attn.Wqkv", .output = "attn.Wo",                 \
  .attention_norm = "attn_norm", .first_unnormed = true, .gate_in_up = true, .up = "mlp.Wi", .down = "mlp.Wo", \
  .feed_forward_norm = "mlp_norm", .words = "embeddings.tok_embeddings.weight", .norm = "embeddings.norm",     \
  .embedding_dim = D, .norm_first = true, .scaled = true, .curve = reference_gelu, .final_norm = "final_norm"

static const double slopes[RELATIVE_HEADS] = {0x1p-4, 0x1p-8}; /* 2^(-8 (h + 1) / 2) */

#define SLOPED_PARTS \
  .layers = 2, .slopes = slopes, .hidden = 4 * D, .embedding_dim = D, .norm_first = true, .causal = true, .scaled = true
#define BLOOM_PARTS                                                                                               \
  SLOPED_PARTS, .block = {"h.0.", "h.1."}, .query = "self_attention.query_key_value", .by_head = true,            \
                .output = "self_attention.dense", .attention_norm = "input_layernorm", .up = "mlp.dense_h_to_4h", \
                .down = "mlp.dense_4h_to_h", .feed_forward_norm = "post_attention_layernorm",                     \
                .words = "word_embeddings.weight", .final_norm = "ln_f"
#define MPT_PARTS                                                                                     \
  SLOPED_PARTS, .block = {"blocks.0.", "blocks.1."}, .query = "attn.Wqkv", .output = "attn.out_proj", \
                .attention_norm = "norm_1", .up = "ffn.up_proj", .down = "ffn.down_proj",             \
                .feed_forward_norm = "norm_2", .words = "wte.weight", .final_norm = "norm_f"

#define DEBERTA_PARTS                                                                                                  \
  .layers = 2, .block = {"encoder.layer.0.", "encoder.layer.1."}, .query = "attention.self.query_proj",                \
  .key = "attention.self.key_proj", .value = "attention.self.value_proj", .output = "attention.output.dense",          \
  .attention_norm = "attention.output.LayerNorm", .up = "intermediate.dense", .down = "output.dense",                  \
  .feed_forward_norm = "output.LayerNorm", .words = "embeddings.word_embeddings.weight", .embedding_dim = D,           \
  .norm = "embeddings.LayerNorm", .scaled = true, .biases = true, .curve = reference_gelu, .head_map = "pooler.dense", \
  .head_curve = reference_gelu, .classifier = "classifier"
#define DEBERTA_TABLE "encoder.rel_embeddings.weight"

#define NOMIC_SIDES                                                                                        \
  "\"n_embd\": 8, \"n_head\": 2, \"n_layer\": 2, \"n_inner\": 12, \"vocab_size\": 9, \"n_positions\": 5, " \
  "\"pad_vocab_size_multiple\": 11, "
#define NOMIC_PARTS                                                                                                   \
  .layers = 2, .block = {"encoder.layers.0.", "encoder.layers.1."}, .query = "attn.Wqkv", .output = "attn.out_proj",  \
  .attention_norm = "norm1", .down = "mlp.fc2", .feed_forward_norm = "norm2",                                         \
  .words = "embeddings.word_embeddings.weight", .types = "embeddings.token_type_embeddings.weight", .norm = "emb_ln", \
  .embedding_dim = D, .scaled = true, .head_map = "pooler.dense", .head_curve = tanhl, .classifier = "classifier"

#define T5_SIDES "\"d_model\": 8, \"num_heads\": 2, \"d_kv\": 3, \"num_layers\": 2, \"d_ff\": 12, \"vocab_size\": 11, "
#define T5_BIAS "layer.0.SelfAttention.relative_attention_bias.weight"
#define T5_GATED .gate = "layer.1.DenseReluDense.wi_0", .up = "layer.1.DenseReluDense.wi_1"
#define T5_PARTS                                                                                               \
  .layers = 2, .block = {"encoder.block.0.", "encoder.block.1."}, .query = "layer.0.SelfAttention.q",          \
  .key = "layer.0.SelfAttention.k", .value = "layer.0.SelfAttention.v", .output = "layer.0.SelfAttention.o",   \
  .attention_norm = "layer.0.layer_norm", .down = "layer.1.DenseReluDense.wo",                                 \
  .feed_forward_norm = "layer.1.layer_norm", .words = "shared.weight", .embedding_dim = D, .norm_first = true, \
  .only_query_biases = true, .root_mean_square = true, .final_norm = "encoder.final_layer_norm", .head_dim = 3

/* Of the two models with scaled angles, as their keys say it. */
static long double slow_all(long double f) {
  return f / 2.5L;
}

static long double slow_some(long double f) {
  const long double wavelength = 2 * acosl(-1.0L) / f, longest = 8 / 0.25L, shortest = 8 / 2.5L;
  if (wavelength > longest) return f / 4;
  if (wavelength < shortest) return f;
  const long double share = (8 / wavelength - 0.25L) / (2.5L - 0.25L);
  return (1 - share) * f / 4 + share * f;
}

/* Of theta 8, pairs 0 and 1 of 4 entries: between the pairs 0 and 3, as 0.5 turns in 8 tokens belong to pair 0.9, and
 * 0.1 to pair 2.4. */
static long double slow_pairs(long double f) {
  const long double m = -2 * logl(f) / logl(8), share = 1 - m / 3;
  return f * ((1 - share) / 2 + share);
}

/* Of theta 8 and two pairs, the first of which has frequency 1: up to the trained length, and beyond. */
static long double divide_shortly(long double f) {
  return f > 0.5L ? f / 1.25L : f / 3;
}

static long double divide_far(long double f) {
  return f > 0.5L ? f / 7 : f / 11.5L;
}

const tiny_relative tiny_relatives[] = {
    {"roberta", "roberta.",
     "{\"model_type\": \"roberta\", " SIDES "\"max_position_embeddings\": 7, \"pad_token_id\": 1, \"hidden_act\": "
     "\"gelu\", \"layer_norm_eps\": 0.0625}",
     BERT_PARTS, .position_rows = 7, .first_position = 2, .embedding_dim = D, .curve = reference_gelu,
     .epsilon = 0.0625, .head_map = "classifier.dense", .head_curve = tanhl, .classifier = "classifier.out_proj"},
    {"electra", "electra.",
     "{\"model_type\": \"electra\", " SIDES "\"max_position_embeddings\": 5, \"embedding_size\": 4, \"hidden_act\": "
     "\"gelu\", \"layer_norm_eps\": 0.03125}",
     BERT_PARTS, .map = "embeddings_project", .position_rows = 5, .embedding_dim = E, .curve = reference_gelu,
     .epsilon = 0.03125, ELECTRA_HEAD},
    {"electra", "electra.",
     "{\"model_type\": \"electra\", " SIDES "\"max_position_embeddings\": 5, \"embedding_size\": 8}", BERT_PARTS,
     .position_rows = 5, .embedding_dim = D, .curve = reference_gelu, .epsilon = 1e-12, ELECTRA_HEAD},
    {"distilbert",
     "distilbert.",
     "{\"model_type\": \"distilbert\", \"dim\": 8, \"n_heads\": 2, \"n_layers\": 2, \"hidden_dim\": 12, "
     "\"vocab_size\": 11, \"max_position_embeddings\": 5, \"activation\": \"relu\"}",
     .layers = 2,
     .block = {"transformer.layer.0.", "transformer.layer.1."},
     .query = "attention.q_lin",
     .key = "attention.k_lin",
     .value = "attention.v_lin",
     .output = "attention.out_lin",
     .attention_norm = "sa_layer_norm",
     .up = "ffn.lin1",
     .down = "ffn.lin2",
     .feed_forward_norm = "output_layer_norm",
     .words = "embeddings.word_embeddings.weight",
     .positions = "embeddings.position_embeddings.weight",
     .norm = "embeddings.LayerNorm",
     .position_rows = 5,
     .embedding_dim = D,
     .scaled = true,
     .biases = true,
     .curve = reference_relu,
     .epsilon = 1e-12,
     .head_map = "pre_classifier",
     .head_curve = reference_relu,
     .classifier = "classifier"},
    {"albert", "albert.",
     "{\"model_type\": \"albert\", " SIDES "\"max_position_embeddings\": 5, \"embedding_size\": 4, "
     "\"layer_norm_eps\": 0.25}",
     .layers = 2, .block = {ALBERT_GROUP(0), ALBERT_GROUP(0)}, ALBERT_PARTS, .embedding_dim = E},
    {"albert", "albert.",
     "{\"model_type\": \"albert\", \"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 3, "
     "\"num_hidden_groups\": 2, \"intermediate_size\": 12, \"vocab_size\": 11, \"max_position_embeddings\": 5, "
     "\"embedding_size\": 4, \"hidden_act\": \"gelu_new\", \"layer_norm_eps\": 0.25}",
     .layers = 3, .block = {ALBERT_GROUP(0), ALBERT_GROUP(0), ALBERT_GROUP(1)}, ALBERT_PARTS, .embedding_dim = E},
    {"albert", "albert.",
     "{\"model_type\": \"albert\", " SIDES "\"max_position_embeddings\": 5, \"embedding_size\": 8, "
     "\"layer_norm_eps\": 0.25}",
     .layers = 2, .block = {ALBERT_GROUP(0), ALBERT_GROUP(0)}, ALBERT_PARTS, .embedding_dim = D},
    {"vit", "vit.", "{\"model_type\": \"vit\", " SIDES "\"hidden_act\": \"gelu\", \"layer_norm_eps\": 0.0625}",
     VIT_PARTS, .biases = true, .epsilon = 0.0625},
    {"vit", "vit.", "{\"model_type\": \"vit\", " SIDES "\"qkv_bias\": false}", VIT_PARTS, .epsilon = 1e-12},
    {"deit", "deit.", "{\"model_type\": \"deit\", " SIDES "\"qkv_bias\": true}", VIT_PARTS, .biases = true,
     .epsilon = 1e-12},
    {"gpt_neo", "transformer.",
     "{\"model_type\": \"gpt_neo\", \"hidden_size\": 8, \"num_heads\": 2, \"num_layers\": 2, \"intermediate_size\": "
     "12, "
     "\"vocab_size\": 11, \"max_position_embeddings\": 5, \"attention_types\": [[[\"global\"], 2]], "
     "\"layer_norm_epsilon\": 0.125}",
     NEO_PARTS},
    {"opt",
     "model.",
     "{\"model_type\": \"opt\", \"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 2, \"ffn_dim\": "
     "12, \"vocab_size\": 11, \"max_position_embeddings\": 5, \"word_embed_proj_dim\": 8}",
     .layers = 2,
     .block = {"decoder.layers.0.", "decoder.layers.1."},
     .query = "self_attn.q_proj",
     .key = "self_attn.k_proj",
     .value = "self_attn.v_proj",
     .output = "self_attn.out_proj",
     .attention_norm = "self_attn_layer_norm",
     .up = "fc1",
     .down = "fc2",
     .feed_forward_norm = "final_layer_norm",
     .words = "decoder.embed_tokens.weight",
     .positions = "decoder.embed_positions.weight",
     .position_rows = 7,
     .first_position = 2,
     .embedding_dim = D,
     .norm_first = true,
     .causal = true,
     .scaled = true,
     .biases = true,
     .curve = reference_relu,
     .epsilon = 1e-5,
     .final_norm = "decoder.final_layer_norm"},
    {"llama", "model.",
     "{\"model_type\": \"llama\", " SIDES "\"max_position_embeddings\": 5, \"num_key_value_heads\": 1, "
     "\"hidden_act\": \"silu\", \"rms_norm_eps\": 0.0625, \"rope_theta\": 100.0, \"tie_word_embeddings\": true}",
     LLAMA_PARTS, .key_heads = 1, .rotary = 100.0, .epsilon = 0.0625},
    {"llama", "model.", "{\"model_type\": \"llama\", " SIDES "\"tie_word_embeddings\": true}", LLAMA_PARTS,
     .rotary = 10000.0, .epsilon = 1e-6},
    {"llama", "model.",
     "{\"model_type\": \"llama\", " SIDES "\"tie_word_embeddings\": true, \"rope_theta\": 8.0, \"rope_scaling\": "
     "{\"rope_type\": \"llama3\", \"factor\": 4.0, \"low_freq_factor\": 0.25, \"high_freq_factor\": 2.5, "
     "\"original_max_position_embeddings\": 8}}",
     LLAMA_PARTS, .rotary = 8.0, .slow = slow_some, .epsilon = 1e-6},
    {"llama", "model.",
     "{\"model_type\": \"llama\", " SIDES "\"tie_word_embeddings\": true, \"rope_theta\": 8.0, "
     "\"max_position_embeddings\": 16, \"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 2.0, \"beta_fast\": "
     "0.5, "
     "\"beta_slow\": 0.1, \"attention_factor\": 1.25, \"original_max_position_embeddings\": 8}}",
     LLAMA_PARTS, .rotary = 8.0, .slow = slow_pairs, .amplitude = 1.25L, .epsilon = 1e-6},
    {"llama", "model.",
     "{\"model_type\": \"llama\", " SIDES "\"tie_word_embeddings\": true, \"rope_parameters\": "
     "{\"rope_type\": \"linear\", \"factor\": 2.5, \"rope_theta\": 50.0}}",
     LLAMA_PARTS, .rotary = 50.0, .slow = slow_all, .epsilon = 1e-6},
    {"mistral", "model.",
     "{\"model_type\": \"mistral\", " SIDES "\"num_key_value_heads\": 1, \"sliding_window\": 5, "
     "\"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 3.5}, \"tie_word_embeddings\": true}",
     LLAMA_PARTS, .key_heads = 1, .rotary = 3.5, .epsilon = 1e-6, .window = 5, .local = 3},
    {"qwen2", "model.",
     "{\"model_type\": \"qwen2\", " SIDES "\"num_key_value_heads\": 2, \"use_sliding_window\": false, "
     "\"rms_norm_eps\": 1e-05, \"rope_theta\": 1000000.0, \"tie_word_embeddings\": true}",
     LLAMA_PARTS, .biases = true, .rotary = 1000000.0, .epsilon = 1e-5},
    {"mistral", "model.",
     "{\"model_type\": \"mistral\", " SIDES "\"num_key_value_heads\": 2, \"sliding_window\": 2, \"rope_theta\": 5.0, "
     "\"tie_word_embeddings\": true}",
     LLAMA_PARTS, .rotary = 5.0, .epsilon = 1e-6, .window = 2, .local = 3},
    {"qwen2", "model.",
     "{\"model_type\": \"qwen2\", " SIDES "\"num_key_value_heads\": 1, \"use_sliding_window\": true, "
     "\"sliding_window\": 3, \"max_window_layers\": 1, \"rope_theta\": 9.0, \"tie_word_embeddings\": true}",
     LLAMA_PARTS, .key_heads = 1, .biases = true, .rotary = 9.0, .epsilon = 1e-6, .window = 3, .local = 2},
    {"qwen3", "model.",
     "{\"model_type\": \"qwen3\", " SIDES "\"num_key_value_heads\": 1, \"head_dim\": 4, \"rms_norm_eps\": 0.0625, "
     "\"rope_theta\": 20.0, \"tie_word_embeddings\": true}",
     LLAMA_PARTS, HEAD_NORMS, .key_heads = 1, .rotary = 20.0, .epsilon = 0.0625},
    {"qwen3", "model.",
     "{\"model_type\": \"qwen3\", " SIDES "\"num_key_value_heads\": 2, \"head_dim\": 4, \"use_sliding_window\": true, "
     "\"sliding_window\": 2, \"layer_types\": [\"sliding_attention\", \"full_attention\"], "
     "\"tie_word_embeddings\": true}",
     LLAMA_PARTS, HEAD_NORMS, .rotary = 10000.0, .epsilon = 1e-6, .window = 2, .local = 1},
    {"olmo2", "model.",
     "{\"model_type\": \"olmo2\", " SIDES "\"num_key_value_heads\": 1, \"rope_theta\": 500000.0, "
     "\"tie_word_embeddings\": true}",
     LLAMA_BARE, HEAD_NORMS, .curve = reference_silu, .attention_behind = "post_attention_layernorm",
     .feed_forward_behind = "post_feedforward_layernorm", .norms_rows = true, .key_heads = 1, .rotary = 500000.0,
     .epsilon = 1e-5},
    {"smollm3", "model.",
     "{\"model_type\": \"smollm3\", " SIDES "\"num_key_value_heads\": 2, \"no_rope_layers\": [1, 0], "
     "\"rms_norm_eps\": 1e-3}",
     LLAMA_PARTS, .rotary = 2000000.0, .epsilon = 1e-3, .unrotated = 2},
    {"smollm3", "model.",
     "{\"model_type\": \"smollm3\", " SIDES "\"num_key_value_heads\": 1, \"no_rope_layer_interval\": 1}", LLAMA_PARTS,
     .key_heads = 1, .rotary = 2000000.0, .epsilon = 1e-6, .unrotated = 3},
    {"gemma2", "model.",
     "{\"model_type\": \"gemma2\", " SIDES "\"num_key_value_heads\": 1, \"head_dim\": 4, \"query_pre_attn_scalar\": 3, "
     "\"attn_logit_softcapping\": 1.5, \"sliding_window\": 2, \"rms_norm_eps\": 0.0625}",
     GEMMA_PARTS, .key_heads = 1, .rotary = 10000.0, .epsilon = 0.0625, .scalar = 3, .cap = 1.5, .window = 2,
     .local = 1},
    {"gemma2", "model.",
     "{\"model_type\": \"gemma2\", " SIDES "\"num_key_value_heads\": 2, \"head_dim\": 4, "
     "\"attn_logit_softcapping\": null, \"rope_theta\": 11.0}",
     GEMMA_PARTS, .rotary = 11.0, .epsilon = 1e-6, .scalar = 256, .window = 4096, .local = 1},
    {"gemma3_text", "model.",
     "{\"model_type\": \"gemma3_text\", " SIDES "\"num_key_value_heads\": 1, \"head_dim\": 4, "
     "\"query_pre_attn_scalar\": 4, \"sliding_window\": 3, \"sliding_window_pattern\": 2, \"rope_theta\": 50.0, "
     "\"rope_local_base_freq\": 7.0, \"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2.5}}",
     GEMMA_PARTS, HEAD_NORMS, .key_heads = 1, .rotary = 50.0, .local_rotary = 7.0, .slow = slow_all, .epsilon = 1e-6,
     .scalar = 4, .window = 3, .local = 1},
    {"gpt_neo", "transformer.",
     "{\"model_type\": \"gpt_neo\", \"hidden_size\": 8, \"num_heads\": 2, \"num_layers\": 2, \"intermediate_size\": "
     "12, \"vocab_size\": 11, \"max_position_embeddings\": 5, \"attention_types\": [[[\"local\", \"global\"], 1]], "
     "\"window_size\": 2, \"layer_norm_epsilon\": 0.125}",
     NEO_PARTS, .window = 2, .local = 1},
    {"mpnet",
     "mpnet.",
     "{\"model_type\": \"mpnet\", " SIDES "\"max_position_embeddings\": 7, \"hidden_act\": \"gelu\", "
     "\"layer_norm_eps\": 0.0625, \"relative_attention_num_buckets\": 32}",
     .layers = 2,
     .block = {"encoder.layer.0.", "encoder.layer.1."},
     .query = "attention.attn.q",
     .key = "attention.attn.k",
     .value = "attention.attn.v",
     .output = "attention.attn.o",
     .attention_norm = "attention.LayerNorm",
     .up = "intermediate.dense",
     .down = "output.dense",
     .feed_forward_norm = "output.LayerNorm",
     .words = "embeddings.word_embeddings.weight",
     .positions = "embeddings.position_embeddings.weight",
     .norm = "embeddings.LayerNorm",
     .position_rows = 7,
     .first_position = 2,
     .embedding_dim = D,
     .scaled = true,
     .biases = true,
     .curve = reference_gelu,
     .epsilon = 0.0625,
     .head_map = "classifier.dense",
     .head_curve = tanhl,
     .classifier = "classifier.out_proj",
     .position_bias = "encoder.relative_attention_bias.weight"},
    {"dinov2",
     "dinov2.",
     "{\"model_type\": \"dinov2\", \"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 2, "
     "\"mlp_ratio\": 1.5, \"qkv_bias\": true, \"layer_norm_eps\": 0.0625}",
     .layers = 2,
     .block = {"encoder.layer.0.", "encoder.layer.1."},
     .query = "attention.attention.query",
     .key = "attention.attention.key",
     .value = "attention.attention.value",
     .output = "attention.output.dense",
     .attention_norm = "norm1",
     .up = "mlp.fc1",
     .down = "mlp.fc2",
     .feed_forward_norm = "norm2",
     .norm_first = true,
     .scaled = true,
     .biases = true,
     .curve = reference_gelu,
     .final_norm = "layernorm",
     .epsilon = 0.0625,
     .attention_scale = "layer_scale1.lambda1",
     .feed_forward_scale = "layer_scale2.lambda1"},
    {"gpt_neox", "gpt_neox.",
     "{\"model_type\": \"gpt_neox\", " SIDES "\"max_position_embeddings\": 5, \"hidden_act\": \"gelu\", "
     "\"layer_norm_eps\": 0.0625, \"rotary_pct\": 0.5, \"rotary_emb_base\": 30.0, \"tie_word_embeddings\": true}",
     NEOX_PARTS, .curve = reference_gelu, .epsilon = 0.0625, .rotary = 30.0, .rotating = 2, .parallel = true},
    {"gpt_neox", "gpt_neox.",
     "{\"model_type\": \"gpt_neox\", " SIDES "\"max_position_embeddings\": 5, \"rotary_pct\": 1.0, "
     "\"use_parallel_residual\": false, \"tie_word_embeddings\": true}",
     NEOX_PARTS, .curve = reference_gelu, .epsilon = 1e-5, .rotary = 10000.0},
    {"gpt_neox", "gpt_neox.",
     "{\"model_type\": \"gpt_neox\", " SIDES "\"max_position_embeddings\": 5, \"layer_norm_eps\": 0.0625, "
     "\"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 30.0, \"partial_rotary_factor\": 0.5}, "
     "\"tie_word_embeddings\": true}",
     NEOX_PARTS, .curve = reference_gelu, .epsilon = 0.0625, .rotary = 30.0, .rotating = 2, .parallel = true},
    {"phi3", "model.",
     "{\"model_type\": \"phi3\", " SIDES
     "\"num_key_value_heads\": 1, \"rms_norm_eps\": 0.0625, \"rope_scaling\": null, "
     "\"sliding_window\": 2, \"tie_word_embeddings\": true}",
     PHI_PARTS, .key_heads = 1, .rotary = 10000.0, .epsilon = 0.0625, .window = 2, .local = 3},
    {"phi3", "model.",
     "{\"model_type\": \"phi3\", " SIDES "\"max_position_embeddings\": 64, \"original_max_position_embeddings\": 5, "
     "\"rope_theta\": 8.0, \"rope_scaling\": {\"type\": \"longrope\", \"short_factor\": [1.25, 3], \"long_factor\": "
     "[7.0, 11.5]}, \"tie_word_embeddings\": true}",
     PHI_PARTS, .rotary = 8.0, .slow = divide_shortly, .amplitude = 1.607500963744768118209195705061275066L,
     .epsilon = 1e-5},
    {"phi3", "model.",
     "{\"model_type\": \"phi3\", " SIDES "\"max_position_embeddings\": 32, \"original_max_position_embeddings\": 4, "
     "\"rope_theta\": 8.0, \"rope_scaling\": {\"type\": \"su\", \"short_factor\": [1.25, 3], \"long_factor\": "
     "[7.0, 11.5]}, \"tie_word_embeddings\": true}",
     PHI_PARTS, .rotary = 8.0, .slow = divide_far, .few = 4, .slow_few = divide_shortly,
     .amplitude = 1.581138830084189665999446772216359267L, .epsilon = 1e-5},
    {"phi3", "model.",
     "{\"model_type\": \"phi3\", " SIDES "\"max_position_embeddings\": 64, \"original_max_position_embeddings\": 16, "
     "\"rope_parameters\": {\"rope_type\": \"longrope\", \"rope_theta\": 8.0, \"partial_rotary_factor\": 0.5, "
     "\"short_factor\": [2.5], \"long_factor\": [1.0], \"factor\": 4.0, \"attention_factor\": 1.25, "
     "\"original_max_position_embeddings\": 16}, \"tie_word_embeddings\": true}",
     PHI_PARTS, .rotary = 8.0, .rotating = 2, .slow = slow_all, .amplitude = 1.25L, .epsilon = 1e-5},
    {"phi3", "model.",
     "{\"model_type\": \"phi3\", " SIDES "\"partial_rotary_factor\": 0.5, \"tie_word_embeddings\": true}", PHI_PARTS,
     .rotary = 10000.0, .rotating = 2, .epsilon = 1e-5},
    {"llama", "model.",
     "{\"model_type\": \"llama\", " SIDES "\"tie_word_embeddings\": true, \"max_position_embeddings\": 8, "
     "\"rope_parameters\": {\"rope_type\": \"longrope\", \"rope_theta\": 8.0, \"factor\": 2.0, \"short_factor\": "
     "[1.25, 3.0], \"long_factor\": [7.0, 11.5], \"partial_rotary_factor\": 1.0}}",
     LLAMA_PARTS, .rotary = 8.0, .slow = divide_shortly, .amplitude = 1.154700538379251529018297561003914911L,
     .epsilon = 1e-6},
    {"modernbert", "model.",
     "{\"model_type\": \"modernbert\", " SIDES "\"max_position_embeddings\": 5, \"norm_eps\": 0.0625, "
     "\"local_attention\": 3, \"global_attn_every_n_layers\": 2, \"global_rope_theta\": 90.0, "
     "\"local_rope_theta\": 6.0}",
     MODERN_PARTS, .norms_unbiased = true, .only_query_biases = true, .epsilon = 0.0625, .rotary = 90.0,
     .local_rotary = 6.0, .window = 2, .local = 2},
    {"modernbert", "model.",
     "{\"model_type\": \"modernbert\", " SIDES "\"max_position_embeddings\": 5, \"norm_bias\": true, "
     "\"attention_bias\": true, \"mlp_bias\": true, \"local_rope_theta\": null, \"local_attention\": 4}",
     MODERN_PARTS, .biases = true, .epsilon = 1e-5, .rotary = 160000.0, .window = 3, .local = 2},
    {"gemma3_text", "model.",
     "{\"model_type\": \"gemma3_text\", " SIDES "\"num_key_value_heads\": 1, \"head_dim\": 4, "
     "\"query_pre_attn_scalar\": 4, \"sliding_window\": 3, \"layer_types\": [\"full_attention\", "
     "\"sliding_attention\"], \"rope_parameters\": {\"full_attention\": {\"rope_type\": \"linear\", \"factor\": 2.5, "
     "\"rope_theta\": 40.0}, \"sliding_attention\": {\"rope_type\": \"default\", \"rope_theta\": 5.0}}}",
     GEMMA_PARTS, HEAD_NORMS, .key_heads = 1, .rotary = 40.0, .local_rotary = 5.0, .slow = slow_all, .epsilon = 1e-6,
     .scalar = 4, .window = 3, .local = 2},
    {"modernbert", "model.",
     "{\"model_type\": \"modernbert\", " SIDES
     "\"max_position_embeddings\": 5, \"local_attention\": 2, \"layer_types\": "
     "[\"full_attention\", \"sliding_attention\"], \"rope_parameters\": {\"full_attention\": {\"rope_type\": "
     "\"default\", \"rope_theta\": 70.0}, \"sliding_attention\": {\"rope_type\": \"default\", \"rope_theta\": 4.0}}}",
     MODERN_PARTS, .norms_unbiased = true, .only_query_biases = true, .epsilon = 1e-5, .rotary = 70.0,
     .local_rotary = 4.0, .window = 2, .local = 2},
    {"gemma3_text", "model.",
     "{\"model_type\": \"gemma3_text\", " SIDES "\"num_key_value_heads\": 1, \"head_dim\": 4, "
     "\"query_pre_attn_scalar\": 4, \"sliding_window\": 3, \"layer_types\": [\"full_attention\", "
     "\"sliding_attention\"], \"rope_theta\": 9.0, \"rope_local_base_freq\": 9.0, \"rope_scaling\": {\"rope_type\": "
     "\"linear\", \"factor\": 2.5}}",
     GEMMA_PARTS, HEAD_NORMS, .key_heads = 1, .rotary = 9.0, .local_rotary = 9.0, .slow = slow_all, .epsilon = 1e-6,
     .scalar = 4, .window = 3, .local = 2},
    {"bloom", "transformer.",
     "{\"model_type\": \"bloom\", \"n_embed\": 8, \"num_attention_heads\": 2, \"n_layer\": 2, \"vocab_size\": 11, "
     "\"layer_norm_epsilon\": 0.0625}",
     BLOOM_PARTS, .norm = "word_embeddings_layernorm", .biases = true, .curve = reference_gelu_bloom,
     .epsilon = 0.0625},
    {"mpt", "transformer.",
     "{\"model_type\": \"mpt\", \"d_model\": 8, \"n_heads\": 2, \"n_layers\": 2, \"vocab_size\": 11, "
     "\"max_seq_len\": 5, \"attn_config\": {\"alibi\": true, \"alibi_bias_max\": 8}}",
     MPT_PARTS, .norms_unbiased = true, .only_query_biases = true, .curve = reference_gelu, .epsilon = 1e-5},
    {"t5", "transformer.",
     "{\"model_type\": \"t5\", " T5_SIDES "\"is_encoder_decoder\": true, \"feed_forward_proj\": \"relu\"}", T5_PARTS,
     .up = "layer.1.DenseReluDense.wi", .curve = reference_relu, .epsilon = 1e-6,
     .position_bias = "encoder.block.0." T5_BIAS},
    {"t5", "transformer.",
     "{\"model_type\": \"mt5\", " T5_SIDES "\"relative_attention_num_buckets\": 8, "
     "\"relative_attention_max_distance\": 5, \"layer_norm_epsilon\": 0.0625}",
     T5_PARTS, T5_GATED, .curve = reference_gelu_tanh, .epsilon = 0.0625, .buckets = 8, .distance = 5,
     .position_bias = "encoder.block.0." T5_BIAS},
    {"umt5", "transformer.",
     "{\"model_type\": \"umt5\", " T5_SIDES "\"feed_forward_proj\": \"gated-silu\", \"dense_act_fn\": \"silu\", "
     "\"is_gated_act\": true}",
     T5_PARTS, T5_GATED, .curve = reference_silu, .epsilon = 1e-6, .own_position_bias = true, .position_bias = T5_BIAS},
    {"nomic_bert", "bert.",
     "{\"model_type\": \"nomic_bert\", " NOMIC_SIDES "\"activation_function\": \"swiglu\", \"qkv_proj_bias\": false, "
     "\"mlp_fc1_bias\": false, \"mlp_fc2_bias\": false, \"rotary_emb_fraction\": 1.0, \"rotary_emb_base\": 20, "
     "\"rotary_scaling_factor\": null, \"layer_norm_epsilon\": 0.0625}",
     NOMIC_PARTS, .gate = "mlp.fc12", .up = "mlp.fc11", .only_query_biases = true, .curve = reference_silu,
     .epsilon = 0.0625, .rotary = 20.0},
    {"nomic_bert", "bert.",
     "{\"model_type\": \"nomic_bert\", " NOMIC_SIDES "\"activation_function\": \"gelu\", \"rotary_emb_fraction\": 0.5, "
     "\"rotary_emb_base\": 1000, \"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 1000.0}, "
     "\"hidden_size\": 8}",
     NOMIC_PARTS, .up = "mlp.fc1", .biases = true, .curve = reference_gelu, .epsilon = 1e-5, .rotary = 1000.0,
     .rotating = 2},
    {"nomic_bert", "nomic_bert.",
     "{\"model_type\": \"nomic_bert\", " SIDES "\"max_position_embeddings\": 5, \"layer_norm_eps\": 0.0625, "
     "\"hidden_act\": \"silu\", \"head_dim\": 4, \"num_key_value_heads\": 2, \"type_vocab_size\": 2, "
     "\"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 20.0}}",
     NOMIC_PARTS, .gate = "mlp.fc12", .up = "mlp.fc11", .only_query_biases = true, .curve = reference_silu,
     .epsilon = 0.0625, .rotary = 20.0},
    {"nomic_bert",
     "nomic_bert.",
     "{\"model_type\": \"nomic_bert\", " SIDES "\"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 9}, "
     "\"max_position_embeddings\": 5}",
     .layers = 2,
     .block = {"layers.0.", "layers.1."},
     .query = "self_attn.q_proj",
     .key = "self_attn.k_proj",
     .value = "self_attn.v_proj",
     .output = "self_attn.o_proj",
     .attention_norm = "post_attention_layernorm",
     .gate = "mlp.gate_proj",
     .up = "mlp.up_proj",
     .down = "mlp.down_proj",
     .feed_forward_norm = "post_mlp_layernorm",
     .words = "embeddings.word_embeddings.weight",
     .types = "embeddings.token_type_embeddings.weight",
     .norm = "embeddings.LayerNorm",
     .embedding_dim = D,
     .scaled = true,
     .only_query_biases = true,
     .head_map = "pooler.dense",
     .head_curve = tanhl,
     .classifier = "classifier",
     .curve = reference_gelu,
     .epsilon = 1e-12,
     .rotary = 9.0},
    {"whisper", "model.",
     "{\"model_type\": \"whisper\", \"d_model\": 8, \"encoder_attention_heads\": 2, \"encoder_layers\": 2, "
     "\"encoder_ffn_dim\": 12, \"num_hidden_layers\": 2, \"is_encoder_decoder\": true}",
     .layers = 2, .block = {"encoder.layers.0.", "encoder.layers.1."}, .query = "self_attn.q_proj",
     .key = "self_attn.k_proj", .value = "self_attn.v_proj", .output = "self_attn.out_proj",
     .attention_norm = "self_attn_layer_norm", .up = "fc1", .down = "fc2", .feed_forward_norm = "final_layer_norm",
     .norm_first = true, .scaled = true, .biases = true, .unbiased_key = true, .curve = reference_gelu,
     .epsilon = 1e-5},
    {"clip_text_model", "text_model.",
     "{\"model_type\": \"clip_text_model\", " TOWER_SIDES ", \"vocab_size\": 11, \"max_position_embeddings\": 5}",
     TOWER_WORDS, .causal = true, .curve = reference_quick_gelu, .epsilon = 1e-5},
    {"clip_text_model", "text_model.",
     "{\"model_type\": \"clip_text_model\", " TOWER_SIDES ", \"vocab_size\": 11, \"max_position_embeddings\": 5, "
     "\"hidden_act\": \"gelu\", \"layer_norm_eps\": 0.0625}",
     TOWER_WORDS, .causal = true, .curve = reference_gelu, .epsilon = 0.0625},
    {"clip_vision_model", "vision_model.", "{\"model_type\": \"clip_vision_model\", " TOWER_SIDES "}", TOWER_PARTS,
     .curve = reference_quick_gelu, .epsilon = 1e-5},
    {"siglip_text_model", "text_model.",
     "{\"model_type\": \"siglip_text_model\", " TOWER_SIDES ", \"vocab_size\": 11, \"max_position_embeddings\": 5}",
     TOWER_WORDS, .curve = reference_gelu_tanh, .epsilon = 1e-6},
    {"siglip_vision_model", "vision_model.", "{\"model_type\": \"siglip_vision_model\", " TOWER_SIDES "}", TOWER_PARTS,
     .curve = reference_gelu_tanh, .epsilon = 1e-6},
    {"deberta-v2", "deberta.",
     "{\"model_type\": \"deberta-v2\", " SIDES "\"max_position_embeddings\": 5, \"relative_attention\": true, "
     "\"position_biased_input\": false, \"position_buckets\": 4, \"max_relative_positions\": 7, "
     "\"pos_att_type\": \"p2c|c2p\", \"norm_rel_ebd\": \"layer_norm\", \"share_att_key\": true, "
     "\"layer_norm_eps\": 0.0625}",
     DEBERTA_PARTS, .epsilon = 0.0625, .scalar = 12,
     .shift = {DEBERTA_TABLE, "encoder.LayerNorm", "attention.self.query_proj", "attention.self.key_proj", 4, 4, 7}},
    {"deberta-v2", "deberta.",
     "{\"model_type\": \"deberta-v2\", " SIDES "\"max_position_embeddings\": 5, \"relative_attention\": true, "
     "\"position_biased_input\": false, \"max_relative_positions\": 3, \"pos_att_type\": [\"c2p\"]}",
     DEBERTA_PARTS, .epsilon = 1e-7, .scalar = 8,
     .shift = {DEBERTA_TABLE, NULL, NULL, "attention.self.pos_key_proj", 3, 0, 0}},
    {"deberta-v2", "deberta.",
     "{\"model_type\": \"deberta-v2\", " SIDES "\"max_position_embeddings\": 5, \"relative_attention\": true, "
     "\"position_biased_input\": false, \"pos_att_type\": \" P2C | c2p\", \"norm_rel_ebd\": \"none\"}",
     DEBERTA_PARTS, .epsilon = 1e-7, .scalar = 12,
     .shift = {DEBERTA_TABLE, NULL, "attention.self.pos_query_proj", "attention.self.pos_key_proj", 5, 0, 0}},
    {"deberta-v2", "deberta.",
     "{\"model_type\": \"deberta-v2\", " SIDES "\"max_position_embeddings\": 5, \"relative_attention\": true, "
     "\"position_biased_input\": false, \"pos_att_type\": [\"p2c\"], \"norm_rel_ebd\": \"layer_norm\"}",
     DEBERTA_PARTS, .epsilon = 1e-7, .scalar = 8,
     .shift = {DEBERTA_TABLE, "encoder.LayerNorm", "attention.self.pos_query_proj", NULL, 5, 0, 0}},
    {.type = NULL},
};

/* ---- the stored tensors ------------------------------------------------------------------------------------------ */

static void add_random(tensor_list *tensors, const char *name, int rows, int cols, random_source *r) {
  double *const data = tensor_list_add(tensors, name, rows, cols);
  const size_t count = (size_t)rows * (size_t)(cols > 0 ? cols : 1);
  random_fill_gaussian(data, count, 0.7, r);
  for (size_t i = 0; i < count; i++) data[i] = ldexp(trunc(ldexp(data[i], 40)), -40); /* 1 + data[i] is a double */
}

/* BASE NAME.weight and, where rows of it are asked for, BASE NAME.bias; cols = 0: a LayerNorm. */
static void add_map(tensor_list *tensors, const char *base, const char *name, int rows, int cols, bool bias,
                    random_source *r) {
  char full[96];
  snprintf(full, sizeof full, "%s%s.weight", base, name);
  add_random(tensors, full, rows, cols, r);
  snprintf(full, sizeof full, "%s%s.bias", base, name);
  if (bias) add_random(tensors, full, rows, 0, r);
}

static void add_position_bias(tensor_list *tensors, const tiny_relative *m, const char *base, random_source *r) {
  char full[96];
  snprintf(full, sizeof full, "%s%s", base, m->position_bias);
  add_random(tensors, full, m->buckets > 0 ? m->buckets : 32, RELATIVE_HEADS, r);
}

static void add_embeddings(tensor_list *tensors, const tiny_relative *m, random_source *r) {
  if (m->position_bias != NULL && !m->own_position_bias) add_position_bias(tensors, m, "", r);
  if (m->shift.table != NULL) add_random(tensors, m->shift.table, 2 * m->shift.span, D, r);
  if (m->shift.norm != NULL) add_map(tensors, "", m->shift.norm, D, 0, true, r);
  if (m->words == NULL) return;
  add_random(tensors, m->words, RELATIVE_VOCABULARY, m->embedding_dim, r);
  if (m->positions != NULL) add_random(tensors, m->positions, m->position_rows, m->embedding_dim, r);
  if (m->types != NULL) add_random(tensors, m->types, 2, m->embedding_dim, r);
  if (m->norm != NULL) add_map(tensors, "", m->norm, m->embedding_dim, 0, !m->norms_unbiased, r);
  if (m->map != NULL) add_map(tensors, "", m->map, D, m->embedding_dim, true, r);
}

static bool has_norm_biases(const tiny_relative *m) {
  return !m->root_mean_square && !m->norms_unbiased;
}

static int head_dim(const tiny_relative *m) {
  return m->head_dim > 0 ? m->head_dim : D / RELATIVE_HEADS;
}

static int key_cols(const tiny_relative *m) {
  return (m->key_heads > 0 ? m->key_heads : RELATIVE_HEADS) * head_dim(m);
}

static int hidden_of(const tiny_relative *m) {
  return m->hidden > 0 ? m->hidden : RELATIVE_HIDDEN;
}

static void add_norm(tensor_list *tensors, const tiny_relative *m, const char *base, const char *name,
                     random_source *r) {
  if (name != NULL) add_map(tensors, base, name, D, 0, has_norm_biases(m), r);
}

static void add_block(tensor_list *tensors, const tiny_relative *m, const char *base, random_source *r) {
  const bool others = !m->only_query_biases;
  const int F = hidden_of(m);
  const int queries = RELATIVE_HEADS * head_dim(m);
  const int fused = m->gated_heads ? 2 * queries : m->key != NULL ? queries : queries + 2 * key_cols(m);
  add_map(tensors, base, m->query, fused, D, m->biases, r);
  if (m->sinks != NULL) {
    char full[96];
    snprintf(full, sizeof full, "%s%s", base, m->sinks);
    add_random(tensors, full, RELATIVE_HEADS, 0, r);
  }
  if (m->key != NULL) add_map(tensors, base, m->key, key_cols(m), D, m->biases && !m->unbiased_key, r);
  if (m->key != NULL) add_map(tensors, base, m->value, key_cols(m), D, m->biases, r);
  if (m->shift.query != NULL && strcmp(m->shift.query, m->query) != 0)
    add_map(tensors, base, m->shift.query, queries, D, true, r);
  if (m->shift.key != NULL && strcmp(m->shift.key, m->key) != 0)
    add_map(tensors, base, m->shift.key, queries, D, true, r);
  add_map(tensors, base, m->output, D, queries, others, r);
  if (m->own_position_bias) add_position_bias(tensors, m, base, r);
  if (m->query_norm != NULL) {
    const int k = D / RELATIVE_HEADS;
    add_map(tensors, base, m->query_norm, m->norms_rows ? D : k, 0, false, r);
    add_map(tensors, base, m->key_norm, m->norms_rows ? key_cols(m) : k, 0, false, r);
  }
  if (!(m->first_unnormed && base == m->block[0])) add_norm(tensors, m, base, m->attention_norm, r);
  add_norm(tensors, m, base, m->attention_behind, r);
  if (m->gate != NULL) add_map(tensors, base, m->gate, F, D, others, r);
  add_map(tensors, base, m->up, m->gate_in_up ? 2 * F : F, D, others, r);
  add_map(tensors, base, m->down, D, F, others, r);
  add_norm(tensors, m, base, m->feed_forward_norm, r);
  add_norm(tensors, m, base, m->feed_forward_behind, r);
  const char *const scales[] = {m->attention_scale, m->feed_forward_scale};
  for (int i = 0; i < 2 && scales[i] != NULL; i++) {
    char full[96];
    snprintf(full, sizeof full, "%s%s", base, scales[i]);
    add_random(tensors, full, D, 0, r);
  }
}

void tiny_relative_init(tensor_list *tensors, const tiny_relative *m, random_source *r) {
  add_embeddings(tensors, m, r);
  for (int l = 0; l < m->layers; l++) {
    if (l == 0 || strcmp(m->block[l], m->block[l - 1]) != 0) add_block(tensors, m, m->block[l], r);
  }
  if (m->final_norm != NULL) add_map(tensors, "", m->final_norm, D, 0, has_norm_biases(m), r);
  if (m->head_map != NULL) add_map(tensors, "", m->head_map, D, D, true, r);
  if (m->classifier != NULL) add_map(tensors, "", m->classifier, RELATIVE_LABELS, D, true, r);
}

void tiny_relative_write(const temp_folder *folder, const tiny_relative *model, const tensor_list *tensors,
                         const char *prefix) {
  tensor_list named = *tensors;
  for (size_t i = 0; i < named.count; i++) {
    const char *const name = tensors->tensor[i].name;
    const bool head = strncmp(name, "classifier.", 11) == 0 || strncmp(name, "pre_classifier.", 15) == 0 ||
                      (model->shift.table != NULL && strncmp(name, "pooler.", 7) == 0);
    snprintf(named.tensor[i].name, sizeof named.tensor[i].name, "%s%.80s", head ? "" : prefix, name);
  }
  temp_folder_write(folder, "config.json", model->config, strlen(model->config));
  tensor_list_write(&named, folder, "");
}

/* ---- what they compute ------------------------------------------------------------------------------------------- */

static const double *find(const tensor_list *tensors, const char *base, const char *name, const char *suffix) {
  char full[96];
  snprintf(full, sizeof full, "%s%s.%s", base, name, suffix);
  return tensor_list_find(tensors, full);
}

static affine linear(const tensor_list *tensors, const char *base, const char *name, int in, bool bias) {
  return (affine){find(tensors, base, name, "weight"), bias ? find(tensors, base, name, "bias") : NULL, in, 1};
}

static void normalize(long double *x, const tiny_relative *m, const tensor_list *tensors, const char *base,
                      const char *name, int n, int d) {
  if (name == NULL) return;
  const double *const gain = find(tensors, base, name, "weight");
  if (m->root_mean_square)
    reference_rms_norm(x, n, d, gain, m->from_one ? 1 : 0, m->epsilon);
  else
    reference_layer_norm(x, n, d, gain, has_norm_biases(m) ? find(tensors, base, name, "bias") : NULL, m->epsilon);
}

static void scale(long double *x, const tensor_list *tensors, const char *base, const char *name, int n) {
  char full[96];
  if (name == NULL) return;
  snprintf(full, sizeof full, "%s%s", base, name);
  const double *const factor = tensor_list_find(tensors, full);
  for (int i = 0; i < n * D; i++) x[i] *= factor[i % D];
}

void tiny_relative_embed(long double *x, const tiny_relative *m, const tensor_list *tensors, const int *tokens, int n) {
  static const int first_type[MAX_N] = {0};
  int place[MAX_N];
  long double sum[MAX_N * D] = {0};
  for (int t = 0; t < n; t++) place[t] = m->first_position + t;
  reference_add_rows(sum, tensor_list_find(tensors, m->words), tokens, n, m->embedding_dim);
  for (int i = 0; i < n * D && m->scaled_words; i++) sum[i] *= sqrtl(D);
  if (m->positions != NULL)
    reference_add_rows(sum, tensor_list_find(tensors, m->positions), place, n, m->embedding_dim);
  if (m->types != NULL) reference_add_rows(sum, tensor_list_find(tensors, m->types), first_type, n, m->embedding_dim);
  if (m->norm != NULL) normalize(sum, m, tensors, "", m->norm, n, m->embedding_dim);
  if (m->map != NULL)
    reference_apply(x, sum, n, linear(tensors, "", m->map, m->embedding_dim, true), D, m->embedding_dim);
  else
    memcpy(x, sum, (size_t)(n * D) * sizeof *x);
}

/* Part 0, 1 or 2 of a map for all three, or 0 or 1 of one for queries and gates, in a place that the next call for it
 * takes. */
static affine part_of_query(const tiny_relative *m, const tensor_list *tensors, const char *base, int part) {
  static double weight[3][D * D], bias[3][D];
  const int k = D / RELATIVE_HEADS, parts = m->gated_heads ? 2 : 3;
  const int rows = part == 0 || m->gated_heads ? D : key_cols(m), before = part == 0 ? 0 : D + (part - 1) * rows;
  const affine all = linear(tensors, base, m->query, D, m->biases);
  for (int r = 0; r < rows; r++) {
    const int from = m->by_head || m->gated_heads ? (r / k * parts + part) * k + r % k : before + r;
    memcpy(weight[part] + r * D, all.weight + from * D, D * sizeof(double));
    if (all.bias != NULL) bias[part][r] = all.bias[from];
  }
  return (affine){weight[part], all.bias != NULL ? bias[part] : NULL, D, 1};
}

static const double *sinks_of(const tiny_relative *m, const tensor_list *tensors, int l) {
  char full[96];
  snprintf(full, sizeof full, "%s%s", m->block[l], m->sinks);
  return tensor_list_find(tensors, full);
}

/* The table; NULL: none. */
static const double *position_bias(const tiny_relative *m, const tensor_list *tensors, const char *base) {
  char full[96];
  if (m->position_bias == NULL) return NULL;
  snprintf(full, sizeof full, "%s%s", m->own_position_bias ? base : "", m->position_bias);
  return tensor_list_find(tensors, full);
}

/* The rows of the queries or keys of block l, by the map of that name, in a place that the next call for it takes. */
static const long double *shift_of(const tiny_relative *m, const tensor_list *tensors, const char *base,
                                   const char *map, int which) {
  static long double of[2][2 * MAX_N * D];
  long double rows[2 * MAX_N * D];
  const int count = 2 * m->shift.span;
  if (map == NULL) return NULL;
  const double *const table = tensor_list_find(tensors, m->shift.table);
  for (int i = 0; i < count * D; i++) rows[i] = table[i];
  normalize(rows, m, tensors, "", m->shift.norm, count, D);
  reference_apply(of[which], rows, count, linear(tensors, base, map, D, true), D, D);
  return of[which];
}

void tiny_relative_attention(long double *y, const long double *x, const tiny_relative *m, const tensor_list *tensors,
                             int l, int n) {
  const char *const base = m->block[l];
  const bool local = m->local >> l & 1;
  const int k = head_dim(m);
  const double theta = m->unrotated >> l & 1 ? 0 : local && m->local_rotary > 0 ? m->local_rotary : m->rotary;
  reference_attention a = {.dim = D,
                           .heads = RELATIVE_HEADS,
                           .causal = m->causal,
                           .scale = m->scaled ? 1 / sqrtl(m->scalar > 0 ? m->scalar : k) : 1,
                           .window = local ? m->window : MAX_N,
                           .key_heads = m->key_heads,
                           .rotary = theta,
                           .rotating = m->rotating,
                           .slow = local && m->local_rotary > 0 ? NULL
                                   : n <= m->few                ? m->slow_few
                                                                : m->slow,
                           .amplitude = m->amplitude,
                           .sink = m->sinks != NULL ? sinks_of(m, tensors, l) : NULL,
                           .cap = m->cap,
                           .bias = position_bias(m, tensors, base),
                           .slope = m->slopes,
                           .shift = {shift_of(m, tensors, base, m->shift.query, 0),
                                     shift_of(m, tensors, base, m->shift.key, 1), m->shift.span, m->shift.buckets,
                                     m->shift.distance},
                           .own = {k, m->buckets, m->distance}};
  const char *const map[] = {m->query, m->key, m->value}, *const norm[] = {m->query_norm, m->key_norm};
  for (int i = 0; i < 3; i++)
    a.map[i] = m->key != NULL ? linear(tensors, base, map[i], D, m->biases && !(i == 1 && m->unbiased_key))
                              : part_of_query(m, tensors, base, i);
  if (m->gated_heads) {
    a.map[0] = part_of_query(m, tensors, base, 0);
    a.gate = part_of_query(m, tensors, base, 1);
  }
  a.map[3] = linear(tensors, base, m->output, RELATIVE_HEADS * k, !m->only_query_biases);
  for (int i = 0; i < 2 && norm[i] != NULL; i++) {
    a.norm[i].gain = find(tensors, base, norm[i], "weight");
    a.norm[i].shift = m->from_one ? 1 : 0;
    a.norm[i].epsilon = m->epsilon;
    a.norm[i].rows = m->norms_rows;
  }
  reference_attend(y, x, n, &a);
}

void tiny_relative_attention_input(long double *x, const tiny_relative *m, const tensor_list *tensors, int l, int n) {
  if (m->norm_first && !(l == 0 && m->first_unnormed)) normalize(x, m, tensors, m->block[l], m->attention_norm, n, D);
}

static void feed_forward(long double *y, const long double *x, const tiny_relative *m, const tensor_list *tensors,
                         int l, int n) {
  const char *const base = m->block[l];
  const bool biased = !m->only_query_biases;
  const int F = hidden_of(m);
  const affine up = linear(tensors, base, m->up, D, biased), down = linear(tensors, base, m->down, F, biased);
  if (m->gate_in_up)
    reference_gated(y, x, n, D, F, up, (affine){up.weight + F * D, up.bias != NULL ? up.bias + F : NULL, D, 1}, down,
                    m->curve);
  else if (m->gate != NULL)
    reference_gated(y, x, n, D, F, linear(tensors, base, m->gate, D, biased), up, down, m->curve);
  else
    reference_feed_forward(y, x, n, D, F, up, down, m->curve);
}

void tiny_relative_block(long double *x, const tiny_relative *m, const tensor_list *tensors, int l, int n) {
  const char *const base = m->block[l];
  long double y[MAX_N * D], normal[MAX_N * D], entering[MAX_N * D];
  memcpy(entering, x, (size_t)(n * D) * sizeof *x);
  memcpy(normal, x, (size_t)(n * D) * sizeof *x);
  tiny_relative_attention_input(normal, m, tensors, l, n);
  tiny_relative_attention(y, normal, m, tensors, l, n);
  normalize(y, m, tensors, base, m->attention_behind, n, D);
  scale(y, tensors, base, m->attention_scale, n);
  reference_add(x, y, n * D);
  if (!m->norm_first) normalize(x, m, tensors, base, m->attention_norm, n, D);
  memcpy(normal, m->parallel ? entering : x, (size_t)(n * D) * sizeof *x);
  if (m->norm_first) normalize(normal, m, tensors, base, m->feed_forward_norm, n, D);
  feed_forward(y, normal, m, tensors, l, n);
  normalize(y, m, tensors, base, m->feed_forward_behind, n, D);
  scale(y, tensors, base, m->feed_forward_scale, n);
  reference_add(x, y, n * D);
  if (!m->norm_first) normalize(x, m, tensors, base, m->feed_forward_norm, n, D);
}

int tiny_relative_scores(long double *scores, const long double *x, const tiny_relative *m, const tensor_list *tensors,
                         int n) {
  long double last[D], mapped[D];
  memcpy(last, x + (m->classifier != NULL ? 0 : (n - 1) * D), sizeof last);
  if (m->final_norm != NULL) normalize(last, m, tensors, "", m->final_norm, 1, D);
  if (m->head_map != NULL) {
    reference_apply(mapped, last, 1, linear(tensors, "", m->head_map, D, true), D, D);
    for (int i = 0; i < D; i++) last[i] = m->head_curve(mapped[i]);
  }
  const int classes = m->classifier != NULL ? RELATIVE_LABELS : RELATIVE_VOCABULARY;
  const affine map = m->classifier != NULL ? linear(tensors, "", m->classifier, D, true)
                                           : (affine){tensor_list_find(tensors, m->words), NULL, D, 1};
  reference_apply(scores, last, 1, map, classes, D);
  return classes;
}
