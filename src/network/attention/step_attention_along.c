#include "network/attention/step_attention_along.h"

#include "base/arrays.h"
#include "linalg/rounding/upward.h"

#include <cblas.h>
#include <string.h>

static array_table table_of(attention_along *a) {
  const size_t most = (size_t)attention_heads_weights(a->of, a->key->rows);
  return (array_table){{ARRAY(a->weight, most), ARRAY(a->difference, most), ARRAY(a->size, most),
                        ARRAY(a->deviation, most),
                        ARRAY(a->product, a->many ? 0 : (size_t)form_layout_columns(a->layout)),
                        ARRAY(a->along, most + 1, a->many ? 0 : (size_t)form_layout_columns(a->layout))}};
}

attcert_status attention_along_init(attention_along *a, const step_lower *l, const attention_heads *of,
                                    const form_layout *layout, bool many) {
  *a = (attention_along){.l = l,
                         .of = of,
                         .out = l->out,
                         .query = l->in[0],
                         .key = l->in[1],
                         .value = l->in[2],
                         .symbols = l->symbols,
                         .layout = layout,
                         .many = many};
  const double rows = (double)a->query->rows * of->heads / of->key_heads;
  a->terms = fmax(rows, a->key->rows);
  const array_table table = table_of(a);
  return array_table_allocate(&table, NULL, "attention along a direction");
}

void attention_along_clear(attention_along *a) {
  const array_table table = table_of(a);
  array_table_release(&table);
}

static double *to_of(const attention_along *a, int k, int b) {
  return a->l->to[k] + (size_t)b * (size_t)a->l->in[k]->rows * (size_t)a->l->in[k]->cols;
}

void attention_along_place(attention_along *a, int b, int i, int h) {
  const attention_heads *const of = a->of;
  const int g = attention_heads_key_head(of, h);
  a->to_query = to_of(a, 0, b);
  a->to_key = to_of(a, 1, b);
  a->to_value = to_of(a, 2, b);
  a->i = i;
  a->h = h;
  a->token = attention_heads_position(of, i);
  const attention_keys attended = attention_heads_listed(of, h, a->token, a->key->rows);
  a->attended = attended;
  a->count = attended.count;
  a->weights = attention_heads_weights(of, attended.count);
  a->query_at = h * of->head_dim;
  a->key_at = g * of->head_dim;
  a->value_at = g * of->value_dim;
  a->kept = step_attention_kept_of(a->out, of, i, h, a->key->rows);
  a->missed = 0.0;
}

/* Number c of a shift of key number j. */
static double shift_at(const attention_along *a, const double *shift, int j, int c) {
  return shift == NULL ? 0.0 : attention_heads_shift(a->of, shift, a->h, a->token, attention_along_row(a, j))[c];
}

void attention_along_add_score(attention_along *a, double factor, int j) {
  const attention_shifts none = {0}, *const shifts = a->of->shifts != NULL ? a->of->shifts : &none;
  const size_t at_query = (size_t)a->i * (size_t)a->query->cols + (size_t)a->query_at;
  const size_t at_key = (size_t)attention_along_row(a, j) * (size_t)a->key->cols + (size_t)a->key_at;
  const double gamma = gamma_upper(a->terms + 10.0);
  double size = 0.0;
  for (int c = 0; c < a->of->head_dim; c++) {
    const double key = a->key->center[at_key + (size_t)c] + shift_at(a, shifts->key, j, c);
    const double query = a->query->center[at_query + (size_t)c] + shift_at(a, shifts->query, j, c);
    a->to_query[at_query + (size_t)c] += factor * key;
    a->to_key[at_key + (size_t)c] += factor * query;
    size += fabs(factor * key) * form_spread(a->query, a->i, a->query_at + c);
    size += fabs(factor * query) * form_spread(a->key, attention_along_row(a, j), a->key_at + c);
  }
  const double missed = round_up_nonnegative(gamma * size, 2.0 * a->of->head_dim + 8.0);
  a->missed = upward_add3(a->missed, missed, UNDERFLOW_ALLOWANCE);
}

/* Key by key, less what they have in common: p_j >= 0. */
static void take_spreads(attention_along *a, const double *w) {
  const int dim = a->of->value_dim;
  double common = 0.0;
  for (int j = 0; j < a->weights; j++) {
    double sum = 0.0;
    for (int c = 0; c < dim && j < a->count; c++)
      sum += fabs(w[c]) * form_spread(a->value, attention_along_row(a, j), a->value_at + c);
    a->size[j] = round_up_nonnegative(sum, dim + 1.0);
    common += a->weight[j] * a->size[j];
  }
  for (int j = 0; j < a->weights; j++) {
    /* |w . e_j - e| <= (1 - p_j) |w . e_j| + sum over the others */
    const double own = a->weight[j] < 1.0 ? (1.0 - a->weight[j]) * a->size[j] : 0.0;
    const double others = range_larger(common - a->weight[j] * a->size[j], 0.0) + 0x1p-40 * common;
    a->deviation[j] = round_up_nonnegative(own + 0x1p-40 * a->size[j] + others, 8.0) + UNDERFLOW_ALLOWANCE;
  }
}

/* Whether the deviations are those of -w, at the same place. */
static bool is_known(const attention_along *a, const double *w) {
  bool known = a->known != NULL;
  for (int c = 0; c < a->of->value_dim && known; c++) known = w[c] == -a->known[c];
  return known;
}

/* Row j of `along` := w V_j, and in the last row sum_j p_j w V_j. Of the sums of absolute values, the magnitudes:
 * gamma_{dim + weights + 4} for what is rounded, and once for each product the radii. */
void attention_along_deviations(attention_along *a, const double *w) {
  const size_t columns = (size_t)form_layout_columns(a->layout);
  const int dim = a->of->value_dim;
  const double gamma = gamma_upper((double)dim + a->weights + 4.0);
  double *const mean = a->along + (size_t)a->weights * columns;
  double common = 0.0;
  if (is_known(a, w)) return;
  a->known = w;
  if (a->many) {
    take_spreads(a, w);
    return;
  }
  if (columns > 0) memset(a->along, 0, ((size_t)a->weights + 1) * columns * sizeof(double));
  for (int j = 0; j < a->weights; j++) {
    double *const line = a->along + (size_t)j * columns;
    double missed = 0.0;
    for (int c = 0; c < dim && j < a->count; c++) {
      const size_t at = attention_along_value(a, j) + (size_t)c;
      missed += fabs(w[c]) * (a->value->radius[at] + gamma * a->value->support[at].magnitude);
    }
    a->size[j] = missed;
    common += a->weight[j] * missed;
    if (j == a->count) continue;
    const form_row *const row = &a->value->row[attention_along_row(a, j)];
    const int width = form_layout_columns(&row->layout);
    if (width == 0) continue;
    cblas_dgemv(CblasRowMajor, CblasTrans, dim, width, 1.0, row->linear + (size_t)a->value_at * (size_t)width, width, w,
                1, 0.0, a->product, 1);
    form_layout_add(line, a->layout, a->product, &row->layout, 1, 1.0);
    cblas_daxpy((int)columns, a->weight[j], line, 1, mean, 1);
  }
  for (int j = 0; j < a->weights; j++) {
    double *const line = a->along + (size_t)j * columns;
    if (columns > 0) cblas_daxpy((int)columns, -1.0, mean, 1, line, 1);
    const form_support support = form_support_of(line, a->layout, a->symbols);
    a->deviation[j] = round_up_nonnegative(support.input + support.other + a->size[j] + common + UNDERFLOW_ALLOWANCE,
                                           (double)dim + a->weights + 8.0);
  }
}
