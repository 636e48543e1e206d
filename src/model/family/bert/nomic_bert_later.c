/* Nomic BERT by the keys that transformers 5 has for it, without those of the code that its first files name. Tensors
 * have the names of those files, which transformers writes unless it is asked for its own, or its own. */
#include "model/family/llama/llama_like.h"

/* The usual theta of files that are silent was another one of the first class, so that it has to be there. */
static attcert_status read_rotation(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "rope_parameters";
  if (json_object_get(json_object_get(file->root, key), "rope_theta") == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' has no 'rope_theta', expected a positive number", file->path,
                        key);
  return llama_read_heads(config, file, err);
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  const int size = config->head_dim;
  config->attention_biases = config->output_bias = config->feed_forward_biases = false;
  config->gated = true;
  const attcert_status status = read_rotation(config, file, err);
  if (status != ATTCERT_OK || (config->key_heads == config->heads && config->head_dim == size)) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %d heads of keys and %d entries, expected %d of %d", file->path,
                      config->key_heads, config->head_dim, config->heads, size);
}

/* Fields of model_family: all but the names of what is in a block and behind the embeddings. */
#define NOMIC_LATER                                                                                                \
  .type = {{"nomic_bert", "NomicBert"}},                                                                           \
  .heads = (const family_head[]){{"ForSequenceClassification", HEAD_SEQUENCE},                                     \
                                 {"ForTokenClassification", HEAD_TOKEN},                                           \
                                 {"ForMaskedLM", HEAD_MASKED},                                                     \
                                 {"Model", HEAD_NONE},                                                             \
                                 HEADS_END},                                                                       \
  .tokenizer = "BertTokenizer",                                                                                    \
  .keys = {"hidden_size",                                                                                          \
           "num_attention_heads",                                                                                  \
           "num_hidden_layers",                                                                                    \
           "intermediate_size",                                                                                    \
           "vocab_size",                                                                                           \
           "max_position_embeddings",                                                                              \
           "hidden_act",                                                                                           \
           "layer_norm_eps",                                                                                       \
           NULL,                                                                                                   \
           false},                                                                                                 \
  .other_keys =                                                                                                    \
      (const config_key[]){KEY_READ("rope_parameters num_key_value_heads head_dim"), KEY_NO_DECODER,               \
                           KEY_FREE("type_vocab_size", "each token is of type 0, whose row is the stored one"),    \
                           KEY_END},                                                                               \
  .defaults = {.act = "gelu", .epsilon = 1e-12}, .check = check, .prefix = "nomic_bert.",                          \
  .word_table = "embeddings.word_embeddings.weight", .type_table = "embeddings.token_type_embeddings.weight",      \
  .sequence = {.classifier = "classifier", .map = "pooler.dense", .curve = &curve_tanh, .map_of_model = true},     \
  .masked = {.map = "cls.predictions.transform.dense",                                                             \
             .norm = "cls.predictions.transform.layer_norm",                                                       \
             .bias = "cls.predictions.bias",                                                                       \
             .bias_alias = "cls.predictions.decoder.bias"},                                                        \
  .unread = (const unread_tensor[]) {                                                                              \
    TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS), TENSOR_INNER(TENSOR_MAP, "pooler.dense", TENSOR_POOLER), \
        TENSOR_HEAD(TENSOR_MAP, "cls.predictions.transform.dense", TENSOR_WORDS),                                  \
        TENSOR_HEAD(TENSOR_NORM, "cls.predictions.transform.layernorm", TENSOR_WORDS),                             \
        TENSOR_HEAD(TENSOR_NORM, "cls.predictions.transform.layer_norm", TENSOR_WORDS),                            \
        TENSOR_HEAD(TENSOR_ALONE, "cls.predictions.bias", TENSOR_WORDS),                                           \
        TENSOR_TIED_HEAD("cls.predictions.decoder.weight"),                                                        \
        TENSOR_HEAD(TENSOR_ALONE, "cls.predictions.decoder.bias", TENSOR_WORDS),                                   \
        TENSOR_HEAD(TENSOR_MAP, "cls.seq_relationship", TENSOR_PRETRAINING), TENSOR_END                            \
  }

static const model_family older_names = {
    NOMIC_LATER,
    .embedding_norm = "emb_ln",
    .blocks = "encoder.layers.",
    .attention = {.query = "attn.Wqkv", .output = "attn.out_proj", .norm = "norm1"},
    .feed_forward = {"mlp.fc1", "mlp.fc2", "norm2"},
    .gated = {"mlp.fc12", "mlp.fc11"},
};

const model_family family_nomic_bert_later = {
    NOMIC_LATER,
    .embedding_norm = "embeddings.LayerNorm",
    .blocks = "layers.",
    .attention = {LLAMA_MAPS, "post_attention_layernorm"},
    .feed_forward = {"mlp.up_proj", "mlp.down_proj", "post_mlp_layernorm"},
    .gated = {"mlp.gate_proj", "mlp.up_proj"},
    .older_names = &older_names,
};
