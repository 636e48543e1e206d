/* The derivative of attention, for products.
 *
 * With scores s_ij = c(q_i . k_j / kappa), their slopes c'_ij, P the softmax and r any row, it takes dq, dk, dv to
 *
 *     dy_i = sum_j P_ij dv_j + sum_j t_ij (v_j - r),   t_ij = P_ij (ds_ij - sum_m P_im ds_im),
 *     ds_ij = c'_ij (dq_i . k_j + q_i . dk_j) / kappa,
 *
 * (with shifts, k_j + u_ij stands for k_j in ds_ij and dq_i, and q_i + w_ij for q_i)
 * as sum_j t_ij = 0, without a curve also with k_j - r' for k_j in ds_ij (with a sink, whose part of that sum is not
 * here, r and r' are 0), and the transpose takes c to
 *
 *     dv_j = sum_i P_ij c_i,   dq_i = sum_j t_ij k_j / kappa,   dk_j = sum_i t_ij q_i / kappa,
 *     t_ij = P_ij c'_ij (a_ij - sum_m P_im a_im),              a_ij = c_i . (v_j - r).
 *
 * Otherwise r and r' are the means of values and keys, so that what all of them have in common is not rounded. Every
 * product is an expression in sums and products, of p roundings on a path: 2 head_dim + 3 keys + 8 at most, of the
 * transpose value_dim + 2 keys + rows heads / key_heads + 8; with shifts, which are added behind the other products,
 * 2 head_dim + 2 more, and keys + rows heads / key_heads + 2. With bounds a_ij >= P_ij, e_ij >= |c'_ij|,
 * kappa_j >= (||k_j|| + ||u_ij||) / kappa, chi_i >= (||q_i|| + ||w_ij||) / kappa, nu_j >= ||v_j - r|| (the former two
 * of each pair i, j, where there are shifts) its absolute value, with
 * |u . w| <= ||u|| ||w|| for every inner product, is at most, head by head,
 *
 *     from dv, rho ||dv||,       rho^2 = ||a||_1 ||a||_inf,
 *     from dq, omega ||dq||,     omega = max_i sum_j a_ij (e_ij kappa_j + sum_m a_im e_im kappa_m) nu_j,
 *     from dk, beta ||dk||,      beta^2 = ||B||_1 ||B||_inf,   B_ij = chi_i a_ij e_ij (nu_j + sum_m a_im nu_m),
 *
 * and the same in the other direction, where |t_ij| <= a_ij e_ij ||c_i|| (nu_j + sum_m a_im nu_m). Rows and heads of
 * queries and outputs are disjoint; heads / key_heads of them share a key and value: sqrt(heads / key_heads) more for
 * dk and dv. So gamma_p times these is what is rounded (Coq: `rounded_expression`), and what the doubles miss,
 * relatively at most tau_P of P, tau_c of c', tau_q, tau_k, tau_v of the rows, is within
 *     tau = (1 + tau_P)^2 (1 + tau_c) (1 + tau_q + tau_k) (1 + tau_v) - 1
 * of them. Where a number is small next to the largest of its kind, a share 2^-60 of that is added to its bound: what
 * its double misses is then a small part of it, too.
 *
 * Norms are rho sqrt(heads / key_heads) by dv; by dq the largest of the blocks sum_j P_ij c'_ij (v_j - y_i) k_j^T /
 * kappa, one a row and head, whose columns are the products with unit vectors of all queries at once; by dk, of blocks
 * P_ij c'_ij (v_j - y_i) q_i^T / kappa of rank 1, the same as beta with ||v_j - y_i|| in place of the last factor. What
 * is rounded and missed is added to both. */
#include "base/arrays.h"
#include "base/parallel.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_elem.h"
#include "interval/interval_set.h"
#include "linalg/blas/blas_single.h"
#include "linalg/rounding/upward.h"
#include "network/attention/step_attention.h"
#include "network/attention/step_attention_weights.h"
#include "robust/range/range.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the largest of a kind of numbers, what is added to the bounds of all. */
static const double FLOOR = 0x1p-60;

