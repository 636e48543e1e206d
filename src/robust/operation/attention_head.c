#include "robust/operation/attention_head.h"

#include "base/arrays.h"
#include "linalg/rounding.h"
#include "robust/operation/softmax_remainder.h"
#include "robust/operation/softmax_remainder_weights.h"

#include <cblas.h>
#include <string.h>

/* Bounds of one head's weights, over the tokens j. */
typedef struct {
  range *softmax, *remainder; /* P_j; P'_j - p_j (1 + t_j) */
  double *reach;              /* T_j >= |t_j| */
  double *change;             /* >= |P'_j - p_j| */
  double *miss;               /* |t_j - T_j(eta)| but for the common mean: N_j and roundings */
} head_weights;

static array_table row_table(attention_token *r) {
  const size_t n = (size_t)r->count, k = (size_t)r->columns, all = (size_t)r->heads * (size_t)r->dim;
  const size_t taller = r->count > r->dim ? n : (size_t)r->dim;
  return (array_table){{ARRAY(r->linear, all, k), ARRAY(r->difference, all, n),
                        ARRAY(r->weight_bound, (size_t)r->heads, n), ARRAY(r->product_bound, all),
                        ARRAY(r->product_norm, (size_t)r->heads), ARRAY(r->score, n), ARRAY(r->score_bound, n),
                        ARRAY(r->score_miss, n), ARRAY(r->score_linear, n, k), ARRAY(r->block, taller, k),
                        ARRAY(r->weight, n), ARRAY(r->weighted, n, (size_t)r->dim), ARRAY(r->score_support, n)}};
}

attcert_status attention_token_allocate(attention_token *row, attcert_error *err) {
  const array_table table = row_table(row);
  return array_table_allocate(&table, err, "attention of one token to %d, %d columns", row->count, row->columns);
}

void attention_token_release(attention_token *row) {
  const array_table table = row_table(row);
  array_table_release(&table);
}

/* S becomes T = S - sum_m p_m S_m; *drift >= |sum_m p_m tau_m|, tau the whole deviations of the scores. */
static void subtract_mean(attention_token *row, const head_weights *w, const form_symbols *symbols, double *drift) {
  const double gamma = gamma_upper(row->count + 2.0);
  const size_t columns = (size_t)row->columns;
  double *const mean = row->block;
  double size = 0.0, missed = 0.0;
  if (columns > 0) memset(mean, 0, columns * sizeof *mean);
  for (int j = 0; j < row->count; j++) {
    const double *const line = row->score_linear + (size_t)j * columns, p = row->weight[j];
    for (size_t k = 0; k < columns; k++) mean[k] += p * line[k];
    const double magnitude = form_support_of(line, row->layout, symbols).magnitude;
    w->miss[j] = row->score_bound[j] + row->score_miss[j] + gamma * magnitude; /* of the own row */
    size += p * magnitude;
    missed += p * (row->score_bound[j] + row->score_miss[j]);
  }
  const double of_mean = round_up_nonnegative(gamma * size, row->count + 3.0);
  const form_support support = form_support_of(mean, row->layout, symbols);
  *drift = round_up_nonnegative(support.input + support.other + missed + of_mean, row->count + 6.0);
  for (int j = 0; j < row->count; j++) {
    double *const line = row->score_linear + (size_t)j * columns;
    for (size_t k = 0; k < columns; k++) line[k] -= mean[k];
    row->score_support[j] = form_support_of(line, row->layout, symbols);
    w->miss[j] = round_up_nonnegative(w->miss[j] + of_mean, 4.0);
    /* N_j stands in t_j once with 1 - p_j, the others' with their p */
    const double others = missed - row->weight[j] * row->score_bound[j] * (1.0 - 0x1p-40);
    const double own = w->miss[j] - row->weight[j] * row->score_bound[j] * (1.0 - 0x1p-40);
    w->reach[j] = round_up_nonnegative(row->score_support[j].input + row->score_support[j].other +
                                           range_larger(own, 0.0) + range_larger(others, 0.0),
                                       row->count + 12.0);
  }
}

