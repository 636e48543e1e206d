/* DINOv2: ViT with a factor for each column of what a part of a block comes to. M. Oquab et al., 2023; with registers,
 * T. Darcet et al., Vision transformers need registers, 2024. */
#include "model/family/vit/vit_like.h"

#include <string.h>

/* Where config.json does not say, of the type with registers. */
enum { REGISTERS_USUAL = 4 };

/* The classifier reads the class token beside the mean of the patches, which stand behind the registers. */
static attcert_status read_head(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "architectures";
  int registers = REGISTERS_USUAL;
  const bool has = strcmp(config->type, "dinov2_with_registers") == 0;
  const char *const class = json_string_value(json_array_get(json_object_get(file->root, key), 0));
  const attcert_status status =
      json_file_optional_int(&registers, file, "num_register_tokens", 0, ATTCERT_SIDE_MAX, err);
  config->head.mean = config->head.joined = true;
  config->head.from = has ? 1 + registers : 1;
  if (status != ATTCERT_OK || class == NULL || (strstr(class, "WithRegisters") != NULL) == has) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %.64s, expected a class of a %s", file->path, key, class,
                      config->type);
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "mlp_ratio";
  double ratio = 4.0;
  attcert_status status = vit_check(config, file, err);
  if (status == ATTCERT_OK) status = read_head(config, file, err);
  if (status == ATTCERT_OK && json_file_has(file, key)) status = json_file_real(&ratio, file, key, err);
  if (status != ATTCERT_OK) return status;
  if (!(ratio * config->dim >= 1.0 && ratio * config->dim <= 4.0 * MODEL_DIM_MAX))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %g, expected 1 to %d columns of the feed-forward part",
                        file->path, key, ratio, 4 * MODEL_DIM_MAX);
  config->hidden_dim = (int)(config->dim * ratio); /* as its class rounds */
  return ATTCERT_OK;
}

const model_family family_dinov2 = {
    .type = {{"dinov2", "Dinov2"}, {"dinov2_with_registers", "Dinov2WithRegisters"}},
    .heads = vit_heads,
    .keys = {"hidden_size", "num_attention_heads", "num_hidden_layers", NULL, NULL, NULL, "hidden_act",
             "layer_norm_eps", NULL, false},
    .other_keys =
        (const config_key[]){
            KEY_READ("qkv_bias mlp_ratio num_register_tokens"),
            KEY_NO_DECODER,
            KEY_FREE("image_size patch_size num_channels use_mask_token", "of the patches; hidden states are given"),
            KEY_FREE("layerscale_value", "what the factors were before training; they are stored"),
            KEY_HELD("use_swiglu_ffn", "false", KEY_OTHER_FORM),
            KEY_FREE("out_features out_indices apply_layernorm reshape_hidden_states stage_names",
                     "which hidden states are returned, and how they are stored"),
            KEY_END,
        },
    .defaults = {.act = "gelu", .epsilon = 1e-6},
    .check = check,
    .prefix = "dinov2.",
    .reads = {"images", "[CLS], registers and patches"},
    .norm_first = true,
    .blocks = "encoder.layer.",
    .attention = {"attention.attention.query", "attention.attention.key", "attention.attention.value",
                  "attention.output.dense", "norm1"},
    .feed_forward = {"mlp.fc1", "mlp.fc2", "norm2"},
    .scale = {"layer_scale1.lambda1", "layer_scale2.lambda1"},
    .final_norm = "layernorm",
    .sequence = {.classifier = "classifier"},
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
            TENSOR_INNER(TENSOR_ALONE, "embeddings.cls_token", VIT_PATCHES),
            TENSOR_INNER(TENSOR_ALONE, "embeddings.mask_token", VIT_PATCHES),
            TENSOR_INNER(TENSOR_ALONE, "embeddings.register_tokens", VIT_PATCHES),
            TENSOR_INNER(TENSOR_ALONE, "embeddings.position_embeddings", VIT_PATCHES),
            TENSOR_INNER(TENSOR_MAP, "embeddings.patch_embeddings.projection", VIT_PATCHES),
            TENSOR_END,
        },
};
