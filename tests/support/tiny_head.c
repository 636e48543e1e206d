#include "tiny_head.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEQUENCE .token = TINY_HEAD_FIRST
#define LAST .token = TINY_HEAD_LAST, .classifier = "score", .unbiased = true
#define TOKENS .token = TINY_HEAD_ASKED, .classifier = "classifier"
#define WORDS .token = TINY_HEAD_LAST
#define UNTIED                                                                                      \
  .token = TINY_HEAD_LAST, .classifier = "lm_head", .unbiased = true, .classes = TINY_HEAD_CLASSES, \
  .keys = "\"tie_word_embeddings\": false, "
#define POOLED .map = "pooler.dense", .curve = tanhl, .classifier = "classifier"
#define MODERN(f) \
  .final_norm = "final_norm", .map = "head.dense", .curve = (f), .norm = "head.norm", .classifier = "classifier"
#define DENSE(f) .map = "classifier.dense", .curve = (f), .classifier = "classifier.out_proj"

#define MASKED(dense, f, ln, b) .token = TINY_HEAD_ASKED, .map = (dense), .curve = (f), .norm = (ln), .bias = (b)
#define LM_HEAD MASKED("lm_head.dense", reference_gelu, "lm_head.layer_norm", "lm_head.bias")
#define MODERN_WORDS(f, b) .final_norm = "final_norm", MASKED("head.dense", (f), "head.norm", (b))
#define NOMIC_WORDS(b) MASKED("cls.predictions.transform.dense", NULL, "cls.predictions.transform.layer_norm", (b))
#define BERT_WORDS(b) MASKED("cls.predictions.transform.dense", NULL, "cls.predictions.transform.LayerNorm", (b))

