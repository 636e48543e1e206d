/* Masks and biases for the attentions of a random network. */
#include "network/attention/step_attention.h"
#include "random_network.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* All of a network have the same windows and numbers of heads and keys. */
static const step *attention_of(const network_steps *network) {
  for (int k = 0; k < network->count; k++)
    if (network->step[k].kind == &step_attention) return &network->step[k];
  fail_msg("no attention");
  return NULL;
}

static void *zeros(size_t count, size_t element) {
  void *const memory = calloc(count, element);
  assert_non_null(memory);
  return memory;
}

/* Keys at random, or in each row only one. */
static bool *draw_mask(int count, random_source *r) {
  bool *const mask = zeros((size_t)count, sizeof *mask);
  const bool alone = random_chance(r, 0.15);
  for (int k = 0; k < count; k++) mask[k] = !alone && random_chance(r, 0.6);
  return mask;
}

/* Small numbers, some that leave a key nothing, and -inf. */
static double *draw_bias(int count, random_source *r) {
  double *const bias = zeros((size_t)count, sizeof *bias);
  const double masked = random_chance(r, 0.5) ? 0.3 : 0.0, far = random_chance(r, 0.2) ? 0.2 : 0.0;
  for (int k = 0; k < count; k++) {
    bias[k] = 1.5 * random_gaussian(r);
    if (random_chance(r, far)) bias[k] = random_chance(r, 0.5) ? -1e4 : -1e9;
    if (random_chance(r, masked)) bias[k] = -INFINITY;
  }
  return bias;
}

void network_case_pair(network_case *c, random_source *r) {
  const step *const attention = attention_of(&c->network);
  const attention_heads *const of = attention->of;
  const int keys = network_rows(&c->network, attention->input[1]), kind = random_integer(r, 0, 2);
  const int n = of->token >= 0 ? keys : attention->rows;
  const int masks = kind == 0 ? 0 : random_chance(r, 0.5) ? 1 : of->heads;
  const int biases = kind == 1 ? 0 : random_chance(r, 0.5) ? 1 : of->heads;
  bool *const mask = masks > 0 ? draw_mask(masks * n * keys, r) : NULL;
  double *const bias = biases > 0 ? draw_bias(biases * n * keys, r) : NULL;
  for (int i = 0; i < n; i++) {
    const step_keys window = attention_heads_keys(of, i, keys);
    const int j = window.first + random_integer(r, 0, window.count - 1);
    for (int h = 0; h < masks; h++) mask[(h * n + i) * keys + j] = true;
    for (int h = 0; h < biases; h++)
      if (bias[(h * n + i) * keys + j] == -INFINITY) bias[(h * n + i) * keys + j] = 0.5;
  }
  c->pairs = (attention_pairs){.rows = n, .keys = keys, .masks = masks, .mask = mask, .biases = biases, .bias = bias};
  attcert_error err = {.message = ""};
  if (attention_pairs_restrict(&c->network, &c->pairs, &err) != ATTCERT_OK) fail_msg("%s: %s", c->name, err.message);
}
