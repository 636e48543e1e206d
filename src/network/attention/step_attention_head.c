#include "network/attention/step_attention_head.h"

#include "linalg/rounding/upward.h"
#include "robust/operation/softmax_remainder.h"
#include "robust/operation/softmax_remainder_weights.h"

#include <cblas.h>
#include <string.h>

/* S becomes T = S - sum_m p_m S_m; *drift >= |sum_m p_m tau_m|, tau the whole deviations of the scores. */
static void subtract_mean(step_attention_token *t, double *drift) {
  const double gamma = gamma_upper(t->weights + 2.0);
  const size_t columns = (size_t)t->columns;
  double *const mean = t->block;
  double size = 0.0, missed = 0.0;
  if (columns > 0) memset(mean, 0, columns * sizeof *mean);
  for (int j = 0; j < t->weights; j++) {
    step_attention_key *const key = &t->known[j];
    const double *const line = t->score_linear + (size_t)j * columns, p = t->weight[j];
    for (size_t k = 0; k < columns; k++) mean[k] += p * line[k];
    const double magnitude = form_support_of(line, &t->layout, t->symbols).magnitude;
    key->miss = key->score_bound + key->score_miss + gamma * magnitude; /* of the own row */
    size += p * magnitude;
    missed += p * (key->score_bound + key->score_miss);
  }
  const double of_mean = round_up_nonnegative(gamma * size, t->weights + 3.0);
  const form_support support = form_support_of(mean, &t->layout, t->symbols);
  *drift = round_up_nonnegative(support.input + support.other + missed + of_mean, t->weights + 6.0);
  for (int j = 0; j < t->weights; j++) {
    step_attention_key *const key = &t->known[j];
    double *const line = t->score_linear + (size_t)j * columns;
    for (size_t k = 0; k < columns; k++) line[k] -= mean[k];
    key->support = form_support_of(line, &t->layout, t->symbols);
    key->miss = round_up_nonnegative(key->miss + of_mean, 4.0);
    /* N_j stands in t_j once with 1 - p_j, the others' with their p */
    const double twice = t->weight[j] * key->score_bound * (1.0 - 0x1p-40);
    t->reach[j] = round_up_nonnegative(key->support.input + key->support.other + range_larger(key->miss - twice, 0.0) +
                                           range_larger(missed - twice, 0.0),
                                       t->weights + 12.0);
  }
}

static void keep_head(step_attention_token *t, int h, double drift) {
  step_attention_kept *const kept = t->kept + (size_t)h * (size_t)t->most;
  for (int j = 0; j < t->weights; j++) {
    const step_attention_key *const key = &t->known[j];
    kept[j] = (step_attention_kept){.weight = t->weight[j],
                                    .slope = key->slope,
                                    .error = upward_add(key->score_bound, key->score_miss),
                                    .reach = t->reach[j],
                                    .change = key->change,
                                    .rest = t->remainder[j],
                                    .drift = drift};
  }
}

/* p, T, remainders of the weights, and the bounds of their symbols. */
static void bound_weights(step_attention_token *t, int h) {
  double *const bound = t->weight_bound + (size_t)h * (size_t)t->room, drift;
  softmax_remainder_weights(t->softmax, t->weight, t->score, t->weights);
  subtract_mean(t, &drift);
  softmax_remainder(t->remainder, t->softmax, t->weight, t->reach, drift, t->weights);
  for (int j = 0; j < t->weights; j++) {
    const double middle = range_middle(t->remainder[j]), half = range_radius(t->remainder[j], middle);
    const double p = t->weight[j];
    bound[j] = round_up_nonnegative(p * t->known[j].miss + half, 3.0);
    t->known[j].change = round_up_nonnegative(p * t->reach[j] + range_magnitude(t->remainder[j]), 3.0);
  }
  keep_head(t, h, drift);
}

/* y0, v_j - y0, the center, and the roundings of all these. */
static void place_center(step_attention_token *t, int h) {
  const form *const v = t->value;
  const int dim = t->of->value_dim, first = attention_heads_key_head(t->of, h) * dim;
  const double gamma = gamma_upper(t->weights + 3.0);
  double largest = 0.0;
  for (int j = 0; j < t->weights; j++) largest = range_larger(largest, t->known[j].miss);
  for (int c = 0; c < dim; c++) {
    const int at = h * dim + c;
    double *const difference = t->difference + (size_t)at * (size_t)t->room;
    const double *const value = v->center + first + c, *const radius = v->radius + first + c;
    double mean = 0.0, rest = 0.0, size = 0.0, shift = 0.0, missed = 0.0;
    for (int j = 0; j < t->count; j++) mean += t->weight[j] * value[(size_t)step_attention_row(t, j) * (size_t)v->cols];
    for (int j = 0; j < t->weights; j++) {
      const size_t of_j = j < t->count ? (size_t)step_attention_row(t, j) * (size_t)v->cols : 0;
      const double p = t->weight[j], moved = range_middle(t->remainder[j]);
      const double of_value = j < t->count ? radius[of_j] : 0.0;
      difference[j] = (j < t->count ? value[of_j] : 0.0) - mean;
      t->weighted[(size_t)j * (size_t)dim + (size_t)c] = p * difference[j];
      rest += p * difference[j];
      size += p * fabs(difference[j]) * (1.0 + t->known[j].miss);
      shift += moved * difference[j];
      missed += gamma * fabs(moved * difference[j]) + p * of_value +
                UNIT_ROUNDOFF * fabs(difference[j]) * (p + t->known[j].change);
    }
    t->center[at] = mean + rest + shift;
    /* sum_j p_j (v_j - y0) is `rest`; times the mean of what the t_j miss, at most the largest miss */
    const double center = 3.0 * UNIT_ROUNDOFF * (fabs(mean) + fabs(rest) + fabs(shift));
    t->radius[at] = round_up_nonnegative(missed + 2.0 * gamma * size + (fabs(rest) + gamma * size) * largest + center +
                                             UNDERFLOW_ALLOWANCE,
                                         t->weights + 12.0);
  }
}

