#include "model/family/config_file.h"

#include "base/arrays.h"
#include "model/family/config_keys.h"
#include "model/family/families.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_NAME_SIZE = 64 };

/* ---- the numbers ------------------------------------------------------------------------------------------------- */

/* The tower of that name of models of this model_type, as `any` is one. */
static attcert_status find_tower(const model_family **family, const model_family *any, const json_file *file,
                                 const char *tower, attcert_error *err) {
  if (tower != NULL) *family = families_tower(any->tower.type, tower);
  if (*family != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT,
                      "%s: key 'model_type' is '%s', of two towers, expected the folder's name with " MODEL_TOWERS
                      " behind it",
                      file->path, any->tower.type);
}

/* type: as config.json says it, in the table's memory. */
static attcert_status find_family(const model_family **family, const char **type, const json_file *file,
                                  const char *tower, attcert_error *err) {
  const char *name;
  if (!json_file_has(file, "model_type"))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key 'model_type' is missing, expected " MODEL_TYPES, file->path);
  const attcert_status status = json_file_string(&name, file, "model_type", err);
  if (status != ATTCERT_OK) return status;
  const model_family *const any = families_tower(name, NULL);
  if (any != NULL) *type = any->tower.type;
  if (any != NULL) return find_tower(family, any, file, tower, err);
  *family = families_find(type, name);
  if (*family != NULL && (*family)->later.family != NULL && !json_file_has(file, (*family)->later.without))
    *family = (*family)->later.family;
  if (*family != NULL && tower != NULL)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: key 'model_type' is '%s', not of two towers, expected the folder's name without ':%s'",
                        file->path, name, tower);
  if (*family != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'model_type' is '%s', expected " MODEL_TYPES, file->path, name);
}

/* *key := the one of its names that the file has, or the first one; two of them must agree. */
static attcert_status choose_name(char key[KEY_NAME_SIZE], const json_file *file, const char *names,
                                  attcert_error *err) {
  const char *name, *found = NULL;
  json_t *value;
  snprintf(key, KEY_NAME_SIZE, "%.*s", (int)strcspn(names, " "), names);
  json_object_foreach(file->root, name, value) {
    if (json_is_null(value) || !config_keys_name(name, names)) continue;
    if (found != NULL && !json_equal(value, json_object_get(file->root, found)))
      return attcert_fail(err, ATTCERT_INPUT, "%s: keys '%s' and '%s' differ, expected one number", file->path, found,
                          name);
    found = name;
  }
  if (found != NULL) snprintf(key, KEY_NAME_SIZE, "%s", found);
  return ATTCERT_OK;
}

/* Of heads of their own size, which need not divide d. */
static attcert_status read_head_size(model_config *config, const json_file *file, const model_family *family,
                                     attcert_error *err) {
  config->key_heads = config->heads;
  config->head_dim = family->head_size.usual;
  const attcert_status status =
      json_file_optional_int(&config->head_dim, file, family->head_size.key, 1, MODEL_DIM_MAX, err);
  return status == ATTCERT_OK ? model_config_check_rows(config, file->path, err) : status;
}

static attcert_status read_sides(model_config *config, const json_file *file, const model_family *family,
                                 attcert_error *err) {
  const family_keys *const keys = &family->keys;
  const family_sides *const usual = &family->sides;
  const int most = config->side_max, most_hidden = 4 * MODEL_DIM_MAX > most ? 4 * MODEL_DIM_MAX : most;
  const struct {
    int *value;
    const char *key;
    int maximum, usual;
    bool optional;
  } side[] = {{&config->dim, keys->dim, most, usual->dim, false},
              {&config->heads, keys->heads, MODEL_DIM_MAX, usual->heads, false},
              {&config->layers, keys->layers, INT_MAX, usual->layers, false},
              {&config->hidden_dim, keys->hidden_dim, most_hidden, usual->hidden_dim, keys->hidden_dim_optional},
              {&config->vocabulary, keys->vocabulary, INT_MAX, usual->vocabulary, true},
              {&config->positions, keys->positions, INT_MAX, usual->positions, true},
              {&config->embedding_dim, keys->embedding_dim, MODEL_DIM_MAX, 0, true}};
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; i < sizeof side / sizeof side[0] && status == ATTCERT_OK; i++) {
    char key[KEY_NAME_SIZE];
    if (side[i].key == NULL) continue;
    *side[i].value = side[i].usual;
    status = choose_name(key, file, side[i].key, err);
    if (status != ATTCERT_OK || ((side[i].optional || side[i].usual > 0) && !json_file_has(file, key))) continue;
    status = json_file_int(side[i].value, file, key, 1, side[i].maximum, err);
  }
  if (config->hidden_dim == 0) config->hidden_dim = 4 * config->dim;
  if (config->embedding_dim == 0) config->embedding_dim = family->defaults.embedding_dim;
  if (config->embedding_dim == 0) config->embedding_dim = config->dim;
  if (status != ATTCERT_OK) return status;
  return family->head_size.key != NULL ? read_head_size(config, file, family, err)
                                       : model_config_set_heads(config, file->path, err);
}

