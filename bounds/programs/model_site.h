/* A layer of a model at a real input, and the LayerNorm beside it. */
#ifndef ATTCERT_BOUNDS_PROGRAMS_MODEL_SITE_H
#define ATTCERT_BOUNDS_PROGRAMS_MODEL_SITE_H

#include "layernorm_enclosure.h"
#include "model/model.h"

typedef struct {
  model *model;
  int layer;
  attcert_layer attention;
  attcert_matrix hidden; /* n x d: the hidden states entering layer 0 */
  attcert_matrix x;      /* n x d: the input of the layer's attention */
} model_site;

/* spec: as of model_open. source: a text (read with the tokenizer of the model's folder, byte by byte for a random
 * model, from token `offset` on), or an .npy file of hidden states; its first n tokens. Errors: as of model/model.h. */
attcert_status model_site_open(model_site *s, const char *spec, int layer, const char *source, int offset, int n,
                               attcert_error *err);
void model_site_close(model_site *s);

/* The same from the words of a command line. */
#define MODEL_SITE_USAGE "MODEL LAYER SOURCE OFFSET N"
enum { MODEL_SITE_WORDS = 5 };
attcert_status model_site_open_words(model_site *s, char **word, attcert_error *err);

/* A model's folder without those above it. */
const char *model_site_name(const char *spec);

/* The LayerNorm whose output the attention reads, and its input h (n x d): GPT-2's ln_1; in BERT, from layer 1 on, the
 * last one of the layer before. ATTCERT_INPUT for BERT's layer 0. */
attcert_status model_site_layernorm_before(layernorm *ln, attcert_matrix *h, const model_site *s, attcert_error *err);

/* The LayerNorm that BERT applies to x + f(x). ATTCERT_INPUT for GPT-2, which has none there. */
attcert_status model_site_layernorm_after(layernorm *ln, const model_site *s, attcert_error *err);

#endif
