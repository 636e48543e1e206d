/* Every key of config.json is read, known to have no effect, or refused: files as they are published load; a key that
 * nobody knows, or one whose value makes the model another function, is named. */
#include "config_text.h"
#include "temp_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define BERT_NUMBERS                                                                                            \
  "\"attention_probs_dropout_prob\": 0.1, \"hidden_act\": \"gelu\", \"hidden_dropout_prob\": 0.1, "             \
  "\"hidden_size\": 768, \"initializer_range\": 0.02, \"intermediate_size\": 3072, \"layer_norm_eps\": 1e-12, " \
  "\"max_position_embeddings\": 514, \"num_attention_heads\": 12, \"num_hidden_layers\": 12, "                  \
  "\"type_vocab_size\": 2, \"vocab_size\": 30522"
#define SUMMARY                                                                                      \
  "\"summary_activation\": null, \"summary_first_dropout\": 0.1, \"summary_proj_to_labels\": true, " \
  "\"summary_type\": \"cls_index\", \"summary_use_proj\": true"
/* What PretrainedConfig.to_dict writes for any model. */
#define WHOLE_DICT                                                                                                 \
  "\"return_dict\": true, \"output_hidden_states\": false, \"output_attentions\": false, \"torchscript\": false, " \
  "\"torch_dtype\": null, \"use_bfloat16\": false, \"tf_legacy_loss\": false, \"pruned_heads\": {}, "              \
  "\"tie_word_embeddings\": true, \"chunk_size_feed_forward\": 0, \"is_encoder_decoder\": false, "                 \
  "\"is_decoder\": false, \"cross_attention_hidden_size\": null, \"add_cross_attention\": false, "                 \
  "\"tie_encoder_decoder\": false, \"max_length\": 20, \"min_length\": 0, \"do_sample\": false, "                  \
  "\"early_stopping\": false, \"num_beams\": 1, \"num_beam_groups\": 1, \"diversity_penalty\": 0.0, "              \
  "\"temperature\": 1.0, \"top_k\": 50, \"top_p\": 1.0, \"typical_p\": 1.0, \"repetition_penalty\": 1.0, "         \
  "\"length_penalty\": 1.0, \"no_repeat_ngram_size\": 0, \"encoder_no_repeat_ngram_size\": 0, "                    \
  "\"bad_words_ids\": null, \"num_return_sequences\": 1, \"output_scores\": false, "                               \
  "\"return_dict_in_generate\": false, \"forced_bos_token_id\": null, \"forced_eos_token_id\": null, "             \
  "\"remove_invalid_values\": false, \"exponential_decay_length_penalty\": null, \"suppress_tokens\": null, "      \
  "\"begin_suppress_tokens\": null, \"architectures\": null, \"finetuning_task\": null, "                          \
  "\"id2label\": {\"0\": \"LABEL_0\", \"1\": \"LABEL_1\"}, \"label2id\": {\"LABEL_0\": 0, \"LABEL_1\": 1}, "       \
  "\"tokenizer_class\": null, \"prefix\": null, \"bos_token_id\": null, \"pad_token_id\": null, "                  \
  "\"eos_token_id\": null, \"sep_token_id\": null, \"decoder_start_token_id\": null, "                             \
  "\"task_specific_params\": null, \"problem_type\": null, \"_name_or_path\": \"\", "                              \
  "\"_attn_implementation_autoset\": false, \"transformers_version\": \"4.49.0\""

