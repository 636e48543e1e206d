/* DeBERTa, second and third version: BERT without positions of its own, whose queries and keys are shifted by their
 * distance. P. He et al., DeBERTa: decoding-enhanced BERT with disentangled attention, ICLR 2021; DeBERTaV3, 2023. */
#include "model/family/bert/bert_like.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { POSITIONS_USUAL = 512 };

#define NO_POSITIONS "positions are not added to words: no effect"

/* A number that the file may say once more. */
static attcert_status check_same(const json_file *file, const char *key, int expected, attcert_error *err) {
  int value = expected;
  const attcert_status status = json_file_optional_int(&value, file, key, 1, INT_MAX, err);
  if (status != ATTCERT_OK || value == expected) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is %d, expected %d: another size is not evaluated", file->path,
                      key, value, expected);
}

/* Keys whose value where the file is silent is another one. */
static attcert_status check_positions(const json_file *file, attcert_error *err) {
  bool relative = false, absolute = true;
  attcert_status status = json_file_optional_bool(&relative, file, "relative_attention", err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&absolute, file, "position_biased_input", err);
  if (status != ATTCERT_OK) return status;
  if (!relative)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key 'relative_attention' is not true, expected true: %s", file->path,
                        KEY_OTHER_FORM);
  if (absolute)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key 'position_biased_input' is not false, expected false: %s",
                        file->path, KEY_OTHER_FORM);
  return ATTCERT_OK;
}

/* Whether rounding the logarithms to binary32, as transformers does, leaves every bucket below the farthest distance,
 * which is on an edge itself: places are off by less than 2^-20 (mid - 1) (1 + 1 / log(farthest / mid)). */
static bool are_clear(int buckets, int distance) {
  const int mid = buckets / 2, farthest = distance - 1;
  if (farthest <= mid) return false;
  const double whole = log((double)farthest / mid), off = 0x1p-20 * (mid - 1) * (1.0 + 1.0 / whole);
  for (int n = mid + 1; n < farthest; n++) {
    const double place = log((double)n / mid) / whole * (mid - 1);
    if (fabs(place - nearbyint(place)) <= off) return false;
  }
  return true;
}

static attcert_status read_buckets(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "position_buckets", far_key[] = "max_relative_positions";
  int buckets = -1, distance = -1;
  attcert_status status = json_file_optional_int(&buckets, file, key, -1, MODEL_DIM_MAX, err);
  if (status == ATTCERT_OK) status = json_file_optional_int(&distance, file, far_key, -1, 1 << 20, err);
  if (status != ATTCERT_OK) return status;
  config->position_shift.distance = distance >= 1 ? distance : config->positions;
  config->position_shift.buckets = buckets > 0 ? buckets : 0;
  if (buckets <= 0) return ATTCERT_OK;
  config->most_tokens = config->position_shift.distance - 1;
  if (buckets >= 4 && are_clear(buckets, config->position_shift.distance)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: keys '%s' and '%s' are %d and %d, expected numbers whose buckets do not depend on rounding",
                      file->path, key, far_key, buckets, distance);
}

/* One of the two terms, `length` bytes. False: another one. */
static bool add_term(model_config *config, const char *name, size_t length, bool any_case) {
  char text[4] = "";
  if (length != 3) return false;
  for (size_t i = 0; i < length; i++) text[i] = any_case ? (char)tolower((unsigned char)name[i]) : name[i];
  if (strcmp(text, "c2p") != 0 && strcmp(text, "p2c") != 0) return false;
  if (text[0] == 'c')
    config->position_shift.key = true;
  else
    config->position_shift.query = true;
  return true;
}

/* "p2c|c2p", also in capitals and with blanks. */
static bool add_terms(model_config *config, const char *text) {
  bool known = true;
  for (;; text++) {
    text += strspn(text, " ");
    const size_t length = strcspn(text, " |");
    known = known && add_term(config, text, length, true);
    text += length + strspn(text + length, " ");
    if (*text != '|') return known && *text == '\0';
  }
}

/* c2p: queries meet the vectors of keys. p2c: keys meet those of queries. A string, or a list of names. */
static attcert_status read_terms(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "pos_att_type";
  const json_t *const value = json_object_get(file->root, key);
  bool known = json_is_array(value) || json_is_string(value);
  if (json_is_string(value)) known = strlen(json_string_value(value)) == json_string_length(value);
  if (known && json_is_string(value)) known = add_terms(config, json_string_value(value));
  for (size_t i = 0; i < json_array_size(value); i++) {
    const json_t *const name = json_array_get(value, i);
    known = known && json_is_string(name) && add_term(config, json_string_value(name), json_string_length(name), false);
  }
  if (known && model_config_is_shifted(config)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is something else, expected \"c2p\", \"p2c\" or \"p2c|c2p\"",
                      file->path, key);
}

