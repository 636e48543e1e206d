/* Values may be read by several steps: a gradient sums what each sends back. */
#include "network/network_linear_parts.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "base/progress_report.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BITS = 64, STEP_BITS = 4, MOST_BITS = 2048, PRODUCT_BITS = 84 };

/* ---- the derivatives --------------------------------------------------------------------------------------------- */

static void forget_steps(network_linear *l) {
  for (int s = 0; l->step != NULL && s < l->network->count; s++) {
    free(l->step[s].number);
    l->step[s].number = NULL;
  }
}

static attcert_status linearize_step(network_linear *l, const step_enclosure *value, int s, int threads,
                                     step_scratch *scratch, attcert_error *err) {
  const step *const of = &l->network->step[s];
  const step_enclosure *in[STEP_MAX_INPUTS];
  l->step[s] = (step_linear){.step = of, .inputs = of->inputs, .threads = threads};
  for (int k = 0; k < of->inputs; k++) {
    in[k] = &value[of->input[k]];
    l->step[s].rows[k] = in[k]->rows;
    l->step[s].cols[k] = in[k]->cols;
  }
  return of->kind->linearize(&l->step[s], in, scratch, err);
}

/* Value s + 1 and the derivative of step s; values that nothing reads any more are released. */
static attcert_status pass_step(network_linear *l, step_enclosure *value, const int *last, int s,
                                const attcert_options *options, step_scratch *scratch, attcert_error *err) {
  attcert_status status = progress_report(options, "derivatives", (double)s / l->network->count, err);
  if (status == ATTCERT_OK) status = linearize_step(l, value, s, parallel_threads(options->threads), scratch, err);
  if (status == ATTCERT_OK && last[s + 1] >= 0) status = network_enclose(value, l->network, s, scratch, err);
  for (int v = 0; v <= s; v++) {
    if (last[v] <= s) step_enclosure_clear(&value[v]);
  }
  return status;
}