/* With the sets of keys of files on the hub. */
static const char *const published[] = {
    "{\"architectures\": [\"BertForMaskedLM\"], \"gradient_checkpointing\": false, \"model_type\": \"bert\", "
    "\"pad_token_id\": 0, \"position_embedding_type\": \"absolute\", \"transformers_version\": \"4.6.0.dev0\", "
    "\"use_cache\": true, \"classifier_dropout\": null, " BERT_NUMBERS "}",
    "{\"architectures\": [\"BertForSequenceClassification\"], \"directionality\": \"bidi\", \"_num_labels\": 5, "
    "\"finetuning_task\": \"sentiment-analysis\", \"output_past\": true, \"pad_token_id\": 0, "
    "\"pooler_fc_size\": 768, \"pooler_num_attention_heads\": 12, \"pooler_num_fc_layers\": 3, "
    "\"pooler_size_per_head\": 128, \"pooler_type\": \"first_token_transform\", \"model_type\": \"bert\", "
    "\"id2label\": {\"0\": \"1 star\"}, \"label2id\": {\"1 star\": 0}, " BERT_NUMBERS "}",
    "{\"model_type\": \"bert\", " WHOLE_DICT ", " BERT_NUMBERS "}",
    "{\"architectures\": [\"RobertaForMaskedLM\"], \"bos_token_id\": 0, \"eos_token_id\": 2, \"pad_token_id\": 1, "
    "\"model_type\": \"roberta\", " BERT_NUMBERS "}",
    "{\"architectures\": [\"XLMRobertaForMaskedLM\"], \"bos_token_id\": 0, \"eos_token_id\": 2, \"pad_token_id\": 1, "
    "\"output_past\": true, \"position_embedding_type\": \"absolute\", \"model_type\": \"xlm-roberta\", "
    "\"transformers_version\": \"4.17.0.dev0\", \"use_cache\": true, " BERT_NUMBERS "}",
    "{\"architectures\": [\"CamembertForMaskedLM\"], \"bos_token_id\": 5, \"eos_token_id\": 6, \"pad_token_id\": 1, "
    "\"output_past\": true, \"model_type\": \"camembert\", " BERT_NUMBERS "}",
    "{\"architectures\": [\"ElectraForPreTraining\"], \"embedding_size\": 768, \"model_type\": \"electra\", "
    "\"pad_token_id\": 0, \"summary_activation\": \"gelu\", \"summary_last_dropout\": 0.1, "
    "\"summary_type\": \"first\", \"summary_use_proj\": true, " BERT_NUMBERS "}",
    "{\"activation\": \"gelu\", \"architectures\": [\"DistilBertForSequenceClassification\"], "
    "\"attention_dropout\": 0.1, \"dim\": 768, \"dropout\": 0.1, \"finetuning_task\": \"sst-2\", \"hidden_dim\": 3072, "
    "\"id2label\": {\"0\": \"NEGATIVE\", \"1\": \"POSITIVE\"}, \"initializer_range\": 0.02, "
    "\"label2id\": {\"NEGATIVE\": 0, \"POSITIVE\": 1}, \"max_position_embeddings\": 512, "
    "\"model_type\": \"distilbert\", \"n_heads\": 12, \"n_layers\": 6, \"output_past\": true, \"pad_token_id\": 0, "
    "\"qa_dropout\": 0.1, \"seq_classif_dropout\": 0.2, \"sinusoidal_pos_embds\": false, \"tie_weights_\": true, "
    "\"torch_dtype\": \"float32\", \"transformers_version\": \"4.52.3\", \"vocab_size\": 30522}",
    "{\"architectures\": [\"AlbertForMaskedLM\"], \"bos_token_id\": 2, \"classifier_dropout_prob\": 0.1, "
    "\"down_scale_factor\": 1, \"embedding_size\": 128, \"eos_token_id\": 3, \"gap_size\": 0, \"inner_group_num\": 1, "
    "\"model_type\": \"albert\", \"net_structure_type\": 0, \"num_hidden_groups\": 1, \"num_memory_blocks\": 0, "
    "\"pad_token_id\": 0, \"position_embedding_type\": \"absolute\", \"layers_to_keep\": [], " BERT_NUMBERS "}",
    "{\"architectures\": [\"ViTForImageClassification\"], \"attention_probs_dropout_prob\": 0.0, "
    "\"encoder_stride\": 16, \"hidden_act\": \"gelu\", \"hidden_dropout_prob\": 0.0, \"hidden_size\": 768, "
    "\"id2label\": {\"0\": \"None\"}, \"image_size\": 224, \"initializer_range\": 0.02, \"intermediate_size\": 3072, "
    "\"label2id\": {\"None\": 0}, \"layer_norm_eps\": 1e-12, \"model_type\": \"vit\", \"num_attention_heads\": 12, "
    "\"num_channels\": 3, \"num_hidden_layers\": 12, \"patch_size\": 16, \"pooler_act\": \"tanh\", "
    "\"pooler_output_size\": 768, \"problem_type\": \"single_label_classification\", \"qkv_bias\": true, "
    "\"torch_dtype\": \"float32\", \"transformers_version\": \"4.45.2\"}",
    "{\"architectures\": [\"DeiTForImageClassificationWithTeacher\"], \"attention_probs_dropout_prob\": 0.0, "
    "\"hidden_act\": \"gelu\", \"hidden_dropout_prob\": 0.0, \"hidden_size\": 768, \"image_size\": 224, "
    "\"initializer_range\": 0.02, \"intermediate_size\": 3072, \"layer_norm_eps\": 1e-12, \"model_type\": \"deit\", "
    "\"num_attention_heads\": 12, \"num_channels\": 3, \"num_hidden_layers\": 12, \"patch_size\": 16, "
    "\"qkv_bias\": true}",
    "{\"activation_function\": \"gelu_new\", \"architectures\": [\"GPT2LMHeadModel\"], \"attn_pdrop\": 0.1, "
    "\"bos_token_id\": 50256, \"embd_pdrop\": 0.1, \"eos_token_id\": 50256, \"initializer_range\": 0.02, "
    "\"layer_norm_epsilon\": 1e-05, \"model_type\": \"gpt2\", \"n_ctx\": 1024, \"n_embd\": 768, \"n_head\": 12, "
    "\"n_inner\": null, \"n_layer\": 12, \"n_positions\": 1024, \"reorder_and_upcast_attn\": false, "
    "\"resid_pdrop\": 0.1, \"scale_attn_by_inverse_layer_idx\": false, \"scale_attn_weights\": true, " SUMMARY
    ", \"task_specific_params\": {\"text-generation\": {\"do_sample\": true, \"max_length\": 50}}, "
    "\"vocab_size\": 50257}",
    "{\"activation_function\": \"gelu_new\", \"architectures\": [\"GPTNeoForCausalLM\"], \"attention_dropout\": 0, "
    "\"attention_layers\": [\"global\", \"local\", \"global\", \"local\"], "
    "\"attention_types\": [[[\"global\", \"local\"], 2]], \"bos_token_id\": 50256, \"embed_dropout\": 0, "
    "\"eos_token_id\": 50256, \"gradient_checkpointing\": false, \"hidden_size\": 768, \"initializer_range\": 0.02, "
    "\"intermediate_size\": null, \"layer_norm_epsilon\": 1e-05, \"max_position_embeddings\": 2048, "
    "\"model_type\": \"gpt_neo\", \"num_heads\": 12, \"num_layers\": 4, \"resid_dropout\": 0, " SUMMARY
    ", \"tokenizer_class\": \"GPT2Tokenizer\", \"use_cache\": true, \"vocab_size\": 50257, \"window_size\": 256, "
    "\"classifier_dropout\": 0.1}",
    "{\"_name_or_path\": \"opt\", \"activation_dropout\": 0.0, \"activation_function\": \"relu\", "
    "\"architectures\": [\"OPTForCausalLM\"], \"attention_dropout\": 0.0, \"bos_token_id\": 2, "
    "\"do_layer_norm_before\": true, \"dropout\": 0.1, \"eos_token_id\": 2, \"ffn_dim\": 3072, \"hidden_size\": 768, "
    "\"init_std\": 0.02, \"layerdrop\": 0.0, \"max_position_embeddings\": 2048, \"model_type\": \"opt\", "
    "\"num_attention_heads\": 12, \"num_hidden_layers\": 12, \"pad_token_id\": 1, \"prefix\": \"</s>\", "
    "\"_remove_final_layer_norm\": false, \"enable_bias\": true, \"layer_norm_elementwise_affine\": true, "
    "\"dtype\": \"float16\", \"use_cache\": true, \"vocab_size\": 50272, \"word_embed_proj_dim\": 768}",
    "{\"architectures\": [\"LlamaForCausalLM\"], \"attention_bias\": false, \"hidden_size\": 2048, "
    "\"intermediate_size\": 5632, \"max_position_embeddings\": 2048, \"model_type\": \"llama\", "
    "\"num_attention_heads\": 32, \"num_hidden_layers\": 22, \"num_key_value_heads\": 4, \"pretraining_tp\": 1, "
    "\"rms_norm_eps\": 1e-05, \"rope_scaling\": null, \"rope_theta\": 10000.0, \"tie_word_embeddings\": false, "
    "\"transformers_version\": \"4.35.0\", \"vocab_size\": 32000, \"bos_token_id\": 1, \"eos_token_id\": 2, "
    "\"hidden_act\": \"silu\", \"initializer_range\": 0.02, \"use_cache\": true, \"torch_dtype\": \"bfloat16\"}",
    "{\"architectures\": [\"MistralForCausalLM\"], \"hidden_size\": 4096, \"intermediate_size\": 14336, "
    "\"max_position_embeddings\": 32768, \"model_type\": \"mistral\", \"num_attention_heads\": 32, "
    "\"num_hidden_layers\": 32, \"num_key_value_heads\": 8, \"rms_norm_eps\": 1e-05, \"rope_theta\": 10000.0, "
    "\"sliding_window\": 4096, \"tie_word_embeddings\": false, \"transformers_version\": \"4.34.0.dev0\", "
    "\"vocab_size\": 32000, \"bos_token_id\": 1, \"eos_token_id\": 2, \"hidden_act\": \"silu\", "
    "\"initializer_range\": 0.02, \"use_cache\": true, \"torch_dtype\": \"bfloat16\"}",
    "{\"architectures\": [\"Qwen2ForCausalLM\"], \"attention_dropout\": 0.0, \"hidden_size\": 896, "
    "\"intermediate_size\": 4864, \"max_position_embeddings\": 32768, \"max_window_layers\": 24, \"model_type\": "
    "\"qwen2\", \"num_attention_heads\": 14, \"num_hidden_layers\": 24, \"num_key_value_heads\": 2, "
    "\"rms_norm_eps\": 1e-06, \"rope_theta\": 1000000.0, \"sliding_window\": 32768, \"tie_word_embeddings\": "
    "true, \"transformers_version\": \"4.40.1\", \"use_mrope\": false, \"use_sliding_window\": false, "
    "\"vocab_size\": 151936, \"bos_token_id\": 1, \"eos_token_id\": 2, \"hidden_act\": \"silu\", "
    "\"initializer_range\": 0.02, \"use_cache\": true, \"torch_dtype\": \"bfloat16\"}",
    "{\"architectures\": [\"Qwen2ForCausalLM\"], \"dtype\": \"bfloat16\", \"head_dim\": 64, \"hidden_size\": 896, "
    "\"intermediate_size\": 4864, \"layer_types\": [\"full_attention\", \"full_attention\"], "
    "\"max_position_embeddings\": 32768, \"model_type\": \"qwen2\", \"num_attention_heads\": 14, "
    "\"num_hidden_layers\": 2, \"num_key_value_heads\": 2, \"rms_norm_eps\": 1e-06, \"rope_parameters\": "
    "{\"rope_theta\": 1000000.0, \"rope_type\": \"default\"}, \"tie_word_embeddings\": true, "
    "\"use_sliding_window\": false, \"vocab_size\": 151936, \"bos_token_id\": 1, \"eos_token_id\": 2, "
    "\"hidden_act\": \"silu\", \"initializer_range\": 0.02, \"use_cache\": true}",
    "{\"architectures\": [\"LlamaForCausalLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"bos_token_id\": 128000, \"eos_token_id\": 128001, \"head_dim\": 64, \"hidden_act\": \"silu\", "
    "\"hidden_size\": 2048, \"initializer_range\": 0.02, \"intermediate_size\": 8192, \"max_position_embeddings\": "
    "131072, \"mlp_bias\": false, \"model_type\": \"llama\", \"num_attention_heads\": 32, \"num_hidden_layers\": 16, "
    "\"num_key_value_heads\": 8, \"pretraining_tp\": 1, \"rms_norm_eps\": 1e-05, \"rope_scaling\": {\"factor\": 32.0, "
    "\"high_freq_factor\": 4.0, \"low_freq_factor\": 1.0, \"original_max_position_embeddings\": 8192, "
    "\"rope_type\": \"llama3\"}, \"rope_theta\": 500000.0, \"tie_word_embeddings\": true, \"torch_dtype\": "
    "\"bfloat16\", \"transformers_version\": \"4.45.0.dev0\", \"use_cache\": true, \"vocab_size\": 128256}",
    "{\"architectures\": [\"GPTNeoXForCausalLM\"], \"bos_token_id\": 0, \"eos_token_id\": 0, \"hidden_act\": \"gelu\", "
    "\"hidden_size\": 512, \"initializer_range\": 0.02, \"intermediate_size\": 2048, \"layer_norm_eps\": 1e-05, "
    "\"max_position_embeddings\": 2048, \"model_type\": \"gpt_neox\", \"num_attention_heads\": 8, "
    "\"num_hidden_layers\": 6, \"rotary_emb_base\": 10000, \"rotary_pct\": 0.25, \"tie_word_embeddings\": false, "
    "\"torch_dtype\": \"float16\", \"transformers_version\": \"4.24.0\", \"use_cache\": true, "
    "\"use_parallel_residual\": true, \"vocab_size\": 50304}",
    "{\"architectures\": [\"Phi3ForCausalLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"bos_token_id\": 1, \"embd_pdrop\": 0.0, \"eos_token_id\": 32000, \"hidden_act\": \"silu\", \"hidden_size\": "
    "3072, \"initializer_range\": 0.02, \"intermediate_size\": 8192, \"max_position_embeddings\": 4096, "
    "\"model_type\": \"phi3\", \"num_attention_heads\": 32, \"num_hidden_layers\": 32, \"num_key_value_heads\": 32, "
    "\"original_max_position_embeddings\": 4096, \"pad_token_id\": 32000, \"resid_pdrop\": 0.0, \"rms_norm_eps\": "
    "1e-05, \"rope_scaling\": null, \"rope_theta\": 10000.0, \"sliding_window\": 2047, \"tie_word_embeddings\": false, "
    "\"torch_dtype\": \"bfloat16\", \"transformers_version\": \"4.40.2\", \"use_cache\": true, \"vocab_size\": 32064}",
    "{\"_name_or_path\": \"Phi-3-vision-128k-instruct\", \"architectures\": [\"Phi3ForCausalLM\"], "
    "\"attention_dropout\": 0.0, \"bos_token_id\": 1, \"eos_token_id\": 2, \"hidden_act\": \"silu\", "
    "\"hidden_size\": 3072, \"initializer_range\": 0.02, \"intermediate_size\": 8192, \"max_position_embeddings\": "
    "131072, \"model_type\": \"phi3\", \"num_attention_heads\": 32, \"num_hidden_layers\": 32, "
    "\"num_key_value_heads\": 32, \"original_max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-05, "
    "\"rope_scaling\": {\"long_factor\": [1.0299999713897705, 1.0499999523162842, 1.0499999523162842, "
    "1.0799999237060547, 1.2299998998641968, 1.2299998998641968, 1.2999999523162842, 1.4499999284744263, "
    "1.5999999046325684, 1.6499998569488525, 1.8999998569488525, 2.859999895095825, 3.68999981880188, "
    "5.419999599456787, 5.489999771118164, 5.489999771118164, 9.09000015258789, 11.579999923706055, "
    "15.65999984741211, 15.769999504089355, 15.789999961853027, 18.360000610351562, 21.989999771118164, "
    "23.079999923706055, 30.009998321533203, 32.35000228881836, 32.590003967285156, 35.56000518798828, "
    "39.95000457763672, 53.840003967285156, 56.20000457763672, 57.95000457763672, 59.29000473022461, "
    "59.77000427246094, 59.920005798339844, 61.190006256103516, 61.96000671386719, 62.50000762939453, "
    "63.3700065612793, 63.48000717163086, 63.48000717163086, 63.66000747680664, 63.850006103515625, "
    "64.08000946044922, 64.760009765625, 64.80001068115234, 64.81001281738281, 64.81001281738281], \"short_factor\": "
    "[1.05, 1.05, 1.05, 1.1, 1.1, 1.1, 1.2500000000000002, 1.2500000000000002, 1.4000000000000004, "
    "1.4500000000000004, 1.5500000000000005, 1.8500000000000008, 1.9000000000000008, 2.000000000000001, "
    "2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, "
    "2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, "
    "2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, "
    "2.000000000000001, 2.000000000000001, 2.000000000000001, 2.1000000000000005, 2.1000000000000005, 2.2, "
    "2.3499999999999996, 2.3499999999999996, 2.3499999999999996, 2.3499999999999996, 2.3999999999999995, "
    "2.3999999999999995, 2.6499999999999986, 2.6999999999999984, 2.8999999999999977, 2.9499999999999975, "
    "3.049999999999997, 3.049999999999997, 3.049999999999997], \"type\": \"su\"}, \"rope_theta\": 10000.0, "
    "\"sliding_window\": 131072, \"tie_word_embeddings\": false, \"torch_dtype\": \"bfloat16\", "
    "\"transformers_version\": \"4.38.1\", \"use_cache\": true, \"vocab_size\": 32064}",
    "{\"_name_or_path\": \"Phi-4-mini-instruct\", \"architectures\": [\"Phi3ForCausalLM\"], \"attention_bias\": "
    "false, \"attention_dropout\": 0.0, \"bos_token_id\": 199999, \"embd_pdrop\": 0.0, \"eos_token_id\": 199999, "
    "\"full_attn_mod\": 1, \"hidden_act\": \"silu\", \"hidden_size\": 3072, \"initializer_range\": 0.02, "
    "\"intermediate_size\": 8192, \"interpolate_factor\": 1, \"lm_head_bias\": false, \"max_position_embeddings\": "
    "131072, \"mlp_bias\": false, \"model_type\": \"phi3\", \"num_attention_heads\": 24, \"num_hidden_layers\": 32, "
    "\"num_key_value_heads\": 8, \"original_max_position_embeddings\": 4096, \"pad_token_id\": 199999, "
    "\"partial_rotary_factor\": 0.75, \"resid_pdrop\": 0.0, \"rms_norm_eps\": 1e-05, \"rope_scaling\": "
    "{\"long_factor\": [1, 1.118320672, 1.250641126, 1.398617824, 1.564103225, 1.74916897, 1.956131817, 2.187582649, "
    "2.446418898, 2.735880826, 3.059592084, 3.421605075, 3.826451687, 4.279200023, 4.785517845, 5.351743533, "
    "5.984965424, 6.693110555, 7.485043894, 8.370679318, 9.36110372, 10.4687158, 11.70738129, 13.09260651, "
    "14.64173252, 16.37415215, 18.31155283, 20.47818807, 22.90118105, 25.61086418, 28.64115884, 32.03, 32.1, 32.13, "
    "32.23, 32.6, 32.61, 32.64, 32.66, 32.7, 32.71, 32.93, 32.97, 33.28, 33.49, 33.5, 44.16, 47.77], "
    "\"short_factor\": [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, "
    "1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, "
    "1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], \"type\": \"longrope\"}, \"rope_theta\": 10000.0, \"sliding_window\": "
    "262144, \"tie_word_embeddings\": true, \"torch_dtype\": \"bfloat16\", \"transformers_version\": \"4.45.0\", "
    "\"use_cache\": true, \"vocab_size\": 200064}",
    "{\"architectures\": [\"ModernBertForMaskedLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"bos_token_id\": 50281, \"classifier_activation\": \"gelu\", \"classifier_bias\": false, "
    "\"classifier_dropout\": 0.0, \"classifier_pooling\": \"mean\", \"cls_token_id\": 50281, \"decoder_bias\": true, "
    "\"deterministic_flash_attn\": false, \"embedding_dropout\": 0.0, \"eos_token_id\": 50282, "
    "\"global_attn_every_n_layers\": 3, \"global_rope_theta\": 160000.0, \"gradient_checkpointing\": false, "
    "\"hidden_activation\": \"gelu\", \"hidden_size\": 768, \"initializer_cutoff_factor\": 2.0, "
    "\"initializer_range\": 0.02, \"intermediate_size\": 1152, \"layer_norm_eps\": 1e-05, \"local_attention\": 128, "
    "\"local_rope_theta\": 10000.0, \"max_position_embeddings\": 8192, \"mlp_bias\": false, \"mlp_dropout\": 0.0, "
    "\"model_type\": \"modernbert\", \"norm_bias\": false, \"norm_eps\": 1e-05, \"num_attention_heads\": 12, "
    "\"num_hidden_layers\": 22, \"pad_token_id\": 50283, \"position_embedding_type\": \"absolute\", "
    "\"reference_compile\": null, \"repad_logits_with_grad\": false, \"sep_token_id\": 50282, "
    "\"sparse_pred_ignore_index\": -100, \"sparse_prediction\": false, \"torch_dtype\": \"float32\", "
    "\"transformers_version\": \"4.47.0.dev0\", \"vocab_size\": 50368}",
    "{\"architectures\": [\"T5ForConditionalGeneration\"], \"d_ff\": 2048, \"d_kv\": 64, \"d_model\": 512, "
    "\"decoder_start_token_id\": 0, \"dropout_rate\": 0.1, \"eos_token_id\": 1, \"initializer_factor\": 1.0, "
    "\"is_encoder_decoder\": true, \"layer_norm_epsilon\": 1e-06, \"model_type\": \"t5\", \"n_positions\": 512, "
    "\"num_heads\": 8, \"num_layers\": 6, \"output_past\": true, \"pad_token_id\": 0, "
    "\"relative_attention_num_buckets\": 32, \"task_specific_params\": {\"summarization\": {\"num_beams\": 4}}, "
    "\"vocab_size\": 32128}",
    "{\"architectures\": [\"T5EncoderModel\"], \"classifier_dropout\": 0.0, \"d_ff\": 1024, \"d_kv\": 64, "
    "\"d_model\": 512, \"decoder_start_token_id\": 0, \"dense_act_fn\": \"gelu_new\", \"dropout_rate\": 0.1, "
    "\"eos_token_id\": 1, \"feed_forward_proj\": \"gated-gelu\", \"initializer_factor\": 1.0, "
    "\"is_encoder_decoder\": true, \"is_gated_act\": true, \"layer_norm_epsilon\": 1e-06, \"model_type\": \"t5\", "
    "\"n_positions\": 512, \"num_decoder_layers\": 8, \"num_heads\": 6, \"num_layers\": 8, \"output_past\": true, "
    "\"pad_token_id\": 0, \"relative_attention_max_distance\": 128, \"relative_attention_num_buckets\": 32, "
    "\"tie_word_embeddings\": false, \"torch_dtype\": \"float32\", \"transformers_version\": \"4.23.1\", "
    "\"use_cache\": true, \"vocab_size\": 32128}",
    "{\"architectures\": [\"MT5ForConditionalGeneration\"], \"d_ff\": 1024, \"d_kv\": 64, \"d_model\": 512, "
    "\"decoder_start_token_id\": 0, \"dropout_rate\": 0.1, \"eos_token_id\": 1, \"feed_forward_proj\": "
    "\"gated-gelu\", \"initializer_factor\": 1.0, \"is_encoder_decoder\": true, \"layer_norm_epsilon\": 1e-06, "
    "\"model_type\": \"mt5\", \"num_decoder_layers\": 8, \"num_heads\": 6, \"num_layers\": 8, \"pad_token_id\": 0, "
    "\"relative_attention_num_buckets\": 32, \"tie_word_embeddings\": false, \"tokenizer_class\": "
    "\"T5Tokenizer\", \"vocab_size\": 250112}",
    "{\"architectures\": [\"UMT5ForConditionalGeneration\"], \"classifier_dropout\": 0.0, \"d_ff\": 1024, \"d_kv\": "
    "64, \"d_model\": 512, \"decoder_start_token_id\": 0, \"dense_act_fn\": \"gelu_new\", \"dropout_rate\": 0.1, "
    "\"eos_token_id\": 1, \"feed_forward_proj\": \"gated-gelu\", \"initializer_factor\": 1.0, "
    "\"is_encoder_decoder\": true, \"is_gated_act\": true, \"layer_norm_epsilon\": 1e-06, \"model_type\": \"umt5\", "
    "\"num_decoder_layers\": 8, \"num_heads\": 6, \"num_layers\": 8, \"output_past\": true, \"pad_token_id\": 0, "
    "\"relative_attention_max_distance\": 128, \"relative_attention_num_buckets\": 32, \"scalable_attention\": true, "
    "\"tie_word_embeddings\": false, \"tokenizer_class\": \"T5Tokenizer\", \"torch_dtype\": \"float32\", "
    "\"use_cache\": true, \"vocab_size\": 256384}",
    "{\"d_ff\": 2048, \"d_kv\": 64, \"d_model\": 768, \"dense_act_fn\": \"gelu_new\", \"dropout_rate\": 0.1, "
    "\"eos_token_id\": 1, \"is_gated_act\": true, \"is_decoder\": false, \"is_encoder_decoder\": true, "
    "\"layer_norm_epsilon\": 1e-06, \"model_type\": \"umt5\", \"num_heads\": 12, \"num_layers\": 12, "
    "\"pad_token_id\": 0, \"relative_attention_max_distance\": 128, \"relative_attention_num_buckets\": 32, "
    "\"scalable_attention\": true, \"tie_word_embeddings\": true, \"tokenizer_class\": \"T5Tokenizer\", "
    "\"use_cache\": true, \"vocab_size\": 256384}",
    "{\"activation_function\": \"swiglu\", \"architectures\": [\"NomicBertModel\"], \"attn_pdrop\": 0.0, \"auto_map\": "
    "{\"AutoConfig\": \"nomic-ai/nomic-bert-2048--configuration_hf_nomic_bert.NomicBertConfig\", \"AutoModel\": "
    "\"nomic-ai/nomic-bert-2048--modeling_hf_nomic_bert.NomicBertModel\"}, \"bos_token_id\": null, \"causal\": false, "
    "\"dense_seq_output\": true, \"embd_pdrop\": 0.0, \"eos_token_id\": null, \"fused_bias_fc\": true, "
    "\"fused_dropout_add_ln\": true, \"initializer_range\": 0.02, \"layer_norm_epsilon\": 1e-12, "
    "\"max_trained_positions\": 2048, \"mlp_fc1_bias\": false, \"mlp_fc2_bias\": false, \"model_type\": "
    "\"nomic_bert\", \"n_embd\": 768, \"n_head\": 12, \"n_inner\": 3072, \"n_layer\": 12, \"n_positions\": 8192, "
    "\"pad_vocab_size_multiple\": 64, \"parallel_block\": false, \"parallel_block_tied_norm\": false, \"prenorm\": "
    "false, \"qkv_proj_bias\": false, \"reorder_and_upcast_attn\": false, \"resid_pdrop\": 0.0, \"rotary_emb_base\": "
    "1000, \"rotary_emb_fraction\": 1.0, \"rotary_emb_interleaved\": false, \"rotary_emb_scale_base\": null, "
    "\"rotary_scaling_factor\": null, \"scale_attn_by_inverse_layer_idx\": false, \"scale_attn_weights\": "
    "true, " SUMMARY ", \"torch_dtype\": \"float32\", \"transformers_version\": \"4.37.2\", \"type_vocab_size\": 2, "
    "\"use_cache\": true, "
    "\"use_flash_attn\": true, \"use_rms_norm\": false, \"use_xentropy\": true, \"vocab_size\": 30528, "
    "\"hidden_size\": "
    "768, \"num_attention_heads\": 12, \"num_hidden_layers\": 12, \"intermediate_size\": 3072, \"hidden_act\": "
    "\"silu\", "
    "\"max_position_embeddings\": 2048, \"layer_norm_eps\": 1e-12, \"rope_parameters\": {\"rope_theta\": 1000.0, "
    "\"rope_type\": \"default\"}}",
    "{\"architectures\": [\"MPNetForMaskedLM\"], \"attention_probs_dropout_prob\": 0.1, \"bos_token_id\": 0, "
    "\"eos_token_id\": 2, \"hidden_act\": \"gelu\", \"hidden_dropout_prob\": 0.1, \"hidden_size\": 768, "
    "\"initializer_range\": 0.02, \"intermediate_size\": 3072, \"layer_norm_eps\": 1e-05, \"max_position_embeddings\": "
    "514, \"model_type\": \"mpnet\", \"num_attention_heads\": 12, \"num_hidden_layers\": 12, \"pad_token_id\": 1, "
    "\"relative_attention_num_buckets\": 32, \"transformers_version\": \"4.8.2\", \"vocab_size\": 30527}",
    "{\"architectures\": [\"Dinov2Model\"], \"attention_probs_dropout_prob\": 0.0, \"drop_path_rate\": 0.0, "
    "\"hidden_act\": \"gelu\", \"hidden_dropout_prob\": 0.0, \"hidden_size\": 768, \"image_size\": 518, "
    "\"initializer_range\": 0.02, \"layer_norm_eps\": 1e-06, \"layerscale_value\": 1.0, \"mlp_ratio\": 4, "
    "\"model_type\": \"dinov2\", \"num_attention_heads\": 12, \"num_channels\": 3, \"num_hidden_layers\": 12, "
    "\"patch_size\": 14, \"qkv_bias\": true, \"torch_dtype\": \"float32\", \"transformers_version\": "
    "\"4.31.0.dev0\", \"use_swiglu_ffn\": false}",
    "{\"apply_layernorm\": true, \"architectures\": [\"Dinov2WithRegistersModel\"], \"attention_probs_dropout_prob\": "
    "0.0, \"drop_path_rate\": 0.0, \"hidden_act\": \"gelu\", \"hidden_dropout_prob\": 0.0, \"hidden_size\": 384, "
    "\"image_size\": 518, \"initializer_range\": 0.02, \"layer_norm_eps\": 1e-06, \"layerscale_value\": 1.0, "
    "\"mlp_ratio\": 4, \"model_type\": \"dinov2_with_registers\", \"num_attention_heads\": 6, \"num_channels\": 3, "
    "\"num_hidden_layers\": 12, \"num_register_tokens\": 4, \"out_features\": [\"stage12\"], \"out_indices\": [12], "
    "\"patch_size\": 14, \"qkv_bias\": true, \"reshape_hidden_states\": true, \"stage_names\": [\"stem\", "
    "\"stage1\"], \"torch_dtype\": \"float32\", \"transformers_version\": \"4.48.0.dev0\", \"use_swiglu_ffn\": false}",
    "{\"architectures\": [\"Qwen3ForCausalLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"bos_token_id\": 151643, \"eos_token_id\": 151645, \"head_dim\": 128, \"hidden_act\": \"silu\", "
    "\"hidden_size\": 1024, \"initializer_range\": 0.02, \"intermediate_size\": 3072, \"max_position_embeddings\": "
    "40960, \"max_window_layers\": 28, \"model_type\": \"qwen3\", \"num_attention_heads\": 16, "
    "\"num_hidden_layers\": 28, \"num_key_value_heads\": 8, \"rms_norm_eps\": 1e-06, \"rope_scaling\": null, "
    "\"rope_theta\": 1000000, \"sliding_window\": null, \"tie_word_embeddings\": true, \"torch_dtype\": \"bfloat16\", "
    "\"transformers_version\": \"4.51.0\", \"use_cache\": true, \"use_sliding_window\": false, \"vocab_size\": 151936}",
    "{\"model_type\": \"deberta-v2\", \"attention_probs_dropout_prob\": 0.1, \"hidden_act\": \"gelu\", "
    "\"hidden_dropout_prob\": 0.1, \"hidden_size\": 768, \"initializer_range\": 0.02, \"intermediate_size\": 3072, "
    "\"max_position_embeddings\": 512, \"relative_attention\": true, \"position_buckets\": 256, \"norm_rel_ebd\": "
    "\"layer_norm\", \"share_att_key\": true, \"pos_att_type\": \"p2c|c2p\", \"layer_norm_eps\": 1e-7, "
    "\"max_relative_positions\": -1, \"position_biased_input\": false, \"num_attention_heads\": 12, "
    "\"num_hidden_layers\": 12, \"type_vocab_size\": 0, \"vocab_size\": 128100}",
    "{\"architectures\": [\"DebertaV2ForSequenceClassification\"], \"attention_probs_dropout_prob\": 0.1, "
    "\"hidden_act\": \"gelu\", \"hidden_dropout_prob\": 0.1, \"hidden_size\": 768, \"id2label\": {\"0\": "
    "\"entailment\", \"1\": \"neutral\", \"2\": \"contradiction\"}, \"initializer_range\": 0.02, "
    "\"intermediate_size\": 3072, \"label2id\": {\"contradiction\": 2, \"entailment\": 0, \"neutral\": 1}, "
    "\"layer_norm_eps\": 1e-07, \"legacy\": true, \"max_position_embeddings\": 512, \"max_relative_positions\": -1, "
    "\"model_type\": \"deberta-v2\", \"norm_rel_ebd\": \"layer_norm\", \"num_attention_heads\": 12, "
    "\"num_hidden_layers\": 12, \"pad_token_id\": 0, \"pooler_dropout\": 0, \"pooler_hidden_act\": \"gelu\", "
    "\"pooler_hidden_size\": 768, \"pos_att_type\": [\"p2c\", \"c2p\"], \"position_biased_input\": false, "
    "\"position_buckets\": 256, \"relative_attention\": true, \"share_att_key\": true, \"torch_dtype\": "
    "\"float32\", \"transformers_version\": \"4.26.0\", \"type_vocab_size\": 0, \"vocab_size\": 128100}",
    "{\"architectures\": [\"Olmo2ForCausalLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"eos_token_id\": 100257, \"hidden_act\": \"silu\", \"hidden_size\": 2048, \"initializer_range\": 0.02, "
    "\"intermediate_size\": 8192, \"max_position_embeddings\": 4096, \"model_type\": \"olmo2\", "
    "\"num_attention_heads\": 16, \"num_hidden_layers\": 16, \"num_key_value_heads\": 16, \"pad_token_id\": 100277, "
    "\"rms_norm_eps\": 1e-06, \"rope_scaling\": null, \"rope_theta\": 500000, \"tie_word_embeddings\": false, "
    "\"torch_dtype\": \"float32\", \"transformers_version\": \"4.47.0\", \"use_cache\": false, \"vocab_size\": 100352}",
    "{\"architectures\": [\"SmolLM3ForCausalLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"bos_token_id\": 128000, \"eos_token_id\": 128012, \"hidden_act\": \"silu\", \"hidden_size\": 2048, "
    "\"initializer_range\": 0.02, \"intermediate_size\": 11008, \"layer_types\": [\"full_attention\", "
    "\"full_attention\", \"full_attention\", \"full_attention\"], \"max_position_embeddings\": 65536, "
    "\"max_window_layers\": 28, \"mlp_bias\": false, \"model_type\": \"smollm3\", \"no_rope_layer_interval\": 4, "
    "\"no_rope_layers\": [1, 1, 1, 0], \"num_attention_heads\": 16, \"num_hidden_layers\": 4, "
    "\"num_key_value_heads\": 4, \"pad_token_id\": 128004, \"pretraining_tp\": 2, \"rms_norm_eps\": 1e-06, "
    "\"rope_scaling\": null, \"rope_theta\": 5000000.0, \"sliding_window\": null, \"torch_dtype\": \"bfloat16\", "
    "\"transformers_version\": \"4.54.0.dev0\", \"use_cache\": false, \"use_sliding_window\": false, \"vocab_size\": "
    "128256}",
    "{\"architectures\": [\"Gemma2ForCausalLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"attn_logit_softcapping\": 50.0, \"bos_token_id\": 2, \"cache_implementation\": \"hybrid\", \"eos_token_id\": 1, "
    "\"final_logit_softcapping\": 30.0, \"head_dim\": 256, \"hidden_act\": \"gelu_pytorch_tanh\", "
    "\"hidden_activation\": \"gelu_pytorch_tanh\", \"hidden_size\": 2304, \"initializer_range\": 0.02, "
    "\"intermediate_size\": 9216, \"max_position_embeddings\": 8192, \"model_type\": \"gemma2\", "
    "\"num_attention_heads\": 8, \"num_hidden_layers\": 26, \"num_key_value_heads\": 4, \"pad_token_id\": 0, "
    "\"query_pre_attn_scalar\": 256, \"rms_norm_eps\": 1e-06, \"rope_theta\": 10000.0, \"sliding_window\": 4096, "
    "\"torch_dtype\": \"float32\", \"transformers_version\": \"4.42.4\", \"use_cache\": true, \"vocab_size\": 256000}",
    "{\"architectures\": [\"Gemma3ForCausalLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"attn_logit_softcapping\": null, \"bos_token_id\": 2, \"cache_implementation\": \"hybrid\", \"eos_token_id\": "
    "[1, 106], \"final_logit_softcapping\": null, \"head_dim\": 256, \"hidden_activation\": \"gelu_pytorch_tanh\", "
    "\"hidden_size\": 1152, \"initializer_range\": 0.02, \"intermediate_size\": 6912, \"max_position_embeddings\": "
    "32768, \"model_type\": \"gemma3_text\", \"num_attention_heads\": 4, \"num_hidden_layers\": 26, "
    "\"num_key_value_heads\": 1, \"pad_token_id\": 0, \"query_pre_attn_scalar\": 256, \"rms_norm_eps\": 1e-06, "
    "\"rope_local_base_freq\": 10000, \"rope_scaling\": null, \"rope_theta\": 1000000, \"sliding_window\": 512, "
    "\"sliding_window_pattern\": 6, \"torch_dtype\": \"bfloat16\", \"transformers_version\": \"4.50.0.dev0\", "
    "\"use_cache\": true, \"vocab_size\": 262144}",
    "{\"architectures\": [\"Gemma3ForCausalLM\"], \"_sliding_window_pattern\": 6, \"attention_bias\": false, "
    "\"attention_dropout\": 0.0, \"attn_logit_softcapping\": null, \"bos_token_id\": 2, \"eos_token_id\": 1, "
    "\"final_logit_softcapping\": null, \"head_dim\": 256, \"hidden_activation\": \"gelu_pytorch_tanh\", "
    "\"hidden_size\": 640, \"initializer_range\": 0.02, \"intermediate_size\": 2048, \"layer_types\": "
    "[\"sliding_attention\", \"full_attention\"], \"max_position_embeddings\": 32768, \"model_type\": "
    "\"gemma3_text\", \"num_attention_heads\": 4, \"num_hidden_layers\": 2, \"num_key_value_heads\": 1, "
    "\"pad_token_id\": 0, \"query_pre_attn_scalar\": 256, \"rms_norm_eps\": 1e-06, \"rope_local_base_freq\": 10000.0, "
    "\"rope_scaling\": null, \"rope_theta\": 1000000.0, \"sliding_window\": 512, \"torch_dtype\": \"bfloat16\", "
    "\"transformers_version\": \"4.55.0.dev0\", \"use_bidirectional_attention\": false, \"use_cache\": true, "
    "\"vocab_size\": 262144}",
    "{\"apply_residual_connection_post_layernorm\": false, \"architectures\": [\"BloomForCausalLM\"], "
    "\"attention_dropout\": 0.0, \"attention_softmax_in_fp32\": true, \"bias_dropout_fusion\": true, "
    "\"bos_token_id\": 1, \"eos_token_id\": 2, \"hidden_dropout\": 0.0, \"hidden_size\": 1024, \"initializer_range\": "
    "0.02, \"layer_norm_epsilon\": 1e-05, \"masked_softmax_fusion\": true, \"model_type\": \"bloom\", \"n_head\": 16, "
    "\"n_inner\": null, \"n_layer\": 24, \"offset_alibi\": 100, \"pad_token_id\": 3, \"pretraining_tp\": 1, "
    "\"skip_bias_add\": true, \"skip_bias_add_qkv\": false, \"slow_but_exact\": false, \"transformers_version\": "
    "\"4.26.0\", \"unk_token_id\": 0, \"use_cache\": true, \"vocab_size\": 250880}",
    "{\"architectures\": [\"MPTForCausalLM\"], \"attn_config\": {\"alibi\": true, \"alibi_bias_max\": 8, "
    "\"attn_impl\": \"torch\", \"attn_pdrop\": 0, \"attn_type\": \"multihead_attention\", \"attn_uses_sequence_id\": "
    "false, \"clip_qkv\": null, \"prefix_lm\": false, \"qk_ln\": false, \"softmax_scale\": null}, \"auto_map\": "
    "{\"AutoConfig\": \"configuration_mpt.MPTConfig\", \"AutoModelForCausalLM\": \"modeling_mpt.MPTForCausalLM\"}, "
    "\"d_model\": 4096, \"emb_pdrop\": 0, \"embedding_fraction\": 1.0, \"expansion_ratio\": 4, \"init_config\": "
    "{\"emb_init_std\": null, \"fan_mode\": \"fan_in\", \"name\": \"kaiming_normal_\"}, \"init_device\": \"cpu\", "
    "\"learned_pos_emb\": true, \"logit_scale\": null, \"max_seq_len\": 2048, \"model_type\": \"mpt\", \"n_heads\": "
    "32, \"n_layers\": 32, \"no_bias\": true, \"norm_type\": \"low_precision_layernorm\", \"resid_pdrop\": 0, "
    "\"tokenizer_name\": \"EleutherAI/gpt-neox-20b\", \"torch_dtype\": \"bfloat16\", \"transformers_version\": "
    "\"4.28.1\", \"use_cache\": false, \"verbose\": 0, \"vocab_size\": 50432}",
    "{\"_name_or_path\": \"openai/whisper-tiny\", \"activation_dropout\": 0.0, \"activation_function\": \"gelu\", "
    "\"architectures\": [\"WhisperForConditionalGeneration\"], \"attention_dropout\": 0.0, "
    "\"begin_suppress_tokens\": [220, 50257], \"bos_token_id\": 50257, \"d_model\": 384, "
    "\"decoder_attention_heads\": 6, \"decoder_ffn_dim\": 1536, \"decoder_layerdrop\": 0.0, \"decoder_layers\": "
    "4, \"decoder_start_token_id\": 50258, \"dropout\": 0.0, \"encoder_attention_heads\": 6, \"encoder_ffn_dim\": "
    "1536, \"encoder_layerdrop\": 0.0, \"encoder_layers\": 4, \"eos_token_id\": 50257, \"forced_decoder_ids\": "
    "[[1, 50259], [2, 50359], [3, 50363]], \"init_std\": 0.02, \"is_encoder_decoder\": true, \"max_length\": 448, "
    "\"max_source_positions\": 1500, \"max_target_positions\": 448, \"model_type\": \"whisper\", "
    "\"num_hidden_layers\": 4, \"num_mel_bins\": 80, \"pad_token_id\": 50257, \"scale_embedding\": false, "
    "\"suppress_tokens\": [1, 2, 7], \"torch_dtype\": \"float32\", \"transformers_version\": \"4.27.0.dev0\", "
    "\"use_cache\": true, \"vocab_size\": 51865}",
    "{\"activation_dropout\": 0.0, \"activation_function\": \"gelu\", \"apply_spec_augment\": false, "
    "\"architectures\": [\"WhisperForConditionalGeneration\"], \"attention_dropout\": 0.0, "
    "\"begin_suppress_tokens\": [220, 50257], \"bos_token_id\": 50257, \"classifier_proj_size\": 256, "
    "\"d_model\": 1280, \"decoder_attention_heads\": 20, \"decoder_ffn_dim\": 5120, \"decoder_layerdrop\": 0.0, "
    "\"decoder_layers\": 32, \"decoder_start_token_id\": 50258, \"dropout\": 0.0, \"encoder_attention_heads\": "
    "20, \"encoder_ffn_dim\": 5120, \"encoder_layerdrop\": 0.0, \"encoder_layers\": 32, \"eos_token_id\": 50257, "
    "\"init_std\": 0.02, \"is_encoder_decoder\": true, \"mask_feature_length\": 10, \"mask_feature_min_masks\": "
    "0, \"mask_feature_prob\": 0.0, \"mask_time_length\": 10, \"mask_time_min_masks\": 2, \"mask_time_prob\": "
    "0.05, \"max_length\": 448, \"max_source_positions\": 1500, \"max_target_positions\": 448, "
    "\"median_filter_width\": 7, \"model_type\": \"whisper\", \"num_hidden_layers\": 32, \"num_mel_bins\": 128, "
    "\"pad_token_id\": 50256, \"scale_embedding\": false, \"torch_dtype\": \"float16\", \"transformers_version\": "
    "\"4.43.2\", \"use_cache\": true, \"use_weighted_layer_sum\": false, \"vocab_size\": 51866}",
    "{\"architectures\": [\"GptOssForCausalLM\"], \"attention_bias\": true, \"attention_dropout\": 0.0, "
    "\"eos_token_id\": 200002, \"experts_per_token\": 4, \"head_dim\": 64, \"hidden_act\": \"silu\", \"hidden_size\": "
    "2880, \"initial_context_length\": 4096, \"initializer_range\": 0.02, \"intermediate_size\": 2880, "
    "\"layer_types\": [\"sliding_attention\", \"full_attention\"], \"max_position_embeddings\": 131072, "
    "\"model_type\": \"gpt_oss\", \"num_attention_heads\": 64, \"num_experts_per_tok\": 4, \"num_hidden_layers\": 2, "
    "\"num_key_value_heads\": 8, \"num_local_experts\": 32, \"output_router_logits\": false, \"pad_token_id\": "
    "199999, \"quantization_config\": {\"modules_to_not_convert\": [\"model.layers.*.self_attn\", "
    "\"model.layers.*.mlp.router\", \"model.embed_tokens\", \"lm_head\"], \"quant_method\": \"mxfp4\"}, "
    "\"rms_norm_eps\": 1e-05, \"rope_scaling\": {\"beta_fast\": 32.0, \"beta_slow\": 1.0, \"factor\": 32.0, "
    "\"original_max_position_embeddings\": 4096, \"rope_type\": \"yarn\", \"truncate\": false}, \"rope_theta\": "
    "150000, \"router_aux_loss_coef\": 0.9, \"sliding_window\": 128, \"swiglu_limit\": 7.0, \"tie_word_embeddings\": "
    "false, \"transformers_version\": \"4.55.0.dev0\", \"use_cache\": true, \"vocab_size\": 201088}",
    "{\"architectures\": [\"Qwen3NextForCausalLM\"], \"attention_dropout\": 0.0, \"bos_token_id\": 151643, "
    "\"decoder_sparse_step\": 1, \"eos_token_id\": 151645, \"full_attention_interval\": 4, \"head_dim\": 256, "
    "\"hidden_act\": \"silu\", \"hidden_size\": 2048, \"initializer_range\": 0.02, \"intermediate_size\": 5120, "
    "\"linear_conv_kernel_dim\": 4, \"linear_key_head_dim\": 128, \"linear_num_key_heads\": 16, "
    "\"linear_num_value_heads\": 32, \"linear_value_head_dim\": 128, \"max_position_embeddings\": 262144, "
    "\"mlp_only_layers\": [], \"model_type\": \"qwen3_next\", \"moe_intermediate_size\": 512, \"norm_topk_prob\": "
    "true, \"num_attention_heads\": 16, \"num_experts\": 512, \"num_experts_per_tok\": 10, \"num_hidden_layers\": 48, "
    "\"num_key_value_heads\": 2, \"output_router_logits\": false, \"partial_rotary_factor\": 0.25, \"rms_norm_eps\": "
    "1e-06, \"rope_scaling\": null, \"rope_theta\": 10000000, \"router_aux_loss_coef\": 0.001, "
    "\"shared_expert_intermediate_size\": 512, \"tie_word_embeddings\": false, \"torch_dtype\": \"bfloat16\", "
    "\"transformers_version\": \"4.57.0.dev0\", \"use_cache\": true, \"use_sliding_window\": false, \"vocab_size\": "
    "151936}",
    "{\"architectures\": [\"DeepseekV2ForCausalLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"auto_map\": {\"AutoConfig\": \"configuration_deepseek.DeepseekV2Config\", \"AutoModel\": "
    "\"modeling_deepseek.DeepseekV2Model\", \"AutoModelForCausalLM\": \"modeling_deepseek.DeepseekV2ForCausalLM\"}, "
    "\"aux_loss_alpha\": 0.001, \"bos_token_id\": 100000, \"eos_token_id\": 100001, \"first_k_dense_replace\": 1, "
    "\"hidden_act\": \"silu\", \"hidden_size\": 2048, \"initializer_range\": 0.02, \"intermediate_size\": 10944, "
    "\"kv_lora_rank\": 512, \"max_position_embeddings\": 163840, \"model_type\": \"deepseek_v2\", "
    "\"moe_intermediate_size\": 1408, \"moe_layer_freq\": 1, \"n_group\": 1, \"n_routed_experts\": 64, "
    "\"n_shared_experts\": 2, \"norm_topk_prob\": false, \"num_attention_heads\": 16, \"num_experts_per_tok\": 6, "
    "\"num_hidden_layers\": 27, \"num_key_value_heads\": 16, \"pretraining_tp\": 1, \"q_lora_rank\": null, "
    "\"qk_nope_head_dim\": 128, \"qk_rope_head_dim\": 64, \"rms_norm_eps\": 1e-06, \"rope_scaling\": {\"beta_fast\": "
    "32, \"beta_slow\": 1, \"factor\": 40, \"mscale\": 0.707, \"mscale_all_dim\": 0.707, "
    "\"original_max_position_embeddings\": 4096, \"type\": \"yarn\"}, \"rope_theta\": 10000, "
    "\"routed_scaling_factor\": 1.0, \"scoring_func\": \"softmax\", \"seq_aux\": true, \"tie_word_embeddings\": "
    "false, \"topk_group\": 1, \"topk_method\": \"greedy\", \"torch_dtype\": \"bfloat16\", \"transformers_version\": "
    "\"4.33.1\", \"use_cache\": true, \"v_head_dim\": 128, \"vocab_size\": 102400}",
    /* with the numbers in bfloat16 */
    "{\"architectures\": [\"DeepseekV3ForCausalLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"auto_map\": {\"AutoModel\": \"modeling_deepseek.DeepseekV3Model\"}, \"bos_token_id\": 0, \"eos_token_id\": 1, "
    "\"ep_size\": 1, \"first_k_dense_replace\": 3, \"hidden_act\": \"silu\", \"hidden_size\": 7168, "
    "\"initializer_range\": 0.02, \"intermediate_size\": 18432, \"kv_lora_rank\": 512, "
    "\"max_position_embeddings\": 163840, \"model_type\": \"deepseek_v3\", \"moe_intermediate_size\": 2048, "
    "\"moe_layer_freq\": 1, \"n_group\": 8, \"n_routed_experts\": 256, \"n_shared_experts\": 1, \"norm_topk_prob\": "
    "true, \"num_attention_heads\": 128, \"num_experts_per_tok\": 8, \"num_hidden_layers\": 61, "
    "\"num_key_value_heads\": 128, \"num_nextn_predict_layers\": 1, \"q_lora_rank\": 1536, \"qk_nope_head_dim\": 128, "
    "\"qk_rope_head_dim\": 64, \"rms_norm_eps\": 1e-06, \"rope_scaling\": {\"beta_fast\": 32, \"beta_slow\": 1, "
    "\"factor\": 40, \"mscale\": 1.0, \"mscale_all_dim\": 1.0, \"original_max_position_embeddings\": 4096, \"type\": "
    "\"yarn\"}, \"rope_theta\": 10000, \"routed_scaling_factor\": 2.5, \"scoring_func\": \"sigmoid\", "
    "\"tie_word_embeddings\": false, \"topk_group\": 4, \"topk_method\": \"noaux_tc\", \"torch_dtype\": \"bfloat16\", "
    "\"transformers_version\": \"4.33.1\", \"use_cache\": true, \"v_head_dim\": 128, \"vocab_size\": 129280}",
    "{\"architectures\": [\"DeepseekV3ForCausalLM\"], \"attention_bias\": false, \"attention_dropout\": 0.0, "
    "\"auto_map\": {\"AutoModelForCausalLM\": \"modeling_deepseek.DeepseekV3ForCausalLM\"}, \"aux_loss_alpha\": 0.001, "
    "\"bos_token_id\": 163584, \"eos_token_id\": 163585, \"first_k_dense_replace\": 1, \"hidden_act\": \"silu\", "
    "\"hidden_size\": 7168, \"initializer_range\": 0.02, \"intermediate_size\": 18432, \"kv_lora_rank\": 512, "
    "\"max_position_embeddings\": 131072, \"model_type\": \"kimi_k2\", \"moe_intermediate_size\": 2048, "
    "\"moe_layer_freq\": 1, \"n_group\": 1, \"n_routed_experts\": 384, \"n_shared_experts\": 1, \"norm_topk_prob\": "
    "true, \"num_attention_heads\": 64, \"num_experts_per_tok\": 8, \"num_hidden_layers\": 61, "
    "\"num_key_value_heads\": 64, \"num_nextn_predict_layers\": 0, \"pretraining_tp\": 1, \"q_lora_rank\": 1536, "
    "\"qk_nope_head_dim\": 128, \"qk_rope_head_dim\": 64, \"rms_norm_eps\": 1e-06, \"rope_scaling\": {\"beta_fast\": "
    "1.0, \"beta_slow\": 1.0, \"factor\": 32.0, \"mscale\": 1.0, \"mscale_all_dim\": 1.0, "
    "\"original_max_position_embeddings\": 4096, \"type\": \"yarn\"}, \"rope_theta\": 50000.0, "
    "\"routed_scaling_factor\": 2.827, \"scoring_func\": \"sigmoid\", \"seq_aux\": true, \"tie_word_embeddings\": "
    "false, \"topk_group\": 1, \"topk_method\": \"noaux_tc\", \"torch_dtype\": \"bfloat16\", \"transformers_version\": "
    "\"4.48.3\", \"use_cache\": true, \"v_head_dim\": 128, \"vocab_size\": 163840}",
    "{\"_name_or_path\": \"openai/clip-vit-large-patch14\", \"architectures\": [\"CLIPTextModel\"], "
    "\"attention_dropout\": 0.0, \"bos_token_id\": 0, \"dropout\": 0.0, \"eos_token_id\": 2, \"hidden_act\": "
    "\"quick_gelu\", \"hidden_size\": 768, \"initializer_factor\": 1.0, \"initializer_range\": 0.02, "
    "\"intermediate_size\": 3072, \"layer_norm_eps\": 1e-05, \"max_position_embeddings\": 77, \"model_type\": "
    "\"clip_text_model\", \"num_attention_heads\": 12, \"num_hidden_layers\": 12, \"pad_token_id\": 1, "
    "\"projection_dim\": 768, \"torch_dtype\": \"float32\", \"transformers_version\": \"4.22.0.dev0\", "
    "\"vocab_size\": 49408}",
    "{\"architectures\": [\"CLIPVisionModelWithProjection\"], \"attention_dropout\": 0.0, \"dropout\": 0.0, "
    "\"hidden_act\": \"gelu\", \"hidden_size\": 1280, \"image_size\": 224, \"initializer_factor\": 1.0, "
    "\"initializer_range\": 0.02, \"intermediate_size\": 5120, \"layer_norm_eps\": 1e-05, \"model_type\": "
    "\"clip_vision_model\", \"num_attention_heads\": 16, \"num_channels\": 3, \"num_hidden_layers\": 32, "
    "\"patch_size\": 14, \"projection_dim\": 1024, \"torch_dtype\": \"float16\", \"transformers_version\": "
    "\"4.28.0.dev0\"}",
    "{\"architectures\": [\"SiglipVisionModel\"], \"attention_dropout\": 0.0, \"hidden_act\": "
    "\"gelu_pytorch_tanh\", \"hidden_size\": 1152, \"image_size\": 384, \"intermediate_size\": 4304, "
    "\"layer_norm_eps\": 1e-06, \"model_type\": \"siglip_vision_model\", \"num_attention_heads\": 16, "
    "\"num_channels\": 3, \"num_hidden_layers\": 27, \"patch_size\": 14, \"torch_dtype\": \"bfloat16\", "
    "\"transformers_version\": \"4.46.0\", \"vision_use_head\": false}",
    "{\"architectures\": [\"SiglipTextModel\"], \"attention_dropout\": 0.0, \"bos_token_id\": 49406, \"dtype\": "
    "\"float32\", \"eos_token_id\": 49407, \"hidden_size\": 768, \"model_type\": \"siglip_text_model\", "
    "\"pad_token_id\": 1, \"projection_size\": 768, \"transformers_version\": \"4.57.0\", \"vocab_size\": 256000}",
};