static attcert_status read_norm(model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "norm_rel_ebd";
  const char *name = "none";
  const attcert_status status = json_file_has(file, key) ? json_file_string(&name, file, key, err) : ATTCERT_OK;
  if (status != ATTCERT_OK) return status;
  config->position_shift.normed = strcmp(name, "layer_norm") == 0;
  if (config->position_shift.normed || strcmp(name, "none") == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is '%s', expected layer_norm or none", file->path, key, name);
}

/* Which of two heads predicts words: the other one ties its map, which is no word table, to the word table. */
static attcert_status read_words(model_config *config, const json_file *file, attcert_error *err) {
  bool legacy = true;
  const attcert_status status = json_file_optional_bool(&legacy, file, "legacy", err);
  if (!legacy) config->words.other = "key 'legacy' is false, expected true: the newer head of words is not evaluated";
  return status;
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  bool shared = false;
  attcert_status status = check_positions(file, err);
  if (status == ATTCERT_OK) status = read_buckets(config, file, err);
  if (status == ATTCERT_OK) status = read_terms(config, file, err);
  if (status == ATTCERT_OK) status = read_norm(config, file, err);
  if (status == ATTCERT_OK) status = read_words(config, file, err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&shared, file, "share_att_key", err);
  if (status == ATTCERT_OK) status = check_same(file, "attention_head_size", config->head_dim, err);
  if (status == ATTCERT_OK) status = check_same(file, "embedding_size", config->dim, err);
  if (status == ATTCERT_OK) status = check_same(file, "pooler_hidden_size", config->dim, err);
  config->position_shift.own_maps = !shared;
  config->score_scalar =
      config->head_dim * (1.0 + (config->position_shift.query ? 1.0 : 0.0) + (config->position_shift.key ? 1.0 : 0.0));
  return status;
}

static const family_head heads[] = {{"ForSequenceClassification", HEAD_SEQUENCE},
                                    {"ForTokenClassification", HEAD_TOKEN},
                                    {"ForMaskedLM", HEAD_MASKED},
                                    {"Model", HEAD_NONE},
                                    HEADS_END};

const model_family family_deberta_v2 = {
    .type = {{"deberta-v2", "DebertaV2"}},
    .heads = heads,
    .tokenizer = "DebertaV2Tokenizer",
    .keys = {BERT_KEYS, NULL, false},
    .other_keys =
        (const config_key[]){
            KEY_READ("relative_attention position_biased_input position_buckets max_relative_positions pos_att_type "
                     "norm_rel_ebd share_att_key attention_head_size embedding_size pooler_hidden_size legacy"),
            KEY_HELD("type_vocab_size", "0", "types of tokens are not evaluated"),
            KEY_HELD("conv_kernel_size", "0", "a convolution behind the first layer is not evaluated"),
            KEY_FREE("conv_act conv_groups", "of a convolution, which there is none of"),
            KEY_HELD("z_steps", "0", "the last layer runs once"),
            KEY_HELD("pooler_hidden_act", "\"gelu\"", KEY_OTHER_FORM),
            KEY_NO_DECODER,
            KEY_FREE("pooler_dropout cls_dropout", "dropout in training; no part of an evaluation"),
            KEY_END,
        },
    .defaults = {.act = "gelu", .epsilon = 1e-7},
    .sides = {.positions = POSITIONS_USUAL},
    .check = check,
    .prefix = "deberta.",
    .word_table = "embeddings.word_embeddings.weight",
    .embedding_norm = "embeddings.LayerNorm",
    .blocks = "encoder.layer.",
    .attention = {"attention.self.query_proj", "attention.self.key_proj", "attention.self.value_proj",
                  "attention.output.dense", "attention.output.LayerNorm"},
    .position_shift = {"encoder.rel_embeddings.weight", "encoder.LayerNorm", "attention.self.pos_query_proj",
                       "attention.self.pos_key_proj"},
    .feed_forward = {"intermediate.dense", "output.dense", "output.LayerNorm"},
    .sequence = {.classifier = "classifier", .map = "pooler.dense", .curve = &curve_gelu},
    .masked = {.map = "cls.predictions.transform.dense",
               .norm = "cls.predictions.transform.LayerNorm",
               .bias = "cls.predictions.bias",
               .bias_alias = "cls.predictions.decoder.bias"},
    .unread =
        (const unread_tensor[]){
            BERT_TENSORS,
            TENSOR_INNER(TENSOR_ALONE, "embeddings.position_embeddings.weight", NO_POSITIONS),
            TENSOR_INNER(TENSOR_ALONE, "embeddings.position_embeddings._weight", NO_POSITIONS),
            TENSOR_INNER(TENSOR_ALONE, "embeddings.word_embeddings._weight", "its class does not read it"),
            TENSOR_HEAD(TENSOR_MAP, "pooler.dense", TENSOR_POOLER),
            TENSOR_HEAD(TENSOR_MAP, "cls.predictions.transform.dense", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_NORM, "cls.predictions.transform.LayerNorm", TENSOR_WORDS),
            TENSOR_TIED_HEAD("cls.predictions.decoder.weight"),
            TENSOR_HEAD(TENSOR_ALONE, "cls.predictions.decoder.bias", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_ALONE, "cls.predictions.bias", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_MAP, "lm_predictions.lm_head.dense", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_NORM, "lm_predictions.lm_head.LayerNorm", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_ALONE, "lm_predictions.lm_head.bias", TENSOR_WORDS),
            TENSOR_HEAD(TENSOR_MAP, "mask_predictions.dense", TENSOR_PRETRAINING),
            TENSOR_HEAD(TENSOR_NORM, "mask_predictions.LayerNorm", TENSOR_PRETRAINING),
            TENSOR_HEAD(TENSOR_MAP, "mask_predictions.classifier", TENSOR_PRETRAINING),
            TENSOR_END,
        },
};