/* ---- the numbers, in l->number ----------------------------------------------------------------------------------- */

typedef struct {
  const attention_heads *of;
  int rows, keys, group; /* heads of queries for each of keys */
  int query_cols, key_cols, value_cols, out_cols;
  double *weight, *slope;          /* [heads][rows][keys]: P_ij, c'_ij, zero where a row does not attend */
  double *query, *key;             /* [rows][heads head_dim], [keys][key_heads head_dim]: divided by kappa */
  double *value;                   /* [keys][key_heads value_dim]: v_j - r */
  double *query_shift, *key_shift; /* of attention_shifts, divided by kappa; NULL: zeros */
  size_t count;                    /* of all */
} parts;

/* How many vectors a shift has. */
static size_t shift_heads(const attention_heads *of) {
  return of->shifts != NULL ? (2 * (size_t)of->span - 1) * (size_t)of->heads : 0;
}

static parts parts_of(const step_linear *l) {
  const attention_heads *const of = l->step->of;
  parts p = {.of = of, .rows = l->rows[0], .keys = l->rows[1], .group = of->heads / of->key_heads};
  p.query_cols = l->cols[0];
  p.key_cols = l->cols[1];
  p.value_cols = l->cols[2];
  p.out_cols = l->step->cols;
  const size_t rows = (size_t)p.rows, keys = (size_t)p.keys, weights = (size_t)of->heads * rows * keys;
  const size_t shifts = shift_heads(of) * (size_t)of->head_dim;
  const size_t size[] = {weights,
                         of->curve != NULL ? weights : 0,
                         rows * (size_t)p.query_cols,
                         keys * (size_t)p.key_cols,
                         keys * (size_t)p.value_cols,
                         attention_heads_shifts_queries(of) ? shifts : 0,
                         attention_heads_shifts_keys(of) ? shifts : 0};
  double **const to[] = {&p.weight, &p.slope, &p.query, &p.key, &p.value, &p.query_shift, &p.key_shift};
  for (int i = 0; i < 7; i++) {
    *to[i] = l->number != NULL && size[i] > 0 ? l->number + p.count : NULL;
    p.count += size[i];
  }
  return p;
}

static size_t weights_at(const parts *p, int h, int i) {
  return ((size_t)h * (size_t)p->rows + (size_t)i) * (size_t)p->keys;
}

/* ---- their bounds ------------------------------------------------------------------------------------------------ */

/* Upper bounds of lengths and sizes, and of what is missed of them: relatively. */
typedef struct {
  double *key, *query, *value;     /* kappa_j [keys][key_heads], chi_i [rows][heads], nu_j [keys][key_heads] */
  double *query_shift, *key_shift; /* [2 span - 1][heads]: ||w|| / kappa, ||u|| / kappa */
  double *column[3];               /* [keys]: sums of columns of a, of B, of the blocks by dk */
  double *output;                  /* [value_dim]: y_i - r */
  double tau_weight, tau_slope, tau_key, tau_query, tau_value;
} bounds;

static double ratio(double miss, double bound) {
  return miss == 0.0 ? 0.0 : upward_div(miss, bound);
}

/* bound[j] := ||row j|| and what is missed of it, with the floor; *tau := the largest part that is missed. */
static void raise_to_floor(double *bound, double *miss, size_t count, double *tau) {
  double largest = 0.0;
  for (size_t j = 0; j < count; j++) {
    bound[j] = upward_add(bound[j], miss[j]);
    largest = range_larger(largest, bound[j]);
  }
  if (!(largest < STEP_LINEAR_TOO_LONG)) *tau = INFINITY;
  for (size_t j = 0; j < count; j++) {
    bound[j] = upward_add(bound[j], FLOOR * largest);
    *tau = range_larger(*tau, ratio(miss[j], bound[j]));
  }
}

