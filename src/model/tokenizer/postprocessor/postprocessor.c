/* See postprocessor.h. */
#include "model/tokenizer/postprocessor/postprocessor.h"

#include "model/tokenizer/postprocessor/template.h"

#include <limits.h>
#include <string.h>

typedef struct {
  const char *type;
  const char *const *keys; /* beside "type" */
  attcert_status (*read)(special_tokens *s, const component *c, attcert_error *err);
} postprocessor_kind;

/* ["[CLS]", 101]. */
static attcert_status read_pair(int *id, const component *c, const char *key, attcert_error *err) {
  const json_t *const pair = json_object_get(c->json, key), *const number = json_array_get(pair, 1);
  if (json_array_size(pair) != 2 || !json_is_integer(number) || json_integer_value(number) < 0 ||
      json_integer_value(number) > INT_MAX - 1)
    return component_wrong(c, key, "[\"token\", id]", err);
  *id = (int)json_integer_value(number);
  return ATTCERT_OK;
}

static attcert_status read_cls_and_sep(special_tokens *s, const component *c, attcert_error *err) {
  int cls = 0, sep = 0;
  attcert_status status = read_pair(&cls, c, "cls", err);
  if (status == ATTCERT_OK) status = read_pair(&sep, c, "sep", err);
  if (status != ATTCERT_OK) return status;
  if (special_tokens_put_before(s, &cls, 1) && special_tokens_put_after(s, &sep, 1)) return ATTCERT_OK;
  return component_wrong(c, "cls", "fewer special tokens", err);
}

static attcert_status read_nothing(special_tokens *s, const component *c, attcert_error *err) {
  (void)s, (void)c, (void)err;
  return ATTCERT_OK;
}

static attcert_status read_sequence(special_tokens *s, const component *c, attcert_error *err);

static const postprocessor_kind kinds[] = {
    {"TemplateProcessing", (const char *const[]){"single", "pair", "special_tokens", NULL}, template_read},
    {"BertProcessing", (const char *const[]){"cls", "sep", NULL}, read_cls_and_sep},
    {"RobertaProcessing", (const char *const[]){"cls", "sep", "trim_offsets", "add_prefix_space", NULL},
     read_cls_and_sep},
    {"ByteLevel", (const char *const[]){"add_prefix_space", "trim_offsets", "use_regex", NULL}, read_nothing},
    {"Sequence", (const char *const[]){"processors", NULL}, read_sequence}};

attcert_status postprocessor_read(special_tokens *s, const component *c, attcert_error *err) {
  const char *type;
  attcert_status status = component_required_string(&type, c, "type", err);
  if (status != ATTCERT_OK) return status;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(kinds[i].type, type) != 0) continue;
    status = component_check_keys(c, kinds[i].keys, err);
    return status == ATTCERT_OK ? kinds[i].read(s, c, err) : status;
  }
  return component_wrong(c, "type", "TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel or Sequence",
                         err);
}

static attcert_status read_sequence(special_tokens *s, const component *c, attcert_error *err) {
  const json_t *list;
  attcert_status status = component_array(&list, c, "processors", err);
  for (size_t i = 0; status == ATTCERT_OK && i < json_array_size(list); i++) {
    component element;
    status = component_element(&element, c, "processors", i, err);
    if (status == ATTCERT_OK) status = postprocessor_read(s, &element, err);
  }
  return status;
}