static void published_files_are_read(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
    model_config config;
    attcert_error err = {0};
    if (config_text_read(&config, published[i], &err) != ATTCERT_OK) fail_msg("%s", err.message);
    if (strstr(published[i], config.type) == NULL) fail_msg("%s: type %s", published[i], config.type);
  }
}

/* Of both objects in CLIP's first files. */
#define CLIP_OBJECT                                                                                          \
  "\"_name_or_path\": \"\", \"add_cross_attention\": false, \"architectures\": null, "                       \
  "\"attention_dropout\": 0.0, \"bad_words_ids\": null, \"chunk_size_feed_forward\": 0, "                    \
  "\"cross_attention_hidden_size\": null, \"decoder_start_token_id\": null, \"diversity_penalty\": 0.0, "    \
  "\"do_sample\": false, \"dropout\": 0.0, \"early_stopping\": false, \"encoder_no_repeat_ngram_size\": 0, " \
  "\"finetuning_task\": null, \"forced_bos_token_id\": null, \"forced_eos_token_id\": null, "                \
  "\"hidden_act\": \"quick_gelu\", \"id2label\": {\"0\": \"LABEL_0\", \"1\": \"LABEL_1\"}, "                 \
  "\"initializer_factor\": 1.0, \"initializer_range\": 0.02, \"is_decoder\": false, "                        \
  "\"is_encoder_decoder\": false, \"label2id\": {\"LABEL_0\": 0, \"LABEL_1\": 1}, \"layer_norm_eps\": "      \
  "1e-05, \"length_penalty\": 1.0, \"max_length\": 20, \"min_length\": 0, \"no_repeat_ngram_size\": 0, "     \
  "\"num_beam_groups\": 1, \"num_beams\": 1, \"num_hidden_layers\": 12, \"num_return_sequences\": 1, "       \
  "\"output_attentions\": false, \"output_hidden_states\": false, \"output_scores\": false, \"prefix\": "    \
  "null, \"projection_dim\": 512, \"problem_type\": null, \"pruned_heads\": {}, \"remove_invalid_values\": " \
  "false, \"repetition_penalty\": 1.0, \"return_dict\": true, \"return_dict_in_generate\": false, "          \
  "\"sep_token_id\": null, \"task_specific_params\": null, \"temperature\": 1.0, \"tie_encoder_decoder\": "  \
  "false, \"tie_word_embeddings\": true, \"tokenizer_class\": null, \"top_k\": 50, \"top_p\": 1.0, "         \
  "\"torch_dtype\": null, \"torchscript\": false, \"transformers_version\": \"4.16.0.dev0\", "               \
  "\"use_bfloat16\": false"

