#include "cli/source/source_inputs.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static attcert_status split(source_inputs *s, attcert_error *err) {
  for (char *name = s->text; name != NULL;) {
    char *const comma = strchr(name, ',');
    if (comma != NULL) *comma = '\0';
    if (*name == '\0')
      return attcert_fail(err, ATTCERT_INPUT, "--input: an empty name, expected files with commas between them");
    s->path[s->count++] = name;
    name = comma != NULL ? comma + 1 : NULL;
  }
  return ATTCERT_OK;
}

attcert_status source_inputs_read(source_inputs *s, const char *text, attcert_error *err) {
  size_t names = 1;
  *s = (source_inputs){0};
  if (text == NULL) return ATTCERT_OK;
  for (const char *c = text; *c != '\0'; c++) names += *c == ',';
  s->text = strdup(text);
  s->path = array_new(names, sizeof *s->path, err, "a list of %zu inputs", names);
  if (s->text == NULL) return array_out_of_memory(err, strlen(text) + 1, "the names of the inputs");
  if (s->path == NULL) return ATTCERT_RESOURCE;
  if (names > 1 && access(text, F_OK) != 0) return split(s, err);
  s->path[s->count++] = s->text;
  return ATTCERT_OK;
}

void source_inputs_clear(source_inputs *s) {
  free(s->text);
  free(s->path);
  *s = (source_inputs){0};
}
