#include "model/head/label_names.h"

#include "base/arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char key[] = "id2label";

static attcert_status refuse(const json_file *file, const char *what, attcert_error *err) {
  return attcert_fail(err, ATTCERT_INPUT, "%s: key '%s' %s, expected {\"0\": NAME, \"1\": NAME, ..}, a name a label",
                      file->path, key, what);
}

/* A file has each key once: as many of them as labels, none beyond, are all of them. */
attcert_status label_names_read(label_names *names, const json_file *file, attcert_error *err) {
  const json_t *const object = json_object_get(file->root, key);
  const size_t count = json_object_size(object);
  *names = (label_names){0};
  if (!json_file_has(file, key)) return ATTCERT_OK;
  if (!json_is_object(object) || count > ATTCERT_SIDE_MAX) return refuse(file, "is no such object", err);
  if (count == 0) return ATTCERT_OK;
  names->name = array_new(count, sizeof *names->name, err, "the names of %zu labels", count);
  if (names->name == NULL) return ATTCERT_RESOURCE;
  names->count = (int)count;
  for (int k = 0; k < names->count; k++) {
    char number[16];
    snprintf(number, sizeof number, "%d", k);
    const json_t *const name = json_object_get(object, number);
    if (name == NULL) return refuse(file, "leaves out a label", err);
    if (!json_is_string(name)) return refuse(file, "has a name that is no string", err);
    names->name[k] = strdup(json_string_value(name));
    if (names->name[k] == NULL) return array_out_of_memory(err, json_string_length(name) + 1, "the name of a label");
  }
  return ATTCERT_OK;
}

void label_names_clear(label_names *names) {
  for (int k = 0; k < names->count; k++) free(names->name[k]);
  free(names->name);
  *names = (label_names){0};
}

const char *label_names_at(const label_names *names, int k) {
  return k >= 0 && k < names->count ? names->name[k] : NULL;
}

int label_names_find(int *label, const label_names *names, const char *name) {
  int found = 0;
  for (int k = names->count - 1; k >= 0; k--) {
    if (strcmp(names->name[k], name) != 0) continue;
    *label = k;
    found++;
  }
  return found;
}
