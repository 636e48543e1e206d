/* What a model is made of; shared by model.c (opening, layers) and model_input.c (the forward pass). */
#ifndef ATTCERT_MODEL_MODEL_PARTS_H
#define ATTCERT_MODEL_MODEL_PARTS_H

#include "model/model.h"
#include "model/transformer.h"

struct model {
  model_config config;
  const transformer *family;
  tensor_source source;
  char *spec;          /* as it was asked for, for messages */
  char *config_path;   /* NULL for random models */
  tensor_files *files; /* likewise */
  bool embeddings;     /* whether there is an embedding table */
};

attcert_status model_check_layer(const model *m, int l, attcert_error *err);

/* The two halves of the forward pass. x, allocated, becomes the hidden states entering layer 0 ... */
attcert_status model_embed(attcert_matrix *x, const model *m, const int *tokens, int n, attcert_error *err);
/* ... and those entering layer l, in place; l = layers runs the whole model. */
attcert_status model_run_blocks(attcert_matrix *x, const model *m, int l, attcert_error *err);

#endif
