/* The families, by the names of their tensors in transformers' checkpoints:
 *   BERT       J. Devlin, M.-W. Chang, K. Lee, K. Toutanova, 2019
 *   GPT-2      A. Radford et al., 2019: Conv1D maps, c_attn holds queries, keys and values side by side
 *   RoBERTa    Y. Liu et al., 2019: BERT; the position table begins after the padding token's row
 *   ELECTRA    K. Clark et al., 2020: BERT; embeddings of their own width
 *   DistilBERT V. Sanh et al., 2019: BERT without token types
 *   ALBERT     Z. Lan et al., 2020: BERT; layers of one group share their tensors
 *   ViT, DeiT  A. Dosovitskiy et al., 2021; H. Touvron et al., 2021: pre-LayerNorm, on embedded patches
 *   GPT-Neo    S. Black et al., 2021: GPT-2 with linear maps, scores not divided by sqrt(k)
 *   OPT        S. Zhang et al., 2022: GPT-2 with linear maps, positions from row 2 on */
#include "model/transformer.h"

#define BERT_EMBEDDINGS                                                                                         \
  .word_table = "embeddings.word_embeddings.weight", .position_table = "embeddings.position_embeddings.weight", \
  .type_table = "embeddings.token_type_embeddings.weight", .embedding_norm = "embeddings.LayerNorm"

#define BERT_BLOCKS                                                                                                    \
  .read_linear = linear_read, .blocks = "encoder.layer.", .query = "attention.self.query",                             \
  .key = "attention.self.key", .value = "attention.self.value", .output = "attention.output.dense",                    \
  .attention_norm = "attention.output.LayerNorm", .feed_forward_norm = "output.LayerNorm", .up = "intermediate.dense", \
  .down = "output.dense"

#define VIT_MODEL                                                                                                   \
  .read_linear = linear_read, .norm_first = true, .blocks = "encoder.layer.", .query = "attention.attention.query", \
  .key = "attention.attention.key", .value = "attention.attention.value", .output = "attention.output.dense",       \
  .attention_norm = "layernorm_before", .feed_forward_norm = "layernorm_after", .up = "intermediate.dense",         \
  .down = "output.dense", .final_norm = "layernorm", .classifier = "classifier"

const transformer transformer_families[MODEL_FAMILY_COUNT] = {
    [MODEL_BERT] = {.prefix = "bert.",
                    BERT_EMBEDDINGS,
                    BERT_BLOCKS,
                    .head_curve = &curve_tanh,
                    .head_map = "pooler.dense",
                    .head_map_of_model = true,
                    .classifier = "classifier"},
    [MODEL_GPT2] = {.prefix = "transformer.",
                    .word_table = "wte.weight",
                    .position_table = "wpe.weight",
                    .read_linear = linear_read_conv1d,
                    .norm_first = true,
                    .blocks = "h.",
                    .query = "attn.c_attn",
                    .output = "attn.c_proj",
                    .attention_norm = "ln_1",
                    .feed_forward_norm = "ln_2",
                    .up = "mlp.c_fc",
                    .down = "mlp.c_proj",
                    .final_norm = "ln_f",
                    .decoder = true,
                    .classifier = "score"},
    [MODEL_ROBERTA] = {.prefix = "roberta.",
                       BERT_EMBEDDINGS,
                       BERT_BLOCKS,
                       .head_curve = &curve_tanh,
                       .head_map = "classifier.dense",
                       .classifier = "classifier.out_proj"},
    [MODEL_ELECTRA] = {.prefix = "electra.",
                       BERT_EMBEDDINGS,
                       .embedding_map = "embeddings_project",
                       BERT_BLOCKS,
                       .head_curve = &curve_gelu,
                       .head_map = "classifier.dense",
                       .classifier = "classifier.out_proj"},
    [MODEL_DISTILBERT] = {.prefix = "distilbert.",
                          .word_table = "embeddings.word_embeddings.weight",
                          .position_table = "embeddings.position_embeddings.weight",
                          .embedding_norm = "embeddings.LayerNorm",
                          .read_linear = linear_read,
                          .blocks = "transformer.layer.",
                          .query = "attention.q_lin",
                          .key = "attention.k_lin",
                          .value = "attention.v_lin",
                          .output = "attention.out_lin",
                          .attention_norm = "sa_layer_norm",
                          .feed_forward_norm = "output_layer_norm",
                          .up = "ffn.lin1",
                          .down = "ffn.lin2",
                          .head_curve = &curve_relu,
                          .head_map = "pre_classifier",
                          .classifier = "classifier"},
    [MODEL_ALBERT] = {.prefix = "albert.",
                      BERT_EMBEDDINGS,
                      .embedding_map = "encoder.embedding_hidden_mapping_in",
                      .embedding_map_always = true,
                      .read_linear = linear_read,
                      .blocks = "encoder.albert_layer_groups.",
                      .query = "albert_layers.0.attention.query",
                      .key = "albert_layers.0.attention.key",
                      .value = "albert_layers.0.attention.value",
                      .output = "albert_layers.0.attention.dense",
                      .attention_norm = "albert_layers.0.attention.LayerNorm",
                      .feed_forward_norm = "albert_layers.0.full_layer_layer_norm",
                      .up = "albert_layers.0.ffn",
                      .down = "albert_layers.0.ffn_output",
                      .head_curve = &curve_tanh,
                      .head_map = "pooler",
                      .head_map_of_model = true,
                      .classifier = "classifier"},
    [MODEL_VIT] = {.prefix = "vit.", VIT_MODEL},
    [MODEL_DEIT] = {.prefix = "deit.", VIT_MODEL},
    [MODEL_GPT_NEO] = {.prefix = "transformer.",
                       .word_table = "wte.weight",
                       .position_table = "wpe.weight",
                       .read_linear = linear_read,
                       .norm_first = true,
                       .blocks = "h.",
                       .query = "attn.attention.q_proj",
                       .key = "attn.attention.k_proj",
                       .value = "attn.attention.v_proj",
                       .output = "attn.attention.out_proj",
                       .attention_norm = "ln_1",
                       .feed_forward_norm = "ln_2",
                       .up = "mlp.c_fc",
                       .down = "mlp.c_proj",
                       .final_norm = "ln_f",
                       .decoder = true,
                       .classifier = "score"},
    [MODEL_OPT] = {.prefix = "model.",
                   .word_table = "decoder.embed_tokens.weight",
                   .position_table = "decoder.embed_positions.weight",
                   .read_linear = linear_read,
                   .norm_first = true,
                   .blocks = "decoder.layers.",
                   .query = "self_attn.q_proj",
                   .key = "self_attn.k_proj",
                   .value = "self_attn.v_proj",
                   .output = "self_attn.out_proj",
                   .attention_norm = "self_attn_layer_norm",
                   .feed_forward_norm = "final_layer_norm",
                   .up = "fc1",
                   .down = "fc2",
                   .final_norm = "decoder.final_layer_norm",
                   .decoder = true,
                   .classifier = "score"},
};
