#include "model/family/llama/rotary_keys.h"

#include <float.h>
#include <math.h>
#include <string.h>

attcert_status rotary_keys_number(double *x, rotary_keys *keys, const char *name, double least, attcert_error *err) {
  const json_t *const value = json_object_get(keys->object, name);
  *x = json_number_value(value);
  keys->known++;
  if (json_is_number(value) && *x >= least && isfinite(*x)) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' has no '%s', expected a number of at least %g",
                      keys->file->path, keys->key, name, least);
}

/* The same number of turns for both ends is a ramp of one pair, where ends are whole. */
static attcert_status check_turns(const model_config *config, const rotary_keys *keys, const char *low,
                                  const char *high, attcert_error *err) {
  const bool apart = config->rotary_scaling.low < config->rotary_scaling.high;
  if (apart || (config->rotary_scaling.whole && config->rotary_scaling.low == config->rotary_scaling.high))
    return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s': %s is %g, expected less than %s, %g", keys->file->path,
                      keys->key, low, config->rotary_scaling.low, high, config->rotary_scaling.high);
}

/* Positive, unless it is absent or null. */
static attcert_status read_optional(double *x, rotary_keys *keys, const char *name, attcert_error *err) {
  const json_t *const value = json_object_get(keys->object, name);
  if (value == NULL || json_is_null(value)) {
    keys->known += value != NULL;
    return ATTCERT_OK;
  }
  return rotary_keys_number(x, keys, name, DBL_MIN, err);
}

/* DeepSeek's mscale and mscale_all_dim: with both, rotations are multiplied by the ratio of amplitudes with these
 * slopes, and scores by the square of the second. The same slope of both is an amplitude of whole heads. With one of
 * them, versions differ in what they take for the other. */
static attcert_status read_slopes(model_config *config, rotary_keys *keys, attcert_error *err) {
  double slope = 0.0, of_all = 0.0;
  attcert_status status = read_optional(&slope, keys, "mscale", err);
  if (status == ATTCERT_OK) status = read_optional(&of_all, keys, "mscale_all_dim", err);
  config->rotary_scaling.slope = of_all;
  config->rotary_scaling.of_heads = of_all > 0.0;
  if (status != ATTCERT_OK || slope == of_all) return status;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key '%s': mscale is %g and mscale_all_dim is %g, expected the same number, or neither: "
                      "amplitudes that differ are not evaluated",
                      keys->file->path, keys->key, slope, of_all);
}

/* truncate and attention_factor; DeepSeek's own code knows neither, but slopes. */
static attcert_status read_amplitude(model_config *config, rotary_keys *keys, attcert_error *err) {
  const json_t *const whole = json_object_get(keys->object, "truncate");
  if (config->latent.rank > 0) return read_slopes(config, keys, err);
  config->rotary_scaling.whole = whole == NULL || !json_is_false(whole);
  keys->known += whole != NULL;
  if (whole == NULL || json_is_boolean(whole))
    return read_optional(&config->rotary_scaling.amplitude, keys, "attention_factor", err);
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s': truncate is no boolean, expected true or false",
                      keys->file->path, keys->key);
}

/* What transformers takes where the file is silent: 32 and 1 turns, ends that are whole. Its versions take the factor,
 * or how many times the trained length the positions are: both have to be one number. */
static attcert_status read_yarn(model_config *config, rotary_keys *keys, attcert_error *err) {
  config->rotary_scaling.by_pair = config->rotary_scaling.whole = true;
  config->rotary_scaling.high = 32.0;
  config->rotary_scaling.low = 1.0;
  attcert_status status = read_amplitude(config, keys, err);
  if (status == ATTCERT_OK) status = rotary_keys_number(&config->rotary_scaling.factor, keys, "factor", 1.0, err);
  if (status == ATTCERT_OK)
    status = rotary_keys_number(&config->rotary_scaling.length, keys, "original_max_position_embeddings", 1.0, err);
  if (status == ATTCERT_OK) status = read_optional(&config->rotary_scaling.high, keys, "beta_fast", err);
  if (status == ATTCERT_OK) status = read_optional(&config->rotary_scaling.low, keys, "beta_slow", err);
  if (status == ATTCERT_OK) status = check_turns(config, keys, "beta_slow", "beta_fast", err);
  /* classes differ in how many are usual */
  const bool told = json_file_has(keys->file, config->family->keys.positions);
  const double longest = config->rotary_scaling.factor * config->rotary_scaling.length;
  if (status != ATTCERT_OK || (told && longest == config->positions)) return status;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key '%s': factor %g times original_max_position_embeddings %g is not the number of "
                      "positions, %d: versions of transformers differ in what they take then",
                      keys->file->path, keys->key, config->rotary_scaling.factor, config->rotary_scaling.length,
                      config->positions);
}

/* A number of each pair that rotates. */
static attcert_status read_list(double *list, rotary_keys *keys, const char *name, int pairs, attcert_error *err) {
  const json_t *const values = json_object_get(keys->object, name);
  bool right = json_is_array(values) && json_array_size(values) == (size_t)pairs;
  keys->known++;
  for (int m = 0; m < pairs && right; m++) {
    const json_t *const item = json_array_get(values, (size_t)m);
    list[m] = json_number_value(item);
    right = json_is_number(item) && list[m] >= DBL_MIN && isfinite(list[m]);
  }
  if (right) return ATTCERT_OK;
  return attcert_fail(
      err, ATTCERT_INPUT,
      "%s: key '%s' has no '%s', expected a list of %d positive numbers, one a pair of a head's entries "
      "that rotate",
      keys->file->path, keys->key, name, pairs);
}

