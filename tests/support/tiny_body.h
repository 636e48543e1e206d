/* Any of the tiny models (tiny_model.h, tiny_relative.h) without a head: its configuration, its tensors and its blocks,
 * in one form. */
#ifndef ATTCERT_TESTS_SUPPORT_TINY_BODY_H
#define ATTCERT_TESTS_SUPPORT_TINY_BODY_H

#include "tiny_model.h"
#include "tiny_relative.h"

typedef struct {
  const char *type, *prefix, *config;
  int dim;
  double epsilon;
  const char *words;             /* the tensor of the word table; NULL: none */
  tensor_list tensors;           /* the final LayerNorm among them, where the type has one and its file says so */
  const tiny_family *family;     /* BERT and GPT-2, or ... */
  const tiny_relative *relative; /* ... another one */
} tiny_body;

enum { TINY_BODY_TOKENS = 5 };

/* Body number `index` with random weights; false: there are no more. */
bool tiny_body_init(tiny_body *body, int index, random_source *r);
void tiny_body_clear(tiny_body *body);

/* All blocks, in place: x is n x dim. */
void tiny_body_run(long double *x, const tiny_body *body, int n);

/* config.json, with `keys` such as "\"architectures\": [\"BertModel\"], " first, and model.safetensors. Where asked the
 * family's prefix precedes all names but those of heads, as transformers stores them. */
void tiny_body_write(const temp_folder *folder, const tiny_body *body, const char *keys, bool prefixed);

#endif
