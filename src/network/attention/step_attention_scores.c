/* Scores of one head of one token: center, linear part a ((q + w) . K_j + (k_j + u) . Q), bilinear remainder; then the
 * score curve, and the bias, a constant. The center is a (q . k_j + q . u + w . k_j); u and w are 0 without shifts.
 *
 * bilinear_remainder: |a e_q . e_k| <= a ||e_q|| ||e_k||.
 *
 * What S_j and s0_j miss (gamma = gamma_{dim + 5}: dim products, their scale, the rounding of 1 / sqrt(divided_by), the
 * sum of both parts), with q, k of the sizes |q| + |w|, |k| + |u| but for the center's products:
 *   a (|q| . radius_k + |k| . radius_q) + a gamma (|q| . magnitude_K + |k| . magnitude_Q + |q| . |k|).
 * With shifts these are 2 dim + 8 roundings, as the center has as many sums more, and q + w and k + u one; and what
 * the doubles of u miss, at most |its low part| + error, is multiplied by |q| and by what q deviates, that of w
 * likewise. */
#include "linalg/rounding/rounding.h"
#include "network/attention/step_attention_head.h"

#include <cblas.h>
#include <string.h>

/* Of key number j, head h, the doubles of a shift; NULL: zeros. */
static const double *shift_of(const step_attention_token *t, const double *shift, int h, int j) {
  return shift == NULL ? NULL : attention_heads_shift(t->of, shift, h, t->token, step_attention_row(t, j));
}

/* A number of a shift, and what its double misses. */
typedef struct {
  double at, miss;
} shift_entry;

static shift_entry shift_at(const attention_heads *of, const double *high, const double *low, size_t c) {
  return high == NULL ? (shift_entry){0} : (shift_entry){high[c], fabs(low[c]) + of->shifts->error};
}

static void center_of_score(step_attention_token *t, size_t at_q, size_t at_k, int h, int j) {
  const form *const q = t->query, *const k = t->key;
  const attention_shifts none = {0}, *const shifts = t->of->shifts != NULL ? t->of->shifts : &none;
  const double *const u = shift_of(t, shifts->key, h, j), *const u_low = shift_of(t, shifts->key_low, h, j);
  const double *const w = shift_of(t, shifts->query, h, j), *const w_low = shift_of(t, shifts->query_low, h, j);
  const int dim = t->of->head_dim;
  const bool shifted = t->of->shifts != NULL;
  const double scale = 1.0 / sqrt(t->of->divided_by), gamma = gamma_upper(shifted ? 2.0 * dim + 8.0 : dim + 5.0);
  double score = 0.0, miss = 0.0;
  for (size_t c = 0; c < (size_t)dim; c++) {
    const double x = q->center[at_q + c], y = k->center[at_k + c];
    const shift_entry of_u = shift_at(t->of, u, u_low, c), of_w = shift_at(t->of, w, w_low, c);
    const double size_q = q->support[at_q + c].magnitude, size_k = k->support[at_k + c].magnitude;
    const double of_q = q->radius[at_q + c] + gamma * size_q, of_k = k->radius[at_k + c] + gamma * size_k;
    const double long_x = fabs(x) + fabs(of_w.at), long_y = fabs(y) + fabs(of_u.at);
    score += x * y;
    miss += long_x * of_k + long_y * of_q + gamma * fabs(x * y);
    if (!shifted) continue;
    score += x * of_u.at + of_w.at * y;
    miss += gamma * (fabs(x * of_u.at) + fabs(of_w.at * y));
    miss += of_u.miss * (fabs(x) + q->radius[at_q + c] + size_q) + of_w.miss * (fabs(y) + k->radius[at_k + c] + size_k);
  }
  t->score[j] = scale * score;
  t->known[j].score_miss =
      round_up_nonnegative(scale * miss + UNDERFLOW_ALLOWANCE, shifted ? 3.0 * dim + 20.0 : dim + 12.0);
}

/* Row j of t->shifted: x + shift, which may be NULL. */
static const double *add_shift(step_attention_token *t, const double *x, const double *shift, int j) {
  const int dim = t->of->head_dim;
  double *const sum = t->shifted + (size_t)j * (size_t)dim;
  for (int c = 0; c < dim; c++) sum[c] = x[c] + (shift != NULL ? shift[c] : 0.0);
  return sum;
}

/* S_j += a q . K_j, q that with w, all columns of key j at once. */
static void add_key_part(step_attention_token *t, const double *q, int g, int j) {
  const form_row *const key = &t->key->row[step_attention_row(t, j)];
  const int columns = form_layout_columns(&key->layout), dim = t->of->head_dim;
  if (columns == 0) return;
  cblas_dgemv(CblasRowMajor, CblasTrans, dim, columns, 1.0 / sqrt(t->of->divided_by),
              key->linear + (size_t)g * (size_t)dim * (size_t)columns, columns, q, 1, 0.0, t->block, 1);
  form_layout_add(t->score_linear + (size_t)j * (size_t)t->columns, &t->layout, t->block, &key->layout, 1, 1.0);
}

