/* Of a part. With n_sk >= ||D_sk|| and e_sk = pushed_sk + missed_sk of step s and its input k (step_linear.h), and of
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
#include "network/network_linear_parts.h"

#include "base/arrays.h"
#include "linalg/rounding/upward.h"
#include "robust/range/range.h"

#include <math.h>
#include <stdlib.h>

/* Whether whatever comes after value v depends on it alone: no step that comes later reads one before. */
static bool separates(const int *last, int v) {
  for (int before = 0; before < v; before++)
    if (last[before] >= v) return false;
  return true;
}

attcert_status network_linear_find_parts(network_linear *l, attcert_error *err) {
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

attcert_status network_linear_bound_parts(bool *bits_missing, network_linear *l, attcert_error *err) {
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
