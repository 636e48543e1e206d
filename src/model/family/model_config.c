#include "model/family/model_config.h"

void model_layers_add(model_layers *layers, int l) {
  layers->bits[l / 64] |= (uint64_t)1 << l % 64;
}

static bool has(const model_layers *layers, int l) {
  return l >= 0 && l < MODEL_TYPED_LAYERS_MAX && (layers->bits[l / 64] >> l % 64 & 1) != 0;
}

bool model_config_is_local(const model_config *config, int l) {
  return config->window > 0 && has(&config->local, l);
}

bool model_config_is_other(const model_config *config, int l) {
  return has(&config->others, l);
}

bool model_config_has_own_angles(const model_config *config, int l) {
  return config->local_rotary_base > 0.0 && model_config_is_local(config, l);
}

bool model_config_scales_angles(const model_config *config) {
  return config->rotary_scaling.factor != 1.0 || config->rotary_scaling.by_pair || config->rotary_scaling.pairs > 0;
}

double model_config_rotary_base(const model_config *config, int l) {
  if (config->rotary_base == 0.0 || has(&config->unrotated, l)) return 0.0;
  return model_config_has_own_angles(config, l) ? config->local_rotary_base : config->rotary_base;
}

int model_config_value_dim(const model_config *config) {
  return config->value_dim > 0 ? config->value_dim : config->head_dim;
}

double model_config_divided_by(const model_config *config) {
  if (!config->scaled) return 1.0;
  return config->score_scalar > 0.0 ? config->score_scalar : config->head_dim;
}

/* As transformers computes it, in double: int(l / (layers / groups)). */
int model_config_group(const model_config *config, int l) {
  return config->groups == 0 ? l : (int)(l / ((double)config->layers / config->groups));
}

attcert_status model_config_check_typed_layers(const model_config *config, const char *label, attcert_error *err) {
  if (config->layers <= MODEL_TYPED_LAYERS_MAX) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %d layers, expected at most %d", label, config->layers,
                      MODEL_TYPED_LAYERS_MAX);
}

int model_config_shift_span(const model_config *config) {
  return config->position_shift.buckets > 0 ? config->position_shift.buckets : config->position_shift.distance;
}

bool model_config_is_shifted(const model_config *config) {
  return config->position_shift.query || config->position_shift.key;
}

bool model_config_has_plain_heads(const model_config *config, int l) {
  return config->latent.rank == 0 && config->key_heads == config->heads &&
         config->head_dim * config->heads == config->dim && model_config_rotary_base(config, l) == 0.0 &&
         !config->norms_heads && !config->sinks && !config->gated_heads && config->score_scalar == 0.0 &&
         config->score_cap == 0.0 && config->position_buckets == 0 && !config->position_slopes &&
         !model_config_is_shifted(config) && !model_config_is_local(config, l);
}

attcert_status model_config_check_rows(const model_config *config, const char *label, attcert_error *err) {
  const int value_dim = model_config_value_dim(config);
  const int most = value_dim > config->head_dim ? value_dim : config->head_dim;
  const int limit = config->side_max;
  if (most <= limit / config->heads) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %d heads of %d entries, expected at most %d in all", label,
                      config->heads, most, limit);
}

attcert_status model_config_set_heads(model_config *config, const char *label, attcert_error *err) {
  config->key_heads = config->heads;
  config->head_dim = config->dim / config->heads;
  if (config->dim % config->heads == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %d heads do not divide the dimension %d", label, config->heads,
                      config->dim);
}