/* Rows of x, head by head, without `shift`, then divided by t[0] of the scratch where asked. */
static attcert_status take_rows(double *to, double *bound, double *tau, const step_enclosure *x, int heads,
                                const double *shift, bool divided, step_scratch *scratch, attcert_error *err) {
  const int dim = x->cols / heads;
  const size_t count = (size_t)x->rows * (size_t)heads;
  step_enclosure row;
  double *const miss = array_new(count, sizeof *miss, err, "bounds of %zu rows", count);
  attcert_status status = miss != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = step_enclosure_init(&row, 1, dim, scratch->precision, err);
  for (size_t j = 0; j < count && status == ATTCERT_OK; j++) {
    const int i = (int)(j / (size_t)heads), first = (int)(j % (size_t)heads) * dim;
    for (int c = 0; c < dim; c++) {
      interval *const entry = step_entry(&row, 0, c);
      interval_set_d(&scratch->t[2], shift[first + c]);
      interval_sub(entry, step_entry(x, i, first + c), &scratch->t[2]);
      if (divided) interval_div(entry, entry, &scratch->t[0], &scratch->ws);
    }
    miss[j] = step_linear_row(to + j * (size_t)dim, row.entry, dim, &scratch->ws);
    bound[j] = norm_upper(to + j * (size_t)dim, (size_t)dim);
  }
  if (status == ATTCERT_OK) {
    raise_to_floor(bound, miss, count, tau);
    step_enclosure_clear(&row);
  }
  free(miss);
  return status;
}

/* As take_rows, a shift of all offsets. */
static attcert_status take_shift(double *to, double *bound, double *tau, const attention_heads *of, const double *high,
                                 const double *low, step_scratch *scratch, attcert_error *err) {
  const size_t count = shift_heads(of), dim = (size_t)of->head_dim;
  step_enclosure row;
  if (high == NULL) return ATTCERT_OK;
  double *const miss = array_new(count, sizeof *miss, err, "bounds of %zu shifts", count);
  attcert_status status = miss != NULL ? ATTCERT_OK : ATTCERT_RESOURCE;
  if (status == ATTCERT_OK) status = step_enclosure_init(&row, 1, of->head_dim, scratch->precision, err);
  for (size_t j = 0; j < count && status == ATTCERT_OK; j++) {
    for (size_t c = 0; c < dim; c++) {
      interval *const entry = step_entry(&row, 0, (int)c);
      step_attention_enclose_shift(entry, high[j * dim + c], low[j * dim + c], of->shifts->error);
      interval_div(entry, entry, &scratch->t[0], &scratch->ws);
    }
    miss[j] = step_linear_row(to + j * dim, row.entry, of->head_dim, &scratch->ws);
    bound[j] = norm_upper(to + j * dim, dim);
  }
  if (status == ATTCERT_OK) {
    raise_to_floor(bound, miss, count, tau);
    step_enclosure_clear(&row);
  }
  free(miss);
  return status;
}

/* About the mean of the rows, any numbers. */
static void mean_of_rows(double *mean, const step_enclosure *v, interval_scratch *ws) {
  for (int c = 0; c < v->cols; c++) {
    double sum = 0.0, mid, miss;
    for (int j = 0; j < v->rows; j++) {
      interval_get_midrad(&mid, &miss, step_entry(v, j, c), ws);
      sum += mid;
    }
    mean[c] = isfinite(sum) ? sum / v->rows : 0.0;
  }
}

