/* The keys that transformers writes into config.json of the families read here, of its own classes and, through
 * PretrainedConfig, of all models. Where a key is in the table twice, the first row of the family holds. */
#include "model/config_keys.h"

#define F(family) (1u << MODEL_##family)
#define BERT_LIKE (F(BERT) | F(ROBERTA) | F(ELECTRA) | F(ALBERT))
#define DECODERS (F(GPT2) | F(GPT_NEO) | F(OPT))
#define IMAGES (F(VIT) | F(DEIT))

#define READ(key, families) \
  { key, families, CONFIG_KEY_READ, NULL }
#define FREE(key, families, why) \
  { key, families, CONFIG_KEY_FREE, why }
#define HELD(key, families, value, why) \
  { key, families, value, why }
#define UNSET(key, families, why) \
  { key, families, CONFIG_KEY_UNSET, why }

/* Reasons that several keys share. */
#define TRAINING "dropout, initialisation and memory in training; no part of an evaluation"
#define RECORD "a record of where the model comes from"
#define RETURNED "says what is returned beside the result, or how it is stored"
#define GENERATION "generation of text picks tokens by it, after the scores"
#define TOKEN "a token's number; the tokens are those that are given"
#define TOKENIZER "the tokenizer's; the tokens are those that are given"
#define FORMAT "the format that an execution may convert to; the numbers are the stored ones"
#define SUMMARY "of the heads for multiple choice, which are not evaluated"
#define OLD_POOLER "of a pooler that no model class has"
#define UNUSED_POOLER "of a pooler that the classifier does not read"
#define IMAGE "of the patches; hidden states are given"
#define CROSS "attention to a second model's states is not evaluated"
#define OTHER_FORM "the other form is not evaluated"

