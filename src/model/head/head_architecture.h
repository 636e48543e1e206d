/* The classes that config.json's key 'architectures' names, by what reads the last hidden states: only those whose
 * head is computed here, and the bare models, which have none. */
#ifndef ATTCERT_MODEL_HEAD_HEAD_ARCHITECTURE_H
#define ATTCERT_MODEL_HEAD_HEAD_ARCHITECTURE_H

#include "model/model.h"

typedef enum {
  HEAD_NONE,       /* a bare model */
  HEAD_NEXT_TOKEN, /* a score for each token of the vocabulary to come next */
  HEAD_SEQUENCE,   /* a score for each label of the whole input */
  HEAD_TOKEN       /* a score for each label of one token */
} head_kind;

typedef struct {
  const char *name; /* of the class, as in transformers */
  model_family family;
  head_kind kind;
} head_architecture;

/* The family's class of that name; NULL: there is none here. */
const head_architecture *head_architecture_find(model_family family, const char *name);

/* The first class of the family with that head. */
const head_architecture *head_architecture_of(model_family family, head_kind kind);

/* The family's classes that have a head, as an error message lists them: "A, B or C". */
enum { HEAD_ARCHITECTURES_TEXT_SIZE = 512 };
const char *head_architecture_list(char text[HEAD_ARCHITECTURES_TEXT_SIZE], model_family family);

#endif