/* Files of two towers, and what each of them is. */
static const struct {
  const char *file, *tower;
  int dim, heads, layers, hidden_dim, vocabulary, positions;
  double epsilon;
  attcert_mask mask;
} towers[] = {
#define CLIP_FILE                                                                                                      \
  "{\"_name_or_path\": \"openai/clip-vit-base-patch32\", \"architectures\": [\"CLIPModel\"], \"initializer_factor\": " \
  "1.0, \"logit_scale_init_value\": 2.6592, \"model_type\": \"clip\", \"projection_dim\": 512, \"text_config\": "      \
  "{" CLIP_OBJECT ", \"bos_token_id\": 0, \"eos_token_id\": 2, \"hidden_size\": 512, \"intermediate_size\": 2048, "    \
  "\"max_position_embeddings\": 77, \"model_type\": \"clip_text_model\", \"num_attention_heads\": 8, "                 \
  "\"pad_token_id\": 1, \"vocab_size\": 49408}, \"text_config_dict\": null, \"transformers_version\": null, "          \
  "\"vision_config\": {" CLIP_OBJECT ", \"bos_token_id\": null, \"eos_token_id\": null, \"hidden_size\": 768, "        \
  "\"image_size\": 224, \"intermediate_size\": 3072, \"model_type\": \"clip_vision_model\", "                          \
  "\"num_attention_heads\": 12, \"pad_token_id\": null, \"patch_size\": 32}, \"vision_config_dict\": null}"
    {CLIP_FILE, "text", 512, 8, 12, 2048, 49408, 77, 1e-5, ATTCERT_MASK_CAUSAL},
    {CLIP_FILE, "vision", 768, 12, 12, 3072, 0, 0, 1e-5, ATTCERT_MASK_NONE},
/* All that differs from the defaults. */
#define CLIP_SHORT                                                                                                   \
  "{\"architectures\": [\"CLIPModel\"], \"initializer_factor\": 1.0, \"logit_scale_init_value\": 2.6592, "           \
  "\"model_type\": \"clip\", \"projection_dim\": 768, \"text_config\": {\"dropout\": 0.0, \"hidden_size\": 768, "    \
  "\"intermediate_size\": 3072, \"model_type\": \"clip_text_model\", \"num_attention_heads\": 12, "                  \
  "\"projection_dim\": "                                                                                             \
  "768}, \"torch_dtype\": \"float32\", \"transformers_version\": \"4.29.2\", \"vision_config\": {\"dropout\": 0.0, " \
  "\"hidden_size\": 1024, \"intermediate_size\": 4096, \"model_type\": \"clip_vision_model\", "                      \
  "\"num_attention_heads\": 16, \"num_hidden_layers\": 24, \"patch_size\": 14, \"projection_dim\": 768}}"
    {CLIP_SHORT, "text", 768, 12, 12, 3072, 49408, 77, 1e-5, ATTCERT_MASK_CAUSAL},
    {CLIP_SHORT, "vision", 1024, 16, 24, 4096, 0, 0, 1e-5, ATTCERT_MASK_NONE},
#define SIGLIP_FILE                                                                                                    \
  "{\"architectures\": [\"SiglipModel\"], \"initializer_factor\": 1.0, \"model_type\": \"siglip\", \"text_config\": "  \
  "{\"model_type\": \"siglip_text_model\"}, \"torch_dtype\": \"float32\", \"transformers_version\": \"4.37.0.dev0\", " \
  "\"vision_config\": {\"model_type\": \"siglip_vision_model\"}}"
    {SIGLIP_FILE, "text", 768, 12, 12, 3072, 32000, 64, 1e-6, ATTCERT_MASK_NONE},
    {SIGLIP_FILE, "vision", 768, 12, 12, 3072, 0, 0, 1e-6, ATTCERT_MASK_NONE},
};

