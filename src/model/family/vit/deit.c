/* DeiT: ViT, with a second token and head for distillation. H. Touvron et al., 2021. */
#include "model/family/vit/vit_like.h"

const model_family family_deit = {
    .type = {{"deit", "DeiT"}},
    .prefix = "deit.",
    VIT_MODEL,
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "cls_classifier", TENSOR_LABELS),
            TENSOR_HEAD(TENSOR_MAP, "distillation_classifier", TENSOR_LABELS),
            VIT_TENSORS,
            TENSOR_INNER(TENSOR_ALONE, "embeddings.distillation_token", VIT_PATCHES),
            TENSOR_END,
        },
};
