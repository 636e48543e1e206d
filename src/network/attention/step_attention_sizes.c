/* What the derivative of attention has for its norms, and what its products round and miss. */
#include "base/arrays.h"
#include "linalg/rounding/upward.h"
#include "network/attention/step_attention_linear.h"
#include "network/attention/step_attention_weights.h"
#include "robust/range/range.h"

#include <math.h>
#include <string.h>

/* a_ij and e_ij, where i attends to j. */
static double weight_bound(const attention_linear *p, const attention_linear_bounds *b, size_t at) {
  return upward_mul(1.0 + 2.0 * b->tau_weight, fmax(p->weight[at], ATTENTION_LINEAR_FLOOR));
}

static double slope_bound(const attention_linear *p, const attention_linear_bounds *b, size_t at) {
  return p->slope == NULL ? 1.0
                          : upward_mul(1.0 + 2.0 * b->tau_slope, fmax(fabs(p->slope[at]), ATTENTION_LINEAR_FLOOR));
}

/* ||w|| / kappa or ||u|| / kappa of a pair. */
static double shift_bound(const double *bound, const attention_linear *p, const attention_place *at, int h, int j) {
  if (bound == NULL) return 0.0;
  return bound[(size_t)(j - at->token + p->of->span - 1) * (size_t)p->of->heads + (size_t)h];
}

/* Of a row, or the largest of many: sums of a, of B, of the blocks by dk, and omega. */
typedef struct {
  double sum[3], omega;
} head_bounds;

static void take_larger(head_bounds *most, const head_bounds *other) {
  for (int k = 0; k < 3; k++) most->sum[k] = range_larger(most->sum[k], other->sum[k]);
  most->omega = range_larger(most->omega, other->omega);
}

/* ||v_j - y_i||; value, mean: nu_j and sum_m a_im nu_m, which bound what y_i rounds and misses, too. */
static double deviation(const attention_linear *p, const attention_linear_bounds *b, int j, int g, double value,
                        double mean) {
  const double *const v = p->value + (size_t)j * (size_t)p->value_cols + (size_t)g * (size_t)p->of->value_dim;
  const double off = upward_compound(gamma_upper(p->keys + 4.0), upward_compound(b->tau_weight, b->tau_value));
  double squares = 0.0;
  for (int c = 0; c < p->of->value_dim; c++) squares += (v[c] - b->output[c]) * (v[c] - b->output[c]);
  const double length = round_up_nonnegative(sqrt(round_up_nonnegative(squares, p->of->value_dim + 2.0)), 1.0);
  return upward_add(length, upward_mul(off, upward_add(value, mean)));
}

/* b->output := sum_j P_ij (v_j - r). */
static void take_output(const attention_linear *p, attention_linear_bounds *b, const attention_place *at,
                        size_t first) {
  memset(b->output, 0, (size_t)p->of->value_dim * sizeof *b->output);
  for (int number = 0; number < at->count; number++) {
    const int j = attention_place_key(at, number);
    const double *const v = p->value + (size_t)j * (size_t)p->value_cols + (size_t)at->value;
    for (int c = 0; c < p->of->value_dim; c++) b->output[c] += p->weight[first + (size_t)j] * v[c];
  }
}

/* One row; adds to the columns' sums. */
static void bound_row(head_bounds *row, const attention_linear *p, attention_linear_bounds *b,
                      const attention_place *at, int h) {
  const size_t first = attention_linear_weights(p, h, at->row);
  const int g = attention_heads_key_head(p->of, h), heads = p->of->key_heads;
  const double chi = b->query[(size_t)at->row * (size_t)p->of->heads + (size_t)h];
  double mean_key = 0.0, mean_value = 0.0;
  *row = (head_bounds){0};
  take_output(p, b, at, first);
  for (int number = 0; number < at->count; number++) {
    const int j = attention_place_key(at, number);
    const size_t of_key = (size_t)j * (size_t)heads + (size_t)g;
    const double a = weight_bound(p, b, first + (size_t)j), e = slope_bound(p, b, first + (size_t)j);
    const double kappa = upward_add(b->key[of_key], shift_bound(b->key_shift, p, at, h, j));
    mean_key = upward_add(mean_key, upward_mul(a, upward_mul(e, kappa)));
    mean_value = upward_add(mean_value, upward_mul(a, b->value[of_key]));
  }
  for (int number = 0; number < at->count; number++) {
    const int j = attention_place_key(at, number);
    const size_t of_key = (size_t)j * (size_t)heads + (size_t)g;
    const double a = weight_bound(p, b, first + (size_t)j), e = slope_bound(p, b, first + (size_t)j);
    const double kappa = upward_add(b->key[of_key], shift_bound(b->key_shift, p, at, h, j));
    const double of_score = upward_add(upward_mul(e, kappa), mean_key), value = b->value[of_key];
    const double shifted = upward_add(chi, shift_bound(b->query_shift, p, at, h, j));
    const double turn = upward_mul(shifted, upward_mul(a, e));
    const double part[] = {a, upward_mul(turn, upward_add(value, mean_value)),
                           upward_mul(turn, deviation(p, b, j, g, value, mean_value))};
    row->omega = upward_add(row->omega, upward_mul(upward_mul(a, of_score), value));
    for (int k = 0; k < 3; k++) {
      row->sum[k] = upward_add(row->sum[k], part[k]);
      b->column[k][j] = upward_add(b->column[k][j], part[k]);
    }
  }
}

