/* GPT-Neo: GPT-2 with linear maps, scores not divided by sqrt(k), and layers of two types. S. Black et al., 2021.
 *
 * "attention_types": [[["global", "local"], 6]] of config.json is six times these two types, one type a layer. */
#include "model/family/gpt/gpt_like.h"

#include <limits.h>
#include <string.h>

static const char types_key[] = "attention_types";

static attcert_status refuse(const json_file *file, const char *what, attcert_error *err) {
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key '%s' %s, expected [[[TYPE, ...], TIMES], ...] with the types global and local",
                      file->path, types_key, what);
}

static attcert_status add_type(model_config *config, int *count, const json_t *type, const json_file *file,
                               attcert_error *err) {
  const char *const name = json_string_value(type);
  const bool local = name != NULL && strcmp(name, "local") == 0;
  if (name == NULL || (!local && strcmp(name, "global") != 0)) return refuse(file, "has another type", err);
  if (*count == config->layers) return refuse(file, "has more types than there are layers", err);
  if (local) model_layers_add(&config->local, *count);
  (*count)++;
  return ATTCERT_OK;
}

/* [[TYPE, ...], TIMES] */
static attcert_status add_item(model_config *config, int *count, const json_t *item, const json_file *file,
                               attcert_error *err) {
  const json_t *const types = json_array_get(item, 0), *const times = json_array_get(item, 1);
  if (!json_is_array(types) || json_array_size(types) == 0 || !json_is_integer(times) || json_array_size(item) != 2)
    return refuse(file, "has an item of another form", err);
  attcert_status status = ATTCERT_OK;
  for (json_int_t time = 0; time < json_integer_value(times) && status == ATTCERT_OK; time++) {
    for (size_t i = 0; i < json_array_size(types) && status == ATTCERT_OK; i++)
      status = add_type(config, count, json_array_get(types, i), file, err);
  }
  return status;
}

static attcert_status read_list(model_config *config, const json_file *file, attcert_error *err) {
  const json_t *const list = json_object_get(file->root, types_key);
  attcert_status status = json_is_array(list) ? ATTCERT_OK : refuse(file, "is no list", err);
  int count = 0;
  for (size_t i = 0; i < json_array_size(list) && status == ATTCERT_OK; i++)
    status = add_item(config, &count, json_array_get(list, i), file, err);
  if (status != ATTCERT_OK || count == config->layers) return status;
  return refuse(file, "has fewer types than there are layers", err);
}

/* By turns. */
static void set_default(model_config *config) {
  for (int l = 1; l < config->layers; l += 2) model_layers_add(&config->local, l);
}

/* The types once more, one a layer, as transformers writes them: not of another model. */
static attcert_status check_expanded(const model_config *config, const json_file *file, attcert_error *err) {
  static const char key[] = "attention_layers";
  if (!json_file_has(file, key)) return ATTCERT_OK;
  const json_t *const list = json_object_get(file->root, key);
  bool same = json_array_size(list) == (size_t)config->layers;
  for (int l = 0; l < config->layers && same; l++) {
    const char *const name = json_string_value(json_array_get(list, (size_t)l));
    same = name != NULL && strcmp(name, model_config_is_local(config, l) ? "local" : "global") == 0;
  }
  if (same) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' differs from key '%s', expected the same types, one a layer",
                      file->path, key, types_key);
}

static attcert_status check(model_config *config, const json_file *file, attcert_error *err) {
  attcert_status status = model_config_check_typed_layers(config, file->path, err);
  if (status != ATTCERT_OK) return status;
  config->scaled = config->attention_biases = false;
  config->window = 256;
  status = json_file_optional_int(&config->window, file, "window_size", 1, INT_MAX, err);
  if (status != ATTCERT_OK) return status;
  if (json_file_has(file, types_key))
    status = read_list(config, file, err);
  else
    set_default(config);
  return status == ATTCERT_OK ? check_expanded(config, file, err) : status;
}

const model_family family_gpt_neo = {
    .type = {{"gpt_neo", "GPTNeo"}},
    .heads = (const family_head[]){GPT_HEADS("ForCausalLM"), {"ForTokenClassification", HEAD_TOKEN}, HEADS_END},
    .keys = {"hidden_size", "num_heads", "num_layers", "intermediate_size", "vocab_size", "max_position_embeddings",
             "activation_function", "layer_norm_epsilon", NULL, true},
    .other_keys =
        (const config_key[]){GPT_OTHER_KEYS, KEY_READ("attention_types attention_layers window_size"), KEY_END},
    .defaults = {.act = "gelu_new", .epsilon = 1e-5},
    .check = check,
    GPT_DECODER,
    GPT_NAMES,
    .attention = {"attn.attention.q_proj", "attn.attention.k_proj", "attn.attention.v_proj", "attn.attention.out_proj",
                  "ln_1"},
    .unread =
        (const unread_tensor[]){
            TENSOR_HEAD(TENSOR_MAP, "classifier", TENSOR_LABELS),
            GPT_TENSORS,
            TENSOR_TIED_HEAD("lm_head.weight"),
            GPT_MASK("attn.attention"),
            TENSOR_END,
        },
};
