/* A transformer model: a Hugging Face directory (config.json, and model.safetensors or the shards that
 * model.safetensors.index.json names; model_type one of MODEL_TYPES, family/families.h), or a random initialisation
 * "random:FAMILY[:d,heads,layers]" (RANDOM_MODELS). Of a folder with two towers, FOLDER:TOWER (MODEL_TOWERS). */
#ifndef ATTCERT_MODEL_MODEL_H
#define ATTCERT_MODEL_MODEL_H

#include "attcert.h"
#include "model/format/sha256.h"

typedef struct model model; /* opaque */

typedef struct {
  const char *family;                            /* its name */
  int dim, heads, layers, vocabulary, positions; /* vocabulary = 0: no embedding table */
  int hidden_dim;                                /* width of the feed-forward part */
  bool transposed;                               /* affine maps are stored as [in, out], turned when they are read */
  bool decoder;                                  /* the word table scores the next token */
  int key_heads, head_dim;                       /* heads of keys and values; entries of each */
  attcert_mask mask;                             /* of its layers */
} model_shape;

/* ATTCERT_INPUT where a key of config.json or a tensor is not known, as it may change the function. */
attcert_status model_open(model **m, const char *spec, uint64_t seed, attcert_error *err);
void model_close(model *m);
model_shape model_get_shape(const model *m);

/* model_type; of a random model, the family's name. */
const char *model_type_name(const model *m);

/* What is made of each tensor of the files, and of each key of config.json: why is NULL where it is read, else says why
 * it has no effect on the layers. A random model has neither. */
typedef void model_use_visitor(void *context, const char *name, const char *why);
void model_visit_tensors(const model *m, model_use_visitor *visit, void *context);
void model_visit_keys(const model *m, model_use_visitor *visit, void *context);

/* The attention of layer l with its output projection; the mask is the model's (decoders: causal; others: none,
 * or causal where config.json says is_decoder). ATTCERT_INPUT where it is another function than attcert_layer's, such
 * as local attention: model_attention_text says which one it is. */
attcert_status model_layer(attcert_layer *layer, const model *m, int l, attcert_error *err);

/* Whether scores are divided by sqrt(k), as attcert_layer's are. Where they are not, the queries of
 * model_layer are the stored ones times sqrt(k), a power of 2, so that its scores are the model's: times
 * 2^model_query_exponent; 0 elsewhere. */
bool model_scores_are_divided(const model *m);
int model_query_exponent(const model *m);

/* In words: the mask, the scale of the scores, whose tensors they are. */
enum { MODEL_ATTENTION_TEXT_SIZE = 512 };
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

/* The folder it was read from; NULL for random models. */
const char *model_folder(const model *m);

/* Files the model was read from, config.json first; count 0 for random models. */
int model_file_count(const model *m);
const char *model_file_path(const model *m, int i);

/* Their SHA-256. What is read from them later is checked by the next call: ATTCERT_INPUT when somebody wrote into a
 * file since the model was opened. */
attcert_status model_file_digest(char sha256[SHA256_HEX_SIZE], const model *m, int i, attcert_error *err);
attcert_status model_check_files(const model *m, attcert_error *err);

#endif