/* sum_j p_j V_j + sum_j p_j (v_j - y0) T_j, and what its roundings add to the radius. */
static void add_linear(step_attention_token *t, int h) {
  const form *const v = t->value;
  const size_t columns = (size_t)t->columns, dim = (size_t)t->of->value_dim, first = (size_t)h * dim;
  const size_t of_value = (size_t)attention_heads_key_head(t->of, h) * dim;
  double *const linear = t->linear + first * columns;
  const double gamma = gamma_upper(2.0 * t->weights + 4.0);
  if (columns > 0)
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, t->of->value_dim, t->columns, t->weights, 1.0, t->weighted,
                t->of->value_dim, t->score_linear, t->columns, 0.0, linear, t->columns);
  for (int j = 0; j < t->weights; j++) {
    const form_row *const value = j < t->count ? &v->row[step_attention_row(t, j)] : NULL;
    const size_t at = value != NULL ? (size_t)step_attention_row(t, j) * (size_t)v->cols + of_value : 0;
    if (value != NULL)
      form_layout_add(linear, &t->layout, value->linear + of_value * (size_t)form_layout_columns(&value->layout),
                      &value->layout, t->of->value_dim, t->weight[j]);
    for (size_t c = 0; c < dim; c++) {
      const double of_mean = value != NULL ? t->weight[j] * v->support[at + c].magnitude : 0.0;
      const double magnitude = of_mean + fabs(t->weighted[(size_t)j * dim + c]) * t->known[j].support.magnitude;
      t->radius[first + c] = round_up_nonnegative(t->radius[first + c] + gamma * magnitude, 6.0);
    }
  }
}

/* block = the perturbation's columns of T_j, in the order of `wanted`; returns how many. */
static int take_input(step_attention_token *t, int j, const form_layout *wanted) {
  const double *const row = t->score_linear + (size_t)j * (size_t)t->columns;
  int count = 0;
  for (int s = 0, at = 0; s < wanted->count && t->symbols->segment[wanted->id[s]].input; s++, at++) {
    const int width = wanted->start[s + 1] - wanted->start[s];
    while (t->layout.id[at] != wanted->id[s]) at++;
    memcpy(t->block + count, row + t->layout.start[at], (size_t)width * sizeof *row);
    count += width;
  }
  return count;
}

/* center += r^2 / 2 sum_j p_j V_j,in T_j,in: the middle of the products' second-order part. */
static void add_middle(step_attention_token *t, int h) {
  if (t->input == 0) return;
  const double r = t->symbols->segment[t->layout.id[0]].radius;
  const int dim = t->of->value_dim;
  const size_t first = (size_t)h * (size_t)dim, of_value = (size_t)attention_heads_key_head(t->of, h) * (size_t)dim;
  for (int j = 0; j < t->count; j++) {
    const form_row *const value = &t->value->row[step_attention_row(t, j)];
    const int columns = form_layout_columns(&value->layout), input = take_input(t, j, &value->layout);
    if (input == 0) continue;
    cblas_dgemv(CblasRowMajor, CblasNoTrans, dim, input, 0.5 * r * r * t->weight[j],
                value->linear + of_value * (size_t)columns, columns, t->block, 1, 1.0, t->center + first, 1);
  }
}

/* Bounds of sum_j (P'_j - p_j) e_vj about its middle. */
static void bound_products(step_attention_token *t, int h) {
  const form *const v = t->value;
  const int dim = t->of->value_dim, g = attention_heads_key_head(t->of, h);
  const double gamma = gamma_upper(t->input + t->count + 8.0);
  double norm = 0.0, missed = 0.0;
  for (int j = 0; j < t->count; j++) {
    const step_attention_norm *const n =
        &t->value_norm[(size_t)step_attention_row(t, j) * (size_t)t->of->key_heads + (size_t)g];
    const double in = round_up_nonnegative(t->weight[j] * t->known[j].support.input, 1.0);
    norm += operation_product(n->all, n->input, t->known[j].change, in);
  }
  for (int c = h * dim; c < (h + 1) * dim; c++) {
    const int of_value = c + (g - h) * dim;
    double bound = 0.0, middle = 0.0;
    for (int j = 0; j < t->count; j++) {
      const int row = step_attention_row(t, j);
      const double x_in = v->support[(size_t)row * (size_t)v->cols + (size_t)of_value].input;
      const double in = round_up_nonnegative(t->weight[j] * t->known[j].support.input, 1.0);
      bound += operation_product(form_spread(v, row, of_value), x_in, t->known[j].change, in);
      middle += x_in * in;
    }
    /* roundings of the middle, and of the center that it was added to */
    const double beside = gamma * middle + (t->count + 1.0) * UNIT_ROUNDOFF * (fabs(t->center[c]) + middle);
    missed += beside * beside;
    t->product_bound[c] = round_up_nonnegative(bound + beside + UNDERFLOW_ALLOWANCE, t->count + 8.0);
  }
  t->product_norm[h] =
      round_up_nonnegative(norm + sqrt(round_up_nonnegative(missed, dim + 12.0)) + UNDERFLOW_ALLOWANCE, t->count + 8.0);
}

void step_attention_head(step_attention_token *t, int h) {
  step_attention_take(t, h);
  step_attention_scores(t, h);
  bound_weights(t, h);
  place_center(t, h);
  add_linear(t, h);
  add_middle(t, h);
  bound_products(t, h);
  if (t->sums && t->input == 0) step_attention_sums_values(t, h);
}
