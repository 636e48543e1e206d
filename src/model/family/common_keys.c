/* The keys that transformers writes into config.json of all models, through PretrainedConfig, and those that have no
 * effect in whichever family has them. */
#include "model/family/family.h"

/* Reasons that several rows share. */
#define QUANTIZED "stored numbers stand for others, which are not computed"
#define CROSS "attention to a second model's states is not evaluated"

const config_key common_keys[] = {
    KEY_READ("model_type tie_word_embeddings architectures problem_type num_labels id2label pad_token_id"),

    KEY_UNSET("quantization_config quantization compression_config", QUANTIZED),
    KEY_UNSET("auto_map", "code that comes with the model computes another function"),
    KEY_HELD("adapters", "{}", "adapters are not evaluated"),
    KEY_HELD("pruned_heads", "{}", "layers with fewer heads are not evaluated"),
    KEY_HELD("position_embedding_type", "\"absolute\"", "relative positions are not evaluated"),
    KEY_HELD("add_cross_attention is_encoder_decoder tie_encoder_decoder", "false", CROSS),
    KEY_UNSET("cross_attention_hidden_size", CROSS),

    KEY_FREE("_name_or_path name_or_path _commit_hash transformers_version finetuning_task base_model language name",
             "a record of where the model comes from"),
    KEY_FREE("label2id", "the inverse of id2label"),
    KEY_FREE("_num_labels", "an old form of num_labels; labels are counted in id2label and in the classifier"),
    KEY_FREE("tokenizer_class prefix", KEY_TOKENIZER),
    KEY_FREE("bos_token_id eos_token_id sep_token_id cls_token_id mask_token_id unk_token_id decoder_start_token_id",
             "a token's number; the tokens are those that are given"),
    KEY_FREE("torch_dtype dtype use_bfloat16", KEY_FORMAT),
    KEY_FREE("_attn_implementation _attn_implementation_autoset _attn_implementation_internal",
             "which code computes the same attention"),
    KEY_FREE("chunk_size_feed_forward", "the feed-forward part is that of each token alone, in chunks or not"),
    KEY_FREE("use_cache return_dict use_return_dict output_attentions output_hidden_states output_past torchscript "
             "xla_device",
             "says what is returned beside the result, or how it is stored"),
    KEY_FREE("initializer_range initializer_factor init_std hidden_dropout_prob attention_probs_dropout_prob "
             "classifier_dropout classifier_dropout_prob dropout attention_dropout activation_dropout embd_pdrop "
             "attn_pdrop resid_pdrop embed_dropout resid_dropout qa_dropout seq_classif_dropout summary_first_dropout "
             "summary_last_dropout layerdrop drop_path_rate gradient_checkpointing tf_legacy_loss",
             "dropout, initialisation and memory in training; no part of an evaluation"),
    KEY_FREE("summary_activation summary_proj_to_labels summary_type summary_use_proj",
             "of the heads for multiple choice, which are not evaluated"),
    KEY_FREE("sentence_transformers", "what another program makes of the scores"),
    KEY_FREE("transformers.js_config", "how another program stores the model"),
    KEY_FREE("task_specific_params max_length min_length do_sample early_stopping num_beams num_beam_groups "
             "diversity_penalty temperature top_k top_p typical_p repetition_penalty length_penalty "
             "no_repeat_ngram_size encoder_no_repeat_ngram_size bad_words_ids num_return_sequences output_scores "
             "return_dict_in_generate forced_bos_token_id forced_eos_token_id remove_invalid_values "
             "exponential_decay_length_penalty suppress_tokens begin_suppress_tokens",
             "generation of text picks tokens by it, after the scores"),
    KEY_END,
};
