/* DistilBERT: BERT without token types. V. Sanh et al., 2019. */
#include "model/family/bert/bert_like.h"

const model_family family_distilbert = {
    .type = {{"distilbert", "DistilBert"}},
    .heads = bert_heads,
    .tokenizer = "DistilBertTokenizer",
    .keys = {"dim", "n_heads", "n_layers", "hidden_dim", "vocab_size", "max_position_embeddings", "activation", NULL,
             NULL, false},
    .other_keys =
        (const config_key[]){
            KEY_NO_DECODER,
            KEY_FREE("sinusoidal_pos_embds", "what the position table begins training with; the stored one is read"),
            KEY_FREE("tie_weights_", "its classes read tie_word_embeddings in its place"),
            KEY_END,
        },
    .defaults = {.act = "gelu", .epsilon = 1e-12},
    .prefix = "distilbert.",
    .word_table = "embeddings.word_embeddings.weight",
    .position_table = "embeddings.position_embeddings.weight",
    .embedding_norm = "embeddings.LayerNorm",
    .blocks = "transformer.layer.",
    .attention = {"attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm"},
    .feed_forward = {"ffn.lin1", "ffn.lin2", "output_layer_norm"},
    .sequence = {.classifier = "classifier", .map = "pre_classifier", .curve = &curve_relu},
    .masked = {.map = "vocab_transform", .norm = "vocab_layer_norm", .bias = "vocab_projector.bias"},
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "pre_classifier", TENSOR_LABELS),
            BERT_TENSORS,
            TENSOR_HEAD(TENSOR_MAP, "vocab_transform", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_NORM, "vocab_layer_norm", TENSOR_WORDS),
            TENSOR_TIED_HEAD("vocab_projector.weight"),
            TENSOR_HEAD(TENSOR_ALONE, "vocab_projector.bias", TENSOR_WORDS),
            TENSOR_END,
        },
};
