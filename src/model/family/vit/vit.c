/* ViT. A. Dosovitskiy et al., 2021. */
#include "model/family/vit/vit_like.h"

const family_head vit_heads[] = {{"ForImageClassification", HEAD_SEQUENCE}, {"Model", HEAD_NONE}, HEADS_END};

const config_key vit_keys[] = {
    KEY_READ("qkv_bias"),
    KEY_NO_DECODER,
    KEY_FREE("image_size patch_size num_channels", "of the patches; hidden states are given"),
    KEY_FREE("encoder_stride", "of the head that predicts masked patches, which is not evaluated"),
    KEY_FREE("pooler_output_size pooler_act", "of a pooler that the classifier does not read"),
    KEY_END,
};

attcert_status vit_check(model_config *config, const json_file *file, attcert_error *err) {
  return json_file_optional_bool(&config->attention_biases, file, "qkv_bias", err);
}

const model_family family_vit = {
    .type = {{"vit", "ViT"}},
    .prefix = "vit.",
    VIT_MODEL,
    .unread = (const unread_tensor[]){VIT_TENSORS, TENSOR_END},
};