/* The trained length, and up to where it is extended. Versions of transformers read both from different places, which
 * have to agree: the file's key, which some families have, or else max_position_embeddings, and the object's key; the
 * object's factor, and the ratio of the file's keys. */
static attcert_status read_lengths(model_config *config, rotary_keys *keys, attcert_error *err) {
  static const char key[] = "max_position_embeddings", name[] = "original_max_position_embeddings";
  const bool has_key = config->trained_positions > 0;
  const double length = has_key ? config->trained_positions : config->positions;
  double other = length, factor = 0.0;
  config->rotary_scaling.length = length;
  config->rotary_scaling.extent = config->positions;
  if (!json_file_has(keys->file, key))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is missing, expected one beside '%s'", keys->file->path, key,
                        keys->key);
  attcert_status status = read_optional(&other, keys, name, err);
  if (status == ATTCERT_OK)
    status =
        has_key ? read_optional(&factor, keys, "factor", err) : rotary_keys_number(&factor, keys, "factor", 1.0, err);
  if (status != ATTCERT_OK) return status;
  if (factor > 0.0) config->rotary_scaling.extent = factor * length;
  const double extent = config->rotary_scaling.extent;
  const bool exact = factor == 0.0 || fma(factor, length, -extent) == 0.0;
  if (other != length || !exact || (has_key && extent != config->positions))
    return attcert_fail(
        err, ATTCERT_INPUT,
        "%s: key '%s': a trained length of %g or %g, extended to %.17g where %d positions are: versions "
        "of transformers differ in what they take then",
        keys->file->path, keys->key, length, other, extent, config->positions);
  if (length > 1.0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s': a trained length of %g, expected at least 2", keys->file->path,
                      keys->key, length);
}

static attcert_status read_longrope(model_config *config, rotary_keys *keys, attcert_error *err) {
  const int pairs = (config->rotary_dim > 0 ? config->rotary_dim : config->head_dim) / 2;
  if (pairs > MODEL_PAIRS_MAX)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s': heads of which %d pairs rotate, expected at most %d",
                        keys->file->path, keys->key, pairs, MODEL_PAIRS_MAX);
  config->rotary_scaling.pairs = pairs;
  attcert_status status = read_list(config->rotary_scaling.short_divisor, keys, "short_factor", pairs, err);
  if (status == ATTCERT_OK) status = read_list(config->rotary_scaling.long_divisor, keys, "long_factor", pairs, err);
  if (status == ATTCERT_OK) status = read_optional(&config->rotary_scaling.amplitude, keys, "attention_factor", err);
  return status == ATTCERT_OK ? read_lengths(config, keys, err) : status;
}

static attcert_status refuse_type(const model_config *config, const rotary_keys *keys, const char *type,
                                  attcert_error *err) {
  if (config->trained_positions > 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' has the type %s, expected default or longrope",
                        keys->file->path, keys->key, type);
  if (strcmp(type, "dynamic") == 0)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key '%s' has the type dynamic, whose angles depend on how long the texts before were: "
                        "such scaled angles are not evaluated",
                        keys->file->path, keys->key);
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key '%s' has the type %s, expected default, linear, llama3, yarn or longrope: other scaled "
                      "angles are not evaluated",
                      keys->file->path, keys->key, type);
}

/* A class with a key of its own for the trained length knows LongRoPE alone, first as su; what it calls yarn has been
 * two rules. */
attcert_status rotary_keys_rule(model_config *config, rotary_keys *keys, attcert_error *err) {
  const json_t *const newer = json_object_get(keys->object, "rope_type"), *const older =
                                                                              json_object_get(keys->object, "type");
  const char *const type = json_string_value(newer != NULL ? newer : older);
  keys->known += (newer != NULL) + (older != NULL);
  if (newer != NULL && older != NULL && !json_equal(newer, older))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' has two types, expected one", keys->file->path, keys->key);
  if (type == NULL) return refuse_type(config, keys, "(none)", err);
  if (strcmp(type, "default") == 0) return ATTCERT_OK;
  const bool longrope_alone = config->trained_positions > 0;
  if (strcmp(type, "longrope") == 0 || (longrope_alone && strcmp(type, "su") == 0))
    return read_longrope(config, keys, err);
  const bool linear = strcmp(type, "linear") == 0, yarn = strcmp(type, "yarn") == 0;
  if (longrope_alone || (!linear && !yarn && strcmp(type, "llama3") != 0)) return refuse_type(config, keys, type, err);
  if (yarn) return read_yarn(config, keys, err);
  attcert_status status = rotary_keys_number(&config->rotary_scaling.factor, keys, "factor", 1.0, err);
  if (linear || status != ATTCERT_OK) return status;
  status = rotary_keys_number(&config->rotary_scaling.low, keys, "low_freq_factor", 0.0, err);
  if (status == ATTCERT_OK)
    status = rotary_keys_number(&config->rotary_scaling.high, keys, "high_freq_factor", 0.0, err);
  if (status == ATTCERT_OK)
    status = rotary_keys_number(&config->rotary_scaling.length, keys, "original_max_position_embeddings", 1.0, err);
  return status == ATTCERT_OK ? check_turns(config, keys, "low_freq_factor", "high_freq_factor", err) : status;
}
