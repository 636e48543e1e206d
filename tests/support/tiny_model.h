/* Two-layer BERT and GPT-2 models with random weights, d = 6, 3 heads, feed-forward width 10, 11 tokens, 5 positions;
 * and what they compute, written a second time from their definition, entry by entry in long double, on the stored
 * tensors. */
#ifndef ATTCERT_TESTS_SUPPORT_TINY_MODEL_H
#define ATTCERT_TESTS_SUPPORT_TINY_MODEL_H

#include "model/model.h"
#include "random_source.h"
#include "tensor_list.h"

enum { TINY_DIM = 6, TINY_HEADS = 3, TINY_LAYERS = 2, TINY_HIDDEN = 10, TINY_VOCABULARY = 11, TINY_POSITIONS = 5 };

typedef struct {
  const char *name, *prefix;
  const char *config; /* the text of config.json */
  void (*init)(tensor_list *tensors, random_source *r);
  /* x (n x d) becomes the hidden states entering layer 0; ... */
  void (*embed)(long double *x, const tensor_list *tensors, const int *tokens, int n);
  /* ... those after block l; ... */
  void (*block)(long double *x, const tensor_list *tensors, int l, int n);
  /* ... or what layer l's attention reads. */
  void (*attention_input)(long double *x, const tensor_list *tensors, int l, int n);
  /* Attention of layer l with its output projection: y = f(x), n x d. */
  void (*attention)(long double *y, const long double *x, const tensor_list *tensors, int l, int n);
} tiny_family;

extern const tiny_family tiny_bert, tiny_gpt2;

/* Writes config.json and model.safetensors. */
void tiny_model_write(const temp_folder *folder, const tiny_family *family, const tensor_list *tensors,
                      const char *prefix);

#endif