/* rho, beta and the norm by dk in `sum`, and omega, of the head where each is largest. */
static head_bounds bound_heads(const attention_linear *p, attention_linear_bounds *b) {
  head_bounds all = {0};
  for (int h = 0; h < p->of->heads; h++) {
    head_bounds rows = {0}, columns = {0};
    for (int k = 0; k < 3; k++) memset(b->column[k], 0, (size_t)p->keys * sizeof *b->column[k]);
    for (int i = 0; i < p->rows; i++) {
      const attention_place at = attention_place_of(p->of, i * p->of->heads + h, p->keys);
      head_bounds row;
      bound_row(&row, p, b, &at, h);
      take_larger(&rows, &row);
    }
    for (int j = 0; j < p->keys; j++)
      for (int k = 0; k < 3; k++) columns.sum[k] = range_larger(columns.sum[k], b->column[k][j]);
    for (int k = 0; k < 3; k++) rows.sum[k] = round_up_nonnegative(sqrt(upward_mul(rows.sum[k], columns.sum[k])), 1.0);
    take_larger(&all, &rows);
  }
  return all;
}

/* The largest ||sum_j P_ij c'_ij (v_j - y_i) k_j^T||_F / kappa as computed: column c of all rows and heads is what the
 * c-th unit vectors of all queries are taken to. Errors: ATTCERT_RESOURCE. */
static attcert_status query_blocks(double *norm, const step_linear *l, const attention_linear *p, attcert_error *err) {
  const size_t rows = (size_t)p->rows, out = (size_t)p->out_cols, blocks = rows * (size_t)p->of->heads;
  double *x[3], *y, *scratch, *squares;
  const array_table table = {{ARRAY(x[0], rows, (size_t)p->query_cols),
                              ARRAY(x[1], (size_t)p->keys, (size_t)p->key_cols),
                              ARRAY(x[2], (size_t)p->keys, (size_t)p->value_cols), ARRAY(y, rows, out),
                              ARRAY(scratch, l->scratch), ARRAY(squares, blocks)}};
  const attcert_status status = array_table_allocate(&table, err, "products with unit queries");
  if (status != ATTCERT_OK) return status;
  for (int c = 0; c < p->of->head_dim; c++) {
    for (size_t k = 0; k < rows * (size_t)p->query_cols; k++) x[0][k] = (int)(k % (size_t)p->of->head_dim) == c;
    step_attention_push(y, l, (const double *const *)x, 1, scratch);
    for (size_t k = 0; k < rows * out; k++) squares[k / (size_t)p->of->value_dim] += y[k] * y[k];
  }
  *norm = 0.0;
  for (size_t k = 0; k < blocks; k++)
    *norm = range_larger(*norm, round_up_nonnegative(squares[k], (double)p->of->head_dim * p->of->value_dim));
  *norm = round_up_nonnegative(sqrt(*norm), 1.0);
  array_table_release(&table);
  return ATTCERT_OK;
}

/* As step_attention_linear.c has them; a unit query is off by what is rounded and missed, head_dim of them by the root
 * of that times it. */
attcert_status attention_linear_sizes(step_linear *l, const attention_linear *p, attention_linear_bounds *b,
                                      attcert_error *err) {
  const head_bounds most = bound_heads(p, b);
  const double shared = round_up_nonnegative(sqrt((double)p->group), 1.0);
  const double whole[] = {most.omega, upward_mul(shared, most.sum[1]), upward_mul(shared, most.sum[0])};
  const bool shifts = p->of->shifts != NULL;
  const double push = 2.0 * p->of->head_dim + 3.0 * p->keys + 8.0 + (shifts ? 2.0 * p->of->head_dim + 2.0 : 0.0);
  const double sharing = (double)p->rows * p->group;
  const double pull = p->of->value_dim + 2.0 * p->keys + sharing + 8.0 + (shifts ? p->keys + sharing + 2.0 : 0.0);
  const double of_rows = upward_compound(upward_add(b->tau_query, b->tau_key), b->tau_value);
  const double of_weights = upward_compound(upward_compound(b->tau_weight, b->tau_weight), b->tau_slope);
  double norm = 0.0;
  const attcert_status status = query_blocks(&norm, l, p, err);
  for (int k = 0; k < 3; k++)
    l->size[k] = (step_linear_size){.norm = whole[k],
                                    .pushed = upward_mul(gamma_upper(push), whole[k]),
                                    .pulled = upward_mul(gamma_upper(pull), whole[k]),
                                    .missed = upward_mul(upward_compound(of_rows, of_weights), whole[k])};
  const double off = upward_add(l->size[0].pushed, l->size[0].missed);
  const double blocks = upward_add(norm, upward_mul(round_up_nonnegative(sqrt(p->of->head_dim), 1.0), off));
  l->size[0].norm = fmin(l->size[0].norm, blocks);
  l->size[1].norm = upward_mul(shared, most.sum[2]);
  return status;
}
