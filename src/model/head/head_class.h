/* The classes that config.json's key 'architectures' names: those whose head is computed here, and the bare models. */
#ifndef ATTCERT_MODEL_HEAD_HEAD_CLASS_H
#define ATTCERT_MODEL_HEAD_HEAD_CLASS_H

#include "model/family/family.h"

/* Whether the family has a class of that name; then, its kind. */
bool head_class_find(head_kind *kind, const model_family *family, const char *name);

/* The family's classes that have a head, as an error message lists them: "A, B or C". */
enum { HEAD_CLASSES_TEXT_SIZE = 512 };
const char *head_class_list(char text[HEAD_CLASSES_TEXT_SIZE], const model_family *family);

#endif
