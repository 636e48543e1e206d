/* Every tensor of a model's files: read by this library, or known not to change the layers and what reaches them (the
 * reason is in the table, and what it must hold), or refused by name: it may change the function, and a certificate
 * would be one of another model. */
#ifndef ATTCERT_MODEL_TENSOR_NAMES_H
#define ATTCERT_MODEL_TENSOR_NAMES_H

#include "model/model_parts.h"

/* Where a name is: under the family's prefix, there in a block, or beside the prefix. */
typedef enum { TENSOR_OF_MODEL, TENSOR_OF_BLOCK, TENSOR_OF_HEAD } tensor_place;

/* NAME; NAME.weight and .bias; those, and .gamma and .beta as older files have it. */
typedef enum { TENSOR_ALONE, TENSOR_MAP, TENSOR_NORM } tensor_form;

/* What it has to hold, so that it has no effect. */
typedef enum {
  TENSOR_ANYTHING,
  TENSOR_TIED,     /* the word table's numbers, where config.json ties them */
  TENSOR_COUNTED,  /* 0, 1, 2, ... */
  TENSOR_ZERO,     /* integers */
  TENSOR_MASK,     /* of its layer's attention */
  TENSOR_MINUS_BIG /* what masked scores become */
} tensor_content;

typedef struct {
  unsigned families; /* a bit a model_family */
  tensor_place place;
  tensor_form form;
  tensor_content content;
  const char *name, *why;
} unread_tensor;

/* Ends with a name of NULL. */
extern const unread_tensor unread_tensor_table[];

/* The tensor that a family's files may store for the word table, or beside it: the weight of the head that predicts
 * words, such as lm_head.weight. NULL: none. */
const char *tensor_names_alias(model_family family);

/* Whether every tensor is known, and what is not read holds what leaves the function as it is. ATTCERT_INPUT names the
 * first other one and counts the rest. The source is connected. */
attcert_status tensor_names_check(const model *m, attcert_error *err);

/* Of a tensor that passes the check: NULL where it is read, else why it has no effect. */
const char *tensor_names_why(const model *m, const char *name);

#endif
