#include "model/family/model_config.h"

bool model_config_is_local(const model_config *config, int l) {
  return config->window > 0 && (config->local[l / 64] >> l % 64 & 1) != 0;
}

/* As transformers computes it, in double: int(l / (layers / groups)). */
int model_config_group(const model_config *config, int l) {
  return config->groups == 0 ? l : (int)(l / ((double)config->layers / config->groups));
}

bool model_config_has_plain_heads(const model_config *config) {
  return config->key_heads == config->heads && config->head_dim * config->heads == config->dim &&
         config->rotary_base == 0.0;
}

attcert_status model_config_set_heads(model_config *config, const char *label, attcert_error *err) {
  config->key_heads = config->heads;
  config->head_dim = config->dim / config->heads;
  if (config->dim % config->heads == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %d heads do not divide the dimension %d", label, config->heads,
                      config->dim);
}
