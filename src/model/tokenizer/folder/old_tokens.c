/* See old_tokens.h. */
#include "model/tokenizer/folder/old_tokens.h"

#include "base/arrays.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- added_tokens.json ------------------------------------------------------------------------------------------- */

typedef struct {
  const char *content;
  int id;
} numbered;

static int compare_numbers(const void *a, const void *b) {
  const numbered *const x = a, *const y = b;
  return (x->id > y->id) - (x->id < y->id);
}

/* What a special token's settings are, or those of a token that is none. */
static added_token with_settings(const char *content, int id, const special_map *map) {
  const added_token *const special = special_map_content(map, content);
  added_token token = {.normalized = true};
  if (special != NULL) token = *special;
  token.content = (char *)content;
  token.id = id;
  return token;
}

/* {"TOKEN": ID, ..}, in the order of the ids, in which transformers adds them. */
static attcert_status add_numbered(token_pipeline *p, const companion_files *f, const special_map *map,
                                   attcert_error *err) {
  const component c = companion_component(&f->added);
  const size_t count = json_object_size(f->added.root);
  if (count == 0) return ATTCERT_OK;
  numbered *const list = array_new(count, sizeof *list, err, "the tokens of %s", c.path);
  if (list == NULL) return ATTCERT_RESOURCE;
  attcert_status status = ATTCERT_OK;
  const char *key;
  json_t *value;
  size_t i = 0;
  json_object_foreach(f->added.root, key, value) {
    list[i].content = key;
    if (status == ATTCERT_OK) status = component_required_integer(&list[i].id, &c, key, 0, INT_MAX - 2, err);
    i++;
  }
  if (status == ATTCERT_OK) qsort(list, count, sizeof *list, compare_numbers);
  for (i = 0; status == ATTCERT_OK && i < count; i++) {
    const added_token token = with_settings(list[i].content, list[i].id, map);
    status = added_tokens_add(&p->added, &token, c.path, err);
  }
  free(list);
  return status;
}

/* The decoder of tokenizer_config.json: {"ID": {"content": .., ..}, ..}, in the order of the file. */
static attcert_status add_decoder(token_pipeline *p, const companion_files *f, attcert_error *err) {
  const component config = companion_component(&f->config);
  component decoder;
  const char *key;
  json_t *value;
  if (f->config.root == NULL || !component_has(&config, "added_tokens_decoder")) return ATTCERT_OK;
  attcert_status status = component_member(&decoder, &config, "added_tokens_decoder", err);
  if (status != ATTCERT_OK) return status;
  json_object_foreach((json_t *)decoder.json, key, value) {
    component token;
    char *end;
    const long id = strtol(key, &end, 10);
    if (*end != '\0' || end == key || id < 0 || id > INT_MAX - 2)
      return component_wrong(&decoder, key, "an id as the key", err);
    status = component_member(&token, &decoder, key, err);
    if (status == ATTCERT_OK) status = added_tokens_read(&p->added, &token, (int)id, err);
    if (status != ATTCERT_OK) return status;
  }
  return ATTCERT_OK;
}

/* ---- special tokens ---------------------------------------------------------------------------------------------- */

static const default_token *default_role(const default_token *defaults, const char *role) {
  while (defaults->role != NULL && strcmp(defaults->role, role) != 0) defaults++;
  return defaults->role != NULL ? defaults : NULL;
}

static attcert_status add_map(token_pipeline *p, const special_map *map, const default_token *defaults,
                              attcert_error *err) {
  const vocabulary *const v = token_model_vocabulary(p->model);
  for (size_t i = 0; i < map->count; i++) {
    const special_entry *const e = &map->entry[i];
    const default_token *const role = default_role(defaults, e->role);
    added_token token = e->token;
    if (added_tokens_find(&p->added, token.content) != NULL) continue;
    if (vocabulary_find_string(v, token.content) < 0)
      return attcert_fail(err, ATTCERT_INPUT, "%s: %s \"%.64s\" is not in the vocabulary, expected it there or in %s",
                          e->path, e->role, token.content, COMPANION_ADDED_NAME);
    token.lstrip = token.lstrip || (role != NULL && role->lstrip);
    const attcert_status status = added_tokens_add(&p->added, &token, e->path, err);
    if (status != ATTCERT_OK) return status;
  }
  return ATTCERT_OK;
}

static attcert_status add_defaults(token_pipeline *p, const special_map *map, const default_token *defaults,
                                   const char *path, attcert_error *err) {
  const vocabulary *const v = token_model_vocabulary(p->model);
  attcert_status status = ATTCERT_OK;
  for (; defaults->role != NULL && status == ATTCERT_OK; defaults++) {
    const added_token token = {
        .content = (char *)defaults->content, .id = ADDED_TOKEN_ID, .special = true, .lstrip = defaults->lstrip};
    if (special_map_role(map, defaults->role) == NULL && added_tokens_find(&p->added, defaults->content) == NULL &&
        vocabulary_find_string(v, defaults->content) >= 0)
      status = added_tokens_add(&p->added, &token, path, err);
  }
  return status;
}

attcert_status old_tokens_add(token_pipeline *p, const companion_files *f, const special_map *map,
                              const default_token *defaults, const char *path, attcert_error *err) {
  attcert_status status = add_decoder(p, f, err);
  if (status == ATTCERT_OK && p->added.count == 0) status = add_numbered(p, f, map, err);
  if (status == ATTCERT_OK) status = add_map(p, map, defaults, err);
  if (status == ATTCERT_OK) status = add_defaults(p, map, defaults, path, err);
  if (status != ATTCERT_OK) return status;
  return added_tokens_finish(&p->added, token_model_vocabulary(p->model), token_model_size(p->model), p->normalizer,
                             path, err);
}

int old_tokens_id(const token_pipeline *p, const special_map *map, const default_token *defaults, const char *role) {
  const added_token *const named = special_map_role(map, role);
  const default_token *const fallback = default_role(defaults, role);
  const char *const content = named != NULL ? named->content : fallback != NULL ? fallback->content : NULL;
  const added_token *const token = content != NULL ? added_tokens_find(&p->added, content) : NULL;
  return token != NULL ? token->id : -1;
}
