#include "report/sweep/sweep_header.h"

#include "base/arrays.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char lead[] = "# ";
enum { LEAD_LENGTH = sizeof lead - 1 };

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void put_value(json_t *object, const char *key, json_t *value) {
  json_object_set_new(object, key, value);
}

/* A path without its folders: the same sweep may run from elsewhere. A name that is not UTF-8 has no JSON string. */
static json_t *base_name(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  size_t first = length;
  while (first > 0 && path[first - 1] != '/') first--;
  json_t *const name = json_stringn(path + first, length - first);
  return name != NULL ? name : json_string("(not UTF-8)");
}

static json_t *integer_or_null(bool given, uint64_t value) {
  return given ? json_integer((json_int_t)value) : json_null();
}

static json_t *files(const report_subject *s) {
  json_t *const list = json_array();
  for (int i = 0; i < s->file_count; i++) {
    json_t *const file = json_object();
    put_value(file, "role", json_string(s->files[i].role));
    put_value(file, "name", base_name(s->files[i].path));
    put_value(file, "sha256", json_string(s->files[i].sha256));
    json_array_append_new(list, file);
  }
  return list;
}

/* Of one input; a sweep over lengths has none. */
static void put_tokens(json_t *header, const token_list *list) {
  if (list->count == 0) return;
  json_t *const tokens = json_array();
  for (int i = 0; i < list->count; i++) {
    json_t *const token = json_object();
    put_value(token, "id", json_integer(list->token[i].id));
    put_value(token, "text", list->token[i].text != NULL ? json_string(list->token[i].text) : json_null());
    json_array_append_new(tokens, token);
  }
  put_value(header, "special_tokens", json_boolean(list->special));
  put_value(header, "tokens", tokens);
}

static void put_subject(json_t *header, const report_subject *s) {
  put_value(header, "model", base_name(s->name));
  put_value(header, "seed", integer_or_null(s->random, s->seed));
  put_value(header, "layer", json_integer(s->model_layer));
  put_value(header, "head", integer_or_null(s->head != REPORT_WHOLE_LAYER, (uint64_t)s->head));
  put_value(header, "mask", json_string(subject_mask_name(s->mask)));
  put_value(header, "d", json_integer(s->dim));
  put_value(header, "heads", json_integer(s->heads));
  put_value(header, "head_dim", json_integer(s->head_dim));
  put_value(header, "text", base_name(s->input));
  put_value(header, "tokenizer", json_string(s->tokenizer));
  put_value(header, "offset", json_integer(s->offset));
  put_tokens(header, &s->input_tokens);
}

static void put_run(json_t *header, const attcert_options *o) {
  put_value(header, "engine", json_string(attcert_engine_name(o->engine)));
  put_value(header, "precision_bits", json_integer(o->precision));
  put_value(header, "tolerance", o->tolerance > 0 ? json_real(o->tolerance) : json_null());
  put_value(header, "failure", json_real(o->failure));
  put_value(header, "seed_of_bits", integer_or_null(o->seeded, o->seed));
}

attcert_status sweep_header_write(char **line, const report_subject *subject, const attcert_options *options,
                                  const sweep_header *sweep, attcert_error *err) {
  json_t *const header = json_object();
  put_value(header, "schema", json_string(sweep->schema));
  put_value(header, "version", json_string(ATTCERT_VERSION));
  put_subject(header, subject);
  if (sweep->sequences > 0) put_value(header, "sequences", json_integer(sweep->sequences));
  if (sweep->ball != NULL) put_value(header, "ball", json_string(sweep->ball));
  if (sweep->words != NULL) put_value(header, "words", json_string(sweep->words));
  put_run(header, options);
  put_value(header, "bounds", json_boolean(sweep->bounds));
  put_value(header, "files", files(subject));
  char *const text = json_dumps(header, 0);
  json_decref(header);
  const size_t size = text != NULL ? strlen(text) + sizeof lead : 0;
  *line = text != NULL ? malloc(size) : NULL;
  if (*line != NULL) snprintf(*line, size, "%s%s", lead, text);
  free(text);
  return *line != NULL ? ATTCERT_OK : array_out_of_memory(err, size, "the first line of a sweep");
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* The first entry of `expected` whose value in `found` is another one; NULL when there is none. */
static const char *first_difference(json_t *expected, json_t *found) {
  const char *key;
  json_t *value;
  json_object_foreach(expected, key, value) {
    if (!json_equal(value, json_object_get(found, key))) return key;
  }
  return NULL;
}

static attcert_status refuse_entry(json_t *expected, json_t *found, const char *path, attcert_error *err) {
  const char *const key = first_difference(expected, found);
  if (key == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: its first line has other entries than this sweep's", path);
  char *const wanted = json_dumps(json_object_get(expected, key), JSON_ENCODE_ANY);
  char *const present = json_dumps(json_object_get(found, key), JSON_ENCODE_ANY);
  attcert_fail(err, ATTCERT_INPUT, "%s: holds another sweep: \"%s\" is %.300s, expected %.300s", path, key,
               present != NULL ? present : "missing", wanted != NULL ? wanted : "something else");
  free(wanted);
  free(present);
  return ATTCERT_INPUT;
}

attcert_status sweep_header_refuse(const char *expected, const char *found, const char *path, attcert_error *err) {
  json_t *const wanted = json_loads(expected + LEAD_LENGTH, JSON_REJECT_DUPLICATES, NULL);
  json_t *const present =
      strncmp(found, lead, LEAD_LENGTH) == 0 ? json_loads(found + LEAD_LENGTH, JSON_REJECT_DUPLICATES, NULL) : NULL;
  attcert_status status;
  if (wanted == NULL)
    status = array_out_of_memory(err, 0, "the first line of %s", path);
  else if (!json_is_object(present))
    status = attcert_fail(err, ATTCERT_INPUT, "%s: is not the file of a sweep, expected a first line '# {...}'", path);
  else
    status = refuse_entry(wanted, present, path, err);
  json_decref(wanted);
  json_decref(present);
  return status;
}
