/* Parses "random:bert" / "random:gpt2[:d,heads,layers]". */
#include "model/random_model.h"

#include <limits.h>
#include <string.h>

static const char scheme[] = "random:";

#define BASE_SIZES .dim = 768, .heads = 12, .layers = 12, .hidden_dim = 4 * 768, .embedding_dim = 768
#define USUAL_ATTENTION .attention_biases = true, .scaled = true, .tied = true, .padding = -1

static const struct {
  const char *name;
  model_config config;
} families[] = {
    {"bert",
     {MODEL_BERT, "bert", ATTCERT_MASK_NONE, BASE_SIZES, .vocabulary = 30522, .positions = 512, USUAL_ATTENTION,
      .act = &curve_gelu, .epsilon = 1e-12}},
    {"gpt2",
     {MODEL_GPT2, "gpt2", ATTCERT_MASK_CAUSAL, BASE_SIZES, .vocabulary = 50257, .positions = 1024, USUAL_ATTENTION,
      .act = &curve_gelu_tanh, .epsilon = 1e-5}},
};

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
  config->hidden_dim = 4 * config->dim;
  config->embedding_dim = config->dim;
  return *text == '\0';
}

attcert_status random_model_config(model_config *config, const char *spec, attcert_error *err) {
  const char *name = spec + strlen(scheme);
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
    const size_t length = strlen(families[i].name);
    if (strncmp(name, families[i].name, length) != 0) continue;
    *config = families[i].config;
    const char *rest = name + length;
    if (*rest == '\0') return ATTCERT_OK;
    if (*rest == ':' && parse_sides(config, rest + 1)) return model_config_check_heads(config, spec, err);
  }
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: expected random:bert or random:gpt2, optionally followed by :d,heads,layers "
                      "(positive integers, d at most %d)",
                      spec, MODEL_DIM_MAX);
}
