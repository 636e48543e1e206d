/* Softmax mean of the values, head by head. For one token i and head h, with a = 1 / sqrt(divided_by):
 *
 * scores   s_j = c(a q.k_j) = s0_j + S_j(eta) + n_j + rounding, |n_j| <= N_j         (step_attention_scores.c);
 * weights  P'_j = p_j (1 + t_j) + nu_j, t_j = s_j - sum_m p_m s_m                     (softmax_remainder.h);
 * values   y = y0 + sum_j P'_j (v_j - y0 + e_vj) for any y0, as the weights add up to 1
 *            = y0 + sum_j p_j e_vj + sum_j p_j T_j(eta) (v_j - y0)                    the linear part
 *              + sum_j [p_j (t_j - T_j(eta)) + nu_j] (v_j - y0)                       a symbol a j, column v_j - y0
 *              + sum_j (P'_j - p_j) e_vj                                              a symbol an entry, also in norm
 *              + sum_j p_j (v_j - y0)                                                 roundings: y0 is that mean
 *
 * where a sink is one key more, of a known score and e_v = v = 0.
 * In the symbols of the weights, sum_m p_m (...) of t_j needs no room: sum_j p_j (v_j - y0) is 0 but for roundings.
 * Their middles and that of the last product's second-order part go to the center (operation_product). */
#include "base/arrays.h"
#include "linalg/rounding/rounding.h"
#include "network/attention/step_attention.h"
#include "network/attention/step_attention_head.h"

#include <stdlib.h>
#include <string.h>

/* norm[i * heads + h] of head h in row i. */
static attcert_status head_norms(step_attention_norm *norm, const form *f, int heads, const form_symbols *symbols,
                                 attcert_error *err) {
  const int dim = f->cols / heads;
  attcert_status status = ATTCERT_OK;
  for (int i = 0; i < f->rows; i++) {
    const form_row *const row = &f->row[i];
    const size_t columns = (size_t)form_layout_columns(&row->layout);
    for (int h = 0; h < heads && status == ATTCERT_OK; h++) {
      const size_t first = (size_t)h * (size_t)dim, at = (size_t)i * (size_t)f->cols + first;
      form_norm n;
      status = form_norm_of(&n, row->linear + first * columns, dim, &row->layout, f->support + at, symbols, err);
      const double all = round_up_nonnegative(n.input + n.other + norm_upper(f->radius + at, (size_t)dim), 2.0);
      norm[(size_t)i * (size_t)heads + (size_t)h] = (step_attention_norm){all, n.input};
    }
  }
  return status;
}

/* ---- one token --------------------------------------------------------------------------------------------------- */

/* Of the keys and values of all heads, and of the query. */
static attcert_status unite_layouts(step_attention_token *t, attcert_error *err) {
  const int heads = attention_heads_different(t->of), most = 2 * heads * t->room + 1;
  const form_layout **const all = array_new((size_t)most, sizeof(void *), err, "a list of %d layouts", most);
  int number = 0;
  if (all == NULL) return ATTCERT_RESOURCE;
  for (int h = 0; h < heads; h++) {
    step_attention_take(t, h);
    for (int j = 0; j < t->count; j++) {
      all[number++] = &t->key->row[step_attention_row(t, j)].layout;
      all[number++] = &t->value->row[step_attention_row(t, j)].layout;
    }
  }
  all[number++] = &t->query->row[t->i].layout;
  const attcert_status status = form_layout_unite(&t->layout, all, number, t->symbols->count, t->symbols, err);
  free(all);
  return status;
}

static array_table token_table(step_attention_token *t) {
  const size_t n = (size_t)t->room, k = (size_t)t->columns;
  const size_t heads = (size_t)t->of->heads, dim = (size_t)t->of->value_dim;
  return (array_table){{ARRAY(t->linear, heads, dim, k), ARRAY(t->difference, heads, dim, n),
                        ARRAY(t->weight_bound, heads, n), ARRAY(t->product_bound, heads, dim),
                        ARRAY(t->product_norm, heads), ARRAY(t->score, n), ARRAY(t->weight, n), ARRAY(t->reach, n),
                        ARRAY(t->softmax, n), ARRAY(t->remainder, n), ARRAY(t->known, n), ARRAY(t->score_linear, n, k),
                        ARRAY(t->block, attention_heads_block(t->of, t->room), k), ARRAY(t->weighted, n, dim),
                        ARRAY(t->shifted, step_attention_gathers(t) ? n : 0, (size_t)t->of->head_dim)}};
}

