/* The encoder of Whisper: ViT's blocks on frames of sound. A. Radford et al., Robust speech recognition via large-scale
 * weak supervision, 2022. */
#include "model/family/families.h"

#include <limits.h>

#define WHISPER_FRAMES "of the frames' embedding, by convolutions and positions: hidden states are given"
#define WHISPER_DECODER "of the decoder, of which --context evaluates the attention to the encoder alone"

/* Of the decoder, where the file says; what transformers takes where it is silent has changed. */
static attcert_status read_decoder(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "decoder_attention_heads";
  attcert_status status = json_file_optional_int(&config->cross.layers, file, "decoder_layers", 1, INT_MAX, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&config->cross.heads, file, key, 1, INT_MAX, err);
  return status;
}

/* The encoder's layers, once more under other models' name, which newer classes read. */
static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "num_hidden_layers";
  int layers = config->layers;
  attcert_status status = read_decoder(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&layers, file, key, 1, INT_MAX, err);
  if (status != ATTCERT_OK || layers == config->layers) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %d, expected %d as 'encoder_layers'", file->path, key,
                      layers, config->layers);
}

const model_family family_whisper = {
    .type = {{"whisper", "Whisper"}},
    .heads = (const family_head[]){{"Model", HEAD_NONE}, HEADS_END},
    .keys = {"d_model", "encoder_attention_heads", "encoder_layers", "encoder_ffn_dim", NULL, NULL,
             "activation_function", NULL, NULL, false},
    .other_keys =
        (const config_key[]){
            KEY_READ("num_hidden_layers decoder_layers decoder_attention_heads"),
            KEY_NO_DECODER,
            KEY_FREE("is_encoder_decoder", "there is a decoder, which is not evaluated: the encoder is"),
            KEY_FREE("decoder_ffn_dim decoder_layerdrop vocab_size "
                     "max_target_positions",
                     WHISPER_DECODER),
            KEY_FREE("num_mel_bins max_source_positions scale_embedding", WHISPER_FRAMES),
            KEY_FREE("encoder_layerdrop apply_spec_augment mask_time_prob mask_time_length mask_time_min_masks "
                     "mask_feature_prob mask_feature_length mask_feature_min_masks",
                     "of training; no part of an evaluation"),
            KEY_FREE("forced_decoder_ids median_filter_width",
                     "generation of text picks tokens by it, after the scores"),
            KEY_FREE("use_weighted_layer_sum classifier_proj_size",
                     "of a head that scores labels, which is not evaluated"),
            KEY_END,
        },
    .defaults = {.act = "gelu", .epsilon = 1e-5},
    .check = check,
    .prefix = "model.",
    .reads = {"sounds", "the frames behind convolutions and positions"},
    .norm_first = true,
    .blocks = "encoder.layers.",
    .attention = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj",
                  "self_attn_layer_norm"},
    .key_unbiased = true,
    .cross = {.blocks = "decoder.layers.",
              .begin = "encoder_attn.",
              .query = "q_proj",
              .key = "k_proj",
              .value = "v_proj",
              .output = "out_proj"},
    .feed_forward = {"fc1", "fc2", "final_layer_norm"},
    .unread =
        (const unread_tensor[]){
            TENSOR_INNER(TENSOR_MAP, "encoder.conv1", WHISPER_FRAMES),
            TENSOR_INNER(TENSOR_MAP, "encoder.conv2", WHISPER_FRAMES),
            TENSOR_INNER(TENSOR_ALONE, "encoder.embed_positions.weight", WHISPER_FRAMES),
            TENSOR_INNER(TENSOR_NORM, "encoder.layer_norm", TENSOR_AFTER),
            TENSOR_INNER(TENSOR_UNDER, "decoder", WHISPER_DECODER),
            TENSOR_HEAD(TENSOR_ALONE, "proj_out.weight", WHISPER_DECODER),
            TENSOR_HEAD(TENSOR_MAP, "projector", TENSOR_LABELS),
            TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
            TENSOR_HEAD(TENSOR_ALONE, "layer_weights", TENSOR_LABELS),
            TENSOR_END,
        },
};