/* p, T, remainders of the weights, and the bounds of their symbols. */
static void bound_weights(attention_token *row, int h, const head_weights *w, const form_symbols *symbols) {
  double *const bound = row->weight_bound + (size_t)h * (size_t)row->count, drift;
  softmax_remainder_weights(w->softmax, row->weight, row->score, row->count);
  subtract_mean(row, w, symbols, &drift);
  softmax_remainder(w->remainder, w->softmax, row->weight, w->reach, drift, row->count);
  for (int j = 0; j < row->count; j++) {
    const double middle = range_middle(w->remainder[j]), half = range_radius(w->remainder[j], middle);
    const double p = row->weight[j];
    bound[j] = round_up_nonnegative(p * w->miss[j] + half, 3.0);
    w->change[j] = round_up_nonnegative(p * w->reach[j] + range_magnitude(w->remainder[j]), 3.0);
  }
}

/* y0, v_j - y0, the center, and the roundings of all these. */
static void place_center(attention_token *row, const form *v, int h, const head_weights *w) {
  const double gamma = gamma_upper(row->count + 3.0);
  for (int c = 0; c < row->dim; c++) {
    const int at = h * row->dim + c;
    double *const difference = row->difference + (size_t)at * (size_t)row->count;
    const double *const value = v->center + at;
    double mean = 0.0, rest = 0.0, size = 0.0, shift = 0.0, missed = 0.0;
    for (int j = 0; j < row->count; j++) mean += row->weight[j] * value[(size_t)j * (size_t)v->cols];
    for (int j = 0; j < row->count; j++) {
      const size_t of_j = (size_t)j * (size_t)v->cols;
      difference[j] = value[of_j] - mean;
      row->weighted[(size_t)j * (size_t)row->dim + (size_t)c] = row->weight[j] * difference[j];
      rest += row->weight[j] * difference[j];
      size += row->weight[j] * fabs(difference[j]) * (1.0 + w->miss[j]);
      shift += range_middle(w->remainder[j]) * difference[j];
      missed += gamma * fabs(range_middle(w->remainder[j]) * difference[j]) +
                row->weight[j] * v->radius[of_j + (size_t)at] +
                UNIT_ROUNDOFF * fabs(difference[j]) * (row->weight[j] + w->change[j]);
    }
    row->center[at] = mean + rest + shift;
    /* sum_j p_j (v_j - y0) is `rest`; times the mean of what the t_j miss, at most the largest miss */
    double largest = 0.0;
    for (int j = 0; j < row->count; j++) largest = range_larger(largest, w->miss[j]);
    const double center = 3.0 * UNIT_ROUNDOFF * (fabs(mean) + fabs(rest) + fabs(shift));
    row->radius[at] = round_up_nonnegative(missed + 2.0 * gamma * size + (fabs(rest) + gamma * size) * largest +
                                               center + UNDERFLOW_ALLOWANCE,
                                           row->count + 12.0);
  }
}

/* sum_j p_j V_j + sum_j p_j (v_j - y0) T_j, and what its roundings add to the radius. */
static void add_linear(attention_token *row, const form *v, int h) {
  const size_t columns = (size_t)row->columns, dim = (size_t)row->dim;
  double *const linear = row->linear + (size_t)h * (size_t)row->dim * columns;
  const double gamma = gamma_upper(2.0 * row->count + 4.0);
  if (columns > 0)
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, row->dim, row->columns, row->count, 1.0, row->weighted,
                row->dim, row->score_linear, row->columns, 0.0, linear, row->columns);
  for (int j = 0; j < row->count; j++) {
    const form_row *const value = &v->row[j];
    const size_t from = (size_t)form_layout_columns(&value->layout);
    form_layout_add(linear, row->layout, value->linear + (size_t)h * (size_t)row->dim * from, &value->layout, row->dim,
                    row->weight[j]);
    for (size_t c = 0; c < dim; c++) {
      const size_t at = (size_t)h * (size_t)row->dim + c;
      const double magnitude = row->weight[j] * v->support[(size_t)j * (size_t)v->cols + at].magnitude +
                               fabs(row->weighted[(size_t)j * dim + c]) * row->score_support[j].magnitude;
      row->radius[at] = round_up_nonnegative(row->radius[at] + gamma * magnitude, 6.0);
    }
  }
}

