#include "model/random_model.h"

#include "model/family/families.h"

#include <limits.h>
#include <string.h>

static const char scheme[] = "random:";

bool random_model_matches(const char *spec) {
  return strncmp(spec, scheme, strlen(scheme)) == 0;
}

/* Reads a decimal integer in [1, maximum] made of digits only; returns the first character
 * after it, NULL on failure. */
static const char *parse_side(int *value, const char *text, int maximum) {
  int64_t total = 0;
  const char *c = text;
  for (; *c >= '0' && *c <= '9'; c++) {
    total = 10 * total + (*c - '0');
    if (total > maximum) return NULL;
  }
  *value = (int)total;
  return total > 0 ? c : NULL;
}

/* "d,heads,layers" or, where heads may share keys, "d,heads,key_heads,layers", to the end of the string. */
static bool parse_sides(model_config *config, const char *text) {
  int *const shared[] = {&config->dim, &config->heads, &config->key_heads, &config->layers};
  int *const plain[] = {&config->dim, &config->heads, &config->layers};
  int commas = 0;
  for (const char *c = text; *c != '\0'; c++) commas += *c == ',';
  const bool shares = config->family->random.shares_keys && commas == 3;
  for (int i = 0; i < (shares ? 4 : 3); i++) {
    int *const side = shares ? shared[i] : plain[i];
    if (i > 0 && *text++ != ',') return false;
    text = parse_side(side, text, side == &config->layers ? INT_MAX : MODEL_DIM_MAX);
    if (text == NULL) return false;
  }
  return *text == '\0';
}

/* Heads of d / heads entries; those of keys, where they were given, share. */
static attcert_status complete_heads(model_config *config, const char *spec, attcert_error *err) {
  const int key_heads = config->key_heads;
  const attcert_status status = model_config_set_heads(config, spec, err);
  if (status != ATTCERT_OK) return status;
  if (config->rotary_base > 0.0 && config->head_dim % 2 != 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: heads of %d entries, expected an even number, which rotate in pairs",
                        spec, config->head_dim);
  if (key_heads == 0) return ATTCERT_OK;
  config->key_heads = key_heads;
  if (config->heads % key_heads == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %d heads of keys, expected a divisor of the %d heads", spec, key_heads,
                      config->heads);
}

attcert_status random_model_config(model_config *config, const char *spec, attcert_error *err) {
  const char *const name = spec + strlen(scheme);
  const model_family *family;
  for (size_t i = 0; (family = families_at(i)) != NULL; i++) {
    const size_t length = strlen(family->type[0].name);
    if (family->random.vocabulary == 0 || strncmp(name, family->type[0].name, length) != 0) continue;
    const char *const rest = name + length;
    *config = family_config(family);
    config->dim = 768;
    config->heads = config->layers = 12;
    config->vocabulary = family->random.vocabulary;
    config->positions = family->random.positions;
    config->act = activation_named(family->defaults.act);
    if (*rest != '\0' && (*rest != ':' || !parse_sides(config, rest + 1))) continue;
    config->hidden_dim = 4 * config->dim;
    config->embedding_dim = config->dim;
    if (family->random.complete != NULL) family->random.complete(config);
    return complete_heads(config, spec, err);
  }
  return attcert_fail(
      err, ATTCERT_INPUT,
      "%s: expected " RANDOM_MODELS(" or ") ", optionally followed by :d,heads,layers, or where heads may share keys "
                                            "by :d,heads,key_heads,layers (positive integers, d at most %d)",
      spec, MODEL_DIM_MAX);
}
