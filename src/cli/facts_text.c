/* Facts as text. */
#include "cli/facts.h"

static void print_value(FILE *out, const json_t *value) {
  if (json_is_string(value)) {
    fputs(json_string_value(value), out);
  } else if (json_is_integer(value)) {
    fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
  } else { /* a list of integers: a shape */
    size_t i;
    json_t *item;
    fputc('[', out);
    json_array_foreach(value, i, item) {
      if (i > 0) fputs(", ", out);
      print_value(out, item);
    }
    fputc(']', out);
  }
}

static void print_item(FILE *out, json_t *item) {
  const char *name;
  json_t *value;
  json_object_foreach(item, name, value) {
    fputs("  ", out);
    print_value(out, value);
  }
  fputc('\n', out);
}

void facts_print_text(FILE *out, json_t *facts) {
  const char *name;
  json_t *value, *item;
  size_t i;
  json_object_foreach(facts, name, value) {
    if (json_is_array(value)) {
      if (json_array_size(value) > 0) fprintf(out, "%s\n", name);
      json_array_foreach(value, i, item) print_item(out, item);
    } else {
      fprintf(out, "%-11s", name);
      print_value(out, value);
      fputc('\n', out);
    }
  }
}
