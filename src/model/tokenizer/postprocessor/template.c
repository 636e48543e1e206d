/* See template.h. */
#include "model/tokenizer/postprocessor/template.h"

#include <limits.h>
#include <string.h>

/* Where the template is read: before the text, or behind it. */
typedef struct {
  special_tokens around;
  bool has_text;
} template_state;

/* The ids of a special token by name. */
static attcert_status find_ids(int ids[SPECIAL_TOKENS_MAX], int *count, const component *c, const char *name,
                               attcert_error *err) {
  component all, one;
  const json_t *list;
  attcert_status status = component_member(&all, c, "special_tokens", err);
  if (status == ATTCERT_OK) status = component_member(&one, &all, name, err);
  if (status == ATTCERT_OK) status = component_array(&list, &one, "ids", err);
  if (status != ATTCERT_OK) return status;
  if (json_array_size(list) > SPECIAL_TOKENS_MAX) return component_wrong(&one, "ids", "fewer ids", err);
  *count = (int)json_array_size(list);
  for (int i = 0; i < *count; i++) {
    const json_t *const id = json_array_get(list, (size_t)i);
    if (!json_is_integer(id) || json_integer_value(id) < 0 || json_integer_value(id) > INT_MAX - 1)
      return component_wrong(&one, "ids", "integers >= 0", err);
    ids[i] = (int)json_integer_value(id);
  }
  return ATTCERT_OK;
}

/* A token type other than 0 would be another input. */
static attcert_status check_piece(const char **name, const component *piece, attcert_error *err) {
  static const char *const keys[] = {"id", "type_id", NULL};
  int type_id = 0;
  attcert_status status = component_check_keys(piece, keys, err);
  if (status == ATTCERT_OK) status = component_required_string(name, piece, "id", err);
  if (status == ATTCERT_OK) status = component_integer(&type_id, piece, "type_id", 0, INT_MAX, err);
  if (status == ATTCERT_OK && type_id != 0) status = component_wrong(piece, "type_id", "0", err);
  return status;
}

static attcert_status read_piece(template_state *t, const component *piece, const component *c, attcert_error *err) {
  component inner;
  const char *name;
  int ids[SPECIAL_TOKENS_MAX], count = 0;
  const bool is_text = component_has(piece, "Sequence");
  attcert_status status = component_member(&inner, piece, is_text ? "Sequence" : "SpecialToken", err);
  if (status == ATTCERT_OK) status = check_piece(&name, &inner, err);
  if (status != ATTCERT_OK) return status;
  if (is_text) {
    if (t->has_text || strcmp(name, "A") != 0) return component_wrong(&inner, "id", "\"A\", once", err);
    t->has_text = true;
    return ATTCERT_OK;
  }
  status = find_ids(ids, &count, c, name, err);
  if (status != ATTCERT_OK) return status;
  special_tokens *const s = &t->around;
  int *const side = t->has_text ? s->after : s->before, *const used = t->has_text ? &s->after_count : &s->before_count;
  if (count > SPECIAL_TOKENS_MAX - *used) return component_wrong(c, "single", "a shorter template", err);
  memcpy(side + *used, ids, (size_t)count * sizeof *ids);
  *used += count;
  return ATTCERT_OK;
}

attcert_status template_read(special_tokens *s, const component *c, attcert_error *err) {
  template_state t = {.has_text = false};
  const json_t *list;
  attcert_status status = component_array(&list, c, "single", err);
  for (size_t i = 0; status == ATTCERT_OK && i < json_array_size(list); i++) {
    component piece;
    status = component_element(&piece, c, "single", i, err);
    if (status == ATTCERT_OK) status = read_piece(&t, &piece, c, err);
  }
  if (status != ATTCERT_OK) return status;
  if (!t.has_text) return component_wrong(c, "single", "a template with the sequence \"A\"", err);
  if (special_tokens_put_before(s, t.around.before, t.around.before_count) &&
      special_tokens_put_after(s, t.around.after, t.around.after_count))
    return ATTCERT_OK;
  return component_wrong(c, "single", "fewer special tokens", err);
}
