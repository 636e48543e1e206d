/* Products of deviations where the sum of the perturbation's entries is bounded, sum_k |eta_k| <= r (form_segment.sum):
 * what some entries use of r, others have not. Bounds by norms (step_attention_head.c) hold as well; the smaller one is
 * taken. With a_k the columns of the first factor's such symbols, b_jk of the others',
 *
 *   |A eta . B eta| <= (sum_k |a_k| |eta_k|) (sum_k |b_k| |eta_k|) <= r^2 max_k (w |a_k| + |b_k| / w)^2 / 4, any w > 0,
 *   ||sum_j delta_j B_j eta|| <= r max_k sum_j max |delta_j| |b_jk|,
 *
 * as 4 x y = (x + y)^2 - (x - y)^2, and as a linear function of |eta| is largest at a vertex; over several segments
 * the latter bounds add up, and the first is of one segment alone. */
#include "linalg/rounding/rounding.h"
#include "network/attention/step_attention_head.h"
#include "robust/range/range_rounding.h"

#include <string.h>

bool step_attention_sums(const step_attention_token *t) {
  bool some = false;
  for (int s = 0; s < t->layout.count; s++) some = some || t->symbols->segment[t->layout.id[s]].sum > 0.0;
  return some;
}

/* to[k] += factor times the norm, in entries first .. first + dim - 1 of a row, of each column k (of the token's
 * layout) whose segment has a bound of its sum. */
static void add_columns(double *to, const step_attention_token *t, const form_row *row, size_t first, int dim,
                        double factor) {
  const form_layout *const from = &row->layout;
  const size_t columns = (size_t)form_layout_columns(from);
  for (int s = 0, at = 0; s < from->count; s++) {
    if (!(t->symbols->segment[from->id[s]].sum > 0.0)) continue;
    while (t->layout.id[at] != from->id[s]) at++;
    for (int k = from->start[s]; k < from->start[s + 1]; k++) {
      const double norm = dim == 1
                              ? fabs(row->linear[first * columns + (size_t)k])
                              : norm_upper_strided(row->linear + first * columns + (size_t)k, (size_t)dim, columns);
      to[t->layout.start[at] + k - from->start[s]] += factor * norm;
    }
  }
}

/* sum over segments of r max_k of[k]; each of[k] took `terms` roundings. */
static double vertices(const step_attention_token *t, const double *of, double terms) {
  double sum = 0.0;
  for (int s = 0; s < t->layout.count; s++) {
    const double r = t->symbols->segment[t->layout.id[s]].sum;
    double most = 0.0;
    for (int k = t->layout.start[s]; r > 0.0 && k < t->layout.start[s + 1]; k++) most = of[k] > most ? of[k] : most;
    sum += r * most;
  }
  return round_up_nonnegative(sum, terms + t->layout.count + 1.0);
}

/* What of a deviation is not by these symbols. */
static double rest(const form *f, size_t at) {
  const form_support *const s = &f->support[at];
  return range_sub_up(round_up_nonnegative(s->input + s->other + f->radius[at], 2.0), s->sum);
}

static double rest_norm(const form *f, size_t at, int dim) {
  double squares = 0.0;
  for (int c = 0; c < dim; c++) squares += rest(f, at + (size_t)c) * rest(f, at + (size_t)c);
  return round_up_nonnegative(sqrt(round_up_nonnegative(squares, dim)), 1.0);
}

/* ---- scores ------------------------------------------------------------------------------------------------------ */

/* Of one segment, its columns' norms a and b: 4 times the bound of the product. */
static double product_of(const double *a, const double *b, int width, double r, double longest_a, double longest_b) {
  const double w = sqrt(longest_b / longest_a);
  double most = 0.0;
  if (!(w > 0.0 && w < INFINITY)) return INFINITY;
  for (int k = 0; k < width; k++) {
    const double both = w * a[k] + b[k] / w;
    most = both > most ? both : most;
  }
  return round_up_nonnegative(0.25 * (r * most) * (r * most), 9.0);
}

double step_attention_sums_score(step_attention_token *t, size_t of_query, int key, size_t of_key) {
  const int dim = t->of->head_dim;
  const size_t columns = (size_t)t->columns;
  double *const a = t->block, *const b = t->block + columns;
  memset(a, 0, 2 * columns * sizeof *a);
  add_columns(a, t, &t->query->row[t->i], of_query, dim, 1.0);
  add_columns(b, t, &t->key->row[key], of_key, dim, 1.0);
  const double long_a = vertices(t, a, 0.0), long_b = vertices(t, b, 0.0);
  double both = round_up_nonnegative(long_a * long_b, 1.0);
  int of = -1, number = 0;
  for (int s = 0; s < t->layout.count; s++) {
    if (!(t->symbols->segment[t->layout.id[s]].sum > 0.0)) continue;
    of = s;
    number++;
  }
  if (number == 1) {
    const int at = t->layout.start[of], width = t->layout.start[of + 1] - at;
    const double one = product_of(a + at, b + at, width, t->symbols->segment[t->layout.id[of]].sum, long_a, long_b);
    both = one < both ? one : both;
  }
  const double rest_a = rest_norm(t->query, (size_t)t->i * (size_t)t->query->cols + of_query, dim);
  const double rest_b = rest_norm(t->key, (size_t)key * (size_t)t->key->cols + of_key, dim);
  return round_up_nonnegative(both + long_a * rest_b + rest_a * (long_b + rest_b), 6.0);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Entries first .. first + dim - 1 of every value. */
static double joint_bound(step_attention_token *t, size_t first, int dim) {
  const form *const v = t->value;
  double beside = 0.0;
  memset(t->block, 0, (size_t)t->columns * sizeof(double));
  for (int j = 0; j < t->count; j++) {
    const int row = step_attention_row(t, j);
    const size_t at = (size_t)row * (size_t)v->cols + first;
    add_columns(t->block, t, &v->row[row], first, dim, t->known[j].change);
    beside += t->known[j].change * rest_norm(v, at, dim);
  }
  return round_up_nonnegative(vertices(t, t->block, 2.0 * t->count) + beside, 2.0 * t->count + 2.0);
}

/* Without a middle, the center has rounded as often as there are keys. */
void step_attention_sums_values(step_attention_token *t, int h) {
  const int dim = t->of->value_dim;
  const size_t first = (size_t)attention_heads_key_head(t->of, h) * (size_t)dim;
  double squares = 0.0;
  for (int c = 0; c < dim; c++) {
    const double beside = (t->count + 1.0) * UNIT_ROUNDOFF * fabs(t->center[h * dim + c]) + UNDERFLOW_ALLOWANCE;
    const double bound = round_up_nonnegative(joint_bound(t, first + (size_t)c, 1) + beside, 4.0);
    double *const to = &t->product_bound[h * dim + c];
    squares += beside * beside;
    if (bound < *to) *to = bound;
  }
  const double beside = sqrt(round_up_nonnegative(squares, dim + 6.0));
  const double norm = round_up_nonnegative(joint_bound(t, first, dim) + beside + UNDERFLOW_ALLOWANCE, 3.0);
  if (norm < t->product_norm[h]) t->product_norm[h] = norm;
}
