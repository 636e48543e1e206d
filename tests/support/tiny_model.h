/* Two-layer BERT and GPT-2 models with random weights, d = 6, 3 heads, feed-forward width 10, 11 tokens, 5 positions; and what
 * they compute, written a second time from their definition, entry by entry in long double, on the stored tensors. */
#ifndef ATTCERT_TESTS_TINY_MODEL_H
#define ATTCERT_TESTS_TINY_MODEL_H

#include "random_source.h"
#include "tensor_list.h"

enum { TINY_DIM = 6, TINY_HEADS = 3, TINY_LAYERS = 2, TINY_HIDDEN = 10, TINY_VOCABULARY = 11, TINY_POSITIONS = 5 };

extern const char *const tiny_bert_config, *const tiny_gpt2_config; /* config.json */
extern const double tiny_bert_epsilon, tiny_gpt2_epsilon;

void tiny_bert_init(tensor_list *model, random_source *r);
void tiny_gpt2_init(tensor_list *model, random_source *r);

/* x (n x d): the hidden states entering layer 0; then, in place, those after block l; then what layer l's attention reads. */
void tiny_bert_embed(long double *x, const tensor_list *model, const int *tokens, int n);
void tiny_gpt2_embed(long double *x, const tensor_list *model, const int *tokens, int n);
void tiny_bert_block(long double *x, const tensor_list *model, int l, int n);
void tiny_gpt2_block(long double *x, const tensor_list *model, int l, int n);
void tiny_gpt2_attention_input(long double *x, const tensor_list *model, int l, int n);

/* Attention of layer l with its output projection: y = f(x), n x d. */
void tiny_bert_attention(long double *y, const long double *x, const tensor_list *model, int l, int n);
void tiny_gpt2_attention(long double *y, const long double *x, const tensor_list *model, int l, int n);

#endif
