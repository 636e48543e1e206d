#include "robust/signs.h"

#include "base/arrays.h"
#include "robust/gradient.h"

#include <stdlib.h>
#include <string.h>

static int inputs_of(const robust_network *network) {
  return network_cols(&network->steps, network->signs.plain.input[0]);
}

static step *last_step(robust_network *network) {
  return &network->steps.step[network->steps.count - 1];
}

/* The network's own last step again, kept from the first time on. */
static attcert_status restore(robust_network *network, attcert_error *err) {
  robust_signs *const signs = &network->signs;
  step *const last = last_step(network);
  const size_t rows = (size_t)network->labels + 1;
  if (signs->plain.kind == NULL) signs->plain = *last;
  *last = signs->plain;
  if (signs->sign != NULL) return ATTCERT_OK;
  network_builder b = {.network = &network->steps, .err = err};
  signs->weight = network_new(&b, rows * (size_t)inputs_of(network), sizeof(double));
  signs->bias = network_new(&b, rows, sizeof(double));
  signs->weights = network_new(&b, 1, sizeof(affine_weights));
  signs->sign = network_new(&b, rows - 1, sizeof(double));
  return b.status;
}

/* The sign that is certain, or the one on which there is more of the enclosure. */
static attcert_status find_signs(robust_network *network, const attcert_matrix *x, int label, attcert_error *err) {
  const int labels = network->labels;
  range *const score = array_new((size_t)labels, sizeof *score, err, "the scores of %d labels", labels);
  if (score == NULL) return ATTCERT_RESOURCE;
  const attcert_status status = robust_gradient_scores(score, &network->steps, x, err);
  for (int k = 0; k < labels && status == ATTCERT_OK; k++) {
    const double sign = score[k].hi >= -score[k].lo ? 1.0 : -1.0;
    network->signs.sign[k] = label < 0 || label == k ? sign : 0.0;
  }
  free(score);
  return status;
}

/* Row 0 stays zero. */
static void orient(robust_network *network) {
  const robust_signs *const signs = &network->signs;
  const affine_weights *const plain = signs->plain.of;
  const size_t in = (size_t)inputs_of(network);
  size_t row = 1;
  for (int k = 0; k < network->labels; k++) {
    const double sign = signs->sign[k];
    if (sign == 0.0) continue;
    for (size_t a = 0; a < in; a++) signs->weight[row * in + a] = -sign * plain->weight[(size_t)k * in + a];
    signs->bias[row] = plain->bias != NULL ? -sign * plain->bias[k] : 0.0;
    row++;
  }
  *signs->weights = (affine_weights){signs->weight, signs->bias};
  last_step(network)->of = signs->weights;
  last_step(network)->cols = (int)row;
}

attcert_status robust_signs_settle(int *winner, robust_network *network, const attcert_matrix *x, int label,
                                   attcert_error *err) {
  *winner = network->each_sign ? 0 : label;
  if (!network->each_sign) return ATTCERT_OK;
  attcert_status status = restore(network, err);
  if (status == ATTCERT_OK) status = find_signs(network, x, label, err);
  if (status == ATTCERT_OK) orient(network);
  return status;
}

int robust_signs_label(const robust_network *network, int c) {
  int k = -1;
  if (!network->each_sign) return c;
  for (int seen = 0; seen < c;) seen += network->signs.sign[++k] != 0.0;
  return k;
}