const config_key config_key_table[] = {
    /* ---- read ---- */
    READ("model_type", 0),
    READ("tie_word_embeddings", 0),
    READ("architectures", 0),
    READ("problem_type", 0),
    READ("num_labels", 0),
    READ("id2label", 0),
    READ("pad_token_id", 0),
    READ("is_decoder", F(BERT) | F(ROBERTA) | F(ELECTRA)),
    READ("num_hidden_groups", F(ALBERT)),
    READ("qkv_bias", IMAGES),
    READ("attention_types", F(GPT_NEO)),
    READ("attention_layers", F(GPT_NEO)),
    READ("window_size", F(GPT_NEO)),

    /* ---- one value leaves the function as it is ---- */
    UNSET("quantization_config", 0, "stored numbers stand for others, which are not computed"),
    UNSET("quantization", 0, "stored numbers stand for others, which are not computed"),
    UNSET("compression_config", 0, "stored numbers stand for others, which are not computed"),
    UNSET("auto_map", 0, "code that comes with the model computes another function"),
    HELD("adapters", 0, "{}", "adapters are not evaluated"),
    HELD("pruned_heads", 0, "{}", "layers with fewer heads are not evaluated"),
    HELD("position_embedding_type", 0, "\"absolute\"", "relative positions are not evaluated"),
    HELD("add_cross_attention", 0, "false", CROSS),
    HELD("is_encoder_decoder", 0, "false", CROSS),
    UNSET("cross_attention_hidden_size", 0, CROSS),
    HELD("tie_encoder_decoder", 0, "false", CROSS),
    HELD("is_decoder", F(ALBERT) | F(DISTILBERT) | IMAGES, "false", "its class has no decoder"),
    HELD("scale_attn_weights", F(GPT2), "true", OTHER_FORM),
    HELD("scale_attn_by_inverse_layer_idx", F(GPT2), "false", OTHER_FORM),
    HELD("do_layer_norm_before", F(OPT), "true", OTHER_FORM),
    HELD("_remove_final_layer_norm", F(OPT), "false", OTHER_FORM),
    HELD("enable_bias", F(OPT), "true", OTHER_FORM),
    HELD("layer_norm_elementwise_affine", F(OPT), "true", OTHER_FORM),
    HELD("inner_group_num", F(ALBERT), "1", OTHER_FORM),
    HELD("down_scale_factor", F(ALBERT), "1", OTHER_FORM),
    HELD("gap_size", F(ALBERT), "0", OTHER_FORM),
    HELD("net_structure_type", F(ALBERT), "0", OTHER_FORM),
    HELD("num_memory_blocks", F(ALBERT), "0", OTHER_FORM),
    HELD("layers_to_keep", F(ALBERT), "[]", OTHER_FORM),
    HELD("directionality", F(BERT), "\"bidi\"", OTHER_FORM),
    HELD("pooler_type", F(BERT), "\"first_token_transform\"", OTHER_FORM),

    /* ---- no effect, in all families ---- */
    FREE("_name_or_path", 0, RECORD),
    FREE("name_or_path", 0, RECORD),
    FREE("_commit_hash", 0, RECORD),
    FREE("transformers_version", 0, RECORD),
    FREE("finetuning_task", 0, RECORD),
    FREE("base_model", 0, RECORD),
    FREE("language", 0, RECORD),
    FREE("name", 0, RECORD),
    FREE("label2id", 0, "the inverse of id2label"),
    FREE("_num_labels", 0, "an old form of num_labels; labels are counted in id2label and in the classifier"),
    FREE("tokenizer_class", 0, TOKENIZER),
    FREE("prefix", 0, TOKENIZER),
    FREE("bos_token_id", 0, TOKEN),
    FREE("eos_token_id", 0, TOKEN),
    FREE("sep_token_id", 0, TOKEN),
    FREE("cls_token_id", 0, TOKEN),
    FREE("mask_token_id", 0, TOKEN),
    FREE("unk_token_id", 0, TOKEN),
    FREE("decoder_start_token_id", 0, TOKEN),
    FREE("torch_dtype", 0, FORMAT),
    FREE("dtype", 0, FORMAT),
    FREE("use_bfloat16", 0, FORMAT),
    FREE("reorder_and_upcast_attn", F(GPT2), FORMAT),
    FREE("_attn_implementation", 0, "which code computes the same attention"),
    FREE("_attn_implementation_autoset", 0, "which code computes the same attention"),
    FREE("_attn_implementation_internal", 0, "which code computes the same attention"),
    FREE("chunk_size_feed_forward", 0, "the feed-forward part is that of each token alone, in chunks or not"),
    FREE("use_cache", 0, RETURNED),
    FREE("return_dict", 0, RETURNED),
    FREE("use_return_dict", 0, RETURNED),
    FREE("output_attentions", 0, RETURNED),
    FREE("output_hidden_states", 0, RETURNED),
    FREE("output_past", 0, RETURNED),
    FREE("torchscript", 0, RETURNED),
    FREE("xla_device", 0, RETURNED),
    FREE("initializer_range", 0, TRAINING),
    FREE("initializer_factor", 0, TRAINING),
    FREE("init_std", 0, TRAINING),
    FREE("hidden_dropout_prob", 0, TRAINING),
    FREE("attention_probs_dropout_prob", 0, TRAINING),
    FREE("classifier_dropout", 0, TRAINING),
    FREE("classifier_dropout_prob", 0, TRAINING),
    FREE("dropout", 0, TRAINING),
    FREE("attention_dropout", 0, TRAINING),
    FREE("activation_dropout", 0, TRAINING),
    FREE("embd_pdrop", 0, TRAINING),
    FREE("attn_pdrop", 0, TRAINING),
    FREE("resid_pdrop", 0, TRAINING),
    FREE("embed_dropout", 0, TRAINING),
    FREE("resid_dropout", 0, TRAINING),
    FREE("qa_dropout", 0, TRAINING),
    FREE("seq_classif_dropout", 0, TRAINING),
    FREE("summary_first_dropout", 0, TRAINING),
    FREE("summary_last_dropout", 0, TRAINING),
    FREE("layerdrop", 0, TRAINING),
    FREE("drop_path_rate", 0, TRAINING),
    FREE("gradient_checkpointing", 0, TRAINING),
    FREE("tf_legacy_loss", 0, TRAINING),
    FREE("summary_activation", 0, SUMMARY),
    FREE("summary_proj_to_labels", 0, SUMMARY),
    FREE("summary_type", 0, SUMMARY),
    FREE("summary_use_proj", 0, SUMMARY),
    FREE("sentence_transformers", 0, "what another program makes of the scores"),
    FREE("transformers.js_config", 0, "how another program stores the model"),
    FREE("task_specific_params", 0, GENERATION),
    FREE("max_length", 0, GENERATION),
    FREE("min_length", 0, GENERATION),
    FREE("do_sample", 0, GENERATION),
    FREE("early_stopping", 0, GENERATION),
    FREE("num_beams", 0, GENERATION),
    FREE("num_beam_groups", 0, GENERATION),
    FREE("diversity_penalty", 0, GENERATION),
    FREE("temperature", 0, GENERATION),
    FREE("top_k", 0, GENERATION),
    FREE("top_p", 0, GENERATION),
    FREE("typical_p", 0, GENERATION),
    FREE("repetition_penalty", 0, GENERATION),
    FREE("length_penalty", 0, GENERATION),
    FREE("no_repeat_ngram_size", 0, GENERATION),
    FREE("encoder_no_repeat_ngram_size", 0, GENERATION),
    FREE("bad_words_ids", 0, GENERATION),
    FREE("num_return_sequences", 0, GENERATION),
    FREE("output_scores", 0, GENERATION),
    FREE("return_dict_in_generate", 0, GENERATION),
    FREE("forced_bos_token_id", 0, GENERATION),
    FREE("forced_eos_token_id", 0, GENERATION),
    FREE("remove_invalid_values", 0, GENERATION),
    FREE("exponential_decay_length_penalty", 0, GENERATION),
    FREE("suppress_tokens", 0, GENERATION),
    FREE("begin_suppress_tokens", 0, GENERATION),

    /* ---- no effect, in some families ---- */
    FREE("type_vocab_size", BERT_LIKE, "each token is of type 0, whose row is the stored one"),
    FREE("pooler_fc_size", F(BERT), OLD_POOLER),
    FREE("pooler_num_attention_heads", F(BERT), OLD_POOLER),
    FREE("pooler_num_fc_layers", F(BERT), OLD_POOLER),
    FREE("pooler_size_per_head", F(BERT), OLD_POOLER),
    FREE("sinusoidal_pos_embds", F(DISTILBERT), "what the position table begins training with; the stored one is read"),
    FREE("tie_weights_", F(DISTILBERT), "of the head that predicts words, which is not evaluated"),
    FREE("is_decoder", DECODERS, "its mask is causal in any case"),
    FREE("n_ctx", F(GPT2), "an old name of how many tokens fit, n_positions"),
    FREE("predict_special_tokens", F(GPT2), TOKENIZER),
    FREE("image_size", IMAGES, IMAGE),
    FREE("patch_size", IMAGES, IMAGE),
    FREE("num_channels", IMAGES, IMAGE),
    FREE("encoder_stride", IMAGES, "of the head that predicts masked patches, which is not evaluated"),
    FREE("pooler_output_size", IMAGES, UNUSED_POOLER),
    FREE("pooler_act", IMAGES, UNUSED_POOLER),
    {.key = NULL},
};