static void published_towers_are_read(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof towers / sizeof towers[0]; i++) {
    model_config c;
    attcert_error err = {0};
    if (config_text_read_tower(&c, towers[i].file, towers[i].tower, &err) != ATTCERT_OK) fail_msg("%s", err.message);
    const int found[] = {c.dim, c.heads, c.layers, c.hidden_dim, c.vocabulary, c.positions};
    const int expected[] = {towers[i].dim,        towers[i].heads,      towers[i].layers,
                            towers[i].hidden_dim, towers[i].vocabulary, towers[i].positions};
    for (size_t k = 0; k < sizeof found / sizeof found[0]; k++) {
      if (found[k] != expected[k]) fail_msg("file %zu: side %zu is %d, expected %d", i, k, found[k], expected[k]);
    }
    assert_true(c.epsilon == towers[i].epsilon);
    assert_int_equal(c.mask, towers[i].mask);
    assert_ptr_equal(c.act, activation_named(strcmp(c.type, "clip") == 0 ? "quick_gelu" : "gelu_pytorch_tanh"));
    assert_int_equal(config_text_read(&c, towers[i].file, &err), ATTCERT_INPUT);
  }
}

/* Of Qwen3.5, whose heads do not divide its dimension, and which has layers with attention and others. */
static void texts_beside_images_are_read(void **state) {
  (void)state;
  static const char file[] =
      "{\"architectures\": [\"Qwen3_5ForConditionalGeneration\"], \"image_token_id\": 248056, \"model_type\": "
      "\"qwen3_5\", \"text_config\": {\"attention_bias\": false, \"attention_dropout\": 0.0, \"attn_output_gate\": "
      "true, "
      "\"dtype\": \"bfloat16\", \"eos_token_id\": 248044, \"full_attention_interval\": 4, \"head_dim\": 256, "
      "\"hidden_act\": \"silu\", \"hidden_size\": 5120, \"initializer_range\": 0.02, \"intermediate_size\": 17408, "
      "\"linear_conv_kernel_dim\": 4, \"linear_key_head_dim\": 128, \"linear_num_key_heads\": 16, "
      "\"linear_num_value_heads\": 48, \"linear_value_head_dim\": 128, \"mamba_ssm_dtype\": \"float32\", "
      "\"max_position_embeddings\": 262144, \"mlp_only_layers\": [], \"model_type\": \"qwen3_5_text\", "
      "\"mtp_num_hidden_layers\": 1, \"mtp_use_dedicated_embeddings\": false, \"num_attention_heads\": 24, "
      "\"num_hidden_layers\": 64, \"num_key_value_heads\": 4, \"rms_norm_eps\": 1e-06, \"rope_parameters\": "
      "{\"mrope_interleaved\": true, \"mrope_section\": [11, 11, 10], \"partial_rotary_factor\": 0.25, \"rope_theta\": "
      "10000000, \"rope_type\": \"default\"}, \"use_cache\": true, \"vocab_size\": 248320}, \"tie_word_embeddings\": "
      "false, \"transformers_version\": \"5.2.0\", \"video_token_id\": 248057, \"vision_config\": {\"depth\": 27}, "
      "\"vision_end_token_id\": 248054, \"vision_start_token_id\": 248053}";
  model_config c;
  attcert_error err = {0};
  if (config_text_read_tower(&c, file, "text", &err) != ATTCERT_OK) fail_msg("%s", err.message);
  const int found[] = {c.dim, c.heads, c.key_heads, c.head_dim, c.rotary_dim, c.hidden_dim};
  const int expected[] = {5120, 24, 4, 256, 64, 17408};
  assert_memory_equal(found, expected, sizeof found);
  assert_true(c.rotary_base == 1e7);
  for (int l = 0; l < c.layers; l++) assert_int_equal(model_config_is_other(&c, l), l % 4 != 3);
  assert_int_equal(config_text_read_tower(&c, file, "vision", &err), ATTCERT_INPUT);
  assert_int_equal(config_text_read(&c, file, &err), ATTCERT_INPUT);
  static const char *const bad[] = {"\"attn_output_gate\": false", "\"num_experts\": 8", "\"mlp_only_layers\": [1]",
                                    "\"rope_scaling\": {\"rope_type\": \"default\", \"mrope_part\": 2}"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char text[512];
    snprintf(
        text, sizeof text,
        "{\"model_type\": \"qwen3_5_text\", \"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 1, "
        "\"intermediate_size\": 8, \"vocab_size\": 8, %s}",
        bad[i]);
    if (config_text_read(&c, text, &err) != ATTCERT_INPUT) fail_msg("accepted %s", bad[i]);
  }
}