/* S_j += a (k_j + u) . Q for all j. */
static void add_query_part(step_attention_token *t, int h) {
  const form_row *const query = &t->query->row[t->i];
  const int columns = form_layout_columns(&query->layout), dim = t->of->head_dim;
  const size_t first = (size_t)h * (size_t)dim, of_head = (size_t)attention_heads_key_head(t->of, h) * (size_t)dim;
  const size_t all = (size_t)t->key->cols;
  const double *keys = t->key->center + (size_t)t->attended.first * all + of_head;
  int stride = t->key->cols;
  if (columns == 0) return;
  for (int j = 0; j < t->count && step_attention_gathers(t); j++)
    add_shift(t, t->key->center + (size_t)step_attention_row(t, j) * all + of_head,
              t->of->shifts != NULL ? shift_of(t, t->of->shifts->key, h, j) : NULL, j);
  if (step_attention_gathers(t)) {
    keys = t->shifted;
    stride = dim;
  }
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, t->count, columns, dim, 1.0 / sqrt(t->of->divided_by), keys,
              stride, query->linear + first * (size_t)columns, columns, 0.0, t->block, columns);
  form_layout_add(t->score_linear, &t->layout, t->block, &query->layout, t->count, 1.0);
}

/* s_j becomes c(s_j): with the line that follows the curve on all that s_j / cap can be (robust/range/range_line.h),
 *   |c(s) - slope (s - s0) - cap height| <= cap error,   but for the rounding of s0 / cap, which slope s0 bears. */
static void follow_curve(step_attention_token *t, int j) {
  step_attention_key *const key = &t->known[j];
  double *const line = t->score_linear + (size_t)j * (size_t)t->columns;
  const double cap = t->of->cap, s0 = t->score[j];
  const form_support support = form_support_of(line, &t->layout, t->symbols);
  const double reach = round_up_nonnegative(support.input + support.other + key->score_bound + key->score_miss, 4.0);
  const range_line along = range_line_along(t->of->curve, range_down(range_down(s0 - reach) / cap),
                                            range_up(range_up(s0 + reach) / cap), s0 / cap);
  const double slope = fabs(along.slope);
  for (int k = 0; k < t->columns; k++) line[k] *= along.slope;
  t->score[j] = cap * along.height;
  key->slope = along.slope;
  key->score_bound = round_up_nonnegative(slope * key->score_bound + cap * along.error, 3.0);
  key->score_miss = round_up_nonnegative(
      slope * key->score_miss + UNIT_ROUNDOFF * (slope * (support.magnitude + fabs(s0)) + fabs(t->score[j])) +
          (1.0 + cap) * UNDERFLOW_ALLOWANCE,
      8.0);
}

/* The sum rounds once. */
static void add_pair_bias(step_attention_token *t, int h, int j) {
  t->score[j] += attention_heads_pair_bias(t->of, h, t->token, step_attention_row(t, j));
  t->known[j].score_miss = round_up_nonnegative(t->known[j].score_miss + UNIT_ROUNDOFF * fabs(t->score[j]), 3.0);
}

static void add_bias(step_attention_token *t, int h, int j) {
  const int key = step_attention_row(t, j);
  const double bias = attention_heads_bias(t->of, h, t->token, key);
  const double low = t->of->bias_low == NULL
                         ? 0.0
                         : fabs(attention_heads_bias_low(t->of, h, t->token, key)) + BIAS_LOW_ERROR * fabs(bias);
  t->score[j] += bias;
  t->known[j].score_miss = round_up_nonnegative(t->known[j].score_miss + UNIT_ROUNDOFF * fabs(t->score[j]) + low, 5.0);
}

/* Known, behind the keys' scores. */
static void add_sink(step_attention_token *t, int h) {
  t->score[t->count] = t->of->sink[h];
  t->known[t->count] = (step_attention_key){0};
}

void step_attention_scores(step_attention_token *t, int h) {
  const int g = attention_heads_key_head(t->of, h), dim = t->of->head_dim;
  const size_t at_q = (size_t)t->i * (size_t)t->query->cols + (size_t)h * (size_t)dim;
  const double scale = round_up_nonnegative(1.0 / sqrt(t->of->divided_by), 2.0);
  const double norm = t->query_norm[(size_t)t->i * (size_t)t->of->heads + (size_t)h].all;
  if (t->columns > 0) memset(t->score_linear, 0, (size_t)t->weights * (size_t)t->columns * sizeof(double));
  for (int j = 0; j < t->count; j++) {
    const size_t row = (size_t)step_attention_row(t, j);
    const step_attention_norm *const n = &t->key_norm[row * (size_t)t->of->key_heads + (size_t)g];
    const size_t of_key = row * (size_t)t->key->cols + (size_t)g * (size_t)dim;
    const double *query = t->query->center + at_q;
    center_of_score(t, at_q, of_key, h, j);
    if (t->of->shifts != NULL) query = add_shift(t, query, shift_of(t, t->of->shifts->query, h, j), j);
    const double sums =
        t->sums ? step_attention_sums_score(t, (size_t)h * (size_t)dim, (int)row, (size_t)g * (size_t)dim) : INFINITY;
    const double product = norm * n->all < sums ? norm * n->all : sums;
    t->known[j].slope = 1.0;
    t->known[j].score_bound = round_up_nonnegative(scale * product, 2.0);
    add_key_part(t, query, g, j);
  }
  add_query_part(t, h);
  for (int j = 0; j < t->count && t->of->curve != NULL; j++) follow_curve(t, j);
  for (int j = 0; j < t->count && t->of->bias != NULL; j++) add_bias(t, h, j);
  const attention_pair_lists *const pairs = t->of->pairs;
  for (int j = 0; j < t->count && pairs != NULL && pairs->biases > 0; j++) add_pair_bias(t, h, j);
  if (t->of->sink != NULL) add_sink(t, h);
}
