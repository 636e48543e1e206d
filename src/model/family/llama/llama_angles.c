/* The angles of rotary positions, from rope_theta and rope_scaling or rope_parameters. */
#include "model/family/llama/llama_like.h"
#include "model/family/llama/rotary_keys.h"

#include <float.h>
#include <limits.h>
#include <string.h>

static const char part_key[] = "partial_rotary_factor";

static attcert_status read_theta(model_config *config, rotary_keys *keys, attcert_error *err) {
  double theta;
  if (json_object_get(keys->object, "rope_theta") == NULL) return ATTCERT_OK;
  const attcert_status status = rotary_keys_number(&theta, keys, "rope_theta", 0.0, err);
  if (status != ATTCERT_OK) return status;
  if (json_file_has(keys->file, keys->older) && config->rotary_base != theta)
    return attcert_fail(err, ATTCERT_INPUT, "%s: keys '%s' and '%s' differ, expected one number", keys->file->path,
                        keys->older, keys->key);
  config->rotary_base = theta;
  return ATTCERT_OK;
}

/* As many entries of a head as transformers counts. */
static attcert_status set_part(model_config *config, double part, const json_file *file, attcert_error *err) {
  config->rotary_part = part;
  config->rotary_dim = part <= 1.0 ? (int)(config->head_dim * part) : 0;
  if (config->rotary_dim > 0 && config->rotary_dim % 2 == 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key '%s' is %g, expected one by which an even number of the %d entries of a head rotate",
                      file->path, part_key, part, config->head_dim);
}

/* In newer files alone; older versions of transformers would not read it there. A class whose usual part is not 1 takes
 * that as if it were the file's own key. */
static attcert_status read_part(model_config *config, rotary_keys *keys, attcert_error *err) {
  double part;
  if (strcmp(keys->key, "rope_parameters") != 0 || json_object_get(keys->object, part_key) == NULL) return ATTCERT_OK;
  const attcert_status status = rotary_keys_number(&part, keys, part_key, DBL_MIN, err);
  if (status != ATTCERT_OK) return status;
  const bool own_key = json_file_has(keys->file, part_key) || (config->rotary_part > 0.0 && config->rotary_part != 1.0);
  if (own_key && part != config->rotary_part)
    return attcert_fail(err, ATTCERT_INPUT, "%s: keys '%s' and '%s' differ, expected one number", keys->file->path,
                        part_key, keys->key);
  if (config->rotary_part > 0.0) return set_part(config, part, keys->file, err);
  if (part == 1.0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key '%s': %s is %g, expected 1: heads of which a part rotates are not evaluated",
                      keys->file->path, keys->key, part_key, part);
}

/* How many of its keys say which pairs turn by which of several directions, in all of which a text has one position. */
static int count_directions(const rotary_keys *keys) {
  return (json_object_get(keys->object, "mrope_section") != NULL) +
         (json_object_get(keys->object, "mrope_interleaved") != NULL);
}

/* {"rope_type": TYPE, "rope_theta": THETA, what the type has}; older files have the first key and no theta in it. */
static attcert_status read_object(model_config *config, rotary_keys *keys, attcert_error *err) {
  attcert_status status = read_part(config, keys, err);
  if (config->family->many_directions) keys->known += count_directions(keys);
  if (status == ATTCERT_OK) status = rotary_keys_rule(config, keys, err);
  if (status == ATTCERT_OK) status = read_theta(config, keys, err);
  if (status != ATTCERT_OK || (size_t)keys->known == json_object_size(keys->object)) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' has other keys than its type's, expected none",
                      keys->file->path, keys->key);
}

/* {"full_attention": such an object, "sliding_attention": one of local layers, whose angles are not scaled}. */
static attcert_status read_two(model_config *config, const rotary_keys *both, attcert_error *err) {
  rotary_keys all = *both, near = *both;
  model_config local = *config;
  all.object = json_object_get(both->object, "full_attention");
  near.object = json_object_get(both->object, "sliding_attention");
  near.older = "rope_local_base_freq";
  local.rotary_base = config->local_rotary_base;
  if (!json_is_object(all.object) || !json_is_object(near.object) || json_object_size(both->object) != 2)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key '%s': expected full_attention and sliding_attention, an object each", both->file->path,
                        both->key);
  attcert_status status = read_object(config, &all, err);
  if (status == ATTCERT_OK) status = read_object(&local, &near, err);
  if (status == ATTCERT_OK && model_config_scales_angles(&local))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s': scaled angles of sliding_attention are not evaluated",
                        both->file->path, both->key);
  config->local_rotary_base = local.rotary_base;
  return status;
}

/* Keys of the file itself, of families that have them. */
static attcert_status read_own_keys(model_config *config, const json_file *file, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  if (config->trained_positions > 0)
    status =
        json_file_optional_int(&config->trained_positions, file, "original_max_position_embeddings", 1, INT_MAX, err);
  if (config->rotary_part == 0.0 || status != ATTCERT_OK) return status;
  status = json_file_optional_positive(&config->rotary_part, file, part_key, err);
  return status == ATTCERT_OK ? set_part(config, config->rotary_part, file, err) : status;
}

attcert_status llama_read_angles(model_config *config, const json_file *file, attcert_error *err) {
  static const char *const names[] = {"rope_scaling", "rope_parameters"};
  attcert_status status = read_own_keys(config, file, err);
  if (status == ATTCERT_OK && json_file_has(file, names[0]) && json_file_has(file, names[1]) &&
      !json_equal(json_object_get(file->root, names[0]), json_object_get(file->root, names[1])))
    return attcert_fail(err, ATTCERT_INPUT, "%s: keys '%s' and '%s' differ, expected one of them", file->path, names[0],
                        names[1]);
  for (int i = 0; i < 2 && status == ATTCERT_OK; i++) {
    rotary_keys keys = {
        .file = file, .key = names[i], .older = "rope_theta", .object = json_object_get(file->root, names[i])};
    if (!json_file_has(file, names[i])) continue;
    const bool two = config->local_rotary_base > 0.0 && json_object_get(keys.object, "full_attention") != NULL;
    status = two ? read_two(config, &keys, err) : read_object(config, &keys, err);
  }
  return status;
}
