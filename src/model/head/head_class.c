#include "model/head/head_class.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64 };

/* In `name`, the family's class number i: of its first model, then of the next; and its kind. False: it has fewer. */
static bool class_at(char name[NAME_SIZE], head_kind *kind, const model_family *family, int i) {
  int ends = 0;
  while (family->heads[ends].end != NULL) ends++;
  if (i >= FAMILY_TYPES * ends || family->type[i / ends].class == NULL) return false;
  snprintf(name, NAME_SIZE, "%s%s", family->type[i / ends].class, family->heads[i % ends].end);
  *kind = family->heads[i % ends].kind;
  return true;
}

bool head_class_find(head_kind *kind, const model_family *family, const char *name) {
  char class[NAME_SIZE];
  for (int i = 0; class_at(class, kind, family, i); i++) {
    if (strcmp(class, name) == 0) return true;
  }
  return false;
}

const char *head_class_list(char text[HEAD_CLASSES_TEXT_SIZE], const model_family *family) {
  char class[NAME_SIZE];
  head_kind kind;
  int left = 0, length = 0;
  text[0] = '\0';
  for (int i = 0; class_at(class, &kind, family, i); i++) left += kind != HEAD_NONE;
  for (int i = 0; class_at(class, &kind, family, i); i++) {
    if (kind == HEAD_NONE) continue;
    left--;
    length += snprintf(text + length, (size_t)(HEAD_CLASSES_TEXT_SIZE - length), "%s%s", class,
                       left > 1    ? ", "
                       : left == 1 ? " or "
                                   : "");
  }
  return text;
}
