/* Softmax mean of the values, head by head. For one token i and head h, with a = 1 / sqrt(dimension):
 *
 * scores   s_j = a q.k_j = s0_j + S_j(eta) + a e_q.e_k + rounding: the linear part is a (q . K_j + k_j . Q), and
 *          |a e_q.e_k - n_j| <= N_j                                                  (bilinear_remainder below);
 * weights  P'_j = p_j (1 + t_j) + nu_j, t_j = s_j - sum_m p_m s_m                     (softmax_remainder.h);
 * values   y = y0 + sum_j P'_j (v_j - y0 + e_vj) for any y0, as the weights add up to 1
 *            = y0 + sum_j p_j e_vj + sum_j p_j T_j(eta) (v_j - y0)                    the linear part
 *              + sum_j [p_j (t_j - T_j(eta)) + nu_j] (v_j - y0)                       a symbol a j, column v_j - y0
 *              + sum_j (P'_j - p_j) e_vj                                              a symbol an entry, also in norm
 *              + sum_j p_j (v_j - y0)                                                 roundings: y0 is that mean
 *
 * In the symbols of the weights, sum_m p_m (...) of t_j needs no room: sum_j p_j (v_j - y0) is 0 but for roundings.
 * Their middles and that of the last product's second-order part go to the center (operation_product). */
#include "base/arrays.h"
#include "linalg/rounding.h"
#include "network/attention/step_attention.h"
#include "robust/operation/attention_head.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- norms of queries, keys and values, head by head ------------------------------------------------------------- */

/* norm[i * heads + h] of the deviation of head h in row i; input: of its part linear in the perturbation. */
static attcert_status head_norms(double *norm, double *input, const form *f, int heads, const form_symbols *symbols,
                                 attcert_error *err) {
  const int dim = f->cols / heads;
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < f->rows; i++) {
    const form_row *const row = &f->row[i];
    const size_t columns = (size_t)form_layout_columns(&row->layout);
    for (int h = 0; h < heads && status == ATTCERT_OK; h++) {
      const size_t first = (size_t)h * (size_t)dim, at = (size_t)i * (size_t)f->cols + first;
      const size_t to = (size_t)i * (size_t)heads + (size_t)h;
      form_norm n;
      status = form_norm_of(&n, row->linear + first * columns, dim, &row->layout, f->support + at, symbols, err);
      input[to] = n.input;
      norm[to] = round_up_nonnegative(n.input + n.other + norm_upper(f->radius + at, (size_t)dim), 2.0);
    }
  }
  return status;
}

static attcert_status all_norms(attention_norms *norms, const operation_attention_input *in,
                                const form_symbols *symbols, attcert_error *err) {
  attcert_status status = head_norms(norms->query, norms->query_input, in->query, in->heads, symbols, err);
  if (status == ATTCERT_OK) status = head_norms(norms->key, norms->key_input, in->key, in->heads, symbols, err);
  if (status == ATTCERT_OK) status = head_norms(norms->value, norms->value_input, in->value, in->heads, symbols, err);
  return status;
}

/* ---- one token --------------------------------------------------------------------------------------------------- */

/* Every symbol that the scores and values of query row i depend on. */
static attcert_status unite_layouts(form_layout *layout, const operation_attention_input *in, int i, int count,
                                    const form_symbols *symbols, attcert_error *err) {
  const form_layout **const all =
      array_new(2 * (size_t)count + 1, sizeof(const form_layout *), err, "a list of %d layouts", count);
  if (all == NULL) return ATTCERT_RESOURCE;
  for (int j = 0; j < count; j++) {
    all[2 * j] = &in->key->row[j].layout;
    all[2 * j + 1] = &in->value->row[j].layout;
  }
  all[2 * count] = &in->query->row[i].layout;
  const attcert_status status = form_layout_unite(layout, all, 2 * count + 1, symbols, err);
  free(all);
  return status;
}

