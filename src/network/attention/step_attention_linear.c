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
#include "network/attention/step_attention_linear.h"

#include "base/arrays.h"
#include "interval/interval_arith.h"
#include "interval/interval_convert.h"
#include "interval/interval_set.h"
#include "linalg/rounding/upward.h"
#include "network/attention/step_attention_weights.h"
#include "robust/range/range.h"

#include <math.h>
#include <stdlib.h>

size_t attention_linear_shifts(const attention_heads *of) {
  return of->shifts != NULL ? (2 * (size_t)of->span - 1) * (size_t)of->heads : 0;
}

attention_linear attention_linear_of(const step_linear *l) {
  const attention_heads *const of = l->step->of;
  attention_linear p = {.of = of, .rows = l->rows[0], .keys = l->rows[1], .group = of->heads / of->key_heads};
  p.query_cols = l->cols[0];
  p.key_cols = l->cols[1];
  p.value_cols = l->cols[2];
  p.out_cols = l->step->cols;
  const size_t rows = (size_t)p.rows, keys = (size_t)p.keys, weights = (size_t)of->heads * rows * keys;
  const size_t shifts = attention_linear_shifts(of) * (size_t)of->head_dim;
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

size_t attention_linear_weights(const attention_linear *p, int h, int i) {
  return ((size_t)h * (size_t)p->rows + (size_t)i) * (size_t)p->keys;
}

/* ---- what the numbers miss --------------------------------------------------------------------------------------- */

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
    bound[j] = upward_add(bound[j], ATTENTION_LINEAR_FLOOR * largest);
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

/* As take_rows, a shift of all offsets; zero: head_dim zeros. */
static attcert_status take_shift(double *to, double *bound, double *tau, const attention_heads *of, const double *high,
                                 const double *low, const double *zero, step_scratch *scratch, attcert_error *err) {
  const size_t count = attention_linear_shifts(of), numbers = count * (size_t)of->head_dim;
  step_enclosure vectors = {0};
  if (high == NULL) return ATTCERT_OK;
  attcert_status status = step_enclosure_init(&vectors, (int)count, of->head_dim, scratch->precision, err);
  for (size_t k = 0; k < numbers && status == ATTCERT_OK; k++)
    step_attention_enclose_shift(&vectors.entry[k], high[k], low[k], of->shifts->error);
  if (status == ATTCERT_OK) status = take_rows(to, bound, tau, &vectors, 1, zero, true, scratch, err);
  step_enclosure_clear(&vectors);
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
static attcert_status take_weights(attention_linear *p, attention_linear_bounds *b, const step_enclosure *const *x,
                                   step_scratch *scratch, attcert_error *err) {
  step_enclosure rows; /* the weights, the slopes */
  const attcert_status status =
      step_enclosure_init(&rows, 2, attention_heads_weights(p->of, p->keys), scratch->precision, err);
  if (status != ATTCERT_OK) return status;
  for (int k = 0; k < attention_places(p->of, p->rows); k++) {
    const attention_place at = attention_place_of(p->of, k, p->keys);
    const size_t first = attention_linear_weights(p, k % p->of->heads, at.row);
    double miss;
    step_attention_enclose_weights(rows.entry, step_entry(&rows, 1, 0), x, &at, scratch);
    for (int j = 0; j < at.count; j++) {
      const size_t pair = first + (size_t)attention_place_key(&at, j);
      double *const weight = &p->weight[pair];
      interval_get_midrad(weight, &miss, step_entry(&rows, 0, j), &scratch->ws);
      b->tau_weight = range_larger(b->tau_weight, ratio(miss, fmax(*weight, ATTENTION_LINEAR_FLOOR)));
      if (p->slope == NULL) continue;
      double *const slope = &p->slope[pair];
      interval_get_midrad(slope, &miss, step_entry(&rows, 1, j), &scratch->ws);
      b->tau_slope = range_larger(b->tau_slope, ratio(miss, fmax(fabs(*slope), ATTENTION_LINEAR_FLOOR)));
    }
  }
  step_enclosure_clear(&rows);
  return ATTCERT_OK;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static attcert_status linearize_heads(step_linear *l, attention_linear *p, attention_linear_bounds *b,
                                      const step_enclosure *const *x, step_scratch *scratch, attcert_error *err) {
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
    status = take_shift(p->query_shift, b->query_shift, &b->tau_query, of, shifts->query, shifts->query_low, query,
                        scratch, err);
  if (status == ATTCERT_OK && shifts != NULL)
    status = take_shift(p->key_shift, b->key_shift, &b->tau_key, of, shifts->key, shifts->key_low, query, scratch, err);
  if (status == ATTCERT_OK) status = take_weights(p, b, x, scratch, err);
  if (status == ATTCERT_OK) status = attention_linear_sizes(l, p, b, err);
  array_table_release(&table);
  return status;
}

attcert_status step_attention_linearize(step_linear *l, const step_enclosure *const *x, step_scratch *scratch,
                                        attcert_error *err) {
  attention_linear p = attention_linear_of(l);
  attention_linear_bounds b = {0};
  const size_t rows = (size_t)p.rows, keys = (size_t)p.keys;
  const size_t key_heads = (size_t)p.of->key_heads;
  const array_table table = {{ARRAY(b.key, keys, key_heads), ARRAY(b.query, rows, (size_t)p.of->heads),
                              ARRAY(b.value, keys, key_heads), ARRAY(b.column[0], keys), ARRAY(b.column[1], keys),
                              ARRAY(b.column[2], keys), ARRAY(b.output, (size_t)p.of->value_dim),
                              ARRAY(b.query_shift, attention_linear_shifts(p.of)),
                              ARRAY(b.key_shift, attention_linear_shifts(p.of))}};
  l->scratch = rows * keys;
  attcert_status status = step_linear_numbers(l, p.count, err);
  if (status == ATTCERT_OK) status = array_table_allocate(&table, err, "bounds of %zu keys", keys);
  if (status != ATTCERT_OK) return status;
  p = attention_linear_of(l);
  status = linearize_heads(l, &p, &b, x, scratch, err);
  array_table_release(&table);
  return status;
}
