#include "report/rows/row_header.h"

#include "base/arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char lead[] = "# ";
enum { LEAD_LENGTH = sizeof lead - 1 };

/* ---- writing ----------------------------------------------------------------------------------------------------- */

json_t *row_header_name(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  size_t first = length;
  while (first > 0 && path[first - 1] != '/') first--;
  json_t *const name = json_stringn(path + first, length - first);
  return name != NULL ? name : json_string("(not UTF-8)");
}

json_t *row_header_files(const report_subject *s) {
  json_t *const list = json_array();
  for (int i = 0; i < s->file_count; i++) {
    json_t *const file = json_object();
    json_object_set_new(file, "role", json_string(s->files[i].role));
    json_object_set_new(file, "name", row_header_name(s->files[i].path));
    json_object_set_new(file, "sha256", json_string(s->files[i].sha256));
    json_array_append_new(list, file);
  }
  return list;
}

attcert_status row_header_line(char **line, json_t *header, attcert_error *err) {
  char *const text = json_dumps(header, 0);
  json_decref(header);
  const size_t size = text != NULL ? strlen(text) + sizeof lead : 0;
  *line = text != NULL ? malloc(size) : NULL;
  if (*line != NULL) snprintf(*line, size, "%s%s", lead, text);
  free(text);
  return *line != NULL ? ATTCERT_OK : array_out_of_memory(err, size, "the first line of a file of rows");
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

static attcert_status refuse_entry(json_t *expected, json_t *found, const char *path, const char *kind,
                                   attcert_error *err) {
  const char *const key = first_difference(expected, found);
  if (key == NULL)
    return attcert_fail(err, ATTCERT_INPUT, "%s: its first line has other entries than this %s's", path, kind);
  char *const wanted = json_dumps(json_object_get(expected, key), JSON_ENCODE_ANY);
  char *const present = json_dumps(json_object_get(found, key), JSON_ENCODE_ANY);
  attcert_fail(err, ATTCERT_INPUT, "%s: holds another %s: \"%s\" is %.300s, expected %.300s", path, kind, key,
               present != NULL ? present : "missing", wanted != NULL ? wanted : "something else");
  free(wanted);
  free(present);
  return ATTCERT_INPUT;
}

attcert_status row_header_refuse(const char *expected, const char *found, const char *path, const char *kind,
                                 attcert_error *err) {
  json_t *const wanted = json_loads(expected + LEAD_LENGTH, JSON_REJECT_DUPLICATES, NULL);
  json_t *const present =
      strncmp(found, lead, LEAD_LENGTH) == 0 ? json_loads(found + LEAD_LENGTH, JSON_REJECT_DUPLICATES, NULL) : NULL;
  attcert_status status;
  if (wanted == NULL)
    status = array_out_of_memory(err, 0, "the first line of %s", path);
  else if (!json_is_object(present))
    status =
        attcert_fail(err, ATTCERT_INPUT, "%s: is not the file of a %s, expected a first line '# {...}'", path, kind);
  else
    status = refuse_entry(wanted, present, path, kind, err);
  json_decref(wanted);
  json_decref(present);
  return status;
}
