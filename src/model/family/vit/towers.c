/* The towers of CLIP and SigLIP, of text and of images: ViT's blocks. A folder may hold both, with what compares them.
 * CLIP's text has a causal mask, its images a LayerNorm more before the blocks; SigLIP has neither, and no class
 * token. A. Radford et al., Learning transferable visual models from natural language supervision, 2021; X. Zhai et
 * al., Sigmoid loss for language image pre-training, 2023. */
#include "model/family/bert/bert_like.h"

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* Fields of model_family: of every tower; of one of text, whose rows are summed; of one of images. */
#define TOWER_BLOCKS                                                                                              \
  .norm_first = true, .blocks = "encoder.layers.",                                                                \
  .attention = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj", "layer_norm1"}, \
  .feed_forward = {"mlp.fc1", "mlp.fc2", "layer_norm2"}
#define TOWER_TEXT                                                         \
  TOWER_BLOCKS, .keys = {BERT_KEYS, NULL, false}, .prefix = "text_model.", \
                .word_table = "embeddings.token_embedding.weight",         \
                .position_table = "embeddings.position_embedding.weight"
#define TOWER_IMAGES                            \
  TOWER_BLOCKS, .prefix = "vision_model.",      \
                .keys = {"hidden_size",         \
                         "num_attention_heads", \
                         "num_hidden_layers",   \
                         "intermediate_size",   \
                         NULL,                  \
                         NULL,                  \
                         "hidden_act",          \
                         "layer_norm_eps",      \
                         NULL,                  \
                         false}

/* Reasons. */
#define TOWER_OTHER "of the other tower, which is not read"
#define TOWER_AFTER "of what compares the towers, after their layers"
#define TOWER_PATCHES "of the patches; hidden states are given"

/* Rows of keys, of a tower of images. */
#define TOWER_IMAGE_KEYS KEY_NO_DECODER, KEY_FREE("image_size patch_size num_channels", TOWER_PATCHES)

/* Rows of tensors: beside the prefix, of every tower, where the other one's begin with `other`; of each kind. */
#define TOWER_TENSORS(other)                                                                            \
  TENSOR_HEAD(TENSOR_UNDER, other, TOWER_OTHER), TENSOR_HEAD(TENSOR_ALONE, "logit_scale", TOWER_AFTER), \
      TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS)
#define TOWER_TEXT_TENSORS                                                                    \
  TOWER_TENSORS("vision_model"), TENSOR_INNER(TENSOR_NORM, "final_layer_norm", TENSOR_AFTER), \
      TENSOR_BUFFER(TENSOR_OF_MODEL, TENSOR_COUNTED, "embeddings.position_ids",               \
                    "the numbers of the positions, counted anew")
#define TOWER_IMAGE_TENSORS                                                               \
  TOWER_TENSORS("text_model"), TENSOR_INNER(TENSOR_NORM, "post_layernorm", TENSOR_AFTER), \
      TENSOR_INNER(TENSOR_MAP, "embeddings.patch_embedding", TOWER_PATCHES),              \
      TENSOR_INNER(TENSOR_ALONE, "embeddings.position_embedding.weight", TOWER_PATCHES),  \
      TENSOR_INNER(TENSOR_ALONE, "embeddings.position_ids", TOWER_PATCHES)

/* ---- CLIP -------------------------------------------------------------------------------------------------------- */

/* config.json beside the objects. Where there is a *_config_dict, of older files, its class takes values from there, or
 * its defaults, whatever the object says. */
#define CLIP_OBJECTS(own, other)                                                 \
  KEY_READ(own " " own "_dict"), KEY_FREE(other " " other "_dict", TOWER_OTHER), \
      KEY_FREE("projection_dim logit_scale_init_value", TOWER_AFTER)

#define CLIP_PROJECTIONS                                            \
  TENSOR_HEAD(TENSOR_ALONE, "text_projection.weight", TOWER_AFTER), \
      TENSOR_HEAD(TENSOR_ALONE, "visual_projection.weight", TOWER_AFTER)

static const family_head clip_heads[] = {{"Model", HEAD_NONE}, {"ModelWithProjection", HEAD_NONE}, HEADS_END};

static attcert_status check_text(model_config *config, const json_file *file, attcert_error *err) {
  (void)file, (void)err;
  config->mask = ATTCERT_MASK_CAUSAL;
  return ATTCERT_OK;
}