/* out = the perturbation's columns of a row over `layout`, in the order of `wanted`; returns how many. */
static int take_input(double *out, const double *row, const form_layout *layout, const form_layout *wanted,
                      const form_symbols *symbols) {
  int count = 0;
  for (int s = 0, t = 0; s < wanted->count && symbols->segment[wanted->id[s]].input; s++, t++) {
    const int width = wanted->start[s + 1] - wanted->start[s];
    while (layout->id[t] != wanted->id[s]) t++;
    memcpy(out + count, row + layout->start[t], (size_t)width * sizeof *out);
    count += width;
  }
  return count;
}

/* center += r^2 / 2 sum_j p_j V_j,in T_j,in: the middle of the products' second-order part. */
static void add_middle(attention_token *row, const form *v, int h, const form_symbols *symbols) {
  if (row->input == 0) return;
  const double r = symbols->segment[row->layout->id[0]].radius;
  for (int j = 0; j < row->count; j++) {
    const form_row *const value = &v->row[j];
    const int columns = form_layout_columns(&value->layout);
    const int input = take_input(row->block, row->score_linear + (size_t)j * (size_t)row->columns, row->layout,
                                 &value->layout, symbols);
    if (input == 0) continue;
    cblas_dgemv(CblasRowMajor, CblasNoTrans, row->dim, input, 0.5 * r * r * row->weight[j],
                value->linear + (size_t)h * (size_t)row->dim * (size_t)columns, columns, row->block, 1, 1.0,
                row->center + (size_t)h * (size_t)row->dim, 1);
  }
}

/* Bounds of sum_j (P'_j - p_j) e_vj about its middle. */
static void bound_products(attention_token *row, const form *v, int h, const head_weights *w,
                           const attention_norms *norms) {
  const double gamma = gamma_upper(row->input + row->count + 8.0);
  double norm = 0.0, missed = 0.0;
  for (int j = 0; j < row->count; j++) {
    const size_t at = (size_t)j * (size_t)row->heads + (size_t)h;
    const double in = round_up_nonnegative(row->weight[j] * row->score_support[j].input, 1.0);
    norm += operation_product(norms->value[at], norms->value_input[at], w->change[j], in);
  }
  for (int c = 0; c < row->dim; c++) {
    const size_t at = (size_t)h * (size_t)row->dim + (size_t)c;
    double bound = 0.0, middle = 0.0;
    for (int j = 0; j < row->count; j++) {
      const double x_in = v->support[(size_t)j * (size_t)v->cols + at].input;
      const double in = round_up_nonnegative(row->weight[j] * row->score_support[j].input, 1.0);
      bound += operation_product(form_spread(v, j, (int)at), x_in, w->change[j], in);
      middle += x_in * in;
    }
    /* roundings of the middle, and of the center that it was added to */
    const double beside = gamma * middle + (row->count + 1.0) * UNIT_ROUNDOFF * (fabs(row->center[at]) + middle);
    missed += beside * beside;
    row->product_bound[at] = round_up_nonnegative(bound + beside + UNDERFLOW_ALLOWANCE, row->count + 8.0);
  }
  row->product_norm[h] = round_up_nonnegative(
      norm + sqrt(round_up_nonnegative(missed, row->dim + 12.0)) + UNDERFLOW_ALLOWANCE, row->count + 8.0);
}

attcert_status attention_head_pass(attention_token *row, const operation_attention_input *in, int i, int h,
                                   const attention_norms *norms, const form_symbols *symbols, attcert_error *err) {
  const size_t n = (size_t)row->count;
  head_weights w;
  const array_table table = {
      {ARRAY(w.softmax, n), ARRAY(w.remainder, n), ARRAY(w.reach, n), ARRAY(w.change, n), ARRAY(w.miss, n)}};
  const attcert_status status = array_table_allocate(&table, err, "the weights of %zu tokens", n);
  if (status != ATTCERT_OK) return status;
  attention_head_scores(row, in, i, h, norms);
  bound_weights(row, h, &w, symbols);
  place_center(row, in->value, h, &w);
  add_linear(row, in->value, h);
  add_middle(row, in->value, h, symbols);
  bound_products(row, in->value, h, &w, norms);
  array_table_release(&table);
  return ATTCERT_OK;
}