/* The symbols of the token: one segment for the weights of all heads, one a head for the products. */
static attcert_status add_symbols(const step_attention_token *t, form_symbols *symbols, int origin,
                                  attcert_error *err) {
  const int heads = t->of->heads, dim = t->of->value_dim;
  attcert_status status = operation_fresh(symbols, t->weight_bound, t->room * heads, INFINITY, origin, err);
  for (int h = 0; h < heads && status == ATTCERT_OK; h++)
    status = operation_fresh(symbols, t->product_bound + (size_t)h * (size_t)dim, dim, t->product_norm[h], origin, err);
  return status;
}

/* The linear part of all heads (over t->layout) and the columns of the fresh symbols. */
static void write_row(form_row *to, const step_attention_token *t) {
  const size_t columns = (size_t)t->columns, keys = (size_t)t->room;
  const size_t heads = (size_t)t->of->heads, dim = (size_t)t->of->value_dim;
  const size_t width = columns + heads * keys + heads * dim;
  for (size_t c = 0; c < heads * dim; c++) {
    double *const line = to->linear + c * width;
    if (columns > 0) memcpy(line, t->linear + c * columns, columns * sizeof *line);
    memcpy(line + columns + c / dim * keys, t->difference + c * keys, keys * sizeof *line);
    line[columns + heads * keys + c] = 1.0;
  }
}

static attcert_status attend(form *out, step_attention_token *t, form_symbols *symbols, int origin,
                             attcert_error *err) {
  const form_layout *const layout = &t->layout;
  const int first = symbols->count;
  attcert_status status = unite_layouts(t, err);
  if (status != ATTCERT_OK) return status;
  t->columns = form_layout_columns(layout);
  t->input = form_layout_input_columns(layout, symbols);
  t->sums = step_attention_sums(t);
  const array_table table = token_table(t);
  status = array_table_allocate(&table, err, "attention of one token to %d, %d columns", t->room, t->columns);
  for (int h = 0; h < t->of->heads && status == ATTCERT_OK; h++) step_attention_head(t, h);
  if (status == ATTCERT_OK) status = add_symbols(t, symbols, origin, err);
  if (status == ATTCERT_OK) status = operation_row_layout(out, t->i, &layout, 1, first, symbols, err);
  if (status == ATTCERT_OK) write_row(&out->row[t->i], t);
  array_table_release(&table);
  form_layout_clear(&t->layout);
  return status;
}

attcert_status step_attention_forms(form *out, const step *s, const form *const *in, form_symbols *symbols, int origin,
                                    attcert_error *err) {
  const attention_heads *const of = s->of;
  const int heads[] = {of->heads, of->key_heads, of->key_heads};
  const size_t queries = (size_t)in[0]->rows * (size_t)of->heads, keys = (size_t)in[1]->rows * (size_t)of->key_heads;
  step_attention_norm *norm[3];
  const array_table table = {{ARRAY(norm[0], queries), ARRAY(norm[1], keys), ARRAY(norm[2], keys)}};
  attcert_status status = form_init(out, in[0]->rows, s->cols, err);
  if (status != ATTCERT_OK) return status;
  status = array_table_allocate(&table, err, "the norms of %zu heads", keys);
  if (status != ATTCERT_OK) return status;
  const int most = attention_heads_weights(of, in[1]->rows);
  step_attention_kept *const kept =
      array_new(queries * (size_t)most, sizeof *kept, err, "the weights of %zu heads", queries);
  out->kept = kept;
  if (kept == NULL) status = ATTCERT_RESOURCE;
  for (int k = 0; k < 3 && status == ATTCERT_OK; k++) status = head_norms(norm[k], in[k], heads[k], symbols, err);
  for (int i = 0; i < out->rows && status == ATTCERT_OK; i++) {
    const int token = attention_heads_position(of, i);
    step_attention_token t = {.of = of,
                              .query = in[0],
                              .key = in[1],
                              .value = in[2],
                              .query_norm = norm[0],
                              .key_norm = norm[1],
                              .value_norm = norm[2],
                              .symbols = symbols,
                              .kept = kept + (size_t)i * (size_t)of->heads * (size_t)most,
                              .most = most,
                              .i = i,
                              .token = token,
                              .center = out->center + (size_t)i * (size_t)out->cols,
                              .radius = out->radius + (size_t)i * (size_t)out->cols};
    out->row[i].token = token;
    for (int h = 0; h < attention_heads_different(of); h++) {
      step_attention_take(&t, h);
      if (t.weights > t.room) t.room = t.weights;
    }
    status = attend(out, &t, symbols, origin, err);
  }
  array_table_release(&table);
  return status;
}