const tiny_head tiny_heads[] = {
    {"bert", "BertForSequenceClassification", SEQUENCE, POOLED},
    {"bert", "BertForTokenClassification", TOKENS},
    {"bert", "BertForTokenClassification", TOKENS, .unused = "pooler.dense"},
    {"roberta", "RobertaForSequenceClassification", SEQUENCE, DENSE(tanhl)},
    {"roberta", "XLMRobertaForSequenceClassification", SEQUENCE, DENSE(tanhl)},
    {"roberta", "CamembertForSequenceClassification", SEQUENCE, DENSE(tanhl)},
    {"roberta", "RobertaForTokenClassification", TOKENS},
    {"roberta", "XLMRobertaForTokenClassification", TOKENS},
    {"roberta", "CamembertForTokenClassification", TOKENS},
    {"electra", "ElectraForSequenceClassification", SEQUENCE, DENSE(reference_gelu)},
    {"electra", "ElectraForTokenClassification", TOKENS},
    {"distilbert", "DistilBertForSequenceClassification", SEQUENCE, .map = "pre_classifier", .curve = reference_relu,
     .classifier = "classifier"},
    {"distilbert", "DistilBertForTokenClassification", TOKENS},
    {"albert", "AlbertForSequenceClassification", SEQUENCE, .map = "pooler", .curve = tanhl,
     .classifier = "classifier"},
    {"albert", "AlbertForTokenClassification", TOKENS},
    {"albert", "AlbertForTokenClassification", TOKENS, .unused = "pooler"},
    {"vit", "ViTForImageClassification", SEQUENCE, .final_norm = "layernorm", .classifier = "classifier"},
    {"deit", "DeiTForImageClassification", SEQUENCE, .final_norm = "layernorm", .classifier = "classifier"},
    {"gpt2", "GPT2LMHeadModel", WORDS, .final_norm = "ln_f"},
    {"gpt2", "GPT2LMHeadModel", UNTIED, .final_norm = "ln_f"},
    {"gpt2", "GPT2ForSequenceClassification", LAST, .final_norm = "ln_f"},
    {"gpt2", "GPT2ForTokenClassification", TOKENS, .final_norm = "ln_f"},
    {"gpt_neo", "GPTNeoForCausalLM", WORDS, .final_norm = "ln_f"},
    {"gpt_neo", "GPTNeoForSequenceClassification", LAST, .final_norm = "ln_f"},
    {"gpt_neo", "GPTNeoForTokenClassification", TOKENS, .final_norm = "ln_f"},
    {"opt", "OPTForCausalLM", WORDS, .final_norm = "decoder.final_layer_norm"},
    {"opt", "OPTForCausalLM", UNTIED, .final_norm = "decoder.final_layer_norm"},
    {"opt", "OPTForSequenceClassification", LAST, .final_norm = "decoder.final_layer_norm"},
    {"llama", "LlamaForCausalLM", WORDS, .final_norm = "norm"},
    {"llama", "LlamaForSequenceClassification", LAST, .final_norm = "norm"},
    {"mistral", "MistralForCausalLM", WORDS, .final_norm = "norm"},
    {"mistral", "MistralForSequenceClassification", LAST, .final_norm = "norm"},
    {"qwen2", "Qwen2ForCausalLM", WORDS, .final_norm = "norm"},
    {"qwen2", "Qwen2ForSequenceClassification", LAST, .final_norm = "norm"},
    {"qwen3", "Qwen3ForCausalLM", WORDS, .final_norm = "norm"},
    {"qwen3", "Qwen3ForSequenceClassification", LAST, .final_norm = "norm"},
    {"olmo2", "Olmo2ForCausalLM", WORDS, .final_norm = "norm"},
    {"smollm3", "SmolLM3ForCausalLM", WORDS, .final_norm = "norm"},
    {"gemma2", "Gemma2ForCausalLM", WORDS, .final_norm = "norm"},
    {"gemma2", "Gemma2ForSequenceClassification", LAST, .final_norm = "norm"},
    {"gemma3_text", "Gemma3ForCausalLM", WORDS, .final_norm = "norm"},
    {"gemma3_text", "Gemma3TextForSequenceClassification", LAST, .final_norm = "norm"},
    {"mpnet", "MPNetForSequenceClassification", SEQUENCE, DENSE(tanhl)},
    {"mpnet", "MPNetForTokenClassification", TOKENS},
    {"gpt_neox", "GPTNeoXForCausalLM", WORDS, .final_norm = "final_layer_norm"},
    {"gpt_neox", "GPTNeoXForSequenceClassification", LAST, .final_norm = "final_layer_norm"},
    {"gpt_neox", "GPTNeoXForTokenClassification", TOKENS, .final_norm = "final_layer_norm"},
    {"phi3", "Phi3ForCausalLM", WORDS, .final_norm = "norm"},
    {"phi3", "Phi3ForTokenClassification", TOKENS, .final_norm = "norm"},
    {"bloom", "BloomForCausalLM", WORDS, .final_norm = "ln_f"},
    {"bloom", "BloomForSequenceClassification", LAST, .final_norm = "ln_f"},
    {"bloom", "BloomForTokenClassification", TOKENS, .final_norm = "ln_f"},
    {"mpt", "MptForCausalLM", WORDS, .final_norm = "norm_f"},
    {"mpt", "MptForSequenceClassification", LAST, .final_norm = "norm_f"},
    {"modernbert", "ModernBertForSequenceClassification", SEQUENCE, MODERN(reference_gelu), .map_unbiased = true},
    {"modernbert", "ModernBertForSequenceClassification", SEQUENCE, MODERN(reference_relu),
     .keys = "\"classifier_activation\": \"relu\", \"classifier_bias\": true, "},
    {"modernbert", "ModernBertForSequenceClassification", SEQUENCE, MODERN(reference_gelu), .map_unbiased = true,
     .mean = true, .keys = "\"classifier_pooling\": \"mean\", "},
    {"modernbert", "ModernBertForTokenClassification", .token = TINY_HEAD_ASKED, MODERN(reference_silu),
     .map_unbiased = true, .keys = "\"classifier_activation\": \"silu\", \"classifier_pooling\": \"mean\", "},
    {"dinov2", "Dinov2ForImageClassification", SEQUENCE, .final_norm = "layernorm", .mean = true, .joined = true,
     .from = 1, .classifier = "classifier"},
    {"t5", "T5ForTokenClassification", TOKENS, .final_norm = "encoder.final_layer_norm"},
    {"t5", "MT5ForTokenClassification", TOKENS, .final_norm = "encoder.final_layer_norm"},
    {"umt5", "UMT5ForTokenClassification", TOKENS, .final_norm = "encoder.final_layer_norm"},
    {"nomic_bert", "NomicBertForSequenceClassification", SEQUENCE, POOLED},
    {"deberta-v2", "DebertaV2ForSequenceClassification", SEQUENCE, .map = "pooler.dense", .curve = reference_gelu,
     .classifier = "classifier"},
    {"deberta-v2", "DebertaV2ForTokenClassification", TOKENS},
    {"bert", "BertForMaskedLM", BERT_WORDS("cls.predictions.bias")},
    {"bert", "BertForMaskedLM", BERT_WORDS("cls.predictions.decoder.bias"), .unused = "cls.seq_relationship"},
    {"roberta", "RobertaForMaskedLM", LM_HEAD},
    {"roberta", "XLMRobertaForMaskedLM", LM_HEAD},
    {"roberta", "CamembertForMaskedLM", LM_HEAD},
    {"mpnet", "MPNetForMaskedLM", LM_HEAD},
    {"distilbert", "DistilBertForMaskedLM",
     MASKED("vocab_transform", NULL, "vocab_layer_norm", "vocab_projector.bias")},
    {"electra", "ElectraForMaskedLM",
     MASKED("generator_predictions.dense", reference_gelu, "generator_predictions.LayerNorm",
            "generator_lm_head.bias")},
    {"albert", "AlbertForMaskedLM", MASKED("predictions.dense", NULL, "predictions.LayerNorm", "predictions.bias")},
    {"modernbert", "ModernBertForMaskedLM", MODERN_WORDS(reference_gelu, "decoder.bias"), .map_unbiased = true},
    {"modernbert", "ModernBertForMaskedLM", MODERN_WORDS(reference_silu, NULL),
     .keys = "\"classifier_activation\": \"silu\", \"classifier_bias\": true, \"decoder_bias\": false, "},
    {"deberta-v2", "DebertaV2ForMaskedLM", BERT_WORDS("cls.predictions.bias")},
    {"deberta-v2", "DebertaV2ForMaskedLM", BERT_WORDS("cls.predictions.decoder.bias"), .keys = "\"legacy\": true, "},
    {"nomic_bert", "NomicBertForMaskedLM", NOMIC_WORDS("cls.predictions.decoder.bias"),
     .unless = "\"mlp_fc1_bias\": false"},
    {.type = NULL},
};