/* The symbols of token i: one segment for the weights of all heads, one a head for the products. */
static attcert_status add_symbols(int *fresh, attention_token *row, form_symbols *symbols, int origin,
                                  attcert_error *err) {
  const size_t dim = (size_t)row->dim;
  attcert_status status =
      operation_fresh(&fresh[0], symbols, row->weight_bound, row->count * row->heads, INFINITY, origin, err);
  for (int h = 0; h < row->heads && status == ATTCERT_OK; h++)
    status = operation_fresh(&fresh[h + 1], symbols, row->product_bound + (size_t)h * dim, row->dim,
                             row->product_norm[h], origin, err);
  return status;
}

/* The linear part of all heads (over row->layout) and the columns of the fresh symbols. */
static void write_row(form *out, int i, const attention_token *row, const int *fresh) {
  form_row *const to = &out->row[i];
  const size_t width = (size_t)form_layout_columns(&to->layout), columns = (size_t)row->columns;
  for (int c = 0; c < out->cols; c++) {
    double *const line = to->linear + (size_t)c * width;
    const int h = c / row->dim, first = operation_column(out, i, fresh[0]) + h * row->count;
    if (columns > 0) memcpy(line, row->linear + (size_t)c * columns, columns * sizeof *line);
    for (int j = 0; j < row->count; j++) line[first + j] = row->difference[(size_t)c * (size_t)row->count + (size_t)j];
    line[operation_column(out, i, fresh[h + 1]) + c % row->dim] = 1.0;
  }
}

static attcert_status attend_row(form *out, const operation_attention_input *in, int i, const attention_norms *norms,
                                 form_symbols *symbols, int origin, attcert_error *err) {
  const int token = in->query->row[i].token, heads = in->heads;
  attention_token row = {.count = in->causal ? token + 1 : in->key->rows, .heads = heads, .dim = out->cols / heads};
  form_layout layout = {0};
  const form_layout *const layouts = &layout;
  int *fresh = NULL;
  attcert_status status = unite_layouts(&layout, in, i, row.count, symbols, err);
  if (status != ATTCERT_OK) return status;
  row.layout = &layout;
  row.columns = form_layout_columns(&layout);
  row.input = form_layout_input_columns(&layout, symbols);
  row.center = out->center + (size_t)i * (size_t)out->cols;
  row.radius = out->radius + (size_t)i * (size_t)out->cols;
  out->row[i].token = token;
  status = attention_token_allocate(&row, err);
  for (int h = 0; h < heads && status == ATTCERT_OK; h++)
    status = attention_head_pass(&row, in, i, h, norms, symbols, err);
  if (status == ATTCERT_OK) {
    fresh = array_new((size_t)heads + 1, sizeof *fresh, err, "a list of %d segments", heads + 1);
    status = fresh != NULL ? add_symbols(fresh, &row, symbols, origin, err) : ATTCERT_RESOURCE;
  }
  if (status == ATTCERT_OK) status = operation_row_layout(out, i, &layouts, 1, fresh, heads + 1, symbols, err);
  if (status == ATTCERT_OK) write_row(out, i, &row, fresh);
  free(fresh);
  attention_token_release(&row);
  form_layout_clear(&layout);
  return status;
}

attcert_status step_attention_forms(form *out, const step *s, const form *const *inputs, form_symbols *symbols,
                                    int origin, attcert_error *err) {
  const attention_heads *const of = s->of;
  const operation_attention_input all = {inputs[0], inputs[1], inputs[2], of->heads, of->causal}, *const in = &all;
  const size_t queries = (size_t)in->query->rows * (size_t)in->heads, keys = (size_t)in->key->rows * (size_t)in->heads;
  attention_norms norms;
  const array_table table = {{ARRAY(norms.query, queries), ARRAY(norms.query_input, queries), ARRAY(norms.key, keys),
                              ARRAY(norms.key_input, keys), ARRAY(norms.value, keys), ARRAY(norms.value_input, keys)}};
  attcert_status status = form_init(out, in->query->rows, in->query->cols, err);
  if (status != ATTCERT_OK) return status;
  status = array_table_allocate(&table, err, "the norms of %zu heads", keys);
  if (status != ATTCERT_OK) return status;
  status = all_norms(&norms, in, symbols, err);
  for (int i = 0; i < out->rows && status == ATTCERT_OK; i++)
    status = attend_row(out, in, i, &norms, symbols, origin, err);
  array_table_release(&table);
  return status;
}
