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

/* "d,heads,layers", to the end of the string. */
static bool parse_sides(model_config *config, const char *text) {
  const struct {
    int *value, maximum;
  } side[] = {{&config->dim, MODEL_DIM_MAX}, {&config->heads, MODEL_DIM_MAX}, {&config->layers, INT_MAX}};
  for (int i = 0; i < 3; i++) {
    if (i > 0 && *text++ != ',') return false;
    text = parse_side(side[i].value, text, side[i].maximum);
    if (text == NULL) return false;
  }
  return *text == '\0';
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
    return model_config_set_heads(config, spec, err);
  }
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: expected " RANDOM_MODELS(" or ") ", optionally followed by :d,heads,layers "
                                                            "(positive integers, d at most %d)",
                      spec, MODEL_DIM_MAX);
}
