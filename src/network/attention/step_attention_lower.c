/* <w, y> of one row and head, in the names of step_attention_forms.c. As the weights add up to 1, for any m
 *
 *   w . y' = m + sum_j P'_j (w . v'_j - m),   w . v'_j - m = d_j + w . e_j,   P'_j = p_j (1 + t_j) + nu_j,
 *
 * so that with m = sum_j p_j w . v_j, c_j = p_j d_j (sum_j c_j = C, 0 but for roundings), a mean e = sum_j p_j w . e_j
 * and any k,
 *
 *   w . y' = m + sum_j p_j d_j
 *          + sum_j c_j tau_j - C sum_m p_m tau_m                tau_j = s'_j - s_j, in q' and k'_j but for `error`
 *          + sum_j nu_j (d_j - k) + k sum_j nu_j                |sum_j nu_j| <= |1 - sum p| (1 + drift)
 *          + sum_j p_j w . e_j                                  in v'_j
 *          + sum_j (P'_j - p_j) (w . e_j - e) + (1 - sum p) e.
 *
 * The remainders are those of the one direction w: |c_j| error_j instead of one an entry, the softmax's with one
 * number d_j a key, and of the last but one what the symbols do to w . e_j - e together.
 *
 * Roundings. w . v_j takes dim, and d_j two more, which p_j adds up to 1 of. What is written to w_k are sums of at most
 * `terms` products, with ten more roundings at most (c_j, the divisor's root, the slope, q + w): they are off by
 * gamma_{terms + 10} of the sum of absolute values, times what q', k' and v' deviate by. */
#include "base/arrays.h"
#include "base/parallel.h"
#include "linalg/blas/blas_single.h"
#include "linalg/rounding/upward.h"
#include "network/attention/step_attention_along.h"

#include <stdlib.h>
#include <string.h>

/* ---- one row of one head ----------------------------------------------------------------------------------------- */

/* p_j, d_j and m; *missed: what w . v_j - m are off by, at most. */
static double take_differences(attention_along *a, const double *w, double *missed) {
  const form *const v = a->value;
  const int dim = a->of->value_dim;
  const double gamma = gamma_upper(dim + 1.0);
  double mean = 0.0;
  for (int j = 0; j < a->weights; j++) {
    double sum = 0.0, size = 0.0;
    for (int c = 0; c < dim && j < a->count; c++) {
      const double term = w[c] * v->center[attention_along_value(a, j) + (size_t)c];
      sum += term;
      size += fabs(term);
    }
    a->weight[j] = a->kept[j].weight;
    a->difference[j] = sum;
    a->size[j] = size;
    mean += a->weight[j] * sum;
  }
  *missed = 0.0;
  for (int j = 0; j < a->weights; j++) {
    a->difference[j] -= mean;
    const double off = gamma * a->size[j] + UNIT_ROUNDOFF * fabs(a->difference[j]);
    *missed = range_larger(*missed, round_up_nonnegative(off, dim + 4.0) + UNDERFLOW_ALLOWANCE);
  }
  return mean;
}

/* A double <= sum_j nu_j (d_j - k) + k sum_j nu_j, for the k among 0 and the d_j for which it is largest. */
static double lower_rests(const attention_along *a, double lack) {
  const double total = upward_mul(lack, upward_add(1.0, a->kept[0].drift));
  double best = NAN;
  for (int at = -1; at < a->weights; at++) {
    const double k = at < 0 ? 0.0 : a->difference[at];
    double sum = -upward_mul(fabs(k), total);
    for (int j = 0; j < a->weights; j++) {
      const double d = a->difference[j];
      const range of = range_sub(range_of(d), range_of(k));
      step_lower_add(&sum, range_mul(a->kept[j].rest, of).lo);
    }
    if (!(best >= sum)) best = sum;
  }
  return best;
}

/* sum_j c_j t_j as it is in q' and k'_j: their functionals, the remainder. */
static double lower_scores(attention_along *a) {
  const double scale = 1.0 / sqrt(a->of->divided_by);
  double total = 0.0, absolute = 0.0, sum = 0.0;
  for (int j = 0; j < a->weights; j++) {
    const step_attention_kept *const kept = &a->kept[j];
    const double c = a->weight[j] * a->difference[j];
    total += c;
    absolute += fabs(c);
    step_lower_add(&sum, -upward_mul(fabs(c), kept->error));
    step_lower_add(&sum, -upward_mul(UNIT_ROUNDOFF * fabs(c) + UNDERFLOW_UNIT, kept->reach));
    if (j < a->count) attention_along_add_score(a, c * kept->slope * scale, j);
  }
  const double off = round_up_nonnegative(fabs(total) + gamma_upper(a->weights) * absolute, a->weights + 4.0);
  step_lower_add(&sum, -upward_mul(off, a->kept[0].drift));
  return sum;
}