static bool stores(const tensor_list *tensors, const char *name) {
  for (size_t i = 0; i < tensors->count; i++) {
    if (strcmp(tensors->tensor[i].name, name) == 0) return true;
  }
  return false;
}

/* NAME.weight, rows x cols (cols = 0: a vector), and NAME.bias. */
static void add_map(tensor_list *tensors, const char *name, int rows, int cols, bool biased, random_source *r) {
  char full[96];
  snprintf(full, sizeof full, "%s.weight", name);
  if (stores(tensors, full)) return;
  const size_t count = (size_t)rows * (size_t)(cols > 0 ? cols : 1);
  double *const data = tensor_list_add(tensors, full, rows, cols);
  random_fill_gaussian(data, count, 0.7, r);
  for (size_t i = 0; i < count; i++) data[i] = ldexp(trunc(ldexp(data[i], 40)), -40); /* 1 + data[i] is a double */
  snprintf(full, sizeof full, "%s.bias", name);
  if (biased) random_fill_gaussian(tensor_list_add(tensors, full, rows, 0), (size_t)rows, 0.7, r);
}

static int classes_of(const tiny_head *head) {
  if (head->classes > 0) return head->classes;
  return head->classifier != NULL ? TINY_HEAD_LABELS : TINY_HEAD_CLASSES;
}

static bool norms_unbiased(const tiny_body *body) {
  return body->relative != NULL && body->relative->norms_unbiased;
}

static bool lacks_biases(const tiny_head *head, const tiny_body *body) {
  return head->unless != NULL && strstr(body->config, head->unless) != NULL;
}

static bool map_biased(const tiny_head *head, const tiny_body *body) {
  return !head->map_unbiased && !lacks_biases(head, body);
}

/* The name of the bias of words' scores; NULL: none. */
static const char *words_bias(const tiny_head *head, const tiny_body *body) {
  return lacks_biases(head, body) ? NULL : head->bias;
}