/* The file of that type, with a key more; or instead of one that it has. */
static void assert_refused(const char *type, const char *item, const char *word) {
  char text[8192], name[64];
  size_t i = 0;
  snprintf(name, sizeof name, "\"model_type\": \"%s\"", type);
  while (i < sizeof published / sizeof published[0] && strstr(published[i], name) == NULL) i++;
  assert_true(i < sizeof published / sizeof published[0]);
  const char *const key_end = strchr(item + 1, '"') + 1, *const file = published[i];
  char key[64];
  snprintf(key, sizeof key, "%.*s", (int)(key_end - item), item);
  const char *const old = strstr(file, key), *const rest = old != NULL ? strchr(old, ',') : NULL;
  if (rest != NULL)
    snprintf(text, sizeof text, "%.*s%s%s", (int)(old - file), file, item, rest);
  else
    snprintf(text, sizeof text, "{%s, %s", item, file + 1);
  model_config config;
  attcert_error err = {0};
  if (config_text_read(&config, text, &err) != ATTCERT_INPUT) fail_msg("%s: accepted %s", type, item);
  if (strstr(err.message, word) == NULL || strchr(err.message, '\n') != NULL)
    fail_msg("\"%s\" does not say %s in one line", err.message, word);
}

static void another_function_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *type, *item, *word;
  } bad[] = {
      {"bert", "\"quantization_config\": {\"bits\": 4}", "key 'quantization_config' is {\"bits\": 4}, expected none"},
      {"gpt2", "\"quantization\": {\"group_size\": 64}", "stored numbers stand for others"},
      {"bert", "\"adapters\": {\"adapters\": {\"a\": 1}}", "adapters are not evaluated"},
      {"bert", "\"auto_map\": {\"AutoModel\": \"m.M\"}", "code that comes with the model"},
      {"bert", "\"pruned_heads\": {\"0\": [1]}", "expected {}"},
      {"roberta", "\"position_embedding_type\": \"relative_key\"", "expected \"absolute\""},
      {"xlm-roberta", "\"position_embedding_type\": \"relative_key_query\"", "expected \"absolute\""},
      {"albert", "\"position_embedding_type\": \"alibi\"", "expected \"absolute\""},
      {"distilbert", "\"position_embedding_type\": \"rotary\"", "expected \"absolute\""},
      {"gpt2", "\"add_cross_attention\": true", "expected false"},
      {"bert", "\"is_encoder_decoder\": true", "expected false"},
      {"albert", "\"is_decoder\": true", "expected false"},
      {"vit", "\"is_decoder\": true", "expected false"},
      {"gpt2", "\"scale_attn_weights\": false", "expected true"},
      {"gpt2", "\"scale_attn_by_inverse_layer_idx\": true", "expected false"},
      {"opt", "\"do_layer_norm_before\": false", "expected true"},
      {"opt", "\"_remove_final_layer_norm\": true", "expected false"},
      {"albert", "\"inner_group_num\": 2", "expected 1"},
      {"albert", "\"net_structure_type\": 1", "expected 0"},
      {"bert", "\"directionality\": \"uni\"", "key 'directionality'"},
      /* keys that nobody knows, and those of other families */
      {"bert", "\"softcap\": 30", "key 'softcap' is not known: it may change the function"},
      {"bert", "\"attn_logit_softcapping\": null", "key 'attn_logit_softcapping' is not known"},
      {"gpt2", "\"hidden_size\": 1024", "key 'hidden_size' is not known"},
      {"gpt2", "\"rotary_dim\": 64", "key 'rotary_dim' is not known"},
      {"bert", "\"window_size\": 256", "key 'window_size' is not known"},
      {"bert", "\"num_hidden_groups\": 2", "key 'num_hidden_groups' is not known"},
      {"distilbert", "\"layer_norm_eps\": 0.1", "key 'layer_norm_eps' is not known"},
      {"opt", "\"layer_norm_eps\": 0.1", "key 'layer_norm_eps' is not known"},
      {"roberta", "\"embedding_size\": 64", "key 'embedding_size' is not known"},
      {"vit", "\"layerscale_value\": 0.1", "key 'layerscale_value' is not known"},
      {"llama", "\"rope_scaling\": {\"rope_type\": \"llama3\"}", "has no 'factor'"},
      {"llama", "\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 0.5}", "at least 1"},
      {"llama", "\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 2.0, \"beta\": 1}", "other keys"},
      {"llama", "\"rope_scaling\": {\"type\": \"dynamic\", \"factor\": 2.0}", "how long the texts before were"},
      {"llama", "\"rope_scaling\": {\"type\": \"su\", \"factor\": 2.0}", "scaled angles"},
      {"llama", "\"rope_scaling\": {\"type\": \"linear\", \"rope_type\": \"llama3\"}", "two types"},
      {"llama", "\"rope_parameters\": {\"rope_type\": \"yarn\", \"rope_theta\": 1e4}", "has no 'factor'"},
      {"llama", "\"layer_types\": [\"chunked_attention\"]", "expected one a layer"},
      {"llama", "\"no_rope_layers\": [1, 0]", "key 'no_rope_layers' is not known"},
      {"llama", "\"partial_rotary_factor\": 0.5", "key 'partial_rotary_factor' is not known"},
      {"qwen2", "\"use_mrope\": true", "expected false"},
      {"smollm3", "\"use_sliding_window\": true", "expected false"},
      {"gemma2", "\"use_bidirectional_attention\": true", "expected false"},
      {"olmo2", "\"sliding_window\": 4096", "key 'sliding_window' is not known"},
      {"qwen3", "\"attn_logit_softcapping\": 50.0", "key 'attn_logit_softcapping' is not known"},
      {"gemma3_text", "\"rope_parameters\": {\"full_attention\": {\"rope_type\": \"default\"}}", "an object each"},
      {"gemma3_text",
       "\"rope_parameters\": {\"full_attention\": {\"rope_type\": \"default\"}, \"sliding_attention\": "
       "{\"rope_type\": \"linear\", \"factor\": 2.0}}",
       "sliding_attention are not evaluated"},
      {"gemma3_text",
       "\"rope_parameters\": {\"full_attention\": {\"rope_type\": \"default\"}, \"sliding_attention\": "
       "{\"rope_type\": \"yarn\", \"factor\": 1.0, \"attention_factor\": 2.0, \"original_max_position_embeddings\": "
       "32768}}",
       "sliding_attention are not evaluated"},
      {"gemma3_text",
       "\"rope_parameters\": {\"full_attention\": {\"rope_type\": \"default\"}, \"sliding_attention\": "
       "{\"rope_type\": \"default\", \"rope_theta\": 7.0}}",
       "'rope_local_base_freq' and"},
      {"llama", "\"rope_parameters\": {\"full_attention\": {\"rope_type\": \"default\"}}", "scaled angles"},
      {"gpt_neo", "\"scale_attn_weights\": false", "key 'scale_attn_weights' is not known"},
      {"nomic_bert", "\"prenorm\": true", "expected false"},
      {"nomic_bert", "\"causal\": true", "expected false"},
      {"nomic_bert", "\"rotary_emb_interleaved\": true", "expected false"},
      {"nomic_bert", "\"rotary_emb_scale_base\": 512", "expected none"},
      {"nomic_bert", "\"activation_function\": \"gelu_new\"", "expected swiglu, geglu or gelu"},
      {"nomic_bert", "\"activation_function\": \"geglu\"", "'hidden_act' differ"},
      {"nomic_bert", "\"mlp_fc2_bias\": true", "'mlp_fc2_bias' differ"},
      {"nomic_bert", "\"n_inner\": null", "key 'n_inner'"},
      {"nomic_bert", "\"type_vocab_size\": 0", "type_vocab_size"},
      {"nomic_bert", "\"rotary_emb_fraction\": 0.0", "rotary_emb_fraction"},
      {"nomic_bert", "\"rotary_emb_fraction\": 0.2", "rotary_emb_fraction"},
      {"nomic_bert", "\"rotary_emb_base\": 0", "rotary_emb_base"},
      {"nomic_bert", "\"rotary_emb_base\": 10000", "'rope_parameters' differ"},
      {"nomic_bert", "\"hidden_size\": 1024", "expected 768"},
      {"nomic_bert", "\"intermediate_size\": 3000", "expected 3072"},
      {"nomic_bert", "\"layer_norm_eps\": 1e-5", "'layer_norm_eps' differ"},
      {"nomic_bert", "\"num_experts\": 8", "key 'num_experts' is not known"},
      {"qwen3_next", "\"partial_rotary_factor\": 0.255", "partial_rotary_factor"},
      {"qwen3_next", "\"partial_rotary_factor\": 2", "partial_rotary_factor"},
      {"qwen3_next", "\"rope_parameters\": {\"rope_type\": \"default\", \"partial_rotary_factor\": 0.5}", "differ"},
      {"qwen3_next", "\"full_attention_interval\": 0", "full_attention_interval"},
      {"modernbert", "\"classifier_pooling\": \"max\"", "expected cls or mean"},
      {"modernbert", "\"classifier_activation\": \"tanh\"", "key 'classifier_activation' is 'tanh', expected gelu"},
      {"modernbert", "\"classifier_bias\": 1", "classifier_bias"},
      {"t5", "\"is_decoder\": true", "expected false"},
      {"t5", "\"feed_forward_proj\": \"gated-tanh\"", "key 'feed_forward_proj' is 'gated-tanh', expected gelu"},
      {"t5", "\"feed_forward_proj\": \"gated\"", "key 'feed_forward_proj' is 'gated'"},
      {"t5", "\"is_gated_act\": true", "'is_gated_act' differs"},
      {"t5", "\"dense_act_fn\": \"gelu_new\"", "'dense_act_fn' or"},
      {"mt5", "\"dense_act_fn\": \"gelu\"", "'dense_act_fn' or"},
      {"t5", "\"relative_attention_num_buckets\": 3", "relative_attention_num_buckets"},
      {"t5", "\"relative_attention_max_distance\": 8", "buckets do not depend on rounding"},
      {"t5", "\"relative_attention_max_distance\": 32", "buckets do not depend on rounding"},
      {"t5", "\"d_kv\": 1024", "8 heads of 1024 entries, expected at most 4096"},
      {"t5", "\"tie_encoder_decoder\": true", "expected false"},
      {"t5", "\"scalable_attention\": true", "key 'scalable_attention' is not known"},
      {"whisper", "\"num_hidden_layers\": 5", "key 'num_hidden_layers' is 5, expected 4 as 'encoder_layers'"},
      {"whisper", "\"is_decoder\": true", "expected false"},
      {"clip_text_model", "\"is_decoder\": true", "expected false"},
      {"clip_text_model", "\"text_config\": {}", "key 'text_config' is not known"},
      {"clip_text_model", "\"image_size\": 224", "key 'image_size' is not known"},
      {"clip_vision_model", "\"vocab_size\": 11", "key 'vocab_size' is not known"},
      {"siglip_vision_model", "\"hidden_act\": \"selu\"", "key 'hidden_act' is 'selu'"},
      {"whisper", "\"hidden_size\": 384", "key 'hidden_size' is not known"},
      {"whisper", "\"num_attention_heads\": 6", "key 'num_attention_heads' is not known"},
      {"deberta-v2", "\"conv_kernel_size\": 3", "a convolution behind the first layer"},
      {"deberta-v2", "\"relative_attention\": false", "key 'relative_attention' is not true"},
      {"deberta-v2", "\"relative_attention\": null", "key 'relative_attention' is not true"},
      {"deberta-v2", "\"position_biased_input\": true", "key 'position_biased_input' is not false"},
      {"deberta-v2", "\"position_biased_input\": null", "key 'position_biased_input' is not false"},
      {"deberta-v2", "\"type_vocab_size\": 2", "types of tokens"},
      {"deberta-v2", "\"pos_att_type\": null", "expected \"c2p\""},
      {"deberta-v2", "\"pos_att_type\": \"\"", "expected \"c2p\""},
      {"deberta-v2", "\"pos_att_type\": \"p2c|c2p|p2p\"", "expected \"c2p\""},
      {"deberta-v2", "\"pos_att_type\": \"p2c c2p\"", "expected \"c2p\""},
      {"deberta-v2", "\"pos_att_type\": [\"C2P\"]", "expected \"c2p\""},
      {"deberta-v2", "\"pos_att_type\": []", "expected \"c2p\""},
      {"deberta-v2", "\"norm_rel_ebd\": \"layer_norm|none\"", "expected layer_norm or none"},
      {"deberta-v2", "\"position_buckets\": 3", "buckets do not depend on rounding"},
      {"deberta-v2", "\"max_relative_positions\": 129", "buckets do not depend on rounding"},
      {"deberta-v2", "\"max_relative_positions\": 339", "buckets do not depend on rounding"},
      {"deberta-v2", "\"attention_head_size\": 32", "key 'attention_head_size' is 32, expected 64"},
      {"deberta-v2", "\"embedding_size\": 128", "key 'embedding_size' is 128, expected 768"},
      {"deberta-v2", "\"pooler_hidden_size\": 128", "key 'pooler_hidden_size' is 128, expected 768"},
      {"deberta-v2", "\"pooler_hidden_act\": \"tanh\"", "expected \"gelu\""},
      {"deberta-v2", "\"z_steps\": 2", "the last layer runs once"},
      {"deberta-v2", "\"is_decoder\": true", "expected false"},
      {"deberta-v2", "\"talking_head\": false", "key 'talking_head' is not known"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_refused(bad[i].type, bad[i].item, bad[i].word);
}

/* Nomic BERT is code at a place that is known; the same name in the folder may be any code. */
static void code_elsewhere_is_refused(void **state) {
  (void)state;
  static const char *const maps[] = {
      "{\"AutoModel\": \"modeling_hf_nomic_bert.NomicBertModel\"}",
      "{\"AutoModel\": \"other/nomic-bert-2048--modeling_hf_nomic_bert.NomicBertModel\"}", "{\"AutoModel\": 1}", "[]"};
  for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
    model_config config;
    attcert_error err = {0};
    char text[1024];
    snprintf(text, sizeof text,
             "{\"model_type\": \"nomic_bert\", \"n_embd\": 8, \"n_head\": 2, \"n_layer\": 1, \"n_inner\": 8, "
             "\"activation_function\": \"swiglu\", \"rotary_emb_fraction\": 1.0, \"rotary_emb_base\": 1000, "
             "\"auto_map\": %s}",
             maps[i]);
    assert_int_equal(config_text_read(&config, text, &err), ATTCERT_INPUT);
    if (strstr(err.message, "key 'auto_map'") == NULL) fail_msg("%s", err.message);
  }
}

