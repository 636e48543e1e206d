#include "model/model_function.h"

#include "model/model_steps.h"

const char *const model_function_names[] = {"attention", "sublayer", "block", "network", "logits", NULL};

const char *const model_function_texts[] = {
    "the layer's attention with its output projection, no norm and no residual sum",
    "the layer's attention with its norm and residual sum",
    "the whole block: attention, feed-forward part, norms and residual sums",
    "all blocks up to this one, from the hidden states that enter layer 0",
    "all blocks from this one on, and the head's scores",
};

bool model_has_plain_heads(const model *m, int l) {
  return model_config_has_plain_heads(&m->config, l);
}

static int add_block(network_builder *b, int value, const model *m, int l) {
  b->layer = l;
  return model_block(b, value, m, l, -1);
}

/* Its value's number. */
static int add_function(network_builder *b, const model *m, model_function function, int l) {
  if (function == MODEL_ATTENTION) return model_attend(b, 0, m, l, -1);
  if (function == MODEL_SUBLAYER) return model_attention(b, 0, m, l, -1);
  int value = 0;
  for (int i = function == MODEL_BLOCK ? l : 0; i <= l; i++) value = add_block(b, value, m, i);
  return value;
}

attcert_status model_function_open(network_steps *network, const model *m, model_function function, int l, int n,
                                   attcert_error *err) {
  *network = (network_steps){.tokens = n, .dim = m->config.dim};
  network_builder b = {.network = network, .err = err, .layer = l};
  b.status = model_check_layer(m, l, err);
  if (b.status != ATTCERT_OK) return b.status;
  add_function(&b, m, function, l);
  return b.status;
}

attcert_status model_function_value(attcert_matrix *x, const model *m, model_function function, int l,
                                    attcert_error *err) {
  network_steps network;
  const attcert_status status = model_check_layer(m, l, err);
  if (status != ATTCERT_OK) return status;
  network_builder b = network_run(&network, x, err);
  return network_run_end(x, &b, add_function(&b, m, function, l));
}

/* From the hidden states that enter layer 0, in place; *x is cleared after a failure. */
static attcert_status run_to_block(attcert_matrix *x, const model *m, model_function function, int l,
                                   attcert_error *err) {
  const attcert_status status = model_run_blocks(x, m, function == MODEL_NETWORK ? 0 : l, err);
  if (status != ATTCERT_OK) attcert_matrix_clear(x);
  return status;
}

attcert_status model_function_input(attcert_matrix *x, const model *m, model_function function, int l,
                                    const int *tokens, int n, attcert_error *err) {
  if (function == MODEL_ATTENTION) return model_layer_input(x, m, l, tokens, n, err);
  *x = (attcert_matrix){0};
  attcert_status status = model_check_layer(m, l, err);
  if (status == ATTCERT_OK) status = model_hidden_states(x, m, tokens, n, err);
  return status == ATTCERT_OK ? run_to_block(x, m, function, l, err) : status;
}

attcert_status model_function_input_from(attcert_matrix *x, const model *m, model_function function, int l,
                                         const attcert_matrix *hidden, attcert_error *err) {
  if (function == MODEL_ATTENTION) return model_layer_input_from(x, m, l, hidden, err);
  *x = (attcert_matrix){0};
  attcert_status status = model_check_layer(m, l, err);
  if (status == ATTCERT_OK) status = model_hidden_states_from(x, m, hidden, err);
  return status == ATTCERT_OK ? run_to_block(x, m, function, l, err) : status;
}
