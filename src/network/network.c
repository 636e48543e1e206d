#include "network/network.h"

#include "base/arrays.h"
#include "base/growing_array.h"
#include "interval/interval_set.h"

#include <stdlib.h>
#include <string.h>

int network_rows(const network_steps *network, int value) {
  return value == 0 ? network->tokens : network->step[value - 1].rows;
}

int network_cols(const network_steps *network, int value) {
  return value == 0 ? network->dim : network->step[value - 1].cols;
}

size_t network_entries(const network_steps *network, int value) {
  return (size_t)network_rows(network, value) * (size_t)network_cols(network, value);
}

size_t network_most_entries(const network_steps *network) {
  size_t most = 0;
  for (int v = 0; v <= network->count; v++)
    if (network_entries(network, v) > most) most = network_entries(network, v);
  return most;
}

void network_last_uses(int *last, const network_steps *network) {
  for (int v = 0; v <= network->count; v++) last[v] = -1;
  for (int s = 0; s < network->count; s++) {
    for (int k = 0; k < network->step[s].inputs; k++) last[network->step[s].input[k]] = s;
  }
}

void network_clear(network_steps *network) {
  for (int i = 0; i < network->owned_count; i++) free(network->owned[i]);
  free(network->owned);
  free(network->step);
  *network = (network_steps){0};
}

attcert_status network_value(attcert_matrix *value, const network_steps *network, int s, attcert_error *err) {
  const step *const of = &network->step[s];
  const attcert_matrix *in[STEP_MAX_INPUTS];
  for (int k = 0; k < of->inputs; k++) in[k] = &value[of->input[k]];
  const attcert_status status = attcert_matrix_init(&value[s + 1], of->rows, of->cols, err);
  return status == ATTCERT_OK ? of->kind->value(&value[s + 1], of, in, err) : status;
}

attcert_status network_enclose_input(step_enclosure *value, const attcert_matrix *x, const step_scratch *scratch,
                                     attcert_error *err) {
  const attcert_status status = step_enclosure_init(&value[0], x->rows, x->cols, scratch->precision, err);
  for (size_t k = 0; status == ATTCERT_OK && k < (size_t)x->rows * (size_t)x->cols; k++)
    interval_set_d(&value[0].entry[k], x->data[k]);
  return status;
}

attcert_status network_enclose(step_enclosure *value, const network_steps *network, int s, step_scratch *scratch,
                               attcert_error *err) {
  const step *const of = &network->step[s];
  const step_enclosure *in[STEP_MAX_INPUTS];
  for (int k = 0; k < of->inputs; k++) in[k] = &value[of->input[k]];
  const attcert_status status = step_enclosure_init(&value[s + 1], of->rows, of->cols, scratch->precision, err);
  return status == ATTCERT_OK ? of->kind->enclose(&value[s + 1], of, in, scratch, err) : status;
}

attcert_status network_enclose_pull_back(step_enclosure *slope, const step_enclosure *value,
                                         const network_steps *network, int s, step_scratch *scratch,
                                         attcert_error *err) {
  const step *const of = &network->step[s];
  const step_enclosure *in[STEP_MAX_INPUTS];
  step_enclosure *to[STEP_MAX_INPUTS];
  attcert_status status = ATTCERT_OK;
  if (slope[s + 1].entry == NULL) return ATTCERT_OK; /* nothing comes back to it */
  for (int k = 0; k < of->inputs && status == ATTCERT_OK; k++) {
    in[k] = &value[of->input[k]];
    to[k] = &slope[of->input[k]];
    if (to[k]->entry == NULL) status = step_enclosure_init(to[k], in[k]->rows, in[k]->cols, scratch->precision, err);
  }
  return status == ATTCERT_OK ? of->kind->enclose_pull_back(to, of, in, &slope[s + 1], scratch, err) : status;
}

attcert_status network_enclose_values(step_enclosure *value, const network_steps *network, int end,
                                      const attcert_matrix *x, step_scratch *scratch, attcert_error *err) {
  attcert_status status = network_enclose_input(value, x, scratch, err);
  for (int s = 0; s < end && status == ATTCERT_OK; s++) status = network_enclose(value, network, s, scratch, err);
  return status;
}

attcert_status network_enclose_slope(step_enclosure *slope, const step_enclosure *value, const network_steps *network,
                                     step_scratch *scratch, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (int s = network->count - 1; s >= 0 && status == ATTCERT_OK; s--) {
    status = network_enclose_pull_back(slope, value, network, s, scratch, err);
    step_enclosure_clear(&slope[s + 1]);
  }
  return status;
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

/* As growing_array_room. */
static void make_room(network_builder *b, void *list, size_t *capacity, int count, size_t element) {
  if (b->status == ATTCERT_OK)
    b->status = growing_array_room(list, capacity, (size_t)count, element, b->err, "a network of many steps");
}

int network_add(network_builder *b, step s) {
  network_steps *const network = b->network;
  if (b->value != NULL) make_room(b, &b->value, &b->values, network->count + 1, sizeof *b->value);
  make_room(b, &network->step, &network->capacity, network->count, sizeof s);
  if (b->status != ATTCERT_OK) return 0;
  s.layer = b->layer;
  if (s.rows == 0) s.rows = network_rows(network, s.input[0]);
  if (s.cols == 0) s.cols = network_cols(network, s.input[0]);
  network->step[network->count++] = s;
  if (b->value != NULL) b->status = network_value(b->value, network, network->count - 1, b->err);
  return b->status == ATTCERT_OK ? network->count : 0;
}

/* The list of what is owned frees it. */
static void keep(network_builder *b, void *memory) {
  network_steps *const network = b->network;
  make_room(b, &network->owned, &network->owned_capacity, network->owned_count, sizeof *network->owned);
  if (b->status == ATTCERT_OK)
    network->owned[network->owned_count++] = memory;
  else
    free(memory);
}

void network_own(network_builder *b, void *memory) {
  if (b->value != NULL)
    free(memory);
  else
    keep(b, memory);
}

void *network_new(network_builder *b, size_t count, size_t element) {
  if (b->status != ATTCERT_OK) return NULL;
  void *const memory = array_new(count, element, b->err, "weights of %zu numbers", count);
  if (memory == NULL)
    b->status = ATTCERT_RESOURCE;
  else
    keep(b, memory);
  return b->status == ATTCERT_OK ? memory : NULL;
}

const void *network_copy(network_builder *b, const void *of, size_t bytes) {
  void *const own = network_new(b, bytes, 1);
  if (own != NULL) memcpy(own, of, bytes);
  return own;
}

/* ---- steps that run as they are added ---------------------------------------------------------------------------- */

network_builder network_run(network_steps *network, attcert_matrix *x, attcert_error *err) {
  *network = (network_steps){.tokens = x->rows, .dim = x->cols};
  network_builder b = {.network = network, .err = err};
  make_room(&b, &b.value, &b.values, 0, sizeof *b.value);
  if (b.value != NULL) b.value[0] = *x;
  return b;
}

attcert_status network_run_end(attcert_matrix *x, network_builder *b, int value) {
  for (int v = 1; b->value != NULL && v <= b->network->count; v++) {
    if (b->status == ATTCERT_OK && v == value) {
      attcert_matrix_clear(x);
      *x = b->value[v];
    } else {
      attcert_matrix_clear(&b->value[v]);
    }
  }
  free(b->value);
  network_clear(b->network);
  return b->status;
}
