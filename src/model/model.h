/* A transformer model: a Hugging Face directory (config.json, and model.safetensors or the shards that
 * model.safetensors.index.json names; model_type one of MODEL_TYPES), or a random initialisation "random:bert" /
 * "random:gpt2[:d,heads,layers]". */
#ifndef ATTCERT_MODEL_MODEL_H
#define ATTCERT_MODEL_MODEL_H

#include "attcert.h"
#include "model/format/sha256.h"

typedef enum {
  MODEL_BERT,
  MODEL_GPT2,
  MODEL_ROBERTA,
  MODEL_ELECTRA,
  MODEL_DISTILBERT,
  MODEL_ALBERT,
  MODEL_VIT,
  MODEL_DEIT,
  MODEL_GPT_NEO,
  MODEL_OPT,
  MODEL_FAMILY_COUNT
} model_family;

/* Their model_type in config.json, as an error message would list them. */
#define MODEL_TYPES "bert, gpt2, roberta, electra, distilbert, albert, vit, deit, gpt_neo or opt"

const char *model_family_name(model_family family);

typedef struct model model; /* opaque */

typedef struct {
  model_family family;
  int dim, heads, layers, vocabulary, positions; /* vocabulary = 0: no embedding table */
  int hidden_dim;                                /* width of the feed-forward part */
} model_shape;

attcert_status model_open(model **m, const char *spec, uint64_t seed, attcert_error *err);
void model_close(model *m);
model_shape model_get_shape(const model *m);

/* The attention of layer l with its output projection; the mask is the model's (gpt2, gpt_neo, opt: causal; others:
 * none, or causal where config.json says is_decoder). ATTCERT_INPUT where it is another function than attcert_layer's,
 * such as the local attention of a gpt_neo: model_attention_text says which one it is. */
attcert_status model_layer(attcert_layer *layer, const model *m, int l, attcert_error *err);

/* In words: the mask, the scale of the scores, whose tensors they are. */
enum { MODEL_ATTENTION_TEXT_SIZE = 160 };
void model_attention_text(char text[MODEL_ATTENTION_TEXT_SIZE], const model *m, int l);

/* The input X (n x d) of layer l's attention on the token sequence: embeddings, then layers 0 .. l-1 in double, then
 * (where it comes first) layer l's first LayerNorm. */
attcert_status model_layer_input(attcert_matrix *x, const model *m, int l, const int *tokens, int n,
                                 attcert_error *err);

/* The same from the hidden states entering layer 0 instead of tokens (models without an embedding table). */
attcert_status model_layer_input_from(attcert_matrix *x, const model *m, int l, const attcert_matrix *hidden,
                                      attcert_error *err);

/* The hidden states (n x d) that enter layer 0: of tokens, or a checked copy of `hidden`. */
attcert_status model_hidden_states(attcert_matrix *x, const model *m, const int *tokens, int n, attcert_error *err);
attcert_status model_hidden_states_from(attcert_matrix *x, const model *m, const attcert_matrix *hidden,
                                        attcert_error *err);

/* gain [d]: gamma of the LayerNorm whose output is layer l's attention input: its own where that comes first, else the
 * one that ends the block before, or the embeddings'. ATTCERT_INPUT where there is none. */
attcert_status model_attention_gain(double *gain, const model *m, int l, attcert_error *err);

/* Files the model was read from, config.json first; count 0 for random models. */
int model_file_count(const model *m);
const char *model_file_path(const model *m, int i);

/* Their SHA-256. What is read from them later is checked by the next call: ATTCERT_INPUT when somebody wrote into a
 * file since the model was opened. */
attcert_status model_file_digest(char sha256[SHA256_HEX_SIZE], const model *m, int i, attcert_error *err);
attcert_status model_check_files(const model *m, attcert_error *err);

#endif