/* Of DINOv2 the classifier's mean is that of the tokens behind the class token and the type's registers. */
static void registers_are_no_patches(void **state) {
  (void)state;
  static const struct {
    const char *keys;
    int from; /* 0: refused */
  } cases[] = {{"\"model_type\": \"dinov2\"", 1},
               {"\"model_type\": \"dinov2\", \"num_register_tokens\": 3", 1},
               {"\"model_type\": \"dinov2_with_registers\"", 5},
               {"\"model_type\": \"dinov2_with_registers\", \"num_register_tokens\": 3", 4},
               {"\"model_type\": \"dinov2_with_registers\", \"architectures\": [\"Dinov2ForImageClassification\"]", 0},
               {"\"model_type\": \"dinov2\", \"architectures\": [\"Dinov2WithRegistersModel\"]", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    model_config config;
    attcert_error err = {0};
    char text[512];
    snprintf(text, sizeof text, "{%s, \"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 1}",
             cases[i].keys);
    const attcert_status status = config_text_read(&config, text, &err);
    assert_int_equal(status, cases[i].from > 0 ? ATTCERT_OK : ATTCERT_INPUT);
    if (status != ATTCERT_OK)
      assert_non_null(strstr(err.message, "key 'architectures'"));
    else
      assert_true(config.head.mean && config.head.joined && config.head.from == cases[i].from);
  }
}

/* What the object and the file itself say of LongRoPE in a phi3, or else in a llama; refused where they differ, or
 * where versions of transformers do. */
static void angles_of_longrope_are_one_function(void **state) {
  (void)state;
#define LISTS "\"short_factor\": [1, 2], \"long_factor\": [3, 4.5]"
  static const struct {
    const char *type, *keys, *object, *word; /* NULL: accepted */
  } rows[] = {
      {"phi3", "", LISTS, NULL},
      {"phi3", "", LISTS ", \"factor\": 2, \"original_max_position_embeddings\": 4096", NULL},
      {"phi3", "", LISTS ", \"attention_factor\": null", NULL},
      {"phi3", "", LISTS ", \"factor\": 4", "versions of transformers differ"},
      {"phi3", "", LISTS ", \"original_max_position_embeddings\": 8192", "versions of transformers differ"},
      {"phi3", "\"original_max_position_embeddings\": 3,", LISTS ", \"factor\": 2730.6666666666665", "differ"},
      {"phi3", "\"original_max_position_embeddings\": 1,", LISTS, "at least 2"},
      {"phi3", "\"original_max_position_embeddings\": 0,", LISTS, "original_max_position_embeddings"},
      {"phi3", "", LISTS ", \"attention_factor\": 0", "attention_factor"},
      {"phi3", "", LISTS ", \"short_mscale\": 1.1", "other keys"},
      {"phi3", "", LISTS ", \"partial_rotary_factor\": 1", "other keys"},
      {"phi3", "", "\"short_factor\": [1, 2], \"long_factor\": [3]", "no 'long_factor', expected a list of 2"},
      {"phi3", "", "\"short_factor\": [1, 0], \"long_factor\": [3, 4]", "no 'short_factor'"},
      {"phi3", "", "\"short_factor\": [1, true], \"long_factor\": [3, 4]", "no 'short_factor'"},
      {"phi3", "\"partial_rotary_factor\": 0.5,", LISTS, "expected a list of 1 positive"},
      {"phi3", "\"head_dim\": 514,", LISTS, "257 pairs rotate, expected at most 256"},
      {"phi3", "\"rope_parameters\": {\"rope_type\": \"default\"},", LISTS,
       "'rope_scaling' and 'rope_parameters' differ"},
      {"llama", "", LISTS ", \"factor\": 2", NULL},
      {"llama", "", LISTS ", \"factor\": 2, \"original_max_position_embeddings\": 8192", NULL},
      {"llama", "", LISTS ", \"factor\": 2, \"original_max_position_embeddings\": 4096",
       "versions of transformers differ"},
      {"llama", "", LISTS, "has no 'factor'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    model_config config;
    attcert_error err = {0};
    char text[1024];
    snprintf(text, sizeof text,
             "{\"model_type\": \"%s\", \"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 1, "
             "\"intermediate_size\": 8, \"vocab_size\": 8, %s \"max_position_embeddings\": 8192, \"rope_scaling\": "
             "{\"type\": \"longrope\", %s}}",
             rows[i].type, rows[i].keys, rows[i].object);
    const attcert_status status = config_text_read(&config, text, &err);
    if (status != (rows[i].word == NULL ? ATTCERT_OK : ATTCERT_INPUT)) fail_msg("%s: %s", rows[i].object, err.message);
    if (rows[i].word != NULL && strstr(err.message, rows[i].word) == NULL)
      fail_msg("\"%s\" does not say %s", err.message, rows[i].word);
  }
}

static void refuse_text(const char *text, const char *word) {
  model_config config;
  attcert_error err = {0};
  if (config_text_read(&config, text, &err) != ATTCERT_INPUT) fail_msg("accepted %s", text);
  if (strstr(err.message, word) == NULL) fail_msg("\"%s\" does not say %s", err.message, word);
}

/* Angles of a phi3 are LongRoPE's alone, and how many tokens fit has to be there; a part of each head is one number. */
static void other_angles_of_these_keys_are_refused(void **state) {
  (void)state;
#define SMALL                                                                                            \
  "\"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 1, \"intermediate_size\": 8, " \
  "\"vocab_size\": 8, "
  static const char *const types[] = {"yarn", "linear", "llama3", "dynamic"};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "{\"model_type\": \"phi3\", " SMALL "\"rope_scaling\": {\"type\": \"%s\", \"factor\": 1.0, "
             "\"original_max_position_embeddings\": 4096}}",
             types[i]);
    refuse_text(text, "expected default or longrope");
  }
  refuse_text("{\"model_type\": \"phi3\", " SMALL "\"rope_scaling\": {\"type\": \"longrope\", " LISTS "}}",
              "key 'max_position_embeddings' is missing");
  refuse_text("{\"model_type\": \"phi3\", " SMALL
              "\"partial_rotary_factor\": 0.5, \"rope_parameters\": {\"rope_type\": "
              "\"default\", \"partial_rotary_factor\": 1.0}}",
              "'partial_rotary_factor' and 'rope_parameters' differ");
  refuse_text("{\"model_type\": \"llama\", " SMALL "\"rope_parameters\": {\"rope_type\": \"default\", "
              "\"partial_rotary_factor\": 0.5}}",
              "a part rotates are not evaluated");
  refuse_text("{\"model_type\": \"qwen3_next\", " SMALL "\"rope_parameters\": {\"rope_type\": \"default\", "
              "\"partial_rotary_factor\": 0.5}}",
              "'partial_rotary_factor' and 'rope_parameters' differ");
  refuse_text("{\"model_type\": \"qwen3_next\", " SMALL "\"rope_parameters\": {\"rope_type\": \"default\", "
              "\"mrope_section\": [1, 1, 0]}}",
              "other keys");
  refuse_text("{\"model_type\": \"llama\", " SMALL "\"max_position_embeddings\": 16, \"rope_parameters\": "
              "{\"rope_type\": \"yarn\", \"factor\": 2, \"original_max_position_embeddings\": 8, \"mscale\": 1, "
              "\"mscale_all_dim\": 1}}",
              "other keys");
  refuse_text("{\"model_type\": \"llama\", " SMALL "\"rope_parameters\": {\"rope_type\": \"default\", "
              "\"partial_rotary_factor\": null}}",
              "partial_rotary_factor");
}

