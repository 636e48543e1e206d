/* The families of transformers whose models are read: a row of the table each, described in a file of its own. */
#ifndef ATTCERT_MODEL_FAMILY_FAMILIES_H
#define ATTCERT_MODEL_FAMILY_FAMILIES_H

#include "model/family/family.h"

extern const model_family family_bert, family_gpt2, family_roberta, family_electra, family_distilbert, family_albert,
    family_vit, family_deit, family_gpt_neo, family_opt, family_llama, family_mistral, family_qwen2, family_qwen3,
    family_olmo2, family_smollm3, family_gemma2, family_gemma3, family_dinov2, family_mpnet, family_gpt_neox,
    family_phi3, family_modernbert, family_t5, family_umt5, family_nomic_bert, family_bloom, family_mpt, family_whisper,
    family_gpt_oss, family_qwen3_next, family_qwen3_5, family_clip_text, family_clip_vision, family_siglip_text,
    family_siglip_vision, family_deberta_v2, family_deepseek_v2, family_deepseek_v3;
extern const model_family family_nomic_bert_later; /* of a row's `later` */

/* The table's types, as an error message would list them, in parts for narrow lines; and the random models. */
#define MODEL_TYPES_BEGIN "bert, gpt2, roberta, xlm-roberta, camembert, electra, distilbert, albert, vit,"
#define MODEL_TYPES_MIDDLE "deit, gpt_neo, opt, llama, mistral, qwen2, qwen3, olmo2, smollm3, gemma2,"
#define MODEL_TYPES_NEXT "gemma3_text, dinov2, dinov2_with_registers, mpnet, gpt_neox, phi3, modernbert, t5,"
#define MODEL_TYPES_LAST "mt5, umt5, nomic_bert, bloom, mpt, whisper, gpt_oss, qwen3_next, qwen3_5_text, qwen3_5,"
#define MODEL_TYPES_LATER "deberta-v2, deepseek_v2, deepseek_v3, kimi_k2,"
#define MODEL_TYPES_END "clip_text_model, clip_vision_model, clip, siglip_text_model, siglip_vision_model or siglip"
#define MODEL_TYPES_FIRST MODEL_TYPES_BEGIN " " MODEL_TYPES_MIDDLE
#define MODEL_TYPES \
  MODEL_TYPES_FIRST " " MODEL_TYPES_NEXT " " MODEL_TYPES_LAST " " MODEL_TYPES_LATER " " MODEL_TYPES_END
/* What names one of two towers. */
#define MODEL_TOWERS ":text or :vision"
#define RANDOM_MODELS(between) \
  "random:bert" between "random:gpt2" between "random:llama" between "random:qwen3" between "random:gemma2"

/* Row i; NULL at the end. */
const model_family *families_at(size_t i);

/* The family that computes what this model_type does, and in *type its name there, which outlives `name`. NULL, and
 * *type is left alone: there is none. */
const model_family *families_find(const char **type, const char *name);

/* The family that computes the tower of that name of models of this model_type; tower NULL: the first of them. NULL:
 * there is none. */
const model_family *families_tower(const char *type, const char *tower);

/* The tokenizer's class that transformers takes for the model_type (which may be NULL); NULL: none is known. */
const char *families_tokenizer(const char *type);

/* What a configuration of the family has before anything is read; its sides are 0. */
model_config family_config(const model_family *family);

/* The feed-forward part's maps of a block, as this model has them; no gate: NULL. */
const char *family_up(const model_config *config);
const char *family_gate(const model_config *config);

/* Whether keys have a bias: where queries and values do, unless the family's never have. */
bool family_has_key_bias(const model_config *config);

/* The tensor that a family's files may store for the word table, or beside it: the weight of the head that predicts
 * words, such as lm_head.weight. NULL: none. */
const char *family_alias(const model_family *family);

#endif