/* All steps, at one precision. */
static attcert_status pass_steps(network_linear *l, const attcert_matrix *x, const attcert_options *options,
                                 attcert_error *err) {
  const network_steps *const network = l->network;
  const size_t values = (size_t)network->count + 1;
  step_enclosure *value;
  int *last;
  step_scratch scratch;
  const array_table table = {{ARRAY(value, values), ARRAY(last, values)}};
  attcert_status status = array_table_allocate(&table, err, "a pass of %d steps", network->count);
  if (status != ATTCERT_OK) return status;
  step_scratch_init(&scratch, l->precision);
  scratch.product_bits = l->in_double ? PRODUCT_BITS : 0;
  network_last_uses(last, network);
  status = network_enclose_input(value, x, &scratch, err);
  for (int s = 0; s < network->count && status == ATTCERT_OK; s++)
    status = pass_step(l, value, last, s, options, &scratch, err);
  for (size_t v = 0; v < values; v++) step_enclosure_clear(&value[v]);
  step_scratch_clear(&scratch);
  array_table_release(&table);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static attcert_status make_room(network_linear *l, attcert_error *err) {
  const network_steps *const network = l->network;
  const size_t vectors = (size_t)l->vectors;
  size_t scratch = 0;
  for (int s = 0; s < network->count; s++)
    if (l->step[s].scratch > scratch) scratch = l->step[s].scratch;
  const array_table table = {{ARRAY(l->arriving, vectors, network_most_entries(network), STEP_MAX_INPUTS),
                              ARRAY(l->scratch, vectors, scratch)}};
  attcert_status status = array_table_allocate(&table, err, "products with %d vectors", l->vectors);
  for (int v = 0; v <= network->count && status == ATTCERT_OK; v++) {
    l->tangent[v] = array_new(ARRAY_COUNT(vectors, network_entries(network, v)), sizeof(double), err, "tangents");
    if (l->tangent[v] == NULL) status = ATTCERT_RESOURCE;
  }
  return status;
}

attcert_status network_linear_init(network_linear *l, const network_steps *network, const attcert_matrix *x,
                                   int vectors, bool in_double, const attcert_options *options, attcert_error *err) {
  const size_t values = (size_t)network->count + 1;
  bool bits_missing = true;
  *l = (network_linear){.network = network, .vectors = vectors, .in_double = in_double};
  const array_table table = {
      {ARRAY(l->step, values), ARRAY(l->tangent, values), ARRAY(l->reached, values), ARRAY(l->part, values)}};
  attcert_status status = array_table_allocate(&table, err, "a Jacobian of %d steps", network->count);
  if (status == ATTCERT_OK) status = network_linear_find_parts(l, err);
  for (int bits = FIRST_BITS + STEP_BITS * network->count; bits_missing && status == ATTCERT_OK; bits *= 2) {
    forget_steps(l);
    l->precision = bits;
    status = pass_steps(l, x, options, err);
    if (status == ATTCERT_OK) status = network_linear_bound_parts(&bits_missing, l, err);
    if (in_double || bits >= MOST_BITS) break;
  }
  return status == ATTCERT_OK ? make_room(l, err) : status;
}

void network_linear_clear(network_linear *l) {
  forget_steps(l);
  for (int v = 0; l->tangent != NULL && v <= l->network->count; v++) free(l->tangent[v]);
  free(l->step);
  free(l->tangent);
  free(l->reached);
  free(l->part);
  free(l->arriving);
  free(l->scratch);
  *l = (network_linear){0};
}

uint64_t network_linear_bytes(const network_steps *network, int vectors) {
  size_t sum = STEP_MAX_INPUTS * network_most_entries(network);
  for (int v = 0; v <= network->count; v++) sum += network_entries(network, v);
  return (uint64_t)sum * (uint64_t)vectors * sizeof(double);
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

static void push_part(const network_linear *l, const network_part *part, int count) {
  for (int s = part->from; s < part->to; s++) {
    const step *const of = &l->network->step[s];
    const double *in[STEP_MAX_INPUTS] = {NULL};
    for (int k = 0; k < of->inputs; k++) in[k] = l->tangent[of->input[k]];
    of->kind->push(l->tangent[s + 1], &l->step[s], in, count, l->scratch);
  }
}

/* What step s sends back to its inputs, summed; the first one is a copy. */
static void send_back(const network_linear *l, int s, int count) {
  const step *const of = &l->network->step[s];
  const size_t room = (size_t)l->vectors * network_most_entries(l->network);
  double *to[STEP_MAX_INPUTS];
  for (int k = 0; k < of->inputs; k++) to[k] = l->arriving + (size_t)k * room;
  of->kind->pull(to, &l->step[s], l->tangent[s + 1], count, l->scratch);
  for (int k = 0; k < of->inputs; k++) {
    const int value = of->input[k];
    const size_t entries = (size_t)count * network_entries(l->network, value);
    double *const sum = l->tangent[value];
    for (size_t i = 0; i < entries; i++) sum[i] = l->reached[value] ? sum[i] + to[k][i] : to[k][i];
    l->reached[value] = true;
  }
}

/* A value that the last one does not depend on has the gradient 0. */
static void pull_part(const network_linear *l, const network_part *part, int count) {
  for (int v = part->from; v < part->to; v++) l->reached[v] = false;
  l->reached[part->to] = true;
  for (int s = part->to - 1; s >= part->from; s--)
    if (l->reached[s + 1]) send_back(l, s, count);
  if (!l->reached[part->from])
    memset(l->tangent[part->from], 0, (size_t)count * network_entries(l->network, part->from) * sizeof(double));
}

void network_linear_multiply(const network_linear *l, const network_part *part, double *y, const double *x, int count,
                             bool transpose) {
  const int first = transpose ? part->to : part->from, last = transpose ? part->from : part->to;
  memcpy(l->tangent[first], x, (size_t)count * network_entries(l->network, first) * sizeof *x);
  if (transpose)
    pull_part(l, part, count);
  else
    push_part(l, part, count);
  memcpy(y, l->tangent[last], (size_t)count * network_entries(l->network, last) * sizeof *y);
}