/* P and c', and what is missed of them, relatively to a and e. */
static attcert_status take_weights(parts *p, bounds *b, const step_enclosure *const *x, step_scratch *scratch,
                                   attcert_error *err) {
  step_enclosure rows; /* the weights, the slopes */
  const attcert_status status =
      step_enclosure_init(&rows, 2, attention_heads_weights(p->of, p->keys), scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  for (int k = 0; k < attention_places(p->of, p->rows); k++) {
    const attention_place at = attention_place_of(p->of, k, p->keys);
    const size_t first = weights_at(p, k % p->of->heads, at.row) + (size_t)at.first;
    double miss;
    step_attention_enclose_weights(rows.entry, step_entry(&rows, 1, 0), x, &at, scratch);
    for (int j = 0; j < at.count; j++) {
      double *const weight = &p->weight[first + (size_t)j];
      interval_get_midrad(weight, &miss, step_entry(&rows, 0, j), &scratch->ws);
      b->tau_weight = range_larger(b->tau_weight, ratio(miss, fmax(*weight, FLOOR)));
      if (p->slope == NULL) continue;
      double *const slope = &p->slope[first + (size_t)j];
      interval_get_midrad(slope, &miss, step_entry(&rows, 1, j), &scratch->ws);
      b->tau_slope = range_larger(b->tau_slope, ratio(miss, fmax(fabs(*slope), FLOOR)));
    }
  }
  step_enclosure_clear(&rows);
  return ATTCERT_OK;
}

/* a_ij and e_ij, where i attends to j. */
static double weight_bound(const parts *p, const bounds *b, size_t at) {
  return upward_mul(1.0 + 2.0 * b->tau_weight, fmax(p->weight[at], FLOOR));
}

static double slope_bound(const parts *p, const bounds *b, size_t at) {
  return p->slope == NULL ? 1.0 : upward_mul(1.0 + 2.0 * b->tau_slope, fmax(fabs(p->slope[at]), FLOOR));
}

/* ||w|| / kappa or ||u|| / kappa of a pair. */
static double shift_bound(const double *bound, const parts *p, const attention_place *at, int h, int j) {
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
static double deviation(const parts *p, const bounds *b, int j, int g, double value, double mean) {
  const double *const v = p->value + (size_t)j * (size_t)p->value_cols + (size_t)g * (size_t)p->of->value_dim;
  const double off = upward_compound(gamma_upper(p->keys + 4.0), upward_compound(b->tau_weight, b->tau_value));
  double squares = 0.0;
  for (int c = 0; c < p->of->value_dim; c++) squares += (v[c] - b->output[c]) * (v[c] - b->output[c]);
  const double length = round_up_nonnegative(sqrt(round_up_nonnegative(squares, p->of->value_dim + 2.0)), 1.0);
  return upward_add(length, upward_mul(off, upward_add(value, mean)));
}

/* b->output := sum_j P_ij (v_j - r). */
static void take_output(const parts *p, bounds *b, const attention_place *at, size_t first) {
  memset(b->output, 0, (size_t)p->of->value_dim * sizeof *b->output);
  for (int j = at->first; j < at->first + at->count; j++) {
    const double *const v = p->value + (size_t)j * (size_t)p->value_cols + (size_t)at->value;
    for (int c = 0; c < p->of->value_dim; c++) b->output[c] += p->weight[first + (size_t)j] * v[c];
  }
}

/* One row; adds to the columns' sums. */
static void bound_row(head_bounds *row, const parts *p, bounds *b, const attention_place *at, int h) {
  const size_t first = weights_at(p, h, at->row);
  const int g = attention_heads_key_head(p->of, h), heads = p->of->key_heads;
  const double chi = b->query[(size_t)at->row * (size_t)p->of->heads + (size_t)h];
  double mean_key = 0.0, mean_value = 0.0;
  *row = (head_bounds){0};
  take_output(p, b, at, first);
  for (int j = at->first; j < at->first + at->count; j++) {
    const size_t of_key = (size_t)j * (size_t)heads + (size_t)g;
    const double a = weight_bound(p, b, first + (size_t)j), e = slope_bound(p, b, first + (size_t)j);
    const double kappa = upward_add(b->key[of_key], shift_bound(b->key_shift, p, at, h, j));
    mean_key = upward_add(mean_key, upward_mul(a, upward_mul(e, kappa)));
    mean_value = upward_add(mean_value, upward_mul(a, b->value[of_key]));
  }
  for (int j = at->first; j < at->first + at->count; j++) {
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
static head_bounds bound_heads(const parts *p, bounds *b) {
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
static attcert_status query_blocks(double *norm, const step_linear *l, const parts *p, attcert_error *err) {
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

/* As the header has them; a unit query is off by what is rounded and missed, head_dim of them by the root of that
 * times it. */
static attcert_status set_sizes(step_linear *l, const parts *p, bounds *b, attcert_error *err) {
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

static attcert_status linearize_heads(step_linear *l, parts *p, bounds *b, const step_enclosure *const *x,
                                      step_scratch *scratch, attcert_error *err) {
  const attention_heads *const of = p->of;
  double *query, *key, *value; /* what is subtracted from rows; from queries nothing */
  const array_table table = {
      {ARRAY(query, (size_t)p->query_cols), ARRAY(key, (size_t)p->key_cols), ARRAY(value, (size_t)p->value_cols)}};
  attcert_status status = array_table_allocate(&table, err, "the means of %d rows", p->keys);
  if (status != ATTCERT_OK) return status;
  step_attention_enclose_scale(of, scratch);
  if (of->sink == NULL) mean_of_rows(value, x[2], &scratch->ws);
  if (of->sink == NULL && of->curve == NULL) mean_of_rows(key, x[1], &scratch->ws);
  status = take_rows(p->value, b->value, &b->tau_value, x[2], of->key_heads, value, false, scratch, err);
  if (status == ATTCERT_OK)
    status = take_rows(p->query, b->query, &b->tau_query, x[0], of->heads, query, true, scratch, err);
  if (status == ATTCERT_OK)
    status = take_rows(p->key, b->key, &b->tau_key, x[1], of->key_heads, key, true, scratch, err);
  const attention_shifts *const shifts = of->shifts;
  if (status == ATTCERT_OK && shifts != NULL)
    status =
        take_shift(p->query_shift, b->query_shift, &b->tau_query, of, shifts->query, shifts->query_low, scratch, err);
  if (status == ATTCERT_OK && shifts != NULL)
    status = take_shift(p->key_shift, b->key_shift, &b->tau_key, of, shifts->key, shifts->key_low, scratch, err);
  if (status == ATTCERT_OK) status = take_weights(p, b, x, scratch, err);
  if (status == ATTCERT_OK) status = set_sizes(l, p, b, err);
  array_table_release(&table);
  return status;
}

attcert_status step_attention_linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                        attcert_error *err) {
  parts p = parts_of(l);
  bounds b = {0};
  const size_t rows = (size_t)p.rows, keys = (size_t)p.keys;
  const size_t key_heads = (size_t)p.of->key_heads;
  const array_table table = {{ARRAY(b.key, keys, key_heads), ARRAY(b.query, rows, (size_t)p.of->heads),
                              ARRAY(b.value, keys, key_heads), ARRAY(b.column[0], keys), ARRAY(b.column[1], keys),
                              ARRAY(b.column[2], keys), ARRAY(b.output, (size_t)p.of->value_dim),
                              ARRAY(b.query_shift, shift_heads(p.of)), ARRAY(b.key_shift, shift_heads(p.of))}};
  l->scratch = rows * keys;
  attcert_status status = step_linear_numbers(l, p.count, err);
  if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "bounds of %zu keys", keys);
  if (status != ATTCERT_OK) return status;
  p = parts_of(l);
  status = linearize_heads(l, &p, &b, x, scratch, err);
  array_table_release(&table);
  return status;
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

typedef struct {
  parts p;
  const double *query, *key, *value; /* of the tangent */
  double *to_query, *to_key, *to_value;
  const double *from;
  double *to;
  double *scratch;
} product;

/* t from what `scores` holds, ds or a: P (s - sum P s), with the slope before the mean or behind it. */
static void respond(double *scores, const parts *p, int h, bool transpose) {
  for (int i = 0; i < p->rows; i++) {
    const size_t first = weights_at(p, h, i);
    const double *const weight = p->weight + first, *const slope = p->slope != NULL ? p->slope + first : NULL;
    double *const s = scores + (size_t)i * (size_t)p->keys, mean = 0.0;
    for (int j = 0; j < p->keys && slope != NULL && !transpose; j++) s[j] *= slope[j];
    for (int j = 0; j < p->keys; j++) mean += weight[j] * s[j];
    for (int j = 0; j < p->keys; j++) s[j] = weight[j] * (s[j] - mean);
    for (int j = 0; j < p->keys && slope != NULL && transpose; j++) s[j] *= slope[j];
  }
}

/* c := a b + keep c, with sides m, k, n; transposed: of a stored by columns, or of b. */
static void multiply(double *c, int ldc, const double *a, int lda, bool a_turned, const double *b, int ldb,
                     bool b_turned, const int side[3], double keep) {
  cblas_dgemm(CblasRowMajor, a_turned ? CblasTrans : CblasNoTrans, b_turned ? CblasTrans : CblasNoTrans, side[0],
              side[2], side[1], 1.0, a, lda, b, ldb, keep, c, ldc);
}

static const double *shift_of(const double *shift, const parts *p, int h, int i, int j) {
  return attention_heads_shift(p->of, shift, h, p->of->token >= 0 ? p->of->token : i, j);
}

static step_keys attended_by(const parts *p, int i) {
  return attention_heads_keys(p->of, p->of->token >= 0 ? p->of->token : i, p->keys);
}

/* s_ij += dq_i . u_ij + w_ij . dk_j, where i attends to j. */
static void add_shifts(double *s, const parts *p, int h, const double *query, const double *key) {
  const int k = p->of->head_dim, first = h * k, of_key = attention_heads_key_head(p->of, h) * k;
  for (int i = 0; i < p->rows && p->of->shifts != NULL; i++) {
    const step_keys to = attended_by(p, i);
    for (int j = to.first; j < to.first + to.count; j++) {
      double *const sum = s + (size_t)i * (size_t)p->keys + (size_t)j;
      if (p->key_shift != NULL)
        *sum +=
            cblas_ddot(k, query + (size_t)i * (size_t)p->query_cols + first, 1, shift_of(p->key_shift, p, h, i, j), 1);
      if (p->query_shift != NULL)
        *sum +=
            cblas_ddot(k, shift_of(p->query_shift, p, h, i, j), 1, key + (size_t)j * (size_t)p->key_cols + of_key, 1);
    }
  }
}

/* dq_i += sum_j t_ij u_ij, dk_j += sum_i t_ij w_ij. */
static void pull_shifts(double *query, double *key, const parts *p, int h, const double *t) {
  const int k = p->of->head_dim, first = h * k, of_key = attention_heads_key_head(p->of, h) * k;
  for (int i = 0; i < p->rows && p->of->shifts != NULL; i++) {
    const step_keys to = attended_by(p, i);
    for (int j = to.first; j < to.first + to.count; j++) {
      const double factor = t[(size_t)i * (size_t)p->keys + (size_t)j];
      if (p->key_shift != NULL)
        cblas_daxpy(k, factor, shift_of(p->key_shift, p, h, i, j), 1, query + (size_t)i * (size_t)p->query_cols + first,
                    1);
      if (p->query_shift != NULL)
        cblas_daxpy(k, factor, shift_of(p->query_shift, p, h, i, j), 1, key + (size_t)j * (size_t)p->key_cols + of_key,
                    1);
    }
  }
}

static void push_vector(void *context, int v) {
  const product *const t = context;
  const parts *const p = &t->p;
  const int n = p->rows, m = p->keys, k = p->of->head_dim, d = p->of->value_dim;
  const int to_scores[] = {n, k, m}, to_values[] = {n, m, d};
  const double *const query = t->query + (size_t)v * (size_t)n * (size_t)p->query_cols;
  const double *const key = t->key + (size_t)v * (size_t)m * (size_t)p->key_cols;
  const double *const value = t->value + (size_t)v * (size_t)m * (size_t)p->value_cols;
  double *const y = t->to + (size_t)v * (size_t)n * (size_t)p->out_cols;
  double *const s = t->scratch + (size_t)v * (size_t)n * (size_t)m;
  for (int h = 0; h < p->of->heads; h++) {
    const int g = attention_heads_key_head(p->of, h);
    multiply(s, m, query + h * k, p->query_cols, false, p->key + g * k, p->key_cols, true, to_scores, 0.0);
    multiply(s, m, p->query + h * k, p->query_cols, false, key + g * k, p->key_cols, true, to_scores, 1.0);
    add_shifts(s, p, h, query, key);
    respond(s, p, h, false);
    multiply(y + h * d, p->out_cols, p->weight + weights_at(p, h, 0), m, false, value + g * d, p->value_cols, false,
             to_values, 0.0);
    multiply(y + h * d, p->out_cols, s, m, false, p->value + g * d, p->value_cols, false, to_values, 1.0);
  }
}

static void pull_vector(void *context, int v) {
  const product *const t = context;
  const parts *const p = &t->p;
  const int n = p->rows, m = p->keys, k = p->of->head_dim, d = p->of->value_dim;
  const int to_scores[] = {n, d, m}, to_value[] = {m, n, d}, to_query[] = {n, m, k}, to_key[] = {m, n, k};
  double *const query = t->to_query + (size_t)v * (size_t)n * (size_t)p->query_cols;
  double *const key = t->to_key + (size_t)v * (size_t)m * (size_t)p->key_cols;
  double *const value = t->to_value + (size_t)v * (size_t)m * (size_t)p->value_cols;
  const double *const c = t->from + (size_t)v * (size_t)n * (size_t)p->out_cols;
  double *const s = t->scratch + (size_t)v * (size_t)n * (size_t)m;
  for (int h = 0; h < p->of->heads; h++) {
    const int g = attention_heads_key_head(p->of, h);
    const double keep = h % p->group == 0 ? 0.0 : 1.0;
    multiply(s, m, c + h * d, p->out_cols, false, p->value + g * d, p->value_cols, true, to_scores, 0.0);
    respond(s, p, h, true);
    multiply(value + g * d, p->value_cols, p->weight + weights_at(p, h, 0), m, true, c + h * d, p->out_cols, false,
             to_value, keep);
    multiply(query + h * k, p->query_cols, s, m, false, p->key + g * k, p->key_cols, false, to_query, 0.0);
    multiply(key + g * k, p->key_cols, s, m, true, p->query + h * k, p->query_cols, false, to_key, keep);
    pull_shifts(query, key, p, h, s);
  }
}

/* Of several vectors, each on a thread. */
static void for_vectors(int count, int threads, parallel_body body, product *t) {
  blas_single_begin();
  parallel_for(count, threads, body, t);
  blas_single_end();
}

void step_attention_push(double *y, const step_linear *l, const double *const *x, int count, double *scratch) {
  product t = {.p = parts_of(l), .query = x[0], .key = x[1], .value = x[2], .to = y, .scratch = scratch};
  for_vectors(count, l->threads, push_vector, &t);
}

void step_attention_pull(double *const *x, const step_linear *l, const double *y, int count, double *scratch) {
  product t = {.p = parts_of(l), .to_query = x[0], .to_key = x[1], .to_value = x[2], .from = y, .scratch = scratch};
  for_vectors(count, l->threads, pull_vector, &t);
}
