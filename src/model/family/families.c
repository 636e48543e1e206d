#include "model/family/families.h"

#include <string.h>

static const model_family *const families[] = {
    &family_bert,        &family_gpt2,        &family_roberta,       &family_electra,
    &family_distilbert,  &family_albert,      &family_vit,           &family_deit,
    &family_gpt_neo,     &family_opt,         &family_llama,         &family_mistral,
    &family_qwen2,       &family_qwen3,       &family_olmo2,         &family_smollm3,
    &family_gemma2,      &family_gemma3,      &family_dinov2,        &family_mpnet,
    &family_gpt_neox,    &family_phi3,        &family_modernbert,    &family_t5,
    &family_umt5,        &family_nomic_bert,  &family_bloom,         &family_mpt,
    &family_whisper,     &family_gpt_oss,     &family_qwen3_next,    &family_qwen3_5,
    &family_deberta_v2,  &family_deepseek_v2, &family_deepseek_v3,   &family_clip_text,
    &family_clip_vision, &family_siglip_text, &family_siglip_vision,
};

const model_family *families_at(size_t i) {
  return i < sizeof families / sizeof families[0] ? families[i] : NULL;
}

const model_family *families_find(const char **type, const char *name) {
  const model_family *family;
  for (size_t i = 0; (family = families_at(i)) != NULL; i++) {
    for (int k = 0; k < FAMILY_TYPES && family->type[k].name != NULL; k++) {
      if (strcmp(family->type[k].name, name) != 0) continue;
      *type = family->type[k].name;
      return family;
    }
  }
  return NULL;
}

const model_family *families_tower(const char *type, const char *tower) {
  const model_family *family;
  for (size_t i = 0; (family = families_at(i)) != NULL; i++) {
    if (family->tower.type == NULL || strcmp(family->tower.type, type) != 0) continue;
    if (tower == NULL || strcmp(family->tower.name, tower) == 0) return family;
  }
  return NULL;
}

const char *families_tokenizer(const char *type) {
  const char *found = NULL;
  const model_family *const reads_text = type != NULL ? families_tower(type, NULL) : NULL;
  if (reads_text != NULL) return reads_text->tokenizer;
  const model_family *const family = type != NULL ? families_find(&found, type) : NULL;
  return family != NULL && found == family->type[0].name ? family->tokenizer : NULL;
}

model_config family_config(const model_family *family) {
  return (model_config){.family = family,
                        .type = family->type[0].name,
                        .mask = family->decoder ? ATTCERT_MASK_CAUSAL : ATTCERT_MASK_NONE,
                        .side_max =
                            family->latent.down != NULL || family->gated_heads ? ATTCERT_SIDE_MAX : MODEL_DIM_MAX,
                        .padding = -1,
                        .attention_biases = true,
                        .output_bias = true,
                        .norm_biases = true,
                        .norms_heads = family->heads_norm.query != NULL,
                        .sinks = family->sinks != NULL,
                        .gated_heads = family->gated_heads,
                        .feed_forward_biases = true,
                        .scaled = true,
                        .tied = !family->defaults.untied,
                        .rotary_scaling.factor = 1.0,
                        .epsilon = family->defaults.epsilon};
}

const char *family_up(const model_config *config) {
  return config->gated ? config->family->gated.up : config->family->feed_forward.up;
}

const char *family_gate(const model_config *config) {
  return config->gated ? config->family->gated.gate : config->family->feed_forward_gate;
}

bool family_has_key_bias(const model_config *config) {
  return config->attention_biases && !config->family->key_unbiased;
}

const char *family_alias(const model_family *family) {
  for (const unread_tensor *row = family->unread; row->name != NULL; row++) {
    if (row->content == TENSOR_TIED) return row->name;
  }
  return NULL;
}
