/* See special_map.h. */
#include "model/tokenizer/folder/special_map.h"

#include "base/growing_array.h"

#include <stdlib.h>
#include <string.h>

static const char additional[] = "additional_special_tokens";

static const char *const roles[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                    "pad_token", "cls_token", "mask_token"};

bool special_map_is_role(const char *key) {
  for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
    if (strcmp(roles[i], key) == 0) return true;
  }
  return strcmp(key, additional) == 0;
}

const added_token *special_map_role(const special_map *s, const char *role) {
  for (size_t i = 0; i < s->count; i++) {
    if (strcmp(s->entry[i].role, role) == 0) return &s->entry[i].token;
  }
  return NULL;
}

const added_token *special_map_content(const special_map *s, const char *content) {
  for (size_t i = 0; i < s->count; i++) {
    if (strcmp(s->entry[i].token.content, content) == 0) return &s->entry[i].token;
  }
  return NULL;
}

void special_map_clear(special_map *s) {
  free(s->entry);
  *s = (special_map){.count = 0};
}

static attcert_status append(special_map *s, const special_entry *entry, attcert_error *err) {
  const added_token *const before = special_map_role(s, entry->role);
  if (before != NULL && strcmp(entry->role, additional) != 0 && strcmp(before->content, entry->token.content) != 0)
    return attcert_fail(err, ATTCERT_INPUT, "%s: %s is \"%.64s\", expected \"%.64s\" as in the other files",
                        entry->path, entry->role, entry->token.content, before->content);
  const attcert_status room =
      growing_array_room(&s->entry, &s->capacity, s->count, sizeof *s->entry, err, "a list of special tokens");
  if (room != ATTCERT_OK) return room;
  s->entry[s->count++] = *entry;
  return ATTCERT_OK;
}

/* value: a string, or an object with a token's settings. A token that is only a string is not normalized. */
static attcert_status add_value(special_map *s, const char *role, const json_t *value, const component *c,
                                attcert_error *err) {
  special_entry entry = {.role = role, .path = c->path, .token = {.id = ADDED_TOKEN_ID, .special = true}};
  const char *content = json_string_value(value);
  attcert_status status = ATTCERT_OK;
  if (json_is_object(value)) {
    static const char *const keys[] = {"content",    "single_word", "lstrip", "rstrip",
                                       "normalized", "special",     "__type", NULL};
    component object = {.path = c->path, .json = value};
    memcpy(object.place, role, strlen(role) + 1);
    status = component_check_keys(&object, keys, err);
    if (status == ATTCERT_OK) status = component_required_string(&content, &object, "content", err);
    if (status == ATTCERT_OK) status = component_bool(&entry.token.single_word, &object, "single_word", err);
    if (status == ATTCERT_OK) status = component_bool(&entry.token.lstrip, &object, "lstrip", err);
    if (status == ATTCERT_OK) status = component_bool(&entry.token.rstrip, &object, "rstrip", err);
    if (status == ATTCERT_OK) status = component_bool(&entry.token.normalized, &object, "normalized", err);
  }
  if (status == ATTCERT_OK && content == NULL) status = component_wrong(c, role, "a token", err);
  entry.token.content = (char *)content;
  return status == ATTCERT_OK ? append(s, &entry, err) : status;
}

static attcert_status add_list(special_map *s, const component *c, attcert_error *err) {
  const json_t *list;
  if (!component_has(c, additional)) return ATTCERT_OK;
  attcert_status status = component_array(&list, c, additional, err);
  for (size_t i = 0; status == ATTCERT_OK && i < json_array_size(list); i++)
    status = add_value(s, additional, json_array_get(list, i), c, err);
  return status;
}

static attcert_status add_file(special_map *s, const json_file *file, attcert_error *err) {
  const component c = companion_component(file);
  attcert_status status = ATTCERT_OK;
  if (file->root == NULL) return ATTCERT_OK;
  for (size_t i = 0; status == ATTCERT_OK && i < sizeof roles / sizeof roles[0]; i++) {
    if (component_has(&c, roles[i])) status = add_value(s, roles[i], json_object_get(c.json, roles[i]), &c, err);
  }
  return status == ATTCERT_OK ? add_list(s, &c, err) : status;
}

/* The map comes first: it has more of the settings. */
attcert_status special_map_read(special_map *s, const companion_files *f, attcert_error *err) {
  *s = (special_map){.count = 0};
  attcert_status status = add_file(s, &f->special, err);
  if (status == ATTCERT_OK) status = add_file(s, &f->config, err);
  if (status != ATTCERT_OK) special_map_clear(s);
  return status;
}