const model_family family_clip_text = {
    .type = {{"clip_text_model", "CLIPText"}},
    .heads = clip_heads,
    .tokenizer = "CLIPTokenizer",
    .other_keys = (const config_key[]){KEY_NO_DECODER, KEY_FREE("projection_dim", TOWER_AFTER), KEY_END},
    .defaults = {.act = "quick_gelu", .epsilon = 1e-5},
    .sides = {.dim = 512, .heads = 8, .layers = 12, .hidden_dim = 2048, .vocabulary = 49408, .positions = 77},
    .tower = {"clip", "text", "text_config",
              (const config_key[]){CLIP_OBJECTS("text_config", "vision_config"), KEY_END}, "text_config_dict", NULL},
    .check = check_text,
    TOWER_TEXT,
    .unread = (const unread_tensor[]){TOWER_TEXT_TENSORS, CLIP_PROJECTIONS, TENSOR_END},
};

const model_family family_clip_vision = {
    .type = {{"clip_vision_model", "CLIPVision"}},
    .heads = clip_heads,
    .other_keys = (const config_key[]){TOWER_IMAGE_KEYS, KEY_FREE("projection_dim", TOWER_AFTER), KEY_END},
    .defaults = {.act = "quick_gelu", .epsilon = 1e-5},
    .sides = {.dim = 768, .heads = 12, .layers = 12, .hidden_dim = 3072},
    .tower = {"clip", "vision", "vision_config",
              (const config_key[]){CLIP_OBJECTS("vision_config", "text_config"), KEY_END}, "vision_config_dict", NULL},
    .reads = {"images", "[CLS] and patches behind pre_layrnorm"},
    TOWER_IMAGES,
    .unread =
        (const unread_tensor[]){
            TOWER_IMAGE_TENSORS,
            CLIP_PROJECTIONS,
            TENSOR_INNER(TENSOR_ALONE, "embeddings.class_embedding", TOWER_PATCHES),
            TENSOR_INNER(TENSOR_NORM, "pre_layrnorm", "before the layers; hidden states are given behind it"),
            TENSOR_END,
        },
};

/* ---- SigLIP ------------------------------------------------------------------------------------------------------ */

#define SIGLIP_BIAS TENSOR_HEAD(TENSOR_ALONE, "logit_bias", TOWER_AFTER)
#define SIGLIP_HEAD "of the head that pools, after the layers"

static const family_head siglip_heads[] = {{"Model", HEAD_NONE}, HEADS_END};

const model_family family_siglip_text = {
    .type = {{"siglip_text_model", "SiglipText"}},
    .heads = siglip_heads,
    .tokenizer = "SiglipTokenizer",
    .other_keys = (const config_key[]){KEY_NO_DECODER, KEY_FREE("projection_size", SIGLIP_HEAD), KEY_END},
    .defaults = {.act = "gelu_pytorch_tanh", .epsilon = 1e-6},
    .sides = {.dim = 768, .heads = 12, .layers = 12, .hidden_dim = 3072, .vocabulary = 32000, .positions = 64},
    .tower = {"siglip", "text", "text_config",
              (const config_key[]){KEY_READ("text_config"), KEY_FREE("vision_config", TOWER_OTHER), KEY_END}, NULL,
              NULL},
    TOWER_TEXT,
    .unread =
        (const unread_tensor[]){
            TOWER_TEXT_TENSORS,
            SIGLIP_BIAS,
            TENSOR_INNER(TENSOR_MAP, "head", SIGLIP_HEAD),
            TENSOR_END,
        },
};

const model_family family_siglip_vision = {
    .type = {{"siglip_vision_model", "SiglipVision"}},
    .heads = siglip_heads,
    .other_keys = (const config_key[]){TOWER_IMAGE_KEYS, KEY_FREE("vision_use_head", SIGLIP_HEAD), KEY_END},
    .defaults = {.act = "gelu_pytorch_tanh", .epsilon = 1e-6},
    .sides = {.dim = 768, .heads = 12, .layers = 12, .hidden_dim = 3072},
    .tower = {"siglip", "vision", "vision_config",
              (const config_key[]){KEY_READ("vision_config"), KEY_FREE("text_config", TOWER_OTHER), KEY_END}, NULL,
              NULL},
    .reads = {"images", "patches"},
    TOWER_IMAGES,
    .unread =
        (const unread_tensor[]){
            TOWER_IMAGE_TENSORS,
            SIGLIP_BIAS,
            TENSOR_INNER(TENSOR_UNDER, "head", SIGLIP_HEAD),
            TENSOR_END,
        },
};
