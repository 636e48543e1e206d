/* What ViT and DeiT share: pre-LayerNorm blocks on embedded patches. */
#ifndef ATTCERT_MODEL_FAMILY_VIT_VIT_LIKE_H
#define ATTCERT_MODEL_FAMILY_VIT_VIT_LIKE_H

#include "model/family/bert/bert_like.h"

/* Whether queries, keys and values have biases (qkv_bias). */
attcert_status vit_check(model_config *config, const json_file *file, attcert_error *err);

extern const family_head vit_heads[];
extern const config_key vit_keys[];

/* All fields of model_family but type, prefix and unread. */
#define VIT_MODEL                                                                                                    \
  .heads = vit_heads, .keys = {BERT_KEYS, NULL, false}, .other_keys = vit_keys,                                      \
  .defaults = {.act = "gelu", .epsilon = 1e-12}, .check = vit_check, .norm_first = true, .blocks = "encoder.layer.", \
  .attention = {"attention.attention.query", "attention.attention.key", "attention.attention.value",                 \
                "attention.output.dense", "layernorm_before"},                                                       \
  .feed_forward = {"intermediate.dense", "output.dense", "layernorm_after"}, .final_norm = "layernorm",              \
  .reads = {"images", "[CLS] and patches"}, .sequence = {.classifier = "classifier"}

/* Rows of tensors. */
#define VIT_PATCHES "of the patches' embedding: hidden states are given"
#define VIT_TENSORS                                                                                               \
  TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS), TENSOR_HEAD(TENSOR_MAP, "decoder.0", TENSOR_PRETRAINING), \
      TENSOR_INNER(TENSOR_MAP, "pooler.dense", TENSOR_POOLER),                                                    \
      TENSOR_INNER(TENSOR_ALONE, "embeddings.cls_token", VIT_PATCHES),                                            \
      TENSOR_INNER(TENSOR_ALONE, "embeddings.mask_token", VIT_PATCHES),                                           \
      TENSOR_INNER(TENSOR_ALONE, "embeddings.position_embeddings", VIT_PATCHES),                                  \
      TENSOR_INNER(TENSOR_MAP, "embeddings.patch_embeddings.projection", VIT_PATCHES)

#endif