static attcert_status read_activation(model_config *config, const json_file *file, const model_family *family,
                                      attcert_error *err) {
  const char *const key = family->keys.act, *name = family->defaults.act;
  const attcert_status status = json_file_has(file, key) ? json_file_string(&name, file, key, err) : ATTCERT_OK;
  if (status != ATTCERT_OK) return status;
  config->act = activation_named(name);
  if (config->act != NULL) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is '%s', expected %s", file->path, key, name, ACTIVATION_NAMES);
}

/* ---- the whole file ---------------------------------------------------------------------------------------------- */

/* The keys of the family, whose description the configuration has already. */
static attcert_status read_keys(model_config *config, const json_file *file, attcert_error *err) {
  const model_family *const family = config->family;
  attcert_status status = read_sides(config, file, family, err);
  if (status == ATTCERT_OK) status = read_activation(config, file, family, err);
  if (status == ATTCERT_OK && family->keys.epsilon != NULL)
    status = json_file_optional_positive(&config->epsilon, file, family->keys.epsilon, err);
  if (status == ATTCERT_OK) status = json_file_optional_bool(&config->tied, file, "tie_word_embeddings", err);
  if (status == ATTCERT_OK && family->check != NULL) status = family->check(config, file, err);
  return status == ATTCERT_OK ? config_keys_check(file, family->other_keys, family, err) : status;
}

/* Whether an object of the file is of a model of the family's, where it says of which. */
static attcert_status check_object(const json_file *object, const model_family *family, attcert_error *err) {
  const char *name = family->type[0].name;
  const attcert_status status =
      json_file_has(object, "model_type") ? json_file_string(&name, object, "model_type", err) : ATTCERT_OK;
  if (status != ATTCERT_OK || strcmp(name, family->type[0].name) == 0) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key 'model_type' is '%s', expected %s", object->path, name,
                      family->type[0].name);
}

/* The object at the key, whose messages name it, too; object->path is to be released. */
static attcert_status open_object(json_file *object, const json_file *file, const char *key, attcert_error *err) {
  *object = (json_file){.root = json_object_get(file->root, key)};
  if (!json_is_object(object->root))
    return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is no object, expected that of the tower", file->path, key);
  const size_t size = strlen(file->path) + strlen(key) + sizeof " ()";
  object->path = array_new(size, 1, err, "the name of %s in %s", key, file->path);
  if (object->path == NULL) return ATTCERT_RESOURCE;
  snprintf(object->path, size, "%s (%s)", file->path, key);
  return ATTCERT_OK;
}

/* Reads the object's keys; or only sees to it that all are known, where another object takes its place. */
static attcert_status read_object(model_config *config, const json_file *file, const char *key, bool replaced,
                                  attcert_error *err) {
  const model_family *const family = config->family;
  json_file object;
  attcert_status status = open_object(&object, file, key, err);
  if (status == ATTCERT_OK) status = check_object(&object, family, err);
  if (status == ATTCERT_OK)
    status = replaced ? config_keys_check(&object, family->other_keys, family, err) : read_keys(config, &object, err);
  free(object.path);
  return status;
}

/* The file beside the tower's objects, then them. */
static attcert_status read_tower(model_config *config, const json_file *file, attcert_error *err) {
  const model_family *const family = config->family;
  const char *const key = family->tower.object, *const instead = family->tower.instead;
  const bool replaced = instead != NULL && json_file_has(file, instead);
  attcert_status status = config_keys_check(file, family->tower.other_keys, NULL, err);
  if (status != ATTCERT_OK) return status;
  config->object = replaced ? instead : key;
  if (!replaced || json_file_has(file, key)) status = read_object(config, file, key, replaced, err);
  return status == ATTCERT_OK && replaced ? read_object(config, file, instead, false, err) : status;
}

attcert_status model_config_read(model_config *config, const json_file *file, const char *tower, attcert_error *err) {
  const model_family *family = NULL;
  const char *type = NULL;
  const attcert_status status = find_family(&family, &type, file, tower, err);
  if (status != ATTCERT_OK) return status;
  *config = family_config(family);
  config->type = type;
  return tower != NULL ? read_tower(config, file, err) : read_keys(config, file, err);
}

/* What follows OBJECT. in the key; NULL: it begins otherwise. */
static const char *inner_key(const char *key, const char *object) {
  const size_t length = object != NULL ? strlen(object) : 0;
  return length > 0 && strncmp(key, object, length) == 0 && key[length] == '.' ? key + length + 1 : NULL;
}

const char *model_config_key_why(const model_config *config, const char *key) {
  const model_family *const family = config->family;
  const char *const inner = inner_key(key, config->object);
  if (config->object != NULL && config->object == family->tower.instead && strcmp(key, family->tower.object) == 0)
    return "the values of another object are in its place";
  const bool own = inner != NULL || config->object == NULL;
  const config_key *const k =
      config_keys_find(inner != NULL ? inner : key, own ? family->other_keys : family->tower.other_keys);
  return k != NULL && k->value == NULL ? k->why : NULL;
}

attcert_status model_config_require_embeddings(const model_config *config, const char *path, attcert_error *err) {
  if (config->vocabulary > 0 && config->positions > 0) return ATTCERT_OK;
  const family_keys *const keys = &config->family->keys;
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' is missing, but the model has an embedding table", path,
                      config->vocabulary == 0 ? keys->vocabulary : keys->positions);
}