static void others_are_counted(void **state) {
  (void)state;
  model_config config;
  attcert_error err = {0};
  char text[1024];
  snprintf(text, sizeof text, "{\"one\": 1, \"two\": 2, \"three\": 3, \"model_type\": \"bert\", %s}", BERT_NUMBERS);
  assert_int_equal(config_text_read(&config, text, &err), ATTCERT_INPUT);
  assert_non_null(strstr(err.message, "key 'one' is not known (as are 2 others)"));
}

static void each_key_has_its_reason(void **state) {
  (void)state;
  model_config config;
  attcert_error err = {0};
  assert_int_equal(config_text_read(&config, published[0], &err), ATTCERT_OK);
  assert_null(model_config_key_why(&config, "hidden_size"));
  assert_null(model_config_key_why(&config, "layer_norm_eps"));
  assert_null(model_config_key_why(&config, "architectures"));
  assert_non_null(strstr(model_config_key_why(&config, "hidden_dropout_prob"), "training"));
  assert_null(model_config_key_why(&config, "position_embedding_type"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_files_are_read),
      cmocka_unit_test(published_towers_are_read),
      cmocka_unit_test(another_function_is_refused),
      cmocka_unit_test(texts_beside_images_are_read),
      cmocka_unit_test(others_are_counted),
      cmocka_unit_test(code_elsewhere_is_refused),
      cmocka_unit_test(each_key_has_its_reason),
      cmocka_unit_test(registers_are_no_patches),
      cmocka_unit_test(published_files_are_read),
      cmocka_unit_test(published_towers_are_read),
      cmocka_unit_test(another_function_is_refused),
      cmocka_unit_test(others_are_counted),
      cmocka_unit_test(code_elsewhere_is_refused),
      cmocka_unit_test(each_key_has_its_reason),
      cmocka_unit_test(angles_of_longrope_are_one_function),
      cmocka_unit_test(other_angles_of_these_keys_are_refused),
  };
  return cmocka_run_group_tests_name("config_keys", tests, temp_folder_set_up, temp_folder_tear_down);
}
