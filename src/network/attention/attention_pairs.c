#include "network/attention/attention_pairs.h"

#include "network/attention/step_attention.h"

#include <math.h>
#include <stdio.h>

/* Number (h, i, j) of a mask or bias; count: of its heads. */
static size_t place_of(const attention_pairs *p, int count, int h, int i, int j) {
  const size_t row = (size_t)(count > 1 ? h : 0) * (size_t)p->rows + (size_t)i;
  return row * (size_t)p->keys + (size_t)j;
}

static bool takes_part(const attention_pairs *p, int h, int i, int j) {
  if (p->masks > 0 && !p->mask[place_of(p, p->masks, h, i, j)]) return false;
  return p->biases == 0 || p->bias[place_of(p, p->biases, h, i, j)] > -INFINITY;
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static attcert_status check_bias(const attention_pairs *p, attcert_error *err) {
  for (int h = 0; h < p->biases; h++)
    for (int i = 0; i < p->rows; i++)
      for (int j = 0; j < p->keys; j++) {
        const double b = p->bias[place_of(p, p->biases, h, i, j)];
        if (b < INFINITY) continue;
        return attcert_fail(err, ATTCERT_INPUT,
                            "bias: entry (%d, %d, %d) of head, query and key is %s, expected a finite number, or -inf "
                            "for a key that takes no part",
                            h, i, j, isnan(b) ? "nan" : "inf");
      }
  return ATTCERT_OK;
}

static attcert_status check_heads(const char *name, int count, int heads, attcert_error *err) {
  if (count <= 1 || count == heads) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: of %d heads, expected one for all or one for each of %d", name, count,
                      heads);
}

static attcert_status check_pairs(const attention_pairs *p, const network_steps *network, const step *s,
                                  attcert_error *err) {
  const attention_heads *const of = s->of;
  const int keys = network_rows(network, s->input[1]), rows = of->token >= 0 ? keys : s->rows;
  attcert_status status = check_heads("mask", p->masks, of->heads, err);
  if (status == ATTCERT_OK) status = check_heads("bias", p->biases, of->heads, err);
  if (status != ATTCERT_OK || (rows == p->rows && keys == p->keys)) return status;
  return attcert_fail(err, ATTCERT_INPUT, "%s: of %d queries and %d keys, expected %d and %d",
                      p->masks > 0 ? "mask" : "bias", p->rows, p->keys, rows, keys);
}

/* ---- lists of keys ----------------------------------------------------------------------------------------------- */

/* 0: nothing is masked. */
static int count_lists(const attention_pairs *p) {
  const size_t numbers = (size_t)p->biases * (size_t)p->rows * (size_t)p->keys;
  bool masked = false;
  for (size_t k = 0; k < numbers && !masked; k++) masked = p->bias[k] == -INFINITY;
  const int of_bias = masked ? p->biases : 0;
  return p->masks > of_bias ? p->masks : of_bias;
}

/* Those of token i that head h attends to; returns how many. */
static size_t list_keys(int *key, const attention_pairs *p, const attention_heads *of, int h, int i) {
  const step_keys all = attention_heads_keys(of, i, p->keys);
  size_t count = 0;
  for (int j = all.first; j < all.first + all.count; j++)
    if (takes_part(p, h, i, j)) key[count++] = j;
  return count;
}

static attcert_status refuse_row(int h, int i, int lists, attcert_error *err) {
  char head[32] = "";
  if (lists > 1) snprintf(head, sizeof head, "head %d, ", h);
  return attcert_fail(err, ATTCERT_INPUT,
                      "mask: %stoken %d attends to no key, whose softmax is 0 / 0: expected one or more", head, i);
}

static attcert_status fill_lists(attention_pair_lists *to, network_builder *b, const attention_pairs *p,
                                 const attention_heads *of) {
  const size_t rows = (size_t)to->lists * (size_t)p->rows;
  size_t *const begin = network_new(b, rows + 1, sizeof *begin);
  int *const key = network_new(b, rows * (size_t)p->keys, sizeof *key);
  if (b->status != ATTCERT_OK) return b->status;
  for (int h = 0; h < to->lists; h++)
    for (int i = 0; i < p->rows; i++) {
      const size_t row = (size_t)h * (size_t)p->rows + (size_t)i;
      const size_t count = list_keys(key + begin[row], p, of, h, i);
      if (count == 0 && (of->token < 0 || of->token == i)) return refuse_row(h, i, to->lists, b->err);
      begin[row + 1] = begin[row] + count;
    }
  to->begin = begin;
  to->key = key;
  return ATTCERT_OK;
}

/* Zeros where nothing takes part. */
static void copy_bias(attention_pair_lists *to, network_builder *b, const attention_pairs *p) {
  const size_t numbers = (size_t)p->biases * (size_t)p->rows * (size_t)p->keys;
  double *const bias = network_new(b, numbers, sizeof *bias);
  for (size_t k = 0; k < numbers && bias != NULL; k++) bias[k] = isfinite(p->bias[k]) ? p->bias[k] : 0.0;
  to->biases = p->biases;
  to->bias = bias;
}

/* The step's heads become a copy with the pairs. */
static attcert_status restrict_step(network_builder *b, step *s, const attention_pairs *p) {
  attention_heads heads = *(const attention_heads *)s->of;
  attention_pair_lists lists = {.rows = p->rows, .keys = p->keys, .lists = count_lists(p)};
  b->status = check_pairs(p, b->network, s, b->err);
  if (b->status == ATTCERT_OK && lists.lists > 0) b->status = fill_lists(&lists, b, p, &heads);
  if (b->status == ATTCERT_OK && p->biases > 0) copy_bias(&lists, b, p);
  heads.pairs = network_copy(b, &lists, sizeof lists);
  const attention_heads *const of = network_copy(b, &heads, sizeof heads);
  if (b->status == ATTCERT_OK) s->of = of;
  return b->status;
}

attcert_status attention_pairs_restrict(network_steps *network, const attention_pairs *pairs, attcert_error *err) {
  network_builder b = {.network = network, .err = err, .status = check_bias(pairs, err)};
  int attentions = 0;
  for (int k = 0; k < network->count && b.status == ATTCERT_OK; k++) {
    if (network->step[k].kind != &step_attention) continue;
    attentions++;
    restrict_step(&b, &network->step[k], pairs);
  }
  if (b.status == ATTCERT_OK && attentions == 0)
    return attcert_fail(err, ATTCERT_INPUT, "mask: expected a function with attention");
  return b.status;
}

void attention_pairs_restrict_value(network_builder *b, int value, const attention_pairs *pairs) {
  if (b->status == ATTCERT_OK) b->status = check_bias(pairs, b->err);
  if (b->status == ATTCERT_OK) restrict_step(b, &b->network->step[value - 1], pairs);
}