/* Entries of a row of the word table, which a head of words has behind its map. */
static int width_of(const tiny_head *head, const tiny_body *body) {
  return head->bias != NULL && body->relative != NULL ? body->relative->embedding_dim : body->dim;
}

void tiny_head_add(tiny_body *body, const tiny_head *head, random_source *r) {
  const int d = body->dim, e = width_of(head, body);
  if (head->final_norm != NULL) add_map(&body->tensors, head->final_norm, d, 0, true, r);
  if (head->map != NULL) add_map(&body->tensors, head->map, e, d, map_biased(head, body), r);
  if (words_bias(head, body) != NULL)
    random_fill_gaussian(tensor_list_add(&body->tensors, head->bias, TINY_HEAD_CLASSES, 0), TINY_HEAD_CLASSES, 0.7, r);
  if (head->norm != NULL) add_map(&body->tensors, head->norm, e, 0, !norms_unbiased(body), r);
  if (head->unused != NULL) add_map(&body->tensors, head->unused, d, d, true, r);
  if (head->classifier != NULL)
    add_map(&body->tensors, head->classifier, classes_of(head), head->joined ? 2 * d : d, !head->unbiased, r);
}

static const double *find(const tiny_body *body, const char *name, const char *suffix) {
  char full[96];
  snprintf(full, sizeof full, "%s.%s", name, suffix);
  return tensor_list_find(&body->tensors, full);
}

static affine linear(const tiny_body *body, const char *name, bool biased) {
  return (affine){find(body, name, "weight"), biased ? find(body, name, "bias") : NULL, body->dim, 1};
}

static void layer_norm(long double *x, int width, const tiny_body *body, const char *name) {
  reference_layer_norm(x, 1, width, find(body, name, "weight"), norms_unbiased(body) ? NULL : find(body, name, "bias"),
                       body->epsilon);
}

/* One token's, behind the final norm. */
static void final_state(long double *last, const long double *x, const tiny_head *head, const tiny_body *body) {
  const int d = body->dim;
  memcpy(last, x, (size_t)d * sizeof *last);
  if (head->final_norm != NULL && body->relative != NULL && body->relative->root_mean_square)
    reference_rms_norm(last, 1, d, find(body, head->final_norm, "weight"), body->relative->from_one ? 1 : 0,
                       body->epsilon);
  else if (head->final_norm != NULL)
    layer_norm(last, d, body, head->final_norm);
}

int tiny_head_scores(long double *scores, const long double *x, int n, const tiny_head *head, const tiny_body *body,
                     int token) {
  const int d = body->dim, e = width_of(head, body);
  long double last[REFERENCE_WIDTH], mapped[REFERENCE_WIDTH], mean[REFERENCE_WIDTH] = {0};
  const int first = head->mean ? head->from : token, end = head->mean ? n : token + 1;
  const int width = head->joined ? 2 * d : d, before = width - d; /* of the first token */
  for (int t = first; t < end; t++) {
    final_state(last, x + t * d, head, body);
    for (int i = 0; i < d; i++) mean[before + i] += last[i] / (end - first);
  }
  if (head->joined) final_state(mean, x, head, body);
  memcpy(last, mean, sizeof last);
  if (head->map != NULL) {
    reference_curve *const of_body = body->relative != NULL ? body->relative->curve : reference_gelu;
    reference_curve *const curve = head->curve != NULL ? head->curve : of_body;
    reference_apply(mapped, last, 1, linear(body, head->map, map_biased(head, body)), e, d);
    for (int i = 0; i < e; i++) last[i] = curve(mapped[i]);
  }
  if (head->norm != NULL) layer_norm(last, e, body, head->norm);
  const int classes = classes_of(head);
  const affine words = {head->classifier == NULL ? tensor_list_find(&body->tensors, body->words) : NULL,
                        words_bias(head, body) != NULL ? tensor_list_find(&body->tensors, head->bias) : NULL, e, 1};
  affine map = head->classifier != NULL ? linear(body, head->classifier, !head->unbiased) : words;
  map.out_stride = head->bias != NULL ? e : width;
  reference_apply(scores, last, 1, map, classes, head->bias != NULL ? e : width);
  return classes;
}
