/* Values may be read by several steps: a gradient sums what each sends back.
 *
 * Of a part. With n_sk >= ||D_sk|| and e_sk = pushed_sk + missed_sk of step s and its input k (step_linear.h), and of
 * each value v a bound t_v of ||tangent|| / ||x|| and m_v of what the computed one misses, t = 1 and m = 0 at first,
 *
 *     t_s = sum_k n_sk t_k,     m_s = sum_k (n_sk m_k + e_sk (t_k + m_k)).
 *
 * Back, e_sk = pulled_sk + missed_sk, from t = 1 and m = 0 of the last value, step s adds n_sk t_s to t_k and n_sk m_s
 * + e_sk (t_s + m_s) to m_k; a sum of w terms takes w - 1 roundings of at most gamma_w (t_k + m_k).
 *
 * Of parts one after the other, with norms b_i and errors e_i: product (b_i + e_i) - product b_i.
 *
 * What underflows in a step, fewer than 2^60 products each less than 2^-1074 and multiplied there by the lengths of no
 * more than two rows, shorter than 2^100, is multiplied on its way to the end by at most t: with all n, t < 2^100 in a
 * part, and all b, it is less than UNDERFLOW_ALLOWANCE in all, and so at most twice that of ||x|| >= 1/2. Beyond there
 * is no bound. */
#include "network/network_linear.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "base/progress_report.h"
#include "linalg/rounding/upward.h"
#include "robust/range/range.h"

#include <math.h>
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

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* Whether whatever comes after value v depends on it alone: no step that comes later reads one before. */
static bool separates(const int *last, int v) {
  for (int before = 0; before < v; before++)
    if (last[before] >= v) return false;
  return true;
}

/* Parts end where several values come together. */
static attcert_status find_parts(network_linear *l, attcert_error *err) {
  const network_steps *const network = l->network;
  int *const last = array_new((size_t)network->count + 1, sizeof *last, err, "%d values", network->count + 1);
  if (last == NULL) return ATTCERT_RESOURCE;
  network_last_uses(last, network);
  for (int v = 1, from = 0; v <= network->count; v++) {
    const bool joins = network->step[v - 1].inputs > 1 && separates(last, v);
    if (v < network->count && !joins) continue;
    l->part[l->parts++] = (network_part){.from = from, .to = v};
    from = v;
  }
  free(last);
  return ATTCERT_OK;
}

/* Of a value: t, and m in two parts. */
typedef struct {
  double size, rounded, missed;
  int terms;
} reach;

/* What input k of a step, or its output going back, adds to `to`. */
static void add_reach(reach *to, const reach *from, const step_linear_size *size, double rounded) {
  const double all = upward_add3(from->size, from->rounded, from->missed);
  to->size = upward_add(to->size, upward_mul(size->norm, from->size));
  to->rounded = upward_add3(to->rounded, upward_mul(size->norm, from->rounded), upward_mul(rounded, all));
  to->missed = upward_add3(to->missed, upward_mul(size->norm, from->missed), upward_mul(size->missed, all));
  to->terms++;
}

/* Of a gradient, once all of its terms are there. */
static void add_sum(reach *r) {
  if (r->terms > 1)
    r->rounded = upward_add(r->rounded, upward_mul(gamma_upper(r->terms), upward_add3(r->size, r->rounded, r->missed)));
}

/* +inf in place of the NaN that 0 times it has become. */
static double bound_or_none(double bound) {
  return isnan(bound) ? INFINITY : bound;
}

/* The part's error that way; +inf where sizes are beyond what underflow is bounded for. */
static double error_of(const reach *at, const network_part *part, const reach *end) {
  double largest = 0.0;
  for (int v = part->from; v <= part->to; v++) largest = range_larger(largest, at[v].size);
  if (!(largest < STEP_LINEAR_TOO_LONG)) return INFINITY;
  return bound_or_none(upward_add3(end->rounded, end->missed, 4.0 * UNDERFLOW_ALLOWANCE));
}

/* Norm and errors of a part; whether more bits would help. */
static bool bound_part(network_part *part, const network_linear *l, reach *there, reach *back) {
  const step *const steps = l->network->step;
  double largest = 0.0;
  there[part->from] = back[part->to] = (reach){.size = 1.0};
  for (int s = part->from; s < part->to; s++) {
    for (int k = 0; k < steps[s].inputs; k++) {
      const step_linear_size *const size = &l->step[s].size[k];
      add_reach(&there[s + 1], &there[steps[s].input[k]], size, size->pushed);
      largest = range_larger(largest, size->norm);
    }
  }
  for (int s = part->to - 1; s >= part->from; s--) {
    add_sum(&back[s + 1]);
    for (int k = 0; k < steps[s].inputs; k++)
      add_reach(&back[steps[s].input[k]], &back[s + 1], &l->step[s].size[k], l->step[s].size[k].pulled);
  }
  add_sum(&back[part->from]);
  const reach *const end = &there[part->to], *const start = &back[part->from];
  const bool bounded = largest < STEP_LINEAR_TOO_LONG;
  part->norm = end->size <= start->size ? end->size : start->size;
  part->error[0] = bounded ? error_of(there, part, end) : INFINITY;
  part->error[1] = bounded ? error_of(back, part, start) : INFINITY;
  return !(end->missed <= end->rounded) || !(start->missed <= start->rounded);
}

static attcert_status bound_parts(bool *bits_missing, network_linear *l, attcert_error *err) {
  const size_t values = (size_t)l->network->count + 1;
  *bits_missing = false;
  for (int i = 0; i < l->parts; i++) {
    reach *there, *back;
    const array_table table = {{ARRAY(there, values), ARRAY(back, values)}};
    const attcert_status status = array_table_allocate(&table, err, "bounds of %zu values", values);
    if (status != ATTCERT_OK) return status;
    if (bound_part(&l->part[i], l, there, back)) *bits_missing = true;
    array_table_release(&table);
  }
  return ATTCERT_OK;
}

double network_part_error(const network_part *part) {
  return range_larger(part->error[0], part->error[1]);
}

network_part network_linear_whole(const network_linear *l) {
  network_part whole = {.to = l->network->count, .norm = 1.0};
  for (int i = 0; i < l->parts; i++) {
    const network_part *const part = &l->part[i];
    for (int way = 0; way < 2; way++)
      whole.error[way] =
          bound_or_none(upward_add(upward_mul(whole.error[way], upward_add(part->norm, part->error[way])),
                                   upward_mul(whole.norm, part->error[way])));
    whole.norm = upward_mul(whole.norm, part->norm);
  }
  for (int way = 0; way < 2; way++)
    if (!(whole.norm < STEP_LINEAR_TOO_LONG)) whole.error[way] = INFINITY;
  return whole;
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
  if (status == ATTCERT_OK) status = find_parts(l, err);
  for (int bits = FIRST_BITS + STEP_BITS * network->count; bits_missing && status == ATTCERT_OK; bits *= 2) {
    forget_steps(l);
    l->precision = bits;
    status = pass_steps(l, x, options, err);
    if (status == ATTCERT_OK) status = bound_parts(&bits_missing, l, err);
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
