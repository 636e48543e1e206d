/* What a model is made of; shared by model.c (opening, layers), model_connect.c (the names of
 * its tensors) and model_input.c (the forward pass). */
#ifndef ATTCERT_MODEL_MODEL_PARTS_H
#define ATTCERT_MODEL_MODEL_PARTS_H

#include "model/family/family.h"
#include "model/model.h"
#include "model/tensor_source.h"

struct model {
  model_config config;
  tensor_source source;
  char wrapper[TENSOR_NAME_SIZE / 2], prefix[TENSOR_NAME_SIZE / 2]; /* the source's */
  char *spec;                                                       /* as it was asked for, for messages */
  char *folder;                                                     /* of it; NULL for random models */
  const char *tower;                                                /* which of two, in spec; NULL: none is named */
  json_file file;                                                   /* config.json; empty for random models */
  tensor_files *files;                                              /* NULL for random models */
  bool embeddings;                                                  /* whether there is an embedding table */
};

/* Sets the source, with the prefixes that the files carry. */
void model_connect(model *m, uint64_t seed);

attcert_status model_check_layer(const model *m, int l, attcert_error *err);

/* The two halves of the forward pass. x, allocated, becomes the hidden states entering layer 0 ... */
attcert_status model_embed(attcert_matrix *x, const model *m, const int *tokens, int n, attcert_error *err);
/* ... and those entering layer l, in place; l = layers runs the whole model. */
attcert_status model_run_blocks(attcert_matrix *x, const model *m, int l, attcert_error *err);

#endif