/* The rest: sum_j p_j w . e_j in v'_j, and what the other weights make of w . e_j - e. */
static double lower_values(attention_along *a, const double *w, double lack) {
  const int dim = a->of->value_dim;
  const double gamma = gamma_upper(a->terms + 10.0);
  double sum = 0.0, size = 0.0;
  for (int j = 0; j < a->count; j++) {
    double *const to = a->to_value + attention_along_value(a, j);
    double reach = 0.0;
    for (int c = 0; c < dim; c++) {
      to[c] += a->weight[j] * w[c];
      reach += fabs(w[c]) * form_spread(a->value, attention_along_row(a, j), a->value_at + c);
    }
    size += a->weight[j] * reach;
  }
  const double off = round_up_nonnegative((lack + gamma) * size, a->weights + dim + 6.0);
  step_lower_add(&sum, -upward_add(off, UNDERFLOW_ALLOWANCE));
  attention_along_deviations(a, w);
  for (int j = 0; j < a->weights; j++) step_lower_add(&sum, -upward_mul(a->kept[j].change, a->deviation[j]));
  return sum;
}

static double lower_row(attention_along *a, const double *w) {
  double missed, lack = -1.0, size = 1.0;
  double sum = take_differences(a, w, &missed);
  for (int j = 0; j < a->weights; j++) {
    lack += a->weight[j];
    size += a->weight[j];
  }
  lack = round_up_nonnegative(fabs(lack) + gamma_upper(a->weights + 1.0) * size, a->weights + 4.0);
  step_lower_add(&sum, -missed);
  step_lower_add(&sum, step_lower_dot(a->weight, a->difference, (size_t)a->weights, 1.0));
  step_lower_add(&sum, lower_scores(a));
  step_lower_add(&sum, lower_rests(a, lack));
  step_lower_add(&sum, lower_values(a, w, lack));
  return sum;
}

/* ---- all rows of the heads that share keys ----------------------------------------------------------------------- */

typedef struct {
  const step_lower *l;
  const attention_heads *of;
  const form_layout *layout; /* of all values */
  bool many;                 /* whether symbols would take too long */
  double *constant;          /* [key heads][count] */
  attcert_status *status;    /* [key heads] */
} lower_pass;

static bool is_zero(const double *w, int n) {
  for (int c = 0; c < n; c++)
    if (w[c] != 0.0) return false;
  return true;
}

/* Functionals one after the other, so that those of both signs share what values deviate by. */
static void lower_place(const lower_pass *p, attention_along *a, int g, int i, int h) {
  const attention_heads *const of = p->of;
  const form *const out = p->l->out;
  for (int b = 0; b < p->l->count; b++) {
    const size_t row = (size_t)b * (size_t)out->rows + (size_t)i;
    const double *const w = p->l->from + row * (size_t)out->cols + (size_t)h * (size_t)of->value_dim;
    double *const constant = &p->constant[(size_t)g * (size_t)p->l->count + (size_t)b];
    if (is_zero(w, of->value_dim)) continue;
    attention_along_place(a, b, i, h);
    step_lower_add(constant, lower_row(a, w));
    step_lower_add(constant, -a->missed);
  }
}

static void lower_heads(void *context, int g) {
  const lower_pass *const p = context;
  const int group = p->of->heads / p->of->key_heads;
  attention_along a;
  p->status[g] = attention_along_init(&a, p->l, p->of, p->layout, p->many);
  for (int i = 0; i < p->l->out->rows && p->status[g] == ATTCERT_OK; i++) {
    for (int h = g * group; h < (g + 1) * group; h++) {
      a.known = NULL;
      lower_place(p, &a, g, i, h);
    }
  }
  attention_along_clear(&a);
}

/* Whether products of all directions with the values' symbols are more than a second's work. */
static bool takes_long(const lower_pass *p) {
  static const double limit = 2e9;
  const step_lower *const l = p->l;
  const int rows = l->out->rows, cols = l->out->cols;
  double places = 0.0;
  for (int k = 0; k < l->count * rows; k++) places += !is_zero(l->from + (size_t)k * (size_t)cols, cols);
  return places * l->in[2]->rows * cols * form_layout_columns(p->layout) > limit;
}

static attcert_status lower_all(step_lower *l, lower_pass *p, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  blas_single_begin();
  parallel_for(p->of->key_heads, parallel_threads(0), lower_heads, p);
  blas_single_end();
  for (int g = 0; g < p->of->key_heads; g++) {
    for (int b = 0; b < l->count; b++) step_lower_add(&l->constant[b], p->constant[g * l->count + b]);
    if (p->status[g] != ATTCERT_OK) status = array_out_of_memory(err, 0, "attention along a direction");
  }
  return status;
}

/* Functionals are of q', k' and v' themselves: their values at the centers are taken off. */
attcert_status step_attention_lower(step_lower *l, const step *s, attcert_error *err) {
  form_layout layout = {0};
  lower_pass p = {.l = l, .of = s->of, .layout = &layout};
  const size_t heads = (size_t)p.of->key_heads;
  const array_table table = {{ARRAY(p.constant, heads, (size_t)l->count), ARRAY(p.status, heads)}};
  attcert_status status = array_table_allocate(&table, err, "attention along %d directions", l->count);
  if (status == ATTCERT_OK) status = form_unite_rows(&layout, l->in[2], l->symbols, err);
  p.many = takes_long(&p);
  if (status == ATTCERT_OK) status = lower_all(l, &p, err);
  for (int k = 0; k < 3 && status == ATTCERT_OK; k++) {
    const size_t entries = (size_t)l->in[k]->rows * (size_t)l->in[k]->cols;
    for (int b = 0; b < l->count; b++)
      step_lower_add(&l->constant[b], step_lower_dot(l->to[k] + (size_t)b * entries, l->in[k]->center, entries, -1.0));
  }
  form_layout_clear(&layout);
  array_table_release(&table);
  return status;
}
