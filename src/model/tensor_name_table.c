/* What transformers' checkpoints of the families hold beside the layers and the embeddings: heads, whose tensors do not
 * change the hidden states that they read, and buffers that are made anew. */
#include "model/tensor_names.h"

#define F(family) (1u << MODEL_##family)
#define BERT_LIKE (F(BERT) | F(ROBERTA) | F(ELECTRA) | F(DISTILBERT) | F(ALBERT))
#define DECODERS (F(GPT2) | F(GPT_NEO) | F(OPT))
#define IMAGES (F(VIT) | F(DEIT))

#define LABELS "of a head that scores labels: no effect on the layers"
#define WORDS "of a head that predicts words: no effect on the layers"
#define ANSWERS "of a head that finds answers: no effect on the layers"
#define POOLER "of the pooler, after the layers: no effect on them"
#define PRETRAINING "of a head for pretraining: no effect on the layers"
#define PATCHES "of the patches' embedding: hidden states are given"
#define POSITIONS "the numbers of the positions, counted anew"
#define MASK "the causal mask, made anew"

#define HEAD(families, form, name, why) \
  { families, TENSOR_OF_HEAD, form, TENSOR_ANYTHING, name, why }
#define TIED(families, name) \
  { families, TENSOR_OF_HEAD, TENSOR_ALONE, TENSOR_TIED, name, WORDS }
#define INNER(families, form, name, why) \
  { families, TENSOR_OF_MODEL, form, TENSOR_ANYTHING, name, why }
#define BUFFER(families, place, content, name, why) \
  { families, place, TENSOR_ALONE, content, name, why }

const unread_tensor unread_tensor_table[] = {
    TIED(F(BERT), "cls.predictions.decoder.weight"),
    TIED(F(ROBERTA), "lm_head.decoder.weight"),
    TIED(F(ELECTRA), "generator_lm_head.weight"),
    TIED(F(DISTILBERT), "vocab_projector.weight"),
    TIED(F(ALBERT), "predictions.decoder.weight"),
    TIED(DECODERS, "lm_head.weight"),

    HEAD(BERT_LIKE | F(GPT2) | F(GPT_NEO) | IMAGES, TENSOR_MAP, "classifier", LABELS),
    HEAD(F(ROBERTA) | F(ELECTRA), TENSOR_MAP, "classifier.dense", LABELS),
    HEAD(F(ROBERTA) | F(ELECTRA), TENSOR_MAP, "classifier.out_proj", LABELS),
    HEAD(F(DISTILBERT), TENSOR_MAP, "pre_classifier", LABELS),
    HEAD(DECODERS, TENSOR_MAP, "score", LABELS),
    HEAD(F(DEIT), TENSOR_MAP, "cls_classifier", LABELS),
    HEAD(F(DEIT), TENSOR_MAP, "distillation_classifier", LABELS),
    HEAD(BERT_LIKE | DECODERS, TENSOR_MAP, "qa_outputs", ANSWERS),

    HEAD(F(BERT), TENSOR_ALONE, "cls.predictions.bias", WORDS),
    HEAD(F(BERT), TENSOR_ALONE, "cls.predictions.decoder.bias", WORDS),
    HEAD(F(BERT), TENSOR_MAP, "cls.predictions.transform.dense", WORDS),
    HEAD(F(BERT), TENSOR_NORM, "cls.predictions.transform.LayerNorm", WORDS),
    HEAD(F(BERT), TENSOR_MAP, "cls.seq_relationship", PRETRAINING),
    HEAD(F(ROBERTA), TENSOR_ALONE, "lm_head.bias", WORDS),
    HEAD(F(ROBERTA), TENSOR_ALONE, "lm_head.decoder.bias", WORDS),
    HEAD(F(ROBERTA), TENSOR_MAP, "lm_head.dense", WORDS),
    HEAD(F(ROBERTA), TENSOR_NORM, "lm_head.layer_norm", WORDS),
    HEAD(F(ELECTRA), TENSOR_ALONE, "generator_lm_head.bias", WORDS),
    HEAD(F(ELECTRA), TENSOR_MAP, "generator_predictions.dense", WORDS),
    HEAD(F(ELECTRA), TENSOR_NORM, "generator_predictions.LayerNorm", WORDS),
    HEAD(F(ELECTRA), TENSOR_MAP, "discriminator_predictions.dense", PRETRAINING),
    HEAD(F(ELECTRA), TENSOR_MAP, "discriminator_predictions.dense_prediction", PRETRAINING),
    HEAD(F(ELECTRA), TENSOR_MAP, "sequence_summary.summary", LABELS),
    HEAD(F(DISTILBERT), TENSOR_ALONE, "vocab_projector.bias", WORDS),
    HEAD(F(DISTILBERT), TENSOR_MAP, "vocab_transform", WORDS),
    HEAD(F(DISTILBERT), TENSOR_NORM, "vocab_layer_norm", WORDS),
    HEAD(F(ALBERT), TENSOR_ALONE, "predictions.bias", WORDS),
    HEAD(F(ALBERT), TENSOR_ALONE, "predictions.decoder.bias", WORDS),
    HEAD(F(ALBERT), TENSOR_MAP, "predictions.dense", WORDS),
    HEAD(F(ALBERT), TENSOR_NORM, "predictions.LayerNorm", WORDS),
    HEAD(F(ALBERT), TENSOR_MAP, "sop_classifier.classifier", PRETRAINING),
    HEAD(F(GPT2), TENSOR_MAP, "multiple_choice_head.summary", LABELS),
    HEAD(IMAGES, TENSOR_MAP, "decoder.0", PRETRAINING),

    INNER(F(BERT) | F(ROBERTA) | IMAGES, TENSOR_MAP, "pooler.dense", POOLER),
    INNER(F(ALBERT), TENSOR_MAP, "pooler", POOLER),
    INNER(IMAGES, TENSOR_ALONE, "embeddings.cls_token", PATCHES),
    INNER(IMAGES, TENSOR_ALONE, "embeddings.mask_token", PATCHES),
    INNER(IMAGES, TENSOR_ALONE, "embeddings.position_embeddings", PATCHES),
    INNER(IMAGES, TENSOR_MAP, "embeddings.patch_embeddings.projection", PATCHES),
    INNER(F(DEIT), TENSOR_ALONE, "embeddings.distillation_token", PATCHES),
    INNER(F(OPT), TENSOR_ALONE, "decoder.version", "the version of the program that stored it"),

    BUFFER(BERT_LIKE, TENSOR_OF_MODEL, TENSOR_COUNTED, "embeddings.position_ids", POSITIONS),
    BUFFER(BERT_LIKE, TENSOR_OF_MODEL, TENSOR_ZERO, "embeddings.token_type_ids", "the tokens' types, all 0"),
    BUFFER(F(GPT2), TENSOR_OF_BLOCK, TENSOR_MASK, "attn.bias", MASK),
    BUFFER(F(GPT2), TENSOR_OF_BLOCK, TENSOR_MINUS_BIG, "attn.masked_bias", "what masked scores become: weight 0"),
    BUFFER(F(GPT_NEO), TENSOR_OF_BLOCK, TENSOR_MASK, "attn.attention.bias", MASK),
    BUFFER(F(GPT_NEO), TENSOR_OF_BLOCK, TENSOR_MINUS_BIG, "attn.attention.masked_bias",
           "what masked scores become: weight 0"),
    {.name = NULL},
};
