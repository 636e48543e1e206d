#include "robust/network.h"

#include "model/model_maps.h"
#include "model/model_steps.h"
#include "network/activation/step_activation.h"
#include "network/join/step_join.h"
#include "network/mean/step_mean.h"
#include "network/select/step_select.h"

/* The row that the head reads, or every row, behind the final LayerNorm. */
static int add_pooled(network_builder *b, int x, const model *m, const model_head *head, int token) {
  const char *const norm = m->config.family->final_norm;
  if (!head->mean && token != ROBUST_EVERY_TOKEN) x = step_select_add(b, x, token);
  if (norm != NULL) x = model_norm(b, x, m, norm);
  if (!head->mean) return x;
  const int mean = step_mean_add(b, x, head->from);
  return head->joined ? step_join_add(b, step_select_add(b, x, 0), mean) : mean;
}

/* The map before the classifier with its activation and norm, the classifier. */
static void add_head(network_builder *b, int x, const model *m, const model_head *head) {
  const tensor_source beside = tensor_source_beside(&m->source);
  const tensor_source *const of_scores = head->of_model ? &m->source : &beside;
  if (head->mapped) {
    const tensor_source *const source = head->map_of_model ? &m->source : &beside;
    x = model_map(b, x, source, linear_read, head->map, head->map_biased, head->map_cols);
    x = step_activation_add(b, x, head->curve);
    if (head->norm != NULL) x = model_norm_of(b, x, m, &beside, head->norm);
  }
  if (head->bias != NULL)
    model_map_beside(b, x, of_scores, head->classifier, &beside, head->bias, head->labels);
  else
    model_map(b, x, of_scores, linear_read, head->classifier, head->biased, head->labels);
}

/* From the hidden states that enter layer l. */
static attcert_status add_network(network_steps *steps, const model *m, const model_head *head, int l, int token,
                                  attcert_error *err) {
  const int layers = m->config.layers, alone = head->mean ? -1 : token;
  network_builder b = {.network = steps, .err = err, .layer = l};
  int x = 0;
  for (; b.layer < layers && b.status == ATTCERT_OK; b.layer++)
    x = model_block(&b, x, m, b.layer, b.layer == layers - 1 ? alone : -1);
  b.layer = -1;
  add_head(&b, add_pooled(&b, x, m, head, token), m, head);
  return b.status;
}

attcert_status robust_network_open(robust_network *network, const model *m, const model_head *head, int tokens,
                                   int token, attcert_error *err) {
  *network = (robust_network){.steps = {.tokens = tokens, .dim = m->config.dim},
                              .token = token,
                              .labels = head->labels,
                              .each_sign = head->each_sign};
  return add_network(&network->steps, m, head, 0, token, err);
}

static attcert_status open_logits(network_steps *steps, model_head *head, const model *m, const robust_function *of,
                                  attcert_error *err) {
  int token;
  *steps = (network_steps){.tokens = of->tokens, .dim = m->config.dim};
  attcert_status status = model_check_layer(m, of->layer, err);
  if (status == ATTCERT_OK) status = model_head_open(head, m, of->architecture, err);
  if (status == ATTCERT_OK) status = model_head_token(&token, head, of->token, of->tokens, err);
  return status == ATTCERT_OK ? add_network(steps, m, head, of->layer, token, err) : status;
}

attcert_status robust_function_open(network_steps *steps, model_head *head, const model *m, const robust_function *of,
                                    attcert_error *err) {
  *head = (model_head){.kind = HEAD_NONE};
  if (of->function == MODEL_LOGITS) return open_logits(steps, head, m, of, err);
  return model_function_open(steps, m, of->function, of->layer, of->tokens, err);
}

int robust_network_classes(const robust_network *network) {
  return network_cols(&network->steps, network->steps.count);
}

void robust_network_clear(robust_network *network) {
  network_clear(&network->steps);
  *network = (robust_network){0};
}
