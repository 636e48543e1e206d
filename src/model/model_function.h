/* The functions of a model whose local Lipschitz constants one asks about, as steps, and their inputs. */
#ifndef ATTCERT_MODEL_MODEL_FUNCTION_H
#define ATTCERT_MODEL_MODEL_FUNCTION_H

#include "model/model.h"
#include "network/network.h"

typedef enum {
  MODEL_ATTENTION, /* of a layer, with its output projection: no norm, no residual sum */
  MODEL_SUBLAYER,  /* the same with both */
  MODEL_BLOCK,     /* the whole layer: that, then the feed-forward part */
  MODEL_NETWORK,   /* from the hidden states that enter layer 0 to those that leave the layer */
  MODEL_LOGITS,    /* from the hidden states that enter the layer to the scores of the model's head */
  MODEL_FUNCTIONS
} model_function;

/* "attention", ..., as options and reports call them; NULL beyond the last one. */
extern const char *const model_function_names[MODEL_FUNCTIONS + 1];

/* What each is of layer l, in words. */
extern const char *const model_function_texts[MODEL_FUNCTIONS];

/* Whether model_layer has the attention of layer l: of each head keys of its own, no rotary positions, no window ... */
bool model_has_plain_heads(const model *m, int l);

/* The function of layer l on n tokens, but for MODEL_LOGITS, which has a head (robust_function_open). Errors:
 * ATTCERT_INPUT (a tensor that is missing, or of another shape), ATTCERT_RESOURCE. network_clear is due in every
 * case. */
attcert_status model_function_open(network_steps *network, const model *m, model_function function, int l, int n,
                                   attcert_error *err);

/* x becomes the function's value at x, computed in double. Errors: as model_function_open. */
attcert_status model_function_value(attcert_matrix *x, const model *m, model_function function, int l,
                                    attcert_error *err);

/* Its input from tokens, or from hidden states that enter layer 0, computed in double; as model_layer_input. */
attcert_status model_function_input(attcert_matrix *x, const model *m, model_function function, int l,
                                    const int *tokens, int n, attcert_error *err);
attcert_status model_function_input_from(attcert_matrix *x, const model *m, model_function function, int l,
                                         const attcert_matrix *hidden, attcert_error *err);

#endif
