/* See component_list.h. */
#include "model/tokenizer/text/component_list.h"

#include "base/arrays.h"
#include "base/growing_array.h"

#include <stdlib.h>
#include <string.h>

static attcert_status add(component_list *l, const component *c, const component_kinds *known, attcert_error *err);

static attcert_status add_elements(component_list *l, const component *c, const component_kinds *known,
                                   attcert_error *err) {
  const json_t *elements;
  attcert_status status = component_check_keys(c, (const char *const[]){known->elements, NULL}, err);
  if (status == ATTCERT_OK) status = component_array(&elements, c, known->elements, err);
  for (size_t i = 0; status == ATTCERT_OK && i < json_array_size(elements); i++) {
    component element;
    status = component_element(&element, c, known->elements, i, err);
    if (status == ATTCERT_OK) status = add(l, &element, known, err);
  }
  return status;
}

static const component_kind *find_kind(const component_kinds *known, const char *type) {
  const component_kind *const *kind = known->kind;
  while (*kind != NULL && strcmp((*kind)->type, type) != 0) kind++;
  return *kind;
}

static attcert_status add(component_list *l, const component *c, const component_kinds *known, attcert_error *err) {
  const char *type;
  attcert_status status = component_required_string(&type, c, "type", err);
  if (status != ATTCERT_OK) return status;
  if (strcmp(type, "Sequence") == 0) return add_elements(l, c, known, err);
  const component_kind *const kind = find_kind(known, type);
  if (kind == NULL) return component_wrong(c, "type", known->types, err);
  component_step made = {.kind = kind};
  if (l->count > 0 && known->check_behind != NULL) status = known->check_behind(c, err);
  if (status == ATTCERT_OK) status = component_check_keys(c, kind->keys, err);
  if (status == ATTCERT_OK)
    status = growing_array_room(&l->step, &l->capacity, l->count, sizeof made, err, "a tokenizer's components");
  if (status == ATTCERT_OK && kind->open != NULL) status = kind->open(&made.settings, c, err);
  if (status == ATTCERT_OK) l->step[l->count++] = made;
  return status;
}

attcert_status component_list_open(component_list **list, const component *c, const component_kinds *known,
                                   attcert_error *err) {
  component_list *const made = array_new(1, sizeof *made, err, "a tokenizer's components");
  *list = NULL;
  if (made == NULL) return ATTCERT_RESOURCE;
  const attcert_status status = add(made, c, known, err);
  if (status == ATTCERT_OK)
    *list = made;
  else
    component_list_close(made);
  return status;
}

void component_list_close(component_list *l) {
  if (l == NULL) return;
  for (size_t i = 0; i < l->count; i++) {
    if (l->step[i].kind->close != NULL) l->step[i].kind->close(l->step[i].settings);
  }
  free(l->step);
  free(l);
}
